//! Ctrl-C and other requests to end: work is stopped in order, and where that takes long, at once.
//!
//! The thread that receives the request sets a flag, which loops look at. What is still running
//! [`GRACE`] later is in a step that cannot look, such as reading one large file: the thread then
//! removes what is half-written and ends the program itself.

use crate::terminal;
use hitscan_table::StagedFile;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

/// Set once the program is interrupted.
pub(crate) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The exit code that goes with the request: 128 and the signal's number.
static EXIT_CODE: AtomicU8 = AtomicU8::new(128 + SIGINT);

/// The number of the signal that Ctrl-C sends, on every system.
const SIGINT: u8 = 2;

/// How long a step may go on after the request.
const GRACE: Duration = Duration::from_millis(200);

/// The exit code of an interrupted program: 130 after Ctrl-C.
pub(crate) fn exit_code() -> u8 {
    EXIT_CODE.load(Ordering::SeqCst)
}

/// Starts to listen for Ctrl-C and for requests of the system to end.
#[cfg(unix)]
pub(crate) fn listen() -> std::io::Result<()> {
    use signal_hook::consts;
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([consts::SIGHUP, consts::SIGINT, consts::SIGTERM])?;
    let listen = move || {
        for signal in signals.forever() {
            end(u8::try_from(signal).unwrap_or(SIGINT));
        }
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(listen)?;
    Ok(())
}

/// Starts to listen for Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn listen() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| end(SIGINT))
}

/// A callback for when the program is interrupted.
#[cfg(feature = "view")]
type Hook = Box<dyn FnOnce() + Send>;

/// For work that waits, and so does not look at the flag.
#[cfg(feature = "view")]
static HOOK: std::sync::Mutex<Option<Hook>> = std::sync::Mutex::new(None);

/// Registers `hook` for when the program is interrupted; it is called at once where that has happened.
#[cfg(feature = "view")]
pub(crate) fn when_asked(hook: impl FnOnce() + Send + 'static) {
    if let Ok(mut waiting) = HOOK.lock() {
        *waiting = Some(Box::new(hook));
    }
    if INTERRUPTED.load(Ordering::SeqCst) {
        call_hook();
    }
}

#[cfg(feature = "view")]
fn call_hook() {
    let hook = HOOK.lock().ok().and_then(|mut waiting| waiting.take());
    if let Some(hook) = hook {
        hook();
    }
}

/// Signals all loops to end, and ends the program if they have not done so soon.
fn end(signal: u8) {
    EXIT_CODE.store(signal.saturating_add(128), Ordering::SeqCst);
    INTERRUPTED.store(true, Ordering::SeqCst);
    #[cfg(feature = "view")]
    call_hook();
    thread::sleep(GRACE);
    StagedFile::remove_unfinished();
    terminal::say("stopped");
    process::exit(i32::from(exit_code()));
}
