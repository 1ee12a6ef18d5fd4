//! Errors of the library and of files as Python's exceptions.
//!
//! | what is wrong | exception |
//! |---|---|
//! | a value, a shape or a length | `ValueError` |
//! | what an array is made of | `TypeError` |
//! | a handle or a name of nothing | `hitscan.UnknownObjectError`, a `KeyError` |
//! | a tick that is not kept | `hitscan.UnknownTickError`, a `LookupError` |
//! | a world with changes that no update has made | `hitscan.PendingChangesError`, a `ValueError` |
//! | a file | `hitscan.FileError`, an `OSError` |
//! | this package itself | `RuntimeError` |

use hitscan_assets::Error as FileError;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::any::Any;
use std::error::Error as _;

/// The class `hitscan.FileError`, which is Python's own so that its attributes have types.
static FILE_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The class `hitscan.UnknownObjectError`.
static UNKNOWN_OBJECT: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The class `hitscan.PendingChangesError`.
static PENDING_CHANGES: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The class `hitscan.UnknownTickError`.
static UNKNOWN_TICK: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// What the library refused.
pub(crate) fn library_error(error: &hitscan::Error) -> PyErr {
    match error {
        hitscan::Error::StaleObject { .. } => unknown_object(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// An `UnknownObjectError`: a handle, a name or a clip that there is not.
pub(crate) fn unknown_object(message: String) -> PyErr {
    own_error(&UNKNOWN_OBJECT, "UnknownObjectError", message)
}

/// An `UnknownTickError`: a tick that a world does not keep.
pub(crate) fn unknown_tick(message: String) -> PyErr {
    own_error(&UNKNOWN_TICK, "UnknownTickError", message)
}

/// A `PendingChangesError`: a question to a world with changes that no update has made.
pub(crate) fn pending_changes(message: String) -> PyErr {
    own_error(&PENDING_CHANGES, "PendingChangesError", message)
}

/// An exception of a class of `hitscan.errors`.
fn own_error(class: &PyOnceLock<Py<PyType>>, name: &str, message: String) -> PyErr {
    Python::attach(|py| {
        let class = class.import(py, "hitscan.errors", name);
        match class.and_then(|class| class.call1((message,))) {
            Ok(made) => PyErr::from_value(made),
            Err(error) => error,
        }
    })
}

/// What is wrong with a file: `FileError(file, place, expectation, message, errno)`.
pub(crate) fn file_error(py: Python<'_>, error: &FileError) -> PyErr {
    let (place, expectation) = match error.of_file() {
        FileError::Malformed {
            location, expected, ..
        }
        | FileError::Undecodable {
            location, expected, ..
        } => (Some(location), Some(expected.clone())),
        FileError::Unsupported { location, what, .. } => {
            (Some(location), Some(format!("no {what}")))
        }
        FileError::Missing { location, what, .. } => (Some(location), Some(what.clone())),
        FileError::UnknownName { location, what, .. } => {
            (Some(location), Some(format!("a known {what}")))
        }
        FileError::Referred {
            location, target, ..
        } => (Some(location), Some(target.display().to_string())),
        FileError::OutsideFolder { location, .. } => (
            Some(location),
            Some("a file inside the model's folder".to_owned()),
        ),
        FileError::Refused {
            location, source, ..
        } => (Some(location), Some(source.to_string())),
        _ => (None, None),
    };
    let mut message = error.to_string();
    let mut errno = None;
    let mut cause = error.source();
    while let Some(source) = cause {
        message = format!("{message}: {source}");
        let system = source.downcast_ref::<std::io::Error>();
        errno = errno.or(system.and_then(std::io::Error::raw_os_error));
        cause = source.source();
    }
    let file = error.path().display().to_string();
    new_file_error(py, &file, place.cloned(), expectation, message, errno)
}

/// A `FileError(file, place, expectation, message, errno)`.
pub(crate) fn new_file_error(
    py: Python<'_>,
    file: &str,
    place: Option<String>,
    expectation: Option<String>,
    message: String,
    errno: Option<i32>,
) -> PyErr {
    let class = FILE_ERROR.import(py, "hitscan.errors", "FileError");
    let made = class.and_then(|class| class.call1((file, place, expectation, message, errno)));
    match made {
        Ok(made) => PyErr::from_value(made),
        Err(error) => error,
    }
}

/// What a panic of a thread becomes. There is none unless this package is wrong.
pub(crate) fn panic_error(payload: &(dyn Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    PyRuntimeError::new_err(format!(
        "hitscan is wrong here, please report it: {}",
        text.unwrap_or("a panic")
    ))
}
