//! `hitscan sight`: which eye sees which target.

use crate::arguments::{ColumnList, ExplainArguments, PartsArguments, SightArguments};
use crate::bad_rows::{self, BadRowList, Tables};
use crate::failure::Failure;
use crate::listing::fields;
use crate::progress::Bar;
use crate::table::TableRun;
use crate::terminal::{escaped, escaped_json};
use crate::{explain, inputs, scene, summary, table, terminal};
use hitscan_ask::{
    SightExplanation, SightLineTable, SightPairs, SightTable, candidate_json, possible_frames,
};
use hitscan_assets::Scene;
use hitscan_table::{
    Input, InvalidRow, InvalidRows, RunOptions, Summary, TableOptions, TableWriter, Value,
    check_input, check_run, count_rows,
};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) fn run(arguments: &SightArguments) -> Result<(), Failure> {
    match (&arguments.eyes, &arguments.targets) {
        (Some(eyes), Some(targets)) => answer_tables(arguments, [eyes, targets]),
        (Some(eyes), None) => answer_lines(arguments, eyes),
        (None, _) => Err(Failure::usage(
            "name a table of eyes, or a link with a question",
        )),
    }
}

/// Writes the table of eyes with what each sees of the target in its row.
fn answer_lines(arguments: &SightArguments, eyes: &Path) -> Result<(), Failure> {
    let output = &arguments.output;
    table::limit_threads(&output.writing)?;
    let run = TableRun::new(
        &arguments.scene,
        &[eyes.to_owned()],
        output,
        ExplainArguments::default(),
        PartsArguments::default(),
        arguments.summary.summary,
    )?;
    let nothing = scene::empty()?;
    table::check(&run, &SightLineTable::new(&nothing, arguments.blocker))?;
    let scene = scene::load(&arguments.scene, run.output_file())?;
    let lines = SightLineTable::new(&scene, arguments.blocker);
    table::answer(&run, &lines).map(drop)
}

/// Writes what the eyes of one table see of the targets of another.
fn answer_tables(arguments: &SightArguments, typed: [&Path; 2]) -> Result<(), Failure> {
    let output = &arguments.output;
    if typed == [Path::new("-"); 2] {
        return Err(Failure::usage(
            "only one of the two tables can be standard input",
        ));
    }
    table::limit_threads(&output.writing)?;
    let [eyes, targets] = typed.map(|path| inputs::expanded(&[path.to_owned()]));
    let paths = [eyes?, targets?];
    let [eyes, targets] = [&paths[0], &paths[1]].map(|paths| table::input(paths, output));
    let (eyes, targets) = (eyes?, targets?);
    check(arguments, typed, &paths, [&eyes, &targets])?;
    let scene = scene::load(&arguments.scene, output.output.as_deref())?;
    if let Some(rows) = arguments.explain {
        return explain_pair(arguments, &scene, [eyes, targets], rows);
    }
    if arguments.pairs {
        let [eyes, _] = paths;
        return answer_pairs(arguments, eyes, targets, &scene);
    }
    let bad_rows = BadRowList::new(output, Tables::Several)?;
    let begin = Instant::now();
    let answered = answer(arguments, [eyes, targets], &scene, &bad_rows);
    let error = match &answered {
        Ok(_) => None,
        Err(hitscan_ask::Error::Table(error)) => Some(error),
        // The list is not whole either.
        Err(_) => Some(&hitscan_table::Error::Cancelled),
    };
    bad_rows.finish(error)?;
    let [of_targets, of_eyes] = answered?;
    table::report(&of_targets);
    table::report(&of_eyes);
    if arguments.summary.summary {
        summary::print(&of_eyes, begin.elapsed());
    }
    Ok(())
}

