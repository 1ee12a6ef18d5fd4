//! Tables of questions: opened, streamed through their answers, written.
//!
//! What the columns mean is in `hitscan-ask`.

use crate::arguments::{
    ColumnList, ExplainArguments, OnBadRow, OutputArguments, PartsArguments, RowArguments,
    SceneArguments, WritingArguments,
};
use crate::bad_rows::{self, BadRowList, Tables};
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;
use crate::progress::Bar;
use crate::{inputs, link, output, summary, terminal};
use hitscan_ask::possible_frames;
use hitscan_table::{
    Answer, Assignment, BadRows, Input, InvalidRow, InvalidRows, Location, Output, RunOptions,
    SimilarColumn, Summary, check_run,
};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A table of questions, and what becomes of its answers.
pub(crate) struct TableRun<'a> {
    pub(crate) scene: &'a Path,
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) output: &'a OutputArguments,
    pub(crate) explain: ExplainArguments,
    pub(crate) parts: PartsArguments,
    pub(crate) has_summary: bool,
    /// The question of a link, as a table, where that is the input.
    pub(crate) question: Option<String>,
    /// The columns of the question that take their values from elsewhere.
    pub(crate) assignments: Vec<Assignment>,
}

impl<'a> TableRun<'a> {
    /// The table at `paths`, among which may be patterns, about a scene.
    pub(crate) fn new(
        scene: &'a SceneArguments,
        paths: &[PathBuf],
        output: &'a OutputArguments,
        explain: ExplainArguments,
        parts: PartsArguments,
        has_summary: bool,
    ) -> Result<Self, Failure> {
        let link = scene.parsed_link()?;
        let link = link.filter(|_| paths == [Path::new(link::TABLE)]);
        Ok(Self {
            scene: &scene.scene,
            question: link.as_ref().map(link::question_table).transpose()?,
            inputs: inputs::expanded(paths)?,
            output,
            explain,
            parts,
            has_summary,
            assignments: ColumnList::of(&output.rows.columns).to_vec(),
        })
    }

    /// The file that the answers go to, if they go to one.
    pub(crate) fn output_file(&self) -> Option<&Path> {
        let output = self.output.output.as_deref();
        output.filter(|_| self.parts.parts.is_none())
    }

    pub(crate) fn input(&self) -> Result<Input, Failure> {
        match &self.question {
            Some(table) => Ok(Input::Stream {
                name: "the link's question".to_owned(),
                reader: Box::new(Cursor::new(table.clone())),
            }),
            None => input(&self.inputs, self.output),
        }
    }

    /// How the table is read and answered, without progress.
    pub(crate) fn options(&self) -> RunOptions<'_> {
        RunOptions {
            counts_objects: self.has_summary,
            assignments: &self.assignments,
            ..options(self.output)
        }
    }
}

/// Refuses what is wrong with the table and with the output, before the scene is loaded; `answers` are
/// those of a scene without objects.
pub(crate) fn check(run: &TableRun<'_>, answers: &dyn Answer) -> Result<(), Failure> {
    let output = output(run.output.output.as_deref());
    bad_rows::check(run.output, &run.inputs)?;
    let (input, frames, options) = (run.input()?, possible_frames(), run.options());
    Ok(check_run(&input, &output, answers, &frames, &options)?)
}

/// Streams the table through `answers`.
pub(crate) fn answer(run: &TableRun<'_>, answers: &dyn Answer) -> Result<Summary, Failure> {
    let output = output(run.output.output.as_deref());
    answer_to(output, run, answers, None)
}

/// Takes the place of a row, its status and the reason for it.
pub(crate) type RowReport<'a> = &'a dyn Fn(&Location, &str, &str);

/// Streams the table through `answers` to `output`. Rows that fail or cannot be used are reported, on
/// standard output, if that is wanted.
pub(crate) fn answer_to(
    output: Output,
    run: &TableRun<'_>,
    answers: &dyn Answer,
    report_row: Option<RowReport<'_>>,
) -> Result<Summary, Failure> {
    let arguments = run.output;
    let bad_rows = match run.inputs.as_slice() {
        [_] => BadRowList::new(arguments, Tables::One)?,
        _ => BadRowList::new(arguments, Tables::Several)?,
    };
    let beside = arguments.output.as_deref().filter(|_| report_row.is_none());
    let bar = Bar::beside("answering", beside);
    let progress = |progress| bar.show(progress);
    let mut options = run.options();
    options.progress = &progress;
    let bad_row = |row: &InvalidRow| {
        bad_rows.add(&row.location.file, row);
        if let Some(report) = report_row.filter(|_| !row.is_skipped) {
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
    let input = run.input()?;
    let begin = Instant::now();
    let summary = hitscan_table::run(input, output, answers, &options);
    drop(bar);
    bad_rows.finish(summary.as_ref().err())?;
    let summary = summary?;
    report(&summary);
    if run.has_summary {
        summary::print(&summary, begin.elapsed());
    }
    Ok(summary)
}

/// One of the options about the rows of a table that is given, if one is.
pub(crate) fn given_option(rows: &RowArguments) -> Option<&'static str> {
    let given = [
        ("--input-format", rows.input_format.is_some()),
        ("--rows", rows.rows.is_some()),
        ("--columns", rows.columns.is_some()),
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
    options.rows = rows.rows;
    options.assignments = ColumnList::of(&rows.columns);
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

/// The table of questions at `paths`; none of them may be the output too.
pub(crate) fn input(paths: &[PathBuf], arguments: &OutputArguments) -> Result<Input, Failure> {
    if paths == [Path::new("-")] {
        return Ok(Input::stdin());
    }
    for path in paths {
        if let Some(output) = &arguments.output {
            output::refuse_input(output, path)?;
        }
    }
    Ok(match paths {
        [path] => Input::File(path.clone()),
        paths => Input::Files(paths.to_vec()),
    })
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
