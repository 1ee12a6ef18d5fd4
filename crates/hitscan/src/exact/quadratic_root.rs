//! The real roots of quadratics in t, and the signs of other quadratics at them.
//!
//! The coefficients are formulas. A root is computed in f64 with a running error bound; what that does
//! not decide is decided exactly, by reducing one polynomial by the other: then no root is needed, but
//! signs of polynomials in the coefficients, of such a degree that they need [`BigFloat`].
//!
//! Source: Mourrain, Técourt, Teillaud, "On the Computation of an Arrangement of Quadrics in 3D",
//! Computational Geometry 30, 2005, section 3: algebraic numbers of degree two compare by the signs of
//! polynomials.

use super::adaptive::{Approx, Number};
use super::big_float::BigFloat;
use super::expansion::{UNIT_ROUNDOFF, nearest_f32};
use super::rounding::nearest_f32_by;
use core::cmp::Ordering;

/// A polynomial `c0 + c1 t + c2 t²` whose coefficients are polynomials in coordinates.
pub(crate) trait Quadratic {
    /// `[c0, c1, c2]`.
    fn coefficients<N: Number>(&self) -> [N; 3];
}

/// The sign of `quadratic` at `t`.
pub(crate) fn sign_at(quadratic: &impl Quadratic, t: f64) -> Ordering {
    match value::<Approx>(&quadratic.coefficients(), &Number::from_f64(t)).sign() {
        Some(sign) => sign,
        None => value::<BigFloat>(&quadratic.coefficients(), &Number::from_f64(t)).sign(),
    }
}

/// The derivative of a quadratic.
pub(crate) struct Slope<'a, Q>(pub(crate) &'a Q);

impl<Q: Quadratic> Quadratic for Slope<'_, Q> {
    fn coefficients<N: Number>(&self) -> [N; 3] {
        let [_, c1, c2] = self.0.coefficients::<N>();
        [c1, c2.plus(&c2), N::from_f64(0.0)]
    }
}

/// A root of a quadratic that is not constant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Root {
    t: Approx,
    /// The sign of the derivative there; `Equal` for a root that counts twice.
    slope: Ordering,
}

/// The real roots in ascending order: none, one (which may count twice), or two. A quadratic that is 0
/// everywhere has none, and roots beyond ±2^1000 are omitted.
pub(crate) fn roots(quadratic: &impl Quadratic) -> [Option<Root>; 2] {
    roots_from(&quadratic.coefficients(), quadratic)
}

/// [`roots`] of a quadratic whose coefficients are known in f64.
#[inline]
pub(crate) fn roots_from(
    coefficients: &[Approx; 3],
    quadratic: &impl Quadratic,
) -> [Option<Root>; 2] {
    match approximate_roots(coefficients) {
        Some(roots) => roots,
        None => exact_roots(&quadratic.coefficients()),
    }
}

/// The roots, where f64 decides how many there are.
#[inline]
fn approximate_roots([c0, c1, c2]: &[Approx; 3]) -> Option<[Option<Root>; 2]> {
    let opening = c2.sign()?;
    if opening.is_eq() {
        let slope = c1.sign()?;
        if slope.is_eq() {
            // Whether the constant is 0 does not matter.
            return Some([None, None]);
        }
        let t = negated(*c0).over(*c1)?;
        return Some([Some(Root { t, slope }), None]);
    }
    let four = Approx::from_f64(4.0);
    let discriminant = c1.times(c1).minus(&four.times(c0).times(c2));
    match discriminant.sign()? {
        Ordering::Less => return Some([None, None]),
        Ordering::Greater => {}
        // Where all is known to be exact.
        Ordering::Equal => return None,
    }
    let root = discriminant.value.sqrt();
    // |√a - √b| <= |a - b| / √b.
    let error = discriminant.error / root + 2.0 * UNIT_ROUNDOFF * root;
    let root = Approx { value: root, error };
    let half = Approx::from_f64(-0.5);
    // The signs are alike, so that nothing cancels; where c1 may be 0, either way is right.
    let is_negative = c1.value < 0.0;
    let sum = if is_negative {
        c1.minus(&root)
    } else {
        c1.plus(&root)
    };
    let q = half.times(&sum);
    let (over, under) = (q.over(*c2)?, c0.over(q)?);
    let [first, second] = if is_negative == opening.is_gt() {
        [under, over]
    } else {
        [over, under]
    };
    Some(ascending([first, second], opening))
}

/// Two roots of a quadratic whose leading coefficient has this sign.
fn ascending([first, second]: [Approx; 2], opening: Ordering) -> [Option<Root>; 2] {
    let first = Root {
        t: first,
        slope: opening.reverse(),
    };
    let second = Root {
        t: second,
        slope: opening,
    };
    [Some(first), Some(second)]
}