/// Writes the table of eyes with what each sees of the target of its row.
fn answer_pairs(
    arguments: &SightArguments,
    eyes: Vec<PathBuf>,
    targets: Input,
    scene: &Scene,
) -> Result<(), Failure> {
    let mut sight = SightTable::new(scene, arguments.blocker);
    let bar = Bar::new("reading");
    let progress = |progress| bar.show(progress);
    let mut reading = target_options(arguments);
    reading.progress = &progress;
    let of_targets = read_targets(&mut sight, targets, &reading)?;
    drop(bar);
    table::report(&of_targets);
    of_targets.check(target_options(arguments).invalid_rows)?;
    let run = pairs_run(arguments, eyes);
    let of_eyes = table::answer(&run, &SightPairs::new(&sight))?;
    if of_eyes.rows < of_targets.rows {
        terminal::say(&format!(
            "warning: rows of eyes: {}, of targets: {}; the last targets have no eye",
            of_eyes.rows, of_targets.rows
        ));
    }
    Ok(())
}

fn read_targets(
    sight: &mut SightTable<'_>,
    targets: Input,
    reading: &RunOptions<'_>,
) -> Result<Summary, Failure> {
    let read = sight.read_targets(targets, reading);
    read.map_err(|error| match error {
        hitscan_ask::Error::Table(error) => Failure::of_table(error, "--target-columns"),
        error => error.into(),
    })
}

fn pairs_run(arguments: &SightArguments, eyes: Vec<PathBuf>) -> TableRun<'_> {
    TableRun {
        scene: &arguments.scene.scene,
        inputs: eyes,
        output: &arguments.output,
        explain: ExplainArguments::default(),
        parts: PartsArguments::default(),
        has_summary: arguments.summary.summary,
        question: None,
        assignments: ColumnList::of(&arguments.output.rows.columns).to_vec(),
    }
}

/// Refuses tables that have not as many rows, as far as that can be known before they are answered.
fn check_row_counts(
    arguments: &SightArguments,
    typed: [&Path; 2],
    [eyes, targets]: [&[PathBuf]; 2],
) -> Result<(), Failure> {
    // What is no regular file can be read only once.
    if !eyes.iter().chain(targets).all(|path| path.is_file()) {
        return Ok(());
    }
    let options = table::options(&arguments.output);
    let count = |paths| {
        count_rows(table::input(paths, &arguments.output)?, &options).map_err(Failure::from)
    };
    let (eyes, targets) = (count(eyes)?, count(targets)?);
    match eyes == targets {
        true => Ok(()),
        false => Err(Failure::usage(format!(
            "--pairs takes the target of the same row for each eye, and {} has {eyes} rows, {} has \
             {targets}",
            typed[0].display(),
            typed[1].display()
        ))),
    }
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
    let mut reading = target_options(arguments);
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
    let found = sight.explain(tables, rows, [&options, &target_options(arguments)])?;
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

/// How the arguments want the table of targets read.
fn target_options(arguments: &SightArguments) -> RunOptions<'_> {
    RunOptions {
        // Rows are those of eyes; of pairs they are those of targets too.
        rows: arguments.output.rows.rows.filter(|_| arguments.pairs),
        assignments: ColumnList::of(&arguments.target_columns),
        ..table::options(&arguments.output)
    }
}

/// Refuses what is wrong with the tables and the output, before the scene is loaded.
fn check(
    arguments: &SightArguments,
    typed: [&Path; 2],
    paths: &[Vec<PathBuf>; 2],
    [eyes, targets]: [&Input; 2],
) -> Result<(), Failure> {
    let output = &arguments.output;
    match arguments.explain {
        Some(_) => explain::refuse_table_options(output)?,
        None => {
            let format = output.writing.format.map(Into::into);
            table::output(output.output.as_deref()).format(format)?;
        }
    }
    bad_rows::check(output, &paths.concat())?;
    let nothing = scene::empty()?;
    let sight = SightTable::new(&nothing, arguments.blocker);
    let (frames, options) = (possible_frames(), table::options(output));
    check_input(eyes, sight.eyes(), &frames, &options)?;
    let of_targets = target_options(arguments);
    check_input(targets, sight.targets(), &frames, &of_targets)
        .map_err(|error| Failure::of_table(error, "--target-columns"))?;
    if !arguments.pairs || arguments.explain.is_some() {
        return Ok(());
    }
    // The columns of eyes are in front of the answer's.
    let out = table::output(output.output.as_deref());
    check_run(eyes, &out, &SightPairs::new(&sight), &frames, &options)?;
    check_row_counts(arguments, typed, [&paths[0], &paths[1]])
}
