//! A row or a column of a table, for messages: where it is, and what is wrong with it.

use std::fmt;

/// The location of a row in a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The table, as messages call it.
    pub file: String,
    /// The line in which the row begins, counted from 1; CSV only.
    pub line: Option<u64>,
    /// The row, counted from 0 without the header: the number that a column `row` would have.
    pub row: u64,
    /// The row in `file`, counted likewise, where the table is several files.
    pub file_row: Option<u64>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, row, .. } = self;
        match (self.line, self.file_row) {
            (Some(line), None) => write!(f, "{file}, line {line} (row {row})"),
            (None, None) => write!(f, "{file}, row {row}"),
            (Some(line), Some(_)) => write!(f, "{file}, line {line} (row {row} of all files)"),
            (None, Some(own)) => write!(f, "{file}, row {own} (row {row} of all files)"),
        }
    }
}

/// A row that was answered `invalid`, or skipped, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidRow {
    /// The row.
    pub location: Location,
    /// The column that is wrong, as the table calls it; `None` where several are, or the row as a whole.
    pub column: Option<String>,
    /// What is wrong with it, a clause such as ``the column `dx` is empty``.
    pub reason: String,
    /// Whether the row has a wrong number of fields and is skipped, without an answer.
    pub is_skipped: bool,
}

impl fmt::Display for InvalidRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.reason)
    }
}

/// A column that is not read, and bears nearly the name of one that would be.
///
/// ```
/// use hitscan_table::SimilarColumn;
/// let column = SimilarColumn {
///     file: "rays.csv".to_owned(),
///     column: "tmax".to_owned(),
///     known: "t_max".to_owned(),
/// };
/// assert_eq!(
///     column.to_string(),
///     "rays.csv: the column `tmax` is not read; did you mean `t_max`?"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimilarColumn {
    /// The table.
    pub file: String,
    /// The column's name.
    pub column: String,
    /// The name of the column that would be read.
    pub known: String,
}

impl fmt::Display for SimilarColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            column,
            known,
        } = self;
        write!(
            f,
            "{file}: the column `{column}` is not read; did you mean `{known}`?"
        )
    }
}
