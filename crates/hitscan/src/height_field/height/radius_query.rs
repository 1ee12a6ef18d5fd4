//! The maximum or the sum and count of the samples within a radius.
//!
//! A block that lies in the circle as a whole is added as a whole, so a large radius does not
//! touch each sample; a small one does, and nothing else. Which samples lie within is decided
//! alike in both ways, and the order of additions depends on the grid and the circle alone.

use super::samples::{BASE, FAN_OUT, SamplePyramid, Tally, clipped, eight_from};
use crate::WorkLimit;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::height_field::storage::grid::{Grid, Lines};
use crate::height_field::storage::pyramid::Span;
use crate::simd::Width;
use crate::simd::dispatch_wide;
use fearless_simd::{Simd, f32x8, f64x8, prelude::*};
use glam::Vec2;
use smallvec::SmallVec;

/// Up to how many samples around a circle are tested one by one.
const FEW: usize = 1 << 10;

/// A search begins with blocks of at most this part of the circle's diameter.
const BLOCKS_ACROSS: usize = 4;

/// The most blocks along an axis that are classified at once: of blocks a quarter of the circle's
/// diameter or, as the next level's have four times the side, a sixteenth, with those at its ends.
const MAX_ACROSS: usize = 4 * BLOCKS_ACROSS + 2;

/// Queued blocks that need no allocation: below each level there are at most 15.
const QUEUE_INLINE: usize = 96;

/// The centre and the radius of a query, in f64.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct Circle {
    pub(in crate::height_field) x: f64,
    pub(in crate::height_field) z: f64,
    /// The radius times itself; NaN reaches nothing.
    pub(in crate::height_field) radius_squared: f64,
}

impl Circle {
    /// The circle around a point; `None` where that is not finite. A radius that is negative or NaN
    /// reaches nothing.
    pub(in crate::height_field) fn around(point: Vec2, radius: f64) -> Option<Self> {
        let reaches_nothing = radius.is_nan() || radius < 0.0;
        point.is_finite().then(|| Self {
            x: f64::from(point.x),
            z: f64::from(point.y),
            radius_squared: if reaches_nothing {
                f64::NAN
            } else {
                radius * radius
            },
        })
    }

    /// Whether a point is within it.
    pub(in crate::height_field) fn holds(&self, x: f64, z: f64) -> bool {
        let (dx, dz) = (x - self.x, z - self.z);
        dx * dx + dz * dz <= self.radius_squared
    }
}

/// The reduction over the samples within a circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Their sum and count, which needs each of them.
    Mean,
    /// The highest alone: blocks that hold nothing higher than what was found are culled, and the
    /// sum means nothing.
    Max,
}

/// The samples within a circle.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct CircleTally {
    pub(in crate::height_field) tally: Tally,
    /// Whether there is any sample, holes included.
    pub(in crate::height_field) is_any: bool,
}

impl SamplePyramid {
    /// The samples within the circle, as far as a limit lets it find them.
    pub(in crate::height_field) fn within(
        &self,
        width: Width,
        grid: &Grid,
        heights: &[f32],
        circle: Circle,
        (wanted, limit): (Wanted, Option<&WorkLimit<'_>>),
    ) -> CircleTally {
        let mut search = Search {
            pyramid: self,
            grid,
            heights,
            circle,
            wanted,
            limit,
            found: CircleTally {
                tally: Tally::EMPTY,
                is_any: false,
            },
        };
        dispatch_wide!(width, simd => search.run(simd));
        search.found
    }
}

struct Search<'a> {
    pyramid: &'a SamplePyramid,
    grid: &'a Grid,
    heights: &'a [f32],
    circle: Circle,
    wanted: Wanted,
    /// A step is a block that is opened.
    limit: Option<&'a WorkLimit<'a>>,
    found: CircleTally,
}

/// The smallest and the largest squared offset of lines along an axis.
#[derive(Clone, Copy, Default)]
struct Offsets {
    near: f64,
    far: f64,
}

type Queue = SmallVec<[Block; QUEUE_INLINE]>;

