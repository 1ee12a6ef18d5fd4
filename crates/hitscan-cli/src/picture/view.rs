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
        let flat = 0.5 + 0.5 * ((max.y - min.y) / (2.0 * radius)).clamp(0.0, 1.0);
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
