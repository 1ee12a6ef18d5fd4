//! Tables of moving shapes: when each first touches something.

use crate::explain::{Explain, NamedCandidate, explained, wrong_kind};
use crate::filter::{FilterColumns, IGNORE, MASK, Seen};
use crate::frame::table_frame;
use crate::names::{write_feature, write_status};
use crate::shape::{RowShape, ShapeKind};
use hitscan::explain::{self, Hits, Question};
use hitscan::glam::Vec3;
use hitscan::shape_cast::{InitialOverlap, ShapeCast, ShapeHit, StartState};
use hitscan::{ConvexHull, QueryFilter, Side, Sides};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, ColumnKind, Frame, QuestionColumn, Questions,
    RowWriter,
};

/// Which hits of a move are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveHits {
    /// The first.
    Nearest(ContactColumns),
    /// The first with each object, in order of t and then of objects, one row each; a column `row` in
    /// front of the answer holds the number of the move's row. A move without hits has one row.
    All(ContactColumns),
    /// Whether there is a hit or an overlap: the column `status` alone.
    Any,
}

/// Which columns describe the hit of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContactColumns {
    /// Its t, its normal, and what is hit.
    Hit,
    /// Also the state at the start, the point and the side of the contact, and the depth of an overlap and
    /// the way out of it: `start x y z side separation out_x out_y out_z`.
    HitAndContact,
}

/// The settings of a table of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveSettings {
    /// What moves.
    pub shape: ShapeKind,
    /// Which sides of triangles are hit.
    pub sides: Sides,
    /// What becomes of overlaps at the start.
    pub initial_overlap: InitialOverlap,
    /// Which hits are answered.
    pub hits: MoveHits,
}

impl Default for MoveSettings {
    /// Boxes, stopped by any side and any overlap, the first hit.
    fn default() -> Self {
        Self {
            shape: ShapeKind::Box,
            sides: Sides::Both,
            initial_overlap: InitialOverlap::Stop,
            hits: MoveHits::Nearest(ContactColumns::Hit),
        }
    }
}

/// Answers tables of moving shapes about a scene, with the columns of `hitscan sweep`.
///
/// ```
/// use hitscan_ask::{MoveSettings, ShapeKind, SweepTable};
/// use hitscan_table::Answer as _;
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-sweep-{}.toml", std::process::id()));
/// # std::fs::write(&path, "")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let shape = ShapeKind::Sphere;
/// let settings = MoveSettings { shape, ..MoveSettings::default() };
/// let table = SweepTable::with_settings(&scene, settings);
/// let columns: Vec<&str> = table.questions().iter().map(|column| column.name).collect();
/// assert_eq!(columns, ["cx", "cy", "cz", "radius", "dx", "dy", "dz", "mask", "ignore"]);
/// let columns: Vec<&str> = table.answers().iter().map(|column| column.name).collect();
/// assert_eq!(
///     columns,
///     ["status", "t", "nx", "ny", "nz", "object", "part", "triangle"]
/// );
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SweepTable<'scene> {
    scene: &'scene Scene,
    questions: Vec<QuestionColumn>,
    filters: FilterColumns<'scene>,
    shape: RowShape,
    settings: MoveSettings,
    frame: Frame,
}

impl<'scene> SweepTable<'scene> {
    /// Prepares to answer moving boxes about `scene`, each by its first hit.
    #[must_use]
    pub fn new(scene: &'scene Scene) -> Self {
        Self::with_settings(scene, MoveSettings::default())
    }

    /// Prepares to answer moving shapes about `scene`.
    #[must_use]
    pub fn with_settings(scene: &'scene Scene, settings: MoveSettings) -> Self {
        Self::of_rows(scene, settings.shape.into(), settings)
    }

    /// Prepares to answer moves of one hull, whatever the shape of the settings: there is no column `hull`.
    #[must_use]
    pub fn of_hull(scene: &'scene Scene, hull: ConvexHull, settings: MoveSettings) -> Self {
        Self::of_rows(scene, hull.into(), settings)
    }

    fn of_rows(scene: &'scene Scene, shape: RowShape, settings: MoveSettings) -> Self {
        let questions = [shape.columns(), &MOTION, &[MASK, IGNORE]].concat();
        Self {
            scene,
            filters: FilterColumns::new(scene, &questions),
            questions,
            shape,
            settings,
            frame: table_frame(scene),
        }
    }
}

pub(crate) const MOTION: [QuestionColumn; 3] = [
    QuestionColumn::required("dx"),
    QuestionColumn::required("dy"),
    QuestionColumn::required("dz"),
];

/// `row` is for all hits only. The last [`CONTACT_COLUMNS`] are for
/// [`ContactColumns::HitAndContact`] only.
const ANSWERS: [AnswerColumn; 18] = [
    AnswerColumn::new("row", ColumnKind::RowNumber),
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("t", ColumnKind::F32),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("part", ColumnKind::Text),
    AnswerColumn::new("triangle", ColumnKind::U32),
    AnswerColumn::new("start", ColumnKind::Text),
    AnswerColumn::new("x", ColumnKind::F32)
        .on_axis(Axis::X)
        .named_by_alias("contact_"),
    AnswerColumn::new("y", ColumnKind::F32)
        .on_axis(Axis::Y)
        .named_by_alias("contact_"),
    AnswerColumn::new("z", ColumnKind::F32)
        .on_axis(Axis::Z)
        .named_by_alias("contact_"),
    AnswerColumn::new("side", ColumnKind::Text),
    AnswerColumn::new("separation", ColumnKind::F32),
    AnswerColumn::new("out_x", ColumnKind::F32),
    AnswerColumn::new("out_y", ColumnKind::F32),
    AnswerColumn::new("out_z", ColumnKind::F32),
];
const CONTACT_COLUMNS: usize = 9;

