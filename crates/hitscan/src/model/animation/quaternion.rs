//! Rotations as quaternions: their matrices, and turning from one to another.
//!
//! Nothing here compares with a tolerance, and sine and arc cosine are the `libm` crate's, so every
//! machine gives the same bits.

use core::f64::consts::FRAC_PI_4;
use glam::{DMat3, DQuat, DVec3};

/// The matrix of a rotation.
///
/// The quaternion is used as it is, as renderers do: glTF wants unit length, and a file whose
/// rotations are a little off is drawn a little scaled, so that is where its triangles are hit. A
/// quaternion whose vector part is zero is no rotation, whatever its length.
#[inline]
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

/// By how much the matrix of `q` stretches at most.
///
/// Along its axis by 1; across it turns and stretches by `|1 - 2 v·v + 2iw|v||`, v being the vector part.
pub(in crate::model) fn stretch(q: DQuat) -> f64 {
    let v = q.x * q.x + q.y * q.y + q.z * q.z;
    let along = 1.0 - 2.0 * v;
    let across = (along * along + 4.0 * q.w * q.w * v).sqrt();
    across.max(1.0)
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

/// The rotation in a matrix: of its columns made orthogonal one after another (Gram, Schmidt). A
/// mirrored matrix has the rotation of its first two columns. Columns that vanish, or lie along
/// those before, are replaced by some that do not.
pub(crate) fn rotation_of(matrix: &DMat3) -> DQuat {
    let unit = |v: DVec3| {
        let size = v.abs().max_element();
        let scaled = v / size;
        let unit = scaled / scaled.dot(scaled).sqrt();
        unit.is_finite().then_some(unit)
    };
    let x = unit(matrix.x_axis).unwrap_or(DVec3::X);
    let across = |v: DVec3| v - x * v.dot(x);
    let aside = || {
        // The axis of the smallest component of x.
        let size = x.abs();
        let axis = if size.y <= size.x && size.y <= size.z {
            DVec3::Y
        } else if size.z <= size.x {
            DVec3::Z
        } else {
            DVec3::X
        };
        unit(across(axis)).unwrap_or(DVec3::Y)
    };
    let y = unit(matrix.y_axis).and_then(|y| unit(across(y)));
    let y = y.unwrap_or_else(aside);
    from_axes(x, y, x.cross(y))
}

/// The rotation that takes the axes to these, which are orthogonal and of unit length.
///
/// # Source
/// Shepperd, "Quaternion from Rotation Matrix", Journal of Guidance and Control, 1978: the largest of
/// the four components is computed first.
fn from_axes(x: DVec3, y: DVec3, z: DVec3) -> DQuat {
    let squares = [
        1.0 + x.x - y.y - z.z,
        1.0 - x.x + y.y - z.z,
        1.0 - x.x - y.y + z.z,
        1.0 + x.x + y.y + z.z,
    ];
    let largest = (1..4).fold(
        0,
        |best, k| if squares[k] > squares[best] { k } else { best },
    );
    let square = squares[largest];
    let (yz, zx, xy) = (y.z - z.y, z.x - x.z, x.y - y.x);
    let (sum_yz, sum_zx, sum_xy) = (y.z + z.y, z.x + x.z, x.y + y.x);
    normalized(match largest {
        0 => DQuat::from_xyzw(square, sum_xy, sum_zx, yz),
        1 => DQuat::from_xyzw(sum_xy, square, sum_yz, zx),
        2 => DQuat::from_xyzw(sum_zx, sum_yz, square, xy),
        _ => DQuat::from_xyzw(yz, zx, xy, square),
    })
}

/// The arc from one rotation to another: what of spherical interpolation does not depend on how far
/// along it one is.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct Arc {
    pub(super) angle: f64,
    /// `sin(angle) / angle`.
    pub(super) sinc: f64,
    /// 1, or -1 where the shorter arc leads to the other quaternion of the same rotation.
    pub(super) sign: f64,
}

impl Arc {
    /// An arc without length.
    pub(super) const NONE: Self = Self {
        angle: 0.0,
        sinc: 1.0,
        sign: 1.0,
    };

    /// The shorter arc. Of two of equal length the one to `to` as it is is taken.
    pub(in crate::model) fn between(from: DQuat, to: DQuat) -> Self {
        let cosine = dot(from, to);
        let angle = libm::acos(cosine.abs().min(1.0));
        Self {
            angle,
            sinc: sinc(angle),
            sign: if cosine < 0.0 { -1.0 } else { 1.0 },
        }
    }

