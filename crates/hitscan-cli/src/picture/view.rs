//! Where a picture is seen from when nobody says so.

use super::scene::{Scene, unit};
use glam::DVec3;
use hitscan::Ray;

/// Where an eye stands and what it looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct View {
    /// Where the eye stands.
    pub(crate) eye: DVec3,
    /// What stands in the middle of the picture.
    pub(crate) look: DVec3,
}

impl View {
    /// A view from the south-east and above of everything between `min` and `max`, for a picture
    /// `fov` radians high.
    ///
    /// The eye is lifted where ground would stand over it.
    pub(crate) fn of_bounds(scene: &dyn Scene, min: DVec3, max: DVec3, fov: f64) -> Self {
        let middle = (min + max) / 2.0;
        let radius = ((max - min).length() / 2.0).max(1e-3);
        let from = unit(DVec3::new(0.50, 0.52, 0.78));
        // Flat, wide scenes fill a wide picture without the whole sphere around them.
        let flat = 0.57 + 0.43 * ((max.y - min.y) / (2.0 * radius)).clamp(0.0, 1.0);
        let distance = flat * radius / libm::sin(fov.clamp(0.1, 3.0) / 2.0);
        let eye = middle + from * distance;
        Self {
            eye: above_ground(scene, eye, max.y, radius * 0.02),
            look: middle,
        }
    }

    /// How far the eye stands outside the box from `min` to `max`; 0 within.
    pub(crate) fn distance_outside(&self, min: DVec3, max: DVec3) -> f64 {
        (self.eye - self.eye.clamp(min, max)).length()
    }
}

/// `eye`, lifted to `clearance` above whatever a ray from above `top` finds over or under it.
fn above_ground(scene: &dyn Scene, eye: DVec3, top: f64, clearance: f64) -> DVec3 {
    let start = DVec3::new(eye.x, top.max(eye.y) + clearance, eye.z);
    let below = Ray::new(start.as_vec3(), [0.0, -1.0, 0.0])
        .ok()
        .and_then(|ray| scene.nearest(&ray));
    match below {
        Some(sighting) => DVec3::new(eye.x, eye.y.max(sighting.point.y + clearance), eye.z),
        None => eye,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::world_scene::WorldScene;
    use hitscan::Aabb;
    use hitscan::World;

    #[test]
    fn the_eye_stands_outside_and_over_what_it_looks_at() {
        let (min, max) = (DVec3::new(-50.0, 0.0, -50.0), DVec3::new(50.0, 20.0, 50.0));
        let mut world = World::new();
        world.add_aabb(Aabb::new(min.as_vec3(), max.as_vec3()).unwrap());
        world.update();
        let view = View::of_bounds(&WorldScene::new(&world), min, max, 0.8);
        assert_eq!(view.look, DVec3::new(0.0, 10.0, 0.0));
        assert!(view.eye.y > max.y && view.distance_outside(min, max) > 10.0);
        let within = View {
            eye: DVec3::ONE,
            ..view
        };
        assert_eq!(within.distance_outside(min, max), 0.0);
    }

    #[test]
    fn a_point_and_nothing_at_all_can_be_looked_at() {
        let world = World::new();
        let scene = WorldScene::new(&world);
        let view = View::of_bounds(&scene, DVec3::ONE, DVec3::ONE, 0.8);
        assert!(view.eye.is_finite() && view.eye != view.look);
    }
}
