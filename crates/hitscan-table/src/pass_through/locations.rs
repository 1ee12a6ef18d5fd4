//! Rows of the input as messages name them.

use super::Plan;
use crate::reasons::column_of;
use crate::source::{Chunk, Rows};
use crate::{InvalidRow, Location};

impl Plan<'_> {
    /// A row that cannot be used, with the column that the reason is about.
    pub(crate) fn invalid_row(&self, chunk: &Chunk, row: usize, reason: &str) -> InvalidRow {
        let mapped = self.mapping.columns.iter().flatten();
        let names = mapped.map(|column| self.names[column.index].as_str());
        InvalidRow {
            location: self.location(chunk, row),
            column: column_of(reason, names).map(str::to_owned),
            reason: reason.to_owned(),
        }
    }

    /// How many columns the input has.
    pub(crate) fn column_count(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn location(&self, chunk: &Chunk, row: usize) -> Location {
        match &chunk.rows {
            Rows::Csv(rows) => rows.location(&self.file, row),
            Rows::Columnar(_) => Location {
                file: self.file.clone(),
                line: None,
                row: chunk.first_row + row as u64,
            },
        }
    }
}
