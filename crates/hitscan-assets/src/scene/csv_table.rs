//! A table in CSV that a scene names: its columns by their names, and errors that say where.

use std::path::Path;

use csv::StringRecord;

use crate::Error;

/// An opened table.
pub(super) struct CsvTable<'a> {
    path: &'a Path,
    header: StringRecord,
    reader: csv::Reader<&'a [u8]>,
}

impl<'a> CsvTable<'a> {
    /// Reads the header. `path` is what errors name.
    pub(super) fn open(path: &'a Path, bytes: &'a [u8]) -> Result<Self, Error> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(bytes);
        let header = reader.headers().map_err(|error| unreadable(path, error))?;
        Ok(Self {
            path,
            header: header.clone(),
            reader,
        })
    }

    pub(super) fn header(&self) -> &StringRecord {
        &self.header
    }

    /// The place of a column, if there is one of that name; two are an error.
    pub(super) fn column(&self, name: &str) -> Result<Option<usize>, Error> {
        let mut bearing = (0..).zip(&self.header).filter(|(_, field)| *field == name);
        let first = bearing.next().map(|(index, _)| index);
        if bearing.next().is_some() {
            let found = format!("two columns `{name}`");
            return Err(Error::malformed(
                self.path,
                "line 1",
                "one column of a name",
                found,
            ));
        }
        Ok(first)
    }

    /// The place of a column that must be there.
    pub(super) fn needed_column(&self, name: &str) -> Result<usize, Error> {
        let missing = || Error::missing(self.path, "line 1", format!("the column `{name}`"));
        self.column(name)?.ok_or_else(missing)
    }

    /// The rows below the header.
    pub(super) fn rows(&mut self) -> impl Iterator<Item = Result<StringRecord, Error>> + '_ {
        let path = self.path;
        let rows = self.reader.records();
        rows.map(move |row| row.map_err(|error| unreadable(path, error)))
    }
}

/// The line of a row, counted from 1.
pub(super) fn line(row: &StringRecord) -> u64 {
    row.position().map_or(0, csv::Position::line)
}

/// `line 3, column `turn``, counted from 1.
pub(super) fn location(row: &StringRecord, column: &str) -> String {
    format!("line {}, column `{column}`", line(row))
}

fn unreadable(path: &Path, error: csv::Error) -> Error {
    let line = error.position().map_or(1, csv::Position::line);
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => Error::malformed(
            path,
            format!("line {line}"),
            format!("{expected_len} fields, as the header has"),
            len.to_string(),
        ),
        _ => Error::undecodable(path, format!("line {line}"), "a table in CSV", error),
    }
}
