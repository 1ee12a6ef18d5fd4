//! Tables that other libraries hold in memory, answered batch by batch through Arrow's C interface.
//!
//! The table of answers is a stream: whoever reads it pulls the questions through. They are read on
//! the reader's thread, as their owner may need the GIL for it, and answered on several.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_pyarrow::FromPyArrow as _;
use arrow_schema::{ArrowError, SchemaRef};
use hitscan_table::{BatchAnswerer, Error, RunOptions};
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::query::{Query, QueryOptions};
use crate::table_errors::table_error;
use crate::table_scene::table_scene;
use crate::thread_count::num_threads;
use crate::timed_table::TimedScenes;
use crate::view::View;

/// How many rows are answered at once on a thread, and the most that a batch of answers has where
/// each question has one.
const BATCH_ROWS: usize = 32 * 1024;

/// What messages call a table in memory.
const NAME: &str = "the table";

/// Tables in memory are not stopped but left unread.
static NEVER: AtomicBool = AtomicBool::new(false);

/// A table of questions with the answers behind its columns.
///
/// It is a stream: nothing is answered before it is read.
#[pyclass(frozen, module = "hitscan._hitscan")]
pub(crate) struct AnsweredTable {
    job: Job,
    questions: Py<PyAny>,
    schema: SchemaRef,
    /// The questions as they were opened to check their columns, until they are read.
    opened: Mutex<Option<Questions>>,
    /// Whether they are a stream, which can be read but once.
    is_stream: bool,
    /// Whether Ctrl-C ended a reading.
    is_interrupted: Arc<AtomicBool>,
}

/// What is needed to answer, apart from the questions.
#[derive(Clone)]
struct Job {
    scene: hitscan_assets::Scene,
    query: Query,
    /// The past that rows query, where it is not the present.
    timed: Option<TimedScenes>,
    threads: NonZeroUsize,
}

type Questions = Box<dyn RecordBatchReader + Send>;

/// Checks the columns of `questions` and gives the table of their answers.
#[pyfunction]
pub(crate) fn answer_table<'py>(
    py: Python<'py>,
    world: &View,
    questions: &Bound<'py, PyAny>,
    options: &Bound<'py, PyAny>,
    threads: Option<NonZeroUsize>,
) -> PyResult<AnsweredTable> {
    let job = Job {
        scene: table_scene(py, world)?,
        query: Query::new(options.extract::<QueryOptions>()?)?,
        timed: TimedScenes::of(py, world)?,
        threads: threads
            .or_else(|| NonZeroUsize::new(num_threads()))
            .unwrap_or(NonZeroUsize::MIN),
    };
    let opened = open(questions)?;
    if let Some(timed) = &job.timed {
        timed.check(&opened.schema())?;
    }
    // What gives its batches one by one is used up by that: readers of pyarrow, streams of nanoarrow, generators.
    let is_stream = ["read_next_batch", "read_next", "__next__"];
    let is_stream = is_stream.map(|method| questions.hasattr(method));
    let is_stream = is_stream.into_iter().collect::<PyResult<Vec<_>>>()?;
    let schema = job.with_answerer(&opened.schema(), |answerer| answerer.schema().clone());
    Ok(AnsweredTable {
        schema: schema.map_err(|error| table_error(py, &error))?,
        job,
        questions: questions.clone().unbind(),
        opened: Mutex::new(Some(opened)),
        is_stream: is_stream.contains(&true),
        is_interrupted: Arc::default(),
    })
}

/// The batches of a Python object that holds Arrow data.
fn open(table: &Bound<'_, PyAny>) -> PyResult<Questions> {
    if table.hasattr("__arrow_c_stream__")? {
        let stream = RecordBatchStreamReader::from_pyarrow_bound(table)?;
        return Ok(Box::new(stream));
    }
    if table.hasattr("__arrow_c_array__")? {
        let batch = RecordBatch::from_pyarrow_bound(table)?;
        let schema = batch.schema();
        return Ok(Box::new(RecordBatchIterator::new([Ok(batch)], schema)));
    }
    let found = table.get_type().fully_qualified_name()?;
    Err(PyTypeError::new_err(format!(
        "expected a table with __arrow_c_stream__ or __arrow_c_array__ (of pyarrow, polars, pandas \
         or DuckDB, say), found {found}"
    )))
}

#[pymethods]
impl AnsweredTable {
    /// The batches, as Arrow's C stream. `requested_schema` is not followed, as the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let opened = self
            .opened
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let questions = match opened {
            Some(questions) => questions,
            None if self.is_stream => {
                return Err(PyValueError::new_err(
                    "the questions are a stream that was read already: answer a table to read it again",
                ));
            }
            None => open(self.questions.bind(py))?,
        };
        let answers = AnsweredBatches {
            reader: thread::current().id(),
            is_interrupted: Arc::clone(&self.is_interrupted),
            job: self.job.clone(),
            schema: self.schema.clone(),
            questions,
            rest: None,
            next_row: 0,
            answered: VecDeque::new(),
        };
        let stream = FFI_ArrowArrayStream::new(Box::new(answers));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The columns, as Arrow's C schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref());
        let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Whether Ctrl-C ended a reading since this was last called.
    fn was_interrupted(&self) -> bool {
        self.is_interrupted.swap(false, Ordering::Relaxed)
    }

    /// The names and types of the columns.
    fn columns(&self) -> Vec<(String, String)> {
        let fields = self.schema.fields().iter();
        fields
            .map(|field| (field.name().clone(), field.data_type().to_string()))
            .collect()
    }
}

