//! The threads that answer.
//!
//! A call is answered by the thread that makes it and by a pool's (`rows_on_threads.rs`). What the library
//! splits itself, such as the build of a mesh, has a pool of its own, so that it does not wait for queries.
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
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a call goes on without looking for Ctrl-C.
pub(crate) const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// What a pool is for.
#[derive(Clone, Copy)]
pub(crate) enum Use {
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
pub(crate) fn pool(_: Python<'_>, purpose: Use) -> PyResult<Arc<ThreadPool>> {
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

/// As [`build`], for what may take long and can be cancelled: a signal's handler that raises sets the flag
/// that `make` is given, upon which it must soon return.
///
/// # Errors
/// What the handler raised.
pub(crate) fn build_cancellable<R: Send>(
    py: Python<'_>,
    make: impl FnOnce(&AtomicBool) -> R + Send,
) -> PyResult<R> {
    let pool = pool(py, Use::Builds)?;
    let cancel = AtomicBool::new(false);
    py.detach(|| cancellable(&pool, &cancel, || make(&cancel)))
}

/// As [`build`], for what may take long and cannot be cancelled: where a signal's handler raises, `make` is
/// left to end by itself.
///
/// # Errors
/// What the handler raised.
pub(crate) fn build_watched<R: Send + 'static>(
    py: Python<'_>,
    make: impl FnOnce() -> R + Send + 'static,
) -> PyResult<R> {
    let pool = pool(py, Use::Builds)?;
    py.detach(move || watched(&pool, make))
}

/// As [`build_watched`], for what the library itself splits of things that other threads have too.
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

/// As [`build_cancellable`], for what other threads have too, with a flag of the caller's.
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
        cancellable(&pool, cancel, make)
    })
}

/// Runs `make` on a thread of the pool, and sets `cancel` where a signal's handler raises meanwhile.
fn cancellable<R: Send>(
    pool: &ThreadPool,
    cancel: &AtomicBool,
    make: impl FnOnce() -> R + Send,
) -> PyResult<R> {
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
                    return signals.and_then(|()| made.map_err(|payload| panic_error(&*payload)));
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
