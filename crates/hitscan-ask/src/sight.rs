//! Tables of eyes and of targets: which eye sees which target, and what is between.

mod candidates;
mod explain;
mod counts;
mod lines;
mod pairs;

pub use explain::SightExplanation;
pub use lines::SightLineTable;
pub use pairs::SightPairs;

use crate::Error;
use crate::above::y_of;
use crate::filter::{FilterColumns, IGNORE, Ignored, MASK};
use crate::frame::table_frame;
use crate::invalid::Invalid;
use crate::names::write_feature;
use counts::Counts;
use hitscan::Blocker;
use hitscan::glam::Vec3;
use hitscan_assets::Scene;
use hitscan_table::{
    AnswerColumn, Axis, Batch, Bound, ColumnKind, Frame, Input, Names, QuestionColumn, Questions,
    RunOptions, Summary, TableWriter, read,
};
use std::sync::atomic::Ordering;

/// The most targets that are kept.
const MAX_TARGETS: usize = 10_000_000;

/// How many pairs are answered before they are written.
const PAIRS: usize = 65_536;

/// Answers which eye of one table sees which target of another, with the columns of `hitscan sight`.
///
/// The targets are kept in memory, the eyes stream. Their tables have the columns `x y z`, optional
/// `ignore`, and the eyes' also `mask`.
///
/// ```
/// use hitscan_ask::SightTable;
/// use hitscan_table::{Input, Output, RunOptions, TableWriter};
/// use std::sync::atomic::AtomicBool;
///
/// # let folder = std::env::temp_dir().join(format!("hitscan-ask-sight-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let file = |name: &str| folder.join(name);
/// std::fs::write(file("s.toml"), "[[box]]\nname = 'wall'\nmin = [4, 0, -9]\nmax = [5, 3, 9]\n")?;
/// std::fs::write(file("eyes.csv"), "x,y,z\n0,1.7,0\n")?;
/// std::fs::write(file("targets.csv"), "x,y,z\n3,1,0\n8,1.7,0\n")?;
///
/// let scene = hitscan_assets::load_scene(&file("s.toml"))?;
/// let (cancel, output) = (AtomicBool::new(false), Output::File(file("seen.csv")));
/// let options = RunOptions::new(&cancel);
/// let mut sight = SightTable::new(&scene, true);
/// sight.read_targets(Input::File(file("targets.csv")), &options)?;
/// let mut writer = TableWriter::create(output, sight.columns())?;
/// sight.write(Input::File(file("eyes.csv")), &options, &mut writer)?;
/// writer.finish()?;
/// assert_eq!(
///     std::fs::read_to_string(file("seen.csv"))?,
///     "eye,target,status,t,object,part,triangle\n0,0,visible,,,,\n0,1,blocked,0.5,wall,,\n",
/// );
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SightTable<'scene> {
    scene: &'scene Scene,
    filters: FilterColumns<'scene>,
    frame: Frame,
    names_blockers: bool,
    /// All targets; those that are invalid are anywhere.
    targets: Vec<Vec3>,
    /// The row of each target in its table, where that is not its place here.
    target_rows: Vec<u64>,
    runs: Vec<TargetRun>,
}

/// Targets one after the other with the same ignored objects.
#[derive(Debug)]
struct TargetRun {
    end: usize,
    /// `None` where they are invalid.
    ignored: Option<Ignored>,
}

/// An eye's place, and what it sees at all.
struct Eye {
    row: u64,
    /// `None` where it is invalid.
    seeing: Option<(Vec3, u32, Ignored)>,
}

const EYES: [QuestionColumn; 5] = [
    QuestionColumn::required("x").position(Axis::X, Bound::Point),
    QuestionColumn::required("y")
        .position(Axis::Y, Bound::Point)
        .or_above("y_above"),
    QuestionColumn::required("z").position(Axis::Z, Bound::Point),
    MASK,
    IGNORE,
];

const TARGETS: [QuestionColumn; 4] = [EYES[0], EYES[1], EYES[2], IGNORE];

const ANSWERS: [AnswerColumn; 7] = [
    AnswerColumn::new("eye", ColumnKind::U64),
    AnswerColumn::new("target", ColumnKind::U64),
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("t", ColumnKind::F32),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("part", ColumnKind::Text),
    AnswerColumn::new("triangle", ColumnKind::U32),
];

/// How many columns there are without blockers.
const PLAIN_COLUMNS: usize = 3;

/// The place of `status` among them.
const STATUS: usize = 2;

