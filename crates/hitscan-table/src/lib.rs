//! Tables of questions in, tables of answers out: CSV, Parquet and Arrow IPC, streaming, in parallel
//! and in order.
//!
//! [`run()`] reads a table batch by batch, passes each batch's questions to an [`Answer`] and writes
//! the input's columns followed by the answer's; [`answer_row`] does so with one row alone, as values;
//! [`BatchAnswerer`] does so with columns in memory; [`TableWriter`] writes a table that has no input.
//! What a question means is up to the [`Answer`]: there is no geometry in this crate.
//!
//! # Formats
//! | ending | format | as input | as output |
//! |---|---|---|---|
//! | `.csv` | CSV: UTF-8 with or without byte order mark, a header, commas, LF or CRLF | a file, a pipe, a stream | the rows' own bytes and line endings |
//! | `.csv.gz` | CSV in gzip | as CSV; several members are one table | one member, level 6 |
//! | `.csv.zst` | CSV in zstd | as CSV; several frames are one table, windows up to 128 MiB | one frame with a checksum, level 3 |
//! | `.tsv` | CSV with tabs in place of commas | as CSV, and is converted to CSV: a field with a comma in it gets quotes | CSV, converted back |
//! | `.parquet` | Parquet: uncompressed, snappy, zstd, lz4 or gzip | a regular file | zstd, floats in BYTE_STREAM_SPLIT, row groups of 131,072 rows (64 MiB at most) |
//! | `.arrow` | Arrow IPC, the file and the stream format, with lz4 or zstd | a regular file | the file format, batches of 65,536 rows (64 MiB at most) |
//!
//! - Endings count in either case. Where an ending says nothing (`/dev/null`, a pipe of the shell)
//!   [`RunOptions::input_format`] and [`RunOptions::output_format`] say it (`--input-format` and
//!   `--format` of the program); without them it is an error. A stream is CSV without them, and so is
//!   a named pipe that is read.
//! - An input is read in the format that its caller names, whatever its ending. An output whose
//!   ending is of another format than its caller names is an error: no file bears a wrong name.
//! - Batches and row groups do not depend on those of the input. An output is the same bytes on any
//!   number of threads.
//! - An input that begins as another kind of file than expected (Parquet or gzip on standard input,
//!   CSV named `.parquet`) is [`Error::WrongFormat`], which says what it looks like and what to do.
//! - Compressed input that is cut off or damaged is [`Error::Damaged`], with the byte after which it
//!   happened and the row. Whatever bytes claim, memory is the decoder's window and the longest row,
//!   16 MiB.
//! - An output file appears when it is whole. A compressed stream that ends early, because of an
//!   error, lacks the format's end, so that no reader takes it for whole.
//!
//! # Rows of CSV with too few or too many fields
//! The first is an error, or with [`BadRows::Skip`] they are omitted from the output and counted
//! ([`Summary::skipped`]). All other rows keep the numbers that they have in the input, in messages
//! and in a [`ColumnKind::RowNumber`]; blank lines are no rows.
//!
//! # Several files, and some of the rows
//! [`Input::Files`] are one table: their rows are numbered through, and their columns must have the same
//! names and types. [`RunOptions::rows`] are those that are answered; of Parquet the others are not
//! decoded, and behind the last nothing is read.
//!
//! # Pass-through columns
//! - All columns of the input are in the output, in their order, in front of the answer's. One that
//!   has the name of a column of the answer is an error; [`RunOptions::prefix`] comes in front of all
//!   names of the answer, `row` among them, so that a table of answers can be one of questions again.
//! - CSV to CSV: the bytes of every field, quotes and spaces included, even if they are no UTF-8.
//!   Each row keeps its line ending, a byte order mark stays, blank lines are dropped.
//! - Parquet and Arrow to each other: columns keep type and metadata. One exception: a
//!   dictionary column becomes one of plain values when Arrow IPC is written from anything but an
//!   Arrow IPC file, as that format wants one dictionary for the whole file.
//! - CSV to Parquet or Arrow: a question's numbers become f32, its positions in a frame f64 and its
//!   masks u32, as they were understood (null where the field was empty); any other column becomes
//!   text, in which an empty unquoted field is null.
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
//!
//! # Positions far from the origin
//! An [`Answer`] with a [`Frame`] has tables in other coordinates than its world's, which are f32.
//! - A position (a column with a [`QuestionPosition`]) is read as f64, the frame's map is applied in
//!   f64, and the result is rounded to f32 once. An answer on an axis ([`AnswerColumn::on_axis`]) is
//!   mapped back in f64, and its column is f64 in every format.
//! - A column may bear its axis's alias in place of its own name: `easting` for `ox` or `x`,
//!   `min_easting` for `min_x`. On an axis that runs the other way `max_northing` is `min_z`. A table
//!   with both names of one column is an error. As soon as one position is named by an alias, the
//!   answer's positions are: `hit_easting hit_height hit_northing` in place of `x y z`.
//! - An axis whose map changes no value is read and answered as without a frame. A table that lacks a
//!   column and has it in coordinates that the frame does not have (`lon` in a projected world) is
//!   refused with the frame's advice ([`ForeignAxis`]).
//! - A typed column of 32-bit floats has lost its millimetres far from 0 before it comes here:
//!   [`Summary::coarse_columns`] names it.
//! - Directions, lengths and normals have no frame: they are metres, x to the right, y up.
//!
//! Without a frame nothing of this applies: positions are numbers like others.
//!
//! # Columns of other names
//! [`RunOptions::assignments`] say for columns of the question which column of the table holds their
//! values, under whatever name, or which number all rows have. An assigned column is not looked for by
//! its own names: a column that bears one is carried through as any other.
//!
//! # Metres above the ground
//! A column may have a second name under which it holds metres above the ground
//! ([`QuestionColumn::or_above`]): `oy_above` in place of `oy`. A table has one of the two.

