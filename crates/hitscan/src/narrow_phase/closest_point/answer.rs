//! The answer of a closest-point query.

use crate::{ObjectId, TriangleId};
use glam::Vec3;

/// The point of a shape that is nearest to a query point.
///
/// # Accuracy
/// `distance` is the exact one rounded once. Each coordinate of `point` is the f32 nearest to the
/// exact one or its neighbour, or within 2^-40 of the largest coordinate involved. `normal` is
/// within 2^-22 of the exact direction where the distance is at least 2^-20 of that coordinate;
/// `barycentrics` are within 2^-20.
///
/// ```
/// use hitscan::{Aabb, glam::Vec3};
/// let room = Aabb::new([0.0; 3], [4.0, 3.0, 5.0])?;
/// let outside = room.closest_point([6.0, 1.0, 1.0], f32::INFINITY).unwrap();
/// assert_eq!((outside.distance, outside.point), (2.0, Vec3::new(4.0, 1.0, 1.0)));
/// let inside = room.closest_point([2.0, 2.5, 2.0], f32::INFINITY).unwrap();
/// assert_eq!((inside.distance, inside.normal), (-0.5, Vec3::Y));
/// assert!(inside.is_inside && room.closest_point([9.0, 1.0, 1.0], 4.5).is_none());
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosestPoint {
    /// The distance, metres: negative strictly inside a solid, where it is minus that to the
    /// boundary. Never -0, and held in the range of f32.
    pub distance: f32,
    /// Whether the query point is strictly inside, also where the distance rounds to 0.
    pub is_inside: bool,
    /// The nearest point of the surface; strictly inside a solid the nearest point of its boundary.
    pub point: Vec3,
    /// The outward unit direction: from `point` to the query point, or the other way round where
    /// that is inside. For a query point on the surface the surface's normal there.
    pub normal: Vec3,
    /// The object, where a world was queried.
    pub object: Option<ObjectId>,
    /// The number that [`World::set_user_data`](crate::World::set_user_data) gave the object; 0 where it
    /// was given none, and without an object.
    pub user_data: u64,
    /// The nearest triangle; `None` for solids.
    pub triangle: Option<TriangleId>,
    /// The barycentric weights `u` and `v` of the triangle's second and third corner at `point`; 0
    /// without a triangle.
    pub barycentrics: [f32; 2],
}

impl ClosestPoint {
    /// The part of the model; `None` without a triangle.
    #[must_use]
    pub fn part(&self) -> Option<u32> {
        self.triangle.map(|id| id.part)
    }

    /// The barycentric weight of the triangle's second corner.
    #[must_use]
    pub fn u(&self) -> f32 {
        self.barycentrics[0]
    }

    /// The barycentric weight of the triangle's third corner.
    #[must_use]
    pub fn v(&self) -> f32 {
        self.barycentrics[1]
    }

    /// The same with the object and its user data.
    pub(crate) fn of_object(self, (object, user_data): (ObjectId, u64)) -> Self {
        let object = Some(object);
        Self {
            object,
            user_data,
            ..self
        }
    }
}
