//! The transform of an instance into the world: which are accepted, and how far they may carry it.

use crate::shape::aabb::check_coordinates;
pub(super) use crate::tri_mesh::{MARGIN, max_abs};
use crate::{Aabb, Error};
use glam::DAffine3;

/// The inverse of a transform.
///
/// # Errors
/// [`Error::BadValue`] where there is none, or a number is not finite.
pub(super) fn inverse(transform: &DAffine3) -> Result<DAffine3, Error> {
    let inverse = transform.inverse();
    if transform.is_finite() && inverse.is_finite() {
        return Ok(inverse);
    }
    let (what, expected) = ("determinant of a transform", "finite and not zero");
    Err(Error::BadValue {
        what,
        expected,
        found: transform.matrix3.determinant(),
    })
}

/// Whether a box is within the range that shapes accept, as nothing is.
pub(super) fn is_in_range(bounds: Option<&Aabb>) -> bool {
    bounds.is_none_or(|bounds| check_range(bounds).is_ok())
}

pub(super) fn check_range(bounds: &Aabb) -> Result<(), Error> {
    check_coordinates("placed corner", &[bounds.min(), bounds.max()])
}
