//! A whole table, from its questions to its answers.
//!
//! The order of events: the input's columns are checked, the output is created, chunks are read,
//! answered and written until the input ends, and the output gets its final name. Nothing is created
//! for an input that cannot be used.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::answers::{Answers, WordCounts};
use crate::bad_rows::{BatchBadRows, Treatment};
use crate::output_writer::OutputWriter;
use crate::pass_through::{OutputChunk, Plan};
use crate::pipeline::{Stop, in_order};
use crate::run_options::{Progress, RunOptions, Summary};
use crate::source::{Chunk, Source};
use crate::{Answer, Error, Input, Output};

/// Answers every row of `input` and writes the answers to `output`, in order.
///
/// Memory is bounded by the options and the longest row, whatever the input's length; the one
/// exception is an Arrow IPC file, whose current batch is in memory as its writer made it. The output
/// file appears when it is complete; after an error there is none, and a file of its name is left as
/// it was.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use hitscan_table::{
///     Answer, AnswerBuilder, AnswerColumn, ColumnKind, Input, Output, QuestionColumn, Questions,
///     RunOptions, run,
/// };
///
/// struct Square;
///
/// impl Answer for Square {
///     fn questions(&self) -> &[QuestionColumn] {
///         const { &[QuestionColumn::required("x")] }
///     }
///     fn answers(&self) -> &[AnswerColumn] {
///         const {
///             &[
///                 AnswerColumn::new("status", ColumnKind::Status),
///                 AnswerColumn::new("square", ColumnKind::F32),
///             ]
///         }
///     }
///     fn answer(&self, questions: &Questions, out: &mut AnswerBuilder) {
///         for (i, x) in questions.column(0).iter().enumerate() {
///             out.row(i).text("ok").f32(x * x);
///         }
///     }
/// }
///
/// let folder = std::env::temp_dir().join("hitscan-table-example");
/// std::fs::create_dir_all(&folder)?;
/// let (questions, answers) = (folder.join("questions.csv"), folder.join("answers.csv"));
/// std::fs::write(&questions, "x,\"note\"\n1.50,\"a, b\"\nnone,c\n")?;
///
/// let cancel = AtomicBool::new(false);
/// let (input, output) = (Input::File(questions), Output::File(answers.clone()));
/// let summary = run(input, output, &Square, &RunOptions::new(&cancel))?;
///
/// let expected = "x,\"note\",status,square\n1.50,\"a, b\",ok,2.25\nnone,c,invalid,\n";
/// assert_eq!(std::fs::read_to_string(answers)?, expected);
/// assert_eq!((summary.rows, summary.invalid), (2, 1));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`Error`]; of several wrong rows the first is named, however many threads there are.
///
/// # Panics
/// When `job` panics, or does not answer as [`AnswerBuilder`](crate::AnswerBuilder) requires.
pub fn run(
    input: Input,
    output: Output,
    job: &dyn Answer,
    options: &RunOptions<'_>,
) -> Result<Summary, Error> {
    until_stopped(options, |stop| {
        let file = input.name();
        let format = output.format(options.output_format)?;
        let (source, input_schema) = Source::open(input, options, stop)?;
        let plan = Plan::new(file, input_schema, format, job, options)?;
        let mut writer = OutputWriter::create(output, format, plan.output_schema())?;
        let mut summary = Summary {
            first_row: source.next_row(),
            coarse_columns: plan.coarse_columns(),
            ..Summary::default()
        };
        let reading = answer_all(source, &plan, job, options, stop, &mut |answered| {
            let begin = Instant::now();
            writer.write(&answered.output)?;
            summary.times.writing += begin.elapsed();
            let fraction = answered.fraction;
            answered.add_to(&mut summary, options);
            (options.progress)(Progress {
                rows: summary.rows,
                fraction,
            });
            Ok(())
        })?;
        summary.times.reading = reading;
        summary.check(options.invalid_rows)?;
        let begin = Instant::now();
        writer.finish((options.footer)(&summary))?;
        summary.times.writing += begin.elapsed();
        Ok(summary)
    })
}

