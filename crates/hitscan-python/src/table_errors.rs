//! The errors of tables and scenes as Python's exceptions.
//!
//! A file that cannot be used is an `OSError`, as its message names the file, the place in it and
//! what was expected; options and rows that are wrong are a `ValueError`.

use std::error::Error as StdError;

use hitscan_table::Error;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

/// A message with the causes of the error behind it.
fn chain(error: &dyn StdError) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message.push_str(": ");
        message.push_str(&error.to_string());
        cause = error.source();
    }
    message
}

/// The exception for a table that cannot be read, answered or written.
pub(crate) fn table_error(error: &Error) -> PyErr {
    let message = chain(error);
    match error {
        Error::InvalidRow(_) | Error::NoSuchAnswer { .. } | Error::AnswerNameTaken { .. } => {
            PyValueError::new_err(message)
        }
        _ => PyOSError::new_err(message),
    }
}

/// The exception for a scene that cannot be used.
pub(crate) fn scene_error(error: &hitscan_assets::Error) -> PyErr {
    PyOSError::new_err(chain(error))
}

/// The exception for a file that cannot be written.
pub(crate) fn write_error(file: &str, error: &std::io::Error) -> PyErr {
    PyOSError::new_err(format!("{file}: cannot be written: {error}"))
}
