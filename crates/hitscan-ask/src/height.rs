//! Tables of points: how high the ground is at each point.

use crate::explain::NamedCandidate;
use crate::filter::{FilterColumns, IGNORE, MASK, Seen};
use crate::frame::table_frame;
use crate::names::write_object;
use crate::terrains::{TerrainAnswer, explain_terrains};
use hitscan::height_field::Ground;
use hitscan::{QueryFilter, Snapshot};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, Bound, ColumnKind, Frame, QuestionColumn, Questions,
};

/// Which height of the ground is answered at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HeightMethod {
    /// The height of the triangle that the point is on, with its normal.
    Exact,
    /// The highest of the samples within this radius, metres. A negative radius or NaN reaches no
    /// sample, infinity all of them.
    Max(f64),
    /// The mean of the samples within this radius, as for [`HeightMethod::Max`].
    Mean(f64),
}

impl HeightMethod {
    /// The ground at a point (x, z).
    #[must_use]
    pub fn ground(self, snapshot: &Snapshot, point: [f32; 2], filter: QueryFilter<'_>) -> Ground {
        match self {
            Self::Exact => snapshot.height(point, filter),
            Self::Max(radius) => snapshot.max_height(point, radius, filter),
            Self::Mean(radius) => snapshot.mean_height(point, radius, filter),
        }
    }
}

/// Answers tables of points about a scene's terrain, with the columns of `hitscan height`.
///
/// ```
/// use hitscan_ask::{HeightMethod, HeightTable};
/// use hitscan_table::Answer as _;
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-height-{}.toml", std::process::id()));
/// # std::fs::write(&path, "")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let table = HeightTable::new(&scene, HeightMethod::Mean(12.0));
/// let columns: Vec<&str> = table.questions().iter().map(|column| column.name).collect();
/// assert_eq!(columns, ["x", "z", "mask", "ignore"]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct HeightTable<'scene> {
    scene: &'scene Scene,
    filters: FilterColumns<'scene>,
    method: HeightMethod,
    above: Above,
    frame: Frame,
}

/// Whether points have a y, whose distance from the ground is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Above {
    NotAsked,
    Answered,
}

impl<'scene> HeightTable<'scene> {
    /// Prepares to answer points about `scene`.
    #[must_use]
    pub fn new(scene: &'scene Scene, method: HeightMethod) -> Self {
        Self {
            scene,
            filters: FilterColumns::new(scene, &QUESTIONS),
            method,
            above: Above::NotAsked,
            frame: table_frame(scene),
        }
    }

    /// With a column `y` of points, and a column `above` of answers: the metres from the height to y,
    /// rounded once, negative below the ground.
    #[must_use]
    pub fn with_above(self) -> Self {
        Self {
            above: Above::Answered,
            ..self
        }
    }
}

/// The last is that of [`HeightTable::with_above`].
const QUESTIONS: [QuestionColumn; 5] = [
    QuestionColumn::required("x").position(Axis::X, Bound::Point),
    QuestionColumn::required("z").position(Axis::Z, Bound::Point),
    MASK,
    IGNORE,
    QuestionColumn::required("y").position(Axis::Y, Bound::Point),
];

const Y: usize = 4;

/// The last is that of [`HeightTable::with_above`].
const ANSWERS: [AnswerColumn; 8] = [
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("height", ColumnKind::F32).on_axis(Axis::Y),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("triangle", ColumnKind::U32),
    AnswerColumn::new("above", ColumnKind::F32),
];

impl Answer for HeightTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        match self.above {
            Above::NotAsked => &QUESTIONS[..Y],
            Above::Answered => &QUESTIONS,
        }
    }

    fn answers(&self) -> &[AnswerColumn] {
        match self.above {
            Above::NotAsked => &ANSWERS[..ANSWERS.len() - 1],
            Above::Answered => &ANSWERS,
        }
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let [x, z] = [0, 1].map(|column| questions.column(column));
        let snapshot = self.scene.now();
        let read = |question: usize| Ok([x[question], z[question]]);
        let filters = &self.filters;
        filters.answer_each(questions, out, read, |point, filter, question, out| {
            let ground = self.method.ground(snapshot, point, filter);
            let y = match self.above {
                Above::NotAsked => None,
                Above::Answered => Some(questions.column(Y)[question]),
            };
            self.write_with(ground, y, question, out);
        });
    }
}

impl HeightTable<'_> {
    /// What each terrain answers by itself to the first of the questions: `t` is its height.
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    pub fn explain(&self, questions: &Questions) -> Result<Vec<NamedCandidate>, String> {
        let point = [0, 1].map(|column| questions.column(column)[0]);
        let seen = self.filters.seen(questions)?;
        let ask =
            |filter: QueryFilter<'_>| match self.method.ground(self.scene.now(), point, filter) {
                Ground::Height(found) => {
                    TerrainAnswer::Height(found.height, found.surface.map(|on| on.triangle))
                }
                Ground::Outside => TerrainAnswer::Outside,
                Ground::Hole => TerrainAnswer::Hole,
                Ground::Empty => TerrainAnswer::Empty,
            };
        Ok(explain_terrains(self.scene, &seen, ask))
    }

    /// What the first of the questions sees.
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    pub fn seen(&self, questions: &Questions) -> Result<Seen, String> {
        self.filters.seen(questions)
    }

    /// Writes the row of a question with its answer, that of [`HeightMethod::ground`].
    pub fn write(&self, ground: Ground, question: usize, out: &mut AnswerBuilder) {
        self.write_with(ground, None, question, out);
    }

    fn write_with(&self, ground: Ground, y: Option<f32>, question: usize, out: &mut AnswerBuilder) {
        let mut row = out.row(question);
        row.text(status(ground));
        let Some(ground) = ground.ok() else { return };
        row.f32(ground.height);
        match ground.surface {
            Some(surface) => {
                let normal = surface.normal;
                row.f32(normal.x).f32(normal.y).f32(normal.z);
            }
            None => {
                row.empty().empty().empty();
            }
        }
        if let Some(object) = ground.object {
            write_object(self.scene, object, &mut row);
        }
        match (ground.surface, y) {
            (Some(surface), _) => {
                row.u32(surface.triangle);
            }
            (None, Some(_)) => {
                row.empty();
            }
            (None, None) => {}
        }
        if let Some(y) = y {
            #[expect(clippy::cast_possible_truncation, reason = "the rounding is wanted")]
            let above = (f64::from(y) - f64::from(ground.height)) as f32;
            row.f32(above);
        }
    }
}

fn status(ground: Ground) -> &'static str {
    match ground {
        Ground::Height(_) => "ok",
        Ground::Outside => "outside",
        Ground::Hole => "hole",
        Ground::Empty => "empty",
    }
}
