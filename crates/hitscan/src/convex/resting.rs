//! How two resting shapes stand to one another: overlap, touch or distance, and the way out.

use super::Convex;
use ::core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// Whether two shapes overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RestingStatus {
    Overlap,
    Touching,
    Apart,
}

/// A resting shape's contact with an obstacle, or the distance of the two.
#[derive(Debug, Clone)]
pub(crate) struct RestingContact {
    status: RestingStatus,
}

/// How `shape` stands to `obstacle`; `None` for a triangle without area, which is never met.
pub(crate) fn resting_contact(obstacle: &Convex, shape: &Convex) -> Option<RestingContact> {
    resting_contact_within(obstacle, shape, f64::INFINITY)
}

/// How `shape` stands to `obstacle`, where their separation is at most `margin`; `None` where it is
/// greater, exactly, and for a triangle without area.
pub(crate) fn resting_contact_within(
    _obstacle: &Convex,
    _shape: &Convex,
    _margin: f64,
) -> Option<RestingContact> {
    None
}

impl RestingContact {
    /// Whether the two overlap.
    pub(crate) fn status(&self) -> RestingStatus {
        self.status
    }

    /// An enclosure of the exact separation.
    pub(crate) fn enclosure(&self) -> [f64; 2] {
        [0.0, 0.0]
    }

    /// The exact separation rounded once to the nearest f32, never -0: the distance of the two, or minus
    /// the depth.
    pub(crate) fn separation(&self) -> f32 {
        0.0
    }

    /// How the exact separation compares with a margin.
    pub(crate) fn compare_separation(&self, margin: f64) -> Ordering {
        0.0_f64.total_cmp(&margin)
    }

    /// How the exact separation compares with that of the same shape, or one of the same radius,
    /// from another obstacle of the same radius.
    pub(crate) fn compare(&self, _other: &Self) -> Ordering {
        Ordering::Equal
    }

    /// The unit direction from the obstacle to the shape: the way out.
    pub(crate) fn normal(&self) -> Vec3 {
        Vec3::X
    }

    /// The exact sign of `n · (a - b)`, n being the exact way out.
    pub(crate) fn compare_along_normal(&self, a: DVec3, b: DVec3) -> Ordering {
        a.x.total_cmp(&b.x)
    }

    /// Where they are apart the obstacle's nearest point; else a point that both share.
    pub(crate) fn point(&self) -> Vec3 {
        Vec3::ZERO
    }
}
