//! The memory that the rows of a Parquet file take once they are unpacked, and so how many come at once.
//!
//! A text that a dictionary has once may be there in a million rows: a file of some kilobytes is then a
//! batch of gigabytes. So of a file from elsewhere, which is in memory, the sizes that its pages state are
//! looked at before the first is unpacked. What a page states is checked by its decoder.

use bytes::Bytes;
use parquet::basic::Type;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use super::page_sizes::PageSizes;
use crate::Error;

/// Bytes of the pages that are unpacked at one time, of all columns together.
const PAGES_BYTES: u64 = 96 << 20;
/// Bytes of the values of a batch.
const BATCH_BYTES: u64 = 32 << 20;
/// Bytes of what a value has beside its own: offset, validity, levels, a wider type.
const BESIDE: u64 = 32;

/// A column, and the maximum sizes of its chunks.
struct Column {
    name: String,
    sizes: PageSizes,
    /// Bytes of each value where all have the same.
    width: Option<u64>,
    /// Whether a row may have many values.
    is_nested: bool,
}

/// How many rows may be unpacked at once, at most `most`, so that the pages and the batch are bounded.
///
/// # Errors
/// [`Error::TooLarge`] with the column that takes the most, where one row is too much.
pub(super) fn rows_at_once(
    file: &str,
    bytes: &Bytes,
    metadata: &ParquetMetaData,
    most: usize,
) -> Result<usize, Error> {
    let columns = columns(bytes, metadata).map_err(|(column, reason)| Error::Damaged {
        file: file.to_owned(),
        format: "Parquet",
        at: format!("in the column `{column}`"),
        reason,
    })?;
    let too_large = |of: &dyn Fn(&Column) -> u64, what, limit| {
        let largest = columns.iter().max_by_key(|column| of(column));
        let (column, found) =
            largest.map_or_else(Default::default, |column| (column.name.clone(), of(column)));
        Error::TooLarge {
            file: file.to_owned(),
            column,
            what,
            found,
            limit,
        }
    };
    let all = |of: &dyn Fn(&Column) -> u64| {
        let bytes = columns.iter().map(of);
        bytes.fold(0, u64::saturating_add)
    };
    if all(&Column::pages) > PAGES_BYTES {
        return Err(too_large(&Column::pages, "the pages", PAGES_BYTES));
    }
    let mut rows = most;
    while all(&|column| column.batch(rows)) > BATCH_BYTES {
        if rows <= 1 {
            let of_row = |column: &Column| column.batch(1);
            return Err(too_large(&of_row, "a row", BATCH_BYTES));
        }
        rows /= 2;
    }
    Ok(rows)
}

/// The leaf columns; the error names one whose pages cannot be read.
fn columns(bytes: &Bytes, metadata: &ParquetMetaData) -> Result<Vec<Column>, (String, String)> {
    let mut columns: Vec<Column> = Vec::new();
    for group in metadata.row_groups() {
        for (place, chunk) in group.columns().iter().enumerate() {
            let name = chunk.column_path().string();
            let sizes = chunk_bytes(bytes, chunk);
            let sizes = sizes.and_then(|bytes| PageSizes::of(bytes, chunk.compression()));
            let sizes = sizes.map_err(|reason| (name.clone(), reason))?;
            match columns.get_mut(place) {
                Some(column) => column.sizes = column.sizes.or_greater(sizes),
                None => columns.push(Column {
                    name,
                    sizes,
                    width: width(chunk),
                    is_nested: chunk.column_descr().max_rep_level() > 0,
                }),
            }
        }
    }
    Ok(columns)
}

/// The bytes of a column chunk.
fn chunk_bytes<'b>(bytes: &'b Bytes, chunk: &ColumnChunkMetaData) -> Result<&'b [u8], String> {
    let start = chunk.dictionary_page_offset();
    let start = start.unwrap_or(chunk.data_page_offset());
    let start = usize::try_from(start).ok();
    let length = usize::try_from(chunk.compressed_size()).ok();
    let range = start.zip(length).and_then(|(start, length)| {
        let end = start.checked_add(length)?;
        bytes.get(start..end)
    });
    range.ok_or_else(|| "it reaches beyond the file".to_owned())
}

/// The bytes of a value, where all have the same.
fn width(chunk: &ColumnChunkMetaData) -> Option<u64> {
    match chunk.column_type() {
        Type::BYTE_ARRAY => None,
        Type::FIXED_LEN_BYTE_ARRAY => {
            Some(u64::try_from(chunk.column_descr().type_length()).unwrap_or(u64::MAX))
        }
        // No other is wider.
        _ => Some(16),
    }
}

impl Column {
    /// Bytes of the pages that are unpacked at one time; the dictionary is there twice.
    fn pages(&self) -> u64 {
        let dictionary = self.sizes.dictionary.saturating_mul(2);
        self.sizes.page.saturating_add(dictionary)
    }

    /// The most bytes of the values of so many rows.
    fn batch(&self, rows: usize) -> u64 {
        let PageSizes {
            page,
            plain,
            values,
            repeated,
            ..
        } = self.sizes;
        let (count, plain) = match self.is_nested {
            true => (values, plain),
            false => {
                let rows = rows as u64;
                (rows, plain.min(page.saturating_mul(rows)))
            }
        };
        let own = match self.width {
            Some(width) => count.saturating_mul(width),
            None => count.saturating_mul(repeated).saturating_add(plain),
        };
        own.saturating_add(count.saturating_mul(BESIDE))
    }
}
