//! Tables of points: what is nearest to each point, and how far away.

use crate::above::y_of;
use crate::explain::{Explain, NamedCandidate, explained, wrong_kind};
use crate::filter::{FilterColumns, IGNORE, MASK, Seen};
use crate::frame::table_frame;
use crate::names::write_feature;
use hitscan::ClosestPoint;
use hitscan::explain::{self, Question};
use hitscan::glam::Vec3;
use hitscan::{Interior, TriangleId};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, Bound, ColumnKind, Frame, QuestionColumn, Questions,
    RowWriter,
};

/// Answers tables of points about a scene, with the columns of `hitscan closest`.
///
/// ```
/// use hitscan::Interior;
/// use hitscan_ask::ClosestTable;
/// use hitscan_table::Answer as _;
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-closest-{}.toml", std::process::id()));
/// # std::fs::write(&path, "")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let table = ClosestTable::new(&scene, Interior::Solids);
/// let columns: Vec<&str> = table.questions().iter().map(|column| column.name).collect();
/// assert_eq!(columns, ["px", "py", "pz", "max_distance", "mask", "ignore"]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ClosestTable<'scene> {
    scene: &'scene Scene,
    filters: FilterColumns<'scene>,
    interior: Interior,
    frame: Frame,
}

impl<'scene> ClosestTable<'scene> {
    /// Prepares to answer points about `scene`.
    #[must_use]
    pub fn new(scene: &'scene Scene, interior: Interior) -> Self {
        Self {
            scene,
            filters: FilterColumns::new(scene, &QUESTIONS),
            interior,
            frame: table_frame(scene),
        }
    }
}

const QUESTIONS: [QuestionColumn; 6] = [
    QuestionColumn::required("px").position(Axis::X, Bound::Point),
    QuestionColumn::required("py")
        .position(Axis::Y, Bound::Point)
        .or_above("py_above"),
    QuestionColumn::required("pz").position(Axis::Z, Bound::Point),
    QuestionColumn::optional("max_distance", f32::INFINITY).accepting_infinity(),
    MASK,
    IGNORE,
];

const ANSWERS: [AnswerColumn; 13] = [
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("distance", ColumnKind::F32),
    AnswerColumn::new("x", ColumnKind::F32)
        .on_axis(Axis::X)
        .named_by_alias("nearest_"),
    AnswerColumn::new("y", ColumnKind::F32)
        .on_axis(Axis::Y)
        .named_by_alias("nearest_"),
    AnswerColumn::new("z", ColumnKind::F32)
        .on_axis(Axis::Z)
        .named_by_alias("nearest_"),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("part", ColumnKind::Text),
    AnswerColumn::new("triangle", ColumnKind::U32),
    AnswerColumn::new("u", ColumnKind::F32),
    AnswerColumn::new("v", ColumnKind::F32),
];

impl Answer for ClosestTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &QUESTIONS
    }

    fn answers(&self) -> &[AnswerColumn] {
        &ANSWERS
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let snapshot = self.scene.now();
        let read = |question| self.asked(questions, question);
        let filters = &self.filters;
        filters.answer_each(questions, out, read, |asked, filter, question, out| {
            let (point, reach) = asked;
            let nearest = match self.interior {
                Interior::Solids => snapshot.closest_point(point, reach, filter),
                Interior::ClosedSurfaces => snapshot.closest_point_signed(point, reach, filter),
            };
            self.write_row(nearest.as_ref(), &mut out.row(question));
        });
    }
}

impl Explain for ClosestTable<'_> {
    fn explain(&self, questions: &Questions) -> Result<Vec<NamedCandidate>, String> {
        Ok(explained(self.scene, &self.question(questions)?))
    }

    fn question(&self, questions: &Questions) -> Result<(Question, Seen), String> {
        let (point, max_distance) = self.asked(questions, 0)?;
        let question = Question::ClosestPoint {
            point,
            max_distance,
            interior: self.interior,
        };
        Ok((question, self.filters.seen(questions)?))
    }

    fn write(&self, answer: &explain::Answer, question: usize, out: &mut AnswerBuilder) {
        match answer {
            explain::Answer::Closest(nearest) => {
                self.write_row(nearest.as_ref(), &mut out.row(question));
            }
            _ => wrong_kind(answer),
        }
    }
}

/// The position of `py`.
const PY: usize = 1;

impl ClosestTable<'_> {
    /// The point of a question and how far away things count, or why the question is invalid.
    fn asked(&self, questions: &Questions, question: usize) -> Result<(Vec3, f32), String> {
        let [x, _, z, max_distance] =
            std::array::from_fn(|column| questions.column(column)[question]);
        if max_distance < 0.0 {
            return Err(format!(
                "max_distance must be at least 0, found {max_distance}"
            ));
        }
        let y = y_of(self.scene, questions, question, (PY, QUESTIONS[PY]), [x, z])?;
        Ok((Vec3::new(x, y, z), max_distance))
    }

    fn write_row(&self, nearest: Option<&ClosestPoint>, row: &mut RowWriter<'_>) {
        let Some(nearest) = nearest else {
            row.text("none");
            return;
        };
        row.text(if nearest.is_inside { "inside" } else { "ok" });
        row.f32(nearest.distance);
        for vector in [nearest.point, nearest.normal] {
            row.f32(vector.x).f32(vector.y).f32(vector.z);
        }
        let Some(object) = nearest.object else { return };
        write_feature(self.scene, object, nearest.triangle, row);
        if nearest.triangle.and_then(TriangleId::number).is_some() {
            row.f32(nearest.u()).f32(nearest.v());
        }
    }
}