/// Does what can be stopped.
pub(crate) fn until_stopped<T>(
    options: &RunOptions<'_>,
    work: impl FnOnce(Stop<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let over = AtomicBool::new(false);
    let stop = Stop {
        cancel: options.cancel,
        over: &over,
    };
    match work(stop) {
        // Whatever a stopped reader reports, it was stopped.
        Err(_) if stop.is_cancelled() => Err(Error::Cancelled),
        result => result,
    }
}

/// Answers all chunks of a source and passes them to `write` in order. The time that reading took.
pub(crate) fn answer_all(
    mut source: Source<'_>,
    plan: &Plan<'_>,
    job: &dyn Answer,
    options: &RunOptions<'_>,
    stop: Stop<'_>,
    write: &mut dyn FnMut(Answered) -> Result<(), Error>,
) -> Result<Duration, Error> {
    let treatment = Treatment::of(options);
    let reading = AtomicU64::new(0);
    in_order(
        options.threads,
        stop,
        || {
            let begin = Instant::now();
            let chunk = source.next_chunk();
            reading.fetch_add(nanoseconds(begin), Ordering::Relaxed);
            chunk
        },
        |chunk| answer_chunk(plan, job, treatment, &chunk),
        write,
    )?;
    // The input may be the file that the output replaces.
    drop(source);
    Ok(Duration::from_nanos(reading.into_inner()))
}

fn nanoseconds(begin: Instant) -> u64 {
    u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// A chunk of the input, answered and ready to be written.
pub(crate) struct Answered {
    pub(crate) output: OutputChunk,
    /// The number of its first row.
    pub(crate) first_row: u64,
    rows: u64,
    answers: u64,
    bad_rows: BatchBadRows,
    counts: WordCounts,
    pub(crate) fraction: Option<f64>,
    answering: Duration,
    combining: Duration,
}

impl Answered {
    /// The number of the row behind its last.
    pub(crate) fn end_row(&self) -> u64 {
        self.first_row + self.rows
    }

    /// Adds the chunk to the summary of those before it.
    pub(crate) fn add_to(self, summary: &mut Summary, options: &RunOptions<'_>) {
        summary.times.answering += self.answering;
        summary.times.writing += self.combining;
        summary.rows += self.rows;
        summary.answers += self.answers;
        self.bad_rows.add_to(summary, options);
        for (word, count) in &self.counts.statuses {
            summary.add_status(word, *count);
        }
        for (object, count) in self.counts.objects {
            *summary.objects.entry(object).or_default() += count;
        }
    }
}

/// Answers the rows of a chunk.
pub(crate) fn answer_chunk(
    plan: &Plan<'_>,
    job: &dyn Answer,
    treatment: Treatment,
    chunk: &Chunk,
) -> Result<Answered, Error> {
    let begin = Instant::now();
    let questions = plan.questions(chunk)?;
    let mut builder = plan.builder(&questions);
    job.answer(&questions, &mut builder);
    let mut answers: Answers = builder.finish();
    let counts = plan.select(&mut answers);
    let (invalid, skipped) = (&answers.invalid, &answers.skipped);
    let bad_rows = BatchBadRows::new(plan, chunk, invalid, skipped, treatment)?;
    let bad_rows = bad_rows.with_remarks(plan, chunk, &answers.remarks, treatment);
    let answering = begin.elapsed();
    let output = plan.combine(chunk, &answers)?;
    Ok(Answered {
        output,
        first_row: chunk.first_row,
        rows: u64::from(answers.batch_rows),
        answers: answers.rows as u64,
        bad_rows,
        counts,
        fraction: chunk.fraction,
        answering,
        combining: begin.elapsed() - answering,
    })
}
