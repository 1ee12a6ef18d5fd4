//! Comma-separated values whose fields pass through byte for byte.
//!
//! CSV crates return fields without their quotes, so the original bytes cannot be restored; hence a
//! splitter of our own, in which a row stays one slice. The dialect is RFC 4180's as spreadsheets
//! and data frames write it: LF or CRLF, quotes doubled inside quotes, a quote inside an unquoted
//! field is a plain character, blank lines do not count.

mod split;
mod reader;
mod cell;

pub(crate) use cell::{Cells, write_row, write_text};
pub(crate) use reader::{CsvChunk, CsvHeader, CsvReader};
pub(crate) use split::{Fields, is_quoted, unquote};
