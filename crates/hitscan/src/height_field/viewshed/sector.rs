//! A sector of a quarter of the map and its bins of azimuth.
//!
//! In perspective a point `d` lines from the eye, `m` aside and `r` above it is at the azimuth `m / d`
//! and has the rise `r / d`; edges of triangles stay straight.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of lines and bins, which are whole, not negative and below 2^32"
)]

use super::quarter::Quarter;
use super::start::Sweep;
use core::ops::Range;

/// The fewest and the most bins of a quarter.
const BINS: core::ops::RangeInclusive<usize> = 16..=1 << 14;

/// A part of a quarter, from one azimuth to another.
pub(super) struct Sector<'a> {
    pub(super) quarter: Quarter<'a>,
    /// The azimuth at which the quarter's first bin starts.
    from: f64,
    width: f64,
    per_width: f64,
    /// The number of bins of the quarter, the first one of the sector, and the number of the sector's.
    all_bins: usize,
    first_bin: usize,
    pub(super) bins: usize,
}

/// The sectors of all quarters, so that `threads` threads have work.
pub(super) fn sectors<'a>(sweep: &'a Sweep<'a>, threads: usize) -> Vec<Sector<'a>> {
    let mut sectors = Vec::new();
    for (is_major_x, is_down) in Quarter::ALL {
        let quarter = Quarter::new(sweep, is_major_x, is_down);
        let Some([from, to]) = quarter.azimuths() else {
            continue;
        };
        let farthest = quarter.lines().last().map_or(0.0, |k| quarter.distance(k));
        // A bin is about as wide as four cells where the quarter ends: narrower ones decide more at once,
        // and take longer to pass.
        let bins = (((to - from) * farthest * 0.25) as usize).clamp(*BINS.start(), *BINS.end());
        let width = ((to - from) / bins as f64).max(f64::MIN_POSITIVE);
        let parts = if threads > 1 { threads.min(bins) } else { 1 };
        for part in 0..parts {
            let [start, end] = [part, part + 1].map(|part| part * bins / parts);
            sectors.push(Sector {
                quarter,
                from,
                width,
                per_width: 1.0 / width,
                all_bins: bins,
                first_bin: start,
                bins: end - start,
            });
        }
    }
    sectors
}

impl Sector<'_> {
    /// The bins that have a point over these minor cells on a line of a strip or between it and the line
    /// before.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bins_over(&self, cells: &Range<usize>, strip: &[usize]) -> Range<usize> {
        let quarter = &self.quarter;
        let [near, far] = quarter.distances_of(strip);
        if near < 1.0 {
            return 0..self.bins;
        }
        let start = cells.start as f64 - quarter.minor;
        let end = cells.end as f64 - quarter.minor;
        let start = start / if start < 0.0 { near } else { far };
        let end = end / if end < 0.0 { far } else { near };
        let [start, end] =
            [start, end].map(|azimuth| (azimuth - self.from) / self.width - self.first_bin as f64);
        // More than what rounding may take.
        let start = (start - 1e-3).max(0.0) as usize;
        let end = (end + 1.001).max(0.0) as usize;
        start.min(self.bins)..end.min(self.bins)
    }

    /// The samples of a line that may be in these bins.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn minors(&self, k: usize, bins: &Range<usize>) -> Range<usize> {
        let (quarter, distance) = (&self.quarter, self.quarter.distance(k));
        let [low, high] =
            [bins.start, bins.end].map(|side| quarter.minor + self.azimuth(side) * distance);
        let low = (low - 1e-3).ceil().max(0.0);
        let high = (high + 1e-3).floor().min(quarter.last_minor);
        if low > high {
            return 0..0;
        }
        low as usize..high as usize + 1
    }

    /// The bin of a sample of a line at this distance, given with its inverse, if it is in the sector.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bin(&self, j: usize, [distance, inverse]: [f64; 2]) -> Option<usize> {
        let quarter = &self.quarter;
        let across = j as f64 - quarter.minor;
        // The same comparison in all quarters: each sample is in one.
        let is_inside = if quarter.is_major_x {
            across.abs() <= distance
        } else {
            across.abs() < distance
        };
        if !is_inside {
            return None;
        }
        // The same number in all sectors of the quarter: each sample is in one.
        let bin = (across * inverse - self.from) * self.per_width;
        let bin = bin.max(0.0).min(self.all_bins as f64 - 1.0) as usize;
        bin.checked_sub(self.first_bin)
            .filter(|bin| *bin < self.bins)
    }

    /// The azimuth of a side of the sector's bins.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn azimuth(&self, side: usize) -> f64 {
        self.from + (self.first_bin + side) as f64 * self.width
    }
}
