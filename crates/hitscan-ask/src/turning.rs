//! Tables of moving shapes that turn: what each comes to first.

use crate::filter::{FilterColumns, IGNORE, MASK, Seen};
use crate::frame::table_frame;
use crate::names::write_feature;
use crate::shape::{RowShape, ShapeKind};
use crate::sweep::MOTION;
use hitscan::glam::Vec3;
use hitscan::{ConvexHull, Error, QueryFilter, ShapeCast, TurningCast, TurningHit, TurningStatus};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, Bound, ColumnKind, Frame, QuestionColumn, Questions,
};

/// What is answered of a turning shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TurningHits {
    /// What it comes to first.
    #[default]
    Nearest,
    /// The column `status` alone: `hit`, for an overlap too, `miss`, or `undecided`.
    Any,
}

/// The settings of a table of turning shapes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TurningSettings {
    /// What moves.
    pub shape: ShapeKind,
    /// How near is near enough, metres, where the column `tolerance` is empty; without it a ten-thousandth of the
    /// longest side of the box around the shape.
    pub tolerance: Option<f64>,
    /// What is answered.
    pub hits: TurningHits,
}

/// Answers tables of moving shapes that turn about a scene, with the columns of `hitscan sweep --turning`.
///
/// ```
/// use hitscan_ask::{ShapeKind, TurningHits, TurningSettings, TurningTable};
/// use hitscan_table::Answer as _;
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-turning-{}.toml", std::process::id()));
/// # std::fs::write(&path, "")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let settings = TurningSettings {
///     shape: ShapeKind::Sphere,
///     tolerance: None,
///     hits: TurningHits::Nearest,
/// };
/// let table = TurningTable::new(&scene, settings);
/// let columns: Vec<&str> = table.answers().iter().map(|column| column.name).collect();
/// assert_eq!(
///     columns,
///     ["status", "t", "nx", "ny", "nz", "object", "part", "triangle", "gap"]
/// );
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TurningTable<'scene> {
    scene: &'scene Scene,
    questions: Vec<QuestionColumn>,
    filters: FilterColumns<'scene>,
    shape: RowShape,
    settings: TurningSettings,
    frame: Frame,
}

impl<'scene> TurningTable<'scene> {
    /// Prepares to answer turning shapes about `scene`.
    #[must_use]
    pub fn new(scene: &'scene Scene, settings: TurningSettings) -> Self {
        Self::of_rows(scene, settings.shape.into(), settings)
    }

    /// Prepares to answer turns of one hull, whatever the shape of the settings: there is no column `hull`.
    #[must_use]
    pub fn of_hull(scene: &'scene Scene, hull: ConvexHull, settings: TurningSettings) -> Self {
        Self::of_rows(scene, hull.into(), settings)
    }

    fn of_rows(scene: &'scene Scene, shape: RowShape, settings: TurningSettings) -> Self {
        let questions = [shape.columns(), &MOTION, &TURN, &[MASK, IGNORE]].concat();
        Self {
            scene,
            filters: FilterColumns::new(scene, &questions),
            questions,
            shape,
            settings,
            frame: table_frame(scene),
        }
    }

    /// The motion of a question, or why the question is invalid.
    fn cast_of(&self, questions: &Questions, question: usize) -> Result<TurningCast, String> {
        let shape = &self.shape;
        let motion = shape.columns().len();
        let turn = TurnOfRow::read(questions, question, motion + MOTION.len());
        let motion = Vec3::from([0, 1, 2].map(|i| questions.column(motion + i)[question]));
        let shape = shape.read(self.scene, questions, question)?;
        let message = |error: Error| error.to_string();
        let cast = ShapeCast::new(shape, motion).map_err(message)?;
        let mut cast = cast.turning(turn.axis, turn.angle).map_err(message)?;
        if let Some(pivot) = turn.pivot? {
            cast = cast.about(pivot).map_err(message)?;
        }
        match turn.tolerance.or(self.settings.tolerance) {
            Some(tolerance) => cast.with_tolerance(tolerance).map_err(message),
            None => Ok(cast),
        }
    }

    fn answer_turn(
        &self,
        cast: &TurningCast,
        filter: QueryFilter<'_>,
        question: usize,
        out: &mut AnswerBuilder,
    ) {
        let hit = self.scene.now().cast_turning(cast, filter);
        self.write(hit.as_ref(), question, out);
    }

