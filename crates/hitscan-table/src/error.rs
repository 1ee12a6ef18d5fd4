//! Errors of reading, answering and writing tables.
//!
//! Every variant names the file and, where there is one, the row. A row that is no valid question is
//! no error: see [`InvalidRow`].

use std::error::Error as StdError;
use std::io;

use crate::{InvalidRow, Location, ReasonCounts, SimilarColumn};

/// Why a table could not be read, answered or written.
///
/// A message does not repeat its source: whoever prints an error prints the chain.
///
/// ```
/// use hitscan_table::{Error, Format};
/// let error = Format::of_path("rays.xlsx".as_ref()).unwrap_err();
/// assert!(matches!(error, Error::UnknownFormat { .. }));
/// assert!(error.to_string().contains("rays.xlsx"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file's ending names no format.
    #[error(
        "{file}: a table's ending names its format; expected .csv, .csv.gz, .csv.zst, .tsv, .parquet \
         or .arrow, or the format as an option (`--format` of answers, `--input-format` of questions)"
    )]
    UnknownFormat {
        /// The table.
        file: String,
    },
    /// The output's ending names another format than the caller wants.
    #[error("{file}: the ending says {ending}, `--format` says {wanted}; make them agree")]
    FormatsDisagree {
        /// The table.
        file: String,
        /// The format that the ending names.
        ending: &'static str,
        /// The format that the caller wants.
        wanted: &'static str,
    },
    /// A format that is read from its end came as a stream.
    #[error(
        "{file}: Parquet and Arrow IPC are read from a regular file, as their index is at the end; \
         save it first, and name that file"
    )]
    NeedsFile {
        /// The table.
        file: String,
    },
    /// The input is a file of another kind than its name or the caller says.
    #[error("{file}: expected {expected}, and it looks like {found}; {advice}")]
    WrongFormat {
        /// The table.
        file: String,
        /// The format that was expected.
        expected: &'static str,
        /// What the bytes look like.
        found: &'static str,
        /// What to do.
        advice: String,
    },
    /// The input could not be opened or read.
    #[error("{file}: cannot be read")]
    Read {
        /// The table.
        file: String,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// The output could not be created or written.
    #[error("{file}: cannot be written")]
    Write {
        /// The table.
        file: String,
        /// The error of the system or of the format's writer.
        #[source]
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The reader of the output stream has closed it.
    #[error("the output was closed")]
    OutputClosed,
    /// The caller's flag stopped the run.
    #[error("stopped")]
    Cancelled,
    /// A CSV table without its first line.
    #[error("{file}: expected a header line with the columns' names, found nothing")]
    NoHeader {
        /// The table.
        file: String,
    },
    /// A CSV table in an encoding that is not based on ASCII.
    #[error("{file}: the text is UTF-16; expected UTF-8")]
    Utf16 {
        /// The table.
        file: String,
    },
    /// A column that the question needs is not there.
    #[error("{file}: the column `{column}` is missing; {hint}")]
    MissingColumn {
        /// The table.
        file: String,
        /// The column's name.
        column: &'static str,
        /// A similar name that was found, or else the names that are there.
        hint: String,
    },
    /// The table has not the right columns together: see
    /// [`Answer::check_columns`](crate::Answer::check_columns).
    #[error("{file}: {reason}")]
    WrongColumns {
        /// The table.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// Two columns have the name of a column of the question.
    #[error("{file}: the column `{column}` appears twice (columns {first} and {second})")]
    DuplicateColumn {
        /// The table.
        file: String,
        /// The column's name.
        column: String,
        /// The position of the first, counted from 1.
        first: usize,
        /// The position of the second, counted from 1.
        second: usize,
    },
    /// Two columns hold the same part of the question in two ways.
    #[error(
        "{file}: the columns `{column}` and `{other}` are two ways to say the same; rename one"
    )]
    AmbiguousColumn {
        /// The table.
        file: String,
        /// The name of one.
        column: String,
        /// The name of the other.
        other: String,
    },
    /// A column is assigned that the question does not have: see
    /// [`RunOptions::assignments`](crate::RunOptions::assignments).
    #[error("{file}: `{assignment}`: the question has no column `{column}`; {hint}")]
    NoSuchQuestion {
        /// The table.
        file: String,
        /// The assignment.
        assignment: String,
        /// The column that it assigns.
        column: String,
        /// A similar name, or all names.
        hint: String,
    },
    /// A column is assigned under two of its names.
    #[error("{file}: `{other}` and `{column}` are two names of one column; assign one of them")]
    AssignedTwice {
        /// The table.
        file: String,
        /// The second name.
        column: String,
        /// The first name.
        other: String,
    },
    /// A column is assigned to one that the table does not have.
    #[error("{file}: `{assignment}`: there is no column `{column}`, and it is no number; {hint}")]
    NoSuchColumn {
        /// The table.
        file: String,
        /// The assignment.
        assignment: String,
        /// The column that is not there.
        column: String,
        /// A similar name, or the names that are there.
        hint: String,
    },
    /// A column is assigned to a number that it cannot hold.
    #[error("{file}: `{assignment}`: expected {expected}")]
    BadConstant {
        /// The table.
        file: String,
        /// The assignment.
        assignment: String,
        /// What the column must hold.
        expected: &'static str,
    },
    /// An input column has the name of a column of the answer.
    #[error(
        "{file}: the column `{column}` has the name of a column of the answer; rename it, or put a \
         prefix in front of the answer's names (`--prefix`)"
    )]
    AnswerNameTaken {
        /// The table.
        file: String,
        /// The column's name.
        column: String,
    },
    /// A column of the question has a type that cannot hold what the question needs.
    #[error("{file}: the column `{column}` has the type {found}; expected {expected}")]
    ColumnType {
        /// The table.
        file: String,
        /// The column's name.
        column: String,
        /// The type found.
        found: String,
        /// What the column must hold.
        expected: &'static str,
    },
    /// The table does not have the requested row.
    #[error("{file}: there is no row {row}: rows are counted from 0, and the table has {rows}")]
    NoSuchRow {
        /// The table.
        file: String,
        /// The row.
        row: u64,
        /// How many rows there are.
        rows: u64,
    },
    /// The table does not have the requested row groups.
    #[error(
        "{file}: there are no row groups {first} to {last}: they are counted from 0, and the table \
         has {found}"
    )]
    NoSuchRowGroups {
        /// The table.
        file: String,
        /// The first requested one.
        first: usize,
        /// The last requested one.
        last: usize,
        /// How many there are.
        found: usize,
    },
    /// Row groups are requested of a table that is not Parquet.
    #[error("{file}: only Parquet has row groups; this table is answered as a whole")]
    NoRowGroups {
        /// The table.
        file: String,
    },
    /// A column is to be written that the answer does not have.
    #[error("the answer has no column `{column}`; it has {columns}")]
    NoSuchAnswer {
        /// The column's name.
        column: String,
        /// The names of the answer's columns.
        columns: String,
    },
    /// An input of several files has none.
    #[error("there is no file to read")]
    NoFiles,
    /// One of several files is none that can be opened twice.
    #[error("{file}: of tables that are read as one, each must be a regular file")]
    NeedsRegular {
        /// The table.
        file: String,
    },
    /// Files that are to be one table have other columns.
    #[error(
        "{file}: its columns are not those of {first}, with which it is to be one table: {reason}"
    )]
    FilesDiffer {
        /// The table that differs.
        file: String,
        /// The first of the tables.
        first: String,
        /// What differs first.
        reason: String,
    },
    /// A row has more or fewer fields than the header.
    #[error("{location}: expected {expected} fields as in the header, found {found}")]
    FieldCount {
        /// The row.
        location: Location,
        /// How many fields it has.
        found: usize,
        /// How many the header has.
        expected: usize,
    },
    /// The file ends inside a quoted field.
    #[error("{location}: a quoted field begins in this row and never ends")]
    UnclosedQuote {
        /// The row.
        location: Location,
    },
    /// A row is so long that it would not fit into bounded memory.
    #[error("{location}: the row is longer than {limit} bytes; is a quote left open?")]
    RowTooLong {
        /// The row.
        location: Location,
        /// The longest row that is read.
        limit: usize,
    },
    /// A field that must become text of a typed column is not UTF-8.
    #[error(
        "{location}: the column `{column}` is not UTF-8, which Parquet and Arrow need; CSV output \
         passes it through"
    )]
    NotUtf8 {
        /// The row.
        location: Location,
        /// The column's name.
        column: String,
    },
    /// The header cannot name typed columns because it is not UTF-8.
    #[error("{file}: the name of column {column} is not UTF-8, which Parquet and Arrow need")]
    HeaderNotUtf8 {
        /// The table.
        file: String,
        /// The column's position, counted from 1.
        column: usize,
    },
    /// A Parquet, Arrow, gzip or zstd file whose bytes contradict its format.
    #[error("{file}: not a usable {format} file ({at}): {reason}")]
    Damaged {
        /// The table.
        file: String,
        /// The format that its bytes do not keep.
        format: &'static str,
        /// The location: the footer, the message or block, or the row after which it happened.
        at: String,
        /// What is wrong, in the words of the format's reader.
        reason: String,
    },
    /// A Parquet file that is compressed with a codec that is not built in.
    #[error(
        "{file}: the column `{column}` is compressed with {codec}, which is not built in; expected \
         snappy, zstd, lz4, gzip or none"
    )]
    UnsupportedCodec {
        /// The table.
        file: String,
        /// The column's name.
        column: String,
        /// The codec's name.
        codec: &'static str,
    },
    /// A table from elsewhere would take too much memory.
    #[error(
        "{file}: {what} of the column `{column}` may take {} of memory once unpacked; of all columns together \
         at most {} may be. Leave the column out, or write the file with shorter texts or smaller pages",
        megabytes(*found),
        megabytes(*limit)
    )]
    TooLarge {
        /// The table.
        file: String,
        /// The column that takes the most.
        column: String,
        /// What of it: `the pages`, or `a row`.
        what: &'static str,
        /// Bytes of it.
        found: u64,
        /// Bytes of all columns together.
        limit: u64,
    },
    /// A value that passes through has no text, for example a time stamp beyond the calendar.
    #[error("{location}: the column `{column}` cannot be written as text: {reason}")]
    NoText {
        /// The row.
        location: Location,
        /// The column's name.
        column: String,
        /// What is wrong with the value.
        reason: String,
    },
    /// A column that is not read, and bears nearly the name of one that would be, where the caller
    /// refuses rows that cannot be used.
    #[error("{0}")]
    SimilarColumn(SimilarColumn),
    /// A row that cannot be answered, where the caller refuses such rows.
    #[error("{0}")]
    InvalidRow(InvalidRow),
    /// Several rows that cannot be answered, where the caller refuses such rows.
    #[error("{first}; {count} of the {rows} rows that were read are invalid ({reasons})")]
    InvalidRows {
        /// The first.
        first: Box<InvalidRow>,
        /// How many there are among those that were looked at.
        count: u64,
        /// How many rows were looked at: up to the end of the batch with the first, or all.
        rows: u64,
        /// How many have which reason.
        reasons: Box<ReasonCounts>,
    },
}

/// Bytes for people.
fn megabytes(bytes: u64) -> String {
    match bytes {
        0..10_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
