//! The threads that answer, and how a call is split among them.
//!
//! The package has a pool of its own. `fork()` copies no threads: a pool is good only for the process
//! that made it, and the child of a fork makes its own when it first needs one. The pool is only looked
//! up with the GIL held, and Python forks with the GIL held, so a child never finds its lock taken.
//!
//! Rayon's global pool is one thread, that which imports the package, and so is never waited for:
//! whatever of the library runs outside the package's pool runs on the thread that calls it.

use crate::errors::panic_error;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a call goes on without looking for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// The pool, with the process that made it.
struct OwnPool {
    process: u32,
    pool: Arc<ThreadPool>,
}

static POOL: Mutex<Option<OwnPool>> = Mutex::new(None);

/// What [`set_num_threads`] was given; 0 before.
static NUM_THREADS: AtomicUsize = AtomicUsize::new(0);

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

/// How many threads a call may use.
#[pyfunction]
pub(crate) fn num_threads() -> usize {
    match NUM_THREADS.load(Ordering::Relaxed) {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        set => set,
    }
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

/// The pool of this process, with as many threads as calls may use. The GIL is held throughout.
fn own_pool(_: Python<'_>) -> PyResult<Arc<ThreadPool>> {
    let (process, threads) = (std::process::id(), num_threads());
    let mut kept = lock(&POOL);
    if let Some(own) = &*kept
        && own.process == process
        && own.pool.current_num_threads() == threads
    {
        return Ok(Arc::clone(&own.pool));
    }
    if kept.as_ref().is_some_and(|own| own.process != process) {
        // Its threads are not in this process: nothing of it may be touched, not even to drop it.
        std::mem::forget(kept.take());
    }
    let name = |number| format!("hitscan-{number}");
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(name)
        .build();
    let pool = pool.map_err(|error| PyRuntimeError::new_err(format!("no threads: {error}")))?;
    let pool = Arc::new(pool);
    *kept = Some(OwnPool {
        process,
        pool: Arc::clone(&pool),
    });
    Ok(pool)
}

/// Runs `make` without the GIL, on the package's threads: for what the library itself splits.
pub(crate) fn run<R: Send>(py: Python<'_>, make: impl FnOnce() -> R + Send) -> PyResult<R> {
    let pool = own_pool(py)?;
    let made = py.detach(|| catch_unwind(AssertUnwindSafe(|| pool.install(make))));
    made.map_err(|payload| panic_error(&*payload))
}

/// As [`run`], with what `mutex` guards. The calling thread takes the lock: a thread of the pool that
/// waits for others may begin another call meanwhile, and would wait for itself.
pub(crate) fn run_locked<T: Send, R: Send>(
    py: Python<'_>,
    mutex: &Mutex<T>,
    make: impl FnOnce(&mut T) -> R + Send,
) -> PyResult<R> {
    let pool = own_pool(py)?;
    let made = py.detach(|| {
        let mut guard = lock(mutex);
        let value = &mut *guard;
        catch_unwind(AssertUnwindSafe(|| pool.install(|| make(value))))
    });
    made.map_err(|payload| panic_error(&*payload))
}

/// Runs `make` without the GIL, on the calling thread: for what is quick.
pub(crate) fn run_here<R: Send>(py: Python<'_>, make: impl FnOnce() -> R + Send) -> PyResult<R> {
    let made = py.detach(|| catch_unwind(AssertUnwindSafe(make)));
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
/// (`None`: as many as calls may use), without the GIL. One task, or one thread, is run by the caller.
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
    let threads = threads.map_or(most, |threads| threads.min(most));
    if threads <= 1 {
        return py.detach(|| run_alone(count, &work));
    }
    let pool = own_pool(py)?;
    py.detach(|| {
        let shared = Shared::new(count, threads);
        pool.in_place_scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|_| shared.take_part(&work));
            }
            shared.wait()
        })?;
        match lock(&shared.panic).take() {
            Some(payload) => Err(panic_error(&*payload)),
            None => Ok(()),
        }
    })
}

fn run_alone(count: usize, work: &(dyn Fn(usize) + Sync)) -> PyResult<()> {
    let mut looked = None;
    for number in 0..count {
        let done = catch_unwind(AssertUnwindSafe(|| work(number)));
        done.map_err(|payload| panic_error(&*payload))?;
        // The clock is not read for a call of one task.
        if number + 1 < count && looked.get_or_insert_with(Instant::now).elapsed() > SIGNAL_INTERVAL
        {
            Python::attach(|py| py.check_signals())?;
            looked = Some(Instant::now());
        }
    }
    Ok(())
}

/// What the threads of a call share.
struct Shared {
    count: usize,
    next: AtomicUsize,
    is_cancelled: AtomicBool,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// How many threads are at work.
    working: Mutex<usize>,
    one_ended: Condvar,
}

impl Shared {
    fn new(count: usize, threads: usize) -> Self {
        Self {
            count,
            next: AtomicUsize::new(0),
            is_cancelled: AtomicBool::new(false),
            panic: Mutex::new(None),
            working: Mutex::new(threads),
            one_ended: Condvar::new(),
        }
    }

    /// Takes tasks until none is left.
    fn take_part(&self, work: &(dyn Fn(usize) + Sync)) {
        let ended = catch_unwind(AssertUnwindSafe(|| {
            while !self.is_cancelled.load(Ordering::Relaxed) {
                let number = self.next.fetch_add(1, Ordering::Relaxed);
                if number >= self.count {
                    return;
                }
                work(number);
            }
        }));
        if let Err(payload) = ended {
            self.is_cancelled.store(true, Ordering::Relaxed);
            *lock(&self.panic) = Some(payload);
        }
        *lock(&self.working) -= 1;
        self.one_ended.notify_one();
    }

    /// Waits for the threads and looks for signals meanwhile.
    fn wait(&self) -> PyResult<()> {
        let mut working = lock(&self.working);
        while *working > 0 {
            let waited = self.one_ended.wait_timeout(working, SIGNAL_INTERVAL);
            let (guard, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            working = guard;
            if timeout.timed_out() && *working > 0 {
                drop(working);
                let signals = Python::attach(|py| py.check_signals());
                if signals.is_err() {
                    self.is_cancelled.store(true, Ordering::Relaxed);
                    return signals;
                }
                working = lock(&self.working);
            }
        }
        Ok(())
    }
}