fn negated(a: Approx) -> Approx {
    Approx {
        value: -a.value,
        error: a.error,
    }
}

/// The roots from exact coefficients, themselves rounded.
#[cold]
#[inline(never)]
pub(crate) fn exact_roots([c0, c1, c2]: &[BigFloat; 3]) -> [Option<Root>; 2] {
    let opening = c2.sign();
    if opening.is_eq() {
        let slope = c1.sign();
        let root = slope.is_ne().then(|| quotient(&c0.negated(), c1)).flatten();
        return [root.map(|t| Root { t, slope }), None];
    }
    let four = BigFloat::from_f64(4.0);
    let discriminant = c1.times(c1).minus(&four.times(c0).times(c2));
    let twice = c2.plus(c2);
    if discriminant.sign().is_eq() {
        let t = quotient(&c1.negated(), &twice);
        let slope = Ordering::Equal;
        return [t.map(|t| Root { t, slope }), None];
    }
    if discriminant.sign().is_lt() {
        return [None, None];
    }
    let (mantissa, exponent) = discriminant.to_parts();
    let (mantissa, exponent) = match exponent.rem_euclid(2) {
        0 => (mantissa, exponent),
        _ => (mantissa * 2.0, exponent - 1),
    };
    let root = BigFloat::from_parts(mantissa.sqrt(), exponent / 2);
    // Minus twice q of `approximate_roots`; it is 0 only where c1 and the discriminant are.
    let is_negative = c1.sign().is_lt();
    let sum = if is_negative {
        c1.minus(&root)
    } else {
        c1.plus(&root)
    };
    let (over, under) = (
        quotient(&sum.negated(), &twice),
        quotient(&c0.plus(c0).negated(), &sum),
    );
    let [first, second] = if is_negative == opening.is_gt() {
        [under, over]
    } else {
        [over, under]
    };
    let root = |t: Option<Approx>, slope| t.map(|t| Root { t, slope });
    [root(first, opening.reverse()), root(second, opening)]
}

/// The quotient of two numbers that are off by less than 4u each; `None` where it is beyond 2^1000.
fn quotient(numerator: &BigFloat, denominator: &BigFloat) -> Option<Approx> {
    let ((above, power), (below, power_below)) = (numerator.to_parts(), denominator.to_parts());
    let (quotient, power) = (above / below, power - power_below);
    if quotient == 0.0 || power < -1000 {
        // Below 2^-998.
        let error = if quotient == 0.0 { 0.0 } else { 1e-300 };
        return Some(Approx { value: 0.0, error });
    }
    if power > 1000 {
        return None;
    }
    let value = quotient * libm::ldexp(1.0, i32::try_from(power).unwrap_or(0));
    // Two numbers, rounded to f64 from 64 bits, 3u at most each after their own error, and a division.
    let error = 16.0 * UNIT_ROUNDOFF * value.abs();
    Some(Approx { value, error })
}

impl Root {
    /// The root in f64, with a relative error of a few units of roundoff unless its two terms cancel.
    pub(crate) fn to_f64(self) -> f64 {
        self.t.value
    }

    /// The sign of the quadratic's derivative at the root.
    pub(crate) fn slope(self) -> Ordering {
        self.slope
    }

    /// How the root of `own` compares with `t`, exactly.
    pub(crate) fn compare_f64(self, own: &impl Quadratic, t: f64) -> Ordering {
        if (self.t.value - t).abs() > self.t.error * (1.0 + 4.0 * UNIT_ROUNDOFF) + margin(t) {
            return self.t.value.total_cmp(&t);
        }
        let own = own.coefficients::<BigFloat>();
        let t = BigFloat::from_f64(t);
        compare_with_quotient(&own, self.slope, (&t, &BigFloat::from_f64(1.0)))
    }

    /// The nearest f32 to the root of `own`, never -0. The root lies in the range of f32.
    pub(crate) fn nearest_f32(self, own: &impl Quadratic) -> f32 {
        let Approx { value, error } = self.t;
        let error = error * (1.0 + 4.0 * UNIT_ROUNDOFF) + margin(value);
        let (low, high) = (nearest_f32(value - error), nearest_f32(value + error));
        if low == high {
            return low;
        }
        nearest_f32_by(value, &|t| self.compare_f64(own, t))
    }

    /// The sign of `other` at the root of `own`, exactly.
    #[inline]
    pub(crate) fn sign_of(self, own: &impl Quadratic, other: &impl Quadratic) -> Ordering {
        self.sign_and_value(own, other).0
    }

