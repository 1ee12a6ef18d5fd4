//! The path of a line of sight over the grid: where it passes over edges of triangles, and how high
//! they reach in the eye's perspective.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of lines and bins, which are whole, not negative and below 2^32"
)]

use super::eye_triangles::NEAREST;
use super::quarter::Quarter;

/// So near to a sample or to the map's border, in units of the grid, a path may pass over it.
pub(super) const NEAR_SAMPLE: f64 = 1e-7;

/// Bounds on the slopes from the eye to the edges that a path passes over: rises over a unit of distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlopeBounds {
    /// An upper bound on all slopes.
    pub(super) high: f64,
    /// A lower bound on the largest slope.
    pub(super) low: f64,
    /// A lower bound on all slopes.
    pub(super) lowest: f64,
    /// Whether all edges are there: none ends in a hole.
    pub(super) is_whole: bool,
}

impl SlopeBounds {
    pub(super) const NOTHING: Self = Self {
        high: f64::NEG_INFINITY,
        low: f64::NEG_INFINITY,
        lowest: f64::INFINITY,
        is_whole: true,
    };

    /// Adds the point of an edge at this fraction of it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(&mut self, [from, to]: [f64; 2], fraction: f64, error: f64, distance: f64) {
        let mut rise = from + (to - from) * fraction;
        if rise.is_nan() {
            self.is_whole = false;
            // Beside a hole the path may still pass over the end that is there.
            if fraction <= NEAR_SAMPLE {
                rise = from;
            } else if fraction >= 1.0 - NEAR_SAMPLE {
                rise = to;
            }
            if rise.is_nan() {
                return;
            }
        }
        let inverse = 1.0 / distance;
        let high = (rise + error) * inverse;
        let low = (rise - error) * inverse;
        self.high = if high > self.high { high } else { self.high };
        self.low = if low > self.low { low } else { self.low };
        self.lowest = if low < self.lowest { low } else { self.lowest };
    }
}

impl Quarter<'_> {
    /// The slopes to line `k` of the quarter where a path passes over it; nothing beyond the map.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn slopes_on_line(&self, k: usize, minor: f64, distance: f64) -> SlopeBounds {
        let mut slopes = SlopeBounds::NOTHING;
        if minor < -NEAR_SAMPLE || minor > self.last_minor + NEAR_SAMPLE {
            return slopes;
        }
        let cell = minor.min(self.last_minor - 1.0).max(0.0).floor();
        let j = cell as usize;
        let ends = [self.rise(k, j), self.rise(k, j + 1)];
        slopes.add(ends, minor - cell, self.sweep.error, distance);
        slopes
    }

    /// The edges between the line before `k` and line `k` that a path passes over: minor lines and
    /// diagonals. The path goes from the minor coordinate `before` to `minor`, and is at `distance` on
    /// line `k`. Edges that end in sample `target` of line `k`, which a path to it touches only there, do
    /// not count.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn slopes_in_strip(
        &self,
        k: usize,
        [before, minor]: [f64; 2],
        distance: f64,
        target: Option<usize>,
    ) -> SlopeBounds {
        let mut slopes = SlopeBounds::NOTHING;
        let Some(previous) = self.line_before(k) else {
            return slopes;
        };
        let error = self.sweep.error;
        let slope = minor - before;
        let start = distance - 1.0;
        let (low, high) = if slope < 0.0 {
            (minor, before)
        } else {
            (before, minor)
        };
        if high < 0.0 || low > self.last_minor {
            return slopes;
        }
        let (first, last) = (low.floor(), high.floor());
        let mut cell = first;
        loop {
            if cell >= 0.0 && cell < self.last_minor {
                self.add_diagonal(
                    &mut slopes,
                    (previous, k),
                    cell,
                    (before, slope, start),
                    target,
                );
            }
            if cell >= last {
                break;
            }
            cell += 1.0;
            // The line before this cell is passed.
            if cell >= 0.0 && cell <= self.last_minor {
                let along = (cell - before) / slope;
                let j = cell as usize;
                if start + along > NEAREST && target != Some(j) {
                    let ends = [self.rise(previous, j), self.rise(k, j)];
                    slopes.add(ends, along, error, start + along);
                }
            }
        }
        slopes
    }

    /// The diagonal of one cell.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_diagonal(
        &self,
        slopes: &mut SlopeBounds,
        (previous, k): (usize, usize),
        cell: f64,
        (before, slope, start): (f64, f64, f64),
        target: Option<usize>,
    ) {
        let j = cell as usize;
        let offset = before - cell;
        let (along, from, to) = if self.has_rising_diagonals {
            (offset / (1.0 - slope), j, j + 1)
        } else {
            ((1.0 - offset) / (1.0 + slope), j + 1, j)
        };
        if (0.0..=1.0).contains(&along) && start + along > NEAREST && target != Some(to) {
            let ends = [self.rise(previous, from), self.rise(k, to)];
            slopes.add(ends, along, self.sweep.error, start + along);
        }
    }
}
