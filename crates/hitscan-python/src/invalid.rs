//! Rows that are no question: found while rows are read, and reported together or marked.

use crate::arrays::index_text;
use crate::threads::lock;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What becomes of a call with rows that are no question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Invalid {
    /// It raises `ValueError`.
    Raise,
    /// They are answered `status = invalid`.
    Mark,
}

impl Invalid {
    /// By the name in Python.
    pub(crate) fn named(name: &str) -> PyResult<Self> {
        match name {
            "raise" => Ok(Self::Raise),
            "mark" => Ok(Self::Mark),
            _ => Err(PyValueError::new_err(format!(
                "invalid: expected \"raise\" or \"mark\", found {name:?}"
            ))),
        }
    }
}

/// The rows of a call that are no question.
pub(crate) struct BadRows {
    invalid: Invalid,
    count: AtomicUsize,
    /// The first of those found so far, and why.
    first: Mutex<Option<(usize, hitscan::Error)>>,
}

impl BadRows {
    pub(crate) fn new(invalid: Invalid) -> Self {
        Self {
            invalid,
            count: AtomicUsize::new(0),
            first: Mutex::new(None),
        }
    }

    /// Notes that row `row` is no question.
    #[cold]
    pub(crate) fn note(&self, row: usize, reason: hitscan::Error) {
        self.count.fetch_add(1, Ordering::Relaxed);
        let mut first = lock(&self.first);
        if first.as_ref().is_none_or(|(first, _)| row < *first) {
            *first = Some((row, reason));
        }
    }

    /// Whether the call fails, so that rows need only be checked from here on.
    pub(crate) fn fails(&self) -> bool {
        self.invalid == Invalid::Raise && self.count.load(Ordering::Relaxed) > 0
    }

    /// Raises where the call fails: the first such row by its index in the leading axes `shape` of the
    /// argument `name`, why, and how many there are.
    pub(crate) fn check(self, name: &str, shape: &[usize]) -> PyResult<()> {
        let count = self.count.into_inner();
        let first = self.first.into_inner();
        match first.unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some((row, reason)) if self.invalid == Invalid::Raise => {
                let index = index_text(shape, row);
                let rows: usize = shape.iter().product();
                Err(PyValueError::new_err(format!(
                    "{name}{index}: {reason} (invalid rows: {count} of {rows}; invalid=\"mark\" \
                     answers the others)"
                )))
            }
            _ => Ok(()),
        }
    }
}
