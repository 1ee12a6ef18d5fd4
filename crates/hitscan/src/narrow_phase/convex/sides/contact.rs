//! The contact of a moving polytope or triangle: the side that is entered last.

use super::certain_entry::certain_entry;
use super::entry::{Entry, compare_exactly, exact_time, first_entry};
use super::side::{Side, SidePair};
use crate::exact::expansion::nearest_f32;
use crate::exact::rounding::nearest_f32_by;
use crate::narrow_phase::convex::Core;
use crate::narrow_phase::convex::bounds::View;
use crate::narrow_phase::convex::core::CompactCore;
use crate::narrow_phase::convex::quick_search::{Search, search};
use crate::narrow_phase::convex::separating_axes::CorePair;
use crate::narrow_phase::convex::shared_point::shared_point;
use crate::narrow_phase::convex::shared_point_exact::ExactShift;
use crate::shape::unit_vector::unit;
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// A contact of two cores without radius, one of which is a polytope, or the shape a triangle.
#[derive(Debug, Clone)]
pub(crate) struct SideContact {
    /// Of the obstacle, and of the shape that moves.
    cores: [CompactCore; 2],
    motion: DVec3,
    side: Side,
    enclosure: [f64; 2],
}

/// The first contact of a moving core with an obstacle: inside `None` where they overlap at the start.
///
/// `None` where there is no hit, and for a triangle without area. Contacts after the time `latest`, from 0 to
/// 1, may be omitted.
pub(in crate::narrow_phase::convex) fn first_side_contact(
    obstacle: &Core<'_>,
    shape: &Core<'_>,
    motion: DVec3,
    latest: f64,
) -> Option<Option<SideContact>> {
    let cores = CorePair::of(obstacle, shape);
    if !cores.do_swept_boxes_touch(motion) {
        return None;
    }
    let view = View::new(obstacle, shape, [0.0; 2], motion);
    let found = view.map_or(Search::Unknown, |view| search(&view, latest));
    if matches!(found, Search::Miss)
        || obstacle.is_degenerate_triangle()
        || shape.is_degenerate_triangle()
    {
        return None;
    }
    let pair = SidePair::new(&cores, [false; 2]);
    let contact = |side, enclosure| SideContact {
        cores: [obstacle.into(), shape.into()],
        motion,
        side,
        enclosure,
    };
    if let Search::Near(direction) = found
        && let Some((side, enclosure)) = certain_entry(&pair, motion, direction)
    {
        return Some(Some(contact(side, enclosure)));
    }
    Some(match first_entry(&pair, motion, latest)? {
        Entry::Overlap => None,
        Entry::Hit(side, enclosure) => Some(contact(side, enclosure)),
    })
}

impl SideContact {
    pub(in crate::narrow_phase::convex) fn enclosure(&self) -> [f64; 2] {
        self.enclosure
    }

    fn with_pair<T>(&self, answer: impl FnOnce(&SidePair<'_>) -> T) -> T {
        answer(&SidePair::new(&self.cores(), [false; 2]))
    }

    fn cores(&self) -> CorePair<'_> {
        let [obstacle, shape] = [0, 1].map(|i: usize| Core::from(&self.cores[i]));
        CorePair { obstacle, shape }
    }

    /// The exact time rounded once to f32.
    pub(in crate::narrow_phase::convex) fn t(&self) -> f32 {
        let [low, high] = self.enclosure.map(nearest_f32);
        if low == high {
            return low;
        }
        let time = self.with_pair(|pair| exact_time(pair, self.side, self.motion));
        let [low, high] = self.enclosure;
        nearest_f32_by(f64::midpoint(low, high), &|t| compare_exactly(&time, t))
    }

    /// The exact time rounded down to f64.
    pub(in crate::narrow_phase::convex) fn floor(&self) -> f64 {
        let [low, high] = self.enclosure;
        if low == high {
            return low + 0.0;
        }
        let time = self.with_pair(|pair| exact_time(pair, self.side, self.motion));
        // From 0 on the bits of f64 are ordered as the numbers are.
        let (mut low, mut high) = ((low + 0.0).to_bits(), (high + 0.0).to_bits() + 1);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if compare_exactly(&time, f64::from_bits(middle)).is_ge() {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::from_bits(low)
    }

    /// The unit normal against the motion.
    pub(in crate::narrow_phase::convex) fn normal(&self) -> Vec3 {
        unit(self.direction())
    }

    fn direction(&self) -> DVec3 {
        self.with_pair(|pair| pair.rounded_direction(self.side))
    }

    /// The exact sign of `n · (a - b)`.
    pub(in crate::narrow_phase::convex) fn compare_along_normal(
        &self,
        a: DVec3,
        b: DVec3,
    ) -> Ordering {
        self.with_pair(|pair| pair.compare_along(self.side, a, b))
    }

    /// A point that both share at the exact time.
    pub(in crate::narrow_phase::convex) fn point(&self) -> Vec3 {
        let [low, high] = self.enclosure;
        let exactly = || {
            let [numerator, denominator] =
                self.with_pair(|pair| exact_time(pair, self.side, self.motion));
            let time = if denominator.sign().is_lt() {
                [numerator.negated(), denominator.negated()]
            } else {
                [numerator, denominator]
            };
            ExactShift {
                motion: self.motion,
                time,
            }
        };
        let shift = self.motion * f64::midpoint(low, high);
        shared_point(&self.cores(), shift, &exactly, Some(self.direction()))
    }
}