// Modules are listed in reading order: each uses only those before it.
mod location;
mod reasons;
mod error;
mod catch_panic;
mod compression;
mod endpoints;
mod signature;
mod left_over;
mod staged_file;
mod frame;
mod number;
mod mask;
mod assignment;
mod run_options;
mod column;
mod questions;
mod output_column;
mod number_builder;
mod row_writer;
mod rows_writer;
mod answers;
mod answer;
mod no_answer;
mod value_text;
mod csv;
mod tsv;
mod columnar;
mod column_mapping;
mod similar;
mod collector;
mod fields;
mod pipeline;
mod source;
mod schema;
mod pass_through;
mod output_writer;
mod bad_rows;
mod run;
mod check;
mod parts;
mod batches;
mod single_row;
mod answered_table;
mod read;
mod table_writer;
mod value_table;

pub use answer::Answer;
pub use answered_table::{FileFields, OtherFields, answer_rows, column_names};
pub use answers::AnswerBuilder;
pub use assignment::{AssignedValue, Assignment};
pub use batches::BatchAnswerer;
pub use check::{check_input, check_output, check_run};
pub use column::{
    AnswerColumn, Bound, ColumnKind, Infinity, QuestionColumn, QuestionKind, QuestionPosition,
};
pub use columnar::{ParquetFooter, f64_values, read_parquet_footer};
pub use endpoints::{Format, Input, Output, RowGroups, RowRange};
pub use error::Error;
pub use frame::{Axis, AxisAlias, AxisMap, ForeignAxis, Frame};
pub use location::{InvalidRow, Location, SimilarColumn};
pub use no_answer::NoAnswer;
pub use number::write_f32;
pub use parts::{Part, count_rows, run_parts};
pub use questions::{Names, Questions};
pub use read::{Batch, read};
pub use reasons::ReasonCounts;
pub use row_writer::RowWriter;
pub use rows_writer::RowsWriter;
pub use run::run;
pub use run_options::{BadRows, InvalidRows, Progress, RowRemark, RunOptions, Summary, Times};
pub use single_row::{AnsweredRow, Value, answer_fields, answer_row};
pub use staged_file::StagedFile;
pub use table_writer::{TableOptions, TableWriter};
pub use value_table::ValueTable;

/// The example of the README is compiled and run with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
