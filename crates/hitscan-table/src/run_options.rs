//! Options and outcome of a run.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use crate::{
    Assignment, Format, InvalidRow, Location, ReasonCounts, RowGroups, RowRange, SimilarColumn,
};

/// How rows that cannot be used are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum InvalidRows {
    /// They are answered `invalid` and counted.
    #[default]
    Keep,
    /// The first is an error, and no output file is left. So is a [`SimilarColumn`].
    Refuse,
    /// They are an error once all rows are answered and [`RunOptions::bad_row`] has seen them; no output
    /// file is left. A [`SimilarColumn`] is an error at once.
    RefuseAtEnd,
}

/// How rows of CSV with another number of fields than the header are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BadRows {
    /// The first is an error, and no output file is left.
    #[default]
    Refuse,
    /// They are omitted from the output and counted. The others keep their row numbers.
    Skip,
}

/// The progress of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// How many rows of the input are answered and written.
    pub rows: u64,
    /// The fraction of the input that this is, between 0 and 1; `None` where its length is unknown.
    pub fraction: Option<f64>,
}

/// Takes a remark upon a row: where that is, and what is said of it.
pub type RowRemark<'a> = dyn Fn(&Location, &str) + 'a;

/// The options of a run. See [`run`](crate::run()) for an example.
#[derive(Clone, Copy)]
pub struct RunOptions<'a> {
    /// How many threads answer. Reading and writing have one more each.
    pub threads: NonZeroUsize,
    /// The most rows in a batch. Memory grows with this times the threads, and with the number of
    /// answers to a row.
    pub batch_rows: NonZeroUsize,
    /// How rows that cannot be used are treated.
    pub invalid_rows: InvalidRows,
    /// How rows of CSV with too few or too many fields are treated.
    pub bad_rows: BadRows,
    /// The format of the input; `None` where its ending names it.
    pub input_format: Option<Format>,
    /// The format of the output; `None` where its ending names it. A stream is CSV without it.
    pub output_format: Option<Format>,
    /// Where columns of the question take their values from, other than the table's column of their
    /// name.
    pub assignments: &'a [Assignment],
    /// Whether the objects in the answer's column `object` are counted: [`Summary::objects`].
    pub counts_objects: bool,
    /// What comes in front of the names of the answer's columns, so that a table of answers can be
    /// one of questions again.
    pub prefix: &'a str,
    /// Which rows are answered; `None` is all of them. They keep their numbers. A range that begins behind
    /// the input's end is an error.
    pub rows: Option<RowRange>,
    /// Which rows of a Parquet input are answered; `None` is all of them. They keep the row numbers
    /// that they have in the file. With an input of another format it is an error.
    pub row_groups: Option<RowGroups>,
    /// The names of the answer's columns that are written, without the prefix; `None` is all of
    /// them. They are written in the answer's order.
    pub columns: Option<&'a [String]>,
    /// Is called when all rows are written, and returns the key-value pairs of a Parquet output's
    /// footer. Outputs of other formats have none.
    pub footer: &'a dyn Fn(&Summary) -> Vec<(String, String)>,
    /// Ends the run with [`Error::Cancelled`](crate::Error::Cancelled) soon after it is set.
    pub cancel: &'a AtomicBool,
    /// Is called on the caller's thread after each batch that was written.
    pub progress: &'a dyn Fn(Progress),
    /// Is called on the caller's thread, before any row is read, with each column that is not read
    /// although it bears nearly the name of one that would be.
    pub similar_column: &'a dyn Fn(&SimilarColumn),
    /// Is called on the caller's thread, in order, with each row that cannot be used or is skipped.
    pub bad_row: Option<&'a dyn Fn(&InvalidRow)>,
    /// Is called on the caller's thread, in order and between the calls of [`RunOptions::bad_row`], with
    /// each remark of an [`AnswerBuilder`](crate::AnswerBuilder::remark).
    pub remark: Option<&'a RowRemark<'a>>,
}

