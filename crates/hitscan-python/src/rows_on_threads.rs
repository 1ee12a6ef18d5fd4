//! The rows of a call, split among the thread that makes it and a pool's, which take a task at a time.
//!
//! The pool's threads help a call for some milliseconds, then the next one that waits: a short call never
//! waits for a long one to end, and goes on by itself in any case.

use crate::errors::panic_error;
use crate::fork_gate;
use crate::thread_count::num_threads;
use crate::threads::{SIGNAL_INTERVAL, Use, lock, pool};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::Scope;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a thread of the pool helps a call before it helps the next.
const SLICE: Duration = Duration::from_millis(3);

/// How many rows a thread takes at once, for a call of `rows` rows. The library splits no more than 512
/// queries among threads, so that a task is begun and ended by one thread.
pub(crate) fn chunk_rows(rows: usize, threads: Option<usize>) -> usize {
    const SHARED: usize = 512;
    const ALONE: usize = 2048;
    let is_shared = rows > SHARED && threads != Some(1) && num_threads() > 1;
    if is_shared { SHARED } else { ALONE }
}

/// Buffers that tasks use one after the other.
pub(crate) struct Buffers<T>(Mutex<Vec<T>>);

impl<T: Default> Buffers<T> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Calls `work` with a buffer that no other task has.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let mut buffer = lock(&self.0).pop().unwrap_or_default();
        let done = work(&mut buffer);
        lock(&self.0).push(buffer);
        done
    }
}

/// Runs `work` with each number below `count`, in about this order, on up to `threads` threads
/// (`None`: as many as calls may use), the caller's among them, without the GIL.
///
/// # Errors
/// What a signal's handler raised, `KeyboardInterrupt` say: tasks that have not begun are skipped.
pub(crate) fn for_each(
    py: Python<'_>,
    count: usize,
    threads: Option<usize>,
    work: impl Fn(usize) + Sync,
) -> PyResult<()> {
    if threads == Some(0) {
        return Err(PyValueError::new_err("threads must be at least 1"));
    }
    // How many threads there may be is queried only where there is work for several.
    let most = match count {
        0 | 1 => count,
        _ => num_threads().min(count),
    };
    let call = Call::new(count, &work);
    match threads.map_or(most, |threads| threads.min(most)) {
        0 | 1 => py.detach(|| call.run_alone())?,
        threads => {
            let pool = pool(py, Use::Calls)?;
            // One waits in the pool's queue while one is at work, so that no thread waits for it.
            let helps = if threads == most {
                2 * (threads - 1)
            } else {
                threads - 1
            };
            py.detach(|| pool.in_place_scope(|scope| call.lead(scope, helps)))?;
        }
    }
    match lock(&call.panic).take() {
        Some(payload) => Err(panic_error(&*payload)),
        None => Ok(()),
    }
}

/// The tasks of a call, as its threads share them.
struct Call<'a> {
    count: usize,
    work: &'a (dyn Fn(usize) + Sync),
    next: AtomicUsize,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// How many helps are at work or in the pool's queue.
    helps: Mutex<usize>,
    help_ended: Condvar,
}

impl<'a> Call<'a> {
    fn new(count: usize, work: &'a (dyn Fn(usize) + Sync)) -> Self {
        Self {
            count,
            work,
            next: AtomicUsize::new(0),
            panic: Mutex::new(None),
            helps: Mutex::new(0),
            help_ended: Condvar::new(),
        }
    }

    /// Runs the next task, if there is one.
    fn run_one(&self) -> bool {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if number >= self.count {
            return false;
        }
        let inside = fork_gate::enter();
        let done = catch_unwind(AssertUnwindSafe(|| (self.work)(number)));
        drop(inside);
        if let Err(payload) = done {
            *lock(&self.panic) = Some(payload);
            self.cancel();
        }
        true
    }

    /// Skips what has not begun.
    fn cancel(&self) {
        self.next.store(self.count, Ordering::Relaxed);
    }

    fn is_all_begun(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.count
    }

    /// Runs all tasks, on the calling thread.
    fn run_alone(&self) -> PyResult<()> {
        let mut signals = Signals::default();
        while self.run_one() && !self.is_all_begun() {
            signals.look()?;
        }
        Ok(())
    }

    /// Runs tasks with the help of the pool until none is left, and waits for those that helpers have.
    fn lead<'scope>(&'scope self, scope: &Scope<'scope>, helps: usize) -> PyResult<()> {
        let mut signals = Signals::default();
        while !self.is_all_begun() {
            let wanted = {
                let mut at_work = lock(&self.helps);
                let wanted = helps.saturating_sub(*at_work);
                *at_work += wanted;
                wanted
            };
            for _ in 0..wanted {
                scope.spawn(|_| self.help());
            }
            self.run_one();
            self.cancel_if(signals.look())?;
        }
        let mut helps = lock(&self.helps);
        while *helps > 0 {
            let waited = self.help_ended.wait_timeout(helps, SIGNAL_INTERVAL);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            self.cancel_if(signals.look())?;
            helps = lock(&self.helps);
        }
        Ok(())
    }

    fn cancel_if(&self, signals: PyResult<()>) -> PyResult<()> {
        if signals.is_err() {
            self.cancel();
        }
        signals
    }

    /// Runs tasks for a while.
    fn help(&self) {
        let begun = Instant::now();
        while self.run_one() && begun.elapsed() < SLICE {}
        *lock(&self.helps) -= 1;
        self.help_ended.notify_one();
    }
}

/// Looks for signals every now and then.
#[derive(Default)]
struct Signals {
    looked: Option<Instant>,
}

impl Signals {
    /// Runs the handlers of signals that came, if it is time to look for them.
    fn look(&mut self) -> PyResult<()> {
        let looked = self.looked.get_or_insert_with(Instant::now);
        if looked.elapsed() < SIGNAL_INTERVAL {
            return Ok(());
        }
        *looked = Instant::now();
        Python::attach(|py| py.check_signals())
    }
}
