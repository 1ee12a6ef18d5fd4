//! `--explain ROW`: one row of a table, its answer, and why that is the answer.

use crate::arguments::OutputArguments;
use crate::failure::{Failure, check_interrupt};
use crate::listing::{columns_of, fields};
use crate::table::{self, TableRun};
use crate::terminal::{escaped, escaped_json};
use crate::trace::{self, MOST_VISITS, VisitList};
use crate::{expected, output, parts};
use hitscan_ask::{
    Explain, NamedCandidate, NamedExpectation, NamedTrace, candidate_json, possible_frames,
    value_json,
};
use hitscan_assets::Scene;
use hitscan_table::{
    Answer, AnsweredRow, Error, InvalidRows, Output, Questions, Value, answer_row, check_run,
};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Refuses what is wrong with the arguments and the table, before the scene is loaded; `answers` are
/// those of a scene without objects.
pub(crate) fn check(run: &TableRun<'_>, answers: &dyn Answer) -> Result<(), Failure> {
    if run.explain.explain.is_none() {
        return match run.parts.parts {
            None => table::check(run, answers),
            Some(_) => parts::check(run, answers),
        };
    }
    refuse_table_options(run.output)?;
    if run.parts.parts.is_some() || run.has_summary {
        return Err(Failure::usage(
            "--explain writes no table: leave out --parts and --summary",
        ));
    }
    let (source, frames, options) = (run.input()?, possible_frames(), run.options());
    Ok(check_run(
        &source,
        &Output::stdout(),
        answers,
        &frames,
        &options,
    )?)
}

/// Refuses options about tables of answers, since an explanation writes none.
pub(crate) fn refuse_table_options(arguments: &OutputArguments) -> Result<(), Failure> {
    if arguments.writing.format.is_some() {
        return Err(Failure::usage(
            "--explain writes text, or JSON with --json, and no table: leave out --format",
        ));
    }
    if arguments.rows.rows.is_some() {
        return Err(Failure::usage(
            "--explain reads one row, by its number in the whole table: leave out --rows",
        ));
    }
    if arguments.rows.bad_rows.is_some() {
        return Err(Failure::usage(
            "--explain reads one row, and says why it cannot be used: leave out --bad-rows",
        ));
    }
    Ok(())
}

/// Streams the table through `answers` about `scene`, or explains the row that the arguments name.
pub(crate) fn answer_or_explain(
    run: &TableRun<'_>,
    scene: &Scene,
    answers: &dyn Explain,
    visits: VisitList,
) -> Result<(), Failure> {
    let explained = |questions: &Questions| {
        Ok(Explained {
            trace: answers.trace(questions, MOST_VISITS)?,
            ..Explained::of(answers.explain(questions)?)
        })
    };
    answer_or_explain_by(run, scene, answers, &explained, visits)
}

/// What there is to say about a question.
#[derive(Debug, Default)]
pub(crate) struct Explained {
    /// What it hits, and what it does not.
    pub(crate) candidates: Vec<NamedCandidate>,
    /// Its visits, where it has some.
    pub(crate) trace: Option<NamedTrace>,
    /// What became of it at an object that it was expected to hit.
    pub(crate) expected: Option<NamedExpectation>,
}

impl Explained {
    /// The candidates alone.
    pub(crate) fn of(candidates: Vec<NamedCandidate>) -> Self {
        Self {
            candidates,
            ..Self::default()
        }
    }
}

/// As [`answer_or_explain`], where `explained` explains the first of its questions, or says why it is
/// invalid.
pub(crate) fn answer_or_explain_by(
    run: &TableRun<'_>,
    scene: &Scene,
    answers: &dyn Answer,
    explained: &dyn Fn(&Questions) -> Result<Explained, String>,
    visits: VisitList,
) -> Result<(), Failure> {
    let Some(row) = run.explain.explain else {
        return match run.parts.parts {
            None => table::answer(run, answers).map(drop),
            Some(count) => parts::answer(run, count, scene, answers),
        };
    };
    let (source, options) = (run.input()?, run.options());
    let row = answer_row(source, row, answers, &options)?;
    if let (InvalidRows::Refuse, Some(invalid)) = (options.invalid_rows, row.invalid_row()) {
        return Err(Error::InvalidRow(invalid).into());
    }
    let explained = match row.invalid {
        None => explained(&row.questions).map_err(Failure::other)?,
        Some(_) => Explained::default(),
    };
    let text = match run.explain.json {
        true => escaped_json(&to_json(&row, &explained, visits)),
        false => to_text(&row, &explained, visits),
    };
    write(&text, run.output)
}

/// Writes an explanation to where the answers would go.
pub(crate) fn write(text: &str, arguments: &OutputArguments) -> Result<(), Failure> {
    check_interrupt()?;
    match &arguments.output {
        Some(path) if path != Path::new("-") => output::write(path, text.as_bytes()),
        _ => output::print(text.as_bytes()),
    }
}

