//! A table that a page drops: its questions are answered, its answers compared.

use super::budget::Budget;
use super::query::QueryTable;
use super::table_tool::table_settings;
use crate::limits;
use crate::protocol::{Columns, FieldError, Refusal, TableReply, TableRequest, TableRow};
use hitscan_ask::row_json;
use hitscan_assets::Scene;
use hitscan_table::{
    AnsweredRow, Error, FileFields, Input, Location, OtherFields, RunOptions, Value, answer_rows,
    column_names,
};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The name of the column that counts rows where a question has several answers.
const ROW: &str = "row";

/// Few: a row may have texts of megabytes, which a small file repeats.
const BATCH_ROWS: NonZeroUsize = NonZeroUsize::new(16).expect("16 is not zero");

/// A table and the scene as its rows see it.
#[derive(Debug)]
pub(in crate::viewer) struct TableQuestion {
    pub(in crate::viewer) request: TableRequest,
    pub(in crate::viewer) scene: Scene,
}

impl TableQuestion {
    /// Answers all rows, and compares them with what the file says.
    pub(super) fn answer(&self, cancel: &AtomicBool) -> Result<TableReply, FieldError> {
        let request = &self.request;
        let input = || Input::Bytes {
            name: request.name.clone(),
            bytes: Arc::clone(&request.bytes),
        };
        let options = RunOptions {
            threads: NonZeroUsize::MIN,
            batch_rows: BATCH_ROWS,
            ..RunOptions::new(cancel)
        };
        let columns = column_names(input(), &options).map_err(|error| self.refusal(&error))?;
        let most_rows = most_rows(columns.len())?;
        let (tool, settings) = table_settings(request, &self.scene, &columns)?;
        let budget = Budget::of_table(cancel);
        let table = QueryTable::of_table(&settings, &self.scene, &budget);
        let mut rows = Comparison::default();
        let asked = answer_rows(input(), &table, &options, &mut |row, file, others| {
            if rows.rows >= most_rows || budget.is_over() {
                // It ends the reading, and is reported as the limit below.
                return Err(Error::Cancelled);
            }
            rows.take(&row, file, others);
            Ok(())
        });
        match asked {
            Ok(()) => rows.end_of_group(),
            Err(Error::Cancelled) => {
                budget.check(&format!("table.row {}", rows.rows))?;
                return Err(too_many_rows(most_rows, columns.len()));
            }
            Err(error) => return Err(self.refusal(&error)),
        }
        let differing = rows.differing.len() as u64 + rows.more_differing;
        let room = limits::TABLE_ROWS_SHOWN.saturating_sub(rows.differing.len());
        let mut shown = rows.differing;
        shown.extend(rows.others.into_iter().take(room));
        Ok(TableReply {
            id: request.id,
            name: request.name.clone(),
            tool,
            columns,
            rows: rows.rows,
            invalid: rows.invalid,
            compared: rows.is_compared,
            differing,
            shown,
        })
    }

    /// A table that cannot be read: the message has the row and the column.
    fn refusal(&self, error: &Error) -> FieldError {
        let cause = std::error::Error::source(error);
        let cause = cause.map_or_else(String::new, |cause| format!(": {cause}"));
        Refusal::new(
            "table",
            self.request.name.clone(),
            format!("{error}{cause}"),
        )
    }
}

/// The most rows of a table of so many columns.
fn most_rows(columns: usize) -> Result<u64, FieldError> {
    let most = limits::TABLE_COLUMNS;
    if columns > most {
        let expected = format!("at most {most} columns; leave out those that are not asked");
        let found = format!("{columns} columns");
        return Err(Refusal::new("table", found, expected).by("TABLE_COLUMNS"));
    }
    Ok(limits::TABLE_ROWS.min(limits::TABLE_VALUES / columns.max(1) as u64))
}

fn too_many_rows(most: u64, columns: usize) -> FieldError {
    let (expected, limit) = match most == limits::TABLE_ROWS {
        true => (format!("at most {most} rows"), "TABLE_ROWS"),
        false => {
            let values = limits::TABLE_VALUES;
            let expected = format!("at most {values} values: {most} rows of {columns} columns");
            (expected, "TABLE_VALUES")
        }
    };
    Refusal::new("table", "more rows", expected).by(limit)
}

/// The rows so far.
#[derive(Default)]
struct Comparison {
    rows: u64,
    invalid: u64,
    is_compared: bool,
    differing: Vec<TableRow>,
    /// Rows that differ and are not in the list.
    more_differing: u64,
    others: Vec<TableRow>,
    group: Option<Group>,
}

/// Consecutive rows of a table of answers in which one question has several.
struct Group {
    /// What the file has in the column `row`.
    number: String,
    /// How many rows there were.
    count: usize,
    /// The answers of the question.
    answers: usize,
    last: TableRow,
}

