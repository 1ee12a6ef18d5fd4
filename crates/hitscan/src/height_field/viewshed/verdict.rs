//! Visibility of the samples of a line: by the bounds of their bins, by a few steps back along their
//! line of sight, or by the exact segment.

use super::bounds::{Bounds, KEPT};
use super::sector::Sector;
use super::sight_path::SlopeBounds;
use super::start::Start;
use core::ops::Range;

/// The visibility of a sample, as far as bounds decide it.
enum SampleVisibility {
    Visible,
    Hidden,
    Uncertain,
}

/// Tests of single samples: whether one is in range, whether the exact segment to one, by column and row, is
/// blocked, and whether to go on.
pub(super) struct SampleTests<'a> {
    pub(super) is_in_range: &'a (dyn Fn(usize) -> bool + Sync),
    pub(super) is_hidden: &'a (dyn Fn(usize, usize) -> bool + Sync),
    /// Whether so many more samples, which are then tested, exceed a limit.
    pub(super) is_over: &'a (dyn Fn(usize) -> bool + Sync),
}

impl Sector<'_> {
    /// Decides the samples of a line in these bins.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn decide_line(
        &self,
        bounds: &Bounds,
        (step, k): (usize, usize),
        bins: &Range<usize>,
        tests: &SampleTests<'_>,
        seen: &mut Vec<u32>,
    ) {
        let quarter = &self.quarter;
        let distance = quarter.distance(k);
        let inverse = 1.0 / distance;
        let is_above = quarter.sweep.start == Start::Above;
        // More than the error of a sample's slope.
        let rise_beside = quarter.sweep.target_above + 2.0 * quarter.sweep.error;
        for j in self.minors(k, bins) {
            let Some(bin) = self
                .bin(j, [distance, inverse])
                .filter(|bin| bins.contains(bin))
            else {
                continue;
            };
            let rise = quarter.rise(k, j);
            let is_low = (rise + rise_beside) * inverse < bounds.lower[bin];
            if rise.is_nan() || (is_above && is_low) {
                continue;
            }
            let visibility = self.decide(bounds, (step, k, j), (bin, rise));
            if let SampleVisibility::Hidden = visibility {
                continue;
            }
            let sample = quarter.sample(k, j);
            if !(tests.is_in_range)(sample) {
                continue;
            }
            let is_hidden = match visibility {
                SampleVisibility::Visible => false,
                SampleVisibility::Hidden => true,
                SampleVisibility::Uncertain
                    if quarter.sweep.may_pass_below()
                        && self.is_below_ground(bounds, (step, k, j), (bin, rise)) =>
                {
                    false
                }
                SampleVisibility::Uncertain if quarter.is_major_x => (tests.is_hidden)(k, j),
                SampleVisibility::Uncertain => (tests.is_hidden)(j, k),
            };
            if !is_hidden {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a checked grid has fewer than 2^32 samples"
                )]
                seen.push(sample as u32);
            }
        }
    }

    /// Whether the ground before line `k` hides its sample `j`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn decide(
        &self,
        bounds: &Bounds,
        (step, k, j): (usize, usize, usize),
        (bin, rise): (usize, f64),
    ) -> SampleVisibility {
        let (quarter, sweep) = (&self.quarter, self.quarter.sweep);
        let distance = quarter.distance(k);
        let error = sweep.error / distance;
        let slope = (rise + sweep.target_above) / distance;
        let (low, high) = (slope - error, slope + error);
        let is_surely_above = sweep.start == Start::Above || low > bounds.min_upper[bin];
        if is_surely_above && high < bounds.lower[bin] {
            return SampleVisibility::Hidden;
        }
        if sweep.start == Start::Below {
            return if is_surely_above {
                SampleVisibility::Hidden
            } else {
                SampleVisibility::Uncertain
            };
        }
        if sweep.target_above < 0.0 || step == 0 {
            return SampleVisibility::Uncertain;
        }
        let is_surely_above = is_surely_above && bounds.is_whole[bin];
        // Back along the line of sight, until nothing before reaches so high.
        let azimuth = (j as f64 - quarter.minor) / distance;
        let (mut line, mut minor, mut target) = (k, j as f64, Some(j));
        for back in 1..=step.min(KEPT) {
            let here = quarter.distance(line);
            let before = quarter.minor + azimuth * (here - 1.0);
            let slopes = quarter.slopes_in_strip(line, [before, minor], here, target);
            if slopes.high >= low {
                return self.visibility_below(slopes, high, is_surely_above);
            }
            if bounds.were_below(low, bin, step - back) {
                return SampleVisibility::Visible;
            }
            target = None;
            let Some(previous) = quarter.line_before(line) else {
                return SampleVisibility::Uncertain;
            };
            let slopes = quarter.slopes_on_line(previous, before, here - 1.0);
            if slopes.high >= low {
                return self.visibility_below(slopes, high, is_surely_above);
            }
            (line, minor) = (previous, before);
        }
        SampleVisibility::Uncertain
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visibility_below(
        &self,
        slopes: SlopeBounds,
        high: f64,
        is_surely_above: bool,
    ) -> SampleVisibility {
        if slopes.low > high && slopes.is_whole && is_surely_above {
            SampleVisibility::Hidden
        } else {
            SampleVisibility::Uncertain
        }
    }

    /// Whether the line of sight to sample `j` of line `k` is surely below all of the ground that it
    /// passes, and so crosses none of it: back along it, until all before is higher.
    #[inline(never)]
    fn is_below_ground(
        &self,
        bounds: &Bounds,
        (step, k, j): (usize, usize, usize),
        (bin, rise): (usize, f64),
    ) -> bool {
        let (quarter, sweep) = (&self.quarter, self.quarter.sweep);
        let distance = quarter.distance(k);
        let high = (rise + sweep.target_above + sweep.error) / distance;
        let azimuth = (j as f64 - quarter.minor) / distance;
        let (mut line, mut minor, mut target) = (k, j as f64, Some(j));
        for back in 1..=step.min(KEPT) {
            let here = quarter.distance(line);
            let before = quarter.minor + azimuth * (here - 1.0);
            let slopes = quarter.slopes_in_strip(line, [before, minor], here, target);
            if slopes.lowest <= high {
                return false;
            }
            if bounds.were_above(high, bin, step - back) {
                return true;
            }
            let Some(previous) = quarter.line_before(line) else {
                return false;
            };
            if quarter.slopes_on_line(previous, before, here - 1.0).lowest <= high {
                return false;
            }
            (line, minor, target) = (previous, before, None);
        }
        false
    }
}
