//! How far apart two shapes are where f64 shows that their cores are, whichever kinds they are.
//!
//! The closest points in f64 bound the distance from above, the gap along their direction from below. Where
//! the lower bound is not positive the cores may meet, which others decide.

use super::bounds::View;
use super::core::{CompactCore, Core};
use super::relation::nearest_of;
use super::resting::{RestingContact, SeparationSource};
use super::shared_point_exact::ExactShift;
use super::{Convex, separating_axes::CorePair, shared_point::shared_point};
use crate::exact::adaptive::{Number as _, between, dot};
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::shape::polytope::{Numbering, Polytope};
use ::core::cmp::Ordering;
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// What f64 shows of the gap of two shapes.
pub(crate) enum PairGap {
    /// It is greater than the limit, or one is a triangle without area.
    Farther,
    /// The cores are apart.
    Apart(RestingContact),
    /// The cores may meet; this is the contact if they do not.
    Unsure(RestingContact),
}

/// The gap of `shape` and `obstacle`, where it may be no greater than `limit`.
pub(crate) fn pair_gap(obstacle: &Convex, shape: &Convex, limit: f64) -> PairGap {
    let radii = [obstacle.radius, shape.radius];
    let cores = [&obstacle.core, &shape.core];
    let Some(view) = View::new(cores[0], cores[1], [0.0; 2], DVec3::ZERO) else {
        return PairGap::Farther;
    };
    let closest = view.closest_at(0.0);
    let lower = view.min_distance(closest.offset());
    let max_distance = (limit + radii[0] + radii[1]).max(0.0);
    if lower > max_distance * (1.0 + 8.0 * UNIT_ROUNDOFF)
        || cores.iter().any(|core| core.is_degenerate_triangle())
    {
        return PairGap::Farther;
    }
    let (nearest, distance) = nearest_of(&view, &closest, lower);
    let contact = RestingContact::apart(cores.map(CompactCore::from), radii, nearest, distance);
    if lower > 0.0 {
        PairGap::Apart(contact)
    } else {
        PairGap::Unsure(contact)
    }
}

/// A point that two shapes without radius share; their cores meet.
pub(crate) fn common_point(obstacle: &Convex, shape: &Convex) -> Vec3 {
    let cores = CorePair::of(&obstacle.core, &shape.core);
    shared_point(&cores, DVec3::ZERO, &ExactShift::none, None)
}

/// Polytopes of more corners are made smaller before anything is computed exactly.
const FEW_CORNERS: usize = 8;

impl RestingContact {
    /// The same contact of those corners of polytopes alone that may be nearest.
    ///
    /// The nearest points lie in what is furthest along the offset. So corners that are certainly lower than
    /// another one do not change the distance.
    pub(crate) fn of_nearest_corners(self) -> Self {
        let SeparationSource::Distance(nearest) = self.source else {
            return self;
        };
        let pair = self.cores();
        let ways = [(&pair.obstacle, 1.0), (&pair.shape, -1.0)];
        let is_large =
            |core: &Core<'_>| matches!(core, Core::Hull(_)) && core.corners().len() > FEW_CORNERS;
        if !ways.iter().any(|(core, _)| is_large(core)) {
            return self;
        }
        let cores = ways.map(|(core, sign)| {
            if !is_large(core) {
                return CompactCore::from(core);
            }
            let offset = nearest.offset * sign;
            let along = |corner: &DVec3| offset.dot(*corner);
            let corners = core.corners();
            let top = (corners.iter().copied())
                .max_by(|a, b| along(a).total_cmp(&along(b)))
                .unwrap_or_default();
            let is_lower = |corner: DVec3| {
                let way = between(top, corner);
                let order = dot(&nearest.approx_offset(), &way).known_sign();
                order
                    == Some(if sign > 0.0 {
                        Ordering::Less
                    } else {
                        Ordering::Greater
                    })
            };
            let kept: Vec<DVec3> = corners
                .iter()
                .copied()
                .filter(|at| !is_lower(*at))
                .collect();
            match kept[..] {
                [] => CompactCore::from(core),
                [a] => CompactCore::Point(a),
                [a, b] => CompactCore::Segment([a, b]),
                // No three corners of a polytope are on one line.
                [a, b, c] => CompactCore::Triangle([a, b, c]),
                _ => CompactCore::Hull(Arc::new(Polytope::around(&kept, Numbering::ByPlace))),
            }
        });
        self.with_cores(cores)
    }
}

/// Shapes of more corners are not projected by [`gap_along`].
const MOST_CORNERS: usize = 8;

/// No more than the distance of two shapes, seen along a direction of any length from the first to the second.
pub(crate) fn gap_along(first: &Convex, second: &Convex, direction: DVec3) -> f64 {
    let (low, high) = (second.core.corners(), first.core.corners());
    if low.len().max(high.len()) > MOST_CORNERS {
        return f64::NEG_INFINITY;
    }
    let mut max_abs = DVec3::ZERO;
    let mut project = |corners: &[DVec3], sign: f64| {
        corners.iter().fold(f64::INFINITY, |least, corner| {
            max_abs = max_abs.max(corner.abs());
            least.min(sign * direction.dot(*corner))
        })
    };
    let gap = project(low, 1.0) + project(high, -1.0);
    // Three products and two sums of each projection err by four units of the sum of the terms' magnitudes, the
    // last sum and the quotient by four more.
    let slack = 32.0 * UNIT_ROUNDOFF * direction.abs().dot(max_abs);
    let length = direction.length();
    let certain = gap - slack;
    let along = certain / length - 8.0 * UNIT_ROUNDOFF * (certain / length).abs();
    let radius = first.radius + second.radius;
    // Not a number where the direction has no length.
    if along.is_finite() {
        along - radius - 4.0 * UNIT_ROUNDOFF * (along.abs() + radius)
    } else {
        f64::NEG_INFINITY
    }
}