/// The place of y among the columns of a point.
const EYE_Y: usize = 1;

impl<'scene> SightTable<'scene> {
    /// Prepares to answer eyes and targets in `scene`; with `names_blockers` also what is nearest
    /// between them.
    #[must_use]
    pub fn new(scene: &'scene Scene, names_blockers: bool) -> Self {
        Self {
            scene,
            filters: FilterColumns::new(scene, &EYES),
            frame: table_frame(scene),
            names_blockers,
            targets: Vec::new(),
            target_rows: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// The columns that are written.
    #[must_use]
    pub fn columns(&self) -> &[AnswerColumn] {
        let count = if self.names_blockers {
            ANSWERS.len()
        } else {
            PLAIN_COLUMNS
        };
        &ANSWERS[..count]
    }

    /// The columns that are read of eyes.
    #[must_use]
    pub fn eyes(&self) -> &[QuestionColumn] {
        &EYES
    }

    /// The columns that are read of targets.
    #[must_use]
    pub fn targets(&self) -> &[QuestionColumn] {
        &TARGETS
    }

    /// Reads the table of targets, in place of those before.
    ///
    /// # Errors
    /// [`Error::TooManyTargets`] for more than 1e7 rows, [`Error::Table`] where the table cannot be
    /// read.
    pub fn read_targets(
        &mut self,
        input: Input,
        options: &RunOptions<'_>,
    ) -> Result<Summary, Error> {
        let file = input.name();
        let (mut targets, mut rows, mut runs) = (Vec::new(), Vec::new(), Vec::new());
        let mut invalid = Invalid::default();
        let mut is_too_many = false;
        let read = read(input, &TARGETS, Some(&self.frame), options, &mut |batch| {
            let questions = batch.questions();
            let mut ignored = Ignored::default();
            for (row, question) in batch.rows() {
                if targets.len() == MAX_TARGETS {
                    is_too_many = true;
                    return Err(hitscan_table::Error::Cancelled);
                }
                ignored.clear();
                let target = question.map(|question| {
                    let ignore = questions.names(3);
                    self.read_point(questions, question, ignore, &mut ignored)
                });
                if let Some(Err(reason)) = &target {
                    invalid.add(batch, row, reason, options)?;
                }
                let target = target.and_then(Result::ok);
                targets.push(target.unwrap_or_default());
                rows.push(row);
                let own = target.is_some().then_some(&ignored);
                match runs.last_mut() {
                    Some(TargetRun { end, ignored }) if ignored.as_ref() == own => *end += 1,
                    _ => runs.push(TargetRun {
                        end: targets.len(),
                        ignored: own.cloned(),
                    }),
                }
            }
            Ok(())
        });
        if is_too_many {
            return Err(Error::TooManyTargets {
                file,
                limit: MAX_TARGETS,
            });
        }
        let summary = invalid.into_summary(read?);
        (self.targets, self.target_rows, self.runs) = (targets, rows, runs);
        Ok(summary)
    }

    /// Reads the table of eyes and writes a row for each of them and each target.
    ///
    /// # Errors
    /// [`Error::Table`] where a table cannot be read or written, or with
    /// [`hitscan_table::Error::Cancelled`] soon after the options' flag is set.
    pub fn write(
        &self,
        input: Input,
        options: &RunOptions<'_>,
        writer: &mut TableWriter,
    ) -> Result<Summary, Error> {
        let (mut invalid, mut counts) = (Invalid::default(), Counts::default());
        let summary = read(input, &EYES, Some(&self.frame), options, &mut |batch| {
            let eyes = self.eyes_of(batch, options, &mut invalid)?;
            let mut rest = eyes.as_slice();
            while let Some(first) = rest.first() {
                let filter = |eye: &Eye| {
                    eye.seeing
                        .as_ref()
                        .map(|(_, mask, own)| (*mask, own.clone()))
                };
                let own = filter(first);
                let most = (PAIRS / self.targets.len().max(1)).max(1);
                let same = rest.iter().take(most).take_while(|eye| filter(eye) == own);
                let (group, others) = rest.split_at(same.count());
                rest = others;
                self.write_group(group, options, &mut counts, writer)?;
            }
            Ok(())
        })?;
        Ok(counts.into_summary(invalid.into_summary(summary), self.scene))
    }

    /// The point of an eye or a target, and the objects that it ignores, or why it is invalid.
    fn read_point(
        &self,
        questions: &Questions,
        question: usize,
        ignore: &Names,
        ignored: &mut Ignored,
    ) -> Result<Vec3, String> {
        let [x, z] = [0, 2].map(|axis| questions.column(axis)[question]);
        let y = y_of(
            self.scene,
            questions,
            question,
            (EYE_Y, EYES[EYE_Y]),
            [x, z],
        )?;
        if let Some(field) = ignore.get(question) {
            self.filters.find(field, ignored)?;
        }
        Ok(Vec3::new(x, y, z))
    }

    fn eyes_of(
        &self,
        batch: &Batch<'_>,
        options: &RunOptions<'_>,
        invalid: &mut Invalid,
    ) -> Result<Vec<Eye>, hitscan_table::Error> {
        let questions = batch.questions();
        batch
            .rows()
            .map(|(row, question)| {
                let Some(question) = question else {
                    return Ok(Eye { row, seeing: None });
                };
                let (ignore, mut ignored) = (questions.names(4), Ignored::default());
                let place = self.read_point(questions, question, ignore, &mut ignored);
                let mask = questions.masks(3)[question];
                let seeing = match place {
                    Ok(place) => Some((place, mask, ignored)),
                    Err(reason) => {
                        invalid.add(batch, row, &reason, options)?;
                        None
                    }
                };
                Ok(Eye { row, seeing })
            })
            .collect()
    }

    /// Writes the rows of eyes that ignore the same.
    fn write_group(
        &self,
        eyes: &[Eye],
        options: &RunOptions<'_>,
        counts: &mut Counts,
        writer: &mut TableWriter,
    ) -> Result<(), hitscan_table::Error> {
        // Eyes are more than one only where all targets are one chunk each.
        let many = match self.runs.as_slice() {
            [_] => eyes.len(),
            _ => 1,
        };
        for eyes in eyes.chunks(many.max(1)) {
            let mut start = 0;
            for run in &self.runs {
                while start < run.end {
                    let end = run.end.min(start + PAIRS);
                    if options.cancel.load(Ordering::Relaxed) {
                        return Err(hitscan_table::Error::Cancelled);
                    }
                    let block = start..end;
                    self.write_block(eyes, block, run.ignored.as_ref(), counts, writer)?;
                    start = end;
                }
            }
        }
        Ok(())
    }

    /// Writes the rows of some eyes and targets that all ignore the same.
    fn write_block(
        &self,
        eyes: &[Eye],
        targets: std::ops::Range<usize>,
        ignored: Option<&Ignored>,
        counts: &mut Counts,
        writer: &mut TableWriter,
    ) -> Result<(), hitscan_table::Error> {
        let rows = &self.target_rows[targets.clone()];
        let targets = &self.targets[targets];
        let own = eyes.first().and_then(|eye| eye.seeing.as_ref());
        let pairs = eyes
            .iter()
            .flat_map(|eye| rows.iter().map(|target| (eye.row, *target)));
        let (Some((_, mask, own)), Some(others)) = (own, ignored) else {
            for (eye, target) in pairs {
                counts.invalid += 1;
                writer.row()?.u64(eye).u64(target).text("invalid");
            }
            return Ok(());
        };
        let mut excluded = own.clone();
        excluded.extend(others);
        let filter = excluded.filter().layers(*mask);
        let places: Vec<Vec3> = eyes
            .iter()
            .filter_map(|eye| Some(eye.seeing.as_ref()?.0))
            .collect();
        let world = self.scene.now();
        if self.names_blockers {
            let blockers = world.first_blockers(&places, targets, filter);
            for ((eye, target), blocker) in pairs.zip(blockers) {
                counts.add(blocker.is_none(), blocker.as_ref().map(|one| one.object));
                let mut row = writer.row()?;
                row.u64(eye).u64(target).text(status(blocker.is_none()));
                if let Some(blocker) = blocker {
                    write_blocker(self.scene, &blocker, &mut row);
                }
            }
        } else {
            let visible = world.visible_pairs(&places, targets, filter);
            for ((eye, target), is_visible) in pairs.zip(visible) {
                counts.add(is_visible, None);
                let mut row = writer.row()?;
                row.u64(eye).u64(target).text(status(is_visible));
            }
        }
        Ok(())
    }
}

fn write_blocker(scene: &Scene, blocker: &Blocker, row: &mut hitscan_table::RowWriter<'_>) {
    row.f32(blocker.t);
    write_feature(scene, blocker.object, blocker.triangle, row);
}

fn status(is_visible: bool) -> &'static str {
    if is_visible { "visible" } else { "blocked" }
}
