//! Tables of questions: opened, streamed through their answers, written.
//!
//! What the columns mean is in `hitscan-ask`.

use crate::arguments::OutputArguments;
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::progress::Bar;
use crate::{output, terminal};
use hitscan_table::{Answer, Input, InvalidRows, Output, RunOptions, run};
use std::path::Path;

/// Streams the table at `input` through `answers`.
pub(crate) fn answer(
    input: &Path,
    arguments: &OutputArguments,
    answers: &dyn Answer,
) -> Result<(), Failure> {
    let bar = Bar::new("answering");
    let progress = |progress| bar.show(progress);
    let mut options = RunOptions::new(&INTERRUPTED);
    options.progress = &progress;
    if arguments.strict {
        options.invalid_rows = InvalidRows::Refuse;
    }
    let input = if input == Path::new("-") {
        Input::stdin()
    } else {
        if let Some(output) = &arguments.output {
            output::refuse_input(output, input)?;
        }
        Input::File(input.to_owned())
    };
    let output = output(arguments.output.as_deref());
    let summary = run(input, output, answers, &options)?;
    drop(bar);
    if summary.invalid > 0 {
        let first = summary.first_invalid;
        terminal::say(&format!(
            "{} of {} rows are invalid{}",
            summary.invalid,
            summary.rows,
            first.map_or_else(String::new, |first| format!("; the first: {first}"))
        ));
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
