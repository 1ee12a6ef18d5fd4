//! Origins and bounds of shapes.

use glam::DVec3;
use hitscan::Aabb;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Minimum and maximum corner of a box, measured from the space that `origin` is in.
pub(crate) fn corners_of(bounds: Aabb, origin: Option<DVec3>) -> [[f64; 3]; 2] {
    let from = origin.unwrap_or_default();
    [bounds.min(), bounds.max()].map(|corner| (corner.as_dvec3() + from).into())
}

/// An origin, whose numbers are finite.
pub(crate) fn checked_origin(origin: Option<[f64; 3]>) -> PyResult<Option<DVec3>> {
    match origin.map(DVec3::from) {
        Some(origin) if !origin.is_finite() => Err(PyValueError::new_err(format!(
            "origin must be finite, found {origin}"
        ))),
        origin => Ok(origin),
    }
}

/// The error of a word that is none of those expected.
pub(super) fn unknown_word(what: &str, expected: &str, found: &str) -> PyErr {
    PyValueError::new_err(format!("{what}: expected {expected}, found {found:?}"))
}
