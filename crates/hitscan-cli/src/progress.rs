//! A progress bar for long work.

use hitscan_table::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;

/// The resolution of the bar.
const STEPS: u64 = 10_000;

/// What a bar shows of work whose end is known, and of work whose end is not.
const KNOWN: &str = "{prefix} {wide_bar} {percent} %  {msg}";
const UNKNOWN: &str = "{prefix} {msg}";

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
        Self::on(label, target)
    }

    fn on(label: &str, target: ProgressDrawTarget) -> Self {
        let bar = ProgressBar::with_draw_target(Some(STEPS), target);
        bar.set_prefix(label.to_owned());
        let bar = Self { bar };
        bar.set_template(KNOWN);
        bar
    }

    /// Shows the progress of a table: a bar, or where its end is unknown the rows that are done.
    pub(crate) fn show(&self, progress: Progress) {
        let rows = format!("{} rows", progress.rows);
        match progress.fraction {
            Some(fraction) => self.show_fraction(fraction),
            None => self.set_template(UNKNOWN),
        }
        self.bar.set_message(rows);
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
        self.bar.set_position((fraction * STEPS as f64) as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
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

    fn shown(fraction: Option<f64>) -> String {
        let screen = Screen::default();
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(screen.clone()), 255);
        let bar = Bar::on("answering", target);
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
        let pipe = shown(None);
        assert!(pipe.contains("answering 123456 rows"), "{pipe}");
        assert!(!pipe.contains('%'), "{pipe}");
        let file = shown(Some(0.5));
        assert!(file.contains("50 %  123456 rows"), "{file}");
    }
}
