//! The threads that answer, and how a call is split among them.
//!
//! A call is answered by the thread that makes it and by a pool's, which take a task at a time. The
//! pool's threads help a call for some milliseconds, then the next one that waits: a short call never
//! waits for a long one to end, and goes on by itself in any case. What the library splits itself,
//! such as the build of a mesh, has a pool of its own, so that it does not wait for queries either.
//!
//! `fork()` copies no threads: pools are good only for the process that made them, and the child of a
//! fork makes its own when it first needs them. They are only looked up with the GIL held, and Python
//! forks with the GIL held, so a child never finds their lock taken. What takes other locks without the GIL
//! is inside the gate that a fork closes (`fork_gate.rs`).
//!
//! Rayon's global pool is one thread, that which imports the package, and so is never waited for:
//! whatever of the library runs outside the package's pool runs on the thread that calls it.

use crate::errors::panic_error;
use crate::fork_gate;
use crate::thread_count::num_threads;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{Scope, ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a call goes on without looking for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// How long a thread of the pool helps a call before it helps the next.
const SLICE: Duration = Duration::from_millis(3);

/// What a pool is for.
#[derive(Clone, Copy)]
enum Use {
    /// To help threads that make calls.
    Calls,
    /// For what the library splits itself.
    Builds,
}

/// The pools of a process.
struct Pools {
    process: u32,
    threads: usize,
    calls: Option<Arc<ThreadPool>>,
    builds: Option<Arc<ThreadPool>>,
}

static POOLS: Mutex<Option<Pools>> = Mutex::new(None);

/// Nothing that could panic runs while a lock is held.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the importing thread the one of rayon's global pool.
pub(crate) fn settle_global_pool() {
    // It fails where the module is imported a second time, and then all is settled.
    let _ = ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build_global();
}

/// A pool of this process. The GIL is held throughout.
fn pool(_: Python<'_>, purpose: Use) -> PyResult<Arc<ThreadPool>> {
    let (process, threads) = (std::process::id(), num_threads());
    let mut kept = lock(&POOLS);
    if kept.as_ref().is_some_and(|pools| pools.process != process) {
        // Their threads are not in this process: nothing of them may be touched, not even to drop them.
        std::mem::forget(kept.take());
    }
    if kept.as_ref().is_some_and(|pools| pools.threads != threads) {
        *kept = None;
    }
    let pools = kept.get_or_insert(Pools {
        process,
        threads,
        calls: None,
        builds: None,
    });
    let (place, name, size) = match purpose {
        // The thread that makes the call is one more.
        Use::Calls => (
            &mut pools.calls,
            "hitscan",
            threads.saturating_sub(1).max(1),
        ),
        Use::Builds => (&mut pools.builds, "hitscan-build", threads),
    };
    if let Some(pool) = place {
        return Ok(Arc::clone(pool));
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(size)
        .thread_name(move |number| format!("{name}-{number}"))
        .build();
    let pool = pool.map_err(|error| PyRuntimeError::new_err(format!("no threads: {error}")))?;
    Ok(Arc::clone(place.insert(Arc::new(pool))))
}

/// Runs `make` without the GIL on threads for builds: for new things, which no other thread has yet.
pub(crate) fn build<R: Send>(py: Python<'_>, make: impl FnOnce() -> R + Send) -> PyResult<R> {
    let pool = pool(py, Use::Builds)?;
    let made = py.detach(|| catch_unwind(AssertUnwindSafe(|| pool.install(make))));
    made.map_err(|payload| panic_error(&*payload))
}

/// As [`build`], for what the library itself splits of things that other threads have too.
pub(crate) fn run<R: Send>(py: Python<'_>, make: impl FnOnce() -> R + Send) -> PyResult<R> {
    let pool = pool(py, Use::Builds)?;
    let made = py.detach(|| {
        let _inside = fork_gate::enter();
        catch_unwind(AssertUnwindSafe(|| pool.install(make)))
    });
    made.map_err(|payload| panic_error(&*payload))
}

/// As [`build`], for what may take long: where a signal's handler raises, `make` is left to end by itself.
///
/// # Errors
/// What a signal's handler raised.
pub(crate) fn build_watched<R: Send + 'static>(
    py: Python<'_>,
    make: impl FnOnce() -> R + Send + 'static,
) -> PyResult<R> {
    let pool = pool(py, Use::Builds)?;
    py.detach(move || watched(&pool, make))
}

/// As [`build_watched`], for what other threads have too.
///
/// # Errors
/// What a signal's handler raised.
pub(crate) fn run_watched<R: Send + 'static>(
    py: Python<'_>,
    make: impl FnOnce() -> R + Send + 'static,
) -> PyResult<R> {
    let pool = pool(py, Use::Builds)?;
    py.detach(move || {
        let _inside = fork_gate::enter();
        watched(&pool, make)
    })
}

