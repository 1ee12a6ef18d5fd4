//! The `table` reply: the outcome of a table.

use super::answer::Columns;
use super::ask::Tool;
use serde::{Serialize, Serializer};

/// A `table` to the page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableReply {
    /// The table that is answered.
    pub id: u32,
    /// The file's name.
    pub name: String,
    /// What answered.
    #[serde(serialize_with = "name_of")]
    pub tool: Tool,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// How many rows it has.
    pub rows: u64,
    /// How many of them cannot be used.
    pub invalid: u64,
    /// Whether it has the columns of answers, which are compared.
    pub compared: bool,
    /// How many rows differ.
    pub differing: u64,
    /// The first rows, those that differ before others.
    pub shown: Vec<TableRow>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableRow {
    /// Its number, from 0.
    pub row: u64,
    /// Its question.
    pub question: Columns,
    /// Its answer.
    pub answer: Columns,
    /// What the file has in the columns of the answer, as it is written there.
    #[serde(skip_serializing_if = "Columns::is_empty")]
    pub file: Columns,
    /// The texts of columns that are neither a question's nor an answer's, cut where they are long.
    #[serde(skip_serializing_if = "Columns::is_empty")]
    pub others: Columns,
    /// The columns in which the two differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<String>,
    /// Why it cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid: Option<String>,
}

fn name_of<S: Serializer>(tool: &Tool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(tool.name())
}
