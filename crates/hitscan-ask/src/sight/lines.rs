//! Lines of sight, one a row: whether the eye of a row sees the target of the same row.

use super::candidates::candidates;
use super::{ANSWERS, EYE_Y, EYES, STATUS, status, write_blocker};
use crate::above::y_of;
use crate::explain::NamedCandidate;
use crate::filter::{FilterColumns, IGNORE, MASK, Seen};
use crate::frame::table_frame;
use hitscan::Blocker;
use hitscan::glam::Vec3;
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, Axis, Bound, Frame, QuestionColumn, Questions,
};

/// Answers tables of lines of sight, with the columns of `hitscan sight` without a table of targets.
///
/// ```
/// use hitscan_ask::SightLineTable;
/// use hitscan_table::{Input, RunOptions, answer_row};
/// use std::sync::atomic::AtomicBool;
///
/// let scene = "[[box]]\nname = 'wall'\nmin = [4, 0, -9]\nmax = [5, 3, 9]\n";
/// let scene = hitscan_assets::load_scene_text("scene.toml".as_ref(), scene)?;
/// let lines = "x,y,z,target_x,target_y,target_z\n0,1,0,8,1,0\n";
/// let lines = Input::Bytes {
///     name: "lines.csv".to_owned(),
///     bytes: lines.as_bytes().into(),
/// };
/// let cancel = AtomicBool::new(false);
/// let table = SightLineTable::new(&scene, false);
/// let row = answer_row(lines, 0, &table, &RunOptions::new(&cancel))?;
/// assert_eq!(format!("{:?}", row.answers[0]), r#"[("status", Some(Text("blocked")))]"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SightLineTable<'scene> {
    scene: &'scene Scene,
    filters: FilterColumns<'scene>,
    frame: Frame,
    names_blockers: bool,
}

const QUESTIONS: [QuestionColumn; 8] = [
    EYES[0],
    EYES[1],
    EYES[2],
    QuestionColumn::required("target_x").position(Axis::X, Bound::Target),
    QuestionColumn::required("target_y")
        .position(Axis::Y, Bound::Target)
        .or_above("target_y_above"),
    QuestionColumn::required("target_z").position(Axis::Z, Bound::Target),
    MASK,
    IGNORE,
];

impl<'scene> SightLineTable<'scene> {
    /// Prepares to answer lines of sight in `scene`; with `names_blockers` also what is nearest
    /// between their ends.
    #[must_use]
    pub fn new(scene: &'scene Scene, names_blockers: bool) -> Self {
        Self {
            scene,
            filters: FilterColumns::new(scene, &QUESTIONS),
            frame: table_frame(scene),
            names_blockers,
        }
    }

    /// The eye and the target of the first of the questions, and what they see.
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    pub fn line(&self, questions: &Questions) -> Result<([Vec3; 2], Seen), String> {
        Ok((self.ends(questions, 0)?, self.filters.seen(questions)?))
    }

    /// Writes the row of a question, with the columns of its first blocker where they are answered.
    pub fn write(&self, blocker: Option<&Blocker>, question: usize, out: &mut AnswerBuilder) {
        let mut row = out.row(question);
        row.text(status(blocker.is_none()));
        if let Some(blocker) = blocker.filter(|_| self.names_blockers) {
            write_blocker(self.scene, blocker, &mut row);
        }
    }

    /// Each object that blocks the first of the lines, at its first point between the two, nearest first;
    /// then what does not.
    ///
    /// # Errors
    /// Why the question is invalid.
    ///
    /// # Panics
    /// Where there is no question.
    pub fn explain(&self, questions: &Questions) -> Result<Vec<NamedCandidate>, String> {
        let (ends, seen) = self.line(questions)?;
        Ok(candidates(self.scene, ends, &seen.ignored, seen.layers))
    }

    /// The eye and the target of a question.
    fn ends(&self, questions: &Questions, question: usize) -> Result<[Vec3; 2], String> {
        let end = |first: usize| -> Result<Vec3, String> {
            let [x, z] = [first, first + 2].map(|column| questions.column(column)[question]);
            let y = first + EYE_Y;
            let y = y_of(self.scene, questions, question, (y, QUESTIONS[y]), [x, z])?;
            Ok(Vec3::new(x, y, z))
        };
        Ok([end(0)?, end(3)?])
    }
}

impl Answer for SightLineTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &QUESTIONS
    }

    fn answers(&self) -> &[AnswerColumn] {
        let count = if self.names_blockers {
            ANSWERS.len()
        } else {
            STATUS + 1
        };
        &ANSWERS[STATUS..count]
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.frame)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let world = self.scene.now();
        let read = |question| self.ends(questions, question);
        let filters = &self.filters;
        filters.answer_each(
            questions,
            out,
            read,
            |[eye, target], filter, question, out| {
                if self.names_blockers {
                    let blocker = world.first_blocker(eye, target, filter);
                    self.write(blocker.as_ref(), question, out);
                } else {
                    let is_visible = world.is_visible(eye, target, filter);
                    out.row(question).text(status(is_visible));
                }
            },
        );
    }
}
