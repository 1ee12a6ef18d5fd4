//! Tables of footprints: how the ground lies under discs and rectangles.

use crate::explain::NamedCandidate;
use crate::filter::{FilterColumns, IGNORE, MASK};
use crate::frame::table_frame;
use crate::names::write_object;
use crate::terrains::{TerrainAnswer, Together, explain_terrains};
use hitscan::height_field::{Footprint, FootprintSample};
use hitscan::{Error, QueryFilter, WorkLimit};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, Bound, ColumnKind, Frame, QuestionColumn, Questions,
    RowWriter,
};

/// Answers tables of footprints about a scene's terrain, with the columns of `hitscan height --method
/// footprint`.
///
/// ```
/// use hitscan_ask::FootprintTable;
/// use hitscan_table::Answer as _;
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-foot-{}.toml", std::process::id()));
/// # std::fs::write(&path, "")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let table = FootprintTable::new(&scene);
/// let columns: Vec<&str> = table.answers().iter().map(|column| column.name).collect();
/// assert_eq!(columns[..5], ["status", "height", "nx", "ny", "nz"]);
/// assert_eq!(columns[5..], ["object", "min", "max", "slope", "plane", "coverage"]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FootprintTable<'scene> {
    scene: &'scene Scene,
    filters: FilterColumns<'scene>,
    frame: Frame,
    work: Option<&'scene WorkLimit<'scene>>,
}

impl<'scene> FootprintTable<'scene> {
    /// Prepares to answer footprints about `scene`.
    #[must_use]
    pub fn new(scene: &'scene Scene) -> Self {
        Self {
            scene,
            filters: FilterColumns::new(scene, &QUESTIONS),
            frame: table_frame(scene),
            work: None,
        }
    }

    /// The same within a work limit: the caller checks the limit, and discards an incomplete result.
    #[must_use]
    pub fn with_work_limit(self, limit: &'scene WorkLimit<'scene>) -> Self {
        Self {
            work: Some(limit),
            ..self
        }
    }
}

const RADIUS: usize = 2;
const HALF_X: usize = 3;
const HALF_Z: usize = 4;
const ANGLE: usize = 5;

/// The table has the radius or the half sizes: an empty field of these is no size.
const QUESTIONS: [QuestionColumn; 8] = [
    QuestionColumn::required("x").position(Axis::X, Bound::Point),
    QuestionColumn::required("z").position(Axis::Z, Bound::Point),
    QuestionColumn::optional("radius", f32::NAN),
    QuestionColumn::optional("half_x", f32::NAN),
    QuestionColumn::optional("half_z", f32::NAN),
    QuestionColumn::optional("angle", 0.0),
    MASK,
    IGNORE,
];

const ANSWERS: [AnswerColumn; 11] = [
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("height", ColumnKind::F32).on_axis(Axis::Y),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("min", ColumnKind::F32).on_axis(Axis::Y),
    AnswerColumn::new("max", ColumnKind::F32).on_axis(Axis::Y),
    AnswerColumn::new("slope", ColumnKind::F32),
    AnswerColumn::new("plane", ColumnKind::F32).on_axis(Axis::Y),
    AnswerColumn::new("coverage", ColumnKind::F32),
];

impl Answer for FootprintTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &QUESTIONS
    }

    fn answers(&self) -> &[AnswerColumn] {
        &ANSWERS
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    fn check_columns(&self, has: &[bool]) -> Result<(), String> {
        match (has[RADIUS], has[HALF_X], has[HALF_Z]) {
            (true, false, false) | (false, true, true) => Ok(()),
            (true, _, _) => Err("a footprint has either `radius`, a disc, or `half_x` and \
                                 `half_z`, a rectangle: the table has both"
                .to_owned()),
            (false, _, _) => Err("a footprint has either the column `radius`, a disc, or \
                                  `half_x` and `half_z`, a rectangle"
                .to_owned()),
        }
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let columns: [&[f32]; 6] = std::array::from_fn(|column| questions.column(column));
        let is_disc = questions.has(RADIUS);
        let snapshot = self.scene.now();
        let read = |question: usize| {
            footprint(is_disc, columns.map(|column| column[question]))
                .map_err(|error| error.to_string())
        };
        let filters = &self.filters;
        filters.answer_each(questions, out, read, |footprint, filter, question, out| {
            let filter = match self.work {
                Some(limit) => filter.work_limit(limit),
                None => filter,
            };
            let under = snapshot.footprint(&footprint, filter);
            self.write(&under, &mut out.row(question));
        });
    }
}

fn footprint(is_disc: bool, numbers: [f32; 6]) -> Result<Footprint, Error> {
    let center = [numbers[0], numbers[1]];
    let size = |column: usize| f64::from(numbers[column]);
    if is_disc {
        Footprint::disc(center, size(RADIUS))
    } else {
        Footprint::rectangle(center, [size(HALF_X), size(HALF_Z)], size(ANGLE))
    }
}

impl FootprintTable<'_> {
    /// What each terrain answers by itself, those of a surface together, to the first of the questions: `t`
    /// is the maximum height of the ground, which decides between terrains.
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    pub fn explain(&self, questions: &Questions) -> Result<Vec<NamedCandidate>, String> {
        let numbers: [f32; 6] = std::array::from_fn(|column| questions.column(column)[0]);
        let footprint = footprint(questions.has(RADIUS), numbers);
        let footprint = footprint.map_err(|error| error.to_string())?;
        let seen = self.filters.seen(questions)?;
        let ask = |filter: QueryFilter<'_>| match self.scene.now().footprint(&footprint, filter) {
            FootprintSample::Ground(ground) => {
                TerrainAnswer::Height(ground.max, None, ground.object)
            }
            FootprintSample::Hole => TerrainAnswer::Hole,
            FootprintSample::Outside => TerrainAnswer::Outside,
        };
        Ok(explain_terrains(
            self.scene,
            &seen,
            Together::OfOneSurface,
            ask,
        ))
    }

    fn write(&self, under: &FootprintSample, row: &mut RowWriter<'_>) {
        let ground = match under {
            FootprintSample::Ground(ground) => ground,
            FootprintSample::Hole => {
                row.text("hole");
                return;
            }
            FootprintSample::Outside => {
                row.text("outside");
                return;
            }
        };
        let normal = ground.normal;
        row.text("ok")
            .f32(ground.height)
            .f32(normal.x)
            .f32(normal.y)
            .f32(normal.z);
        match ground.object {
            Some(object) => write_object(self.scene, object, row),
            None => {
                row.empty();
            }
        }
        row.f32(ground.min)
            .f32(ground.max)
            .f32(ground.slope)
            .f32(ground.plane)
            .f32(ground.coverage);
    }
}
