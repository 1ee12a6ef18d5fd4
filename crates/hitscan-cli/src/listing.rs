//! JSON objects and aligned columns, in which explanations are written.

use serde_json::{Map, Value as Json};
use std::fmt::Write as _;

/// An object with these keys.
pub(crate) fn fields<'a>(pairs: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
    let pairs = pairs.into_iter();
    let object: Map<String, Json> = pairs.map(|(key, value)| (key.to_owned(), value)).collect();
    object.into()
}

/// Rows as aligned columns under a heading, without empty columns.
pub(crate) fn columns_of<const N: usize>(columns: [&str; N], rows: &[[String; N]]) -> String {
    let widths: [Option<usize>; N] = std::array::from_fn(|column| {
        let longest = rows.iter().map(|row| row[column].chars().count()).max();
        let longest = longest.filter(|&length| length > 0);
        longest.map(|length| length.max(columns[column].len()))
    });
    let line = |row: &[String; N]| {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            if let Some(width) = width {
                let _ = write!(line, "  {cell:width$}");
            }
        }
        line.truncate(line.trim_end().len());
        line.push('\n');
        line
    };
    let heading = line(&columns.map(str::to_owned));
    rows.iter().map(line).fold(heading, |all, line| all + &line)
}
