//! Progress of long work: a bar on standard error, where that is a terminal.
//!
//! Short work shows none, and neither does work whose output appears on the same terminal: the bar and
//! the rows would be written over each other.

use crate::interrupt::INTERRUPTED;
use crate::terminal::escaped;
use hitscan_table::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The resolution of the bar.
const STEPS: u64 = 10_000;

/// What a bar shows of work whose end is known, and of work whose end is not.
const KNOWN: &str = "{prefix} {wide_bar} {percent} %  {msg}";
const UNKNOWN: &str = "{prefix} {msg}";

/// Work that is done sooner shows no progress.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar that appears once the work takes long.
pub(crate) struct Bar {
    bar: ProgressBar,
    begin: Instant,
    /// Whether the bar may appear at all.
    is_wanted: bool,
}

impl Bar {
    /// A bar with this label, for work that meanwhile writes nothing to standard output.
    pub(crate) fn new(label: &str) -> Self {
        Self::on(label, std::io::stderr().is_terminal())
    }

    /// A bar with this label, for work that writes to `output` all along; `None` and `-` are standard
    /// output.
    pub(crate) fn beside(label: &str, output: Option<&Path>) -> Self {
        let to_stdout = output.is_none_or(|output| output == Path::new("-"));
        let output_is_on_terminal = to_stdout && std::io::stdout().is_terminal();
        let stderr_is_terminal = std::io::stderr().is_terminal();
        Self::on(label, is_wanted(stderr_is_terminal, output_is_on_terminal))
    }

    fn on(label: &str, is_wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::hidden());
        bar.set_prefix(label.to_owned());
        let bar = Self {
            bar,
            begin: Instant::now(),
            is_wanted,
        };
        bar.set_template(KNOWN);
        bar
    }

    /// Shows the progress of a table: a bar, or where its end is unknown the rows that are done.
    pub(crate) fn show(&self, progress: Progress) {
        if !self.is_due() {
            return;
        }
        let rows = format!("{} rows", progress.rows);
        match progress.fraction {
            Some(fraction) => self.show_fraction(fraction),
            None => self.set_template(UNKNOWN),
        }
        self.bar.set_message(rows);
    }

    /// Whether it is time to show progress. The bar appears by the first call that says so.
    fn is_due(&self) -> bool {
        self.is_due_on(ProgressDrawTarget::stderr)
    }

    fn is_due_on(&self, target: impl FnOnce() -> ProgressDrawTarget) -> bool {
        let is_due = self.is_wanted && self.begin.elapsed() >= PATIENCE;
        if is_due && self.bar.is_hidden() {
            self.bar.set_draw_target(target());
        }
        is_due
    }

    fn set_template(&self, template: &str) {
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
    }

    /// Shows a fraction of the whole, between 0 and 1.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float to integer cast saturates"
    )]
    pub(crate) fn show_fraction(&self, fraction: f64) {
        if !self.is_due() {
            return;
        }
        self.bar.set_position((fraction * STEPS as f64) as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Whether a bar may appear: not on a terminal that also gets the output.
fn is_wanted(stderr_is_terminal: bool, output_is_on_terminal: bool) -> bool {
    stderr_is_terminal && !output_is_on_terminal
}

/// Loads `path`, by work that reports no progress, and meanwhile shows for how long it goes on.
pub(crate) fn while_loading<T>(path: &Path, work: impl FnOnce() -> T) -> T {
    /// How often the time is shown, and a request to end noticed: the line must be gone before the
    /// program says that it was stopped.
    const TICK: Duration = Duration::from_millis(100);
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            if let Ok(style) = ProgressStyle::with_template(UNKNOWN) {
                bar.set_style(style);
            }
            bar.set_prefix(format!("loading {}", escaped(&path.to_string_lossy())));
            let begin = Instant::now();
            let mut wait = PATIENCE;
            while is_done.recv_timeout(wait) == Err(RecvTimeoutError::Timeout)
                && !INTERRUPTED.load(Ordering::SeqCst)
            {
                if bar.is_hidden() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                bar.set_message(format!("{:.1} s", begin.elapsed().as_secs_f64()));
                wait = TICK;
            }
            bar.finish_and_clear();
        });
        let result = work();
        drop(done);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;
    use std::sync::{Arc, Mutex};

    /// A terminal that keeps what is written.
    #[derive(Debug, Clone, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            60
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What a terminal shows of work that began so long ago.
    fn shown(fraction: Option<f64>, took: Duration) -> String {
        let screen = Screen::default();
        let mut bar = Bar::on("answering", true);
        bar.begin = Instant::now().checked_sub(took).unwrap();
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(screen.clone()), 255);
        bar.is_due_on(|| target);
        bar.show(Progress {
            rows: 123_456,
            fraction,
        });
        bar.bar.force_draw();
        drop(bar);
        screen.0.lock().unwrap().clone()
    }

    #[test]
    fn a_pipe_shows_rows_and_a_file_a_fraction() {
        let pipe = shown(None, PATIENCE);
        assert!(pipe.contains("answering 123456 rows"), "{pipe}");
        assert!(!pipe.contains('%'), "{pipe}");
        let file = shown(Some(0.5), PATIENCE);
        assert!(file.contains("50 %  123456 rows"), "{file}");
    }

    #[test]
    fn work_that_begins_shows_nothing() {
        assert_eq!(shown(Some(0.5), Duration::ZERO), "");
    }

    #[test]
    fn a_terminal_that_gets_the_output_shows_no_bar() {
        assert!(is_wanted(true, false));
        assert!(!is_wanted(true, true) && !is_wanted(false, true) && !is_wanted(false, false));
    }
}
