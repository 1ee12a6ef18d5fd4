//! `hitscan height`: how high the ground is at each point.

use super::filter::{FilterColumns, IGNORE, MASK};
use crate::arguments::{HeightArguments, HeightMethod};
use crate::failure::Failure;
use crate::scene::OpenScene;
use hitscan::world::{WorldGround, WorldSampledGround};
use hitscan_table::{Answer, AnswerBuilder, AnswerColumn, ColumnKind, QuestionColumn, Questions};

pub(crate) fn run(arguments: &HeightArguments) -> Result<(), Failure> {
    let method = match (arguments.method, arguments.radius) {
        (HeightMethod::Exact, None) => Method::Exact,
        (HeightMethod::Exact, Some(_)) => {
            return Err(Failure::usage("--radius belongs to --method max and mean"));
        }
        (_, None) => {
            return Err(Failure::usage(
                "--method max and mean need a --radius in metres",
            ));
        }
        (_, Some(radius)) if !(radius.is_finite() && radius >= 0.0) => {
            let message = format!("--radius must be a length of at least 0, found {radius}");
            return Err(Failure::usage(message));
        }
        (HeightMethod::Max, Some(radius)) => Method::Max(radius),
        (HeightMethod::Mean, Some(radius)) => Method::Mean(radius),
    };
    let scene = OpenScene::read(&arguments.scene)?;
    let job = HeightJob {
        scene: &scene,
        filters: FilterColumns::new(&scene, &QUESTIONS),
        method,
    };
    super::answer_table(&arguments.points, &arguments.output, &job)
}

enum Method {
    Exact,
    Max(f64),
    Mean(f64),
}

struct HeightJob<'scene> {
    scene: &'scene OpenScene,
    filters: FilterColumns<'scene>,
    method: Method,
}

const QUESTIONS: [QuestionColumn; 4] = [
    QuestionColumn::required("x"),
    QuestionColumn::required("z"),
    MASK,
    IGNORE,
];

const ANSWERS: [AnswerColumn; 7] = [
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("height", ColumnKind::F32),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("triangle", ColumnKind::U32),
];

impl Answer for HeightJob<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &QUESTIONS
    }

    fn answers(&self) -> &[AnswerColumn] {
        &ANSWERS
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let points = questions.column(0).iter().zip(questions.column(1));
        let world = self.scene.world();
        let mut filters = self.filters.read(questions);
        for (question, (&x, &z)) in points.enumerate() {
            let filter = match filters.of(question) {
                Ok(seen) => seen.filter(),
                Err(reason) => {
                    out.invalid(question, &reason);
                    continue;
                }
            };
            match self.method {
                Method::Exact => self.write_exact(world.now().height(x, z, filter), question, out),
                Method::Max(radius) => {
                    let ground = world.now().max_height(x, z, radius, filter);
                    self.write_sampled(ground, question, out);
                }
                Method::Mean(radius) => {
                    let ground = world.now().mean_height(x, z, radius, filter);
                    self.write_sampled(ground, question, out);
                }
            }
        }
    }
}

impl HeightJob<'_> {
    fn write_exact(&self, ground: WorldGround, question: usize, out: &mut AnswerBuilder) {
        let mut row = out.row(question);
        match ground {
            WorldGround::Height(object, ground) => {
                let normal = ground.normal;
                row.text("ok")
                    .f32(ground.height)
                    .f32(normal.x)
                    .f32(normal.y)
                    .f32(normal.z);
                row.text(self.scene.object_name(object))
                    .u32(ground.triangle);
            }
            WorldGround::Outside => {
                row.text("outside");
            }
            WorldGround::Hole => {
                row.text("hole");
            }
        }
    }

    fn write_sampled(&self, ground: WorldSampledGround, question: usize, out: &mut AnswerBuilder) {
        let mut row = out.row(question);
        let status = match ground {
            WorldSampledGround::Height(object, height) => {
                row.text("ok").f32(height).empty().empty().empty();
                row.text(self.scene.object_name(object));
                return;
            }
            WorldSampledGround::Outside => "outside",
            WorldSampledGround::Hole => "hole",
            WorldSampledGround::Empty => "empty",
        };
        row.text(status);
    }
}
