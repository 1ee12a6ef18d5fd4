//! The rotation of a scene's table: a quaternion, or angles in degrees.

use glam::{DQuat, DVec3};

use super::keys::{Keys, Source, Value};
use crate::Error;
use crate::model_file::Notes;

/// The lengths of a quaternion between which nothing is said about its being brought to 1: what is
/// written with two digits is within.
const USUAL_LENGTHS: std::ops::RangeInclusive<f64> = 0.9..=1.1;

/// What `rotation` or `euler_degrees` say, of unit length; without either, no rotation.
pub(super) fn rotation(source: &Source, keys: &Keys, remarks: &mut Notes) -> Result<DQuat, Error> {
    match (keys.get("rotation"), keys.get("euler_degrees")) {
        (Some(value), None) => quaternion(&value, remarks),
        (None, Some(value)) => Ok(of_degrees(DVec3::from(
            value.numbers::<3>("degrees about [x, y, z]")?,
        ))),
        (Some(_), Some(value)) => {
            let expected = "either `rotation` or `euler_degrees`";
            Err(source.malformed(&value.span(), expected, "both"))
        }
        (None, None) => Ok(DQuat::IDENTITY),
    }
}

/// The quaternion `x, y, z, w`, brought to unit length.
fn quaternion(value: &Value, remarks: &mut Notes) -> Result<DQuat, Error> {
    const WHAT: &str = "a quaternion x y z w, or `euler_degrees = [x, y, z]` in its place";
    let parts = value.numbers::<4>(WHAT)?;
    let largest = parts
        .iter()
        .fold(0.0, |largest: f64, part| largest.max(part.abs()));
    if largest == 0.0 {
        return Err(value.wrong("a quaternion other than zero"));
    }
    // Divided by the largest part first, no square overflows and their sum is at least 1.
    let [x, y, z, w] = parts.map(|part| part / largest);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if !USUAL_LENGTHS.contains(&(length * largest)) {
        let kind = "a quaternion far from unit length is brought to it; \
                    for angles in degrees write `euler_degrees = [x, y, z]`";
        remarks.warn(kind, || {
            format!("{} (length {:.3})", value.location(), length * largest)
        });
    }
    Ok(DQuat::from_xyzw(
        x / length,
        y / length,
        z / length,
        w / length,
    ))
}

/// The rotation about the x axis, then about the y axis, then about the z axis, which all stay as
/// they are: `Rz * Ry * Rx`. Each is counter-clockwise, seen against its axis.
fn of_degrees(degrees: DVec3) -> DQuat {
    let about = |axis: DVec3, degrees: f64| {
        let half = degrees.to_radians() * 0.5;
        let (sine, cosine) = (libm::sin(half), libm::cos(half));
        DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
    };
    let [x, y, z] = degrees.to_array();
    about(DVec3::Z, z) * about(DVec3::Y, y) * about(DVec3::X, x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_about_fixed_axes_x_first() {
        for (degrees, from, to) in [
            ([90.0, 0.0, 0.0], DVec3::Y, DVec3::Z),
            ([0.0, 90.0, 0.0], DVec3::Z, DVec3::X),
            ([0.0, 0.0, 90.0], DVec3::X, DVec3::Y),
            // About x, y goes to z; about y, z goes to x; about z, x goes to y.
            ([90.0, 90.0, 90.0], DVec3::Y, DVec3::Y),
            ([90.0, 90.0, 0.0], DVec3::Y, DVec3::X),
            ([0.0, 90.0, 90.0], DVec3::X, DVec3::NEG_Z),
        ] {
            let found = of_degrees(DVec3::from(degrees)) * from;
            assert!((found - to).length() < 1e-15, "{degrees:?}: {found}");
        }
    }
}
