//! Ctrl-C: it cancels work, and a second one ends the program at once.

use crate::failure::Failure;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set once by Ctrl-C.
pub(crate) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Installs the handler of Ctrl-C.
pub(crate) fn catch_interrupt() -> Result<(), Failure> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    })
    .map_err(|error| Failure::other(format!("Ctrl-C cannot be caught: {error}")))
}

/// Fails where Ctrl-C was pressed.
pub(crate) fn check_interrupt() -> Result<(), Failure> {
    if INTERRUPTED.load(Ordering::SeqCst) {
        Err(Failure::Interrupted)
    } else {
        Ok(())
    }
}
