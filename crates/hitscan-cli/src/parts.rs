//! `--parts N`: answers in a folder of N files; a later run keeps those that are finished.
//!
//! The folder is that of the job on many machines (`docs/cluster.md`) in small: `_job.json` says what is
//! answered, `_receipts.jsonl` which parts are whole while others are missing, and `_done.json` that all
//! are.

mod identity;
mod record;

use crate::failure::Failure;
use crate::progress::Bar;
use crate::table::{self, TableRun};
use crate::{summary, terminal};
use hitscan_ask::possible_frames;
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, Error, Format, Output, Part, RowRange, check_run, count_rows, run_parts,
};
use record::{Receipt, Record};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Refuses what is wrong with the table and the folder, before the scene is loaded; `answers` are those
/// of a scene without objects.
pub(crate) fn check(run: &TableRun<'_>, answers: &dyn Answer) -> Result<(), Failure> {
    let is_special = |path: &PathBuf| {
        path == Path::new("-") || fs::metadata(path).is_ok_and(|data| !data.is_file())
    };
    if run.inputs.iter().any(is_special) {
        return Err(Failure::usage(
            "--parts counts the rows first, and reads the table twice for it: save it to a file",
        ));
    }
    if run.output.rows.bad_rows.is_some() {
        return Err(Failure::usage(
            "--bad-rows lists the rows of one run, and parts may be of several: leave it out",
        ));
    }
    Record::of(folder(run)?).check(run.parts.resume)?;
    let (input, frames, mut options) = (run.input()?, possible_frames(), run.options());
    options.output_format = Some(format(run)?);
    let nowhere = Output::Stream {
        name: String::new(),
        writer: Box::new(std::io::sink()),
    };
    Ok(check_run(&input, &nowhere, answers, &frames, &options)?)
}

/// Answers the table about `scene` in `count` parts, or those of them that are missing.
pub(crate) fn answer(
    run: &TableRun<'_>,
    count: u32,
    scene: &Scene,
    answers: &dyn Answer,
) -> Result<(), Failure> {
    let (folder, format) = (folder(run)?, format(run)?);
    let rows = rows(run)?;
    let record = Record::of(folder);
    record.begin(&identity::of_job(run, scene, rows, count, format)?)?;
    let name = |i: u32| folder.join(format!("part-{i:06}.{}", format.name()));
    let parts = Part::divide(rows, count, name);
    let mut receipts = record.receipts(&parts);
    let kept = receipts.len();
    if kept > 0 {
        terminal::say(&format!(
            "{kept} of {count} parts are finished and are kept"
        ));
    }
    let kept_files: BTreeSet<&str> = receipts.iter().map(Receipt::file).collect();
    let is_missing = |part: &&Part| !kept_files.contains(record::name_of(part).as_str());
    let missing: Vec<Part> = parts.iter().filter(is_missing).cloned().collect();
    let mut log = record.log(&receipts)?;
    let bar = Bar::new("answering");
    let progress = |progress| bar.show(progress);
    let mut options = run.options();
    options.output_format = Some(format);
    options.progress = &progress;
    let begin = Instant::now();
    let answered = run_parts(
        run.input()?,
        &missing,
        answers,
        &options,
        &mut |i, summary| {
            let receipt = Receipt::new(&missing[i], summary);
            log.add(&receipt);
            receipts.push(receipt);
        },
    );
    drop(bar);
    let answered = answered?;
    record.finish(receipts)?;
    table::report(&answered);
    if run.has_summary {
        summary::print(&answered, begin.elapsed());
    }
    Ok(())
}

/// The folder of the parts.
fn folder<'r>(run: &'r TableRun<'_>) -> Result<&'r Path, Failure> {
    let folder = run.output.output.as_deref();
    let folder = folder.filter(|folder| *folder != Path::new("-"));
    folder.ok_or_else(|| Failure::usage("--parts writes a folder: name it by -o"))
}

/// The format of the parts: the requested one, or else that of the questions.
fn format(run: &TableRun<'_>) -> Result<Format, Failure> {
    let options = run.options();
    let wanted = options.output_format.or(options.input_format);
    match (wanted, run.inputs.first()) {
        (Some(format), _) => Ok(format),
        (None, Some(first)) => Ok(Format::of_path(first)?),
        (None, None) => Ok(Format::Parquet),
    }
}

/// The rows that are answered.
fn rows(run: &TableRun<'_>) -> Result<RowRange, Failure> {
    let options = run.options();
    let all = count_rows(run.input()?, &options)?;
    let wanted = options.rows.unwrap_or(RowRange::ALL);
    if wanted.start > 0 && wanted.start >= all {
        return Err(Error::NoSuchRow {
            file: run.input()?.name(),
            row: wanted.start,
            rows: all,
        }
        .into());
    }
    Ok(RowRange {
        end: wanted.end.min(all),
        ..wanted
    })
}
