//! Tables of points: how high the ground is at each point.

use crate::explain::NamedCandidate;
use crate::filter::{FilterColumns, IGNORE, MASK, Seen};
use crate::frame::table_frame;
use crate::highest_terrain::highest_terrain;
use crate::terrains::{TerrainAnswer, Together, explain_terrains};
use hitscan::glam::Vec2;
use hitscan::height_field::{Ground, GroundSurface};
use hitscan::{ObjectId, QueryFilter, Snapshot};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, Bound, ColumnKind, Frame, QuestionColumn, Questions,
};
use std::ops::Range;

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

/// How many points are answered at once.
const BATCH_POINTS: usize = 512;

/// The position of `status`, and those of what is of the triangle under a point.
const STATUS: usize = 0;
const SURFACE: [usize; 4] = [2, 3, 4, 6];

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
        let mut filters = self.filters.read(questions);
        let mut first = 0;
        while first < questions.len() {
            let run = first..filters.end_of_run(first).min(first + BATCH_POINTS);
            first = run.end;
            match filters.of(run.start) {
                Ok(filter) => {
                    let answers = self.answer_run(questions, run, filter.filter(), out);
                    self.write_points(&answers, out);
                }
                Err(reason) => run.for_each(|question| out.invalid(question, &reason)),
            }
        }
    }
}

impl HeightTable<'_> {
    /// What each terrain answers by itself, and by another method than `exact` those of a surface together,
    /// to the first of the questions: `t` is the height.
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
                    let triangle = found.surface.map(|on| on.triangle);
                    TerrainAnswer::Height(found.height, triangle, found.object)
                }
                Ground::Outside => TerrainAnswer::Outside,
                Ground::Hole => TerrainAnswer::Hole,
                Ground::Empty => TerrainAnswer::Empty,
            };
        let together = match self.method {
            HeightMethod::Exact => Together::Never,
            HeightMethod::Max(_) | HeightMethod::Mean(_) => Together::OfOneSurface,
        };
        Ok(explain_terrains(self.scene, &seen, together, ask))
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
        self.write_points(&[(question, PointAnswer::of(ground, None))], out);
    }

    /// The answers to questions that share a filter.
    fn answer_run(
        &self,
        questions: &Questions,
        run: Range<usize>,
        filter: QueryFilter<'_>,
        out: &AnswerBuilder,
    ) -> Vec<(usize, PointAnswer)> {
        let [x, z] = [0, 1].map(|column| questions.column(column));
        let y = (self.above == Above::Answered).then(|| questions.column(Y));
        let y = |question: usize| y.map(|y| y[question]);
        let snapshot = self.scene.now();
        let ground = |question| {
            let ground = self
                .method
                .ground(snapshot, [x[question], z[question]], filter);
            PointAnswer::of(ground, y(question))
        };
        if self.method != HeightMethod::Exact || SURFACE.iter().any(|&at| out.is_wanted(at)) {
            return run.map(|question| (question, ground(question))).collect();
        }
        let terrains: Vec<_> = snapshot.height_fields(filter).collect();
        let points = run
            .clone()
            .map(|question| Vec2::new(x[question], z[question]));
        let highest = highest_terrain(&terrains, &points.collect::<Vec<_>>());
        let without = |question| match out.is_wanted(STATUS) {
            true => ground(question),
            false => PointAnswer::of(Ground::Outside, y(question)),
        };
        let answer = |(question, highest): (usize, Option<(f32, ObjectId)>)| {
            let answer = highest.map_or_else(
                || without(question),
                |(height, object)| PointAnswer {
                    status: OK,
                    height: Some(height),
                    object: Some(object),
                    surface: None,
                    y: y(question),
                },
            );
            (question, answer)
        };
        run.zip(highest).map(answer).collect()
    }

    fn write_points(&self, answers: &[(usize, PointAnswer)], out: &mut AnswerBuilder) {
        let scene = self.scene;
        out.rows(answers, |rows| {
            rows.text(|point| Some(point.status))
                .f32(|point| point.height);
            for axis in 0..3 {
                rows.f32(|point| Some(point.surface?.normal[axis]));
            }
            rows.text(|point| Some(scene.object_name(point.object?).unwrap_or_default()))
                .u32(|point| Some(point.surface?.triangle));
            if self.above == Above::Answered {
                rows.f32(PointAnswer::above);
            }
        });
    }
}

/// What a row says of a point.
struct PointAnswer {
    status: &'static str,
    height: Option<f32>,
    object: Option<ObjectId>,
    surface: Option<GroundSurface>,
    y: Option<f32>,
}

impl PointAnswer {
    fn of(ground: Ground, y: Option<f32>) -> Self {
        let found = ground.ok();
        Self {
            status: status(ground),
            height: found.map(|ground| ground.height),
            object: found.and_then(|ground| ground.object),
            surface: found.and_then(|ground| ground.surface),
            y,
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "the rounding is wanted")]
    fn above(&self) -> Option<f32> {
        Some((f64::from(self.y?) - f64::from(self.height?)) as f32)
    }
}

const OK: &str = "ok";

fn status(ground: Ground) -> &'static str {
    match ground {
        Ground::Height(_) => OK,
        Ground::Outside => "outside",
        Ground::Hole => "hole",
        Ground::Empty => "empty",
    }
}
