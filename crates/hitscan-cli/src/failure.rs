//! Failures of the program: the exit code, and the message for a person.
//!
//! The libraries' errors have the file, the location and the cause; here they are printed, once.

use crate::interrupt::{self, INTERRUPTED};
use crate::terminal;
use std::error::Error;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// A reason to stop.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong input or usage: exit code 2.
    Input(Box<dyn Error + Send + Sync>),
    /// Interrupted by a signal: exit code 130 after Ctrl-C.
    Interrupted,
    /// The reader has closed the output: that is no failure, and nothing is printed.
    OutputClosed,
    /// Faults of a scene that have been printed: exit code 2.
    Reported,
    /// What was checked is not as it must be, in words: exit code 3.
    Unmet(String),
    /// Anything else: exit code 1.
    Other(Box<dyn Error + Send + Sync>),
}

impl Failure {
    /// Wrong usage, in words.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Input(message.into().into())
    }

    /// A failure that no input caused, in words.
    pub(crate) fn other(message: impl Into<String>) -> Self {
        Self::Other(message.into().into())
    }

    /// An error of a table whose columns `option` names.
    pub(crate) fn of_table(error: hitscan_table::Error, option: &str) -> Self {
        match error {
            hitscan_table::Error::MissingColumn { column, .. } => {
                Self::Input(format!("{error}\n  or say which it is: {option} {column}=NAME").into())
            }
            hitscan_table::Error::Cancelled => Self::Interrupted,
            hitscan_table::Error::OutputClosed => Self::OutputClosed,
            error @ hitscan_table::Error::Write { .. } => Self::Other(error.into()),
            error => Self::Input(error.into()),
        }
    }

    /// The message, as it is printed.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Input(error) | Self::Other(error) => message(error.as_ref()),
            Self::Unmet(message) => message.clone(),
            Self::Interrupted | Self::OutputClosed | Self::Reported => "stopped".to_owned(),
        }
    }

    /// Prints the message and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Input(error) => {
                terminal::say(&message(error.as_ref()));
                ExitCode::from(2)
            }
            Self::Interrupted => {
                terminal::say("stopped");
                ExitCode::from(interrupt::exit_code())
            }
            Self::OutputClosed => ExitCode::SUCCESS,
            Self::Reported => ExitCode::from(2),
            Self::Unmet(message) => {
                terminal::say(message);
                ExitCode::from(3)
            }
            Self::Other(error) => {
                terminal::say(&message(error.as_ref()));
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
        Self::of_table(error, "--columns")
    }
}

/// Fails where the program was interrupted.
pub(crate) fn check_interrupt() -> Result<(), Failure> {
    if INTERRUPTED.load(Ordering::SeqCst) {
        Err(Failure::Interrupted)
    } else {
        Ok(())
    }
}

/// The error and its causes, without those whose text the error already contains.
pub(crate) fn message(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
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
