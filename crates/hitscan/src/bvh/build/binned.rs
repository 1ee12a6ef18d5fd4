//! Splitting many items: their centres are sorted into bins on each axis, and planes between bins
//! are compared by the surface area heuristic.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "items are fewer than 2^31, and bins are masked"
)]

use super::item_box::{Extent, ItemBox, half_area};
use super::{BuildPreset, LeafSize};
use crate::parallel::{map_all, threads};
use fearless_simd::{f32x4, i32x4, i32x8, prelude::*};

/// Ranges of more items are binned by several threads: by four tasks or more.
const SHARED_ITEMS: usize = 65_536;
/// The number of items a task. A compromise: large enough that clearing and merging the task's own bins, at most
/// 32 on each of three axes, costs little beside binning the items; small enough for threads to end together.
const CHUNK: usize = 16_384;

/// The boxes and counts of the items whose centres lie in each bin, on each axis.
#[derive(Clone)]
struct Bins<const BINS: usize> {
    bounds: [[ItemBox; BINS]; 3],
    counts: [[u32; BINS]; 3],
}

/// Which bin a centre lies in: `(centre - origin) * scale`, at most the last.
#[derive(Clone, Copy)]
struct Grid {
    origin: [f32; 4],
    scale: [f32; 4],
}

impl Grid {
    /// The grid over these centres; an axis on which they are all in one place has one bin.
    fn new(centres: &ItemBox, bins: usize) -> Self {
        let c = &centres.0;
        let size = centres.size();
        let scale = size.map(|size| {
            let scale = bins as f32 / size;
            if scale.is_finite() { scale } else { 0.0 }
        });
        Self {
            origin: [c[0], c[1], c[2], 0.0],
            scale: [scale[0], scale[1], scale[2], 0.0],
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bins_of<S: Simd, const BINS: usize>(&self, simd: S, item: &ItemBox) -> i32x4<S> {
        let origin = f32x4::load_array(simd, self.origin);
        let scale = f32x4::load_array(simd, self.scale);
        let last = (BINS - 1) as f32;
        ((item.centre(simd) - origin) * scale).min(last).to_int()
    }
}

impl<const BINS: usize> Bins<BINS> {
    const EMPTY: Self = Self {
        bounds: [[ItemBox::EMPTY; BINS]; 3],
        counts: [[0; BINS]; 3],
    };

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add<S: Simd>(&mut self, simd: S, grid: &Grid, items: &[ItemBox]) {
        for item in items {
            let lanes = item.load(simd);
            let bins = grid.bins_of::<S, BINS>(simd, item).to_array();
            for (axis, bin) in bins.into_iter().enumerate().take(3) {
                // The mask proves to the compiler that the bin exists; BINS is a power of two.
                let bin = bin as usize & (BINS - 1);
                let bounds = &mut self.bounds[axis][bin];
                *bounds = ItemBox::of(bounds.load(simd).min(lanes));
                self.counts[axis][bin] += 1;
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<S: Simd>(&mut self, simd: S, other: &Self) {
        for axis in 0..3 {
            for bin in 0..BINS {
                let bounds = &mut self.bounds[axis][bin];
                *bounds = ItemBox::of(bounds.load(simd).min(other.bounds[axis][bin].load(simd)));
                self.counts[axis][bin] += other.counts[axis][bin];
            }
        }
    }

    /// The boxes around the bins before `first_behind` and around the others.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn halves<S: Simd>(&self, simd: S, axis: usize, first_behind: usize) -> [ItemBox; 2] {
        let (before, behind) = self.bounds[axis].split_at(first_behind);
        [ItemBox::around(simd, before), ItemBox::around(simd, behind)]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of<S: Simd>(simd: S, grid: &Grid, items: &[ItemBox]) -> Self {
        if items.len() > SHARED_ITEMS && threads() > 1 {
            let of_chunk = |chunk: &[ItemBox]| {
                simd.vectorize(
                    #[cfg_attr(not(debug_assertions), inline(always))]
                    || {
                        let mut bins = Self::EMPTY;
                        bins.add(simd, grid, chunk);
                        bins
                    },
                )
            };
            let mut all = Self::EMPTY;
            for one in map_all(items.chunks(CHUNK).collect(), of_chunk) {
                all.merge(simd, &one);
            }
            return all;
        }
        let mut bins = Self::EMPTY;
        bins.add(simd, grid, items);
        bins
    }
}

/// A range in two halves: how many items the first has, and both extents.
pub(super) struct Halves {
    pub(super) middle: usize,
    pub(super) extents: [Extent; 2],
}

/// Puts `items` into two halves; `None` where no plane separates their centres.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn split<S: Simd>(
    simd: S,
    preset: BuildPreset,
    items: &mut [ItemBox],
    extent: &Extent,
    leaf: LeafSize,
) -> Option<Halves> {
    match preset {
        BuildPreset::Fast => split_by::<S, 8>(simd, items, extent, leaf),
        BuildPreset::Balanced => split_by::<S, 16>(simd, items, extent, leaf),
        BuildPreset::Tight => split_by::<S, 32>(simd, items, extent, leaf),
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn split_by<S: Simd, const BINS: usize>(
    simd: S,
    items: &mut [ItemBox],
    extent: &Extent,
    leaf: LeafSize,
) -> Option<Halves> {
    let grid = Grid::new(&extent.centres, BINS);
    let bins = Bins::<BINS>::of(simd, &grid, items);
    let plane = best_plane(simd, &bins, items.len(), extent.bounds.scale(), leaf)?;
    let Plane {
        axis, first_behind, ..
    } = plane;
    let empty = ItemBox::EMPTY.load(simd);
    let first_behind = i32x8::splat(simd, first_behind as i32);
    let (mut before, mut behind) = (empty, empty);
    let mut middle = 0;
    for index in 0..items.len() {
        let item = items[index];
        let bin = grid.bins_of::<S, BINS>(simd, &item).to_array()[axis];
        let (min, negated_max) = item.load(simd).split();
        let centre = (min - negated_max).combine(negated_max - min);
        let is_before = i32x8::splat(simd, bin).simd_lt(first_behind);
        before = before.min(is_before.select(centre, empty));
        behind = behind.min(is_before.select(empty, centre));
        // Without a branch, which would be mispredicted half of the time.
        items[index] = items[middle];
        items[middle] = item;
        middle += usize::from((bin as u32) < plane.first_behind);
    }
    let [bounds_before, bounds_behind] = bins.halves(simd, axis, plane.first_behind as usize);
    let extents = [
        Extent {
            bounds: bounds_before,
            centres: ItemBox::of(before),
        },
        Extent {
            bounds: bounds_behind,
            centres: ItemBox::of(behind),
        },
    ];
    Some(Halves { middle, extents })
}

/// A place between two bins.
struct Plane {
    axis: usize,
    /// The first bin of the second half.
    first_behind: u32,
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn best_plane<S: Simd, const BINS: usize>(
    simd: S,
    bins: &Bins<BINS>,
    count: usize,
    scale: f32,
    leaf: LeafSize,
) -> Option<Plane> {
    let count = count as u32;
    let mut best = (f32::INFINITY, None);
    for axis in 0..3 {
        let (bounds, counts) = (&bins.bounds[axis], &bins.counts[axis]);
        let mut areas_behind = [0.0f32; BINS];
        let mut behind = ItemBox::EMPTY.load(simd);
        for bin in (1..BINS).rev() {
            behind = behind.min(bounds[bin].load(simd));
            areas_behind[bin] = half_area(behind, scale);
        }
        let mut before = ItemBox::EMPTY.load(simd);
        let mut count_before = 0;
        for bin in 1..BINS {
            before = before.min(bounds[bin - 1].load(simd));
            count_before += counts[bin - 1];
            // With nothing on one side the area is infinite or the cost NaN: never the best.
            let cost = half_area(before, scale) * leaf.tests(count_before)
                + areas_behind[bin] * leaf.tests(count - count_before);
            if cost < best.0 {
                best = (
                    cost,
                    Some(Plane {
                        axis,
                        first_behind: bin as u32,
                    }),
                );
            }
        }
    }
    best.1
}
