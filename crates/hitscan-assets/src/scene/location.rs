//! A place in the text of a scene file.

use std::fmt;

/// A line and a column of a text, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Location {
    /// The line.
    pub line: u32,
    /// The character in the line.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column } = self;
        write!(f, "line {line}, column {column}")
    }
}

impl Location {
    /// What `text` says, if that is how a location is displayed, with anything behind it.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (line, rest) = text.strip_prefix("line ")?.split_once(", column ")?;
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        Some(Self {
            line: line.parse().ok()?,
            column: rest[..digits].parse().ok()?,
        })
    }
}

impl From<Location> for String {
    fn from(location: Location) -> Self {
        location.to_string()
    }
}

/// The locations of a table's values by their keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct KeyLocations(pub(super) Box<[(&'static str, Location)]>);

impl KeyLocations {
    /// The location of the value of `key`, if the table has it.
    pub(super) fn of(&self, key: &str) -> Option<Location> {
        let mut keys = self.0.iter();
        keys.find(|(known, _)| *known == key)
            .map(|(_, location)| *location)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_displayed_is_read() {
        let location = Location {
            line: 30,
            column: 7,
        };
        assert_eq!(Location::read(&location.to_string()), Some(location));
        assert_eq!(Location::read("row 3, column 4"), None);
        assert_eq!(Location::read("line 3"), None);
    }
}
