//! Points and radii of solids where a transform takes them, each taken once, in f64.

use super::aabb::MAX_COORDINATE;
use crate::Error;
use glam::{DAffine3, DVec3};

/// Numbers below this may be no whole multiples of [`FINEST`].
const SMALL: f64 = 1.0 / (1_u128 << 96) as f64;
/// The smallest number of f32, 2^-149: products of finer coordinates would underflow.
const FINEST: f64 = f32::from_bits(1) as f64;

/// A point where a transform takes it.
///
/// # Errors
/// [`Error::NotFinite`] and [`Error::OutOfRange`] where that is not finite or beyond ±1e18.
pub(crate) fn placed_point(world_from_own: &DAffine3, point: DVec3) -> Result<DVec3, Error> {
    // Adding zero turns -0 into +0.
    let placed = in_range(world_from_own.transform_point3(point) + DVec3::ZERO)?;
    Ok(DVec3::from_array(placed.to_array().map(without_dust)))
}

/// The same point.
///
/// # Errors
/// As [`placed_point`].
pub(crate) fn in_range(placed: DVec3) -> Result<DVec3, Error> {
    let (what, limit) = ("placed corner", f64::from(MAX_COORDINATE));
    for (index, found) in placed.to_array().into_iter().enumerate() {
        if !found.is_finite() {
            return Err(Error::NotFinite { what, found });
        }
        if found.abs() > limit {
            return Err(Error::OutOfRange {
                what,
                index,
                found,
                limit,
            });
        }
    }
    Ok(placed)
}

/// The length of the longest image of a unit axis: by this radii are multiplied.
pub(crate) fn longest_axis(world_from_own: &DAffine3) -> f64 {
    let axes = [0, 1, 2].map(|axis: usize| world_from_own.matrix3.col(axis).length());
    axes[0].max(axes[1]).max(axes[2])
}

/// Refuses a transform with an axis whose length is not finite.
///
/// # Errors
/// [`Error::NotFinite`] for it.
pub(crate) fn check_axes(transform: &DAffine3) -> Result<(), Error> {
    let longest = longest_axis(transform);
    if longest.is_finite() {
        return Ok(());
    }
    let what = "length of an axis of a transform";
    Err(Error::NotFinite {
        what,
        found: longest,
    })
}

fn without_dust(x: f64) -> f64 {
    if x.abs() < SMALL {
        (x / FINEST).round_ties_even() * FINEST
    } else {
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_taken_once_and_without_dust() {
        let at = DAffine3::from_translation(DVec3::new(1.0, 1e-60, -0.0));
        let placed = placed_point(&at, DVec3::new(1e-12, 0.0, 0.0)).unwrap();
        assert_eq!(placed, DVec3::new(1.0 + 1e-12, 0.0, 0.0));
        assert!(placed.z.is_sign_positive());
        let far = DAffine3::from_scale(DVec3::splat(1e18));
        assert!(placed_point(&far, DVec3::splat(1.5)).is_err());
        assert_eq!(
            longest_axis(&DAffine3::from_scale(DVec3::new(1.0, -3.0, 2.0))),
            3.0
        );
    }
}
