//! Pairs of eyes and targets, row by row: whether the eye of a row sees the target of the same row.

use super::{ANSWERS, EYES, STATUS, SightTable, status, write_blocker};
use crate::filter::Ignored;
use hitscan::glam::Vec3;
use hitscan_table::{Answer, AnswerBuilder, AnswerColumn, Frame, QuestionColumn, Questions};

/// Answers a table of eyes, each with the target of the same row that a [`SightTable`] has read.
///
/// ```
/// use hitscan_ask::{SightPairs, SightTable};
/// use hitscan_table::{Input, RunOptions, answer_row};
/// use std::sync::atomic::AtomicBool;
///
/// let scene = "[[box]]\nname = 'wall'\nmin = [4, 0, -9]\nmax = [5, 3, 9]\n";
/// let scene = hitscan_assets::load_scene_text("scene.toml".as_ref(), scene)?;
/// let cancel = AtomicBool::new(false);
/// let options = RunOptions::new(&cancel);
/// let table = |text: &str| Input::Bytes {
///     name: "points.csv".to_owned(),
///     bytes: text.as_bytes().into(),
/// };
/// let mut sight = SightTable::new(&scene, false);
/// sight.read_targets(table("x,y,z\n3,1,0\n8,1,0\n"), &options)?;
/// let pairs = SightPairs::new(&sight);
/// let row = answer_row(table("x,y,z\n0,1,0\n0,1,0\n"), 1, &pairs, &options)?;
/// assert_eq!(format!("{:?}", row.answers[0]), r#"[("status", Some(Text("blocked")))]"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SightPairs<'sight, 'scene> {
    sight: &'sight SightTable<'scene>,
}

impl<'sight, 'scene> SightPairs<'sight, 'scene> {
    /// Pairs with the targets that `sight` has read.
    #[must_use]
    pub fn new(sight: &'sight SightTable<'scene>) -> Self {
        Self { sight }
    }

    /// The target of a row, and what it ignores; or why there is none.
    fn target(&self, row: u64) -> Result<(Vec3, &Ignored), String> {
        let sight = self.sight;
        let place = sight.target_rows.binary_search(&row);
        let Ok(place) = place else {
            return Err(format!("the table of targets has no row {row}"));
        };
        let run = sight.runs.partition_point(|run| run.end <= place);
        match &sight.runs[run].ignored {
            Some(ignored) => Ok((sight.targets[place], ignored)),
            None => Err("the target of the row cannot be used".to_owned()),
        }
    }
}

impl Answer for SightPairs<'_, '_> {
    fn questions(&self) -> &[QuestionColumn] {
        &EYES
    }

    fn answers(&self) -> &[AnswerColumn] {
        let columns = self.sight.columns().len();
        &ANSWERS[STATUS..columns]
    }

    fn frame(&self) -> Option<&Frame> {
        Some(&self.sight.frame)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let sight = self.sight;
        let world = sight.scene.now();
        let (masks, ignore) = (questions.masks(3), questions.names(4));
        let mut ignored = Ignored::default();
        for (question, mask) in masks.iter().enumerate() {
            ignored.clear();
            let eye = sight.read_point(questions, question, ignore, &mut ignored);
            let target = self.target(questions.row_number(question));
            let (eye, (target, of_target)) = match (eye, target) {
                (Ok(eye), Ok(target)) => (eye, target),
                (Err(reason), _) | (_, Err(reason)) => {
                    out.invalid(question, &reason);
                    continue;
                }
            };
            ignored.extend(of_target);
            let filter = ignored.filter().layers(*mask);
            if sight.names_blockers {
                let blocker = world.first_blocker(eye, target, filter);
                let mut row = out.row(question);
                row.text(status(blocker.is_none()));
                if let Some(blocker) = blocker {
                    write_blocker(sight.scene, &blocker, &mut row);
                }
            } else {
                let is_visible = world.is_visible(eye, target, filter);
                out.row(question).text(status(is_visible));
            }
        }
    }
}
