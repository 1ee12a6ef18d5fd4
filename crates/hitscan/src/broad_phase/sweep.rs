//! Sweeping one column: its boxes in the order in which they begin, each against those that begin
//! while it lasts, eight at a time.

use crate::Aabb;
use fearless_simd::{Simd, f32x8, prelude::*};

/// The number of boxes that are compared at once.
const LANES: usize = 8;

/// The number of boxes that are sampled to estimate how many last at the same time.
const SAMPLE: usize = 32;

/// A box in a column, and whether its first cell is here, a bit for each axis of each grid so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) number: u32,
    pub(super) claims: u32,
}

/// A column's boxes side by side, in the order in which they begin along the axis. Behind them
/// are boxes that never begin.
#[derive(Debug, Default)]
pub(super) struct Rows {
    begin: Vec<f32>,
    end: Vec<f32>,
    /// Across: `min[axis]`, `max[axis]`.
    min: [Vec<f32>; 2],
    max: [Vec<f32>; 2],
}

impl Rows {
    /// Takes the boxes of `column`, which is sorted along `axis`.
    pub(super) fn fill(&mut self, boxes: &[Aabb], column: &[Entry], axis: usize) {
        let len = column.len() + LANES;
        let others = [(axis + 1) % 3, (axis + 2) % 3];
        self.begin.resize(len, 0.0);
        self.end.resize(len, 0.0);
        for row in self.min.iter_mut().chain(&mut self.max) {
            row.resize(len, 0.0);
        }
        self.begin[column.len()..].fill(f32::INFINITY);
        let [min_a, min_b] = &mut self.min;
        let [max_a, max_b] = &mut self.max;
        let ends = self.begin.iter_mut().zip(&mut self.end);
        let lows = min_a.iter_mut().zip(min_b);
        let highs = max_a.iter_mut().zip(max_b);
        for (entry, ((ends, lows), highs)) in column.iter().zip(ends.zip(lows).zip(highs)) {
            let own = &boxes[entry.number as usize];
            let (min, max) = (own.min().to_array(), own.max().to_array());
            (*ends.0, *ends.1) = (min[axis], max[axis]);
            (*lows.0, *lows.1) = (min[others[0]], min[others[1]]);
            (*highs.0, *highs.1) = (max[others[0]], max[others[1]]);
        }
    }

    /// About how many boxes begin while one lasts.
    pub(super) fn at_once(&self) -> usize {
        let count = self.begin.len() - LANES;
        let begins = &self.begin[..count];
        let step = count.div_ceil(SAMPLE).max(1);
        let sample = (0..count).step_by(step);
        let lasting =
            |place: usize| begins[place + 1..].partition_point(|begin| *begin <= self.end[place]);
        let taken = sample.len().max(1);
        sample.map(lasting).sum::<usize>() / taken
    }

    /// Finds the pairs that touch and whose claims together are `all`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn sweep<S: Simd>(
        &self,
        simd: S,
        column: &[Entry],
        all: u32,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        let count = column.len();
        let len = count + LANES;
        let (begin, end) = (&self.begin[..len], &self.end[..len]);
        let (min_a, min_b) = (&self.min[0][..len], &self.min[1][..len]);
        let (max_a, max_b) = (&self.max[0][..len], &self.max[1][..len]);
        let load = |row: &[f32], at: usize| f32x8::from_slice(simd, &row[at..at + LANES]);
        for (place, own) in column.iter().enumerate() {
            let last = end[place];
            let mut at = place + 1;
            while at < count && begin[at] <= last {
                // other.begin <= own.end, and across min <= other.max and other.min <= max.
                let along = load(begin, at).simd_le(last);
                let on_a =
                    load(min_a, at).simd_le(max_a[place]) & load(max_a, at).simd_ge(min_a[place]);
                let on_b =
                    load(min_b, at).simd_le(max_b[place]) & load(max_b, at).simd_ge(min_b[place]);
                let mut touching = (along & on_a & on_b).to_bitmask();
                while touching != 0 {
                    let other = &column[at + touching.trailing_zeros() as usize];
                    touching &= touching - 1;
                    if own.claims | other.claims == all {
                        let (a, b) = (own.number, other.number);
                        pairs.push([a.min(b), a.max(b)]);
                    }
                }
                at += LANES;
            }
        }
    }
}