    /// The sign of `other` at the root of `own`, exactly, and its value as far as f64 has it.
    #[inline]
    pub(crate) fn sign_and_value(
        self,
        own: &impl Quadratic,
        other: &impl Quadratic,
    ) -> (Ordering, f64) {
        let value: Approx = value(&other.coefficients(), &self.t);
        let sign = match value.sign() {
            Some(sign) => sign,
            None => exact_sign_of(&own.coefficients(), self.slope, &other.coefficients()),
        };
        (sign, value.value)
    }

    /// How the root of `own` compares with the root `other` of `others`, exactly.
    pub(crate) fn compare(
        self,
        own: &impl Quadratic,
        other: Self,
        others: &impl Quadratic,
    ) -> Ordering {
        let apart = (self.t.value - other.t.value).abs();
        if apart > (self.t.error + other.t.error) * (1.0 + 8.0 * UNIT_ROUNDOFF) {
            return self.t.value.total_cmp(&other.t.value);
        }
        let value = || self.sign_of(own, others);
        let slope = || self.sign_of(own, &Slope(others));
        let opening = || {
            let [_, _, c2] = others.coefficients::<BigFloat>();
            c2.sign()
        };
        place(other.slope, value, slope, opening)
    }
}

/// What rounding takes from a difference from `t`.
fn margin(t: f64) -> f64 {
    4.0 * UNIT_ROUNDOFF * t.abs()
}

/// `c0 + c1 t + c2 t²`.
#[inline]
fn value<N: Number>([c0, c1, c2]: &[N; 3], t: &N) -> N {
    c2.times(t).plus(c1).times(t).plus(c0)
}

/// The sign of `other` at the root of `own` at which that has this slope.
#[cold]
#[inline(never)]
fn exact_sign_of(own: &[BigFloat; 3], slope: Ordering, other: &[BigFloat; 3]) -> Ordering {
    let [c0, c1, c2] = own;
    let [e0, e1, e2] = other;
    if c2.sign().is_eq() {
        // The root is -c0 / c1; the sign does not change with a square.
        let squares = e2.times(c0).times(c0).plus(&e0.times(c1).times(c1));
        return squares.minus(&e1.times(c0).times(c1)).sign();
    }
    // The remainder `c2 * other - e2 * own` has the sign of `c2 * other` at the root.
    let linear = c2.times(e1).minus(&e2.times(c1));
    let constant = c2.times(e0).minus(&e2.times(c0));
    let remainder = match linear.sign() {
        Ordering::Equal => constant.sign(),
        rising => {
            let zero = (&constant.negated(), &linear);
            let beyond = compare_with_quotient(own, slope, zero);
            times_sign(rising, beyond)
        }
    };
    times_sign(c2.sign(), remainder)
}

/// How the root of `own` at which that has this slope compares with a quotient.
fn compare_with_quotient(
    own: &[BigFloat; 3],
    root_slope: Ordering,
    (numerator, denominator): (&BigFloat, &BigFloat),
) -> Ordering {
    let [c0, c1, c2] = own;
    // The value times the square of the denominator, and the derivative times the denominator.
    let value = || {
        let squares = c2.times(numerator).times(numerator);
        let mixed = c1.times(numerator).plus(&c0.times(denominator));
        squares.plus(&mixed.times(denominator)).sign()
    };
    let slope = || {
        let rise = c2.plus(c2).times(numerator).plus(&c1.times(denominator));
        times_sign(rise.sign(), denominator.sign())
    };
    place(root_slope, value, slope, || c2.sign()).reverse()
}

/// How a point compares with the root of a quadratic at which that has the slope `root_slope`. The
/// arguments are the signs of the quadratic and of its derivative at the point, and of its leading
/// coefficient.
fn place(
    root_slope: Ordering,
    value: impl Fn() -> Ordering,
    slope: impl Fn() -> Ordering,
    opening: impl Fn() -> Ordering,
) -> Ordering {
    let opening = opening();
    if opening.is_eq() {
        // A line: beyond its root it has the sign of its slope.
        return times_sign(root_slope, value());
    }
    // Upside up: below zero between the roots, above it beyond them.
    let value = times_sign(opening, value());
    let is_first = times_sign(opening, root_slope);
    match value {
        // Between the roots: after the first, before the second.
        Ordering::Less => is_first.reverse(),
        Ordering::Greater => times_sign(opening, slope()),
        // At one of the roots; `Equal` where there is one only, the point then being it.
        Ordering::Equal => match (times_sign(opening, slope()), is_first) {
            (at, root) if at == root => Ordering::Equal,
            (at, _) => at,
        },
    }
}

/// The sign of a product.
fn times_sign(a: Ordering, b: Ordering) -> Ordering {
    match a {
        Ordering::Less => b.reverse(),
        Ordering::Equal => Ordering::Equal,
        Ordering::Greater => b,
    }
}
