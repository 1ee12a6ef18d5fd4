//! The one error type of this crate: which file was refused, at what place, what was expected there.
//!
//! A message never repeats its source: whoever reports an error prints the chain. Nothing here reads
//! bytes; each format makes its own errors through the functions below.

use std::error::Error as StdError;
use std::path::{Path, PathBuf};

/// Why a file could not be used. Each variant names the file, the place in it and what was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file could not be opened or read.
    #[error("{}: cannot be read", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// The file breaks the rules of its format, or says something that cannot be.
    #[error("{}: {place}: expected {expected}, found {found}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where in the file, such as `line 3, column 7`, `row 12, column 0`, `accessor 4`, `byte 33`.
        place: String,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A decoder of another crate refused the bytes; the source says why.
    #[error("{}: {place}: expected {expected}", path.display())]
    Undecodable {
        /// The file.
        path: PathBuf,
        /// Where in the file, as far as it is known.
        place: String,
        /// What should stand there.
        expected: String,
        /// What the decoder says.
        #[source]
        source: Box<dyn StdError + Send + Sync + 'static>,
    },
    /// The file is sound, but asks for something that this program lacks.
    #[error("{}: {place}: {what} is not supported", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// Where in the file.
        place: String,
        /// What it asks for, such as `the extension KHR_draco_mesh_compression`.
        what: String,
    },
    /// Something that must be there is not.
    #[error("{}: {place}: {what} is missing", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// Where in the file.
        place: String,
        /// What is missing, with what to do about it where that is known.
        what: String,
    },
    /// A name that nothing here bears: a key of the scene file, a clip, an object.
    #[error("{}: {place}: unknown {what} `{name}`{}", path.display(), hint(suggestion.as_ref()))]
    UnknownName {
        /// The file.
        path: PathBuf,
        /// Where in the file.
        place: String,
        /// What kind of name it is, such as `key` or `clip`.
        what: &'static str,
        /// The name found.
        name: String,
        /// A known name that is close to it.
        suggestion: Option<String>,
    },
    /// A file refers to another that lies outside of its folder, or is no local file.
    #[error(
        "{}: {place}: `{target}` must be a file inside the model's own folder: \
         no `..`, no absolute path, no URL",
        path.display()
    )]
    OutsideFolder {
        /// The file that refers.
        path: PathBuf,
        /// Where in the file.
        place: String,
        /// What it refers to.
        target: String,
    },
    /// The library refused what the file describes; the source says why.
    #[error("{}: {place}: the library refuses it", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Where in the file, such as the object's table.
        place: String,
        /// What the library says.
        #[source]
        source: hitscan::Error,
    },
}

impl Error {
    /// The file at `path` could not be read.
    #[must_use]
    pub fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            source,
        }
    }

    /// At `place`, `found` stands where `expected` should.
    #[must_use]
    pub fn malformed(
        path: &Path,
        place: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self::Malformed {
            path: path.to_owned(),
            place: place.into(),
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// At `place`, a decoder did not find `expected`.
    #[must_use]
    pub fn undecodable(
        path: &Path,
        place: impl Into<String>,
        expected: impl Into<String>,
        source: impl Into<Box<dyn StdError + Send + Sync + 'static>>,
    ) -> Self {
        Self::Undecodable {
            path: path.to_owned(),
            place: place.into(),
            expected: expected.into(),
            source: source.into(),
        }
    }

    /// The file asks, at `place`, for `what`, which this program lacks.
    #[must_use]
    pub fn unsupported(path: &Path, place: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Unsupported {
            path: path.to_owned(),
            place: place.into(),
            what: what.into(),
        }
    }

    /// At `place`, `what` is missing.
    #[must_use]
    pub fn missing(path: &Path, place: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Missing {
            path: path.to_owned(),
            place: place.into(),
            what: what.into(),
        }
    }

    /// The library refused what stands at `place`.
    #[must_use]
    pub fn refused(path: &Path, place: impl Into<String>, source: hitscan::Error) -> Self {
        Self::Refused {
            path: path.to_owned(),
            place: place.into(),
            source,
        }
    }

    /// The file that could not be used.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Io { path, .. }
            | Self::Malformed { path, .. }
            | Self::Undecodable { path, .. }
            | Self::Unsupported { path, .. }
            | Self::Missing { path, .. }
            | Self::UnknownName { path, .. }
            | Self::OutsideFolder { path, .. }
            | Self::Refused { path, .. } => path,
        }
    }
}

/// The question that follows an unknown name, where a known one is close.
fn hint(suggestion: Option<&String>) -> String {
    suggestion.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}
