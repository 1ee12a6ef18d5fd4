//! A sector of a quarter of the map: swept outward from the eye, line by line, in bins of azimuth.
//!
//! In perspective a point `d` lines from the eye, `m` aside and `r` above it is at the azimuth `m / d`
//! and has the rise `r / d`; edges of triangles stay straight. So within a bin an edge reaches highest
//! where it enters or leaves the bin, or at its ends.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of lines and bins, which are whole, not negative and below 2^32"
)]

use super::quarter::Quarter;
use super::sight_path::{NEAR_SAMPLE, Reach};
use super::start::{Start, Sweep};

/// How many lines back upper bounds are kept, and a line of sight is followed.
const KEPT: usize = 32;

/// The fewest and the most bins of a quarter.
const BINS: core::ops::RangeInclusive<usize> = 16..=1 << 14;

/// A part of a quarter, from one azimuth to another.
pub(super) struct Sector<'a> {
    quarter: Quarter<'a>,
    /// The azimuth at which the quarter's first bin starts.
    from: f64,
    width: f64,
    /// How many bins the quarter has, the first of them that is the sector's, and how many are.
    all_bins: usize,
    first_bin: usize,
    bins: usize,
}

/// The sectors of all quarters, so that `threads` threads have work.
pub(super) fn sectors<'a>(sweep: &'a Sweep<'a>, threads: usize) -> Vec<Sector<'a>> {
    let mut sectors = Vec::new();
    for (is_major_x, is_down) in [(true, false), (true, true), (false, false), (false, true)] {
        let quarter = Quarter::new(sweep, is_major_x, is_down);
        let Some([from, to]) = quarter.azimuths() else {
            continue;
        };
        let farthest = quarter.lines().last().map_or(0.0, |k| quarter.distance(k));
        // A bin is about as wide as a cell where the quarter ends.
        let bins = (((to - from) * farthest) as usize).clamp(*BINS.start(), *BINS.end());
        let width = ((to - from) / bins as f64).max(f64::MIN_POSITIVE);
        let parts = if threads > 1 { threads.min(bins) } else { 1 };
        for part in 0..parts {
            let [start, end] = [part, part + 1].map(|part| part * bins / parts);
            sectors.push(Sector {
                quarter,
                from,
                width,
                all_bins: bins,
                first_bin: start,
                bins: end - start,
            });
        }
    }
    sectors
}

/// What is known of the ground before the line that is swept, a bin of azimuth each.
struct Bounds {
    /// No edge reaches higher.
    upper: Vec<f64>,
    /// On some line all of the ground surely reaches so high.
    lower: Vec<f64>,
    /// On some line none of the ground reaches higher.
    least: Vec<f64>,
    /// Whether the ground has no hole.
    is_whole: Vec<bool>,
    /// `upper` after each of the last lines.
    kept: Vec<f64>,
}

/// The samples of a line in a bin.
#[derive(Clone, Copy)]
struct Samples {
    high: f64,
    low: f64,
    has_hole: bool,
}

impl Samples {
    const NONE: Self = Self {
        high: f64::NEG_INFINITY,
        low: f64::INFINITY,
        has_hole: false,
    };

    #[inline(always)]
    fn add(&mut self, rise: f64) {
        // Of NaN and a number, `max` and `min` return the number.
        self.high = self.high.max(rise);
        self.low = self.low.min(rise);
        self.has_hole |= rise.is_nan();
    }
}

/// The ground where a bin's side passes over a line, and over what is before it.
#[derive(Clone, Copy)]
struct Side {
    on_line: Reach,
    /// Of the line and what is before it.
    high: f64,
    /// Whether it is on the map there.
    is_inside: bool,
    is_whole: bool,
}

/// How a sample is found.
enum Verdict {
    Seen,
    Hidden,
    Unsure,
}

