//! A table of questions that is read and not answered row by row: batch after batch, in order.

use crate::bad_rows::{BatchBadRows, Treatment};
use crate::pass_through::Plan;
use crate::run::until_stopped;
use crate::run_options::{Progress, RunOptions, Summary};
use crate::source::{Chunk, Source};
use crate::{Error, Format, Frame, Input, InvalidRow, NoAnswer, QuestionColumn, Questions};

/// Some rows of a table that is read.
pub struct Batch<'a> {
    plan: &'a Plan<'a>,
    chunk: &'a Chunk,
    questions: Questions,
}

impl Batch<'_> {
    /// The rows that are valid questions.
    #[must_use]
    pub fn questions(&self) -> &Questions {
        &self.questions
    }

    /// The rows that are not skipped, in order: the number of each in the input, counted from 0, and
    /// its question, if it is a valid one.
    pub fn rows(&self) -> impl Iterator<Item = (u64, Option<usize>)> {
        self.questions.kept_rows()
    }

    /// A row of the batch, by its number in the input, that cannot be used for this reason.
    #[must_use]
    pub fn invalid_row(&self, row: u64, reason: &str) -> InvalidRow {
        let row = row.saturating_sub(self.chunk.first_row);
        let row = usize::try_from(row).unwrap_or(usize::MAX);
        self.plan.invalid_row(self.chunk, row, reason)
    }
}

impl std::fmt::Debug for Batch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batch")
            .field("first_row", &self.chunk.first_row)
            .field("rows", &self.chunk.row_count())
            .finish_non_exhaustive()
    }
}

/// Passes the table's rows to `take`, a batch at a time and in order, in bounded memory.
///
/// Of the options those about the input count; `answers` of the summary is 0.
///
/// ```
/// use hitscan_table::{Input, QuestionColumn, RunOptions, read};
/// use std::sync::atomic::AtomicBool;
///
/// let file = std::env::temp_dir().join("hitscan-table-read-example.csv");
/// std::fs::write(&file, "note,x\na,1.5\nb,none\nc,2\n")?;
/// let cancel = AtomicBool::new(false);
/// let (columns, mut sum) = ([QuestionColumn::required("x")], 0.0);
/// let options = RunOptions::new(&cancel);
/// let summary = read(Input::File(file.clone()), &columns, None, &options, &mut |batch| {
///     sum += batch.questions().column(0).iter().sum::<f32>();
///     Ok(())
/// })?;
/// assert_eq!((sum, summary.rows, summary.invalid), (3.5, 3, 1));
/// # std::fs::remove_file(file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`run`](crate::run()) about its input, and those of `take`.
pub fn read(
    input: Input,
    columns: &[QuestionColumn],
    frame: Option<&Frame>,
    options: &RunOptions<'_>,
    take: &mut dyn FnMut(&Batch<'_>) -> Result<(), Error>,
) -> Result<Summary, Error> {
    until_stopped(options, |stop| {
        let file = input.name();
        let (mut source, input_schema) = Source::open(input, options, stop)?;
        let job = NoAnswer { columns, frame };
        let plan = Plan::new(file, input_schema, Format::Csv, &job, options)?;
        let mut summary = Summary {
            first_row: source.next_row(),
            coarse_columns: plan.coarse_columns(),
            ..Summary::default()
        };
        while let Some(chunk) = source.next_chunk()? {
            if stop.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let batch = Batch {
                plan: &plan,
                chunk: &chunk,
                questions: plan.questions(&chunk)?,
            };
            batch.count(options, &mut summary)?;
            take(&batch)?;
            (options.progress)(Progress {
                rows: summary.rows,
                fraction: chunk.fraction,
            });
        }
        if stop.is_cancelled() {
            return Err(Error::Cancelled);
        }
        Ok(summary)
    })
}

impl Batch<'_> {
    /// Adds the batch to the summary, or refuses it.
    fn count(&self, options: &RunOptions<'_>, summary: &mut Summary) -> Result<(), Error> {
        let rows = self.questions.rows();
        summary.rows += u64::from(rows.count);
        let fields = rows.skipped_fields.iter();
        let skipped: Vec<_> = rows.skipped.iter().copied().zip(fields.copied()).collect();
        let treatment = Treatment::of(options);
        let (plan, unreadable) = (self.plan, &rows.unreadable);
        BatchBadRows::new(plan, self.chunk, unreadable, &skipped, treatment)?
            .add_to(summary, options);
        Ok(())
    }
}
