//! Faults of a scene: the first ends the reading, or all are collected.

use super::location::Location;
use crate::Error;

/// More faults than anyone reads end the reading.
const MOST: usize = 1000;

/// Collects faults, or not.
pub(super) struct Faults {
    /// `None` where the first fault is returned at once.
    collected: Option<Vec<Error>>,
    /// Whether a terrain is skipped, or may be.
    hides_ground: bool,
}

impl Faults {
    /// The first fault ends the reading.
    pub(super) fn end_at_first() -> Self {
        Self::new(None)
    }

    /// All faults are collected.
    pub(super) fn collect() -> Self {
        Self::new(Some(Vec::new()))
    }

    fn new(collected: Option<Vec<Error>>) -> Self {
        Self {
            collected,
            hides_ground: false,
        }
    }

    /// What was read, or `None` where its fault is collected and the reading goes on.
    pub(super) fn keep<T>(&mut self, read: Result<T, Error>) -> Result<Option<T>, Error> {
        match (read, &mut self.collected) {
            (Ok(read), _) => Ok(Some(read)),
            (Err(fault), Some(faults)) if faults.len() < MOST => {
                faults.push(fault);
                Ok(None)
            }
            (Err(fault), _) => Err(fault),
        }
    }

    /// The collected faults in the order of the text, and after them the one that ended the reading.
    pub(super) fn into_sorted(self, last: Option<Error>) -> Vec<Error> {
        let mut faults = self.collected.unwrap_or_default();
        faults.sort_by_key(Error::line_and_column);
        faults.extend(last);
        faults
    }

    /// A terrain is skipped because of its fault, or may be.
    pub(super) fn hide_ground(&mut self) {
        self.hides_ground = true;
    }

    /// Whether a terrain is skipped, so that it is unknown where there is ground.
    pub(super) fn hides_ground(&self) -> bool {
        self.hides_ground
    }

    /// Whether a fault was collected.
    pub(super) fn is_some(&self) -> bool {
        self.collected
            .as_ref()
            .is_some_and(|faults| !faults.is_empty())
    }
}

impl Error {
    /// The line and the column where the fault is, in the text of [`Error::named_path`]; `None` where it is not
    /// at a place in a text.
    #[must_use]
    pub fn line_and_column(&self) -> Option<Location> {
        match self {
            Self::Malformed { location, .. }
            | Self::Undecodable { location, .. }
            | Self::Unsupported { location, .. }
            | Self::Missing { location, .. }
            | Self::UnknownName { location, .. }
            | Self::Referred { location, .. }
            | Self::ReferredFault { location, .. }
            | Self::OutsideFolder { location, .. }
            | Self::Refused { location, .. } => Location::read(location),
            Self::Io { .. } => None,
        }
    }
}
