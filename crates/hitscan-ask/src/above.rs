//! Heights above the ground: where a table says how far over the terrain something is.
//!
//! All terrains of the scene count, whatever a row's filter: the ground is where it is.

use hitscan_assets::Scene;
use hitscan_table::{QuestionColumn, Questions};

/// The y of a question in the column at `index`, or above the ground at (x, z) where the table has it
/// under the column's other name.
pub(crate) fn y_of(
    scene: &Scene,
    questions: &Questions,
    question: usize,
    (index, column): (usize, QuestionColumn),
    xz: [f32; 2],
) -> Result<f32, String> {
    let y = questions.column(index)[question];
    match column.above {
        Some(name) if questions.is_above(index) => y_above_ground(scene, xz, y, name),
        _ => Ok(y),
    }
}

/// The y that is `above` metres over the ground at (x, z): the exact height of the highest terrain
/// and the sum are f64, rounded once. The error says why there is no ground, for `column`.
fn y_above_ground(
    scene: &Scene,
    [x, z]: [f32; 2],
    above: f32,
    column: &str,
) -> Result<f32, String> {
    let snapshot = scene.now();
    let fields = snapshot.height_fields(());
    let heights = fields.filter_map(|(_, field)| field.height_f64([x, z].map(f64::from)));
    let Some(ground) = heights.reduce(f64::max) else {
        return Err(format!(
            "`{column}` has no ground to count from: the point is off every map, or over a hole"
        ));
    };
    #[expect(clippy::cast_possible_truncation, reason = "the rounding is wanted")]
    let y = (ground + f64::from(above)) as f32;
    if y.is_finite() {
        Ok(y)
    } else {
        Err(format!("`{column}` is too far above the ground for f32"))
    }
}
