//! JSON objects and aligned columns, in which explanations are written.

use serde_json::{Map, Value as Json};
use std::fmt::Write as _;

/// An object with these keys.
pub(crate) fn fields<'a>(pairs: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
    let pairs = pairs.into_iter();
    let object: Map<String, Json> = pairs.map(|(key, value)| (key.to_owned(), value)).collect();
    object.into()
}

/// A number, whole where it is; JSON has no infinity, which is text.
pub(crate) fn number(number: f64) -> Json {
    /// Up to here every whole number is an f64.
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    if !number.is_finite() {
        return number.to_string().into();
    }
    if number.fract() == 0.0 && number.abs() < WHOLE {
        #[expect(clippy::cast_possible_truncation, reason = "it is whole and in range")]
        return (number as i64).into();
    }
    number.into()
}

/// The number whose shortest digits are those of an f32.
pub(crate) fn f64_of(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// Rows as aligned columns under a heading, without columns in which nothing stands.
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
