//! Tables of eyes: from where a terrain is looked at, as `hitscan viewshed --eyes` reads them.

use crate::frame::table_frame;
use crate::invalid::Invalid;
use hitscan::ObjectId;
use hitscan::glam::{Vec2, Vec3};
use hitscan::height_field::ViewshedQuery;
use hitscan_assets::Scene;
use hitscan_table::{Axis, Bound, Error, Frame, Input, QuestionColumn, RunOptions, Summary, read};

/// Reads the eyes of viewsheds of a terrain: at `x z` they are on it, with `y_above` so many metres above
/// it, and with `y` at that height; a field that is empty is as if the table had no such column.
///
/// ```
/// use hitscan_ask::EyeTable;
/// use hitscan_table::{Input, RunOptions};
/// use std::sync::atomic::AtomicBool;
/// # let folder = std::env::temp_dir().join(format!("hitscan-ask-eyes-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let file = |name: &str| folder.join(name);
/// std::fs::write(file("flat.asc"), "ncols 2\nnrows 2\ncellsize 10\n5 5 5 5\n")?;
/// std::fs::write(file("s.toml"), "[[terrain]]\nheights = 'flat.asc'\n")?;
/// std::fs::write(file("eyes.csv"), "x,z,y_above\n1,2,1.7\n50,2,1.7\n")?;
///
/// let scene = hitscan_assets::load_scene(&file("s.toml"))?;
/// let terrain = scene.object_named("terrain0").unwrap();
/// let (table, cancel) = (Input::File(file("eyes.csv")), AtomicBool::new(false));
/// let (eyes, summary) = EyeTable::new(&scene, terrain).read(table, &RunOptions::new(&cancel))?;
/// assert_eq!((eyes.len(), summary.invalid), (1, 1));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EyeTable<'scene> {
    scene: &'scene Scene,
    terrain: ObjectId,
    frame: Frame,
}

pub(crate) const EYES: [QuestionColumn; 3] = [
    QuestionColumn::required("x").position(Axis::X, Bound::Point),
    QuestionColumn::optional("y", f32::NAN)
        .position(Axis::Y, Bound::Point)
        .or_above("y_above"),
    QuestionColumn::required("z").position(Axis::Z, Bound::Point),
];

impl<'scene> EyeTable<'scene> {
    /// Prepares to read eyes on a terrain of `scene`.
    #[must_use]
    pub fn new(scene: &'scene Scene, terrain: ObjectId) -> Self {
        Self {
            scene,
            terrain,
            frame: table_frame(scene),
        }
    }

    /// The columns that are read.
    #[must_use]
    pub fn columns() -> &'static [QuestionColumn] {
        &EYES
    }

    /// The eyes of all rows that can be used, in their order. A row with an eye relative to the ground cannot
    /// where there is none: off the terrain, or over a hole.
    ///
    /// # Errors
    /// Those of [`read`].
    pub fn read(
        &self,
        input: Input,
        options: &RunOptions<'_>,
    ) -> Result<(Vec<ViewshedQuery>, Summary), Error> {
        let mut eyes = Vec::new();
        let mut invalid = Invalid::default();
        let summary = read(input, &EYES, Some(&self.frame), options, &mut |batch| {
            let questions = batch.questions();
            let [x, y, z] = [0, 1, 2].map(|column| questions.column(column));
            for (row, question) in batch.rows() {
                let Some(question) = question else { continue };
                let (place, y) = ([x[question], z[question]], y[question]);
                match self.eye(place, y, questions.is_above(1)) {
                    Ok(eye) => eyes.push(eye),
                    Err(reason) => invalid.add(batch, row, reason, options)?,
                }
            }
            Ok(())
        })?;
        Ok((eyes, invalid.into_summary(summary)))
    }

    fn eye(&self, [x, z]: [f32; 2], y: f32, is_above: bool) -> Result<ViewshedQuery, &'static str> {
        let eye = eye_query([x, z], y, is_above)?;
        let field = self.scene.now().height_field(self.terrain);
        let stands = y.is_nan() || is_above;
        let place = [x, z].map(f64::from);
        if stands && field.is_none_or(|field| field.height_f64(place).is_none()) {
            return Err("the eye stands on no ground: it is off the terrain, or over a hole");
        }
        Ok(eye)
    }
}

/// The eye of a row: at y, on the ground where that is NaN, or so many metres above it.
pub(crate) fn eye_query(
    [x, z]: [f32; 2],
    y: f32,
    is_above: bool,
) -> Result<ViewshedQuery, &'static str> {
    if !y.is_nan() && !is_above {
        return Ok(ViewshedQuery::at(Vec3::new(x, y, z)));
    }
    let eye = ViewshedQuery::standing(Vec2::new(x, z));
    let above = if y.is_nan() { 0.0 } else { y };
    eye.with_above(above)
        .map_err(|_| "`y_above` is no number of metres")
}
