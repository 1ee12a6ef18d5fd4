//! Visibility of the samples of a line: by the bounds of their bins, by a few steps back along their
//! line of sight, or by the exact segment.

use super::bounds::{Bounds, KEPT};
use super::sector::Sector;
use super::sight_path::Reach;
use super::start::Start;
use core::ops::Range;

/// How a sample is found.
enum Verdict {
    Seen,
    Hidden,
    Unsure,
}

/// What a sector asks about samples: whether one is in reach, and whether the exact segment to one, by
/// column and row, is blocked.
pub(super) struct Asked<'a> {
    pub(super) is_in_reach: &'a (dyn Fn(usize) -> bool + Sync),
    pub(super) is_hidden: &'a (dyn Fn(usize, usize) -> bool + Sync),
}

impl Sector<'_> {
    /// Decides the samples of a line in these bins.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn decide_line(
        &self,
        bounds: &Bounds,
        (step, k): (usize, usize),
        bins: &Range<usize>,
        asked: &Asked<'_>,
        seen: &mut Vec<usize>,
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
            let verdict = self.decide(bounds, (step, k, j), (bin, rise));
            if let Verdict::Hidden = verdict {
                continue;
            }
            let sample = quarter.sample(k, j);
            if !(asked.is_in_reach)(sample) {
                continue;
            }
            let is_hidden = match verdict {
                Verdict::Seen => false,
                Verdict::Hidden => true,
                Verdict::Unsure
                    if quarter.sweep.may_pass_below()
                        && self.is_below_ground(bounds, (step, k, j), (bin, rise)) =>
                {
                    false
                }
                Verdict::Unsure if quarter.is_major_x => (asked.is_hidden)(k, j),
                Verdict::Unsure => (asked.is_hidden)(j, k),
            };
            if !is_hidden {
                seen.push(sample);
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
    ) -> Verdict {
        let (quarter, sweep) = (&self.quarter, self.quarter.sweep);
        let distance = quarter.distance(k);
        let error = sweep.error / distance;
        let slope = (rise + sweep.target_above) / distance;
        let (low, high) = (slope - error, slope + error);
        let is_surely_above = sweep.start == Start::Above || low > bounds.least[bin];
        if is_surely_above && high < bounds.lower[bin] {
            return Verdict::Hidden;
        }
        if sweep.start == Start::Below {
            return if is_surely_above {
                Verdict::Hidden
            } else {
                Verdict::Unsure
            };
        }
        if sweep.target_above < 0.0 || step == 0 {
            return Verdict::Unsure;
        }
        let is_surely_above = is_surely_above && bounds.is_whole[bin];
        // Back along the line of sight, until nothing before reaches so high.
        let azimuth = (j as f64 - quarter.minor) / distance;
        let (mut line, mut minor, mut target) = (k, j as f64, Some(j));
        for back in 1..=step.min(KEPT) {
            let here = quarter.distance(line);
            let before = quarter.minor + azimuth * (here - 1.0);
            let reach = quarter.reach_in_strip(line, [before, minor], here, target);
            if reach.high >= low {
                return self.verdict_below(reach, high, is_surely_above);
            }
            if bounds.were_below(low, bin, step - back) {
                return Verdict::Seen;
            }
            target = None;
            let Some(previous) = quarter.line_before(line) else {
                return Verdict::Unsure;
            };
            let reach = quarter.reach_on_line(previous, before, here - 1.0);
            if reach.high >= low {
                return self.verdict_below(reach, high, is_surely_above);
            }
            (line, minor) = (previous, before);
        }
        Verdict::Unsure
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn verdict_below(&self, reach: Reach, high: f64, is_surely_above: bool) -> Verdict {
        if reach.low > high && reach.is_whole && is_surely_above {
            Verdict::Hidden
        } else {
            Verdict::Unsure
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
            let reach = quarter.reach_in_strip(line, [before, minor], here, target);
            if reach.lowest <= high {
                return false;
            }
            if bounds.were_above(high, bin, step - back) {
                return true;
            }
            let Some(previous) = quarter.line_before(line) else {
                return false;
            };
            if quarter.reach_on_line(previous, before, here - 1.0).lowest <= high {
                return false;
            }
            (line, minor, target) = (previous, before, None);
        }
        false
    }
}
