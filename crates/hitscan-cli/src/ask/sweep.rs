//! `hitscan sweep`: when each moving box first touches something.

use super::filter::{FilterColumns, IGNORE, MASK, Seen};
use crate::arguments::SweepArguments;
use crate::failure::Failure;
use crate::scene::OpenScene;
use hitscan::shape_cast::{ShapeCast, StartState};
use hitscan::{Aabb, Error};
use hitscan_table::{Answer, AnswerBuilder, AnswerColumn, ColumnKind, QuestionColumn, Questions};

pub(crate) fn run(arguments: &SweepArguments) -> Result<(), Failure> {
    let scene = OpenScene::read(&arguments.scene)?;
    let job = SweepJob {
        scene: &scene,
        filters: FilterColumns::new(&scene, &QUESTIONS),
    };
    super::answer_table(&arguments.moves, &arguments.output, &job)
}

struct SweepJob<'scene> {
    scene: &'scene OpenScene,
    filters: FilterColumns<'scene>,
}

const QUESTIONS: [QuestionColumn; 11] = [
    QuestionColumn::required("min_x"),
    QuestionColumn::required("min_y"),
    QuestionColumn::required("min_z"),
    QuestionColumn::required("max_x"),
    QuestionColumn::required("max_y"),
    QuestionColumn::required("max_z"),
    QuestionColumn::required("dx"),
    QuestionColumn::required("dy"),
    QuestionColumn::required("dz"),
    MASK,
    IGNORE,
];

const ANSWERS: [AnswerColumn; 8] = [
    AnswerColumn::new("status", ColumnKind::Status),
    AnswerColumn::new("t", ColumnKind::F32),
    AnswerColumn::new("nx", ColumnKind::F32),
    AnswerColumn::new("ny", ColumnKind::F32),
    AnswerColumn::new("nz", ColumnKind::F32),
    AnswerColumn::new("object", ColumnKind::Text),
    AnswerColumn::new("part", ColumnKind::Text),
    AnswerColumn::new("triangle", ColumnKind::U32),
];

impl Answer for SweepJob<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        &QUESTIONS
    }

    fn answers(&self) -> &[AnswerColumn] {
        &ANSWERS
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        let columns: [&[f32]; 9] = std::array::from_fn(|column| questions.column(column));
        let mut filters = self.filters.read(questions);
        for question in 0..questions.len() {
            let moving = moving_box(columns.map(|column| column[question]))
                .map_err(|error| error.to_string());
            match moving.and_then(|moving| Ok((moving, filters.of(question)?))) {
                Ok((moving, seen)) => self.answer_move(&moving, seen, question, out),
                Err(reason) => out.invalid(question, &reason),
            }
        }
    }
}

fn moving_box([a, b, c, d, e, f, dx, dy, dz]: [f32; 9]) -> Result<ShapeCast, Error> {
    ShapeCast::new(Aabb::new([a, b, c], [d, e, f])?, [dx, dy, dz])
}

impl SweepJob<'_> {
    fn answer_move(
        &self,
        moving: &ShapeCast,
        seen: Seen<'_>,
        question: usize,
        out: &mut AnswerBuilder,
    ) {
        let mut row = out.row(question);
        let filter = seen.filter();
        let Some(met) = self.scene.world().now().cast_shape(moving, filter) else {
            row.text("miss");
            return;
        };
        let status = match met.start {
            StartState::Separate => "hit",
            StartState::Overlap => "overlap",
        };
        let normal = met.normal;
        row.text(status)
            .f32(met.t)
            .f32(normal.x)
            .f32(normal.y)
            .f32(normal.z);
        let Some(object) = met.object else { return };
        row.text(self.scene.object_name(object));
        if let Some(on) = met.triangle {
            self.scene.write_part(object, on.part, &mut row);
            row.u32(on.triangle);
        }
    }
}
