//! The checks that the pieces of a model have in common: finite numbers, indices, lengths and transforms.
//!
//! What one piece alone must satisfy is checked where it is made, in `skeleton.rs`, `skin.rs`,
//! `morph.rs` and `clip.rs`.

use super::NodeTransform;
use crate::{Error, ModelPlace};
use glam::{DAffine3, DMat4};

/// How far the last row of an affine matrix may be from `0 0 0 1`.
///
/// Exporters that invert bind matrices in f32 leave noise of some units of 6e-8 there, which renderers
/// ignore as we do; any other row is a projection, which no node can be.
const LAST_ROW_SLACK: f64 = 1e-4;

/// Puts the piece of the model in front of an error about it.
pub(super) fn at(place: ModelPlace) -> impl Fn(Error) -> Error {
    move |cause| Error::InModel {
        place,
        cause: Box::new(cause),
    }
}

pub(super) fn check_finite(
    what: &'static str,
    values: impl IntoIterator<Item = f64>,
) -> Result<(), Error> {
    for (index, found) in values.into_iter().enumerate() {
        if !found.is_finite() {
            let expected = "finite";
            return Err(Error::BadElement {
                what,
                index,
                expected,
                found,
            });
        }
    }
    Ok(())
}

/// Refuses the index at `place` of an array of indices past the end of what they number.
pub(super) fn check_index(
    what: &'static str,
    place: usize,
    index: usize,
    count: usize,
) -> Result<(), Error> {
    if index < count {
        return Ok(());
    }
    Err(Error::IndexOutOfBounds {
        what,
        place,
        index,
        count,
    })
}

/// Refuses a single reference past the end of what it refers to.
pub(super) fn check_exists(what: &'static str, index: usize, count: usize) -> Result<(), Error> {
    if index < count {
        return Ok(());
    }
    Err(Error::NoSuch { what, index, count })
}

pub(super) fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    Err(Error::WrongLength {
        what,
        expected,
        found,
    })
}

/// Refuses more elements than 32-bit indices can number.
pub(super) fn check_count(what: &'static str, found: usize) -> Result<(), Error> {
    let limit = u32::MAX as usize;
    if found <= limit {
        return Ok(());
    }
    Err(Error::TooMany { what, found, limit })
}

pub(super) fn check_transform(transform: &NodeTransform) -> Result<(), Error> {
    match transform {
        NodeTransform::Trs {
            translation,
            rotation,
            scale,
        } => {
            check_finite("translation", translation.to_array())?;
            check_finite("rotation", rotation.to_array())?;
            check_finite("scale", scale.to_array())
        }
        NodeTransform::Matrix(matrix) => check_matrix("matrix", 0, matrix),
    }
}

/// Refuses a matrix that is not finite or not affine. Its elements, column by column, are counted
/// from `first`.
pub(super) fn check_matrix(what: &'static str, first: usize, matrix: &DMat4) -> Result<(), Error> {
    let elements = matrix.to_cols_array();
    for (index, &found) in elements.iter().enumerate() {
        let last_row = match index {
            3 | 7 | 11 => Some((0.0, "finite and 0")),
            15 => Some((1.0, "finite and 1")),
            _ => None,
        };
        let is_affine = last_row.is_none_or(|(value, _)| (found - value).abs() <= LAST_ROW_SLACK);
        if !found.is_finite() || !is_affine {
            return Err(Error::BadElement {
                what,
                index: first + index,
                expected: last_row.map_or("finite", |(_, expected)| expected),
                found,
            });
        }
    }
    Ok(())
}

/// The affine part of a checked matrix.
pub(super) fn affine(matrix: &DMat4) -> DAffine3 {
    DAffine3::from_mat4(*matrix)
}
