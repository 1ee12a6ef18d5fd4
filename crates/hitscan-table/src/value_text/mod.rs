//! The text of a value of any type that a typed column can have.
//!
//! It is that of Arrow's crate `arrow-cast`, byte for byte, which the tests compare; that crate
//! converts every type to every other as well, and is long to build. A column's type is looked up
//! once, and its values are written by the function that was found.

use std::fmt::{self, Write as _};

use arrow_array::Array;
use arrow_schema::{ArrowError, DataType};

mod scalars;
mod times;
mod intervals;
mod nested;
#[cfg(test)]
mod tests;

/// The values of a column as text.
pub(crate) struct ValueText<'a> {
    array: &'a dyn Array,
    write: WriteRow<'a>,
}

/// Appends the text of a row that is not null; an error where there is none, as for a date out of
/// the calendar's range.
type WriteRow<'a> = Box<dyn Fn(usize, &mut String) -> fmt::Result + 'a>;

impl<'a> ValueText<'a> {
    /// Looks up how the column's values are written. A time zone that is no offset is an error.
    pub(crate) fn new(array: &'a dyn Array) -> Result<Self, ArrowError> {
        let write = match array.data_type() {
            DataType::Interval(unit) => intervals::writer(array, *unit),
            time if time.is_temporal() => times::writer(array)?,
            DataType::Dictionary(..) | DataType::RunEndEncoded(..) => nested::writer(array)?,
            nested if nested.is_nested() => nested::writer(array)?,
            _ => scalars::writer(array)?,
        };
        Ok(Self { array, write })
    }

    /// Appends the text of a row; nothing for null.
    pub(crate) fn write(&self, row: usize, text: &mut String) -> fmt::Result {
        match self.array.is_null(row) {
            true => Ok(()),
            false => (self.write)(row, text),
        }
    }

    /// The text of a row; `None` for null and for a value that has none.
    pub(crate) fn text(&self, row: usize) -> Option<String> {
        let mut text = String::new();
        let is_written = !self.array.is_null(row) && self.write(row, &mut text).is_ok();
        is_written.then_some(text)
    }
}

/// The text of one value of a column; empty for null and for a value that has none.
pub(crate) fn text_of(array: &dyn Array, row: usize) -> String {
    let text = ValueText::new(array).map(|values| values.text(row));
    text.ok().flatten().unwrap_or_default()
}

/// The error of a type that Arrow does not define, such as a time of day in 32 bits of nanoseconds.
fn no_such_type(data_type: &DataType) -> ArrowError {
    ArrowError::InvalidArgumentError(format!("there is no type {data_type}"))
}

fn display(value: impl fmt::Display, text: &mut String) -> fmt::Result {
    write!(text, "{value}")
}
