//! Rows of the input as messages name them.

use super::Plan;
use crate::column_mapping::MappedColumn;
use crate::reasons::column_of;
use crate::source::Chunk;
use crate::{InvalidRow, Location};

impl Plan<'_> {
    /// A row that cannot be used, with the column that the reason is about.
    pub(crate) fn invalid_row(&self, chunk: &Chunk, row: usize, reason: &str) -> InvalidRow {
        InvalidRow {
            location: self.location(chunk, row),
            column: self.column_of(reason).map(str::to_owned),
            reason: reason.to_owned(),
            is_skipped: false,
        }
    }

    /// The column of the table that a reason is about, by its own name or by the one under which it was
    /// assigned.
    fn column_of(&self, reason: &str) -> Option<&str> {
        let name = |column: MappedColumn| Some(self.names[column.index()?].as_str());
        let mapped = self.mapping.columns.iter().enumerate();
        let mapped = mapped.filter_map(|(i, column)| Some((i, name((*column)?)?)));
        let assigned = |(i, name)| Some((self.mapping.assigned_name(i)?, name));
        column_of(reason, mapped.clone().map(|(_, name)| name)).or_else(|| {
            let mut assigned = mapped.filter_map(assigned);
            let known = column_of(reason, assigned.clone().map(|(by, _)| by))?;
            Some(assigned.find(|(by, _)| *by == known)?.1)
        })
    }

    /// How many columns the input has.
    pub(crate) fn column_count(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn location(&self, chunk: &Chunk, row: usize) -> Location {
        chunk.location(&self.file, row)
    }
}
