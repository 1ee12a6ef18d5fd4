//! A sector swept outward from the eye, line by line: first what of a strip of lines is not hidden as
//! whole blocks of 16x16 and of 4x4 cells, then the samples of each line and its bounds.

use super::bounds::Bounds;
use super::sector::Sector;
use super::verdict::SampleTests;
use crate::simd::dispatch;
use core::ops::Range;

impl Sector<'_> {
    /// Sweeps the sector: the samples in range that the ground does not hide, as numbers of 32 bits, of
    /// which there may be as many as the map has samples.
    pub(super) fn sweep(&self, tests: &SampleTests<'_>) -> Vec<u32> {
        dispatch!(self.quarter.sweep.field.width, _simd => self.sweep_all(tests))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sweep_all(&self, tests: &SampleTests<'_>) -> Vec<u32> {
        let quarter = &self.quarter;
        let mut bounds = Bounds::new(self.bins, quarter.sweep.may_pass_below());
        let lines: Vec<usize> = quarter.lines().collect();
        let mut seen = Vec::new();
        let mut step = 0;
        let all = vec![quarter.minor_cells()];
        for wide in quarter.strips(&lines, 2) {
            let near_runs = self.active(&mut bounds, (wide, 2), &all);
            for strip in quarter.strips(wide, 1) {
                let runs = self.active(&mut bounds, (strip, 1), &near_runs);
                let samples: usize = runs.iter().map(|run| run.len() * strip.len()).sum();
                if (tests.is_over)(samples) {
                    return seen;
                }
                self.sweep_strip(&mut bounds, (step, strip), &runs, tests, &mut seen);
                step += strip.len();
            }
        }
        seen
    }

    /// Sweeps a strip of lines, over some of its minor cells.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sweep_strip(
        &self,
        bounds: &mut Bounds,
        (first, strip): (usize, &[usize]),
        runs: &[Range<usize>],
        tests: &SampleTests<'_>,
        seen: &mut Vec<u32>,
    ) {
        let bins = |strip: &[usize]| -> Vec<_> {
            (runs.iter().map(|run| self.bins_over(run, strip))).collect()
        };
        let all_bins = bins(strip);
        for bins in &all_bins {
            bounds.activate(bins.clone(), first, strip.len());
        }
        for (step, &k) in (first..).zip(strip) {
            let line_bins = bins(&[k]);
            for bins in &line_bins {
                self.decide_line(bounds, (step, k), bins, tests, seen);
            }
            for bins in line_bins {
                if self.quarter.sweep.may_pass_below() {
                    self.pass::<true>(bounds, k, bins);
                } else {
                    self.pass::<false>(bounds, k, bins);
                }
            }
            for bins in &all_bins {
                bounds.keep(bins.clone(), step);
            }
        }
    }
}