impl Comparison {
    fn take(&mut self, row: &AnsweredRow, file: &FileFields, others: &OtherFields<'_, '_>) {
        self.rows += 1;
        self.invalid += u64::from(row.invalid.is_some());
        self.is_compared |= !file.is_empty();
        let number = file.iter().find(|(name, _)| name == ROW);
        let number = number.and_then(|(_, number)| number.clone());
        let place = match (&self.group, &number) {
            (Some(group), Some(number)) if group.number == *number => group.count,
            _ => {
                self.end_of_group();
                0
            }
        };
        let answer = row.answers.get(place).map(Vec::as_slice);
        let differs = differing(answer, file);
        match number {
            None => self.put(!differs.is_empty(), || {
                table_row(row, answer, file, others, differs)
            }),
            // The last row of a group waits: its question may have more answers than the file.
            Some(number) => {
                let shown = table_row(row, answer, file, others, differs);
                let before = self.group.replace(Group {
                    number,
                    count: place + 1,
                    answers: row.answers.len(),
                    last: shown,
                });
                if let Some(before) = before {
                    self.put_whole(before.last);
                }
            }
        }
    }

    fn end_of_group(&mut self) {
        if let Some(mut group) = self.group.take() {
            if group.count < group.answers && group.last.differs.is_empty() {
                group.last.differs.push(ROW.to_owned());
            }
            self.put_whole(group.last);
        }
    }

    fn put_whole(&mut self, row: TableRow) {
        self.put(!row.differs.is_empty(), || row);
    }

    /// Puts a row that differs or does not into its list, and makes it only where there is room.
    fn put(&mut self, differs: bool, row: impl FnOnce() -> TableRow) {
        let list = match differs {
            true => &mut self.differing,
            false => &mut self.others,
        };
        if list.len() < limits::TABLE_ROWS_SHOWN {
            list.push(row());
        } else {
            self.more_differing += u64::from(differs);
        }
    }
}

/// The columns of an answer in which the file says something else.
fn differing(answer: Option<&[(String, Option<Value>)]>, file: &FileFields) -> Vec<String> {
    let of_answer = |name: &str| {
        let column = answer?.iter().find(|(column, _)| column == name)?;
        column.1.as_ref()
    };
    // The rows of a table of answers have numbers of their own.
    let compared = file.iter().filter(|(name, _)| name != ROW);
    let differs = compared.filter(|(name, text)| !is_same(of_answer(name), text.as_deref()));
    differs.map(|(name, _)| name.clone()).collect()
}

fn table_row(
    row: &AnsweredRow,
    answer: Option<&[(String, Option<Value>)]>,
    file: &FileFields,
    others: &OtherFields<'_, '_>,
    differs: Vec<String>,
) -> TableRow {
    let Location { row: number, .. } = row.location;
    TableRow {
        row: number,
        question: texts_cut(row_json(&row.question)),
        answer: answer.map(row_json).unwrap_or_default(),
        file: texts(file, limits::TABLE_NAME),
        others: texts(&others.first(limits::TABLE_OTHERS), limits::TABLE_TEXT),
        differs,
        invalid: row
            .invalid
            .as_deref()
            .map(|why| cut(why, limits::TABLE_NAME)),
    }
}

/// The same with texts that are cut where they are long.
fn texts_cut(mut columns: Columns) -> Columns {
    for value in columns.values_mut() {
        if let Some(text) = value
            .as_str()
            .filter(|text| text.len() > limits::TABLE_NAME)
        {
            *value = cut(text, limits::TABLE_NAME).into();
        }
    }
    columns
}

/// The first characters of a text.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The fields that are not empty, each cut after so many characters.
fn texts(fields: &[(String, Option<String>)], most: usize) -> Columns {
    let texts = fields
        .iter()
        .filter_map(|(name, text)| Some((name.clone(), cut(text.as_deref()?, most).into())));
    Columns::from_iter(texts)
}

/// Whether a file's text is this value: of numbers that of the same f32, or of the same f64 where it is a
/// map's coordinate.
fn is_same(value: Option<&Value>, text: Option<&str>) -> bool {
    match (value, text) {
        (None, None) => true,
        (None, Some(_)) | (Some(_), None) => false,
        (Some(Value::Text(value)), Some(text)) => value == text,
        (Some(Value::Integer(value)), Some(text)) => text.trim().parse() == Ok(*value),
        (Some(Value::Number(value)), Some(text)) => {
            let text = text.trim();
            let is_f32 = || {
                text.parse::<f32>()
                    .is_ok_and(|number| is_text_of(number, *value))
            };
            text.parse() == Ok(*value) || is_f32()
        }
    }
}

/// Whether a number is the f64 that reads as the same text as this f32.
fn is_text_of(number: f32, value: f64) -> bool {
    number.to_string().parse() == Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_as_what_they_mean() {
        let number = Value::Number(0.1);
        for (text, same) in [
            (Some("0.1"), true),
            (Some(" 0.10 "), true),
            (Some("1e-1"), true),
            (Some("0.100000001"), true),
            (Some("0.10000001"), false),
            (Some("x"), false),
            (None, false),
        ] {
            assert_eq!(is_same(Some(&number), text), same, "{text:?}");
        }
        assert!(is_same(Some(&Value::Integer(7)), Some("7")));
        assert!(!is_same(Some(&Value::Text("hit".to_owned())), Some("miss")));
        assert!(is_same(None, None) && !is_same(None, Some("0")));
    }
}
