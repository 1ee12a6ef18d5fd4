//! Long work under the user's eyes: Ctrl-C stops it without harm, and a bar shows how far it is.

use crate::failure::Failure;
use hitscan_table::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set once by Ctrl-C.
pub(crate) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How many steps the bar has.
const STEPS: u64 = 10_000;

/// From now on Ctrl-C asks work to stop. A second one ends the program at once.
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

/// A bar on standard error, where that is a terminal; otherwise nothing is shown.
pub(crate) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar that appears with the first progress.
    pub(crate) fn new(what: &str) -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(STEPS), target);
        if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar} {percent} %  {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(what.to_owned());
        Self { bar }
    }

    /// Shows how far a table is.
    pub(crate) fn show(&self, progress: Progress) {
        if let Some(fraction) = progress.fraction {
            self.show_fraction(fraction);
        }
        self.bar.set_message(format!("{} rows", progress.rows));
    }

    /// Shows a share of the whole, between 0 and 1.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float to integer cast saturates"
    )]
    pub(crate) fn show_fraction(&self, fraction: f64) {
        self.bar.set_position((fraction * STEPS as f64) as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
