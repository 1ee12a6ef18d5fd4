//! A question as the library has it, and the library's own answer: what there is to draw.

use super::settings::ToolSettings;
use hitscan::explain::{Answer, Question};
use hitscan::height_field::Ground;
use hitscan::{RayHit, Sides, Snapshot};
use hitscan_ask::{HeightMethod, HeightTable, March, RayHits, Seen};
use hitscan_assets::Scene;
use hitscan_table::Questions;

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
    /// The first of the questions of a table; `None` where it is invalid, and for footprints, which
    /// the table alone answers.
    pub(super) fn new(
        settings: &ToolSettings,
        scene: &Scene,
        questions: &Questions,
    ) -> Option<Self> {
        if questions.is_empty() {
            return None;
        }
        match *settings {
            ToolSettings::Footprint => None,
            ToolSettings::Height(method) => {
                let [x, z] = [0, 1].map(|column| questions.column(column)[0]);
                let point = [x, z];
                Some(Self {
                    what: What::Height { point, method },
                    seen: HeightTable::new(scene, method).seen(questions).ok()?,
                })
            }
            _ => {
                let (question, seen) = settings.explainer(scene)?.question(questions).ok()?;
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
                Some(Self { what, seen })
            }
        }
    }

    /// What the library answers.
    pub(super) fn answer(&self, world: &Snapshot) -> Found {
        let filter = self.seen.filter();
        match &self.what {
            What::Question(question) => Found::Answer(world.answer(question, filter)),
            What::March { ray, march, sides } => {
                let fields = world.height_fields(filter);
                let hits = fields.filter_map(|(object, field)| {
                    let hit = march.cast_ray(field, ray, *sides)?;
                    let object = Some(object);
                    Some(RayHit { object, ..hit })
                });
                let nearest = hits.min_by(|a, b| a.t.total_cmp(&b.t));
                Found::Answer(Answer::Ray(nearest.into_iter().collect()))
            }
            What::Height { point, method } => Found::Ground(match *method {
                HeightMethod::Exact => world.height(*point, filter),
                HeightMethod::Max(radius) => world.max_height(*point, radius, filter),
                HeightMethod::Mean(radius) => world.mean_height(*point, radius, filter),
            }),
        }
    }
}
