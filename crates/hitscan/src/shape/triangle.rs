//! A triangle by itself.

use super::aabb::check_coordinates;
use crate::Error;
use glam::{DVec3, Vec3};

/// A closed triangle, counter-clockwise seen from its front.
///
/// ```
/// use hitscan::{Ray, Side, Triangle};
/// let triangle = Triangle::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let hit = triangle.cast_ray(&Ray::new([1.0, 2.0, 8.0], [0.0, 0.0, -2.0])?, ()).unwrap();
/// assert_eq!((hit.t, hit.side, hit.barycentrics), (4.0, Side::Front, [0.25, 0.5]));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangle {
    corners: [Vec3; 3],
}

impl Triangle {
    /// The triangle with these corners, metres. It may have no area; then no ray hits it.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for NaN or infinity, [`Error::OutOfRange`] beyond ±1e18.
    pub fn new(a: impl Into<Vec3>, b: impl Into<Vec3>, c: impl Into<Vec3>) -> Result<Self, Error> {
        let corners = [a.into(), b.into(), c.into()];
        check_coordinates("triangle corner", &corners)?;
        Ok(Self { corners })
    }

    /// The corners, in the order in which barycentric weights count them.
    #[must_use]
    pub fn corners(&self) -> [Vec3; 3] {
        self.corners
    }

    /// The corners in f64.
    pub(crate) fn wide(&self) -> [DVec3; 3] {
        self.corners.map(Vec3::as_dvec3)
    }
}
