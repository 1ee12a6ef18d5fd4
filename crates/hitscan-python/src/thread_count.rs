//! The number of threads that a call may use.
//!
//! What affinity and cgroup allow is queried again when it may have changed. No lock guards the answer:
//! what runs without the GIL looks here too, and a lock that another thread holds during a `fork()` is
//! never released in the child.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// What [`set_num_threads`] was given; 0 before.
static NUM_THREADS: AtomicUsize = AtomicUsize::new(0);

/// What affinity and cgroup allowed when they were last queried.
static ALLOWED: AtomicUsize = AtomicUsize::new(1);

/// Until when they are not queried again, in milliseconds after [`BEGUN`].
static ALLOWED_UNTIL: AtomicU64 = AtomicU64::new(0);

/// For how long: a query takes as long as some hundred rays.
const ALLOWED_FOR: Duration = Duration::from_millis(100);

/// When the package was imported.
static BEGUN: OnceLock<Instant> = OnceLock::new();

/// Begins the clock by which the answer grows old. Nothing waits for it afterwards.
pub(crate) fn begin() {
    BEGUN.get_or_init(Instant::now);
}

/// How many threads a call may use.
#[pyfunction]
pub(crate) fn num_threads() -> usize {
    match NUM_THREADS.load(Ordering::Relaxed) {
        0 => allowed_threads(),
        set => set,
    }
}

/// How many threads affinity and cgroup allow, or allowed a moment ago.
fn allowed_threads() -> usize {
    let now = BEGUN.get_or_init(Instant::now).elapsed();
    let until = Duration::from_millis(ALLOWED_UNTIL.load(Ordering::Acquire));
    if now < until {
        return ALLOWED.load(Ordering::Relaxed);
    }
    let threads = available_parallelism().map_or(1, std::num::NonZero::get);
    ALLOWED.store(threads, Ordering::Relaxed);
    let until = u64::try_from((now + ALLOWED_FOR).as_millis());
    ALLOWED_UNTIL.store(until.unwrap_or(0), Ordering::Release);
    threads
}

/// Lets calls use so many threads; `None` is the default again.
#[pyfunction]
#[pyo3(signature = (threads=None))]
pub(crate) fn set_num_threads(threads: Option<usize>) -> PyResult<()> {
    if threads.is_some_and(|threads| !(1..=1024).contains(&threads)) {
        return Err(PyValueError::new_err(
            "threads must be from 1 to 1024, or None",
        ));
    }
    NUM_THREADS.store(threads.unwrap_or(0), Ordering::Relaxed);
    Ok(())
}
