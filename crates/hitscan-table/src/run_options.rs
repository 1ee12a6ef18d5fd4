//! How a table is answered, and what came of it.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::thread;

use crate::{Format, InvalidRow, Location};

/// How rows that cannot be used are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum InvalidRows {
    /// They are answered `invalid` and counted.
    #[default]
    Keep,
    /// The first is an error, and no output file is left.
    Refuse,
}

/// How rows of CSV with another number of fields than the header are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BadRows {
    /// The first is an error, and no output file is left.
    #[default]
    Refuse,
    /// They are left out of the output and counted. The others keep their row numbers.
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
    /// What comes in front of the names of the answer's columns, so that a table of answers can be
    /// one of questions again.
    pub prefix: &'a str,
    /// Ends the run with [`Error::Cancelled`](crate::Error::Cancelled) soon after it is set.
    pub cancel: &'a AtomicBool,
    /// Is called on the caller's thread after each batch that was written.
    pub progress: &'a dyn Fn(Progress),
}

impl<'a> RunOptions<'a> {
    /// All processors, batches of 8192 rows, invalid rows kept, rows with a wrong number of fields
    /// refused, formats by the endings, names without a prefix, no progress reported.
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
            prefix: "",
            cancel,
            progress: &|_| {},
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
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// How many rows the input has, those that are left out too.
    pub rows: u64,
    /// How many rows were written: more where a question has several answers.
    pub answers: u64,
    /// How many rows of the input cannot be used.
    pub invalid: u64,
    /// The first of these.
    pub first_invalid: Option<InvalidRow>,
    /// How many rows of the input were left out: see [`BadRows::Skip`].
    pub skipped: u64,
    /// The first of these.
    pub first_skipped: Option<Location>,
    /// The columns of positions in a [`Frame`](crate::Frame) whose type is too coarse for
    /// millimetres there, such as eastings as f32.
    pub coarse_columns: Vec<String>,
}
