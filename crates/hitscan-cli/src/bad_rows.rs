//! `--bad-rows FILE`: the rows that cannot be used, as a table.

use crate::arguments::OutputArguments;
use crate::failure::Failure;
use crate::output;
use hitscan_table::{
    AnswerColumn, ColumnKind, Error, InvalidRow, Output, TableWriter, check_output,
};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// The first is for several tables, or one of several files.
const COLUMNS: [AnswerColumn; 5] = [
    AnswerColumn::new("table", ColumnKind::Text),
    AnswerColumn::new("row", ColumnKind::U64),
    AnswerColumn::new("line", ColumnKind::U64),
    AnswerColumn::new("column", ColumnKind::Text),
    AnswerColumn::new("reason", ColumnKind::Text),
];

/// Refuses a list that cannot be written, or would replace one of the `inputs` or the output.
pub(crate) fn check(arguments: &OutputArguments, inputs: &[PathBuf]) -> Result<(), Failure> {
    let Some(path) = &arguments.rows.bad_rows else {
        return Ok(());
    };
    if path == Path::new("-") {
        return Err(Failure::usage(
            "--bad-rows: standard output is for the answers: name a file",
        ));
    }
    if arguments.output.as_ref() == Some(path) {
        return Err(Failure::usage(format!(
            "{}: the answers and --bad-rows need a file each",
            path.display()
        )));
    }
    for input in inputs {
        output::refuse_input(path, input)?;
    }
    let file = Output::File(path.clone());
    file.format(None)?;
    Ok(check_output(&file)?)
}

/// How many tables of questions a command has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tables {
    One,
    /// Each row of the list says which it is of.
    Several,
}

/// Collects such rows, if the arguments want a list of them.
pub(crate) struct BadRowList {
    tables: Tables,
    writer: RefCell<Result<Option<TableWriter>, Error>>,
}

impl BadRowList {
    pub(crate) fn new(arguments: &OutputArguments, tables: Tables) -> Result<Self, Failure> {
        let columns = match tables {
            Tables::One => &COLUMNS[1..],
            Tables::Several => &COLUMNS,
        };
        let create = |path: &PathBuf| TableWriter::create(Output::File(path.clone()), columns);
        let writer = arguments.rows.bad_rows.as_ref().map(create).transpose()?;
        Ok(Self {
            tables,
            writer: RefCell::new(Ok(writer)),
        })
    }

    /// Adds a row of the only table, or of the one of this name. Where that fails, [`BadRowList::finish`] says so.
    pub(crate) fn add(&self, table: &str, bad: &InvalidRow) {
        let mut writer = self.writer.borrow_mut();
        let Ok(Some(list)) = writer.as_mut() else {
            return;
        };
        let added = list.row().map(|mut row| {
            if self.tables == Tables::Several {
                row.text(table);
            }
            row.u64(bad.location.row);
            match bad.location.line {
                Some(line) => row.u64(line),
                None => row.empty(),
            };
            match &bad.column {
                Some(column) => row.text(column),
                None => row.empty(),
            };
            row.text(&bad.reason);
        });
        if let Err(error) = added {
            *writer = Err(error);
        }
    }

    /// Completes the list: of a run that went well, or ended because of such rows.
    pub(crate) fn finish(self, error: Option<&Error>) -> Result<(), Failure> {
        let is_whole = matches!(
            error,
            None | Some(Error::InvalidRow(_) | Error::InvalidRows { .. })
        );
        match self.writer.into_inner()? {
            Some(list) if is_whole => {
                list.finish()?;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
