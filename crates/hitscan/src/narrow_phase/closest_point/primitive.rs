//! The methods of the single shapes.

use super::ClosestPoint;
use super::many::{answer_points, checked_max_distance};
use crate::{Aabb, Capsule, ConvexHull, Cylinder, Obb, Primitive, Sphere, Triangle};
use glam::Vec3;

impl Primitive {
    pub(crate) fn nearest_to(&self, point: Vec3, max_distance: f64) -> Option<ClosestPoint> {
        match self {
            Self::Sphere(sphere) => sphere.nearest_to(point, max_distance),
            Self::Aabb(aabb) => aabb.nearest_to(point, max_distance),
            Self::Obb(obb) => obb.nearest_to(point, max_distance),
            Self::Capsule(capsule) => capsule.nearest_to(point, max_distance),
            Self::ConvexHull(hull) => hull.nearest_to(point, max_distance),
            Self::Cylinder(cylinder) => cylinder.nearest_to(point, max_distance),
        }
    }
}

/// The same four methods for each single shape.
macro_rules! closest_point_methods {
    ($shape:ty, $first:literal) => {
        impl $shape {
            #[doc = $first]
            ///
            /// `None` where nothing is within `max_distance` metres, itself included and compared
            /// exactly, or where that is negative or the point is not finite. See [`ClosestPoint`]
            /// for the accuracy.
            #[must_use]
            #[inline]
            pub fn closest_point(
                &self,
                point: impl Into<Vec3>,
                max_distance: f32,
            ) -> Option<ClosestPoint> {
                let point = point.into();
                self.nearest_to(point, checked_max_distance(point, max_distance)?)
            }

            /// As [`Self::closest_point`], which has the sign already: the same verb on every
            /// shape.
            #[must_use]
            #[inline]
            pub fn closest_point_signed(
                &self,
                point: impl Into<Vec3>,
                max_distance: f32,
            ) -> Option<ClosestPoint> {
                self.closest_point(point, max_distance)
            }

            /// [`Self::closest_point`] of each point, in order.
            #[must_use]
            pub fn closest_points(
                &self,
                points: &[Vec3],
                max_distance: f32,
            ) -> Vec<Option<ClosestPoint>> {
                answer_points(points, |point| self.closest_point(point, max_distance))
            }

            /// [`Self::closest_point_signed`] of each point, in order.
            #[must_use]
            pub fn closest_points_signed(
                &self,
                points: &[Vec3],
                max_distance: f32,
            ) -> Vec<Option<ClosestPoint>> {
                self.closest_points(points, max_distance)
            }
        }
    };
}

closest_point_methods!(
    Sphere,
    "The nearest point of the sphere; from strictly inside that of its surface, with a negative distance."
);
closest_point_methods!(
    Aabb,
    "The nearest point of the box; from strictly inside that of its surface, with a negative distance: of equally near faces the first of x, y, z, the lower one first."
);
closest_point_methods!(
    Obb,
    "The nearest point of the box; from strictly inside that of its surface, with a negative distance: of equally near faces the first of its own x, y, z, the lower one first."
);
closest_point_methods!(
    Capsule,
    "The nearest point of the capsule; from strictly inside that of its surface, with a negative distance."
);
closest_point_methods!(
    Cylinder,
    "The nearest point of the cylinder; from strictly inside that of its surface, with a negative distance: of equally near ones that of the side, of the first end, of the second."
);
closest_point_methods!(
    ConvexHull,
    "The nearest point of the hull; from strictly inside that of its surface, with a negative distance: of equally near faces the lowest. A point on a flat hull is on face 0."
);
closest_point_methods!(
    Primitive,
    "The nearest point of the solid; from strictly inside that of its surface, with a negative distance."
);
closest_point_methods!(
    Triangle,
    "The nearest point of the triangle, which has no inside; `None` also where it has no area."
);
