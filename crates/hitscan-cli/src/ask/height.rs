//! `hitscan height`: how high the ground is at each point.

use super::filter::{FilterColumns, IGNORE, MASK};
use crate::arguments::{HeightArguments, HeightMethod};
use crate::failure::Failure;
use crate::scene::OpenScene;
use hitscan::Sides;
use hitscan::height_field::Ground;
use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, ColumnKind, QuestionColumn, Questions, RowWriter,
};

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
                Ok(seen) => seen.filter(Sides::Both),
                Err(reason) => {
                    out.invalid(question, &reason);
                    continue;
                }
            };
            let ground = match self.method {
                Method::Exact => world.height([x, z], filter),
                Method::Max(radius) => world.max_height([x, z], radius, filter),
                Method::Mean(radius) => world.mean_height([x, z], radius, filter),
            };
            self.write(ground, &mut out.row(question));
        }
    }
}

impl HeightJob<'_> {
    fn write(&self, ground: Ground, row: &mut RowWriter<'_>) {
        row.text(status(ground));
        let Some(ground) = ground.ok() else { return };
        row.f32(ground.height);
        match ground.surface {
            Some(surface) => {
                let normal = surface.normal;
                row.f32(normal.x).f32(normal.y).f32(normal.z);
            }
            None => {
                row.empty().empty().empty();
            }
        }
        if let Some(object) = ground.object {
            row.text(self.scene.object_name(object));
        }
        if let Some(surface) = ground.surface {
            row.u32(surface.triangle);
        }
    }
}

fn status(ground: Ground) -> &'static str {
    match ground {
        Ground::Height(_) => "ok",
        Ground::Outside => "outside",
        Ground::Hole => "hole",
        Ground::Empty => "empty",
    }
}
