//! The answer to an `ask`: the row that the command writes, and what a page shows beside it.

use super::budget::Budget;
use super::drawing::Drawing;
use super::query::{Found, Query, QueryTable};
use super::sentence::sentence_in;
use super::settings::ToolSettings;
use super::surface::local_point;
use super::timing::Timing;
use crate::limits;
use crate::protocol::{AnswerReply, BindReply, Columns, FieldError, Refusal, Tool};
use crate::viewer::page_world::SeenWorld;
use hitscan::RayHit;
use hitscan::explain::Answer;
use hitscan_ask::{joint_of, row_json};
use hitscan_assets::Scene;
use hitscan_table::{AnsweredRow, Value, answer_fields};
use std::sync::atomic::AtomicBool;

/// An `ask` that is kept, so that it can be explained.
#[derive(Debug)]
pub(in crate::viewer) struct Ask {
    pub(in crate::viewer) id: u32,
    pub(in crate::viewer) tool: Tool,
    pub(in crate::viewer) settings: ToolSettings,
    /// The columns and the texts of their fields.
    pub(in crate::viewer) question: Vec<(String, String)>,
    /// The scene as the question sees it.
    pub(in crate::viewer) scene: Scene,
    /// Which world that is.
    pub(in crate::viewer) seen: SeenWorld,
}

/// An ask with its answer.
pub(super) struct AnsweredAsk {
    /// The row as the command answers it, with the first of its answers.
    pub(super) row: AnsweredRow,
    /// What it is written from, where the row can be used.
    pub(super) answered: Option<(Query, Found)>,
}

impl AnsweredAsk {
    /// How many answers there are.
    fn total(&self) -> usize {
        let found = self.answered.as_ref().map_or(0, |(_, found)| found.count());
        self.row.answers.len().max(found)
    }

    /// The answer for people, of a scene.
    pub(super) fn sentence(&self, scene: &Scene) -> String {
        let AnsweredRow {
            answers, invalid, ..
        } = &self.row;
        sentence_in(scene, answers, self.total(), invalid.as_deref())
    }
}

impl Ask {
    /// The row as the command answers it, within a budget.
    pub(super) fn answered(&self, budget: &Budget<'_>) -> Result<AnsweredAsk, FieldError> {
        let table = QueryTable::of_ask(&self.settings, &self.scene, budget);
        let row = answered_row(&self.question, &table)?;
        budget.check("question")?;
        Ok(AnsweredAsk {
            row,
            answered: table.into_answered(),
        })
    }

    /// Answers it; what there is to time then.
    pub(super) fn answer(
        &self,
        cancel: &AtomicBool,
    ) -> Result<(AnswerReply, Option<Timing>), FieldError> {
        let asked = self.answered(&Budget::of_ask(cancel))?;
        let (total, sentence) = (asked.total(), asked.sentence(&self.scene));
        let AnsweredAsk { row, answered } = asked;
        let world = self.scene.now();
        let (query, found) = answered.unzip();
        let hit = found.as_ref().and_then(first_hit);
        let drawing = match (&query, &found) {
            (Some(query), Some(found)) => Drawing::new(world, query, found),
            _ => Drawing::default(),
        };
        let answers = row.answers.iter().take(limits::ANSWERS);
        let reply = AnswerReply {
            id: self.id,
            tool: self.tool.name(),
            question: row_json(&row.question),
            answers: answers.map(|answer| row_json(answer)).collect(),
            answers_total: (total > limits::ANSWERS).then_some(total),
            local: hit.and_then(|hit| local_point(world, hit.object?, hit.point)),
            bind: hit.and_then(|hit| {
                let (joint, bind) = joint_of(&self.scene, hit.object?, hit)?;
                Some(BindReply {
                    joint: joint.into_owned(),
                    point: bind.point.as_vec3().to_array(),
                })
            }),
            bits: row
                .answers
                .first()
                .map(|answer| bits(answer))
                .unwrap_or_default(),
            view: self.seen.view,
            past: self.seen.past,
            sentence,
            invalid: row.invalid,
            lines: drawing.lines,
            boxes: drawing.boxes,
            wireframe: drawing.wireframe,
            pivot: drawing.pivot,
        };
        let timing = query.and_then(|query| Timing::new(query, world));
        Ok((reply, timing))
    }
}

/// The row of a question as its command answers it; a column that is none of the question's is refused.
pub(super) fn answered_row(
    question: &[(String, String)],
    table: &dyn hitscan_table::Answer,
) -> Result<AnsweredRow, FieldError> {
    let row = answer_fields("question", question, table).map_err(|error| {
        let names: Vec<&str> = question.iter().map(|(name, _)| name.as_str()).collect();
        Refusal::new("question", names.join(" "), error.to_string())
    })?;
    let is_known = |name: &str| row.question.iter().any(|(known, _)| known == name);
    match question.iter().find(|(name, _)| !is_known(name)) {
        None => Ok(row),
        Some((name, text)) => {
            let known: Vec<&str> = row.question.iter().map(|(name, _)| name.as_str()).collect();
            let expected = format!("one of the columns {}", known.join(" "));
            Err(Refusal::new(
                format!("question.{name}"),
                text.clone(),
                expected,
            ))
        }
    }
}

/// The hit of a ray or an arc.
fn first_hit(found: &Found) -> Option<&RayHit> {
    match found {
        Found::Answer(Answer::Ray(hits)) => hits.first(),
        Found::Answer(Answer::Arc(hit)) => hit.as_ref(),
        _ => None,
    }
}

/// The bits of the numbers that are f32: all but those of a map's coordinates.
pub(super) fn bits(answer: &[(String, Option<Value>)]) -> Columns {
    let column = |(name, value): &(String, Option<Value>)| {
        let Some(Value::Number(number)) = value else {
            return None;
        };
        #[expect(clippy::cast_possible_truncation, reason = "it is an f32's text")]
        let narrow = *number as f32;
        let is_f32 = narrow.to_string().parse() == Ok(*number);
        is_f32.then(|| (name.clone(), format!("{:#010x}", narrow.to_bits()).into()))
    };
    answer.iter().filter_map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_f32() {
        let number = |name: &str, number| (name.to_owned(), Some(Value::Number(number)));
        let columns = [
            number("t", 2.5),
            number("x", 500_000.000_01),
            ("part".to_owned(), None),
        ];
        let bits = bits(&columns);
        assert_eq!(bits.len(), 1);
        assert_eq!(bits["t"], "0x40200000");
    }
}
