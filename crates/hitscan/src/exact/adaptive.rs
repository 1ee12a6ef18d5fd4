//! The signs of formulas: f64 with a running error bound first, exact expansions if undecided.
//!
//! A formula is written once over [`Number`] and evaluated in [`Approx`]; only where the bound
//! reaches over zero it is evaluated again in [`Expansion`]. What the formulas mean is explained with
//! the shapes.

use super::big_float::BigFloat;
use super::expansion::{Expansion, UNIT_ROUNDOFF};
use core::cmp::Ordering;
use glam::DVec3;

/// What a formula is evaluated in: sums, differences and products.
pub(crate) trait Number: Clone {
    fn from_f64(a: f64) -> Self;
    fn difference(a: f64, b: f64) -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;

    /// How the number compares with zero, if that is known.
    fn known_sign(&self) -> Option<Ordering>;

    /// The number without its sign.
    fn magnitude(&self) -> Self;

    /// The smaller of two numbers.
    fn min_with(&self, other: &Self) -> Self {
        let is_less = self.minus(other).known_sign().is_some_and(Ordering::is_lt);
        if is_less { self } else { other }.clone()
    }

    /// The greater of two numbers.
    fn max_with(&self, other: &Self) -> Self {
        let is_less = self.minus(other).known_sign().is_some_and(Ordering::is_lt);
        if is_less { other } else { self }.clone()
    }
}

/// A polynomial in the coordinates of shapes.
pub(crate) trait Formula {
    fn value<N: Number>(&self) -> N;
}

/// The exact sign of `formula`: how its value compares with zero.
pub(crate) fn sign(formula: &impl Formula) -> Ordering {
    match formula.value::<Approx>().sign() {
        Some(sign) => sign,
        None => formula.value::<Expansion>().sign(),
    }
}

impl Number for Expansion {
    fn from_f64(a: f64) -> Self {
        Expansion::from_f64(a)
    }

    fn difference(a: f64, b: f64) -> Self {
        Expansion::from_difference(a, b)
    }

    fn plus(&self, other: &Self) -> Self {
        Expansion::plus(self, other)
    }

    fn minus(&self, other: &Self) -> Self {
        Expansion::minus(self, other)
    }

    fn times(&self, other: &Self) -> Self {
        Expansion::times(self, other)
    }

    fn known_sign(&self) -> Option<Ordering> {
        Some(Expansion::sign(self))
    }

    fn magnitude(&self) -> Self {
        match Expansion::sign(self) {
            Ordering::Less => Expansion::minus(&Expansion::from_f64(0.0), self),
            _ => self.clone(),
        }
    }
}

impl Number for BigFloat {
    fn from_f64(a: f64) -> Self {
        BigFloat::from_f64(a)
    }

    fn difference(a: f64, b: f64) -> Self {
        BigFloat::minus(&BigFloat::from_f64(a), &BigFloat::from_f64(b))
    }

    fn plus(&self, other: &Self) -> Self {
        BigFloat::plus(self, other)
    }

    fn minus(&self, other: &Self) -> Self {
        BigFloat::minus(self, other)
    }

    fn times(&self, other: &Self) -> Self {
        BigFloat::times(self, other)
    }

    fn known_sign(&self) -> Option<Ordering> {
        Some(BigFloat::sign(self))
    }

    fn magnitude(&self) -> Self {
        BigFloat::magnitude(self)
    }
}

/// Plain rounding, every sign being taken as it comes: for first guesses.
impl Number for f64 {
    fn from_f64(a: f64) -> Self {
        a
    }

    fn difference(a: f64, b: f64) -> Self {
        a - b
    }

    fn plus(&self, other: &Self) -> Self {
        self + other
    }

    fn minus(&self, other: &Self) -> Self {
        self - other
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn known_sign(&self) -> Option<Ordering> {
        self.partial_cmp(&0.0)
    }

    fn magnitude(&self) -> Self {
        self.abs()
    }
}

/// An f64 and a bound on how far the exact number may be from it.
///
/// Source: Higham, "Accuracy and Stability of Numerical Algorithms", 2002, section 3.3 (running
/// error analysis): rounding to nearest errs by at most [`UNIT_ROUNDOFF`] times the rounded result,
/// and nothing where a sum rounds to zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Approx {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

/// Bounds are sums and products of at most eight rounded operations; this factor covers their own
/// rounding, since `(1 + UNIT_ROUNDOFF)^8 < 1 + 16 * UNIT_ROUNDOFF`.
const INFLATE: f64 = 1.0 + 16.0 * UNIT_ROUNDOFF;

/// More than what underflow can take from a product and from its bound: 2^-1074, 5e-324, a step; a formula
/// would need 1e23 steps to reach this.
const UNDERFLOW: f64 = 1e-300;

impl Approx {
    /// How the exact number compares with zero, if the bound decides it.
    pub(crate) fn sign(self) -> Option<Ordering> {
        if self.error < self.value.abs() || self.error == 0.0 {
            self.value.partial_cmp(&0.0)
        } else {
            None
        }
    }

    /// `value` with the bound `error`, to which its own rounding is added.
    fn off_by(value: f64, error: f64) -> Self {
        let error = (error + UNIT_ROUNDOFF * value.abs()) * INFLATE;
        Self { value, error }
    }

    fn is_zero(self) -> bool {
        self.value == 0.0 && self.error == 0.0
    }

