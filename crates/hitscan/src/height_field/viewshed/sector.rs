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

use super::quarter::{Quarter, SIDE};
use super::sight_path::{NEAR_SAMPLE, Reach};
use super::start::{Start, Sweep};
use core::ops::Range;

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
    /// On some line before the first hole all of the ground surely reaches so high.
    lower: Vec<f64>,
    /// On some line before the first hole none of the ground reaches higher.
    least: Vec<f64>,
    /// Whether the ground has no hole.
    is_whole: Vec<bool>,
    /// `upper` after each of the last lines, of bins that were active then.
    kept: Vec<f64>,
    /// From which step on `kept` is of use.
    kept_from: Vec<usize>,
    /// The step up to which a bin is active.
    active_until: Vec<usize>,
}

/// The ground where a bin's side passes over a line, and over what is before it.
#[derive(Clone, Copy)]
struct Side {
    on_line: Reach,
    /// Of the line and what is before it.
    high: f64,
    /// The last sample of the line that is not beyond.
    cell: f64,
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

/// What a sector asks about samples: whether one is in reach, and whether the exact segment to one, by
/// column and row, is blocked.
pub(super) struct Asked<'a> {
    pub(super) is_in_reach: &'a (dyn Fn(usize) -> bool + Sync),
    pub(super) is_hidden: &'a (dyn Fn(usize, usize) -> bool + Sync),
}

