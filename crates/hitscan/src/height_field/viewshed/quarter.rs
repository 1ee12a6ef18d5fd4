//! A quarter of the map around the eye: its lines in the order in which they are passed.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of lines and bins, which are whole, not negative and below 2^32"
)]

use super::start::Sweep;
use crate::height_field::Diagonal;
use crate::height_field::storage::pyramid::FAN_OUT;
use core::ops::Range;

/// A quarter of the map: the samples that are farther from the eye along one axis, the major one, than
/// across it, to one side of the eye.
#[derive(Clone, Copy)]
pub(super) struct Quarter<'a> {
    pub(super) sweep: &'a Sweep<'a>,
    pub(super) is_major_x: bool,
    /// Whether lines are passed by falling index.
    is_down: bool,
    /// The last line, and the last minor line.
    last_major: usize,
    pub(super) last_minor: f64,
    /// The eye's place.
    major: f64,
    pub(super) minor: f64,
    strides: [usize; 2],
    /// Whether diagonals lead to the next minor line as the path goes outward.
    pub(super) has_rising_diagonals: bool,
}

impl<'a> Quarter<'a> {
    /// Of all quarters whether x is the major axis, and whether lines are passed by falling index.
    pub(super) const ALL: [(bool, bool); 4] =
        [(true, false), (true, true), (false, false), (false, true)];

    pub(super) fn new(sweep: &'a Sweep<'a>, is_major_x: bool, is_down: bool) -> Self {
        let grid = &sweep.field.grid;
        let (x, z) = (grid.columns - 1, grid.rows - 1);
        let (majors, minors) = if is_major_x { (x, z) } else { (z, x) };
        let [column, row] = sweep.place;
        let (major, minor) = if is_major_x {
            (column, row)
        } else {
            (row, column)
        };
        let strides = if is_major_x {
            [1, grid.columns]
        } else {
            [grid.columns, 1]
        };
        Self {
            sweep,
            is_major_x,
            is_down,
            last_major: majors,
            last_minor: minors as f64,
            major,
            minor,
            strides,
            has_rising_diagonals: (grid.diagonal == Diagonal::Main) != is_down,
        }
    }

    /// The lines in the order in which they are passed.
    pub(super) fn lines(&self) -> impl Iterator<Item = usize> + use<> {
        let (last, major, is_down) = (self.last_major as f64, self.major, self.is_down);
        // From which lines to which, in steps from the first; none where the eye is beyond all.
        let (first, count) = if is_down {
            let first = (major.ceil() - 1.0).min(last);
            (first, first + 1.0)
        } else {
            let first = (major.floor() + 1.0).max(0.0);
            (first, last - first + 1.0)
        };
        let count = if count > 0.0 { count as usize } else { 0 };
        (0..count).map(move |step| {
            let first = first as usize;
            if is_down { first - step } else { first + step }
        })
    }

    /// The line that is passed before `k`, if it is on the map; it may be behind the eye.
    pub(super) fn line_before(&self, k: usize) -> Option<usize> {
        if self.is_down {
            (k < self.last_major).then_some(k + 1)
        } else {
            k.checked_sub(1)
        }
    }

    /// The lines, as passed, by the row of blocks of this level in which the cells before them are.
    pub(super) fn strips<'l>(
        &self,
        lines: &'l [usize],
        level: usize,
    ) -> impl Iterator<Item = &'l [usize]> + use<'a, 'l> {
        let (quarter, size) = (*self, FAN_OUT.pow(level as u32));
        let row = move |k: usize| Some(quarter.line_before(k)?.min(k) / size);
        lines.chunk_by(move |one, next| row(*one) == row(*next))
    }

    /// The minimum and maximum distance of the cells before a strip's lines.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn distances_of(&self, strip: &[usize]) -> [f64; 2] {
        match strip {
            [first, .., last] => [self.distance(*first) - 1.0, self.distance(*last)],
            [one] => [self.distance(*one) - 1.0, self.distance(*one)],
            [] => [0.0; 2],
        }
    }

    /// All cells between minor lines.
    pub(super) fn minor_cells(&self) -> Range<usize> {
        0..self.last_minor as usize
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn distance(&self, k: usize) -> f64 {
        (k as f64 - self.major).abs()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn sample(&self, k: usize, j: usize) -> usize {
        k * self.strides[0] + j * self.strides[1]
    }

    /// How far a sample is above the eye; NaN for a hole.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn rise(&self, k: usize, j: usize) -> f64 {
        let field = self.sweep.field;
        field.grid.y(field.heights[self.sample(k, j)]) - self.sweep.eye.y
    }

    /// The azimuths between which the quarter has samples.
    pub(super) fn azimuths(&self) -> Option<[f64; 2]> {
        let [near, far] = [self.lines().next()?, self.lines().last()?].map(|k| self.distance(k));
        let at = |minor: f64| {
            let [one, other] = [near, far].map(|distance| (minor - self.minor) / distance);
            [one.min(other), one.max(other)]
        };
        let low = at(0.0)[0].max(-1.0);
        let high = at(self.last_minor)[1].min(1.0);
        (low <= high).then_some([low, high])
    }
}
