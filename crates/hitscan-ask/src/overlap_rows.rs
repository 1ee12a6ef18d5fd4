//! Sinks of the rows of overlaps: a table, or memory, the first of them as values.

use crate::Error;
use hitscan_table::{RowWriter, TableWriter, Value, ValueTable};

/// The first rows of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FirstRows {
    /// The columns of each row and their values; `None` is an empty field.
    pub rows: Vec<Vec<(String, Option<Value>)>>,
    /// How many rows there are.
    pub count: u64,
}

/// Where rows go.
pub(crate) trait RowSink {
    /// The next row; `None` where it is only counted.
    fn row(&mut self) -> Result<Option<RowWriter<'_>>, hitscan_table::Error>;
}

impl RowSink for TableWriter {
    fn row(&mut self) -> Result<Option<RowWriter<'_>>, hitscan_table::Error> {
        TableWriter::row(self).map(Some)
    }
}

/// Values, and how many rows of them are still to be kept.
pub(crate) struct First {
    pub(crate) table: ValueTable,
    pub(crate) left: usize,
}

impl RowSink for First {
    fn row(&mut self) -> Result<Option<RowWriter<'_>>, hitscan_table::Error> {
        let left = self.left.checked_sub(1);
        self.left = left.unwrap_or(0);
        Ok(left.map(|_| self.table.row()))
    }
}

/// Where rows go, and how many there may still be.
pub(crate) struct Rows<'a> {
    pub(crate) sink: &'a mut dyn RowSink,
    pub(crate) left: u64,
}

impl Rows<'_> {
    /// The next row; there is room for one.
    pub(crate) fn row(&mut self) -> Result<Option<RowWriter<'_>>, Error> {
        self.left -= 1;
        Ok(self.sink.row()?)
    }
}
