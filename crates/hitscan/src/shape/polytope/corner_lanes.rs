//! The corners of a polytope in lanes, four at once: which is the furthest along a direction, and how far all reach.
//! Each product is that of the scalar code, in the same order.

use crate::exact::extremes::greater;
use crate::simd::{Width, dispatch};
use fearless_simd::{Select, Simd, f64x4, prelude::*};
use glam::DVec3;

/// How many corners are looked at at once.
const LANES: usize = 4;

/// The corners in order, the last one again and again to fill up.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct CornerLanes(Box<[[[f64; LANES]; 3]]>);

impl CornerLanes {
    pub(super) fn of(corners: &[DVec3]) -> Self {
        let fours = corners.chunks(LANES).map(|corners| {
            let corner = |lane: usize| corners[lane.min(corners.len() - 1)];
            [0, 1, 2].map(|axis: usize| [0, 1, 2, 3].map(|lane| corner(lane)[axis]))
        });
        Self(fours.collect())
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.0)
    }

    /// The place of a corner that is furthest along a direction, rounded; of several the first.
    #[inline]
    pub(super) fn furthest(&self, along: DVec3) -> usize {
        dispatch!(Width::default(), simd => self.furthest_in(simd, along))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn furthest_in<S: Simd>(&self, simd: S, along: DVec3) -> usize {
        let mut fours = self.0.iter();
        let Some(first) = fours.next() else { return 0 };
        let (mut top, mut best) = (heights(simd, first, along), f64x4::splat(simd, 0.0));
        let mut number = f64x4::splat(simd, 0.0);
        for four in fours {
            number += f64x4::splat(simd, 1.0);
            let height = heights(simd, four, along);
            let is_higher = height.simd_gt(top);
            top = is_higher.select(height, top);
            best = is_higher.select(number, best);
        }
        let (heights, best) = (top.to_array(), best.to_array());
        let most = heights.into_iter().fold(f64::NEG_INFINITY, greater);
        let mut highest = top.simd_eq(f64x4::splat(simd, most)).to_bitmask();
        let mut furthest = usize::MAX;
        while highest != 0 {
            let lane = highest.trailing_zeros() as usize;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it counts the fours"
            )]
            let place = best[lane] as usize * LANES + lane;
            furthest = furthest.min(place);
            highest &= highest - 1;
        }
        // None is the highest where they are NaN.
        if furthest == usize::MAX { 0 } else { furthest }
    }

    /// The least and the greatest height along a direction, rounded.
    #[inline]
    pub(super) fn extremes(&self, along: DVec3) -> [f64; 2] {
        dispatch!(Width::default(), simd => self.extremes_in(simd, along))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn extremes_in<S: Simd>(&self, simd: S, along: DVec3) -> [f64; 2] {
        let mut low = f64x4::splat(simd, f64::INFINITY);
        let mut high = f64x4::splat(simd, f64::NEG_INFINITY);
        for four in &self.0 {
            let height = heights(simd, four, along);
            low = height.simd_lt(low).select(height, low);
            high = height.simd_gt(high).select(height, high);
        }
        let least = low.to_array().into_iter().fold(f64::INFINITY, f64::min);
        let most = high
            .to_array()
            .into_iter()
            .fold(f64::NEG_INFINITY, f64::max);
        [least, most]
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn heights<S: Simd>(simd: S, [x, y, z]: &[[f64; LANES]; 3], along: DVec3) -> f64x4<S> {
    let of = |component: &[f64; LANES]| f64x4::load_array_ref(simd, component);
    of(x) * along.x + of(y) * along.y + of(z) * along.z
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_rng::Rng;

    #[test]
    fn lanes_find_what_one_by_one_does() {
        let mut rng = Rng(8);
        for round in 0..2000 {
            let mut point = || {
                let place = [(); 3].map(|()| f64::from(rng.signed()));
                let is_coarse = round % 2 == 0;
                DVec3::from_array(place.map(|x| if is_coarse { (2.0 * x).round() } else { x }))
            };
            let corners: Vec<DVec3> = (0..1 + round % 50).map(|_| point()).collect();
            let along = point();
            let lanes = CornerLanes::of(&corners);
            let heights: Vec<f64> = corners.iter().map(|corner| along.dot(*corner)).collect();
            let most = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let least = heights.iter().copied().fold(f64::INFINITY, f64::min);
            let first = heights.iter().position(|height| *height == most);
            assert_eq!(Some(lanes.furthest(along)), first, "{corners:?} {along}");
            assert_eq!(lanes.extremes(along), [least, most]);
        }
    }
}
