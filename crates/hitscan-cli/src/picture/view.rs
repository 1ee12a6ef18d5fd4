//! Where a picture is seen from, and the direction of each pixel's ray.

use super::scene::{Scene, unit};
use glam::{DVec2, DVec3};
use hitscan::Ray;

/// A pinhole camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct View {
    /// Where the eye stands.
    pub(crate) eye: DVec3,
    /// What stands in the middle of the picture.
    pub(crate) look: DVec3,
    /// The angle between the picture's lower and upper edge, radians, above 0 and below pi.
    pub(crate) fov: f64,
}

/// The eye's own directions, so that a pixel's ray costs a few products.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    forward: DVec3,
    right: DVec3,
    down: DVec3,
    half_size: DVec2,
}

impl View {
    /// A view from the south-east and above of everything between `min` and `max`.
    ///
    /// The eye is lifted where ground would stand over it.
    pub(crate) fn of_bounds(scene: &dyn Scene, min: DVec3, max: DVec3, fov: f64) -> Self {
        let middle = (min + max) / 2.0;
        let radius = ((max - min).length() / 2.0).max(1e-3);
        let from = unit(DVec3::new(0.52, 0.42, 0.80));
        // Flat, wide scenes fill a wide picture without the whole sphere around them.
        let flat = 0.62 + 0.38 * ((max.y - min.y) / (2.0 * radius)).clamp(0.0, 1.0);
        let distance = flat * radius / libm::sin(fov.clamp(0.1, 3.0) / 2.0);
        let eye = middle + from * distance;
        Self {
            eye: above_ground(scene, eye, max.y, radius * 0.02),
            look: middle,
            fov,
        }
    }

    /// The directions for a picture of this width and height in pixels.
    pub(crate) fn frame(&self, width: u32, height: u32) -> Frame {
        let forward = unit(self.look - self.eye);
        // Straight up or down, north (the smallest z) is up in the picture.
        let level = forward.cross(DVec3::Y);
        let right = level.try_normalize().unwrap_or(DVec3::X);
        let half_height = libm::tan(self.fov / 2.0);
        Frame {
            forward,
            right,
            down: forward.cross(right),
            half_size: DVec2::new(
                half_height * f64::from(width) / f64::from(height),
                half_height,
            ),
        }
    }
}

impl Frame {
    /// The unit direction through a place in the picture: 0 to 1 from left and from top.
    pub(crate) fn direction(&self, place: DVec2) -> DVec3 {
        let offset = (place * 2.0 - 1.0) * self.half_size;
        unit(self.forward + self.right * offset.x + self.down * offset.y)
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