impl Sector<'_> {
    /// Sweeps the sector: of the samples that `is_seen`, hides those that the ground hides; `is_hidden`
    /// answers exactly, by column and row.
    pub(super) fn sweep(
        &self,
        is_seen: &(dyn Fn(usize) -> bool + Sync),
        hide: &(dyn Fn(usize) + Sync),
        is_hidden: &(dyn Fn(usize, usize) -> bool + Sync),
    ) {
        let quarter = &self.quarter;
        let mut bounds = Bounds {
            upper: vec![f64::NEG_INFINITY; self.bins],
            lower: vec![f64::NEG_INFINITY; self.bins],
            least: vec![f64::INFINITY; self.bins],
            is_whole: vec![true; self.bins],
            kept: vec![f64::NEG_INFINITY; self.bins * KEPT],
        };
        let mut samples = vec![Samples::NONE; self.bins];
        for (step, k) in quarter.lines().enumerate() {
            samples.fill(Samples::NONE);
            for j in self.minors(k) {
                let Some(bin) = self.bin(k, j) else { continue };
                let rise = quarter.rise(k, j);
                samples[bin].add(rise);
                let sample = quarter.sample(k, j);
                if !is_seen(sample) {
                    continue;
                }
                let is_sample_hidden = match self.decide(&bounds, (step, k, j), (bin, rise)) {
                    Verdict::Seen => false,
                    Verdict::Hidden => true,
                    Verdict::Unsure if quarter.is_major_x => is_hidden(k, j),
                    Verdict::Unsure => is_hidden(j, k),
                };
                if is_sample_hidden {
                    hide(sample);
                }
            }
            self.pass(&mut bounds, (step, k), &samples);
        }
    }

    /// The samples of a line that may be in the sector.
    fn minors(&self, k: usize) -> core::ops::Range<usize> {
        let (quarter, distance) = (&self.quarter, self.quarter.distance(k));
        let [low, high] = [0, self.bins].map(|side| quarter.minor + self.azimuth(side) * distance);
        let low = (low - 1.0).floor().max(0.0);
        let high = (high + 1.0).ceil().min(quarter.last_minor);
        if low > high {
            return 0..0;
        }
        low as usize..high as usize + 1
    }

    /// The bin of a sample, if it is in the sector.
    #[inline(always)]
    fn bin(&self, k: usize, j: usize) -> Option<usize> {
        let quarter = &self.quarter;
        let (across, distance) = (j as f64 - quarter.minor, quarter.distance(k));
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
        let bin = ((across / distance - self.from) / self.width).floor();
        let bin = bin.max(0.0).min(self.all_bins as f64 - 1.0) as usize;
        bin.checked_sub(self.first_bin)
            .filter(|bin| *bin < self.bins)
    }

    /// The azimuth of a side of the sector's bins.
    fn azimuth(&self, side: usize) -> f64 {
        self.from + (self.first_bin + side) as f64 * self.width
    }

    /// Whether the ground before line `k` hides its sample `j`.
    #[inline(always)]
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
        let is_surely_above = match sweep.start {
            Start::Above => bounds.is_whole[bin],
            _ => bounds.is_whole[bin] && low > bounds.least[bin],
        };
        if is_surely_above && high < bounds.lower[bin] {
            return Verdict::Hidden;
        }
        if sweep.start == Start::Below {
            let is_out = bounds.is_whole[bin] && low > bounds.least[bin];
            return if is_out {
                Verdict::Hidden
            } else {
                Verdict::Unsure
            };
        }
        if sweep.target_above < 0.0 || step == 0 {
            return Verdict::Unsure;
        }
        // Back along the line of sight, until nothing before reaches so high.
        let azimuth = (j as f64 - quarter.minor) / distance;
        let (mut line, mut minor) = (k, j as f64);
        for back in 1..=step.min(KEPT) {
            let here = quarter.distance(line);
            let before = quarter.minor + azimuth * (here - 1.0);
            let reach = quarter.reach_in_strip(line, before, minor, here);
            if reach.high >= low {
                return self.verdict_below(reach, high, is_surely_above);
            }
            let kept = (step - back) % KEPT;
            if low > bounds.kept[kept * self.bins + bin] {
                return Verdict::Seen;
            }
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

    fn verdict_below(&self, reach: Reach, high: f64, is_surely_above: bool) -> Verdict {
        if reach.low > high && reach.is_whole && is_surely_above {
            Verdict::Hidden
        } else {
            Verdict::Unsure
        }
    }

    /// Takes line `k` and what is before it into the bounds.
    fn pass(&self, bounds: &mut Bounds, (step, k): (usize, usize), samples: &[Samples]) {
        let (quarter, error) = (&self.quarter, self.quarter.sweep.error);
        let distance = quarter.distance(k);
        let inverse = 1.0 / distance;
        let side = |number: usize| {
            let azimuth = self.azimuth(number);
            let minor = quarter.minor + azimuth * distance;
            let before = minor - azimuth;
            let strip = quarter.reach_in_strip(k, before, minor, distance);
            let on_line = quarter.reach_on_line(k, minor, distance);
            Side {
                on_line,
                high: strip.high.max(on_line.high),
                is_inside: minor >= NEAR_SAMPLE && minor <= quarter.last_minor - NEAR_SAMPLE,
                is_whole: strip.is_whole && on_line.is_whole,
            }
        };
        let mut left = side(0);
        for (bin, own) in samples.iter().enumerate() {
            let right = side(bin + 1);
            let high = (own.high + error) * inverse;
            let low = (own.low - error) * inverse;
            let upper = high.max(left.high).max(right.high);
            bounds.upper[bin] = bounds.upper[bin].max(upper);
            bounds.is_whole[bin] &= left.is_whole && right.is_whole && !own.has_hole;
            if left.is_inside && right.is_inside {
                let high = high.max(left.on_line.high).max(right.on_line.high);
                let low = low.min(left.on_line.low).min(right.on_line.low);
                bounds.lower[bin] = bounds.lower[bin].max(low);
                bounds.least[bin] = bounds.least[bin].min(high);
            }
            left = right;
        }
        let kept = step % KEPT * self.bins;
        bounds.kept[kept..kept + self.bins].copy_from_slice(&bounds.upper);
    }
}
