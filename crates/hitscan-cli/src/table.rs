//! Tables of questions: opened, streamed through their answers, written.
//!
//! What the columns mean is in `hitscan-ask`.

use crate::arguments::{OnBadRow, OutputArguments, RowArguments, WritingArguments};
use crate::bad_rows::{self, BadRowList, Tables};
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::progress::Bar;
use crate::{output, terminal};
use hitscan_ask::possible_frames;
use hitscan_table::{
    Answer, BadRows, Input, InvalidRow, InvalidRows, Location, Output, RunOptions, SimilarColumn,
    Summary, check_run, run,
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
    let output = output(arguments.output.as_deref());
    answer_to(output, input, arguments, answers, None)?;
    Ok(())
}

/// Takes the place of a row, its status and the reason for it.
pub(crate) type RowReport<'a> = &'a dyn Fn(&Location, &str, &str);

/// Streams the table at `input` through `answers` to `output`. Rows that fail or cannot be used are
/// reported, on standard output, if that is wanted.
pub(crate) fn answer_to(
    output: Output,
    input: &Path,
    arguments: &OutputArguments,
    answers: &dyn Answer,
    report_row: Option<RowReport<'_>>,
) -> Result<Summary, Failure> {
    let bad_rows = BadRowList::new(arguments, Tables::One)?;
    let beside = arguments.output.as_deref().filter(|_| report_row.is_none());
    let bar = Bar::beside("answering", beside);
    let progress = |progress| bar.show(progress);
    let mut options = options(arguments);
    options.progress = &progress;
    let bad_row = |row: &InvalidRow| {
        bad_rows.add("", row);
        if let Some(report) = report_row {
            report(&row.location, "invalid", &row.reason);
        }
    };
    let is_listed = arguments.rows.bad_rows.is_some() || report_row.is_some();
    options.bad_row = is_listed.then_some(&bad_row);
    let remark = |place: &Location, reason: &str| {
        if let Some(report) = report_row {
            report(place, "fail", reason);
        }
    };
    options.remark = Some(&remark);
    let summary = run(self::input(input, arguments)?, output, answers, &options);
    drop(bar);
    bad_rows.finish(summary.as_ref().err())?;
    let summary = summary?;
    report(&summary);
    Ok(summary)
}

/// One of the options about the rows of a table that is given, if one is.
pub(crate) fn given_option(rows: &RowArguments) -> Option<&'static str> {
    let given = [
        ("--input-format", rows.input_format.is_some()),
        ("--on-bad-row", rows.on_bad_row != OnBadRow::Error),
        ("--prefix", !rows.prefix.is_empty()),
        ("--strict", rows.strict),
        ("--bad-rows", rows.bad_rows.is_some()),
    ];
    let mut given = given.into_iter().filter(|(_, is_given)| *is_given);
    given.next().map(|(option, _)| option)
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
    let rows = &arguments.rows;
    options.invalid_rows = match (rows.strict, &rows.bad_rows) {
        (false, _) => InvalidRows::Keep,
        (true, None) => InvalidRows::Refuse,
        (true, Some(_)) => InvalidRows::RefuseAtEnd,
    };
    if rows.on_bad_row == OnBadRow::Skip {
        options.bad_rows = BadRows::Skip;
    }
    options.similar_column = &warn;
    options.prefix = &rows.prefix;
    options.input_format = rows.input_format.map(Into::into);
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
