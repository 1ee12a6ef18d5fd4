//! The distance of a point from the nearest feature of a core, less a radius: rounded once, and
//! compared exactly.
//!
//! The squared distance of the cores is a quotient of polynomials; the root is never taken exactly,
//! but compared by squares.

use super::nearest::{Feature, Nearest};
use crate::exact::adaptive::{Approx, Formula, Number, between, cross, dot, sign};
use crate::exact::expansion::{UNIT_ROUNDOFF, nearest_f32};
use crate::exact::rounding::nearest_f32_by;
use core::cmp::Ordering;

impl Nearest {
    /// Numerator and denominator of the squared distance.
    pub(super) fn squared<N: Number>(&self) -> [N; 2] {
        let corners = &self.corners;
        match self.feature {
            Feature::Corner(k) => {
                let offset: [N; 3] = between(corners[k], self.point);
                [dot(&offset, &offset), N::from_f64(1.0)]
            }
            Feature::Edge(i, j) => {
                let edge: [N; 3] = between(corners[i], corners[j]);
                let moment = cross(&edge, &between(corners[i], self.point));
                [dot(&moment, &moment), dot(&edge, &edge)]
            }
            Feature::Face => {
                let normal: [N; 3] = self.normal();
                let height = dot(&normal, &between(corners[0], self.point));
                [height.times(&height), dot(&normal, &normal)]
            }
        }
    }

    /// How the distance, less `radius`, compares with `limit`, exactly.
    pub(super) fn compare(&self, radius: f64, limit: f64) -> Ordering {
        if limit.is_infinite() {
            return 0.0f64.total_cmp(&limit);
        }
        if sign(&Sum(limit, radius)).is_lt() {
            return Ordering::Greater;
        }
        sign(&Excess {
            nearest: self,
            radius,
            limit,
        })
    }

    /// How the distances from two features compare, exactly.
    pub(super) fn compare_distance(&self, other: &Self) -> Ordering {
        sign(&Difference(self, other))
    }

    /// The distance less `radius`, rounded to the nearest f32 and held in its range, never -0.
    pub(super) fn rounded(&self, radius: f64) -> f32 {
        let [numerator, denominator] = self.squared::<Approx>();
        let mut guess = 0.0;
        if let Some(square) = numerator.over(denominator) {
            // A root errs by half an ulp, and so does each sum; the ends are one step wider for it.
            let low = (square.value - square.error).max(0.0).sqrt().next_down() - radius;
            let high = (square.value + square.error).sqrt().next_up() - radius;
            let (min, max) = (nearest_f32(low.next_down()), nearest_f32(high.next_up()));
            if min == max {
                return min.clamp(f32::MIN, f32::MAX);
            }
            guess = f64::midpoint(low, high);
        }
        let by = |limit: f64| self.compare(radius, limit);
        nearest_f32_by(if guess.is_finite() { guess } else { 0.0 }, &by)
    }
}

/// `a + b`.
struct Sum(f64, f64);

impl Formula for Sum {
    fn value<N: Number>(&self) -> N {
        N::difference(self.0, -self.1)
    }
}

/// The squared distance less that of `limit + radius`, times the denominator.
struct Excess<'a> {
    nearest: &'a Nearest,
    radius: f64,
    limit: f64,
}

impl Formula for Excess<'_> {
    fn value<N: Number>(&self) -> N {
        let [numerator, denominator] = self.nearest.squared::<N>();
        let sum: N = Sum(self.limit, self.radius).value();
        numerator.minus(&sum.times(&sum).times(&denominator))
    }
}

/// One squared distance less another, times both denominators.
struct Difference<'a>(&'a Nearest, &'a Nearest);

impl Formula for Difference<'_> {
    fn value<N: Number>(&self) -> N {
        let [[a, c], [b, d]]: [[N; 2]; 2] = [self.0.squared(), self.1.squared()];
        a.times(&d).minus(&b.times(&c))
    }
}

/// The largest number that rounds to an f32 no greater than `distance`: within it a shape may
/// still tie.
pub(crate) fn tie_limit(distance: f32) -> f64 {
    f64::midpoint(f64::from(distance), f64::from(distance.next_up()))
        + UNIT_ROUNDOFF * f64::from(distance).abs()
}
