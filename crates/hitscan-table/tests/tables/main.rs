//! Whole tables through the public interface, by feature.
//!
//! The jobs and the folder that all of them use are here; the tests are in the modules.

#![expect(
    clippy::unwrap_used,
    reason = "a panic is a failed test, in the functions that tests share too"
)]

mod pass_through;
mod compressed;
mod damage;
mod files;
mod formats;
mod frames;
mod in_memory;
mod invalid_rows;
mod options;
mod parts;
mod ranges;
mod masks_and_names;
mod refusals;
mod streaming;
mod whole_columns;

use std::fs;
use std::io::{self, Cursor, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use hitscan_table::{
    Answer, AnswerBuilder, AnswerColumn, ColumnKind, Error, Input, Output, QuestionColumn,
    Questions, RunOptions, Summary, run,
};

/// Answers x + z; where x is negative there is a miss, where both are zero the row is invalid.
struct Sum;

impl Answer for Sum {
    fn questions(&self) -> &[QuestionColumn] {
        const {
            &[
                QuestionColumn::required("x"),
                QuestionColumn::required("z"),
                QuestionColumn::optional("t_max", f32::INFINITY).accepting_infinity(),
            ]
        }
    }

    fn answers(&self) -> &[AnswerColumn] {
        const {
            &[
                AnswerColumn::new("status", ColumnKind::Status),
                AnswerColumn::new("t", ColumnKind::F32),
                AnswerColumn::new("object", ColumnKind::Text),
                AnswerColumn::new("triangle", ColumnKind::U32),
            ]
        }
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        for i in 0..questions.len() {
            let (x, z) = (questions.column(0)[i], questions.column(1)[i]);
            let t_max = questions.column(2)[i];
            if x == 0.0 && z == 0.0 {
                out.invalid(i, "the direction is zero");
            } else if x < 0.0 {
                out.row(i).text("miss");
                out.remark(i, "x is negative");
            } else {
                let t = (x + z).min(t_max);
                out.row(i).text("hit").f32(t).text("crate, large").u32(7);
            }
        }
    }
}

/// Answers each x with x rows that count down, or with a miss where x is zero.
struct Countdown;

impl Answer for Countdown {
    fn questions(&self) -> &[QuestionColumn] {
        const { &[QuestionColumn::required("x")] }
    }

    fn answers(&self) -> &[AnswerColumn] {
        const {
            &[
                AnswerColumn::new("row", ColumnKind::RowNumber),
                AnswerColumn::new("status", ColumnKind::Status),
                AnswerColumn::new("t", ColumnKind::F32),
            ]
        }
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        for (i, &x) in questions.column(0).iter().enumerate() {
            if x == 0.0 {
                out.row(i).text("miss");
            }
            let mut left = x;
            while left > 0.0 {
                out.row(i).text("hit").f32(left);
                left -= 1.0;
            }
        }
    }
}

/// Answers each x with its double, in one row whatever it is.
struct Double;

impl Answer for Double {
    fn questions(&self) -> &[QuestionColumn] {
        Countdown.questions()
    }

    fn answers(&self) -> &[AnswerColumn] {
        const { &[AnswerColumn::new("double", ColumnKind::F32)] }
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        for (i, x) in questions.column(0).iter().enumerate() {
            out.row(i).f32(2.0 * x);
        }
    }
}

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("hitscan-table-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The names of all files, sorted.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A stream whose bytes can be looked at while it is written.
#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Page {
    fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
    }

    fn output(&self) -> Output {
        Output::Stream {
            name: "page".to_owned(),
            writer: Box::new(self.clone()),
        }
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn text_input(text: impl Into<Vec<u8>>) -> Input {
    Input::Stream {
        name: "text".to_owned(),
        reader: Box::new(Cursor::new(text.into())),
    }
}

/// Four threads and batches of three rows: many batches even of a small table.
fn small_batches(cancel: &AtomicBool) -> RunOptions<'_> {
    RunOptions {
        threads: NonZeroUsize::new(4).unwrap(),
        batch_rows: NonZeroUsize::new(3).unwrap(),
        ..RunOptions::new(cancel)
    }
}

/// Runs a job in small batches.
fn answer(input: Input, output: Output, job: &dyn Answer) -> Result<Summary, Error> {
    let cancel = AtomicBool::new(false);
    run(input, output, job, &small_batches(&cancel))
}

fn answer_files(input: &Path, output: &Path, job: &dyn Answer) -> Result<Summary, Error> {
    answer(
        Input::File(input.to_owned()),
        Output::File(output.to_owned()),
        job,
    )
}

/// Runs a job from CSV text to CSV text.
fn answer_text(text: impl Into<Vec<u8>>, job: &dyn Answer) -> Result<(Vec<u8>, Summary), Error> {
    let page = Page::default();
    let summary = answer(text_input(text), page.output(), job)?;
    Ok((page.bytes(), summary))
}