/// Runs `make` on a thread of the pool, and looks for signals meanwhile.
fn watched<R: Send + 'static>(
    pool: &ThreadPool,
    make: impl FnOnce() -> R + Send + 'static,
) -> PyResult<R> {
    let (sender, receiver) = channel();
    pool.spawn(move || {
        // Nobody receives it any more where a signal came first.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(make)));
    });
    loop {
        match receiver.recv_timeout(SIGNAL_INTERVAL) {
            Ok(made) => return made.map_err(|payload| panic_error(&*payload)),
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
            Err(RecvTimeoutError::Disconnected) => return Err(panic_error(&"no answer")),
        }
    }
}

/// As [`run_watched`], for what can be told to end: a signal's handler that raises sets `cancel`, upon
/// which `make` must soon return.
///
/// # Errors
/// What the handler raised.
pub(crate) fn run_cancellable<R: Send>(
    py: Python<'_>,
    cancel: &AtomicBool,
    make: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    let pool = pool(py, Use::Builds)?;
    py.detach(|| {
        let _inside = fork_gate::enter();
        let (sender, receiver) = channel();
        pool.in_place_scope(|scope| {
            scope.spawn(move |_| {
                // It is received: nothing else ends the wait.
                let _ = sender.send(catch_unwind(AssertUnwindSafe(make)));
            });
            let mut signals = Ok(());
            loop {
                match receiver.recv_timeout(SIGNAL_INTERVAL) {
                    Ok(made) => {
                        return signals
                            .and_then(|()| made.map_err(|payload| panic_error(&*payload)));
                    }
                    Err(RecvTimeoutError::Timeout) if signals.is_ok() => {
                        signals = Python::attach(|py| py.check_signals());
                        cancel.store(signals.is_err(), Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Err(panic_error(&"no answer")),
                }
            }
        })
    })
}

/// As [`run`], with what `mutex` guards. The calling thread takes the lock: a thread of the pool that
/// waits for others may begin another call meanwhile, and would wait for itself.
pub(crate) fn run_locked<T: Send, R: Send>(
    py: Python<'_>,
    mutex: &Mutex<T>,
    make: impl FnOnce(&mut T) -> R + Send,
) -> PyResult<R> {
    let pool = pool(py, Use::Builds)?;
    let made = py.detach(|| {
        let _inside = fork_gate::enter();
        let mut guard = lock(mutex);
        let value = &mut *guard;
        catch_unwind(AssertUnwindSafe(|| pool.install(|| make(value))))
    });
    made.map_err(|payload| panic_error(&*payload))
}

/// Runs `make` without the GIL, on the calling thread: for what is quick.
pub(crate) fn run_here<R: Send>(py: Python<'_>, make: impl FnOnce() -> R + Send) -> PyResult<R> {
    let made = py.detach(|| {
        let _inside = fork_gate::enter();
        catch_unwind(AssertUnwindSafe(make))
    });
    made.map_err(|payload| panic_error(&*payload))
}

/// How many rows a thread takes at once, for a call of `rows` rows. The library shares no more than 512
/// queries among threads, so that a task is begun and ended by one thread.
pub(crate) fn chunk_rows(rows: usize, threads: Option<usize>) -> usize {
    const SHARED: usize = 512;
    const ALONE: usize = 2048;
    let is_shared = num_threads() > 1 && threads != Some(1) && rows > SHARED;
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
/// What a signal's handler raised, `KeyboardInterrupt` say: tasks that have not begun are left out.
pub(crate) fn for_each(
    py: Python<'_>,
    count: usize,
    threads: Option<usize>,
    work: impl Fn(usize) + Sync,
) -> PyResult<()> {
    if threads == Some(0) {
        return Err(PyValueError::new_err("threads must be at least 1"));
    }
    let most = num_threads().min(count);
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

    /// Leaves out what has not begun.
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
