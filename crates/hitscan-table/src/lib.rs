//! Tables of questions in, tables of answers out: CSV, Parquet and Arrow IPC, streaming, in parallel
//! and in order.
//!
//! [`run()`] reads a table batch by batch, passes each batch's questions to an [`Answer`] and writes
//! the input's columns followed by the answer's; [`TableWriter`] writes a table that has no input.
//! What a question means is up to the [`Answer`]: there is no geometry in this crate.
//!
//! # Pass-through columns
//! - All columns of the input are in the output, in their order, in front of the answer's.
//! - CSV to CSV: the bytes of every field, quotes and spaces included, even if they are no UTF-8.
//!   Each row keeps its line ending, a byte order mark stays, blank lines are dropped.
//! - Parquet and Arrow to each other: columns keep type and metadata. One exception: a
//!   dictionary column becomes one of plain values when Arrow IPC is written from anything but an
//!   Arrow IPC file, as that format wants one dictionary for the whole file.
//! - CSV to Parquet or Arrow: a question's numbers become f32 and its masks u32, as they were
//!   understood (null where the field was empty); any other column becomes text, in which an empty unquoted
//!   field is null.
//! - Parquet or Arrow to CSV: null is empty, an empty text is `""`, floats are the shortest text
//!   that reads back as the same number, dates and times are ISO 8601.
//!
//! # How a number is read
//! As the f32 nearest to the decimal text (or to the column's value), rounded once. Spaces and tabs
//! around it do not matter. Empty or null is the column's default, if it has one. A row that has
//! no number where one is needed is answered `invalid`.
//!
//! A mask of 32 bits is a whole number from 0 to 4294967295 and never
//! rounded: decimal, `0x` hexadecimal or `0b` binary text, integers of any width, and floats and
//! decimals that are whole. A name is text; null, or empty text, is no name.

// Modules are listed in reading order: each uses only those before it.
mod location;
mod error;
mod catch_panic;
mod compression;
mod endpoints;
mod signature;
mod staged_file;
mod number;
mod mask;
mod frame;
mod column;
mod questions;
mod output_column;
mod answers;
mod answer;
mod csv;
mod columnar;
mod column_mapping;
mod collector;
mod fields;
mod pipeline;
mod source;
mod schema;
mod run_options;
mod pass_through;
mod output_writer;
mod run;
mod table_writer;

pub use answer::Answer;
pub use answers::{AnswerBuilder, RowWriter};
pub use column::{
    AnswerColumn, Bound, ColumnKind, Infinity, QuestionColumn, QuestionKind, QuestionPosition,
};
pub use endpoints::{Format, Input, Output};
pub use error::Error;
pub use frame::{Axis, AxisAlias, AxisMap, ForeignAxis, Frame};
pub use location::{InvalidRow, Location};
pub use number::write_f32;
pub use questions::{Names, Questions};
pub use run::run;
pub use run_options::{BadRows, InvalidRows, Progress, RunOptions, Summary};
pub use staged_file::StagedFile;
pub use table_writer::{TableOptions, TableWriter};

/// The example of the README is compiled and run with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
