//! `hitscan sight`: which eye sees which target.

use crate::arguments::SightArguments;
use crate::bad_rows::{self, BadRowList, Tables};
use crate::failure::Failure;
use crate::listing::fields;
use crate::progress::Bar;
use crate::terminal::{escaped, escaped_json};
use crate::{explain, scene, table};
use hitscan_ask::{SightExplanation, SightTable, candidate_json, possible_frames};
use hitscan_assets::Scene;
use hitscan_table::{
    Input, InvalidRow, InvalidRows, Summary, TableOptions, TableWriter, Value, check_input,
};
use serde_json::Value as Json;
use std::path::Path;

pub(crate) fn run(arguments: &SightArguments) -> Result<(), Failure> {
    let output = &arguments.output;
    if [&arguments.eyes, &arguments.targets].map(|table| table == Path::new("-")) == [true; 2] {
        return Err(Failure::usage(
            "only one of the two tables can be standard input",
        ));
    }
    table::limit_threads(&output.writing)?;
    let eyes = table::input(&arguments.eyes, output)?;
    let targets = table::input(&arguments.targets, output)?;
    check(arguments, &eyes, &targets)?;
    let scene = scene::load(&arguments.scene, output.output.as_deref())?;
    if let Some(rows) = arguments.explain {
        return explain_pair(arguments, &scene, [eyes, targets], rows);
    }
    let bad_rows = BadRowList::new(output, Tables::Several)?;
    let answered = answer(arguments, [eyes, targets], &scene, &bad_rows);
    let error = match &answered {
        Ok(_) => None,
        Err(hitscan_ask::Error::Table(error)) => Some(error),
        // The list is not whole either.
        Err(_) => Some(&hitscan_table::Error::Cancelled),
    };
    bad_rows.finish(error)?;
    for summary in answered? {
        table::report(&summary);
    }
    Ok(())
}

/// Writes the table of answers, and returns the summaries of both tables of questions.
fn answer(
    arguments: &SightArguments,
    [eyes, targets]: [Input; 2],
    scene: &Scene,
    bad_rows: &BadRowList,
) -> Result<[Summary; 2], hitscan_ask::Error> {
    let output = &arguments.output;
    let is_listed = output.rows.bad_rows.is_some();
    let mut sight = SightTable::new(scene, arguments.blocker);
    let bar = Bar::new("reading");
    let progress = |progress| bar.show(progress);
    let mut reading = table::options(output);
    reading.progress = &progress;
    let report = |row: &InvalidRow| bad_rows.add("targets", row);
    reading.bad_row = is_listed.then_some(&report);
    let of_targets = sight.read_targets(targets, &reading)?;
    drop(bar);
    let options = TableOptions {
        format: output.writing.format.map(Into::into),
        frame: None,
        prefix: &output.rows.prefix,
    };
    let out = table::output(output.output.as_deref());
    let mut writer = TableWriter::create_with(out, sight.columns(), options)?;
    let bar = Bar::beside("answering", output.output.as_deref());
    let progress = |progress| bar.show(progress);
    let mut answering = table::options(output);
    answering.progress = &progress;
    let report = |row: &InvalidRow| bad_rows.add("eyes", row);
    answering.bad_row = is_listed.then_some(&report);
    let of_eyes = sight.write(eyes, &answering, &mut writer)?;
    of_targets.check(answering.invalid_rows)?;
    of_eyes.check(answering.invalid_rows)?;
    writer.finish()?;
    drop(bar);
    Ok([of_targets, of_eyes])
}

/// Writes what is between one eye and one target.
fn explain_pair(
    arguments: &SightArguments,
    scene: &Scene,
    tables: [Input; 2],
    rows: [u64; 2],
) -> Result<(), Failure> {
    let output = &arguments.output;
    let sight = SightTable::new(scene, true);
    let options = table::options(output);
    let found = sight.explain(tables, rows, &options)?;
    let invalid = [&found.target, &found.eye]
        .into_iter()
        .find_map(|row| row.invalid_row());
    if let (InvalidRows::Refuse, Some(invalid)) = (options.invalid_rows, invalid) {
        return Err(hitscan_table::Error::InvalidRow(invalid).into());
    }
    let text = match arguments.json {
        true => escaped_json(&to_json(rows, &found)),
        false => to_text(&found),
    };
    explain::write(&text, output)
}

/// The columns of the pair's row, those of `--blocker` too.
fn answer_of(found: &SightExplanation) -> Vec<(String, Option<Value>)> {
    let blocker = found.candidates.first();
    let blocker = blocker.filter(|_| found.status == "blocked");
    let text = |text: &str| Value::Text(text.to_owned());
    // The shortest text of an f32 is that of an f64 too.
    let number = |t: f32| Value::Number(t.to_string().parse().unwrap_or(f64::from(t)));
    let columns = [
        ("status", Some(text(found.status))),
        ("t", blocker.and_then(|one| one.t).map(number)),
        ("object", blocker.map(|one| text(&one.object))),
        (
            "part",
            blocker.and_then(|one| one.part.as_deref()).map(text),
        ),
        (
            "triangle",
            blocker
                .and_then(|one| one.triangle)
                .map(|one| Value::Integer(one.into())),
        ),
    ];
    columns.map(|(name, value)| (name.to_owned(), value)).into()
}

fn to_json([eye, target]: [u64; 2], found: &SightExplanation) -> Json {
    let question = fields([
        ("eye", explain::object(&found.eye.question)),
        ("target", explain::object(&found.target.question)),
    ]);
    let mut explained = vec![
        ("eye", eye.into()),
        ("target", target.into()),
        ("question", question),
        ("answer", explain::object(&answer_of(found))),
    ];
    if let Some(reason) = &found.invalid {
        explained.push(("reason", reason.as_str().into()));
    }
    let candidates = found
        .candidates
        .iter()
        .map(|one| Json::from(candidate_json(one)));
    explained.push(("candidates", candidates.collect()));
    fields(explained)
}

fn to_text(found: &SightExplanation) -> String {
    let mut text = String::new();
    for row in [&found.eye, &found.target] {
        text.push_str(&format!("{}\n", escaped(&row.location.to_string())));
    }
    text.push_str(&explain::column_lines("eye", &found.eye.question));
    text.push_str(&explain::column_lines("target", &found.target.question));
    text.push_str(&explain::column_lines("answer", &answer_of(found)));
    if let Some(reason) = &found.invalid {
        text.push_str(&format!("\nthe row cannot be used: {}\n", escaped(reason)));
    }
    text + &explain::candidate_text(&found.candidates)
}

/// Refuses what is wrong with the tables and the output, before the scene is loaded.
fn check(arguments: &SightArguments, eyes: &Input, targets: &Input) -> Result<(), Failure> {
    let output = &arguments.output;
    match arguments.explain {
        Some(_) => explain::refuse_table_options(output)?,
        None => {
            let format = output.writing.format.map(Into::into);
            table::output(output.output.as_deref()).format(format)?;
        }
    }
    bad_rows::check(output, &[&arguments.eyes, &arguments.targets])?;
    let nothing = scene::empty()?;
    let sight = SightTable::new(&nothing, arguments.blocker);
    let (frames, options) = (possible_frames(), table::options(output));
    check_input(eyes, sight.eyes(), &frames, &options)?;
    Ok(check_input(targets, sight.targets(), &frames, &options)?)
}
