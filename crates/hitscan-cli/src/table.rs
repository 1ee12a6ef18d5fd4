//! Tables of questions: opened, streamed through their answers, written.
//!
//! What the columns mean is in `hitscan-ask`.

use crate::arguments::{OnBadRow, OutputArguments, WritingArguments};
use crate::bad_rows::{self, BadRowList, Tables};
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::progress::Bar;
use crate::{output, terminal};
use hitscan_ask::possible_frames;
use hitscan_table::{
    Answer, BadRows, Input, InvalidRow, InvalidRows, Output, RunOptions, SimilarColumn, Summary,
    check_run, run,
};
use std::path::Path;

/// Refuses what is wrong with the table at `input` and with the output, before the scene is loaded;
/// `answers` are those of a scene without objects.
pub(crate) fn check(
    input_path: &Path,
    arguments: &OutputArguments,
    answers: &dyn Answer,
) -> Result<(), Failure> {
    let input = self::input(input_path, arguments)?;
    let output = output(arguments.output.as_deref());
    bad_rows::check(arguments, &[input_path])?;
    let frames = possible_frames();
    Ok(check_run(
        &input,
        &output,
        answers,
        &frames,
        &options(arguments),
    )?)
}

/// Streams the table at `input` through `answers`.
pub(crate) fn answer(
    input: &Path,
    arguments: &OutputArguments,
    answers: &dyn Answer,
) -> Result<(), Failure> {
    let bad_rows = BadRowList::new(arguments, Tables::One)?;
    let bar = Bar::beside("answering", arguments.output.as_deref());
    let progress = |progress| bar.show(progress);
    let mut options = options(arguments);
    options.progress = &progress;
    let report_row = |row: &InvalidRow| bad_rows.add("", row);
    options.bad_row = arguments.bad_rows.is_some().then_some(&report_row);
    let input = self::input(input, arguments)?;
    let output = output(arguments.output.as_deref());
    let summary = run(input, output, answers, &options);
    drop(bar);
    bad_rows.finish(summary.as_ref().err())?;
    report(&summary?);
    Ok(())
}

/// Says what of the rows could not be used.
pub(crate) fn report(summary: &Summary) {
    if summary.invalid > 0 {
        let first = summary.first_invalid.as_ref();
        let mut message = format!(
            "{} of {} rows are invalid{}",
            summary.invalid,
            summary.rows,
            first.map_or_else(String::new, |first| format!("; the first: {first}"))
        );
        let reasons = &summary.invalid_reasons;
        if reasons.kinds().count() > 1 {
            for (kind, count) in reasons.kinds() {
                message.push_str(&format!("\n  {count}: {kind}"));
            }
            if reasons.others() > 0 {
                message.push_str(&format!("\n  {}: other reasons", reasons.others()));
            }
        }
        terminal::say(&message);
    }
    if !summary.coarse_columns.is_empty() {
        terminal::say(&format!(
            "columns of 32-bit floats, which are coarser than a millimetre at these coordinates: {}; \
             write them as 64-bit floats",
            summary.coarse_columns.join(", ")
        ));
    }
    if let Some(first) = &summary.first_skipped {
        terminal::say(&format!(
            "{} of {} rows have a wrong number of fields and are left out; the first: {first}",
            summary.skipped, summary.rows
        ));
    }
}

/// How the arguments want a table read and answered, without progress.
pub(crate) fn options(arguments: &OutputArguments) -> RunOptions<'_> {
    let mut options = RunOptions::new(&INTERRUPTED);
    options.invalid_rows = match (arguments.strict, &arguments.bad_rows) {
        (false, _) => InvalidRows::Keep,
        (true, None) => InvalidRows::Refuse,
        (true, Some(_)) => InvalidRows::RefuseAtEnd,
    };
    if arguments.on_bad_row == OnBadRow::Skip {
        options.bad_rows = BadRows::Skip;
    }
    options.similar_column = &warn;
    options.prefix = &arguments.prefix;
    options.input_format = arguments.input_format.map(Into::into);
    options.output_format = arguments.writing.format.map(Into::into);
    if let Some(threads) = arguments.writing.threads {
        options.threads = threads;
    }
    options
}

/// Warns of a column that is probably misspelt.
fn warn(column: &SimilarColumn) {
    terminal::say(&format!("warning: {column}"));
}

/// The table of questions, which must not be the output too.
pub(crate) fn input(path: &Path, arguments: &OutputArguments) -> Result<Input, Failure> {
    if path == Path::new("-") {
        return Ok(Input::stdin());
    }
    if let Some(output) = &arguments.output {
        output::refuse_input(output, path)?;
    }
    Ok(Input::File(path.to_owned()))
}

/// Limits the threads of all that follows to those that the arguments name. To be called before
/// anything else uses threads.
pub(crate) fn limit_threads(arguments: &WritingArguments) -> Result<(), Failure> {
    let Some(threads) = arguments.threads else {
        return Ok(());
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get());
    pool.build_global()
        .map_err(|error| Failure::other(format!("{threads} threads cannot be started: {error}")))
}

/// Where a table of answers goes.
pub(crate) fn output(path: Option<&Path>) -> Output {
    match path {
        None => Output::stdout(),
        Some(path) if path == Path::new("-") => Output::stdout(),
        Some(path) => Output::File(path.to_owned()),
    }
}
