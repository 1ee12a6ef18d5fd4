//! The demo's objects by name, with their bounds, so that questions can be about them.

use crate::scene::robot_transform;
use glam::{DVec3, Vec3};
use hitscan::{Aabb, ObjectId};
use hitscan_assets::Scene;

/// The scene's objects by name.
pub(crate) struct Objects<'a> {
    pub(crate) scene: &'a Scene,
}

impl Objects<'_> {
    pub(crate) fn bounds(&self, name: &str) -> Option<Aabb> {
        let world = self.scene.world();
        let has_name = |object: &ObjectId| self.scene.object_name(*object) == Some(name);
        world
            .now()
            .object_bounds(world.now().objects().find(has_name)?)
    }

    /// A point of an object's box: 0 to 1 on each axis from its minimum to its maximum corner.
    pub(crate) fn point(&self, name: &str, fraction: [f32; 3]) -> Vec3 {
        self.bounds(name).map_or(Vec3::ZERO, |bounds| {
            bounds.min() * (Vec3::ONE - Vec3::from(fraction)) + bounds.max() * Vec3::from(fraction)
        })
    }

    /// A point on a robot, given in metres along its left, up from its soles, and forward.
    pub(crate) fn on_robot(&self, name: &str, local: [f64; 3]) -> Vec3 {
        let Some((rotation, [x, z])) = robot_transform(name) else {
            return Vec3::ZERO;
        };
        let soles = f64::from(self.point(name, [0.0; 3]).y);
        (DVec3::new(x, soles, z) + rotation * DVec3::from(local)).as_vec3()
    }

    /// A point so many metres above the ground at x, z.
    pub(crate) fn above_ground(&self, [x, z]: [f32; 2], above: f32) -> Vec3 {
        let world = self.scene.world();
        let ground = world.now().height([x, z], ()).ok();
        Vec3::new(x, ground.map_or(0.0, |ground| ground.height) + above, z)
    }
}
