//! All pairs of objects that overlap: the rows that `hitscan overlap` lists, and where they are.
//!
//! They are those of the world as the page poses it; what it hides takes part, as no column of the
//! command could leave it out.

use super::answer::bits;
use super::budget::Budget;
use super::surface::triangle_corners;
use crate::limits;
use crate::protocol::{AnswerReply, BoxReply, Columns, FieldError, LineReply, Refusal, Tool};
use crate::viewer::page_world::SeenWorld;
use glam::Vec3;
use hitscan::world::{OverlapFeature, OverlapPair};
use hitscan::{Aabb, QueryFilter, TriangleId, WorkLimit};
use hitscan_ask::{OverlapTable, OverlapTest, row_json};
use hitscan_assets::Scene;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// The question, and the scene as it sees it.
#[derive(Debug)]
pub(in crate::viewer) struct PairsQuestion {
    pub(in crate::viewer) test: OverlapTest,
    pub(in crate::viewer) scene: Scene,
    pub(in crate::viewer) seen: SeenWorld,
}

impl PairsQuestion {
    /// The first pairs with what there is to draw of them, to the message `id`.
    pub(super) fn answer(&self, id: u32, cancel: &AtomicBool) -> Result<AnswerReply, FieldError> {
        let budget = Budget::of_pairs(cancel);
        let rows = |limit: &WorkLimit<'_>| {
            let table = OverlapTable::new(&self.scene, self.test);
            // One more shows that there are more.
            let table = table
                .with_limit(Some(limits::PAIRS + 1))
                .with_work_limit(limit);
            table.first_rows(limits::ANSWERS, cancel)
        };
        let first = budget.search(rows, |_| 0);
        budget.check("question")?;
        let first = first.transpose();
        let first = first.map_err(|error| Refusal::new("question", "pairs", error.to_string()))?;
        let first = first.unwrap_or_default();
        let count = usize::try_from(first.count).unwrap_or(usize::MAX);
        let mut drawing = Drawing::default();
        match self.test {
            OverlapTest::Bounds => drawing.boxes(self),
            OverlapTest::Exact | OverlapTest::Summary => drawing.overlaps(self, cancel),
        }
        Ok(AnswerReply {
            id,
            tool: Tool::Overlap.name(),
            answers: first.rows.iter().map(|row| row_json(row)).collect(),
            answers_total: (count > limits::ANSWERS).then_some(count),
            bits: match first.rows.first() {
                Some(row) => bits(row),
                None => Columns::new(),
            },
            view: self.seen.view,
            past: self.seen.past,
            sentence: sentence(self.test, first.count),
            lines: drawing.lines,
            boxes: drawing.boxes,
            ..AnswerReply::default()
        })
    }
}

/// What the first answers look like, in their order.
#[derive(Default)]
struct Drawing {
    lines: Vec<LineReply>,
    boxes: Vec<BoxReply>,
}

impl Drawing {
    /// What the boxes of each pair have in common.
    fn boxes(&mut self, question: &PairsQuestion) {
        let mut answer = 0;
        let world = question.scene.now();
        let _ = world.visit_broad_phase_pairs((), |pair| {
            self.intersection(&pair.intersection, Some(answer));
            answer += 1;
            until_shown(answer)
        });
    }

    /// Where each two triangles or solids overlap, within what the boxes of their objects have in common.
    fn overlaps(&mut self, question: &PairsQuestion, cancel: &AtomicBool) {
        let world = question.scene.now();
        let limit = WorkLimit::new(limits::PAIRS_STEPS, cancel);
        let filter = QueryFilter::new().work_limit(&limit);
        let mut answer = 0;
        let _ = world.visit_broad_phase_pairs(filter, |pair| {
            let before = answer;
            world.visit_overlaps_of(pair.a, pair.b, filter, |overlap| {
                let is_whole = !has_place(&overlap);
                if answer == before || is_whole {
                    self.intersection(&pair.intersection, is_whole.then_some(answer));
                }
                self.place(question, &overlap, answer);
                answer += 1;
                until_shown(answer)
            })
        });
    }

    /// The segment in which two triangles intersect; else the triangles that take part.
    fn place(&mut self, question: &PairsQuestion, overlap: &OverlapPair, answer: usize) {
        if let Some(segment) = overlap.segment {
            self.line(&segment, answer);
            return;
        }
        for feature in [&overlap.a, &overlap.b] {
            let triangle = feature.triangle;
            let corners = triangle.and_then(|triangle| {
                triangle_corners(question.scene.now(), feature.object, triangle)
            });
            if let Some([a, b, c]) = corners {
                let outline = [a, b, c, a].map(|corner| corner.as_vec3());
                self.line(&outline, answer);
            }
        }
    }

    fn line(&mut self, points: &[Vec3], answer: usize) {
        if points.iter().all(|point| point.is_finite()) {
            self.lines.push(LineReply {
                role: "overlap",
                answer: Some(answer),
                points: points.iter().map(|point| point.to_array()).collect(),
            });
        }
    }

    fn intersection(&mut self, bounds: &Aabb, answer: Option<usize>) {
        self.boxes.push(BoxReply {
            role: "intersection",
            answer,
            points: bounds.corners().map(Into::into),
        });
    }
}

/// Breaks after as many answers as are shown.
fn until_shown(answers: usize) -> ControlFlow<()> {
    match answers < limits::ANSWERS {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    }
}

/// Whether an overlap is at a segment or at triangles, and not of two solids or of whole objects.
fn has_place(overlap: &OverlapPair) -> bool {
    let is_triangle =
        |feature: OverlapFeature| feature.triangle.and_then(TriangleId::number).is_some();
    let has_triangle = is_triangle(overlap.a) || is_triangle(overlap.b);
    overlap.segment.is_some() || has_triangle
}

/// The answer for people.
fn sentence(test: OverlapTest, count: u64) -> String {
    let (one, many) = match test {
        OverlapTest::Bounds => (
            "The boxes of 1 pair of objects touch or overlap.",
            "pairs of objects touch or overlap with their boxes.",
        ),
        OverlapTest::Exact | OverlapTest::Summary => (
            "1 pair of triangles or solids meets.",
            "pairs of triangles or solids meet.",
        ),
    };
    match count {
        0 => "No two objects meet.".to_owned(),
        1 => one.to_owned(),
        _ if count > limits::PAIRS => format!("More than {} {many}", limits::PAIRS),
        _ => format!("{count} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_in_a_sentence() {
        let said = |count| sentence(OverlapTest::Exact, count);
        assert_eq!(said(0), "No two objects meet.");
        assert_eq!(said(1), "1 pair of triangles or solids meets.");
        assert!(said(limits::PAIRS).starts_with("100000 pairs"));
        assert!(said(limits::PAIRS + 1).starts_with("More than 100000 pairs"));
        let boxes = sentence(OverlapTest::Bounds, 2);
        assert!(boxes.starts_with("2 pairs of objects"), "{boxes}");
    }
}