    /// The motion of the first of the questions and what it sees.
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    pub fn motion(&self, questions: &Questions) -> Result<(TurningCast, Seen), String> {
        Ok((self.cast_of(questions, 0)?, self.filters.seen(questions)?))
    }

    /// Writes the row of a question.
    ///
    /// # Panics
    /// Where a hit names no object, as that of no world.
    pub fn write(&self, hit: Option<&TurningHit>, question: usize, out: &mut AnswerBuilder) {
        let mut row = out.row(question);
        row.text(status_word(hit.map(|hit| hit.status), self.settings.hits));
        let (Some(hit), TurningHits::Nearest) = (hit, self.settings.hits) else {
            return;
        };
        let &TurningHit { t, normal, gap, .. } = hit;
        row.f32(t).f32(normal.x).f32(normal.y).f32(normal.z);
        let object = hit.object.expect("a hit in a world names its object");
        write_feature(self.scene, object, hit.triangle, &mut row);
        if hit.status != TurningStatus::Overlap {
            row.f32(gap);
        }
    }
}

/// The word of the column `status` for an answer.
pub(crate) fn status_word(status: Option<TurningStatus>, hits: TurningHits) -> &'static str {
    match (status, hits) {
        (None, _) => "miss",
        (Some(TurningStatus::Undecided), _) => "undecided",
        (Some(TurningStatus::Overlap), TurningHits::Nearest) => "overlap",
        (Some(TurningStatus::Hit | TurningStatus::Overlap), _) => "hit",
    }
}

/// How a row turns.
pub(crate) struct TurnOfRow {
    pub(crate) axis: Vec3,
    pub(crate) angle: f64,
    /// Or why there is none.
    pub(crate) pivot: Result<Option<Vec3>, String>,
    pub(crate) tolerance: Option<f64>,
}

impl TurnOfRow {
    /// The turn of a question; `first` is the number of its first column.
    pub(crate) fn read(questions: &Questions, question: usize, first: usize) -> Self {
        let number = |column: usize| questions.column(first + column)[question];
        let vector = |column: usize| Vec3::from([0, 1, 2].map(|i| number(column + i)));
        let pivot = vector(PIVOT);
        let tolerance = f64::from(number(TOLERANCE));
        Self {
            axis: vector(0),
            angle: f64::from(number(ANGLE)),
            pivot: if pivot.is_nan_mask().any() == pivot.is_nan_mask().all() {
                Ok((!pivot.is_nan()).then_some(pivot))
            } else {
                Err("the pivot is `pivot_x pivot_y pivot_z`, all or none".to_owned())
            },
            tolerance: (!tolerance.is_nan()).then_some(tolerance),
        }
    }
}

/// Where a turn's columns are: first those of the axis.
const ANGLE: usize = 3;
const PIVOT: usize = 4;
const TOLERANCE: usize = 7;

pub(crate) const TURN: [QuestionColumn; 8] = [
    QuestionColumn::optional("axis_x", 0.0),
    QuestionColumn::optional("axis_y", 0.0),
    QuestionColumn::optional("axis_z", 0.0),
    QuestionColumn::optional("angle", 0.0),
    QuestionColumn::optional("pivot_x", f32::NAN).position(Axis::X, Bound::Pivot),
    QuestionColumn::optional("pivot_y", f32::NAN).position(Axis::Y, Bound::Pivot),
    QuestionColumn::optional("pivot_z", f32::NAN).position(Axis::Z, Bound::Pivot),
    QuestionColumn::optional("tolerance", f32::NAN),
];

const ANSWERS: [AnswerColumn; 9] = [
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("t", ColumnKind::F32),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("part", ColumnKind::Text),
    AnswerColumn::new("triangle", ColumnKind::U32),
    AnswerColumn::new("gap", ColumnKind::F32),
];

impl Answer for TurningTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &self.questions
    }

    fn answers(&self) -> &[AnswerColumn] {
        match self.settings.hits {
            TurningHits::Nearest => &ANSWERS,
            TurningHits::Any => &ANSWERS[..1],
        }
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let read = |question| self.cast_of(questions, question);
        let filters = &self.filters;
        filters.answer_each(questions, out, read, |cast, filter, question, out| {
            self.answer_turn(&cast, filter, question, out);
        });
    }
}