    /// The rotation `u` of the way along the arc between the two rotations that it was made from, for
    /// `0 <= u <= 1`.
    ///
    /// Quaternions that are not of unit length are used as they are, in glTF's formula, and so is
    /// the answer.
    ///
    /// # Accuracy
    /// A few units in the last place, for any angle a: the quotient `sin((1-u)a) / sin(a)` of the
    /// formula is written as `(1-u) sinc((1-u)a) / sinc(a)`, which has no 0/0 where the rotations
    /// agree, and a is at most a quarter turn, where sinc is far from 0. Near 0 the arc cosine is off
    /// by up to `2^-52 / a`, but the quotient changes with a only by `a` times that.
    ///
    /// # Source
    /// Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985; Khronos Group, "glTF 2.0
    /// Specification", 2021, appendix C.4.
    #[inline]
    pub(in crate::model) fn at(&self, from: DQuat, to: DQuat, u: f64) -> DQuat {
        let rest = 1.0 - u;
        let from_weight = rest * (sinc(rest * self.angle) / self.sinc);
        let to_weight = u * (sinc(u * self.angle) / self.sinc);
        from * from_weight + to * (self.sign * to_weight)
    }
}

/// The rotation `u` of the way from `from` to `to`: see [`Arc::at`].
pub(crate) fn slerp(from: DQuat, to: DQuat, u: f64) -> DQuat {
    Arc::between(from, to).at(from, to, u)
}

/// `sin(x) / x`, and its limit at 0, for `0 <= x`.
#[inline]
fn sinc(x: f64) -> f64 {
    if x == 0.0 {
        1.0
    } else if x <= FRAC_PI_4 {
        small_sine(x) / x
    } else {
        libm::sin(x) / x
    }
}

/// The coefficients of [`small_sine`].
pub(super) const SINE_TERMS: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];

/// The sine up to an eighth of a turn, to less than a unit in the last place, and the same bits as
/// `libm::sin`; a call less, which counts where twenty joints turn a thousand times a frame.
///
/// # Source
/// Sun Microsystems, "fdlibm", 1993, `k_sin.c` (a polynomial of degree 13), as musl and the crate
/// `libm` have it.
#[inline]
fn small_sine(x: f64) -> f64 {
    let [s1, s2, s3, s4, s5, s6] = SINE_TERMS;
    let z = x * x;
    let w = z * z;
    let r = s2 + z * (s3 + z * s4) + z * w * (s5 + z * s6);
    x + z * x * (s1 + z * r)
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
    fn small_sines_have_the_bits_of_the_library() {
        let mut x = f64::MIN_POSITIVE;
        while x <= FRAC_PI_4 {
            assert_eq!(small_sine(x).to_bits(), libm::sin(x).to_bits(), "{x}");
            x *= if x < 1e-10 { 1.37 } else { 1.000_37 };
        }
        let end = FRAC_PI_4;
        assert_eq!(small_sine(end).to_bits(), libm::sin(end).to_bits());
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
    fn a_rotation_is_found_in_its_matrix_whatever_else_is_in_it() {
        let shear = DMat3::from_cols(
            DVec3::new(2.0, 0.0, 0.0),
            DVec3::new(0.5, 3.0, 0.0),
            DVec3::new(-1.0, 0.25, -0.125),
        );
        for angle in [-3.0, -1.5, 0.0, 0.3, 2.0, 3.1] {
            for axis in 0..4 {
                let mut q = DQuat::from_xyzw(0.1, 0.2, -0.3, libm::cos(angle / 2.0));
                match axis {
                    0 => q.x = libm::sin(angle / 2.0),
                    1 => q.y = libm::sin(angle / 2.0),
                    2 => q.z = libm::sin(angle / 2.0),
                    _ => {}
                }
                let q = normalized(q);
                let found = rotation_of(&(matrix(q) * shear));
                let sign = if dot(found, q) < 0.0 { -1.0 } else { 1.0 };
                assert_near(found * sign, q, 1e-15);
            }
        }
        for flat in [
            DVec3::ZERO,
            DVec3::X,
            DVec3::splat(1e-300),
            DVec3::splat(1e300),
        ] {
            let found = rotation_of(&DMat3::from_cols(flat, flat, flat));
            assert!((dot(found, found) - 1.0).abs() < 1e-15, "{found}");
        }
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
