//! The one error type of this crate: which file was refused, at what location, what was expected there.
//!
//! A message never repeats its source: whoever reports an error prints the chain. Nothing here reads
//! bytes; each format makes its own errors through the functions below.

use std::error::Error as StdError;
use std::path::{Path, PathBuf};

use crate::suggest::KnownNames;

/// Why a file could not be used. Each variant names the file, the location in it and what was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file could not be opened or read.
    #[error("{}: cannot be read", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
    /// The file breaks the rules of its format, or contradicts itself.
    #[error("{}: {location}: expected {expected}, found {found}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where in the file, such as `line 3, column 7`, `row 12, column 0`, `accessor 4`, `byte 33`.
        location: String,
        /// What is valid there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A decoder of another crate refused the bytes; the source is the reason.
    #[error("{}: {location}: expected {expected}", path.display())]
    Undecodable {
        /// The file.
        path: PathBuf,
        /// Where in the file, as far as it is known.
        location: String,
        /// What is valid there.
        expected: String,
        /// The error of the decoder.
        #[source]
        source: Box<dyn StdError + Send + Sync + 'static>,
    },
    /// The file is valid, but needs something that is not supported.
    #[error("{}: {location}: {what} is not supported", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// Where in the file.
        location: String,
        /// What it needs, such as `the extension KHR_draco_mesh_compression`.
        what: String,
    },
    /// Something that is required is missing.
    #[error("{}: {location}: {what} is missing", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// Where in the file.
        location: String,
        /// What is missing, with what to do about it where that is known.
        what: String,
    },
    /// A name that does not exist: of a key of the scene file, a clip, an object.
    #[error("{}: {location}: unknown {what} `{name}`{known}", path.display())]
    UnknownName {
        /// The file.
        path: PathBuf,
        /// Where in the file.
        location: String,
        /// What kind of name it is, such as `key` or `clip`.
        what: &'static str,
        /// The name found.
        name: String,
        /// The names there are.
        known: Box<KnownNames>,
    },
    /// A file that another refers to could not be opened or read; the source is the reason.
    #[error("{}: {location}: {} cannot be read", path.display(), target.display())]
    Referred {
        /// The file that refers.
        path: PathBuf,
        /// Where in the file.
        location: String,
        /// The file that it refers to.
        target: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
    /// A file that another refers to is at fault; the source says how.
    #[error("{}: {location}: {} cannot be used", path.display(), target.display())]
    ReferredFault {
        /// The file that refers.
        path: PathBuf,
        /// Where in the file.
        location: String,
        /// The file that it refers to.
        target: PathBuf,
        /// What is wrong there.
        #[source]
        source: Box<Error>,
    },
    /// A file refers to another that lies outside of its folder, or is no local file.
    #[error(
        "{}: {location}: `{target}` must be a file inside the model's own folder: \
         no `..`, no absolute path, no URL",
        path.display()
    )]
    OutsideFolder {
        /// The file that refers.
        path: PathBuf,
        /// Where in the file.
        location: String,
        /// What it refers to.
        target: String,
    },
    /// The library refused what the file describes; the source is the reason.
    #[error("{}: {location}: the library refuses it", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Where in the file, such as the object's table.
        location: String,
        /// The error of the library.
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

    /// At `location` there is `found` in place of `expected`.
    #[must_use]
    pub fn malformed(
        path: &Path,
        location: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self::Malformed {
            path: path.to_owned(),
            location: location.into(),
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// At `location`, a decoder did not find `expected`.
    #[must_use]
    pub fn undecodable(
        path: &Path,
        location: impl Into<String>,
        expected: impl Into<String>,
        source: impl Into<Box<dyn StdError + Send + Sync + 'static>>,
    ) -> Self {
        Self::Undecodable {
            path: path.to_owned(),
            location: location.into(),
            expected: expected.into(),
            source: source.into(),
        }
    }

    /// The file needs, at `location`, `what`, which is not supported.
    #[must_use]
    pub fn unsupported(path: &Path, location: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Unsupported {
            path: path.to_owned(),
            location: location.into(),
            what: what.into(),
        }
    }

    /// At `location`, `what` is missing.
    #[must_use]
    pub fn missing(path: &Path, location: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Missing {
            path: path.to_owned(),
            location: location.into(),
            what: what.into(),
        }
    }

    /// The `name` at `location` is not among the `known` ones of its kind.
    #[must_use]
    pub fn unknown<'a>(
        path: &Path,
        location: impl Into<String>,
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        Self::UnknownName {
            path: path.to_owned(),
            location: location.into(),
            what,
            name: name.to_owned(),
            known: Box::new(KnownNames::near(name, known)),
        }
    }

    /// This error of `target`, which the file at `path` refers to at `location`.
    #[must_use]
    pub fn referred(self, path: &Path, location: impl Into<String>, target: &Path) -> Self {
        match self {
            Self::Io { path: own, source } if own == target => Self::Referred {
                path: path.to_owned(),
                location: location.into(),
                target: own,
                source,
            },
            own if own.path() == path => own,
            other => Self::ReferredFault {
                path: path.to_owned(),
                location: location.into(),
                target: target.to_owned(),
                source: Box::new(other),
            },
        }
    }

    /// The error of the file that is at fault, without those that refer to it.
    #[must_use]
    pub fn of_file(&self) -> &Self {
        match self {
            Self::ReferredFault { source, .. } => source.of_file(),
            own => own,
        }
    }

    /// The library refused what is at `location`.
    #[must_use]
    pub fn refused(path: &Path, location: impl Into<String>, source: hitscan::Error) -> Self {
        Self::Refused {
            path: path.to_owned(),
            location: location.into(),
            source,
        }
    }

    /// The file that the message names first: of a fault of a file to which another refers the latter, else
    /// [`Error::path`].
    #[must_use]
    pub fn named_path(&self) -> &Path {
        match self {
            Self::ReferredFault { path, .. } => path,
            other => other.path(),
        }
    }

    /// The file that could not be used.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self.of_file() {
            Self::Io { path, .. }
            | Self::Malformed { path, .. }
            | Self::Undecodable { path, .. }
            | Self::Unsupported { path, .. }
            | Self::Missing { path, .. }
            | Self::UnknownName { path, .. }
            | Self::Referred { path, .. }
            | Self::ReferredFault { path, .. }
            | Self::OutsideFolder { path, .. }
            | Self::Refused { path, .. } => path,
        }
    }
}
