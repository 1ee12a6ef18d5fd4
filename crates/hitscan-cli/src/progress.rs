//! A progress bar for long work.

use hitscan_table::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;

/// The resolution of the bar.
const STEPS: u64 = 10_000;

/// A bar on standard error, where that is a terminal; otherwise it is hidden.
pub(crate) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// A bar with this label, which appears with the first progress.
    pub(crate) fn new(label: &str) -> Self {
        let target = if std::io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(STEPS), target);
        if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar} {percent} %  {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(label.to_owned());
        Self { bar }
    }

    /// Shows the progress of a table.
    pub(crate) fn show(&self, progress: Progress) {
        if let Some(fraction) = progress.fraction {
            self.show_fraction(fraction);
        }
        self.bar.set_message(format!("{} rows", progress.rows));
    }

    /// Shows a fraction of the whole, between 0 and 1.
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
