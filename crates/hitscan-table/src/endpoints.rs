//! Sources and destinations of tables, and their formats.
//!
//! Nothing is opened here: that is the part of `source.rs` and `output_writer.rs`.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Error;
use crate::compression::Compression;

/// A table's file format, which the file's ending determines where the caller does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Comma-separated values with a header; the ending is `.csv`.
    Csv,
    /// CSV in gzip, of one member or several; the ending is `.csv.gz`.
    CsvGzip,
    /// CSV in zstd, of one frame or several; the ending is `.csv.zst`.
    CsvZstd,
    /// CSV with tabs in place of commas; the ending is `.tsv`.
    Tsv,
    /// Apache Parquet; the ending is `.parquet`.
    Parquet,
    /// Apache Arrow IPC; the ending is `.arrow`. The file format is written; both the file and the
    /// stream format are read.
    Arrow,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] = [
        Self::Csv,
        Self::CsvGzip,
        Self::CsvZstd,
        Self::Tsv,
        Self::Parquet,
        Self::Arrow,
    ];

    /// The format's name, which is a file's ending without the first point: `csv.gz`, say.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::CsvGzip => "csv.gz",
            Self::CsvZstd => "csv.zst",
            Self::Tsv => "tsv",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        }
    }

    /// The format that a file's ending names, in either case.
    ///
    /// ```
    /// use hitscan_table::Format;
    /// assert_eq!(Format::of_path("rays.CSV".as_ref())?, Format::Csv);
    /// assert_eq!(Format::of_path("rays.csv.gz".as_ref())?, Format::CsvGzip);
    /// assert!(Format::of_path("rays.txt".as_ref()).is_err());
    /// # Ok::<(), hitscan_table::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownFormat`] when it names none.
    pub fn of_path(path: &Path) -> Result<Self, Error> {
        let name = path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().to_ascii_lowercase();
        let has_ending = |format: &Self| {
            let stem = name.strip_suffix(format.name());
            // A name that is an ending alone has none.
            stem.is_some_and(|stem| stem.len() > 1 && stem.ends_with('.'))
        };
        Self::ALL
            .into_iter()
            .find(has_ending)
            .ok_or_else(|| Error::UnknownFormat {
                file: path.display().to_string(),
            })
    }

    /// How CSV is compressed, where it is.
    pub(crate) fn compression(self) -> Option<Compression> {
        match self {
            Self::CsvGzip => Some(Compression::Gzip),
            Self::CsvZstd => Some(Compression::Zstd),
            Self::Csv | Self::Tsv | Self::Parquet | Self::Arrow => None,
        }
    }
}

/// Where the questions come from.
///
/// ```
/// use hitscan_table::Input;
/// assert_eq!(Input::File("rays.parquet".into()).name(), "rays.parquet");
/// assert_eq!(Input::stdin().name(), "standard input");
/// ```
pub enum Input {
    /// A file, whose ending determines its format unless
    /// [`RunOptions::input_format`](crate::RunOptions::input_format) does.
    File(PathBuf),
    /// Files of the same columns, one after the other: one table, whose rows are numbered through.
    Files(Vec<PathBuf>),
    /// A file's bytes in memory; the ending of its name determines its format as a file's does. It may come from
    /// anywhere: what it unpacks to is bounded, compressed CSV to 256 MiB.
    Bytes {
        /// What messages call the file.
        name: String,
        /// Its bytes.
        bytes: Arc<[u8]>,
    },
    /// CSV from a stream, such as standard input, or compressed CSV where
    /// [`RunOptions::input_format`](crate::RunOptions::input_format) says so. It is read on a thread
    /// of its own, which is left behind if the run ends early while a read blocks.
    Stream {
        /// What messages call the stream.
        name: String,
        /// The stream itself.
        reader: Box<dyn Read + Send>,
    },
}

impl Input {
    /// CSV on standard input.
    #[must_use]
    pub fn stdin() -> Self {
        Self::Stream {
            name: "standard input".to_owned(),
            reader: Box::new(io::stdin()),
        }
    }

