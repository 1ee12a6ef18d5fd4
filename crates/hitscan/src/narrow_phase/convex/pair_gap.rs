//! The gap of two shapes of any kinds, where f64 shows that their cores are apart.
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

/// Shapes of more corners are not projected by [`extent_along`].
const MOST_CORNERS: usize = 8;

/// How far a shape reaches along a unit vector, rounded outwards. The gap of two such extents is no more than
/// the distance of the shapes.
pub(crate) fn extent_along(convex: &Convex, unit: DVec3) -> [f64; 2] {
    let corners = convex.core.corners();
    if corners.len() > MOST_CORNERS || convex.core.is_cylinder() {
        return [f64::NEG_INFINITY, f64::INFINITY];
    }
    let (mut low, mut high, mut max_abs) = (f64::INFINITY, f64::NEG_INFINITY, DVec3::ZERO);
    for corner in corners {
        let place = unit.dot(*corner);
        (low, high) = (low.min(place), high.max(place));
        max_abs = max_abs.max(corner.abs());
    }
    // A projection errs by four units of the sum of its terms' magnitudes; the vector's length by four, which a
    // gap is longer by, and the gap itself and adding the radius by two.
    let slack = 32.0 * UNIT_ROUNDOFF * (unit.abs().dot(max_abs) + convex.radius);
    let reach = convex.radius + slack;
    [low - reach, high + reach]
}
