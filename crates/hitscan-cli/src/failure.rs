//! Why the program ends without an answer: the exit code, and the message as a person wants it.
//!
//! The libraries' errors carry the file, the place and the cause; here they are printed, once.

use std::error::Error;
use std::fmt::Write as _;
use std::process::ExitCode;

/// A reason to stop.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong input or usage: exit code 2.
    Input(Box<dyn Error + Send + Sync>),
    /// Stopped by Ctrl-C: exit code 130.
    Interrupted,
    /// Nobody reads the output any more: that is no failure, and nothing is said.
    OutputClosed,
    /// Anything else: exit code 1.
    Other(Box<dyn Error + Send + Sync>),
}

impl Failure {
    /// Wrong usage, in words.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Input(message.into().into())
    }

    /// Something went wrong that is nobody's input, in words.
    pub(crate) fn other(message: impl Into<String>) -> Self {
        Self::Other(message.into().into())
    }

    /// Prints the message and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Input(error) => {
                eprintln!("{}", message(error.as_ref()));
                ExitCode::from(2)
            }
            Self::Interrupted => {
                eprintln!("hitscan: stopped");
                ExitCode::from(130)
            }
            Self::OutputClosed => ExitCode::SUCCESS,
            Self::Other(error) => {
                eprintln!("{}", message(error.as_ref()));
                ExitCode::FAILURE
            }
        }
    }
}

impl From<hitscan_assets::Error> for Failure {
    fn from(error: hitscan_assets::Error) -> Self {
        Self::Input(error.into())
    }
}

impl From<hitscan_ask::Error> for Failure {
    fn from(error: hitscan_ask::Error) -> Self {
        match error {
            hitscan_ask::Error::Table(error) => error.into(),
            error => Self::Input(error.into()),
        }
    }
}

impl From<hitscan_picture::Error> for Failure {
    fn from(error: hitscan_picture::Error) -> Self {
        match error {
            hitscan_picture::Error::Cancelled => Self::Interrupted,
            error @ hitscan_picture::Error::Encode(_) => Self::Other(error.into()),
            error => Self::Input(error.into()),
        }
    }
}

impl From<hitscan_demo::Error> for Failure {
    fn from(error: hitscan_demo::Error) -> Self {
        // The demo makes its own content, so no input is to blame.
        Self::Other(error.into())
    }
}

impl From<hitscan_table::Error> for Failure {
    fn from(error: hitscan_table::Error) -> Self {
        match error {
            hitscan_table::Error::Cancelled => Self::Interrupted,
            hitscan_table::Error::OutputClosed => Self::OutputClosed,
            error @ hitscan_table::Error::Write { .. } => Self::Other(error.into()),
            error => Self::Input(error.into()),
        }
    }
}

/// The error and its causes, those left out that the error already says.
fn message(error: &(dyn Error + 'static)) -> String {
    let mut text = format!("hitscan: {error}");
    let mut cause = error.source();
    while let Some(inner) = cause {
        let words = inner.to_string();
        if !text.contains(&words) {
            // Writing to a string does not fail.
            let _ = write!(text, "\n  because: {words}");
        }
        cause = inner.source();
    }
    text
}
