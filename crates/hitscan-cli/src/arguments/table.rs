//! Arguments of tables: their formats, output, and treatment of invalid rows.

use clap::{Args, ValueEnum};
use hitscan_table::{Assignment, Format, RowRange};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Where answers go, and how tables are read and written.
#[derive(Debug, Default, Args)]
pub(crate) struct OutputArguments {
    /// The table of answers; `-`, or nothing, is standard output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) writing: WritingArguments,
    #[command(flatten)]
    pub(crate) rows: RowArguments,
}

/// How the table of questions is read, and what becomes of its rows.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct RowArguments {
    /// The format of the table of questions, where its ending names none, or a wrong one; `-` is
    /// read as csv, csv.gz, csv.zst or tsv, and so is a pipe.
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) input_format: Option<FormatArgument>,
    /// Answer the rows from A, which is included, to B, which is not, counted from 0: 100..200, 100.. or
    /// ..200. They keep their numbers.
    #[arg(long, value_name = "A..B", value_parser = parse_rows)]
    pub(crate) rows: Option<RowRange>,
    /// Columns of the question that are others of the table, or a number in every row:
    /// ox=muzzle_x,dy=-1. All columns are carried through as they are.
    #[arg(long, value_name = "NAME=COLUMN,...", value_parser = parse_columns)]
    pub(crate) columns: Option<ColumnList>,
    /// What becomes of a CSV row with too few or too many fields: `skip` leaves it out, and counts
    /// them on standard error.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    pub(crate) on_bad_row: OnBadRow,
    /// Put P in front of the names of all columns of the answer, so that they can be carried through
    /// a second command.
    #[arg(long, value_name = "P", default_value = "", hide_default_value = true)]
    pub(crate) prefix: String,
    /// Treat a row that cannot be used as an error, and so a column whose name is nearly a known one.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Write a table of all rows that cannot be used, or are left out: their `row` from 0, `line` (CSV),
    /// `column` and `reason`. With --strict it is whole too.
    #[arg(long, value_name = "FILE")]
    pub(crate) bad_rows: Option<PathBuf>,
}

/// The columns of a question that take their values from elsewhere.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ColumnList(Vec<Assignment>);

impl ColumnList {
    /// Those of an option that may be absent.
    pub(crate) fn of(option: &Option<Self>) -> &[Assignment] {
        option.as_ref().map_or(&[], |list| &list.0)
    }
}

pub(super) fn parse_columns(text: &str) -> Result<ColumnList, String> {
    Assignment::parse_list(text).map(ColumnList)
}

fn parse_rows(text: &str) -> Result<RowRange, String> {
    let wrong = || {
        format!(
            "{text:?} is no range of rows: write the first, two points, and the one behind the last, \
             counted from 0: 100..200, 100.. or ..200"
        )
    };
    let (start, end) = text.split_once("..").ok_or_else(wrong)?;
    let row = |text: &str, absent| match text.trim() {
        "" => Ok(absent),
        digits => digits.parse().map_err(|_| wrong()),
    };
    let RowRange {
        start: all,
        end: last,
    } = RowRange::ALL;
    let range = RowRange {
        start: row(start, all)?,
        end: row(end, last)?,
    };
    match range.start < range.end {
        true => Ok(range),
        false => Err(format!(
            "{text:?} has no row: the second number is not in the range"
        )),
    }
}

/// How answers are made and written.
#[derive(Debug, Default, Args)]
pub(crate) struct WritingArguments {
    /// The format of the answers, where the ending of OUT names none (/dev/null, a pipe) or there is
    /// no OUT.
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) format: Option<FormatArgument>,
    /// How many threads work; the answers are the same [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub(crate) threads: Option<NonZeroUsize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArgument {
    Csv,
    #[value(name = "csv.gz")]
    CsvGzip,
    #[value(name = "csv.zst")]
    CsvZstd,
    Tsv,
    Parquet,
    Arrow,
}

impl From<FormatArgument> for Format {
    fn from(format: FormatArgument) -> Self {
        match format {
            FormatArgument::Csv => Self::Csv,
            FormatArgument::CsvGzip => Self::CsvGzip,
            FormatArgument::CsvZstd => Self::CsvZstd,
            FormatArgument::Tsv => Self::Tsv,
            FormatArgument::Parquet => Self::Parquet,
            FormatArgument::Arrow => Self::Arrow,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum OnBadRow {
    /// It ends the command, with exit code 2.
    #[default]
    Error,
    /// It is left out and counted.
    Skip,
}

pub(super) fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    /// More would only cost memory, and some systems refuse them.
    const MOST: usize = 1024;
    let threads = text.parse().ok();
    let threads = threads.filter(|threads: &NonZeroUsize| threads.get() <= MOST);
    threads.ok_or_else(|| format!("expected a whole number of threads from 1 to {MOST}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_the_names_of_endings() {
        for format in FormatArgument::value_variants() {
            let name = format
                .to_possible_value()
                .map(|value| value.get_name().to_owned());
            assert_eq!(name.as_deref(), Some(Format::from(*format).name()));
        }
        assert_eq!(FormatArgument::value_variants().len(), Format::ALL.len());
    }

    #[test]
    fn ranges_have_a_first_row_and_one_behind_the_last() {
        let range = |start, end| Ok(RowRange { start, end });
        assert_eq!(parse_rows("3..5"), range(3, 5));
        assert_eq!(parse_rows("3.."), range(3, u64::MAX));
        assert_eq!(parse_rows("..5"), range(0, 5));
        for wrong in [
            "", "3", "3-5", "a..5", "-1..5", "5..5", "5..3", "3..=5", "1..2..3",
        ] {
            assert!(parse_rows(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn threads_are_at_least_one() {
        assert_eq!(parse_threads("3"), Ok(NonZeroUsize::new(3).unwrap()));
        for wrong in ["0", "-1", "1.5", "", "1025"] {
            assert!(parse_threads(wrong).is_err(), "{wrong}");
        }
    }
}
