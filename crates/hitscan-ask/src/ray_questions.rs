//! The columns of a question that is a ray, and the rays that they hold.

use crate::above::y_of;
use crate::filter::{IGNORE, MASK};
use hitscan::Ray;
use hitscan_assets::Scene;
use hitscan_table::{Axis, Bound, QuestionColumn, Questions};

/// The position of `oy`.
const OY: usize = 1;

/// The columns of a ray.
pub(crate) const QUESTIONS: [QuestionColumn; 10] = [
    QuestionColumn::required("ox").position(Axis::X, Bound::Point),
    QuestionColumn::required("oy")
        .position(Axis::Y, Bound::Point)
        .or_above("oy_above"),
    QuestionColumn::required("oz").position(Axis::Z, Bound::Point),
    QuestionColumn::required("dx"),
    QuestionColumn::required("dy"),
    QuestionColumn::required("dz"),
    QuestionColumn::optional("t_min", 0.0),
    QuestionColumn::optional("t_max", f32::INFINITY).accepting_infinity(),
    MASK,
    IGNORE,
];

/// Reads rays by the numbers of their questions; the error says why a question is invalid.
pub(crate) fn rays_of<'q>(
    scene: &'q Scene,
    questions: &'q Questions,
) -> impl Fn(usize) -> Result<Ray, String> + 'q {
    let columns: [&[f32]; 8] = std::array::from_fn(|column| questions.column(column));
    let is_above = questions.is_above(OY);
    move |question| {
        let [ox, mut oy, oz, dx, dy, dz, t_min, t_max] = columns.map(|column| column[question]);
        if is_above {
            oy = y_of(scene, questions, question, (OY, QUESTIONS[OY]), [ox, oz])?;
        }
        Ray::new([ox, oy, oz], [dx, dy, dz])
            .and_then(|ray| ray.with_range(t_min, t_max))
            .map_err(|error| error.to_string())
    }
}
