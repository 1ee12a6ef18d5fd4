//! Rotations as quaternions: making them unit length, and turning from one to another.
//!
//! Nothing here compares with a tolerance, and sine and arc tangent are the `libm` crate's, so every
//! machine gives the same bits. How keys are chosen is in `clip.rs`.

use glam::DQuat;

/// `q` at unit length; a zero quaternion is no rotation.
///
/// Components must be finite.
pub(super) fn normalized(q: DQuat) -> DQuat {
    let squared = dot(q, q);
    if squared.is_normal() {
        return q / squared.sqrt();
    }
    // The square has left f64's range, though no component has.
    let largest = q
        .to_array()
        .into_iter()
        .fold(0.0, |m: f64, x| m.max(x.abs()));
    if largest == 0.0 {
        return DQuat::IDENTITY;
    }
    let scaled = q / largest;
    scaled / dot(scaled, scaled).sqrt()
}

/// The rotation `u` of the way from `from` to `to` along the shorter arc, at unit length.
///
/// Both must have unit length, and `0 <= u <= 1`. Of two arcs of equal length the one to `to` as it
/// stands is taken.
///
/// # Accuracy
/// A few units in the last place, for any angle: the quotient `sin((1-u)a) / sin(a)` of glTF's
/// formula is written as `(1-u) sinc((1-u)a) / sinc(a)`, which has no 0/0 where the rotations agree,
/// and a is at most a quarter turn, where sinc is far from 0.
///
/// # Source
/// Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985; the angle after Kahan, "How
/// Futile are Mindless Assessments of Roundoff in Floating-Point Computation?", 2006, section 12.
pub(super) fn slerp(from: DQuat, to: DQuat, u: f64) -> DQuat {
    let to = if dot(from, to) < 0.0 { -to } else { to };
    let (apart, across) = (from - to, from + to);
    let angle = 2.0 * libm::atan2(dot(apart, apart).sqrt(), dot(across, across).sqrt());
    let weight = |share: f64| share * (sinc(share * angle) / sinc(angle));
    normalized(from * weight(1.0 - u) + to * weight(u))
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
        for scale in [1e-320, 1e-200, 1e-20, 0.3, 1.0, 7.0, 1e40, 1e160, 1e300] {
            let q = DQuat::from_xyzw(1.0, -2.0, 2.0, 4.0) * scale;
            // 1e-320 is a subnormal number with few digits.
            let limit = if scale < 1e-300 { 1e-3 } else { 1e-15 };
            let expected = DQuat::from_xyzw(0.2, -0.4, 0.4, 0.8);
            assert_near(normalized(q), expected, limit);
        }
        assert_eq!(
            normalized(DQuat::from_xyzw(0.0, -0.0, 0.0, 0.0)),
            DQuat::IDENTITY
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
    fn both_ends_are_reached() {
        let (from, to) = (
            about_y(0.3),
            normalized(DQuat::from_xyzw(0.1, 0.7, -0.3, 0.2)),
        );
        assert_near(slerp(from, to, 0.0), from, 2e-16);
        assert_near(slerp(from, to, 1.0), to, 2e-16);
        assert_near(slerp(from, from, 0.37), from, 2e-16);
    }
}
