//! Where a picture is seen from, and the default view of a whole world.

use crate::scene::{Scene, unit_or_up};
use glam::DVec3;
use hitscan::Ray;

/// A camera's position and what it looks at.
///
/// ```
/// use hitscan::glam::DVec3;
/// use hitscan_picture::View;
/// let view = View {
///     eye: DVec3::new(0.0, 2.0, 5.0),
///     target: DVec3::ZERO,
/// };
/// assert!(view.eye.y > view.target.y);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The camera's position, metres.
    pub eye: DVec3,
    /// The point in the middle of the picture, metres.
    pub target: DVec3,
}

impl View {
    /// A view from the south-east and above of everything between `min` and `max`, for a picture
    /// `fov` radians high.
    ///
    /// The eye is lifted where the ground would be above it.
    pub(crate) fn of_bounds(scene: &dyn Scene, min: DVec3, max: DVec3, fov: f64) -> Self {
        let middle = (min + max) / 2.0;
        let radius = ((max - min).length() / 2.0).max(1e-3);
        let from = unit_or_up(DVec3::new(0.50, 0.52, 0.78));
        // Flat, wide scenes fill a wide picture without the whole sphere around them.
        let flat = 0.57 + 0.43 * ((max.y - min.y) / (2.0 * radius)).clamp(0.0, 1.0);
        let distance = flat * radius / libm::sin(fov.clamp(0.1, 3.0) / 2.0);
        let eye = middle + from * distance;
        Self {
            eye: above_ground(scene, eye, max.y, radius * 0.02),
            target: middle,
        }
    }

    /// How far the eye is outside the box from `min` to `max`; 0 within.
    pub(crate) fn distance_outside(&self, min: DVec3, max: DVec3) -> f64 {
        (self.eye - self.eye.clamp(min, max)).length()
    }
}

/// `eye`, lifted to `clearance` above what a vertical ray from above `top` hits over or under it.
fn above_ground(scene: &dyn Scene, eye: DVec3, top: f64, clearance: f64) -> DVec3 {
    let start = DVec3::new(eye.x, top.max(eye.y) + clearance, eye.z);
    let below = Ray::new(start.as_vec3(), [0.0, -1.0, 0.0])
        .ok()
        .and_then(|ray| scene.closest_hit(&ray));
    match below {
        Some(hit) => DVec3::new(eye.x, eye.y.max(hit.point.y + clearance), eye.z),
        None => eye,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world_scene::WorldScene;
    use hitscan::Aabb;
    use hitscan::World;

    #[test]
    fn the_eye_is_outside_and_above_what_it_looks_at() {
        let (min, max) = (DVec3::new(-50.0, 0.0, -50.0), DVec3::new(50.0, 20.0, 50.0));
        let mut world = World::new();
        world.add_aabb(Aabb::new(min.as_vec3(), max.as_vec3()).unwrap());
        world.update();
        let view = View::of_bounds(&WorldScene::new(&world), min, max, 0.8);
        assert_eq!(view.target, DVec3::new(0.0, 10.0, 0.0));
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
        assert!(view.eye.is_finite() && view.eye != view.target);
    }
}
