//! The start of a viewshed's sweep: the eye in units of the grid, the ground below it, and the bound on
//! the error of f64.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of lines and bins, which are whole, not negative and below 2^32"
)]

use super::eye_triangles::{NEAREST, eye_triangles};
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::height_field::{HeightField, WideGround};
use crate::narrow_phase::sight::is_on_ground;
use glam::DVec3;

/// Where positions in units of the grid may be off by more, nothing is decided in f64.
const MAX_POSITION_ERROR: f64 = 1e-8;

/// How the eye is placed above the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Surely above it.
    Above,
    /// On it, so that the triangle there hides nothing.
    On,
    /// Surely below it.
    Below,
    /// There is no ground.
    NoGround,
    /// Nothing is sure.
    Unsure,
}

/// The state that all sectors of a sweep have in common.
pub(super) struct Sweep<'a> {
    pub(super) field: &'a HeightField,
    pub(super) eye: DVec3,
    /// The eye in columns and rows.
    pub(super) place: [f64; 2],
    pub(super) start: Start,
    pub(super) target_above: f64,
    /// Bound on the error of a height on an edge, where a line of sight passes over it, metres.
    pub(super) error: f64,
    /// Bound on the error of a place in columns and rows.
    pub(super) position_error: f64,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(field: &'a HeightField, eye: DVec3, target_above: f64) -> Self {
        let grid = &field.grid;
        let lines = [grid.x_lines(), grid.z_lines()];
        let eye_across = [eye.x, eye.z];
        let place =
            [0, 1].map(|axis: usize| (eye_across[axis] - lines[axis].origin) / lines[axis].spacing);
        // A line's coordinate, the eye's place, a path's and the fraction of an edge round a few times
        // each, in units of the numbers involved.
        let position_error = [0, 1].map(|axis: usize| {
            let (line, eye) = (lines[axis], eye_across[axis]);
            let extent = line.first().abs().max(line.end().abs()) + eye.abs();
            let index = line.last as f64 + place[axis].abs();
            64.0 * UNIT_ROUNDOFF * (extent / line.spacing + index + 1.0)
        });
        let position_error = position_error[0].max(position_error[1]);
        let range = field.ranges.root();
        let [low, high] = [range.min, range.max].map(|height| grid.y(height));
        let max_abs = low.abs().max(high.abs()) + eye.y.abs() + target_above.abs();
        let relief = high - low;
        let mut sweep = Self {
            field,
            eye,
            place,
            start: Start::Unsure,
            target_above,
            position_error,
            // An edge's heights differ by the relief at most.
            error: 32.0 * UNIT_ROUNDOFF * max_abs + 4.0 * position_error * relief,
        };
        // Feet within a rounding error of the ground may count as on it.
        let is_hair = target_above != 0.0 && target_above.abs() <= max_abs / 1_048_576.0;
        if position_error < MAX_POSITION_ERROR && !range.is_empty() && !is_hair {
            sweep.start = sweep.start();
        }
        sweep
    }

    /// How the eye is placed.
    fn start(&self) -> Start {
        let Self { field, eye, .. } = self;
        let at_eye = eye_triangles(field, *eye, self.place);
        let is_harmless = at_eye.iter().all(|triangle| triangle.is_harmless);
        match field.ground_at(eye.x, eye.z) {
            WideGround::Height {
                height, corners, ..
            } => {
                let above = eye.y - height;
                // What ground within [`NEAREST`] rises by at most.
                let heights = at_eye
                    .iter()
                    .flat_map(|at| at.corners.map(|corner| corner.y));
                let low = heights.clone().fold(height, f64::min);
                let rise = 2.0 * NEAREST * (heights.fold(height, f64::max) - low);
                if is_on_ground(*eye, &corners) {
                    match is_harmless {
                        true => Start::On,
                        false => Start::Unsure,
                    }
                } else if above > self.error + rise {
                    Start::Above
                } else if above < -self.error - rise {
                    Start::Below
                } else {
                    Start::Unsure
                }
            }
            WideGround::Outside | WideGround::Hole => match is_harmless {
                true => Start::NoGround,
                false => Start::Unsure,
            },
        }
    }

    /// Whether a line of sight may be below the ground from the eye on, and cross none of it: the triangles at
    /// the eye do not block it.
    pub(super) fn may_pass_below(&self) -> bool {
        matches!(self.start, Start::On | Start::NoGround) && self.target_above <= 0.0
    }

    /// The column and row of the sample that is straight above or below the eye, as f64 has it.
    pub(super) fn sample_below_eye(&self) -> Option<[usize; 2]> {
        let grid = &self.field.grid;
        let [column, row] = self.place;
        let is_sample = column.fract() == 0.0
            && row.fract() == 0.0
            && (0.0..grid.columns as f64).contains(&column)
            && (0.0..grid.rows as f64).contains(&row);
        is_sample.then_some([column as usize, row as usize])
    }
}
