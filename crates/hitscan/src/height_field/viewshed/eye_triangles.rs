//! The triangles at the eye, seen from above: those that contain it or are within a rounding error of it.

use crate::height_field::HeightField;
use crate::narrow_phase::sight::{is_in_plane, is_on_ground};
use glam::DVec3;

/// So near to the eye, in units of the grid, edges are not looked at: the eye is farther above the
/// ground than they may reach there, or no edge is so near that is not below the eye itself.
pub(super) const NEAREST: f64 = 1e-6;

/// So near to the eye, in units of the grid, a triangle is one of those at the eye: more than what a
/// sweep does not look at, along both axes.
const NEAR: f64 = 4.0 * NEAREST;

/// A triangle at the eye.
pub(super) struct EyeTriangle {
    pub(super) column: usize,
    pub(super) row: usize,
    pub(super) half: usize,
    pub(super) corners: [DVec3; 3],
    /// Whether the eye is exactly in its plane.
    pub(super) has_eye_in_plane: bool,
    /// Whether it blocks no line of sight from the eye: the eye is on it, or in its plane.
    pub(super) is_harmless: bool,
}

/// The triangles at the eye, which is at this place in columns and rows.
pub(super) fn eye_triangles(field: &HeightField, eye: DVec3, place: [f64; 2]) -> Vec<EyeTriangle> {
    let grid = &field.grid;
    let [columns, rows] = [(place[0], grid.columns - 1), (place[1], grid.rows - 1)]
        .map(|(at, cells)| cells_at(at, cells));
    let mut triangles = Vec::new();
    for row in rows {
        for column in columns.clone() {
            let cell = field.cell(column, row);
            for half in 0..2 {
                let Some(corners) = cell.triangle(half) else {
                    continue;
                };
                // How far the eye is on the triangle's side of the diagonal, from the right angle's.
                let from_angle: f64 = (cell.right_angle(half).into_iter())
                    .zip([place[0] - column as f64, place[1] - row as f64])
                    .map(|(corner, at)| (at - corner as f64).abs())
                    .sum();
                if from_angle > 1.0 + 4.0 * NEAR {
                    continue;
                }
                let has_eye_in_plane = is_in_plane(eye, &corners);
                triangles.push(EyeTriangle {
                    column,
                    row,
                    half,
                    corners,
                    has_eye_in_plane,
                    is_harmless: has_eye_in_plane || is_on_ground(eye, &corners),
                });
            }
        }
    }
    triangles
}

/// The cells along an axis that are near to a place.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from f64 keeps within the range of integers"
)]
fn cells_at(place: f64, cells: usize) -> core::ops::Range<usize> {
    let first = (place - NEAR).floor();
    let end = (place + NEAR).floor() + 1.0;
    // Of both ends of the map the last line belongs to the cell before it.
    let first = (first.max(0.0) as usize).min(cells);
    let end = (end.max(0.0) as usize).min(cells);
    first..end
}
