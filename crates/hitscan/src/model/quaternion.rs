//! Rotations as quaternions: their matrices, and turning from one to another.
//!
//! Nothing here compares with a tolerance, and sine and arc cosine are the `libm` crate's, so every
//! machine gives the same bits. How keys are chosen is in `clip.rs`.

use glam::{DMat3, DQuat, DVec3};

/// The matrix of a rotation.
///
/// The quaternion is used as it stands, as renderers do: glTF wants unit length, and a file whose
/// rotations are a little off is drawn a little scaled, so that is where its triangles are hit. A
/// quaternion whose vector part is zero is no rotation, whatever its length.
pub(crate) fn matrix(q: DQuat) -> DMat3 {
    let (x, y, z, w) = (q.x, q.y, q.z, q.w);
    DMat3::from_cols(
        DVec3::new(
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y + z * w),
            2.0 * (x * z - y * w),
        ),
        DVec3::new(
            2.0 * (x * y - z * w),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z + x * w),
        ),
        DVec3::new(
            2.0 * (x * z + y * w),
            2.0 * (y * z - x * w),
            1.0 - 2.0 * (x * x + y * y),
        ),
    )
}

/// `q` at unit length; a zero quaternion is no rotation.
pub(crate) fn normalized(q: DQuat) -> DQuat {
    let squared = dot(q, q);
    if squared > 0.0 {
        q / squared.sqrt()
    } else {
        DQuat::IDENTITY
    }
}

/// The rotation `u` of the way from `from` to `to` along the shorter arc, for `0 <= u <= 1`.
///
/// Quaternions that are not of unit length are used as they stand, in glTF's formula, and so is the
/// answer. Of two arcs of equal length the one to `to` as it stands is taken.
///
/// # Accuracy
/// A few units in the last place, for any angle a: the quotient `sin((1-u)a) / sin(a)` of the formula
/// is written as `(1-u) sinc((1-u)a) / sinc(a)`, which has no 0/0 where the rotations agree, and a is
/// at most a quarter turn, where sinc is far from 0. Near 0 the arc cosine is off by up to `2^-52 / a`,
/// but the quotient changes with a only by `a` times that.
///
/// # Source
/// Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985; Khronos Group, "glTF 2.0
/// Specification", 2021, appendix C.4.
pub(crate) fn slerp(from: DQuat, to: DQuat, u: f64) -> DQuat {
    let cosine = dot(from, to);
    let to = if cosine < 0.0 { -to } else { to };
    let angle = libm::acos(cosine.abs().min(1.0));
    let weight = |share: f64| share * (sinc(share * angle) / sinc(angle));
    from * weight(1.0 - u) + to * weight(u)
}

/// `sin(x) / x`, and its limit at 0.
fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { libm::sin(x) / x }
}

fn dot(a: DQuat, b: DQuat) -> f64 {
    a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about_y(angle: f64) -> DQuat {
        DQuat::from_xyzw(0.0, libm::sin(angle / 2.0), 0.0, libm::cos(angle / 2.0))
    }

    fn assert_near(found: DQuat, expected: DQuat, limit: f64) {
        let apart = found - expected;
        assert!(dot(apart, apart).sqrt() <= limit, "{found} {expected}");
    }

    #[test]
    fn any_length_becomes_one() {
        for scale in [1e-40, 1e-20, 0.3, 1.0, 7.0, 1e40] {
            let q = DQuat::from_xyzw(1.0, -2.0, 2.0, 4.0) * scale;
            assert_near(normalized(q), DQuat::from_xyzw(0.2, -0.4, 0.4, 0.8), 3e-16);
        }
        let zero = DQuat::from_xyzw(0.0, -0.0, 0.0, 0.0);
        assert_eq!(normalized(zero), DQuat::IDENTITY);
    }

    #[test]
    fn matrices_turn_counter_clockwise() {
        // A quarter turn about y takes z to x and x to -z.
        let quarter = matrix(about_y(core::f64::consts::FRAC_PI_2));
        assert!((quarter * DVec3::Z - DVec3::X).length() < 1e-15);
        assert!((quarter * DVec3::X + DVec3::Z).length() < 1e-15);
        // Half turns are exact.
        let half = DMat3::from_cols(-DVec3::X, DVec3::Y, -DVec3::Z);
        assert_eq!(matrix(DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0)), half);
        assert_eq!(
            matrix(DQuat::from_xyzw(0.0, 0.0, 0.0, -3.0)),
            DMat3::IDENTITY
        );
    }

    #[test]
    fn a_turn_is_even_for_every_angle() {
        let tiny = [1e-300, 1e-160, 1e-17, 1e-9, 1e-8, 1e-5];
        let large = [0.1, 1.0, 3.0, 3.1];
        for angle in tiny.into_iter().chain(large) {
            for u in [0.0, 1e-12, 0.25, 0.5, 0.9, 1.0] {
                let found = slerp(about_y(0.2), about_y(0.2 + angle), u);
                assert_near(found, about_y(0.2 + u * angle), 4e-16);
            }
        }
    }

    #[test]
    fn the_shorter_arc_is_taken() {
        let (from, to) = (about_y(0.0), -about_y(1.0));
        assert_near(slerp(from, to, 0.5), about_y(0.5), 4e-16);
        let beyond_half = about_y(core::f64::consts::PI + 0.2);
        let other_way = about_y(-(core::f64::consts::PI - 0.2) / 2.0);
        assert_near(slerp(from, beyond_half, 0.5), other_way, 4e-16);
    }

    #[test]
    fn both_ends_are_reached_whatever_their_length() {
        for scale in [0.0, 0.5, 0.999, 1.0, 3.0] {
            let (from, to) = (about_y(0.3) * scale, DQuat::from_xyzw(0.1, 0.7, -0.3, 0.2));
            assert_eq!(slerp(from, to, 0.0), from);
            assert_eq!(slerp(from, to, 1.0), to);
        }
        let unit = about_y(0.3);
        assert_near(slerp(unit, unit, 0.37), unit, 3e-16);
    }
}
