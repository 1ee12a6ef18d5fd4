//! Tables of how far objects are apart: pairs that are named, the closest pair, all pairs within a distance.

use crate::Error;
use crate::filter::{FilterColumns, IGNORE, MASK, Seen};
use crate::frame::table_frame;
use crate::names::{write_object, write_parts};
use hitscan::world::{DistanceStatus, ObjectDistance};
use hitscan::{ObjectId, QueryFilter, WorkLimit};
use hitscan_assets::{KnownNames, Scene};
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, ColumnKind, Frame, QuestionColumn, Questions,
    RowWriter, TableWriter,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Answers tables of pairs of objects of a scene, with the columns of `hitscan distance`.
///
/// ```
/// use hitscan_ask::DistanceTable;
/// use hitscan_table::Answer as _;
/// # let path = std::env::temp_dir().join(format!("hitscan-ask-distance-{}.toml", std::process::id()));
/// # std::fs::write(&path, "")?;
///
/// let scene = hitscan_assets::load_scene(&path)?;
/// let table = DistanceTable::new(&scene);
/// let columns: Vec<&str> = table.questions().iter().map(|column| column.name).collect();
/// assert_eq!(columns, ["object_a", "object_b", "max_distance", "mask", "ignore"]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DistanceTable<'scene> {
    scene: &'scene Scene,
    filters: FilterColumns<'scene>,
    frame: Frame,
}

/// The positions of the columns of a question.
const OBJECTS: [usize; 2] = [0, 1];
const MAX_DISTANCE: usize = 2;

const QUESTIONS: [QuestionColumn; 5] = [
    QuestionColumn::required_name("object_a"),
    QuestionColumn::required_name("object_b"),
    QuestionColumn::optional_double("max_distance", f64::INFINITY),
    MASK,
    IGNORE,
];

/// The columns of a listed pair; of a pair that is named those after the names.
const PAIRS: [AnswerColumn; 17] = [
    AnswerColumn::new("object_a", ColumnKind::Text),
    AnswerColumn::new("object_b", ColumnKind::Text),
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("distance", ColumnKind::F32),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("x0", ColumnKind::F32).on_axis(Axis::X),
    AnswerColumn::new("y0", ColumnKind::F32).on_axis(Axis::Y),
    AnswerColumn::new("z0", ColumnKind::F32).on_axis(Axis::Z),
    AnswerColumn::new("x1", ColumnKind::F32).on_axis(Axis::X),
    AnswerColumn::new("y1", ColumnKind::F32).on_axis(Axis::Y),
    AnswerColumn::new("z1", ColumnKind::F32).on_axis(Axis::Z),
    AnswerColumn::new("part_a", ColumnKind::Text),
    AnswerColumn::new("triangle_a", ColumnKind::U32),
    AnswerColumn::new("part_b", ColumnKind::Text),
    AnswerColumn::new("triangle_b", ColumnKind::U32),
];

impl<'scene> DistanceTable<'scene> {
    /// Prepares to answer pairs of objects of `scene`.
    #[must_use]
    pub fn new(scene: &'scene Scene) -> Self {
        Self {
            scene,
            filters: FilterColumns::new(scene, &QUESTIONS),
            frame: table_frame(scene),
        }
    }

    /// The objects of the first of the questions, how far apart they count, metres, and what it sees.
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    pub fn pair(&self, questions: &Questions) -> Result<([ObjectId; 2], f64, Seen), String> {
        let (objects, max_distance) = self.asked(questions, 0)?;
        Ok((objects, max_distance, self.filters.seen(questions)?))
    }

    /// Writes the row of a question.
    pub fn write(&self, found: Option<&ObjectDistance>, question: usize, out: &mut AnswerBuilder) {
        write_distance(self.scene, found, &mut out.row(question));
    }

    /// The objects of a question and how far apart they count, or why the question is invalid.
    fn asked(
        &self,
        questions: &Questions,
        question: usize,
    ) -> Result<([ObjectId; 2], f64), String> {
        let named = |side: usize| {
            let name = questions.names(OBJECTS[side]).get(question);
            let name = name.unwrap_or_default();
            let found = self.scene.object_named(name);
            found.ok_or_else(|| unknown(self.scene, QUESTIONS[OBJECTS[side]].name, name))
        };
        let objects = [named(0)?, named(1)?];
        if objects[0] == objects[1] {
            return Err("object_a and object_b are the same".to_owned());
        }
        let max_distance = questions.doubles(MAX_DISTANCE)[question];
        if max_distance < 0.0 {
            return Err(format!(
                "max_distance must be at least 0, found {max_distance}"
            ));
        }
        Ok((objects, max_distance))
    }
}

/// The message about a name that no object has, with those that exist.
fn unknown(scene: &Scene, column: &str, name: &str) -> String {
    let mut names: Vec<&str> = scene.object_names().collect();
    names.sort_unstable();
    let known = KnownNames::near(name, names);
    format!("the column `{column}` names no object but `{name}`{known}")
}

