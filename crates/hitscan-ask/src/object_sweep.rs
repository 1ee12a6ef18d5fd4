//! Tables of objects of a scene that move among the others: when each first touches something.

use crate::explain::NamedCandidate;
use crate::filter::{FilterColumns, IGNORE, MASK, Seen};
use crate::frame::table_frame;
use crate::names::{write_feature, write_parts, write_status};
use crate::sweep::{ContactColumns, MOTION, MoveHits, MoveSettings, write_start};
use hitscan::explain::Hits;
use hitscan::world::{ObjectCast, ObjectHit, ObjectKind};
use hitscan::{ObjectId, QueryFilter};
use hitscan_assets::{KnownNames, Scene};
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, ColumnKind, Frame, QuestionColumn, Questions,
    RowWriter,
};

/// Answers tables of objects that move about a scene, with the columns of `hitscan sweep --object`.
///
/// ```
/// use hitscan_ask::{MoveSettings, ObjectSweepTable};
/// use hitscan_table::Answer as _;
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-movers-{}.toml", std::process::id()));
/// # std::fs::write(&path, "")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let table = ObjectSweepTable::new(&scene, MoveSettings::default());
/// let columns: Vec<&str> = table.questions().iter().map(|column| column.name).collect();
/// assert_eq!(columns, ["mover", "dx", "dy", "dz", "mask", "ignore"]);
/// let columns: Vec<&str> = table.answers().iter().map(|column| column.name).collect();
/// assert_eq!(columns[5..], ["object", "part", "triangle", "mover_part", "mover_triangle"]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ObjectSweepTable<'scene> {
    scene: &'scene Scene,
    questions: Vec<QuestionColumn>,
    filters: FilterColumns<'scene>,
    settings: MoveSettings,
    frame: Frame,
}

impl<'scene> ObjectSweepTable<'scene> {
    /// Prepares to answer moves of the objects of `scene`; the shape of the settings does not matter.
    #[must_use]
    pub fn new(scene: &'scene Scene, settings: MoveSettings) -> Self {
        let questions = [&[MOVER][..], &MOTION, &[MASK, IGNORE]].concat();
        Self {
            scene,
            filters: FilterColumns::new(scene, &questions),
            questions,
            settings,
            frame: table_frame(scene),
        }
    }
}

/// The object that moves.
pub(crate) const MOVER: QuestionColumn = QuestionColumn::required_name("mover");

/// `row` is for all hits only. The last [`CONTACT_COLUMNS`] are for [`ContactColumns::HitAndContact`] only.
const ANSWERS: [AnswerColumn; 20] = [
    AnswerColumn::new("row", ColumnKind::RowNumber),
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

impl Answer for ObjectSweepTable<'_> {
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
        filters.answer_each(
            questions,
            out,
            read,
            |(mover, cast), filter, question, out| {
                self.answer_move(mover, &cast, filter, question, out);
            },
        );
    }
}

impl ObjectSweepTable<'_> {
    /// The candidates of the first of the questions, in the order of the library's
    /// [`Explanation`](hitscan::explain::Explanation).
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    pub fn explain(&self, questions: &Questions) -> Result<Vec<NamedCandidate>, String> {
        let ((_, cast), seen) = self.motion(questions)?;
        Ok(self.candidates(&cast, seen.filter()))
    }

    /// The candidates of a move, of what `filter` accepts, as [`ObjectSweepTable::explain`] returns them.
    #[must_use]
    pub fn candidates(&self, cast: &ObjectCast, filter: QueryFilter<'_>) -> Vec<NamedCandidate> {
        let hits = match self.settings.hits {
            MoveHits::Nearest(_) | MoveHits::Any => Hits::Nearest,
            MoveHits::All(_) => Hits::All,
        };
        let snapshot = self.scene.now();
        let sides = self.settings.sides;
        let candidates = snapshot.explain_object_cast(cast, sides, hits, filter);
        let named = |candidate| NamedCandidate::new(self.scene, candidate);
        candidates.into_iter().map(named).collect()
    }

    /// The mover and the move of the first of the questions, and what it sees.
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    pub fn motion(&self, questions: &Questions) -> Result<((ObjectId, ObjectCast), Seen), String> {
        Ok((self.cast_of(questions, 0)?, self.filters.seen(questions)?))
    }

    /// The mover and the move of a question, or why the question is invalid.
    fn cast_of(
        &self,
        questions: &Questions,
        question: usize,
    ) -> Result<(ObjectId, ObjectCast), String> {
        let name = questions.names(0).get(question).unwrap_or_default();
        let mover = mover_named(self.scene, name)?;
        let motion = [1, 2, 3].map(|column| questions.column(column)[question]);
        let cast = ObjectCast::new(mover, motion).map_err(|error| error.to_string())?;
        Ok((
            mover,
            cast.with_initial_overlap(self.settings.initial_overlap),
        ))
    }

    fn answer_move(
        &self,
        mover: ObjectId,
        cast: &ObjectCast,
        filter: QueryFilter<'_>,
        question: usize,
        out: &mut AnswerBuilder,
    ) {
        let snapshot = self.scene.now();
        let sides = self.settings.sides;
        let hits = match self.settings.hits {
            MoveHits::Any => {
                let is_hit = snapshot.cast_object_any(cast, (sides, filter));
                return write_status(is_hit, question, out);
            }
            MoveHits::Nearest(_) => {
                let hit = snapshot.cast_object(cast, (sides, filter));
                hit.into_iter().collect()
            }
            MoveHits::All(_) => snapshot.cast_object_all(cast, (sides, filter)),
        };
        self.write(mover, &hits, question, out);
    }

    /// Writes the rows of a question about this mover.
    pub fn write(
        &self,
        mover: ObjectId,
        hits: &[ObjectHit],
        question: usize,
        out: &mut AnswerBuilder,
    ) {
        if hits.is_empty() || self.settings.hits == MoveHits::Any {
            return write_status(!hits.is_empty(), question, out);
        }
        for hit in hits {
            self.write_hit(mover, hit, &mut out.row(question));
        }
    }

    fn write_hit(&self, mover: ObjectId, hit: &ObjectHit, row: &mut RowWriter<'_>) {
        let object = hit.object.expect("a hit in a world names its object");
        let normal = hit.normal;
        row.text(if hit.is_overlap() { "overlap" } else { "hit" })
            .f32(hit.t)
            .f32(normal.x)
            .f32(normal.y)
            .f32(normal.z);
        write_feature(self.scene, object, hit.triangle, row);
        write_parts(self.scene, mover, hit.mover_triangle, row);
        if let MoveHits::Nearest(columns) | MoveHits::All(columns) = self.settings.hits
            && columns == ContactColumns::HitAndContact
        {
            write_start(hit.start, (hit.point, hit.side), row);
        }
    }
}

/// The object of this name, if it can move.
pub(crate) fn mover_named(scene: &Scene, name: &str) -> Result<ObjectId, String> {
    let is_terrain = |id| scene.now().kind(id) == Some(ObjectKind::HeightField);
    match scene.object_named(name) {
        Some(id) if is_terrain(id) => Err(format!(
            "the column `mover` names the terrain `{name}`: terrain does not move"
        )),
        Some(id) => Ok(id),
        None => {
            let mut names: Vec<&str> = scene.object_names().collect();
            names.sort_unstable();
            let known = KnownNames::near(name, names);
            Err(format!(
                "the column `mover` names no object but `{name}`{known}"
            ))
        }
    }
}
