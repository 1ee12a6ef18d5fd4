//! The gate that forks close: locks that a child could find taken for ever are released before.
//!
//! `fork()` copies memory and one thread. A lock that another thread holds at that moment, a world's that is
//! updated or that of a part which is made for the first query that needs it, is held in the child by a
//! thread that is not there. So whoever holds such locks without the GIL is inside this gate, and before
//! Python forks (`os.register_at_fork`) the gate is closed and those inside are waited for: some
//! milliseconds of an update, or of the tasks that threads have in hand. The forking thread keeps the
//! gate's own lock across the fork, and opens it in both processes.
//!
//! Invariant: nobody enters while holding the GIL, and who is inside waits for no one who has yet to enter;
//! a thread that is inside enters again without waiting, and waits for the others alone before it forks.

use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Who is inside.
struct Gate {
    inside: usize,
    is_closed: bool,
}

static GATE: Mutex<Gate> = Mutex::new(Gate {
    inside: 0,
    is_closed: false,
});

/// Someone left, or the gate was opened.
static CHANGED: Condvar = Condvar::new();

thread_local! {
    /// The gate's lock, held by the thread that forks.
    static HELD: RefCell<Option<MutexGuard<'static, Gate>>> = const { RefCell::new(None) };

    /// How many times this thread is inside.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

fn gate() -> MutexGuard<'static, Gate> {
    GATE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait(gate: MutexGuard<'static, Gate>) -> MutexGuard<'static, Gate> {
    CHANGED.wait(gate).unwrap_or_else(PoisonError::into_inner)
}

/// Being inside the gate, until it is dropped, by the same thread.
pub(crate) struct Inside(PhantomData<*const ()>);

/// Enters the gate; without the GIL.
pub(crate) fn enter() -> Inside {
    let own = OWN.get();
    let mut gate = gate();
    while gate.is_closed && own == 0 {
        gate = wait(gate);
    }
    gate.inside += 1;
    OWN.set(own + 1);
    Inside(PhantomData)
}

impl Drop for Inside {
    fn drop(&mut self) {
        OWN.set(OWN.get() - 1);
        let mut gate = gate();
        gate.inside -= 1;
        if gate.is_closed {
            CHANGED.notify_all();
        }
    }
}

/// Closes the gate and waits for all others inside.
#[pyfunction]
fn before_fork(py: Python<'_>) {
    py.detach(|| {
        let mut gate = gate();
        // Another thread that forks comes first.
        while gate.is_closed {
            gate = wait(gate);
        }
        gate.is_closed = true;
        while gate.inside > OWN.get() {
            gate = wait(gate);
        }
        HELD.set(Some(gate));
    });
}

/// Opens the gate, in the parent and in the child, where the thread that forked is the one there is.
#[pyfunction]
fn after_fork() {
    if let Some(mut gate) = HELD.take() {
        gate.is_closed = false;
        drop(gate);
        CHANGED.notify_all();
    }
}

/// Has Python call both around each fork; where there are none, there is nothing to do.
///
/// # Errors
/// What Python raises.
pub(crate) fn register(py: Python<'_>) -> PyResult<()> {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    if IS_REGISTERED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let os = py.import("os")?;
    let Some(register) = os.getattr_opt("register_at_fork")? else {
        return Ok(());
    };
    let module = PyModule::new(py, "fork_gate")?;
    let calls = pyo3::types::PyDict::new(py);
    let after = wrap_pyfunction!(after_fork, &module)?;
    calls.set_item("before", wrap_pyfunction!(before_fork, &module)?)?;
    calls.set_item("after_in_parent", &after)?;
    calls.set_item("after_in_child", &after)?;
    register.call((), Some(&calls))?;
    Ok(())
}