impl Answer for DistanceTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &QUESTIONS
    }

    fn answers(&self) -> &[AnswerColumn] {
        &PAIRS[2..]
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let snapshot = self.scene.now();
        let read = |question| self.asked(questions, question);
        let filters = &self.filters;
        filters.answer_each(questions, out, read, |asked, filter, question, out| {
            let ([a, b], max_distance) = asked;
            let found = snapshot.distance(a, b, max_distance, filter);
            self.write(found.as_ref(), question, out);
        });
    }
}

/// Which pairs of a scene are listed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NearPairs {
    /// The closest pair, in one row.
    Closest,
    /// All pairs no farther apart than this, metres, itself included.
    Within(f64),
}

/// Lists pairs of a scene's objects by their distance: the table of `hitscan distance` without a table, and of
/// `hitscan overlap --apart`.
///
/// ```
/// use hitscan_ask::{NearPairTable, NearPairs};
/// use hitscan_table::{Output, TableWriter};
/// use std::sync::atomic::AtomicBool;
///
/// # let folder = std::env::temp_dir().join(format!("hitscan-ask-pairs-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let (scene, pairs) = (folder.join("scene.toml"), folder.join("pairs.csv"));
/// let boxes = "[[box]]\nmin = [0, 0, 0]\nmax = [2, 2, 2]\n\
///              [[box]]\nmin = [5, 0, 0]\nmax = [6, 2, 2]\n";
/// std::fs::write(&scene, boxes)?;
///
/// let scene = hitscan_assets::load_scene(&scene)?;
/// let table = NearPairTable::new(&scene, NearPairs::Within(3.0));
/// let mut writer = TableWriter::create(Output::File(pairs.clone()), table.columns())?;
/// table.write(&mut writer, &AtomicBool::new(false))?;
/// writer.finish()?;
///
/// let rows = std::fs::read_to_string(&pairs)?;
/// assert!(rows.lines().nth(1).unwrap().starts_with("box0,box1,apart,3,1,0,0,2,"));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct NearPairTable<'scene> {
    scene: &'scene Scene,
    pairs: NearPairs,
    limit: Option<u64>,
    frame: Frame,
}

impl<'scene> NearPairTable<'scene> {
    /// Prepares to list pairs of `scene`.
    #[must_use]
    pub fn new(scene: &'scene Scene, pairs: NearPairs) -> Self {
        Self {
            scene,
            pairs,
            limit: None,
            frame: table_frame(scene),
        }
    }

    /// Ends the table after so many rows.
    #[must_use]
    pub fn with_limit(self, limit: Option<u64>) -> Self {
        Self { limit, ..self }
    }

    /// The coordinates of the table's positions, for the writer's options.
    #[must_use]
    pub fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    /// The columns of the table, in order.
    #[must_use]
    pub fn columns(&self) -> &'static [AnswerColumn] {
        &PAIRS
    }

    /// Writes all rows to a table that was created with [`NearPairTable::columns`]. The closest pair of fewer than
    /// two objects has the status `none`.
    ///
    /// # Errors
    /// [`Error::Table`] where the writer fails, or with [`hitscan_table::Error::Cancelled`] soon
    /// after `cancel` is set.
    pub fn write(&self, table: &mut TableWriter, cancel: &AtomicBool) -> Result<(), Error> {
        let work = WorkLimit::new(u64::MAX, cancel);
        let filter = QueryFilter::new().work_limit(&work);
        let snapshot = self.scene.now();
        let found = match self.pairs {
            NearPairs::Closest => snapshot.closest_pair(filter).into_iter().collect(),
            NearPairs::Within(max) => snapshot.pairs_within(max, filter),
        };
        check(cancel)?;
        if found.is_empty() && self.pairs == NearPairs::Closest {
            let mut row = table.row()?;
            row.empty().empty();
            write_distance(self.scene, None, &mut row);
        }
        let limit = self.limit.and_then(|limit| usize::try_from(limit).ok());
        for pair in found.iter().take(limit.unwrap_or(usize::MAX)) {
            check(cancel)?;
            let mut row = table.row()?;
            write_object(self.scene, pair.a.object, &mut row);
            write_object(self.scene, pair.b.object, &mut row);
            write_distance(self.scene, Some(pair), &mut row);
        }
        Ok(())
    }
}

/// Fails once `cancel` is set.
fn check(cancel: &AtomicBool) -> Result<(), Error> {
    if cancel.load(Ordering::Relaxed) {
        return Err(hitscan_table::Error::Cancelled.into());
    }
    Ok(())
}

/// Writes how far two objects are apart, the columns after their names.
fn write_distance(scene: &Scene, found: Option<&ObjectDistance>, row: &mut RowWriter<'_>) {
    let Some(found) = found else {
        row.text("none");
        return;
    };
    row.text(found.status.name()).f32(found.distance);
    if found.status == DistanceStatus::Apart {
        let normal = found.normal;
        row.f32(normal.x).f32(normal.y).f32(normal.z);
    } else {
        row.empty().empty().empty();
    }
    for point in found.points {
        row.f32(point.x).f32(point.y).f32(point.z);
    }
    for feature in [found.a, found.b] {
        write_parts(scene, feature.object, feature.triangle, row);
    }
}
