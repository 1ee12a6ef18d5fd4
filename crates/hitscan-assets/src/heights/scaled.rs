//! Stored values to heights: worked out in f64, rounded to f32 once; in loops that are compiled to vectors.

use std::path::Path;

use super::allowance::filled;
use crate::Error;

/// How errors name a sample.
pub(super) fn place_of(column: usize, row: usize) -> String {
    format!("row {row}, column {column}")
}

/// Whether any value is so; in runs without a way out, which are compiled to vectors.
pub(super) fn any<T: Copy>(values: &[T], is_so: impl Fn(T) -> bool) -> bool {
    let mut runs = values.chunks(4096);
    // Of numbers, since sums of truth values are not compiled to vectors.
    let found = |run: &[T]| {
        run.iter()
            .fold(0, |any, value| any | u32::from(is_so(*value)))
    };
    runs.any(|run| found(run) != 0)
}

/// The number of holes and, unless all are holes, the lowest and highest value.
pub(super) fn extent<T: Copy + Into<f64>>(values: &[T], no_data: f64) -> (usize, Option<[f64; 2]>) {
    let (mut holes, mut low, mut high) = (0, f64::INFINITY, f64::NEG_INFINITY);
    for value in values {
        let value: f64 = (*value).into();
        let is_hole = value.is_nan() | (value == no_data);
        holes += usize::from(is_hole);
        low = if !is_hole & (value < low) { value } else { low };
        high = if !is_hole & (value > high) {
            value
        } else {
            high
        };
    }
    (holes, (holes < values.len()).then_some([low, high]))
}

/// The height of a value; NaN of a hole alone, infinite where there is none of f32.
fn height(value: f64, no_data: f64, metres: impl Fn(f64) -> f64) -> f32 {
    let height = nearest_f32(metres(value));
    if value.is_nan() | (value == no_data) {
        f32::NAN
    } else if height.is_nan() {
        f32::INFINITY
    } else {
        height
    }
}

/// The heights, metres, of a map of so many columns; holes are NaN.
///
/// # Errors
/// Where a height does not fit into f32.
pub(super) fn scaled<T: Copy + Into<f64>>(
    path: &Path,
    columns: usize,
    mut values: Vec<T>,
    no_data: Option<f64>,
    metres: impl Fn(f64) -> f64,
) -> Result<Vec<f32>, Error> {
    /// In how many parts the memory of the values is given back.
    const PARTS: usize = 8;
    // Nothing equals NaN.
    let no_data = no_data.unwrap_or(f64::NAN);
    let mut heights = filled(path, 0.0, values.len())?;
    let mut refused = None;
    let part = values.len().div_ceil(PARTS).max(1);
    // From the end, so that values and heights are never all in memory; so the first error comes last.
    while !values.is_empty() {
        let start = (values.len() - 1) / part * part;
        let own = &values[start..];
        for (out, value) in heights[start..].iter_mut().zip(own) {
            *out = height((*value).into(), no_data, &metres);
        }
        if any(&heights[start..start + own.len()], f32::is_infinite) {
            refused = Some(too_high(path, columns, start, own, no_data, &metres));
        }
        values.truncate(start);
        values.shrink_to_fit();
    }
    refused.map_or(Ok(heights), Err)
}

/// As [`scaled`], without memory of its own.
pub(super) fn scaled_in_place(
    path: &Path,
    columns: usize,
    mut values: Vec<f32>,
    no_data: Option<f64>,
    metres: impl Fn(f64) -> f64,
) -> Result<Vec<f32>, Error> {
    const RUN: usize = 4096;
    let no_data = no_data.unwrap_or(f64::NAN);
    for (run, values) in values.chunks_mut(RUN).enumerate() {
        let height = |value: f32| height(value.into(), no_data, &metres);
        if any(values, |value| height(value).is_infinite()) {
            return Err(too_high(path, columns, run * RUN, values, no_data, &metres));
        }
        for value in values {
            *value = height(*value);
        }
    }
    Ok(values)
}

/// The error about the first of these values that f32 does not hold as a height; they begin at sample
/// `first`.
fn too_high<T: Copy + Into<f64>>(
    path: &Path,
    columns: usize,
    first: usize,
    values: &[T],
    no_data: f64,
    metres: impl Fn(f64) -> f64,
) -> Error {
    let mut values = (first..).zip(values.iter().map(|value| (*value).into()));
    let is_too_high = |&(_, value): &(usize, f64)| height(value, no_data, &metres).is_infinite();
    let (index, value) = values.find(is_too_high).unwrap_or_default();
    Error::malformed(
        path,
        place_of(index % columns, index / columns),
        "a height within the range of f32",
        format!("{value} (stored), {:e} metres", metres(value)),
    )
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to the nearest f32 is intended; an overflow becomes infinite"
)]
pub(super) fn nearest_f32(value: f64) -> f32 {
    value as f32
}
