//! A question as the library has it, and its answer: what the row is written from, and what is drawn.

use super::settings::ToolSettings;
use hitscan::explain::{Answer, Question};
use hitscan::height_field::Ground;
use hitscan::{Sides, Snapshot};
use hitscan_ask::{HeightMethod, HeightTable, March, RayHits, Seen};
use hitscan_assets::Scene;
use hitscan_table::{AnswerBuilder, AnswerColumn, Frame, QuestionColumn, Questions};
use std::sync::OnceLock;

/// A question and what it sees.
#[derive(Debug, Clone)]
pub(super) struct Query {
    pub(super) what: What,
    pub(super) seen: Seen,
}

/// What is asked.
#[derive(Debug, Clone)]
pub(super) enum What {
    /// What the library explains.
    Question(Question),
    /// The approximate search along a ray.
    March {
        ray: hitscan::Ray,
        march: March,
        sides: Sides,
    },
    /// The ground at a point.
    Height {
        point: [f32; 2],
        method: HeightMethod,
    },
}

/// What is answered.
#[derive(Debug, Clone)]
pub(super) enum Found {
    Answer(Answer),
    Ground(Ground),
}

impl Query {
    /// The first of the questions of a table, or why it is invalid; `None` for footprints, which the
    /// table alone answers.
    pub(super) fn new(
        settings: &ToolSettings,
        scene: &Scene,
        questions: &Questions,
    ) -> Result<Option<Self>, String> {
        if let ToolSettings::Height(method) = *settings {
            let point = [0, 1].map(|column| questions.column(column)[0]);
            return Ok(Some(Self {
                what: What::Height { point, method },
                seen: HeightTable::new(scene, method).seen(questions)?,
            }));
        }
        let Some(explainer) = settings.explainer(scene) else {
            return Ok(None);
        };
        let (question, seen) = explainer.question(questions)?;
        let what = match (settings, &question) {
            (
                ToolSettings::Ray {
                    hits: RayHits::March(march) | RayHits::MarchAny(march),
                    sides,
                },
                Question::Ray { ray, .. },
            ) => What::March {
                ray: *ray,
                march: *march,
                sides: *sides,
            },
            _ => What::Question(question),
        };
        Ok(Some(Self { what, seen }))
    }

    /// What the library answers.
    pub(super) fn answer(&self, world: &Snapshot) -> Found {
        let filter = self.seen.filter();
        match &self.what {
            What::Question(question) => Found::Answer(world.answer(question, filter)),
            What::March { ray, march, sides } => {
                let nearest = march.nearest(world, ray, (*sides, filter));
                Found::Answer(Answer::Ray(nearest.into_iter().collect()))
            }
            What::Height { point, method } => Found::Ground(method.ground(world, *point, filter)),
        }
    }
}

impl Found {
    /// Writes the rows of the first question of a table with these settings.
    fn write(&self, settings: &ToolSettings, scene: &Scene, out: &mut AnswerBuilder) {
        match (settings, self) {
            (ToolSettings::Height(method), Self::Ground(ground)) => {
                HeightTable::new(scene, *method).write(*ground, 0, out);
            }
            (_, Self::Answer(answer)) => {
                if let Some(table) = settings.explainer(scene) {
                    table.write(answer, 0, out);
                }
            }
            (_, Self::Ground(_)) => {}
        }
    }
}

/// A table of one row, which keeps the question and the answer that its row is written from.
pub(super) struct QueryTable<'a> {
    settings: &'a ToolSettings,
    scene: &'a Scene,
    table: Box<dyn hitscan_table::Answer + 'a>,
    answered: OnceLock<(Query, Found)>,
}

impl<'a> QueryTable<'a> {
    pub(super) fn new(settings: &'a ToolSettings, scene: &'a Scene) -> Self {
        Self {
            settings,
            scene,
            table: settings.table(scene),
            answered: OnceLock::new(),
        }
    }

    /// The question and its answer, once the row is answered; `None` where the row is invalid, and for
    /// footprints.
    pub(super) fn into_answered(self) -> Option<(Query, Found)> {
        self.answered.into_inner()
    }
}

impl hitscan_table::Answer for QueryTable<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        self.table.questions()
    }

    fn answers(&self) -> &[AnswerColumn] {
        self.table.answers()
    }

    fn frame(&self) -> Option<&Frame> {
        self.table.frame()
    }

    fn check_columns(&self, has: &[bool]) -> Result<(), String> {
        self.table.check_columns(has)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        if questions.is_empty() {
            return;
        }
        match Query::new(self.settings, self.scene, questions) {
            Err(reason) => out.invalid(0, &reason),
            Ok(None) => self.table.answer(questions, out),
            Ok(Some(query)) => {
                let found = query.answer(self.scene.now());
                found.write(self.settings, self.scene, out);
                let is_first = self.answered.set((query, found)).is_ok();
                debug_assert!(is_first, "the table has one row");
            }
        }
    }
}
