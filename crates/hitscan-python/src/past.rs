//! The instants of the past that the rows of a call query, each its own.

use crate::arrays::{Argument, for_each_row, index_text, with_room};
use crate::errors::unknown_tick;
use hitscan::world::Past;
use hitscan::{Error, Snapshot};
use pyo3::prelude::*;

/// The past of a world and the ticks that a call queries, as they were given.
pub(crate) struct AskedPast {
    past: Past,
    ticks: Py<PyAny>,
}

/// The instant of each row of a call.
pub(crate) struct Times {
    past: Past,
    ticks: Vec<f64>,
}

impl AskedPast {
    pub(crate) fn new(past: Past, ticks: Py<PyAny>) -> Self {
        Self { past, ticks }
    }

    pub(crate) fn past(&self) -> &Past {
        &self.past
    }

    /// The ticks as they were given: an array, or of a table the name of their column.
    pub(crate) fn given(&self) -> &Py<PyAny> {
        &self.ticks
    }

    /// The ticks as an array, whose shape broadcasts with those of the other arguments.
    ///
    /// # Errors
    /// `TypeError` for what does not hold numbers.
    pub(crate) fn argument<'py>(&self, py: Python<'py>) -> PyResult<Argument<'py>> {
        Argument::new("ticks", self.ticks.bind(py))
    }

    /// The instant of each row of leading axes `shape`.
    ///
    /// # Errors
    /// `UnknownTickError` for the first tick that is not kept, unless such rows are only marked.
    pub(crate) fn times(
        &self,
        argument: &Argument<'_>,
        shape: &[usize],
        are_marked: bool,
    ) -> PyResult<Times> {
        let rows = argument.rows(shape, None)?;
        let mut ticks = with_room(rows.count())?;
        for_each_row(&rows, |[tick]| ticks.push(tick));
        let is_unknown = |tick: &f64| !self.past.has(*tick);
        match ticks.iter().position(is_unknown) {
            Some(row) if !are_marked => {
                let index = index_text(shape, row);
                let reason = not_kept(&self.past, ticks[row]);
                Err(unknown_tick(format!("ticks{index}: {reason}")))
            }
            _ => Ok(Times {
                past: self.past.clone(),
                ticks,
            }),
        }
    }
}

impl Times {
    /// Whether the row's tick is kept.
    ///
    /// # Errors
    /// [`Error::BadValue`].
    pub(crate) fn check(&self, row: usize) -> Result<(), Error> {
        let found = self.ticks[row];
        match self.past.has(found) {
            true => Ok(()),
            false => Err(Error::BadValue {
                what: "tick",
                expected: "among those that the world keeps",
                found,
            }),
        }
    }

    /// The world as it was for a row that was checked.
    pub(crate) fn of_row(&self, row: usize) -> Option<Snapshot> {
        self.past.at(self.ticks[row])
    }

    /// Where the rows end that query the same instant as the row at place `first` of `rows`.
    pub(crate) fn end_of_run(&self, rows: &[usize], first: usize) -> usize {
        let tick = |place: usize| self.ticks[rows[place]].to_bits();
        let mut end = first + 1;
        while end < rows.len() && tick(end) == tick(first) {
            end += 1;
        }
        end
    }
}

/// Why there is no answer about a tick.
pub(crate) fn not_kept(past: &Past, tick: f64) -> String {
    match past.ticks() {
        None => format!("tick {tick} is not kept: no tick is (`keep_history`, then `record`)"),
        Some(kept) => format!(
            "tick {tick} is not kept: {} to {} are",
            kept.start(),
            kept.end()
        ),
    }
}