impl Sector<'_> {
    /// Sweeps the sector: the samples in reach that the ground does not hide.
    pub(super) fn sweep(&self, asked: &Asked<'_>) -> Vec<usize> {
        let quarter = &self.quarter;
        let mut bounds = Bounds {
            upper: vec![f64::NEG_INFINITY; self.bins],
            lower: vec![f64::NEG_INFINITY; self.bins],
            least: vec![f64::INFINITY; self.bins],
            is_whole: vec![true; self.bins],
            kept: vec![f64::NEG_INFINITY; self.bins * KEPT],
            kept_from: vec![0; self.bins],
            active_until: vec![0; self.bins],
        };
        let lines: Vec<usize> = quarter.lines().collect();
        let mut seen = Vec::new();
        let mut step = 0;
        for strip in lines.chunk_by(|one, next| quarter.block_of(*one) == quarter.block_of(*next)) {
            let runs = self.active(&mut bounds, strip);
            let bins: Vec<_> = runs.iter().map(|run| self.bins_over(run, strip)).collect();
            for bins in &bins {
                bounds.activate(bins.clone(), step, strip.len());
            }
            for &k in strip {
                for run in &runs {
                    let bins = self.bins_over(run, &[k]);
                    self.decide_line(&bounds, (step, k), bins, asked, &mut seen);
                }
                for run in &runs {
                    let bins = self.bins_over(run, &[k]);
                    self.pass(&mut bounds, k, bins);
                }
                for bins in &bins {
                    let kept = step % KEPT * self.bins;
                    bounds.kept[kept + bins.start..kept + bins.end]
                        .copy_from_slice(&bounds.upper[bins.clone()]);
                }
                step += 1;
            }
        }
        seen
    }

    /// The minor cells of a strip of lines that what is before does not hide as a whole.
    fn active(&self, bounds: &mut Bounds, strip: &[usize]) -> Vec<Range<usize>> {
        let (quarter, sweep) = (&self.quarter, self.quarter.sweep);
        let all = 0..quarter.last_minor as usize;
        let (Some(first), Some(last)) = (strip.first(), strip.last()) else {
            return vec![all];
        };
        let (near, far) = (quarter.distance(*first) - 1.0, quarter.distance(*last));
        let block = quarter.block_of(*first);
        let is_skipped = near >= 1.0 && sweep.start != Start::Below && quarter.has_blocks();
        let Some(block) = block.filter(|_| is_skipped) else {
            return vec![all];
        };
        let sides = [0, self.bins].map(|side| self.azimuth(side));
        let [start, end] = [
            sides[0] * if sides[0] < 0.0 { far } else { near },
            sides[1] * if sides[1] < 0.0 { near } else { far },
        ];
        let start = (quarter.minor + start - 1.0).max(0.0) as usize / SIDE * SIDE;
        let end = (quarter.minor + end + 1.0).min(quarter.last_minor);
        let end = if end > 0.0 { end as usize + 1 } else { 0 };
        let end = end.min(all.end);
        let mut runs: Vec<Range<usize>> = Vec::new();
        for minor in (start..end).step_by(SIDE) {
            let cells = minor..(minor + SIDE).min(all.end);
            let bins = self.bins_over(&cells, strip);
            let range = quarter.range([block, minor / SIDE]);
            let [low, high] = [range.min, range.max].map(|height| sweep.field.grid.y(height));
            let high = high - sweep.eye.y + sweep.target_above.max(0.0) + 2.0 * sweep.error;
            let low = low - sweep.eye.y + sweep.target_above.min(0.0) - 2.0 * sweep.error;
            let high = high / if high > 0.0 { near } else { far };
            let low = low / if low > 0.0 { far } else { near };
            let is_hidden = bounds.lower[bins.clone()].iter().all(|lower| high < *lower)
                && (sweep.start == Start::Above
                    || bounds.least[bins.clone()].iter().all(|least| low > *least));
            if is_hidden {
                if quarter.has_hole([block, minor / SIDE]) {
                    bounds.is_whole[bins].fill(false);
                }
                continue;
            }
            match runs.last_mut() {
                Some(run) if run.end == minor => run.end = cells.end,
                _ => runs.push(cells),
            }
        }
        runs
    }

    /// The bins that have a point over these minor cells on a line of a strip or between it and the line
    /// before.
    #[inline(always)]
    fn bins_over(&self, cells: &Range<usize>, strip: &[usize]) -> Range<usize> {
        let quarter = &self.quarter;
        let (Some(first), Some(last)) = (strip.first(), strip.last()) else {
            return 0..0;
        };
        let (near, far) = (quarter.distance(*first) - 1.0, quarter.distance(*last));
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

    /// Decides the samples of a line in these bins.
    fn decide_line(
        &self,
        bounds: &Bounds,
        (step, k): (usize, usize),
        bins: Range<usize>,
        asked: &Asked<'_>,
        seen: &mut Vec<usize>,
    ) {
        let quarter = &self.quarter;
        for j in self.minors(k, &bins) {
            let Some(bin) = self.bin(k, j).filter(|bin| bins.contains(bin)) else {
                continue;
            };
            let rise = quarter.rise(k, j);
            if rise.is_nan() {
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
                Verdict::Unsure if quarter.is_major_x => (asked.is_hidden)(k, j),
                Verdict::Unsure => (asked.is_hidden)(j, k),
            };
            if !is_hidden {
                seen.push(sample);
            }
        }
    }

    /// The samples of a line that may be in these bins.
    fn minors(&self, k: usize, bins: &Range<usize>) -> Range<usize> {
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
            let kept = step - back;
            if kept >= bounds.kept_from[bin] && low > bounds.kept[kept % KEPT * self.bins + bin] {
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

    fn verdict_below(&self, reach: Reach, high: f64, is_surely_above: bool) -> Verdict {
        if reach.low > high && reach.is_whole && is_surely_above {
            Verdict::Hidden
        } else {
            Verdict::Unsure
        }
    }

    /// Takes line `k` and what is before it into the bounds of these bins.
    fn pass(&self, bounds: &mut Bounds, k: usize, bins: Range<usize>) {
        let (quarter, error) = (&self.quarter, self.quarter.sweep.error);
        let distance = quarter.distance(k);
        let inverse = 1.0 / distance;
        let side = |number: usize| {
            let azimuth = self.azimuth(number);
            let minor = quarter.minor + azimuth * distance;
            let before = minor - azimuth;
            let strip = quarter.reach_in_strip(k, [before, minor], distance, None);
            let on_line = quarter.reach_on_line(k, minor, distance);
            Side {
                on_line,
                high: strip.high.max(on_line.high),
                cell: minor.floor(),
                is_inside: minor >= NEAR_SAMPLE && minor <= quarter.last_minor - NEAR_SAMPLE,
                is_whole: strip.is_whole && on_line.is_whole,
            }
        };
        let mut left = side(bins.start);
        for bin in bins {
            let right = side(bin + 1);
            let (mut most, mut least) = (f64::NEG_INFINITY, f64::INFINITY);
            let mut is_whole = left.is_whole && right.is_whole;
            let (mut j, last) = (
                (left.cell + 1.0).max(0.0),
                right.cell.min(quarter.last_minor),
            );
            while j <= last {
                let rise = quarter.rise(k, j as usize);
                // Of NaN and a number, `max` and `min` return the number.
                most = most.max(rise);
                least = least.min(rise);
                is_whole &= !rise.is_nan();
                j += 1.0;
            }
            let high = (most + error) * inverse;
            let low = (least - error) * inverse;
            let upper = high.max(left.high).max(right.high);
            bounds.upper[bin] = bounds.upper[bin].max(upper);
            bounds.is_whole[bin] &= is_whole;
            if bounds.is_whole[bin] && left.is_inside && right.is_inside {
                let high = high.max(left.on_line.high).max(right.on_line.high);
                let low = low.min(left.on_line.low).min(right.on_line.low);
                bounds.lower[bin] = bounds.lower[bin].max(low);
                bounds.least[bin] = bounds.least[bin].min(high);
            }
            left = right;
        }
    }
}

impl Bounds {
    /// Makes bins active for so many steps.
    fn activate(&mut self, bins: Range<usize>, step: usize, steps: usize) {
        let row = self.upper.len();
        for bin in bins {
            if self.active_until[bin] < step {
                // Before, nothing was higher for some lines.
                self.kept[(step - 1) % KEPT * row + bin] = self.upper[bin];
                self.kept_from[bin] = step - 1;
            }
            self.active_until[bin] = step + steps;
        }
    }
}