    /// `self / divisor`, unless the divisor may be near zero.
    pub(crate) fn over(self, divisor: Self) -> Option<Self> {
        let min = divisor.value.abs() - divisor.error;
        let is_far_from_zero = min > 0.5 * divisor.value.abs() && min > UNDERFLOW;
        is_far_from_zero.then(|| {
            let quotient = self.value / divisor.value;
            let error = (self.error + quotient.abs() * divisor.error) / min;
            Self::off_by(quotient, error + UNDERFLOW)
        })
    }
}

impl Number for Approx {
    fn from_f64(a: f64) -> Self {
        let (value, error) = (a, 0.0);
        Self { value, error }
    }

    fn difference(a: f64, b: f64) -> Self {
        Self::off_by(a - b, 0.0)
    }

    fn plus(&self, other: &Self) -> Self {
        Self::off_by(self.value + other.value, self.error + other.error)
    }

    fn minus(&self, other: &Self) -> Self {
        Self::off_by(self.value - other.value, self.error + other.error)
    }

    fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::from_f64(0.0);
        }
        let spread = self.value.abs() * other.error
            + other.value.abs() * self.error
            + self.error * other.error;
        Self::off_by(self.value * other.value, spread + UNDERFLOW)
    }

    fn known_sign(&self) -> Option<Ordering> {
        self.sign()
    }

    fn magnitude(&self) -> Self {
        Self {
            value: self.value.abs(),
            error: self.error,
        }
    }

    /// A minimum is off by no more than the worse of its arguments.
    fn min_with(&self, other: &Self) -> Self {
        Self {
            value: self.value.min(other.value),
            error: self.error.max(other.error),
        }
    }

    fn max_with(&self, other: &Self) -> Self {
        Self {
            value: self.value.max(other.value),
            error: self.error.max(other.error),
        }
    }
}

/// The value of a predicate that is evaluated in [`Approx`] first, where that decides, and else in
/// [`Expansion`], which always can.
pub(crate) fn decided<T>(approx: Option<T>, exact: impl FnOnce() -> Option<T>) -> T {
    match approx.or_else(exact) {
        Some(answer) => answer,
        None => unreachable!("the sign of an expansion is known"),
    }
}

/// A vector of given numbers.
pub(crate) fn vector<N: Number>(v: DVec3) -> [N; 3] {
    v.to_array().map(N::from_f64)
}

/// The vector from `from` to `to`.
pub(crate) fn between<N: Number>(from: DVec3, to: DVec3) -> [N; 3] {
    [
        N::difference(to.x, from.x),
        N::difference(to.y, from.y),
        N::difference(to.z, from.z),
    ]
}

/// `a · b`.
pub(crate) fn dot<N: Number>(a: &[N; 3], b: &[N; 3]) -> N {
    let [x, y, z] = [0, 1, 2].map(|axis| a[axis].times(&b[axis]));
    x.plus(&y).plus(&z)
}

/// A vector's values, and a bound on the error of each.
pub(crate) fn rounded(v: &[Approx; 3]) -> (DVec3, f64) {
    let errors = v.iter().map(|component| component.error);
    let values = [0, 1, 2].map(|axis| v[axis].value);
    (DVec3::from_array(values), errors.fold(0.0, f64::max))
}

/// A vector in f64, correct to 2^-40 of it.
pub(crate) fn rounded_vector(v: &[Approx; 3], exact: impl FnOnce() -> [Expansion; 3]) -> DVec3 {
    let (value, error) = rounded(v);
    if value.abs().max_element() > error * (1_u64 << 40) as f64 {
        return value;
    }
    DVec3::from_array(exact().map(|component| component.to_f64()))
}

/// How `a / c` compares with `b / d`, if the signs that decide it are known.
pub(crate) fn compare_quotients<N: Number>([a, c]: &[N; 2], [b, d]: &[N; 2]) -> Option<Ordering> {
    // a/c < b/d is a*d < b*c where c*d > 0.
    let order = a.times(d).minus(&b.times(c)).known_sign()?;
    let is_positive = c.known_sign()? == d.known_sign()?;
    Some(if is_positive { order } else { order.reverse() })
}

/// `a × b`.
pub(crate) fn cross<N: Number>(a: &[N; 3], b: &[N; 3]) -> [N; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i].times(&b[j]).minus(&a[j].times(&b[i])))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Cubed(f64, f64);

    impl Formula for Cubed {
        /// `(a - b)³ - a³ + 3a²b - 3ab² + b³`, which is zero.
        fn value<N: Number>(&self) -> N {
            let (a, b) = (N::from_f64(self.0), N::from_f64(self.1));
            let (three, difference) = (N::from_f64(3.0), N::difference(self.0, self.1));
            let cube = difference.times(&difference).times(&difference);
            let middle = three.times(&a).times(&b).times(&difference);
            let ends = a.times(&a).times(&a).minus(&b.times(&b).times(&b));
            cube.minus(&ends).plus(&middle)
        }
    }

    #[test]
    fn an_identity_is_zero_and_the_bound_knows_that_it_may_be() {
        for (a, b) in [(0.1, 0.7), (1e10, -1.0 / 3.0), (1.0 + 1e-15, 1.0)] {
            assert_eq!(Cubed(a, b).value::<Approx>().sign(), None);
            assert_eq!(sign(&Cubed(a, b)), Ordering::Equal);
        }
    }

    #[test]
    fn zeros_are_known_to_be_exact() {
        let difference = Approx::difference(0.3, 0.3);
        let product = difference.times(&Approx::difference(1.0, 0.3));
        assert_eq!(product.plus(&difference).sign(), Some(Ordering::Equal));
    }

    #[test]
    fn products_that_underflow_are_undecided() {
        let tiny = Approx::from_f64(1e-200);
        assert_eq!(tiny.times(&tiny).sign(), None);
    }
}
