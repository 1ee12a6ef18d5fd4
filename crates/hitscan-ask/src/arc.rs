//! Tables of ballistic arcs: what each arc hits.

use crate::above::y_of;
use crate::explain::{Explain, NamedCandidate, explained, wrong_kind};
use crate::filter::{FilterColumns, IGNORE, MASK, Seen};
use crate::frame::table_frame;
use crate::hit_row::{HitRow, HitRows, write_hit_features, write_hit_places};
use crate::names::{status, write_status};
use hitscan::explain::{self, Question};
use hitscan::{BallisticArc, QueryFilter, RayHit, Sides};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, Bound, ColumnKind, Frame, QuestionColumn, Questions,
    RowsWriter,
};

/// What is answered of an arc.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArcHits {
    /// The nearest hit.
    Nearest,
    /// Whether there is a hit: the column `status` alone.
    Any,
}

/// Answers tables of ballistic arcs about a scene, with the columns of `hitscan arc`.
///
/// ```
/// use hitscan::Sides;
/// use hitscan_ask::{ArcHits, ArcTable};
/// use hitscan_table::Answer as _;
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-arc-{}.toml", std::process::id()));
/// # std::fs::write(&path, "")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let table = ArcTable::new(&scene, ArcHits::Nearest, Sides::Both);
/// let columns: Vec<&str> = table.answers().iter().map(|column| column.name).collect();
/// assert_eq!(columns[..5], ["status", "t", "x", "y", "z"]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArcTable<'scene> {
    scene: &'scene Scene,
    filters: FilterColumns<'scene>,
    hits: ArcHits,
    sides: Sides,
    frame: Frame,
}

impl<'scene> ArcTable<'scene> {
    /// Prepares to answer arcs about `scene` that hit the given sides of surfaces.
    #[must_use]
    pub fn new(scene: &'scene Scene, hits: ArcHits, sides: Sides) -> Self {
        Self {
            scene,
            filters: FilterColumns::new(scene, &QUESTIONS),
            hits,
            sides,
            frame: table_frame(scene),
        }
    }
}

/// The position of `oy`.
const OY: usize = 1;

const QUESTIONS: [QuestionColumn; 13] = [
    QuestionColumn::required("ox").position(Axis::X, Bound::Point),
    QuestionColumn::required("oy")
        .position(Axis::Y, Bound::Point)
        .or_above("oy_above"),
    QuestionColumn::required("oz").position(Axis::Z, Bound::Point),
    QuestionColumn::required("vx"),
    QuestionColumn::required("vy"),
    QuestionColumn::required("vz"),
    QuestionColumn::optional("gx", BallisticArc::GRAVITY.x),
    QuestionColumn::optional("gy", BallisticArc::GRAVITY.y),
    QuestionColumn::optional("gz", BallisticArc::GRAVITY.z),
    QuestionColumn::optional("t_min", 0.0),
    QuestionColumn::optional("t_max", f32::INFINITY).accepting_infinity(),
    MASK,
    IGNORE,
];

const ANSWERS: [AnswerColumn; 14] = [
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("t", ColumnKind::F32),
    AnswerColumn::new("x", ColumnKind::F32)
        .on_axis(Axis::X)
        .named_by_alias("hit_"),
    AnswerColumn::new("y", ColumnKind::F32)
        .on_axis(Axis::Y)
        .named_by_alias("hit_"),
    AnswerColumn::new("z", ColumnKind::F32)
        .on_axis(Axis::Z)
        .named_by_alias("hit_"),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("part", ColumnKind::Text),
    AnswerColumn::new("triangle", ColumnKind::U32),
    AnswerColumn::new("u", ColumnKind::F32),
    AnswerColumn::new("v", ColumnKind::F32),
    AnswerColumn::new("side", ColumnKind::Text),
];

impl Answer for ArcTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &QUESTIONS
    }

    fn answers(&self) -> &[AnswerColumn] {
        match self.hits {
            ArcHits::Nearest => &ANSWERS,
            ArcHits::Any => &ANSWERS[..1],
        }
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let read = |question| self.arc(questions, question);
        let filters = &self.filters;
        filters.answer_each(questions, out, read, |arc, filter, question, out| {
            self.answer_one(&arc, filter, question, out);
        });
    }
}

impl Explain for ArcTable<'_> {
    fn explain(&self, questions: &Questions) -> Result<Vec<NamedCandidate>, String> {
        Ok(explained(self.scene, &self.question(questions)?))
    }

    fn question(&self, questions: &Questions) -> Result<(Question, Seen), String> {
        let arc = self.arc(questions, 0)?;
        let question = Question::Arc {
            arc,
            settings: self.sides.into(),
        };
        Ok((question, self.filters.seen(questions)?))
    }

    fn write(&self, answer: &explain::Answer, question: usize, out: &mut AnswerBuilder) {
        match answer {
            explain::Answer::Arc(hit) => self.write_answer(hit.as_ref(), question, out),
            _ => wrong_kind(answer),
        }
    }
}

impl ArcTable<'_> {
    /// The arc of a question, or the reason why it is invalid.
    fn arc(&self, questions: &Questions, question: usize) -> Result<BallisticArc, String> {
        let columns: [f32; 11] = std::array::from_fn(|column| questions.column(column)[question]);
        let [ox, _, oz, vx, vy, vz, gx, gy, gz, t_min, t_max] = columns;
        let oy = y_of(
            self.scene,
            questions,
            question,
            (OY, QUESTIONS[OY]),
            [ox, oz],
        )?;
        BallisticArc::new([ox, oy, oz], [vx, vy, vz], [gx, gy, gz])
            .and_then(|arc| arc.with_range(t_min, t_max))
            .map_err(|error| error.to_string())
    }

    fn answer_one(
        &self,
        arc: &BallisticArc,
        filter: QueryFilter<'_>,
        question: usize,
        out: &mut AnswerBuilder,
    ) {
        let snapshot = self.scene.now();
        match self.hits {
            ArcHits::Any => {
                let is_hit = snapshot.cast_arc_any(arc, (self.sides, filter));
                write_status(is_hit, question, out);
            }
            ArcHits::Nearest => {
                let hit = snapshot.cast_arc(arc, (self.sides, filter));
                self.write_answer(hit.as_ref(), question, out);
            }
        }
    }

    fn write_answer(&self, hit: Option<&RayHit>, question: usize, out: &mut AnswerBuilder) {
        match self.hits {
            ArcHits::Nearest => {
                let row = HitRows::of(self.scene).row(hit);
                out.rows(&[(question, row)], write_hits);
            }
            ArcHits::Any => write_status(hit.is_some(), question, out),
        }
    }
}

fn write_hits<'a>(rows: &mut RowsWriter<'_, 'a, HitRow<'a>>) {
    rows.text(|row| Some(status(row.is_hit)))
        .f32_or_0(|row| (row.is_hit, row.t));
    write_hit_places(|row| row, rows);
    write_hit_features(|row| row, rows);
}
