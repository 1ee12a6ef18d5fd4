//! A part of a table's rows, answered into a file of its own.
//!
//! The same part of the same input gives the same bytes on every machine and with any number of
//! threads, so that a part which is done twice is done once. Which parts there are, and who answers
//! which, is decided in Python.

use std::fs::File;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hitscan_table::{
    Format, Input, InvalidRows, Output, Progress, RowGroups, RunOptions, StagedFile, Summary,
    read_parquet_footer, run,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sha2::{Digest, Sha256};

use crate::query::{Query, QueryOptions};
use crate::table_errors::{table_error, write_error};
use crate::table_scene::table_scene;
use crate::thread_count::num_threads;
use crate::view::View;

/// How a part is answered: attributes of a Python object, beside those of [`QueryOptions`].
#[derive(FromPyObject)]
struct PartOptions {
    strict: bool,
    threads: Option<NonZeroUsize>,
}

/// What a part's footer states before its counts.
type Pairs = Vec<(String, String)>;

/// Answers `row_groups` (the first and how many; `None`: all rows) of the table at `input` into the
/// file `output`, which appears when it is whole and on the disk.
///
/// `stated` are key-value pairs of the footer; behind them come the counts.
#[pyfunction]
pub(crate) fn answer_part<'py>(
    py: Python<'py>,
    world: &View,
    input: PathBuf,
    row_groups: Option<(usize, usize)>,
    output: PathBuf,
    options: &Bound<'py, PyAny>,
    stated: Pairs,
) -> PyResult<Bound<'py, PyDict>> {
    let query = Query::new(options.extract::<QueryOptions>()?)?;
    let options: PartOptions = options.extract()?;
    let scene = table_scene(py, world)?;
    let groups = row_groups.map(|(first, count)| RowGroups { first, count });
    let job = PartJob {
        scene: &scene,
        query: &query,
        options: &options,
        stated: &stated,
    };
    let written = py.detach(|| job.write(input, groups, &output))?;
    written.to_dict(py)
}

/// The rows of each row group of a Parquet file, and the key-value pairs of its footer.
#[pyfunction]
pub(crate) fn parquet_footer(py: Python<'_>, path: PathBuf) -> PyResult<(Vec<u64>, Pairs)> {
    let footer = py.detach(|| read_parquet_footer(&path));
    let footer = footer.map_err(|error| table_error(py, &error))?;
    Ok((footer.row_groups, footer.key_values))
}

/// What came of a part.
struct Written {
    summary: Summary,
    sha256: String,
    bytes: u64,
}

impl Written {
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (key, count) in counts(&self.summary) {
            dict.set_item(key, count)?;
        }
        let times = self.summary.times;
        dict.set_item("sha256", &self.sha256)?;
        dict.set_item("bytes", self.bytes)?;
        dict.set_item("read_seconds", times.reading.as_secs_f64())?;
        dict.set_item("trace_seconds", times.answering.as_secs_f64())?;
        dict.set_item("write_seconds", times.writing.as_secs_f64())?;
        Ok(dict)
    }
}

/// The counts of a part that its footer and its receipt state.
fn counts(summary: &Summary) -> [(&'static str, u64); 6] {
    let sum = |words: &[&str]| words.iter().map(|word| summary.status_count(word)).sum();
    [
        ("first_row", summary.first_row),
        ("rows", summary.rows),
        ("answers", summary.answers),
        ("hits", sum(&["hit", "overlap", "ok"])),
        ("misses", sum(&["miss", "outside", "hole", "empty"])),
        ("invalid", summary.invalid),
    ]
}

/// The query of a part.
struct PartJob<'a> {
    scene: &'a hitscan_assets::Scene,
    query: &'a Query,
    options: &'a PartOptions,
    stated: &'a Pairs,
}

impl PartJob<'_> {
    fn write(
        &self,
        input: PathBuf,
        row_groups: Option<RowGroups>,
        output: &Path,
    ) -> PyResult<Written> {
        let Self { query, options, .. } = *self;
        let table = query.table(self.scene);
        let name = output.display().to_string();
        let failed = |error: io::Error| Python::attach(|py| write_error(py, &name, &error));
        let (file, staged) = StagedFile::create(output).map_err(failed)?;
        let file = Arc::new(Mutex::new(HashedFile::new(file)));
        let writer = Output::Stream {
            name: name.clone(),
            writer: Box::new(SharedFile(file.clone())),
        };
        let cancel = AtomicBool::new(false);
        let signals = Signals::new(&cancel);
        let progress = |_: Progress| signals.check();
        let footer = |summary: &Summary| {
            let counts = counts(summary).map(|(key, n)| (format!("hitscan.{key}"), n.to_string()));
            self.stated.iter().cloned().chain(counts).collect()
        };
        let mut run_options = RunOptions::new(&cancel);
        run_options.threads = options
            .threads
            .or_else(|| NonZeroUsize::new(num_threads()))
            .unwrap_or(run_options.threads);
        if options.strict {
            run_options.invalid_rows = InvalidRows::Refuse;
        }
        run_options.output_format = Some(Format::Parquet);
        run_options.prefix = &query.prefix;
        run_options.row_groups = row_groups;
        run_options.columns = query.columns.as_deref();
        run_options.footer = &footer;
        run_options.progress = &progress;
        let mut summary = match run(Input::File(input), writer, table.as_ref(), &run_options) {
            Ok(summary) => summary,
            Err(error) => {
                let raised = signals.raised();
                return Err(raised.unwrap_or_else(|| Python::attach(|py| table_error(py, &error))));
            }
        };
        let begin = Instant::now();
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.file.sync_all().map_err(failed)?;
        let (sha256, bytes) = (file.sha256(), file.bytes);
        if let Some(staged) = staged {
            staged.commit().map_err(failed)?;
            sync_folder(output).map_err(failed)?;
        }
        summary.times.writing += begin.elapsed();
        Ok(Written {
            summary,
            sha256,
            bytes,
        })
    }
}

/// Brings a file's name onto the disk, where folders can be opened.
fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// A file whose hash is taken while it is written.
struct HashedFile {
    file: File,
    hash: Sha256,
    bytes: u64,
}

impl HashedFile {
    fn new(file: File) -> Self {
        Self {
            file,
            hash: Sha256::new(),
            bytes: 0,
        }
    }

    /// The hash of what was written, as hexadecimal digits; it begins anew.
    fn sha256(&mut self) -> String {
        let digest = self.hash.finalize_reset();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The handle through which the table's writer writes.
struct SharedFile(Arc<Mutex<HashedFile>>);

impl Write for SharedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut this = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = this.file.write(bytes)?;
        this.hash.update(&bytes[..count]);
        this.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut this = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        this.file.flush()
    }
}

/// Python's signals while the GIL is released: a Ctrl-C ends the run.
struct Signals<'a> {
    cancel: &'a AtomicBool,
    state: Mutex<(Instant, Option<PyErr>)>,
}

impl<'a> Signals<'a> {
    /// How often the GIL is acquired.
    const INTERVAL: Duration = Duration::from_millis(50);

    fn new(cancel: &'a AtomicBool) -> Self {
        Self {
            cancel,
            state: Mutex::new((Instant::now(), None)),
        }
    }

    fn check(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.0.elapsed() < Self::INTERVAL {
            return;
        }
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            state.1 = Some(error);
            self.cancel.store(true, Ordering::Relaxed);
        }
        state.0 = Instant::now();
    }

    /// The exception that a signal's handler raised.
    fn raised(&self) -> Option<PyErr> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.1.take()
    }
}