impl<'a> RunOptions<'a> {
    /// All processors, batches of 8192 rows, invalid rows kept, rows with a wrong number of fields
    /// refused, formats by the endings, nothing assigned, names without a prefix, all rows, row groups and columns, no
    /// key-value pairs, no progress reported.
    #[must_use]
    pub fn new(cancel: &'a AtomicBool) -> Self {
        const BATCH_ROWS: NonZeroUsize = NonZeroUsize::new(8192).expect("8192 is not zero");
        Self {
            threads: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            batch_rows: BATCH_ROWS,
            invalid_rows: InvalidRows::Keep,
            bad_rows: BadRows::Refuse,
            input_format: None,
            output_format: None,
            assignments: &[],
            counts_objects: false,
            prefix: "",
            rows: None,
            row_groups: None,
            columns: None,
            footer: &|_| Vec::new(),
            cancel,
            progress: &|_| {},
            similar_column: &|_| {},
            bad_row: None,
            remark: None,
        }
    }
}

impl fmt::Debug for RunOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunOptions")
            .field("threads", &self.threads)
            .field("batch_rows", &self.batch_rows)
            .field("invalid_rows", &self.invalid_rows)
            .field("bad_rows", &self.bad_rows)
            .field("input_format", &self.input_format)
            .field("output_format", &self.output_format)
            .field("assignments", &self.assignments)
            .field("counts_objects", &self.counts_objects)
            .field("prefix", &self.prefix)
            .field("rows", &self.rows)
            .field("row_groups", &self.row_groups)
            .field("columns", &self.columns)
            .finish_non_exhaustive()
    }
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// The number of the first row that is read: 0 unless [`RunOptions::rows`] or
    /// [`RunOptions::row_groups`] begin later.
    pub first_row: u64,
    /// How many rows were read, with those that are skipped.
    pub rows: u64,
    /// How many rows were written: more where a question has several answers.
    pub answers: u64,
    /// How many rows of the input cannot be used.
    pub invalid: u64,
    /// The first of these.
    pub first_invalid: Option<InvalidRow>,
    /// How many of these have which reason.
    pub invalid_reasons: ReasonCounts,
    /// How many rows of the input were skipped: see [`BadRows::Skip`].
    pub skipped: u64,
    /// The first of these.
    pub first_skipped: Option<Location>,
    /// The columns of positions in a [`Frame`](crate::Frame) whose type is too coarse for
    /// millimetres there, such as eastings as f32.
    pub coarse_columns: Vec<String>,
    /// The words of the answer's status, in the order of their first appearance, and how many rows
    /// were answered with each; where the status is not written too.
    pub statuses: Vec<(String, u64)>,
    /// How many rows of answers name which object, where [`RunOptions::counts_objects`] says so.
    pub objects: BTreeMap<String, u64>,
    /// How long the run's threads were at work.
    pub times: Times,
}

impl Summary {
    /// How many rows were answered with this status.
    #[must_use]
    pub fn status_count(&self, word: &str) -> u64 {
        let mut words = self.statuses.iter();
        words.find(|(one, _)| one == word).map_or(0, |one| one.1)
    }

    /// Counts `count` more answers with a status.
    pub(crate) fn add_status(&mut self, word: &str, count: u64) {
        match self.statuses.iter_mut().find(|(known, _)| known == word) {
            Some((_, sum)) => *sum += count,
            None => self.statuses.push((word.to_owned(), count)),
        }
    }

    /// Adds the summary of rows that follow.
    pub(crate) fn extend(&mut self, later: Self) {
        self.rows += later.rows;
        self.answers += later.answers;
        self.invalid += later.invalid;
        self.first_invalid = self.first_invalid.take().or(later.first_invalid);
        self.invalid_reasons.extend(&later.invalid_reasons);
        self.skipped += later.skipped;
        self.first_skipped = self.first_skipped.take().or(later.first_skipped);
        for (word, count) in &later.statuses {
            self.add_status(word, *count);
        }
        for (object, count) in later.objects {
            *self.objects.entry(object).or_default() += count;
        }
        self.times.answering += later.times.answering;
        self.times.writing += later.times.writing;
    }
}

/// How long a run's threads were at work: sums over the threads, not the time between its begin and
/// its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Times {
    /// Reading and decoding the input.
    pub reading: Duration,
    /// Parsing questions and answering them.
    pub answering: Duration,
    /// Encoding and writing the output.
    pub writing: Duration,
}