impl Answer for SweepTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &self.questions
    }

    fn answers(&self) -> &[AnswerColumn] {
        let (first, columns) = match self.settings.hits {
            MoveHits::Any => return &ANSWERS[1..2],
            MoveHits::Nearest(columns) => (1, columns),
            MoveHits::All(columns) => (0, columns),
        };
        match columns {
            ContactColumns::Hit => &ANSWERS[first..ANSWERS.len() - CONTACT_COLUMNS],
            ContactColumns::HitAndContact => &ANSWERS[first..],
        }
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let read = |question| self.cast_of(questions, question);
        let filters = &self.filters;
        filters.answer_each(questions, out, read, |cast, filter, question, out| {
            self.answer_move(&cast, filter, question, out);
        });
    }
}

impl Explain for SweepTable<'_> {
    fn explain(&self, questions: &Questions) -> Result<Vec<NamedCandidate>, String> {
        Ok(explained(self.scene, &self.question(questions)?))
    }

    fn question(&self, questions: &Questions) -> Result<(Question, Seen), String> {
        let question = Question::ShapeCast {
            cast: self.cast_of(questions, 0)?,
            sides: self.settings.sides,
            hits: match self.settings.hits {
                MoveHits::Nearest(_) | MoveHits::Any => Hits::Nearest,
                MoveHits::All(_) => Hits::All,
            },
        };
        Ok((question, self.filters.seen(questions)?))
    }

    fn write(&self, answer: &explain::Answer, question: usize, out: &mut AnswerBuilder) {
        match answer {
            explain::Answer::Shape(hits) => self.write_hits(hits, question, out),
            _ => wrong_kind(answer),
        }
    }
}

impl SweepTable<'_> {
    /// The move of a question, or why the question is invalid.
    fn cast_of(&self, questions: &Questions, question: usize) -> Result<ShapeCast, String> {
        let shape = &self.shape;
        let first = shape.columns().len();
        let motion = [0, 1, 2].map(|axis| questions.column(first + axis)[question]);
        let shape = shape.read(self.scene, questions, question)?;
        let cast = ShapeCast::new(shape, motion).map_err(|error| error.to_string())?;
        Ok(cast.with_initial_overlap(self.settings.initial_overlap))
    }

    fn answer_move(
        &self,
        cast: &ShapeCast,
        filter: QueryFilter<'_>,
        question: usize,
        out: &mut AnswerBuilder,
    ) {
        let snapshot = self.scene.now();
        let sides = self.settings.sides;
        let hits = match self.settings.hits {
            MoveHits::Any => {
                let is_hit = snapshot.cast_shape_any(cast, (sides, filter));
                return write_status(is_hit, question, out);
            }
            MoveHits::Nearest(_) => {
                let hit = snapshot.cast_shape(cast, (sides, filter));
                hit.into_iter().collect()
            }
            MoveHits::All(_) => snapshot.cast_shape_all(cast, (sides, filter)),
        };
        self.write_hits(&hits, question, out);
    }

    fn write_hits(&self, hits: &[ShapeHit], question: usize, out: &mut AnswerBuilder) {
        if hits.is_empty() || self.settings.hits == MoveHits::Any {
            return write_status(!hits.is_empty(), question, out);
        }
        for hit in hits {
            self.write_hit(hit, &mut out.row(question));
        }
    }

    fn write_hit(&self, hit: &ShapeHit, row: &mut RowWriter<'_>) {
        let object = hit.object.expect("a hit in a world names its object");
        let normal = hit.normal;
        row.text(if hit.is_overlap() { "overlap" } else { "hit" })
            .f32(hit.t)
            .f32(normal.x)
            .f32(normal.y)
            .f32(normal.z);
        write_feature(self.scene, object, hit.triangle, row);
        if let MoveHits::Nearest(columns) | MoveHits::All(columns) = self.settings.hits
            && columns == ContactColumns::HitAndContact
        {
            write_start(hit.start, (hit.point, hit.side), row);
        }
    }
}

/// Writes the rest of the row: the state at the start, and the point and the side of the contact.
pub(crate) fn write_start(
    start: StartState,
    (point, side): (Vec3, Option<Side>),
    row: &mut RowWriter<'_>,
) {
    let (start, overlap) = match start {
        StartState::Separate => ("separate", None),
        StartState::Touching => ("touching", None),
        StartState::Overlap {
            separation,
            way_out,
        } => ("overlap", Some((separation, way_out))),
    };
    row.text(start).f32(point.x).f32(point.y).f32(point.z);
    match side {
        Some(side) => row.text(side.name()),
        None => row.empty(),
    };
    if let Some((separation, way_out)) = overlap {
        row.f32(separation)
            .f32(way_out.x)
            .f32(way_out.y)
            .f32(way_out.z);
    }
}
