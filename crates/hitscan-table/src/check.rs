//! Checks of a run before its answers can be made: whether the input can be read and has the columns,
//! and whether the output can be written.
//!
//! For runs whose answers take long to prepare, such as those about a large world.

use std::fs;
use std::mem::discriminant;

use crate::column_mapping::check_assignments;
use crate::pass_through::Plan;
use crate::run::until_stopped;
use crate::source::Source;
use crate::{
    Answer, AnswerBuilder, AnswerColumn, Error, Frame, Input, NoAnswer, Output, QuestionColumn,
    Questions, RunOptions, StagedFile,
};

/// Refuses what [`run`](crate::run()) would refuse before it reads the first row, without answering
/// anything: no row is read, and nothing is written.
///
/// `frames` are all that [`Answer::frame`] may be once it is known; that of `job` does not count. What
/// is wrong in all of them is wrong.
///
/// An input that can be read only once, a stream or a pipe, is not opened: what is assigned is checked as
/// far as that goes without it.
///
/// # Errors
/// Those of [`run`](crate::run()).
pub fn check_run(
    input: &Input,
    output: &Output,
    job: &dyn Answer,
    frames: &[Frame],
    options: &RunOptions<'_>,
) -> Result<(), Error> {
    let format = output.format(options.output_format)?;
    check_output(output)?;
    input.format(options.input_format)?;
    let file = input.name();
    let Some(input) = again(input) else {
        return refused_in_all(frames, |frame| {
            check_assignments(&file, job.questions(), Some(frame), options.assignments)
        });
    };
    let schema = until_stopped(options, |stop| {
        Source::open(input, options, stop).map(|(_, schema)| schema)
    })?;
    // Whoever reads the rows reports these.
    let options = &RunOptions {
        similar_column: &|_| {},
        ..*options
    };
    refused_in_all(frames, |frame| {
        let job = Framed { job, frame };
        Plan::new(file.clone(), schema.clone(), format, &job, options).map(drop)
    })
}

/// The first error, if all frames have one about the same thing.
fn refused_in_all(
    frames: &[Frame],
    check: impl Fn(&Frame) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut first: Option<Error> = None;
    for frame in frames {
        match check(frame) {
            Ok(()) => return Ok(()),
            Err(error) if first.as_ref().is_none_or(|first| is_same(first, &error)) => {
                first.get_or_insert(error);
            }
            // It depends on the frame what is wrong.
            Err(_) => return Ok(()),
        }
    }
    first.map_or(Ok(()), Err)
}

/// Refuses what [`read`](crate::read()) would refuse before it reads the first row: see
/// [`check_run`].
///
/// # Errors
/// Those of [`read`](crate::read()).
pub fn check_input(
    input: &Input,
    columns: &[QuestionColumn],
    frames: &[Frame],
    options: &RunOptions<'_>,
) -> Result<(), Error> {
    let nowhere = Output::Stream {
        name: String::new(),
        writer: Box::new(std::io::sink()),
    };
    let options = RunOptions {
        output_format: None,
        ..*options
    };
    let job = NoAnswer {
        columns,
        frame: None,
    };
    check_run(input, &nowhere, &job, frames, &options)
}

/// Refuses an output that cannot be created.
///
/// # Errors
/// [`Error::Write`].
pub fn check_output(output: &Output) -> Result<(), Error> {
    match output {
        Output::File(path) => StagedFile::check(path).map_err(|source| Error::Write {
            file: output.name(),
            source: source.into(),
        }),
        Output::Stream { .. } => Ok(()),
    }
}

/// The input once more, if it can be read twice.
fn again(input: &Input) -> Option<Input> {
    match input {
        Input::File(path) => {
            let is_special = |data: fs::Metadata| !data.is_file() && !data.is_dir();
            let is_special = fs::metadata(path).is_ok_and(is_special);
            (!is_special).then(|| Input::File(path.clone()))
        }
        Input::Files(paths) => Some(Input::Files(paths.clone())),
        Input::Bytes { name, bytes } => Some(Input::Bytes {
            name: name.clone(),
            bytes: bytes.clone(),
        }),
        Input::Stream { .. } => None,
    }
}

/// Whether two errors are about the same thing.
fn is_same(one: &Error, other: &Error) -> bool {
    match (one, other) {
        (Error::MissingColumn { column: one, .. }, Error::MissingColumn { column: other, .. }) => {
            one == other
        }
        _ => discriminant(one) == discriminant(other),
    }
}

/// A job in another frame than its own.
struct Framed<'a> {
    job: &'a dyn Answer,
    frame: &'a Frame,
}

impl Answer for Framed<'_> {
    fn questions(&self) -> &[QuestionColumn] {
        self.job.questions()
    }

    fn answers(&self) -> &[AnswerColumn] {
        self.job.answers()
    }

    fn frame(&self) -> Option<&Frame> {
        Some(self.frame)
    }

    fn check_columns(&self, has: &[bool]) -> Result<(), String> {
        self.job.check_columns(has)
    }

    fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
        self.job.answer(questions, out);
    }
}
