//! A question as the library has it, and its answer: what the row is written from, and what is drawn.

use super::budget::Budget;
use super::settings::{ToolSettings, ToolTable};
use crate::limits;
use hitscan::explain::{Answer, Question};
use hitscan::glam::Vec3;
use hitscan::height_field::Ground;
use hitscan::world::{ObjectCast, ObjectDistance, ObjectHit, TurningObjectCast, TurningObjectHit};
use hitscan::{Blocker, ObjectId, Sides, Snapshot, TurningCast, TurningHit, WorkLimit};
use hitscan_ask::{FootprintTable, HeightMethod, March, MoveHits, RayHits, Seen};
use hitscan_assets::Scene;
use hitscan_table::{AnswerBuilder, AnswerColumn, Frame, QuestionColumn, Questions};
use std::borrow::Cow;
use std::sync::OnceLock;

/// A question and what it sees.
#[derive(Debug, Clone)]
pub(super) struct Query {
    pub(super) what: What,
    pub(super) seen: Seen,
}

/// The query.
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
    /// Whether an eye sees a target.
    Sight { ends: [Vec3; 2] },
    /// A shape that turns while it moves.
    Turning(TurningCast),
    /// An object that moves.
    ObjectCast {
        mover: ObjectId,
        cast: ObjectCast,
        sides: Sides,
        hits: MoveHits,
    },
    /// An object that turns while it moves.
    TurningObject {
        mover: ObjectId,
        cast: TurningObjectCast,
    },
    /// How far two objects are apart.
    Distance {
        objects: [ObjectId; 2],
        max_distance: f64,
    },
}

/// What is answered.
#[derive(Debug, Clone)]
pub(super) enum Found {
    Answer(Answer),
    Ground(Ground),
    /// What is nearest between an eye and a target.
    Sight(Option<Blocker>),
    Turning(Option<TurningHit>),
    Objects(ObjectId, Vec<ObjectHit>),
    TurningObject(ObjectId, Option<TurningObjectHit>),
    Distance(Option<ObjectDistance>),
}

impl Query {
    /// The first of the questions of a table with these settings, or why it is invalid; `None` for
    /// footprints, which the table alone answers.
    fn new(
        settings: &ToolSettings,
        table: &ToolTable<'_>,
        questions: &Questions,
    ) -> Result<Option<Self>, String> {
        let explained = match (table, settings) {
            (ToolTable::Explained(table), _) => table,
            (ToolTable::Height(table), &ToolSettings::Height(method)) => {
                let point = [0, 1].map(|column| questions.column(column)[0]);
                return Ok(Some(Self {
                    what: What::Height { point, method },
                    seen: table.seen(questions)?,
                }));
            }
            (ToolTable::Sight(table), _) => {
                let (ends, seen) = table.line(questions)?;
                let what = What::Sight { ends };
                return Ok(Some(Self { what, seen }));
            }
            (ToolTable::Turning(table), _) => {
                let (cast, seen) = table.motion(questions)?;
                let what = What::Turning(cast);
                return Ok(Some(Self { what, seen }));
            }
            (ToolTable::ObjectSweep(table), &ToolSettings::ObjectSweep(settings)) => {
                let ((mover, cast), seen) = table.motion(questions)?;
                let what = What::ObjectCast {
                    mover,
                    cast,
                    sides: settings.sides,
                    hits: settings.hits,
                };
                return Ok(Some(Self { what, seen }));
            }
            (ToolTable::ObjectTurning(table), _) => {
                let ((mover, cast), seen) = table.motion(questions)?;
                let what = What::TurningObject { mover, cast };
                return Ok(Some(Self { what, seen }));
            }
            (ToolTable::Distance(table), _) => {
                let (objects, max_distance, seen) = table.pair(questions)?;
                let what = What::Distance {
                    objects,
                    max_distance,
                };
                return Ok(Some(Self { what, seen }));
            }
            _ => return Ok(None),
        };
        let (question, seen) = explained.question(questions)?;
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

    /// What the library answers, as far as a limit lets it.
    pub(super) fn answer(&self, world: &Snapshot, limit: Option<&WorkLimit<'_>>) -> Found {
        let filter = match limit {
            None => self.seen.filter(),
            Some(limit) => self.seen.filter().work_limit(limit),
        };
        match &self.what {
            What::Question(question) => Found::Answer(world.answer(question, filter)),
            What::March { ray, march, sides } => {
                let nearest = march.nearest(world, ray, (*sides, filter));
                Found::Answer(Answer::Ray(nearest.into_iter().collect()))
            }
            What::Height { point, method } => Found::Ground(method.ground(world, *point, filter)),
            What::Sight {
                ends: [eye, target],
            } => Found::Sight(world.first_blocker(*eye, *target, filter)),
            What::Turning(cast) => Found::Turning(world.cast_turning(cast, filter)),
            What::ObjectCast {
                mover,
                cast,
                sides,
                hits,
            } => {
                let hits = match hits {
                    MoveHits::All(_) => world.cast_object_all(cast, (*sides, filter)),
                    MoveHits::Nearest(_) | MoveHits::Any => {
                        Vec::from_iter(world.cast_object(cast, (*sides, filter)))
                    }
                };
                Found::Objects(*mover, hits)
            }
            What::TurningObject { mover, cast } => {
                Found::TurningObject(*mover, world.cast_turning_object(cast, filter))
            }
            What::Distance {
                objects: [a, b],
                max_distance,
            } => Found::Distance(world.distance(*a, *b, *max_distance, filter)),
        }
    }
}

impl Found {
    /// How many answers there are, where there may be several.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Answer(Answer::Ray(hits)) => hits.len(),
            Self::Answer(Answer::Shape(hits)) => hits.len(),
            Self::Answer(Answer::Contacts(contacts)) => contacts.len(),
            Self::Objects(_, hits) => hits.len(),
            _ => 1,
        }
    }

    /// The first of several answers.
    fn first(&self, most: usize) -> Cow<'_, Self> {
        if self.count() <= most {
            return Cow::Borrowed(self);
        }
        if let Self::Objects(mover, hits) = self {
            return Cow::Owned(Self::Objects(*mover, hits[..most].to_vec()));
        }
        Cow::Owned(Self::Answer(match self {
            Self::Answer(Answer::Ray(hits)) => Answer::Ray(hits[..most].to_vec()),
            Self::Answer(Answer::Shape(hits)) => Answer::Shape(hits[..most].to_vec()),
            Self::Answer(Answer::Contacts(contacts)) => Answer::Contacts(contacts[..most].to_vec()),
            _ => return Cow::Borrowed(self),
        }))
    }

    /// Writes the rows of the first question of the table that it answers.
    fn write(&self, table: &ToolTable<'_>, out: &mut AnswerBuilder) {
        match (table, self) {
            (ToolTable::Explained(table), Self::Answer(answer)) => table.write(answer, 0, out),
            (ToolTable::Height(table), Self::Ground(ground)) => table.write(*ground, 0, out),
            (ToolTable::Sight(table), Self::Sight(blocker)) => {
                table.write(blocker.as_ref(), 0, out);
            }
            (ToolTable::Turning(table), Self::Turning(hit)) => table.write(hit.as_ref(), 0, out),
            (ToolTable::ObjectSweep(table), Self::Objects(mover, hits)) => {
                table.write(*mover, hits, 0, out);
            }
            (ToolTable::ObjectTurning(table), Self::TurningObject(mover, hit)) => {
                table.write(*mover, hit.as_ref(), 0, out);
            }
            (ToolTable::Distance(table), Self::Distance(found)) => {
                table.write(found.as_ref(), 0, out);
            }
            _ => {}
        }
    }
}

