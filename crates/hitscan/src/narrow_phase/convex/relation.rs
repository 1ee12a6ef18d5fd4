//! The relation of two resting cores: overlapping, or separated by a distance. Contacts and statuses
//! are made from it.
//!
//! A floating-point filter, separating axes and the closest points in f64; what these do not decide is
//! decided exactly.

use super::Core;
use super::bounds::View;
use super::certain_overlap::{CertainOverlap, Filtered};
use super::closest::Closest;
use super::difference::{Difference, length};
use super::overlap_filter::filter_overlap;
use super::separating_axes::CorePair;
use crate::exact::adaptive::Approx;
use crate::exact::expansion::UNIT_ROUNDOFF;
use ::core::cmp::Ordering;
use glam::DVec3;

/// The relation of a shape and an obstacle, from which their contact is made.
pub(super) enum Relation {
    /// They overlap or touch, as the filter found.
    Certain(CertainOverlap),
    /// Their cores overlap (`Less`) or touch (`Equal`).
    Intersecting(Ordering),
    /// Their cores are apart, with an enclosure of the distance.
    Apart(Nearest, [f64; 2]),
}

/// The relation of a shape and an obstacle that is no triangle without area, the cores in this order;
/// `None` where they are certainly further apart than the margin.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn relation(
    [obstacle, shape]: [&Core; 2],
    radii: [f64; 2],
    is_mirrored: bool,
    margin: f64,
) -> Option<Relation> {
    let is_solid =
        |core: &Core<'_>| matches!(core, Core::Box(_) | Core::Triangle(_) | Core::Hull(_));
    // Boxes and triangles intersect unless an axis separates them.
    let are_solid = is_solid(obstacle) && is_solid(shape);
    if are_solid {
        let filtered = match (obstacle, shape) {
            (Core::Triangle(corners), Core::Box(hull)) => {
                filter_overlap(hull, corners, is_mirrored)
            }
            _ => Filtered::Unsure,
        };
        match filtered {
            Filtered::Apart if margin <= 0.0 => return None,
            Filtered::Apart => {}
            Filtered::Overlap(overlap) => return Some(Relation::Certain(overlap)),
            Filtered::Unsure => {
                let order = CorePair::of(obstacle, shape).compare_on_axes();
                if order.is_le() {
                    let has_area = !obstacle.is_degenerate_triangle();
                    return has_area.then_some(Relation::Intersecting(order));
                }
            }
        }
    }
    let view = View::new(obstacle, shape, [0.0; 2], DVec3::ZERO)?;
    let closest = view.closest_at(0.0);
    let lower = view.min_distance(closest.offset());
    let max_distance = (margin + radii[0] + radii[1]).max(0.0);
    if lower > max_distance * (1.0 + 8.0 * UNIT_ROUNDOFF) {
        return None;
    }
    if !view.has_certain_area() && obstacle.is_degenerate_triangle() {
        return None;
    }
    if !are_solid && lower <= 0.0 && meet(&CorePair::of(obstacle, shape)) {
        return Some(Relation::Intersecting(Ordering::Less));
    }
    let (nearest, distance) = nearest_of(&view, &closest, lower);
    Some(Relation::Apart(nearest, distance))
}

/// The closest points of cores that are apart, as a view shows them, and an enclosure of their distance, of
/// which `lower` is a lower bound.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn nearest_of(view: &View<'_>, closest: &Closest, lower: f64) -> (Nearest, [f64; 2]) {
    let (offset, witness) = (closest.offset(), closest.on_shape - closest.on_obstacle);
    let upper = length(witness) * (1.0 + 16.0 * UNIT_ROUNDOFF) + view.slack;
    // The exact offset is the shortest vector of a convex set, so another of its vectors is off by no
    // more than the root of the difference of the squares.
    let error = ((upper - lower) * (upper + lower)).sqrt() + view.slack;
    let nearest = Nearest {
        on_obstacle: closest.on_obstacle + view.eye,
        offset,
        error,
        drift: view.slack,
    };
    (nearest, [lower, upper])
}

/// Whether two cores intersect, at least one of them a point or a segment.
fn meet(cores: &CorePair) -> bool {
    let order = cores.compare_on_axes();
    if order.is_gt() {
        return false;
    }
    // The axes part a box from everything. Other cores need not have a volume between them, and
    // then their axes part them in some directions only; but where they overlap openly they have one.
    let has_box = [&cores.obstacle, &cores.shape].into_iter().any(|core| {
        matches!(core, Core::Box(_)) || matches!(core, Core::Hull(hull) if !hull.is_flat())
    });
    if has_box || order.is_lt() && cores.axes().next().is_some() {
        return true;
    }
    let difference = Difference::new(&cores.obstacle, &cores.shape, DVec3::ZERO);
    difference.compare_distance([0.0; 3]).is_le()
}

/// The closest points of two cores in f64.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    pub(super) on_obstacle: DVec3,
    /// From there to the shape's.
    pub(super) offset: DVec3,
    /// How far each component of the offset may be from the exact one.
    pub(super) error: f64,
    /// How far rounding moves the offset, the right pieces of the cores being found.
    pub(super) drift: f64,
}

impl Nearest {
    pub(super) fn approx_offset(&self) -> [Approx; 3] {
        self.offset.to_array().map(|value| Approx {
            value,
            error: self.error,
        })
    }
}
