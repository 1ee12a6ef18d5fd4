//! Some rows of an input, in the form in which its format has them.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::Location;
use crate::csv::{CsvChunk, CsvHeader};

/// The names and types of an input's columns.
#[derive(Debug, Clone)]
pub(crate) enum InputSchema {
    Csv(CsvHeader),
    /// `one_dictionary`: whether a dictionary column has the same dictionary in all batches.
    Columnar {
        schema: SchemaRef,
        one_dictionary: bool,
    },
}

impl InputSchema {
    /// The columns' names; where one is not UTF-8, with replacement characters.
    pub(crate) fn names(&self) -> Vec<String> {
        match self {
            Self::Csv(header) => header
                .names
                .iter()
                .map(|name| String::from_utf8_lossy(name).into_owned())
                .collect(),
            Self::Columnar { schema, .. } => schema
                .fields()
                .iter()
                .map(|field| field.name().clone())
                .collect(),
        }
    }
}

/// Some rows of the input.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// The number of the first row.
    pub(crate) first_row: u64,
    pub(crate) rows: Rows,
    /// The fraction of the input up to the chunk's end, between 0 and 1, where that is known.
    pub(crate) fraction: Option<f64>,
    /// The file that the rows are of, where the input is several.
    pub(crate) file: Option<ChunkFile>,
}

/// One of several files that are one input.
#[derive(Debug, Clone)]
pub(crate) struct ChunkFile {
    pub(crate) name: Arc<str>,
    /// The number of the file's first row in the input.
    pub(crate) first_row: u64,
}

/// The rows of a chunk in their own format.
#[derive(Debug)]
pub(crate) enum Rows {
    Csv(CsvChunk),
    Columnar(RecordBatch),
}

impl Chunk {
    pub(crate) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// The location of a row, counted from the chunk's first. `input` is what messages call the input.
    pub(crate) fn location(&self, input: &str, row: usize) -> Location {
        let number = self.first_row + row as u64;
        Location {
            file: match &self.file {
                Some(file) => file.name.to_string(),
                None => input.to_owned(),
            },
            line: match &self.rows {
                Rows::Csv(chunk) => Some(chunk.line(row)),
                Rows::Columnar(_) => None,
            },
            row: number,
            file_row: self.file.as_ref().map(|file| number - file.first_row),
        }
    }
}

impl Rows {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Csv(chunk) => chunk.len(),
            Self::Columnar(batch) => batch.num_rows(),
        }
    }

    /// Leaves the first `count` rows, which are fewer than there are, and returns the others.
    pub(crate) fn split_off(&mut self, count: usize) -> Self {
        match self {
            Self::Csv(chunk) => Self::Csv(chunk.split_off(count)),
            Self::Columnar(batch) => {
                let others = batch.slice(count, batch.num_rows() - count);
                *batch = batch.slice(0, count);
                Self::Columnar(others)
            }
        }
    }
}