#[derive(Clone, Copy, Default)]
struct Block {
    level: usize,
    column: usize,
    row: usize,
    max: f32,
}

impl Search<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<S: Simd>(&mut self, simd: S) {
        let radius = self.circle.radius_squared.sqrt();
        let (Some(columns), Some(rows)) = (
            lines_within(&self.grid.x_lines(), self.circle.x, radius),
            lines_within(&self.grid.z_lines(), self.circle.z, radius),
        ) else {
            return;
        };
        let span = Span { columns, rows };
        let across = [columns, rows].map(|[first, last]| last - first + 1);
        if across[0].saturating_mul(across[1]) <= FEW {
            self.add_samples(simd, span);
            return;
        }
        let levels = &self.pyramid.levels;
        let largest = across[0].max(across[1]) / BLOCKS_ACROSS;
        let level = levels.iter().rposition(|level| level.size <= largest);
        let level = level.unwrap_or(0);
        let mut queue = Queue::new();
        let blocks = span.blocks_of(levels[level].size);
        self.classify_blocks(level, blocks, &mut queue);
        while let Some(Block {
            level, column, row, ..
        }) = self.pop(&mut queue)
        {
            if self.limit.is_some_and(|limit| limit.step().is_break()) {
                return;
            }
            if level == 0 {
                let counts = [self.grid.columns, self.grid.rows];
                self.add_samples(simd, clipped(column, row, BASE, counts));
            } else {
                let children = levels[level - 1];
                let counts = [children.columns, children.rows];
                let blocks = clipped(column, row, FAN_OUT, counts);
                self.classify_blocks(level - 1, blocks, &mut queue);
            }
        }
    }

    /// Removes the block that is to be opened next, if any: where the maximum is wanted, the one with
    /// the highest bound.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pop(&self, queue: &mut Queue) -> Option<Block> {
        if self.wanted == Wanted::Mean {
            return queue.pop();
        }
        let mut best = 0;
        for place in 1..queue.len() {
            if queue[place].max > queue[best].max {
                best = place;
            }
        }
        let block = *queue.get(best)?;
        if self.is_culled(block.max) {
            return None;
        }
        Some(queue.swap_remove(best))
    }

    /// Whether a block with this maximum adds nothing to the answer. Until something was counted
    /// it may: that there is something at all.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_culled(&self, max: f32) -> bool {
        let found = self.found.tally;
        self.wanted == Wanted::Max && found.count > 0 && max <= found.max
    }

    /// Adds the blocks that lie in the circle as a whole, and queues those that lie in it in part.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn classify_blocks(&mut self, level: usize, blocks: Span, queue: &mut Queue) {
        let shape = self.pyramid.levels[level];
        let (x_lines, z_lines) = (self.grid.x_lines(), self.grid.z_lines());
        let mut x = [Offsets::default(); MAX_ACROSS];
        for (x, column) in x.iter_mut().zip(blocks.columns[0]..=blocks.columns[1]) {
            *x = offsets(&x_lines, column, shape.size, self.circle.x);
        }
        let limit = self.circle.radius_squared;
        for row in blocks.rows[0]..=blocks.rows[1] {
            let z = offsets(&z_lines, row, shape.size, self.circle.z);
            for (x, column) in x.iter().zip(blocks.columns[0]..=blocks.columns[1]) {
                // Rounding is monotone: no sample of the block has a smaller sum of squares, as
                // rounded, than the first of these, nor a larger one than the second. So a block
                // is culled or added only where the same would happen to each of its samples by
                // itself.
                let is_in_part = x.near + z.near <= limit;
                if !is_in_part {
                    continue;
                }
                let tally = &self.pyramid.blocks[shape.index(column, row)];
                if x.far + z.far <= limit {
                    self.found.is_any = true;
                    self.found.tally.add(tally);
                } else if !self.is_culled(tally.max) {
                    let max = tally.max;
                    queue.push(Block {
                        level,
                        column,
                        row,
                        max,
                    });
                }
            }
        }
    }

    /// Adds the samples of the span that lie in the circle.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_samples<S: Simd>(&mut self, simd: S, span: Span) {
        let limit = f64x8::splat(simd, self.circle.radius_squared);
        let z_lines = self.grid.z_lines();
        let [first, last] = span.columns;
        for first in (first..=last).step_by(BASE) {
            let dx_squared = self.columns_squared(first, last);
            let dx_squared = f64x8::from_slice(simd, &dx_squared);
            let mut sum = f64x8::splat(simd, 0.0);
            let mut max = f64x8::splat(simd, f64::NEG_INFINITY);
            let (mut count, mut any) = (0, 0);
            for row in span.rows[0]..=span.rows[1] {
                let dz = z_lines.at(row) - self.circle.z;
                let is_within = (dx_squared + dz * dz).simd_le(limit);
                // Rows outside are not loaded: cache misses on samples dominate large circles.
                if !is_within.any_true() {
                    continue;
                }
                let start = row * self.grid.columns + first;
                let heights = f32x8::from_slice(simd, &eight_from(self.heights, start));
                let (west, east) = heights.widen();
                let heights = west.combine(east);
                let counts = is_within & heights.simd_eq(heights);
                sum += counts.select(heights, f64x8::splat(simd, 0.0));
                max = counts.select(heights, max).max(max);
                count += counts.to_bitmask().count_ones();
                any |= is_within.to_bitmask();
            }
            self.found.is_any |= any != 0;
            self.found.tally.add(&total(sum.into(), max.into(), count));
        }
    }

    /// The squared offsets of the columns from `first` on; NaN, which is within nothing, beyond
    /// `last`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn columns_squared(&self, first: usize, last: usize) -> [f64; BASE] {
        let lines = self.grid.x_lines();
        let mut squared = [f64::NAN; BASE];
        for (k, square) in squared.iter_mut().enumerate() {
            let dx = lines.at(first + k) - self.circle.x;
            *square = if first + k <= last { dx * dx } else { f64::NAN };
        }
        squared
    }
}

