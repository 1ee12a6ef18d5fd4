//! Where a table comes from or goes to, and its format.
//!
//! Nothing is opened here: that is the part of `source.rs` and `output_writer.rs`.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::Error;

/// A table's file format, which the file's ending determines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Comma-separated values with a header; the ending is `.csv`.
    Csv,
    /// Apache Parquet; the ending is `.parquet`.
    Parquet,
    /// Apache Arrow IPC; the ending is `.arrow`. The file format is written; both the file and the
    /// stream format are read.
    Arrow,
}

impl Format {
    /// The format that a file's ending names, in either case.
    ///
    /// ```
    /// use hitscan_table::Format;
    /// assert_eq!(Format::of_path("rays.CSV".as_ref())?, Format::Csv);
    /// assert!(Format::of_path("rays.txt".as_ref()).is_err());
    /// # Ok::<(), hitscan_table::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownFormat`] when it is none of the three.
    pub fn of_path(path: &Path) -> Result<Self, Error> {
        let ending = path.extension().map(|ending| ending.to_string_lossy());
        match ending.as_deref().map(str::to_ascii_lowercase).as_deref() {
            Some("csv") => Ok(Self::Csv),
            Some("parquet") => Ok(Self::Parquet),
            Some("arrow") => Ok(Self::Arrow),
            _ => Err(Error::UnknownFormat {
                file: path.display().to_string(),
            }),
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
    /// A file, whose ending determines its format.
    File(PathBuf),
    /// CSV from a stream, such as standard input. It is read on a thread of its own, which is left
    /// behind if the run ends early while a read blocks.
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

    /// What messages call this input.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stream { name, .. } => name.clone(),
        }
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Input").field(&self.name()).finish()
    }
}

/// Where the answers go.
///
/// ```
/// use hitscan_table::Output;
/// assert_eq!(Output::File("hits.csv".into()).name(), "hits.csv");
/// ```
pub enum Output {
    /// A file, whose ending determines its format. It is written under a temporary name and renamed
    /// when complete, so it may be the input itself, and after an error a file of its name is left as
    /// it was.
    File(PathBuf),
    /// CSV to a stream, such as standard output.
    Stream {
        /// What messages call the stream.
        name: String,
        /// The stream itself.
        writer: Box<dyn Write>,
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

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Output").field(&self.name()).finish()
    }
}
