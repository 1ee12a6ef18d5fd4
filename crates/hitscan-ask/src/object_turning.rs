//! Tables of objects of a scene that turn while they move among the others: what each comes to first.

use crate::filter::{FilterColumns, IGNORE, MASK, Seen};
use crate::frame::table_frame;
use crate::names::{write_feature, write_parts};
use crate::object_sweep::{MOVER, mover_named};
use crate::sweep::MOTION;
use crate::turning::{TURN, TurnOfRow, TurningHits, TurningSettings, status_word};
use hitscan::world::{ObjectCast, TurningObjectCast, TurningObjectHit};
use hitscan::{Error, ObjectId, QueryFilter, TurningStatus};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, ColumnKind, Frame, QuestionColumn, Questions,
};

/// Answers tables of objects that turn while they move about a scene, with the columns of
/// `hitscan sweep --object --turning`.
///
/// ```
/// use hitscan_ask::{ObjectTurningTable, TurningSettings};
/// use hitscan_table::Answer as _;
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-turners-{}.toml", std::process::id()));
/// # std::fs::write(&path, "")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let table = ObjectTurningTable::new(&scene, TurningSettings::default());
/// let columns: Vec<&str> = table.questions().iter().map(|column| column.name).collect();
/// assert_eq!(columns[..5], ["mover", "dx", "dy", "dz", "axis_x"]);
/// let columns: Vec<&str> = table.answers().iter().map(|column| column.name).collect();
/// assert_eq!(columns[5..], ["object", "part", "triangle", "mover_part", "mover_triangle", "gap"]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ObjectTurningTable<'scene> {
    scene: &'scene Scene,
    questions: Vec<QuestionColumn>,
    filters: FilterColumns<'scene>,
    settings: TurningSettings,
    frame: Frame,
}

impl<'scene> ObjectTurningTable<'scene> {
    /// Prepares to answer turns of the objects of `scene`; the shape of the settings does not matter.
    #[must_use]
    pub fn new(scene: &'scene Scene, settings: TurningSettings) -> Self {
        let questions = [&[MOVER][..], &MOTION, &TURN, &[MASK, IGNORE]].concat();
        Self {
            scene,
            filters: FilterColumns::new(scene, &questions),
            questions,
            settings,
            frame: table_frame(scene),
        }
    }

    /// The mover and the motion of a question, or why the question is invalid.
    fn cast_of(
        &self,
        questions: &Questions,
        question: usize,
    ) -> Result<(ObjectId, TurningObjectCast), String> {
        let name = questions.names(0).get(question).unwrap_or_default();
        let mover = mover_named(self.scene, name)?;
        let motion = [1, 2, 3].map(|column| questions.column(column)[question]);
        let turn = TurnOfRow::read(questions, question, 1 + MOTION.len());
        let message = |error: Error| error.to_string();
        let cast = ObjectCast::new(mover, motion).map_err(message)?;
        let mut cast = cast.turning(turn.axis, turn.angle).map_err(message)?;
        if let Some(pivot) = turn.pivot? {
            cast = cast.about(pivot).map_err(message)?;
        }
        if let Some(tolerance) = turn.tolerance.or(self.settings.tolerance) {
            cast = cast.with_tolerance(tolerance).map_err(message)?;
        }
        Ok((mover, cast))
    }

    fn answer_turn(
        &self,
        (mover, cast): (ObjectId, &TurningObjectCast),
        filter: QueryFilter<'_>,
        question: usize,
        out: &mut AnswerBuilder,
    ) {
        let hit = self.scene.now().cast_turning_object(cast, filter);
        self.write(mover, hit.as_ref(), question, out);
    }

    /// The mover and the motion of the first of the questions, and what it sees.
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    pub fn motion(
        &self,
        questions: &Questions,
    ) -> Result<((ObjectId, TurningObjectCast), Seen), String> {
        Ok((self.cast_of(questions, 0)?, self.filters.seen(questions)?))
    }

    /// Writes the row of a question about this mover.
    ///
    /// # Panics
    /// Where a hit names no object, as that of no world.
    pub fn write(
        &self,
        mover: ObjectId,
        hit: Option<&TurningObjectHit>,
        question: usize,
        out: &mut AnswerBuilder,
    ) {
        let mut row = out.row(question);
        row.text(status_word(hit.map(|hit| hit.status), self.settings.hits));
        let (Some(hit), TurningHits::Nearest) = (hit, self.settings.hits) else {
            return;
        };
        let normal = hit.normal;
        row.f32(hit.t).f32(normal.x).f32(normal.y).f32(normal.z);
        let object = hit.object.expect("a hit in a world names its object");
        write_feature(self.scene, object, hit.triangle, &mut row);
        write_parts(self.scene, mover, hit.mover_triangle, &mut row);
        if hit.status != TurningStatus::Overlap {
            row.f32(hit.gap);
        }
    }
}

const ANSWERS: [AnswerColumn; 11] = [
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("t", ColumnKind::F32),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("part", ColumnKind::Text),
    AnswerColumn::new("triangle", ColumnKind::U32),
    AnswerColumn::new("mover_part", ColumnKind::Text),
    AnswerColumn::new("mover_triangle", ColumnKind::U32),
    AnswerColumn::new("gap", ColumnKind::F32),
];

impl Answer for ObjectTurningTable<'_> {
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
        filters.answer_each(
            questions,
            out,
            read,
            |(mover, cast), filter, question, out| {
                self.answer_turn((mover, &cast), filter, question, out);
            },
        );
    }
}