/// The first and the last line that may be within `radius` of `x`, with some to spare.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from f64 keeps within the range of integers"
)]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::height_field) fn lines_within(
    lines: &Lines,
    x: f64,
    radius: f64,
) -> Option<[usize; 2]> {
    let sizes = x.abs() + radius + lines.origin.abs() + lines.end().abs();
    let spare = 1.0 + sizes * (8.0 * UNIT_ROUNDOFF) / lines.spacing;
    let place = (x - lines.origin) / lines.spacing;
    let lines_aside = radius / lines.spacing + spare;
    let (first, last) = (place - lines_aside, place + lines_aside);
    // False for NaN.
    let is_on_map = last >= 0.0 && first <= lines.last as f64;
    is_on_map.then(|| [first.max(0.0) as usize, (last as usize).min(lines.last)])
}

/// The squared offsets from `x` of the lines of a block of `size` lines.
#[cfg_attr(not(debug_assertions), inline(always))]
fn offsets(lines: &Lines, block: usize, size: usize, x: f64) -> Offsets {
    let first = lines.at(block * size) - x;
    let last = lines.at((block * size + size - 1).min(lines.last)) - x;
    let (first_squared, last_squared) = (first * first, last * last);
    let (less, more) = if first_squared < last_squared {
        (first_squared, last_squared)
    } else {
        (last_squared, first_squared)
    };
    let holds_x = first <= 0.0 && last >= 0.0;
    Offsets {
        near: if holds_x { 0.0 } else { less },
        far: more,
    }
}

/// The total of eight columns, added in a fixed order.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the heights were f32 before"
)]
#[cfg_attr(not(debug_assertions), inline(always))]
fn total(sum: [f64; BASE], max: [f64; BASE], count: u32) -> Tally {
    let [a, b, c, d, e, f, g, h] = sum;
    let higher = |a: f64, b: f64| if b > a { b } else { a };
    Tally {
        sum: ((a + b) + (c + d)) + ((e + f) + (g + h)),
        count,
        max: max.into_iter().fold(f64::NEG_INFINITY, higher) as f32,
    }
}
