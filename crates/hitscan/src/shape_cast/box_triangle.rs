//! A moving box against a triangle: the answer of `convex/aabb_triangle.rs`, as a hit.

use super::{ShapeCast, ShapeHit};
use crate::Triangle;
use crate::convex::aabb_triangle::normal_of_hit;
use crate::convex::aabb_triangle_exact::MovingAabb;
use crate::convex::separating_axes::FirstContact;
use glam::{DVec3, Vec3};

impl Triangle {
    /// The first hit of a moving box with this triangle, or `None`.
    ///
    /// The triangle is a surface, hit from both sides. The rules are those of
    /// [`Aabb::cast_shape`](crate::Aabb::cast_shape) with more axes: the triangle's normal, x, y, z,
    /// then the cross products of its edges (from corner 0 to 1, 1 to 2, 2 to 0) with x, y, z; of
    /// axes entered at the same time the first in this order gives the normal. So a box that rests on
    /// flat ground slides from triangle to triangle without being caught at the edges between them. A
    /// triangle without area is never hit.
    ///
    /// # Accuracy
    /// Every decision is exact and `t` is the exact time rounded once.
    ///
    /// # Source
    /// Akenine-Möller, "Fast 3D Triangle-Box Overlap Testing", Journal of Graphics Tools 6(1), 2001,
    /// for the axes; in time as Eberly, "Dynamic Collision Detection using Oriented Bounding Boxes",
    /// 1999.
    ///
    /// ```
    /// use hitscan::{Aabb, Triangle, shape_cast::ShapeCast};
    /// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
    /// let ramp = Triangle::new([3.0, 0.0, -1.0], [3.0, 0.0, 3.0], [7.0, 4.0, -1.0])?;
    /// let slide = ShapeCast::new(unit, [4.0, 0.0, 0.0])?;
    /// let hit = ramp.cast_shape(&slide).expect("the ramp is in the way");
    /// assert_eq!((hit.t, hit.normal.x < 0.0), (0.5, true));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_shape(&self, cast: &ShapeCast) -> Option<ShapeHit> {
        box_triangle(cast, self.corners().map(Vec3::as_dvec3))
    }
}

/// [`Triangle::cast_shape`] for corners in f64, as triangles of placed meshes have them.
///
/// With a coordinate that is not finite or beyond ±1e30 the triangle is never hit. Decisions are
/// exact as long as coordinates have no bits below 2^-200 (those of f32 reach down to 2^-149).
#[doc(hidden)]
#[must_use]
pub fn box_triangle(moving: &ShapeCast, corners: [DVec3; 3]) -> Option<ShapeHit> {
    let sliding = MovingAabb {
        min: moving.start.min().as_dvec3(),
        max: moving.start.max().as_dvec3(),
        motion: moving.motion.as_dvec3(),
    };
    Some(match sliding.first_contact_with_triangle(corners)? {
        FirstContact::Overlap => ShapeHit::OVERLAP,
        FirstContact::Hit { t, axis, along, .. } => {
            ShapeHit::at(t, normal_of_hit(axis, along, corners))
        }
    })
}
