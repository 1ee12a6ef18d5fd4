//! Convex shapes in motion: cores with a radius, their distance, and when they first meet.
//!
//! A sphere is its centre with a radius, a capsule its segment, a rounded hull its polytope; boxes, turned
//! boxes, hulls, cylinders and triangles are cores without radius. The gap of two shapes is the distance of their cores less both radii, a
//! convex function of time while one of them moves in a straight line.

mod cylinder_frame;
mod cylinder;
mod core;
mod outline;
mod instant;
mod patch;
mod patch_motion;
mod difference;
mod nearest_patch;
mod closest_segments;
mod closest_triangle;
mod closest_cylinder;
mod simplex;
mod gjk;
mod closest;
mod containment;
mod bounds;
mod rim_directions;
mod quick_search;
mod highest_gap;
mod certified_gap;
mod round_pair;
mod round_contact;
mod round_feature;
mod round_face;
pub(crate) mod time_interval;
pub(crate) mod interval_intersection;
pub(crate) mod separating_axes;
mod shared_point_exact;
mod shared_point_hull;
mod shared_point;
mod box_contact;
mod certified_contact;
mod signed_root;
mod sides;
mod contact;
mod round_first_contact;
mod first_contact;
mod way_out;
mod certain_overlap;
mod overlap_filter;
mod relation;
mod resting;
mod resting_direction;
mod pair_gap;
mod nearest_points;
mod touch;
#[doc(hidden)]
pub mod examined;
#[doc(hidden)]
pub mod examined_resting;

pub(crate) use self::box_contact::BoxContact;
pub(crate) use self::certain_overlap::{CertainOverlap, Filtered};
pub(crate) use self::closest::{Closest, closest};
pub(crate) use self::contact::{Meeting, TimedContact};
pub(crate) use self::core::Core;
pub(crate) use self::cylinder::CylinderCore;
pub(crate) use self::difference::Difference;
pub(crate) use self::first_contact::{first_contact, first_contact_by};
pub(crate) use self::gjk::{Supports, closest_by_supports};
pub(crate) use self::outline::Outline;
pub(crate) use self::pair_gap::{PairGap, common_point, extent_along, pair_gap};
pub(crate) use self::resting::{
    RestingContact, resting_contact, resting_contact_within, resting_status,
};
pub(crate) use self::touch::first_touch;

use crate::shape::box_hull::BoxHull;
use crate::shape::capsule::compare_point_segment;
use crate::{Aabb, Capsule, ConvexHull, Cylinder, Obb, Primitive, Sphere};
use glam::DVec3;

/// A core with a radius: all that lies within the radius of the core.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Convex<'a> {
    pub(crate) core: Core<'a>,
    /// Zero, or positive.
    pub(crate) radius: f64,
    /// Whether it is a triangle whose front is that from which its corners go clockwise.
    pub(crate) is_mirrored: bool,
}

impl Convex<'_> {
    /// The triangle with these corners, counter-clockwise seen from the front, without radius.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn triangle(corners: [DVec3; 3]) -> Self {
        Self {
            core: Core::Triangle(corners),
            radius: 0.0,
            is_mirrored: false,
        }
    }

    /// The segment between two points, which is a point where they are one, without radius.
    pub(crate) fn segment(ends: [DVec3; 2]) -> Self {
        Self {
            core: if ends[0] == ends[1] {
                Core::Point(ends[0])
            } else {
                Core::Segment(ends)
            },
            radius: 0.0,
            is_mirrored: false,
        }
    }

    /// Whether the closed shape holds all of another, exactly but for cylinders. A triangle holds nothing.
    pub(crate) fn holds(&self, other: &Convex) -> bool {
        if let (Core::Cylinder(cylinder), false) = (&other.core, self.core.is_cylinder()) {
            return containment::holds_cylinder(self, cylinder);
        }
        let corners = other.core.corners();
        let room = [self.radius, -other.radius];
        let is_within = |ends: [DVec3; 2]| {
            let is_near = |corner: &DVec3| compare_point_segment(*corner, ends, room).is_le();
            self.radius >= other.radius && corners.iter().all(is_near)
        };
        match &self.core {
            Core::Point(point) => is_within([*point; 2]),
            Core::Segment(ends) => is_within(*ends),
            Core::Box(hull) => {
                (corners.iter()).all(|corner| hull.holds_ball(*corner, other.radius))
            }
            Core::Triangle(_) => false,
            Core::Cylinder(cylinder) => containment::is_in_cylinder(cylinder, other),
            Core::Hull(hull) => {
                let mut corners = corners.iter();
                corners.all(|corner| hull.holds_ball(*corner, [self.radius, other.radius]))
            }
        }
    }

    /// How it lies to an obstacle, if it is a box, that is a triangle, and f64 is certain.
    #[inline]
    pub(crate) fn filter_overlap(&self, obstacle: &Convex) -> Filtered {
        match (&obstacle.core, &self.core) {
            (Core::Triangle(corners), Core::Box(hull)) => {
                overlap_filter::filter_overlap(hull, corners, obstacle.is_mirrored)
            }
            _ => Filtered::Unsure,
        }
    }
}

impl From<&Sphere> for Convex<'_> {
    fn from(sphere: &Sphere) -> Self {
        Self {
            core: Core::Point(sphere.wide_center()),
            radius: sphere.radius(),
            is_mirrored: false,
        }
    }
}

impl From<&Capsule> for Convex<'_> {
    fn from(capsule: &Capsule) -> Self {
        Self {
            radius: capsule.radius(),
            ..Self::segment(capsule.segment())
        }
    }
}

impl From<&Aabb> for Convex<'_> {
    fn from(aabb: &Aabb) -> Self {
        Self {
            core: Core::Box(BoxHull::from(aabb)),
            radius: 0.0,
            is_mirrored: false,
        }
    }
}

impl From<&Obb> for Convex<'_> {
    fn from(obb: &Obb) -> Self {
        Self {
            core: Core::Box(BoxHull::from(obb)),
            radius: 0.0,
            is_mirrored: false,
        }
    }
}

impl From<&Cylinder> for Convex<'_> {
    fn from(cylinder: &Cylinder) -> Self {
        Self {
            core: Core::Cylinder(cylinder.into()),
            radius: 0.0,
            is_mirrored: false,
        }
    }
}

impl<'a> From<&'a ConvexHull> for Convex<'a> {
    fn from(hull: &'a ConvexHull) -> Self {
        Self {
            core: Core::Hull(hull.polytope()),
            radius: hull.radius(),
            is_mirrored: false,
        }
    }
}

impl<'a> From<&'a Primitive> for Convex<'a> {
    fn from(primitive: &'a Primitive) -> Self {
        match primitive {
            Primitive::Sphere(sphere) => sphere.into(),
            Primitive::Aabb(aabb) => aabb.into(),
            Primitive::Obb(obb) => obb.into(),
            Primitive::Capsule(capsule) => capsule.into(),
            Primitive::ConvexHull(hull) => hull.as_ref().into(),
            Primitive::Cylinder(cylinder) => cylinder.into(),
        }
    }
}
