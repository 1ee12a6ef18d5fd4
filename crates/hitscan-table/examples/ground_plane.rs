//! Answers a table of rays with where they hit the ground, the plane y = 0.
//!
//! `cargo run --release -p hitscan-table --example ground_plane -- rays.csv hits.parquet` reads and
//! writes any of the formats; `-` is CSV on standard input or output. This is all that a command
//! needs to have tables.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, ColumnKind, Error, Input, Output, QuestionColumn,
    Questions, RunOptions, run,
};

struct GroundPlane;

impl Answer for GroundPlane {
    fn questions(&self) -> &[QuestionColumn] {
        const {
            &[
                QuestionColumn::required("ox"),
                QuestionColumn::required("oy"),
                QuestionColumn::required("oz"),
                QuestionColumn::required("dx"),
                QuestionColumn::required("dy"),
                QuestionColumn::required("dz"),
                QuestionColumn::optional("t_max", f32::INFINITY).accepting_infinity(),
            ]
        }
    }

    fn answers(&self) -> &[AnswerColumn] {
        const {
            &[
                AnswerColumn::new("status", ColumnKind::Status),
                AnswerColumn::new("t", ColumnKind::F32),
                AnswerColumn::new("distance", ColumnKind::F32),
                AnswerColumn::new("x", ColumnKind::F32),
                AnswerColumn::new("y", ColumnKind::F32),
                AnswerColumn::new("z", ColumnKind::F32),
                AnswerColumn::new("object", ColumnKind::Text),
                AnswerColumn::new("side", ColumnKind::Text),
            ]
        }
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        for i in 0..questions.len() {
            let [ox, oy, oz, dx, dy, dz, t_max] =
                std::array::from_fn(|column| questions.column(column)[i]);
            if dx == 0.0 && dy == 0.0 && dz == 0.0 {
                out.invalid(i, "the direction is zero");
                continue;
            }
            let t = -oy / dy;
            if dy == 0.0 || t < 0.0 || t > t_max {
                out.row(i).text("miss");
                continue;
            }
            let length = dx.hypot(dy).hypot(dz);
            let mut row = out.row(i);
            row.text("hit").f32(t).f32(t * length);
            row.f32(ox + t * dx).f32(0.0).f32(oz + t * dz);
            row.text("ground")
                .text(if dy < 0.0 { "front" } else { "back" });
        }
    }
}

fn main() -> Result<(), Error> {
    let mut names = std::env::args().skip(1);
    let mut name = || names.next().unwrap_or_else(|| "-".to_owned());
    let input = match name() {
        name if name == "-" => Input::stdin(),
        name => Input::File(PathBuf::from(name)),
    };
    let output = match name() {
        name if name == "-" => Output::stdout(),
        name => Output::File(PathBuf::from(name)),
    };
    let cancel = AtomicBool::new(false);
    let summary = run(input, output, &GroundPlane, &RunOptions::new(&cancel))?;
    eprintln!("{} rays, {} invalid", summary.rows, summary.invalid);
    if let Some(row) = summary.first_invalid {
        eprintln!("the first: {row}");
    }
    Ok(())
}
