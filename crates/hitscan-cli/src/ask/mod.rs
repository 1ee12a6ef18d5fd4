//! Tables of questions: opened, answered row by row, written.
//!
//! What the columns of a question mean is in its own file: `ray.rs`, `height.rs`, `sweep.rs`; what
//! they have in common in `filter.rs`.

mod filter;

pub(crate) mod height;
pub(crate) mod march;
pub(crate) mod ray;
pub(crate) mod sweep;

use crate::arguments::OutputArguments;
use crate::failure::Failure;
use crate::watch::{Bar, INTERRUPTED};
use hitscan_table::{Answer, Input, InvalidRows, Output, RunOptions, run};
use std::path::Path;

/// Streams the table at `input` through `job`.
fn answer_table(
    input: &Path,
    arguments: &OutputArguments,
    job: &dyn Answer,
) -> Result<(), Failure> {
    let bar = Bar::new("asking");
    let progress = |progress| bar.show(progress);
    let mut options = RunOptions::new(&INTERRUPTED);
    options.progress = &progress;
    if arguments.strict {
        options.invalid_rows = InvalidRows::Refuse;
    }
    let input = if input == Path::new("-") {
        Input::stdin()
    } else {
        Input::File(input.to_owned())
    };
    let summary = run(input, output(arguments.output.as_deref()), job, &options)?;
    drop(bar);
    if summary.invalid > 0 {
        eprint!(
            "hitscan: {} of {} rows are invalid",
            summary.invalid, summary.rows
        );
        match summary.first_invalid {
            Some(first) => eprintln!("; the first: {first}"),
            None => eprintln!(),
        }
    }
    Ok(())
}

/// Where a table of answers goes.
pub(crate) fn output(path: Option<&Path>) -> Output {
    match path {
        None => Output::stdout(),
        Some(path) if path == Path::new("-") => Output::stdout(),
        Some(path) => Output::File(path.to_owned()),
    }
}