/// One JSON object. `answer` is a list where the plain command writes several rows.
fn to_json(row: &AnsweredRow, explanation: &Explained, visits: VisitList) -> Json {
    let mut answers: Vec<Json> = row.answers.iter().map(|answer| object(answer)).collect();
    let answer = match answers.len() {
        1 => answers.remove(0),
        _ => answers.into(),
    };
    let mut explained = vec![
        ("row", row.location.row.into()),
        ("question", object(&row.question)),
        ("answer", answer),
    ];
    if let Some(reason) = &row.invalid {
        explained.push(("reason", reason.as_str().into()));
    }
    if let Some(expectation) = &explanation.expected {
        explained.push(("expected", expected::to_json(expectation)));
    }
    let candidates = explanation.candidates.iter();
    let candidates: Vec<Json> = candidates.map(|one| candidate_json(one).into()).collect();
    explained.push(("candidates", candidates.into()));
    let traced = explanation.trace.as_ref();
    explained.extend(
        traced
            .into_iter()
            .flat_map(|one| trace::to_json(one, visits)),
    );
    fields(explained)
}

/// All columns; what has no value is null.
pub(crate) fn object(columns: &[(String, Option<Value>)]) -> Json {
    let value = |value: &Option<Value>| value.as_ref().map_or(Json::Null, value_json);
    fields(
        columns
            .iter()
            .map(|(name, found)| (name.as_str(), value(found))),
    )
}

fn to_text(row: &AnsweredRow, explained: &Explained, visits: VisitList) -> String {
    let mut text = format!("{}\n", escaped(&row.location.to_string()));
    let mut list = |heading: &str, columns: &[_]| text.push_str(&column_lines(heading, columns));
    list("question", &row.question);
    match row.answers.as_slice() {
        [only] => list("answer", only),
        several => {
            for (index, answer) in several.iter().enumerate() {
                list(
                    &format!("answer {} of {}", index + 1, several.len()),
                    answer,
                );
            }
        }
    }
    if let Some(reason) = &row.invalid {
        let _ = writeln!(text, "\nthe row cannot be used: {}", escaped(reason));
    }
    if let Some(expectation) = &explained.expected {
        text.push_str(&expected::to_text(expectation));
    }
    text.push_str(&candidate_text(&explained.candidates));
    if let Some(trace) = &explained.trace {
        text.push_str(&trace::to_text(trace, visits));
    }
    text
}

/// The columns that have values, under a heading.
pub(crate) fn column_lines(heading: &str, columns: &[(String, Option<Value>)]) -> String {
    let width = columns.iter().map(|(name, _)| name.chars().count()).max();
    let width = width.unwrap_or(0);
    let mut text = format!("\n{heading}\n");
    for (name, value) in columns {
        if let Some(value) = value {
            let _ = writeln!(text, "  {:width$}  {}", escaped(name), shown(value));
        }
    }
    text
}

/// The candidates under their heading, if there are any.
pub(crate) fn candidate_text(candidates: &[NamedCandidate]) -> String {
    match candidates.is_empty() {
        true => String::new(),
        false => format!("\ncandidates\n{}", candidate_lines(candidates)),
    }
}

/// The candidates as aligned columns under a heading, without empty columns. Of what
/// is many times the same, and not the answer, only the first are shown.
fn candidate_lines(candidates: &[NamedCandidate]) -> String {
    /// So many of one object with one verdict.
    const SHOWN: usize = 20;
    const COLUMNS: [&str; 6] = ["object", "part", "triangle", "t", "verdict", "why"];
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let first = candidates.iter().filter(|one| {
        let count = counts.entry((&one.object, one.verdict)).or_default();
        *count += 1;
        *count <= SHOWN || one.verdict == "answer"
    });
    let cells = |one: &NamedCandidate| {
        [
            escaped(&one.object),
            escaped(one.part.as_deref().unwrap_or_default()),
            one.triangle
                .map_or_else(String::new, |triangle| triangle.to_string()),
            one.t.map_or_else(String::new, |t| t.to_string()),
            one.verdict.to_owned(),
            one.why.clone(),
        ]
    };
    let rows: Vec<[String; 6]> = first.map(cells).collect();
    let mut lines = columns_of(COLUMNS, &rows);
    for ((object, verdict), count) in counts {
        if count > SHOWN && verdict != "answer" {
            let (object, more) = (escaped(object), count - SHOWN);
            let _ = writeln!(lines, "  and {more} more of {object}: {verdict}");
        }
    }
    lines
}

fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => escaped(text),
        Value::Integer(integer) => integer.to_string(),
        Value::Number(number) => number.to_string(),
    }
}