/// A table whose rows keep within a budget, and which keeps the question and the answer that its first row
/// is written from.
pub(super) struct QueryTable<'a> {
    settings: &'a ToolSettings,
    scene: &'a Scene,
    table: ToolTable<'a>,
    budget: &'a Budget<'a>,
    /// Rows that are written of one question.
    most: usize,
    answered: OnceLock<(Query, Found)>,
}

impl<'a> QueryTable<'a> {
    /// For one question, of whose answers the first are written.
    pub(super) fn of_ask(
        settings: &'a ToolSettings,
        scene: &'a Scene,
        budget: &'a Budget<'a>,
    ) -> Self {
        Self {
            settings,
            scene,
            table: settings.table(scene),
            budget,
            most: limits::ANSWERS,
            answered: OnceLock::new(),
        }
    }

    /// For many questions.
    pub(super) fn of_table(
        settings: &'a ToolSettings,
        scene: &'a Scene,
        budget: &'a Budget<'a>,
    ) -> Self {
        Self {
            most: usize::MAX,
            ..Self::of_ask(settings, scene, budget)
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
        self.table.as_answer().questions()
    }

    fn answers(&self) -> &[AnswerColumn] {
        self.table.as_answer().answers()
    }

    fn frame(&self) -> Option<&Frame> {
        self.table.as_answer().frame()
    }

    fn check_columns(&self, has: &[bool]) -> Result<(), String> {
        self.table.as_answer().check_columns(has)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        if questions.is_empty() {
            return;
        }
        match Query::new(self.settings, &self.table, questions) {
            Err(reason) => out.invalid(0, &reason),
            Ok(None) => {
                let answer = |limit: &WorkLimit<'_>| {
                    let table = FootprintTable::new(self.scene).with_work_limit(limit);
                    table.answer(questions, out);
                };
                // What is not whole is not used: the caller checks the budget.
                let _ = self.budget.search(answer, |()| 1);
            }
            Ok(Some(query)) => {
                let search = |limit: &WorkLimit<'_>| query.answer(self.scene.now(), Some(limit));
                match self.budget.search(search, Found::count) {
                    // The caller checks the budget.
                    None => out.invalid(0, "it exceeds a limit"),
                    Some(found) => {
                        found.first(self.most).write(&self.table, out);
                        self.answered.get_or_init(|| (query, found));
                    }
                }
            }
        }
    }
}