    /// What messages call this input: of several files the first.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Files(paths) => paths
                .first()
                .map_or_else(String::new, |path| path.display().to_string()),
            Self::Bytes { name, .. } | Self::Stream { name, .. } => name.clone(),
        }
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Input").field(&self.name()).finish()
    }
}

/// A run of row groups of a Parquet file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RowGroups {
    /// The first, counted from 0.
    pub first: usize,
    /// How many there are.
    pub count: usize,
}

/// A run of rows of an input, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RowRange {
    /// The first row.
    pub start: u64,
    /// The row behind the last. It may lie behind the input's end.
    pub end: u64,
}

impl RowRange {
    /// All rows.
    pub const ALL: Self = Self {
        start: 0,
        end: u64::MAX,
    };

    /// The range in rows that are counted from `first`.
    pub(crate) fn counted_from(self, first: u64) -> Self {
        let Self { start, end } = self;
        Self {
            start: start.saturating_sub(first),
            end: match end {
                u64::MAX => end,
                end => end.saturating_sub(first),
            },
        }
    }
}

/// Where the answers go.
///
/// ```
/// use hitscan_table::Output;
/// assert_eq!(Output::File("hits.csv".into()).name(), "hits.csv");
/// ```
pub enum Output {
    /// A file, whose ending determines its format; where it names none,
    /// [`RunOptions::output_format`](crate::RunOptions::output_format) does. It is written under a
    /// temporary name and renamed when complete, so it may be the input itself, and after an error a
    /// file of its name is left as it was.
    File(PathBuf),
    /// A stream, such as standard output, of CSV unless
    /// [`RunOptions::output_format`](crate::RunOptions::output_format) is another format.
    Stream {
        /// What messages call the stream.
        name: String,
        /// The stream itself.
        writer: Box<dyn Write + Send>,
    },
}

impl Output {
    /// CSV on standard output.
    #[must_use]
    pub fn stdout() -> Self {
        Self::Stream {
            name: "standard output".to_owned(),
            writer: Box::new(io::stdout()),
        }
    }

    /// What messages call this output.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stream { name, .. } => name.clone(),
        }
    }
}

impl Input {
    /// The format in which the input is read: `wanted`, or else the one that the file's ending
    /// names.
    pub(crate) fn format(&self, wanted: Option<Format>) -> Result<Format, Error> {
        match (self, wanted) {
            (Self::Stream { .. }, Some(Format::Parquet | Format::Arrow)) => {
                Err(Error::NeedsFile { file: self.name() })
            }
            (_, Some(wanted)) => Ok(wanted),
            (Self::File(path), None) => match Format::of_path(path) {
                // As from a stream.
                Err(_) if is_pipe(path) => Ok(Format::Csv),
                format => format,
            },
            (Self::Files(paths), None) => {
                let first = paths.first().ok_or(Error::NoFiles)?;
                Format::of_path(first)
            }
            (Self::Bytes { name, .. }, None) => Format::of_path(Path::new(name)),
            (Self::Stream { .. }, None) => Ok(Format::Csv),
        }
    }
}

/// Whether the path is that of a named pipe, or of one that the shell made.
#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    std::fs::metadata(path).is_ok_and(|data| data.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}

impl Output {
    /// The format in which the output is written: the one that the file's ending names, with which
    /// `wanted` must agree, or else `wanted`.
    ///
    /// # Errors
    /// [`Error::UnknownFormat`] and [`Error::FormatsDisagree`].
    pub fn format(&self, wanted: Option<Format>) -> Result<Format, Error> {
        match (self, wanted) {
            (Self::File(path), None) => Format::of_path(path),
            (Self::File(path), Some(wanted)) => match Format::of_path(path) {
                Ok(ending) if ending != wanted => Err(Error::FormatsDisagree {
                    file: self.name(),
                    ending: ending.name(),
                    wanted: wanted.name(),
                }),
                _ => Ok(wanted),
            },
            (Self::Stream { .. }, wanted) => Ok(wanted.unwrap_or(Format::Csv)),
        }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Output").field(&self.name()).finish()
    }
}
