//! The errors of tables as Python's exceptions.
//!
//! A table that cannot be used is a `FileError` with the file, the row and the column; options and
//! rows that are wrong are a `ValueError`.

use crate::errors::new_file_error;
use hitscan_table::{Error, Location};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use std::error::Error as _;

/// The exception for a table that cannot be read, answered or written.
pub(crate) fn table_error(py: Python<'_>, error: &Error) -> PyErr {
    let (message, errno) = chain(error);
    let (file, place, expectation) = match error {
        Error::InvalidRow(_)
        | Error::InvalidRows { .. }
        | Error::SimilarColumn(_)
        | Error::NoSuchAnswer { .. }
        | Error::AnswerNameTaken { .. } => {
            // An option of the command line is an argument here.
            return PyValueError::new_err(message.replace("`--prefix`", "`prefix=`"));
        }
        Error::Cancelled => return PyKeyboardInterrupt::new_err(message),
        Error::UnknownFormat { file } => (file, None, Some("an ending that names a format")),
        Error::WrongFormat { file, expected, .. } => (file, None, Some(*expected)),
        Error::MissingColumn { file, column, .. } => (file, Some(in_column(column)), None),
        Error::ColumnType {
            file,
            column,
            expected,
            ..
        } => (file, Some(in_column(column)), Some(*expected)),
        Error::DuplicateColumn { file, column, .. }
        | Error::AmbiguousColumn { file, column, .. }
        | Error::UnsupportedCodec { file, column, .. } => (file, Some(in_column(column)), None),
        Error::NotUtf8 { location, column } => {
            let place = format!("{}, {}", place_of(location), in_column(column));
            (&location.file, Some(place), Some("UTF-8"))
        }
        Error::NoText {
            location, column, ..
        } => {
            let place = format!("{}, {}", place_of(location), in_column(column));
            (&location.file, Some(place), None)
        }
        Error::FieldCount { location, .. }
        | Error::UnclosedQuote { location }
        | Error::RowTooLong { location, .. } => (&location.file, Some(place_of(location)), None),
        Error::Damaged { file, at, .. } => (file, Some(at.clone()), None),
        Error::NeedsFile { file }
        | Error::FormatsDisagree { file, .. }
        | Error::Read { file, .. }
        | Error::Write { file, .. }
        | Error::NoHeader { file }
        | Error::Utf16 { file }
        | Error::WrongColumns { file, .. }
        | Error::NoSuchRow { file, .. }
        | Error::NoSuchRowGroups { file, .. }
        | Error::NoRowGroups { file }
        | Error::HeaderNotUtf8 { file, .. } => (file, None, None),
        _ => return PyValueError::new_err(message),
    };
    let expectation = expectation.map(str::to_owned);
    new_file_error(py, file, place, expectation, message, errno)
}

/// The exception for a file that cannot be written.
pub(crate) fn write_error(py: Python<'_>, file: &str, error: &std::io::Error) -> PyErr {
    let message = format!("{file}: cannot be written: {error}");
    new_file_error(py, file, None, None, message, error.raw_os_error())
}

/// A message with the causes of the error behind it, and the system's reason.
fn chain(error: &Error) -> (String, Option<i32>) {
    let (mut message, mut errno) = (error.to_string(), None);
    let mut cause = error.source();
    while let Some(source) = cause {
        message = format!("{message}: {source}");
        let system = source.downcast_ref::<std::io::Error>();
        errno = errno.or(system.and_then(std::io::Error::raw_os_error));
        cause = source.source();
    }
    (message, errno)
}

fn in_column(column: &str) -> String {
    format!("column {column}")
}

fn place_of(location: &Location) -> String {
    match location.line {
        Some(line) => format!("line {line} (row {})", location.row),
        None => format!("row {}", location.row),
    }
}
