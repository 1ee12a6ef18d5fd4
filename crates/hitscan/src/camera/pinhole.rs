//! A pinhole camera: the ray through a pixel, and so the ray of a pointer.

use crate::narrow_phase::ray_cast::ray_triangle::{LANES, Vectors, by_lane, nearest};
use crate::{Error, Ray};
use fearless_simd::{Simd, f64x8, prelude::*};
use glam::{DVec3, Vec3};

/// A perspective camera over a picture of `width` x `height` pixels.
///
/// ```
/// use hitscan::Camera;
/// let camera = Camera::new([0.0, 1.7, 5.0], [0.0, 1.0, 0.0], 60f64.to_radians(), [640, 480])?;
/// let ray = camera.ray(320.0, 240.0); // the middle of the picture looks at the target
/// assert!(ray.direction().x.abs() < 1e-6 && ray.direction().z < 0.0);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    eye: Vec3,
    target: Vec3,
    fov_y: f64,
    forward: DVec3,
    /// From the middle of the picture to its right edge, one unit ahead.
    right: DVec3,
    /// From the middle of the picture to its upper edge, one unit ahead.
    up: DVec3,
    size: [u32; 2],
}

impl Camera {
    /// A camera at `eye` that looks at `target`, with +Y up in the picture.
    ///
    /// `fov_y` is the angle between the picture's lower and upper edge, radians. Where the camera
    /// looks straight up or down, -Z or +Z is up in the picture.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::ZeroVector`] where the target is the eye, and
    /// [`Error::BadValue`] for an angle outside 0 to π or a picture without pixels.
    pub fn new(
        eye: impl Into<Vec3>,
        target: impl Into<Vec3>,
        fov_y: f64,
        [width, height]: [u32; 2],
    ) -> Result<Self, Error> {
        let (eye, target) = (eye.into(), target.into());
        for found in eye.to_array().into_iter().chain(target.to_array()) {
            if !found.is_finite() {
                return Err(Error::NotFinite {
                    what: "camera",
                    found: f64::from(found),
                });
            }
        }
        if !(fov_y > 0.0 && fov_y < core::f64::consts::PI) {
            let (what, expected) = ("field of view", "between 0 and π radians");
            return Err(Error::BadValue {
                what,
                expected,
                found: fov_y,
            });
        }
        if width == 0 || height == 0 {
            let (what, expected) = ("picture size", "at least 1 x 1 pixels");
            return Err(Error::BadValue {
                what,
                expected,
                found: 0.0,
            });
        }
        let forward = unit_f64(target.as_dvec3() - eye.as_dvec3()).ok_or(Error::ZeroVector {
            what: "camera direction",
        })?;
        let picture_up = DVec3::new(0.0, 0.0, if forward.y < 0.0 { -1.0 } else { 1.0 });
        let right = unit_f64(forward.cross(DVec3::Y))
            .or_else(|| unit_f64(forward.cross(picture_up)))
            .ok_or(Error::ZeroVector {
                what: "camera direction",
            })?;
        let half_height = libm::tan(0.5 * fov_y);
        let half_width = half_height * f64::from(width) / f64::from(height);
        let up = right.cross(forward) * half_height;
        Ok(Self {
            eye,
            target,
            fov_y,
            forward,
            right: right * half_width,
            up,
            size: [width, height],
        })
    }

    /// Where the camera is, metres.
    #[must_use]
    pub fn eye(&self) -> Vec3 {
        self.eye
    }

    /// The point that it looks at, metres.
    #[must_use]
    pub fn target(&self) -> Vec3 {
        self.target
    }

    /// The angle between the picture's lower and upper edge, radians.
    #[must_use]
    pub fn fov_y(&self) -> f64 {
        self.fov_y
    }

    /// The picture's width and height, pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The ray through a place of the picture, in pixels from its upper left corner.
    ///
    /// Pixel (i, j) has its middle at (i + 0.5, j + 0.5). The direction is about of unit length.
    /// A place that is not finite counts as the middle of the picture.
    #[must_use]
    pub fn ray(&self, x: f32, y: f32) -> Ray {
        let toward = unit_f64(self.column(x) - self.row(y));
        let direction = toward
            .filter(|toward| toward.is_finite())
            .unwrap_or(self.forward);
        Ray::from_checked(self.eye, direction.as_vec3())
    }

    /// Toward x of the picture's middle row.
    pub(crate) fn column(&self, x: f32) -> DVec3 {
        let across = 2.0 * f64::from(x) / f64::from(self.size[0]) - 1.0;
        self.forward + self.right * across
    }

    /// From y down to the picture's middle row.
    pub(crate) fn row(&self, y: f32) -> DVec3 {
        let down = 2.0 * f64::from(y) / f64::from(self.size[1]) - 1.0;
        self.up * down
    }

    /// As [`Camera::ray`], for a column and a row in each lane.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn rays<S: Simd>(&self, simd: S, lanes: [(&DVec3, &DVec3); LANES]) -> [Ray; LANES] {
        let component = |axis: usize| {
            let column = f64x8::load_array(simd, by_lane(|lane| lanes[lane].0[axis]));
            column - f64x8::load_array(simd, by_lane(|lane| lanes[lane].1[axis]))
        };
        let toward = Vectors::by_axis(component);
        let size = toward.max_abs();
        let scaled = Vectors {
            x: toward.x / size,
            y: toward.y / size,
            z: toward.z / size,
        };
        let length = scaled.dot(scaled).sqrt();
        let direction = [scaled.x, scaled.y, scaled.z].map(|x| nearest(x / length).to_array());
        let forward = self.forward.as_vec3();
        by_lane(|lane| {
            // NaN of what has no length, or is not finite.
            let toward = Vec3::from_array([0, 1, 2].map(|axis| direction[axis][lane]));
            let toward = if toward.is_finite() { toward } else { forward };
            Ray::from_checked(self.eye, toward)
        })
    }
}

/// `v` at unit length, or `None` where it has none.
fn unit_f64(v: DVec3) -> Option<DVec3> {
    let size = v.abs().max_element();
    let scaled = v / size;
    (size > 0.0).then(|| scaled / scaled.dot(scaled).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_upright_and_not_mirrored() {
        let camera = Camera::new(
            [0.0; 3],
            [0.0, 0.0, -1.0],
            core::f64::consts::FRAC_PI_2,
            [200, 100],
        )
        .unwrap();
        let upper_left = camera.ray(0.0, 0.0).direction();
        assert!(upper_left.x < 0.0 && upper_left.y > 0.0);
        assert!((upper_left.y / upper_left.z + 1.0).abs() < 1e-6);
        assert!((upper_left.x / upper_left.z - 2.0).abs() < 1e-6);
    }

    #[test]
    fn looking_straight_down_works_and_nonsense_is_refused() {
        let down = Camera::new([0.0, 9.0, 0.0], [0.0; 3], 1.0, [10, 10]).unwrap();
        assert_eq!(down.ray(5.0, 5.0).direction(), Vec3::NEG_Y);
        assert!(down.ray(f32::NAN, 0.0).direction().is_finite());
        assert!(Camera::new([0.0; 3], [0.0; 3], 1.0, [10, 10]).is_err());
        assert!(Camera::new([0.0; 3], [1.0; 3], 0.0, [10, 10]).is_err());
    }
}
