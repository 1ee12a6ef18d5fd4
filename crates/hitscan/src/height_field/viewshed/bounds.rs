//! Horizon bounds of a viewshed: bounds on the slope of the ground before a line, in bins of azimuth.
//!
//! Edges of triangles are straight in perspective: within a bin one reaches highest where it enters or
//! leaves the bin, or at its ends.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of lines and bins, which are whole, not negative and below 2^32"
)]

use super::sector::Sector;
use super::sight_path::{NEAR_SAMPLE, SlopeBounds};
use core::ops::Range;

/// How many lines back upper bounds are kept, and a line of sight is followed.
pub(super) const KEPT: usize = 32;

/// What is known of the ground before the line that is swept, a bin of azimuth each.
pub(super) struct Bounds {
    /// No edge reaches higher.
    upper: Vec<f64>,
    /// On some line before the first hole all of the ground surely reaches so high.
    pub(super) lower: Vec<f64>,
    /// On some line before the first hole none of the ground reaches higher.
    pub(super) min_upper: Vec<f64>,
    /// All of the ground surely reaches so high.
    lowest: Vec<f64>,
    /// Whether the ground has no hole.
    pub(super) is_whole: Vec<bool>,
    /// `upper` after each of the last lines, of bins that were active then.
    kept: Vec<f64>,
    /// `lowest` in the same way, where lines of sight may pass below the ground; else nothing.
    kept_lowest: Vec<f64>,
    /// From which step on `kept` is of use.
    kept_from: Vec<usize>,
    /// The step up to which a bin is active.
    active_until: Vec<usize>,
}

/// The ground where a bin's side passes over a line, and over what is before it.
#[derive(Clone, Copy)]
struct Side {
    on_line: SlopeBounds,
    /// Of the line and what is before it.
    high: f64,
    lowest: f64,
    /// The last sample of the line that is not beyond.
    cell: f64,
    /// Whether it is on the map there.
    is_inside: bool,
    is_whole: bool,
}

impl Bounds {
    pub(super) fn new(bins: usize, keeps_lowest: bool) -> Self {
        let kept_lowest = if keeps_lowest { bins * KEPT } else { 0 };
        Self {
            upper: vec![f64::NEG_INFINITY; bins],
            lower: vec![f64::NEG_INFINITY; bins],
            min_upper: vec![f64::INFINITY; bins],
            lowest: vec![f64::INFINITY; bins],
            is_whole: vec![true; bins],
            kept: vec![f64::NEG_INFINITY; bins * KEPT],
            kept_lowest: vec![f64::INFINITY; kept_lowest],
            kept_from: vec![0; bins],
            active_until: vec![0; bins],
        }
    }

    /// Makes bins active for so many steps.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn activate(&mut self, bins: Range<usize>, step: usize, steps: usize) {
        let row = self.upper.len();
        for bin in bins {
            if self.active_until[bin] < step {
                // Before, nothing was higher for some lines.
                let kept = (step - 1) % KEPT * row + bin;
                self.kept[kept] = self.upper[bin];
                if let Some(lowest) = self.kept_lowest.get_mut(kept) {
                    *lowest = self.lowest[bin];
                }
                self.kept_from[bin] = step - 1;
            }
            self.active_until[bin] = step + steps;
        }
    }

    /// Keeps the bounds of bins as they are after a step.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn keep(&mut self, bins: Range<usize>, step: usize) {
        let kept = step % KEPT * self.upper.len();
        let places = kept + bins.start..kept + bins.end;
        self.kept[places.clone()].copy_from_slice(&self.upper[bins.clone()]);
        if let Some(lowest) = self.kept_lowest.get_mut(places) {
            lowest.copy_from_slice(&self.lowest[bins]);
        }
    }

    /// Whether all of the ground up to a step, which is at most [`KEPT`] back, surely reaches higher than
    /// this. Blocks that were skipped do: they are above some line that is passed in full.
    pub(super) fn were_above(&self, slope: f64, bin: usize, step: usize) -> bool {
        let kept = step % KEPT * self.upper.len() + bin;
        let lowest = self.kept_lowest.get(kept);
        step >= self.kept_from[bin] && lowest.is_some_and(|lowest| slope < *lowest)
    }

    /// Whether no edge up to a step, which is at most [`KEPT`] back, reaches as high as this.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn were_below(&self, slope: f64, bin: usize, step: usize) -> bool {
        let kept = step % KEPT * self.upper.len();
        step >= self.kept_from[bin] && slope > self.kept[kept + bin]
    }
}

impl Sector<'_> {
    /// The ground on line `k` and before it at the side of a bin.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn side(&self, k: usize, distance: f64, number: usize) -> Side {
        let quarter = &self.quarter;
        let azimuth = self.azimuth(number);
        let minor = quarter.minor + azimuth * distance;
        let before = minor - azimuth;
        let strip = quarter.slopes_in_strip(k, [before, minor], distance, None);
        let on_line = quarter.slopes_on_line(k, minor, distance);
        Side {
            on_line,
            high: strip.high.max(on_line.high),
            lowest: strip.lowest.min(on_line.lowest),
            cell: minor.floor(),
            is_inside: minor >= NEAR_SAMPLE && minor <= quarter.last_minor - NEAR_SAMPLE,
            is_whole: strip.is_whole && on_line.is_whole,
        }
    }

    /// Takes line `k` and what is before it into the bounds of these bins; into how high all of the ground
    /// reaches only where that is kept.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn pass<const KEEPS_LOWEST: bool>(
        &self,
        bounds: &mut Bounds,
        k: usize,
        bins: Range<usize>,
    ) {
        let (quarter, error) = (&self.quarter, self.quarter.sweep.error);
        let distance = quarter.distance(k);
        let inverse = 1.0 / distance;
        let mut left = self.side(k, distance, bins.start);
        for bin in bins {
            let right = self.side(k, distance, bin + 1);
            let (mut max, mut min) = (f64::NEG_INFINITY, f64::INFINITY);
            let mut is_whole = left.is_whole && right.is_whole;
            let (mut j, last) = (
                (left.cell + 1.0).max(0.0),
                right.cell.min(quarter.last_minor),
            );
            while j <= last {
                let rise = quarter.rise(k, j as usize);
                // Of NaN and a number, `max` and `min` return the number.
                max = max.max(rise);
                min = min.min(rise);
                is_whole &= !rise.is_nan();
                j += 1.0;
            }
            let high = (max + error) * inverse;
            let low = (min - error) * inverse;
            let upper = high.max(left.high).max(right.high);
            bounds.upper[bin] = bounds.upper[bin].max(upper);
            if KEEPS_LOWEST {
                let lowest = low.min(left.lowest).min(right.lowest);
                bounds.lowest[bin] = bounds.lowest[bin].min(lowest);
            }
            bounds.is_whole[bin] &= is_whole;
            if bounds.is_whole[bin] && left.is_inside && right.is_inside {
                let high = high.max(left.on_line.high).max(right.on_line.high);
                let low = low.min(left.on_line.low).min(right.on_line.low);
                bounds.lower[bin] = bounds.lower[bin].max(low);
                bounds.min_upper[bin] = bounds.min_upper[bin].min(high);
            }
            left = right;
        }
    }
}