impl Job {
    /// Passes what answers batches of this schema to `then`.
    fn with_answerer<T>(
        &self,
        schema: &SchemaRef,
        then: impl FnOnce(&BatchAnswerer<'_>) -> T,
    ) -> Result<T, Error> {
        let table = self.query.table(&self.scene);
        let mut options = RunOptions::new(&NEVER);
        options.prefix = &self.query.prefix;
        options.columns = self.query.columns.as_deref();
        let answerer = BatchAnswerer::new(NAME, schema.clone(), table.as_ref(), &options)?;
        Ok(then(&answerer))
    }

    /// Answers a batch, whose first row has this number, by `answerer`, or each row about its own time.
    fn answer(
        &self,
        answerer: &BatchAnswerer<'_>,
        (first_row, batch): &(u64, RecordBatch),
    ) -> Result<RecordBatch, ArrowError> {
        let Some(timed) = &self.timed else {
            return answerer.answer(batch, *first_row).map_err(external);
        };
        let present = self.query.table(&self.scene);
        let table = timed.table(&self.query, present.as_ref(), (batch, *first_row))?;
        let mut options = RunOptions::new(&NEVER);
        options.prefix = &self.query.prefix;
        options.columns = self.query.columns.as_deref();
        let answerer = BatchAnswerer::new(NAME, batch.schema(), &table, &options);
        let answered = answerer.and_then(|answerer| answerer.answer(batch, *first_row));
        answered.map_err(external)
    }
}

/// The answers to a stream of batches.
struct AnsweredBatches {
    /// The thread that requested the stream, and had the GIL then.
    reader: ThreadId,
    is_interrupted: Arc<AtomicBool>,
    job: Job,
    schema: SchemaRef,
    questions: Questions,
    /// What is left of a batch that is larger than is answered at once.
    rest: Option<RecordBatch>,
    next_row: u64,
    /// What was answered ahead, in order.
    answered: VecDeque<Result<RecordBatch, ArrowError>>,
}

impl AnsweredBatches {
    /// The next rows of the questions.
    fn next_questions(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let batch = match self.rest.take() {
            Some(batch) => batch,
            None => match self.questions.next()? {
                Ok(batch) => batch,
                Err(error) => return Some(Err(error)),
            },
        };
        let rows = batch.num_rows();
        if rows > BATCH_ROWS {
            self.rest = Some(batch.slice(BATCH_ROWS, rows - BATCH_ROWS));
        }
        Some(Ok(batch.slice(0, rows.min(BATCH_ROWS))))
    }

    /// Runs the handlers of signals that came. What reads the stream makes an error of its own of what one
    /// raises, so Ctrl-C is reported to Python once more.
    fn look_for_signals(&self) -> PyResult<()> {
        if thread::current().id() != self.reader {
            // Another thread may read while the one with the GIL waits for it.
            return Ok(());
        }
        Python::attach(|py| {
            let looked = py.check_signals();
            if looked
                .as_ref()
                .is_err_and(|error| error.is_instance_of::<PyKeyboardInterrupt>(py))
            {
                self.is_interrupted.store(true, Ordering::Relaxed);
                py.import("_thread")?.call_method0("interrupt_main")?;
            }
            looked
        })
    }

    /// Reads as many batches as keep the threads at work, and answers them.
    fn fill(&mut self) {
        let at_once = match self.job.threads.get() {
            1 => 1,
            threads => threads * 2,
        };
        let mut batches = Vec::with_capacity(at_once);
        let mut failed = None;
        while batches.len() < at_once && failed.is_none() {
            match self.next_questions() {
                None => break,
                Some(Err(error)) => failed = Some(error),
                Some(Ok(batch)) => {
                    let first_row = self.next_row;
                    self.next_row += batch.num_rows() as u64;
                    batches.push((first_row, batch));
                }
            }
        }
        let schema = self.questions.schema();
        let job = &self.job;
        let answers = job.with_answerer(&schema, |answerer| {
            answer_all(&batches, job.threads, |batch| job.answer(answerer, batch))
        });
        match answers {
            Ok(answers) => self.answered.extend(answers),
            Err(error) => self.answered.push_back(Err(external(error))),
        }
        self.answered.extend(failed.map(Err));
    }
}

/// Answers batches, each with the number of its first row, on several threads.
fn answer_all(
    batches: &[(u64, RecordBatch)],
    threads: NonZeroUsize,
    answer: impl Fn(&(u64, RecordBatch)) -> Result<RecordBatch, ArrowError> + Sync,
) -> Vec<Result<RecordBatch, ArrowError>> {
    let helpers = threads.get().min(batches.len()).saturating_sub(1);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some((i, batch)) = {
            let i = next.fetch_add(1, Ordering::Relaxed);
            batches.get(i).map(|batch| (i, batch))
        } {
            done.push((i, answer(batch)));
        }
        done
    };
    let mut all = thread::scope(|scope| {
        // A thread that cannot be started leaves its work to the others.
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let helpers: Vec<_> = (0..helpers).filter_map(start).collect();
        let mut all = work();
        for helper in helpers {
            match helper.join() {
                Ok(done) => all.extend(done),
                Err(payload) => std::panic::resume_unwind(payload),
            }
        }
        all
    });
    all.sort_unstable_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, answers)| answers).collect()
}

fn external(error: Error) -> ArrowError {
    ArrowError::ExternalError(Box::new(error))
}

impl Iterator for AnsweredBatches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.answered.is_empty() {
            if let Err(error) = self.look_for_signals() {
                return Some(Err(ArrowError::ExternalError(Box::new(error))));
            }
            self.fill();
        }
        self.answered.pop_front()
    }
}

impl RecordBatchReader for AnsweredBatches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
