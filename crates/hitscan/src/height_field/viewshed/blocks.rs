//! Blocks of cells that are hidden as a whole.
//!
//! A block that is below the blocked slope in all bins that it covers hides none of what is behind it,
//! as that is hidden already, and raises no bound.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of lines and bins, which are whole, not negative and below 2^32"
)]

use super::bounds::Bounds;
use super::quarter::Quarter;
use super::sector::Sector;
use super::start::{Start, Sweep};
use crate::height_field::storage::pyramid::FAN_OUT;
use core::ops::Range;

/// The blocks of the pyramid's level between two lines of a quarter.
struct Blocks<'a> {
    quarter: Quarter<'a>,
    level: usize,
    /// Cells a side.
    size: usize,
    /// Their number along the major axis.
    major: usize,
}

impl<'a> Blocks<'a> {
    /// The blocks of this level before a strip's lines, where there are such.
    fn of(quarter: &Quarter<'a>, strip: &[usize], level: usize) -> Option<Self> {
        let first = *strip.first()?;
        let size = FAN_OUT.pow(level as u32);
        let ranges = &quarter.sweep.field.ranges;
        let blocks = Self {
            quarter: *quarter,
            level,
            size,
            major: quarter.line_before(first)?.min(first) / size,
        };
        (ranges.top() >= level).then_some(blocks)
    }

    /// The column and row of the block that starts at this minor cell.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn place(&self, minor: usize) -> [usize; 2] {
        let minor = minor / self.size;
        if self.quarter.is_major_x {
            [self.major, minor]
        } else {
            [minor, self.major]
        }
    }

    /// How far a block is above the eye, at least and at most.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn rises(&self, minor: usize) -> [f64; 2] {
        let Sweep { field, eye, .. } = self.quarter.sweep;
        let [column, row] = self.place(minor);
        let range = field.ranges.of(self.level, column, row);
        [range.min, range.max].map(|height| field.grid.y(height) - eye.y)
    }

    /// How many samples of a block are holes. Beside a hole a sample may be no corner of a triangle of the
    /// block, whose range leaves it out.
    fn holes(&self, minor: usize) -> Holes {
        let field = self.quarter.sweep.field;
        if field.hole_count() == 0 {
            return Holes::None;
        }
        let samples = |block: usize, count: usize| {
            block * self.size..((block + 1) * self.size + 1).min(count)
        };
        let [column, row] = self.place(minor);
        let columns = samples(column, field.grid.columns);
        let (mut count, mut holes) = (0, 0);
        for row in samples(row, field.grid.rows) {
            let start = row * field.grid.columns;
            let row = &field.heights[start + columns.start..start + columns.end];
            count += row.len();
            holes += row.iter().filter(|height| height.is_nan()).count();
        }
        match holes {
            0 => Holes::None,
            _ if holes == count => Holes::All,
            _ => Holes::Some,
        }
    }
}

/// How many of some samples are holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holes {
    None,
    Some,
    All,
}

impl Sector<'_> {
    /// Of these minor cells those of a strip of lines that what is before does not hide as whole blocks of
    /// this level.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn active(
        &self,
        bounds: &mut Bounds,
        (strip, level): (&[usize], usize),
        within: &[Range<usize>],
    ) -> Vec<Range<usize>> {
        let (quarter, sweep) = (&self.quarter, self.quarter.sweep);
        let [near, far] = quarter.distances_of(strip);
        let is_skipped = near >= 1.0 && sweep.start != Start::Below;
        let blocks = Blocks::of(quarter, strip, level).filter(|_| is_skipped);
        let Some(blocks) = blocks else {
            return within.to_vec();
        };
        let size = blocks.size;
        let sides = [0, self.bins].map(|side| self.azimuth(side));
        let start = sides[0] * if sides[0] < 0.0 { far } else { near };
        let end = sides[1] * if sides[1] < 0.0 { near } else { far };
        let start = (quarter.minor + start - 1.0).max(0.0) as usize / size * size;
        let end = (quarter.minor + end + 2.0).max(0.0) as usize;
        let mut runs: Vec<Range<usize>> = Vec::new();
        for cells in within {
            let (start, end) = (start.max(cells.start), end.min(cells.end));
            for minor in (start..end).step_by(size) {
                let cells = minor..(minor + size).min(cells.end);
                let bins = self.bins_over(&cells, strip);
                let [low, high] = blocks.rises(minor);
                let high = high + sweep.target_above.max(0.0) + 2.0 * sweep.error;
                let low = low + sweep.target_above.min(0.0) - 2.0 * sweep.error;
                let high = high / if high > 0.0 { near } else { far };
                let low = low / if low > 0.0 { far } else { near };
                let is_hidden = bounds.lower[bins.clone()].iter().all(|lower| high < *lower)
                    && (sweep.start == Start::Above
                        || bounds.min_upper[bins.clone()].iter().all(|min| low > *min));
                if is_hidden {
                    match blocks.holes(minor) {
                        Holes::None => continue,
                        Holes::Some => {}
                        Holes::All => {
                            bounds.is_whole[bins].fill(false);
                            continue;
                        }
                    }
                }
                match runs.last_mut() {
                    Some(run) if run.end == minor => run.end = cells.end,
                    _ => runs.push(cells),
                }
            }
        }
        runs
    }
}
