//! The point in which an edge crosses a plane, rounded once to the nearest f32.
//!
//! Whether it crosses is decided by `triangle_triangle.rs`; this only computes where.

use super::orientation::PlaneSide;
use crate::exact::adaptive::{Approx, Formula, Number};
use crate::exact::expansion::{Expansion, nearest_f32, nearest_f32_quotient};
use glam::{DVec3, Vec3};

/// The point of the edge from `p` to `q` in the plane of `plane`.
///
/// `q` must be off the plane, and `p` on it or on the other side.
pub(super) fn crossing_point(p: DVec3, q: DVec3, plane: &[DVec3; 3]) -> Vec3 {
    let approx = Weights::<Approx>::new(p, q, plane);
    let mut exact: Option<Weights<Expansion>> = None;
    let coordinate = |axis: usize| {
        approx.coordinate(p[axis], q[axis]).unwrap_or_else(|| {
            let weights = exact.get_or_insert_with(|| Weights::new(p, q, plane));
            nearest_f32_quotient(&weights.numerator(p[axis], q[axis]), &weights.sum)
        })
    };
    Vec3::from_array([0, 1, 2].map(coordinate))
}

/// How much of each end the crossing point has: `(p * of_p + q * of_q) / sum`, where the weights
/// are the plane's formula at the other end, one of them negated, so that neither cancels.
struct Weights<N> {
    of_p: N,
    of_q: N,
    sum: N,
}

impl<N: Number> Weights<N> {
    fn new(p: DVec3, q: DVec3, plane: &[DVec3; 3]) -> Self {
        let of_p: N = PlaneSide { plane, point: q }.value();
        let of_q = N::from_f64(0.0).minus(&PlaneSide { plane, point: p }.value());
        let sum = of_p.plus(&of_q);
        Self { of_p, of_q, sum }
    }

    fn numerator(&self, p: f64, q: f64) -> N {
        let from_p = self.of_p.times(&N::from_f64(p));
        from_p.plus(&self.of_q.times(&N::from_f64(q)))
    }
}

impl Weights<Approx> {
    /// The nearest f32, if everything within the error bound rounds to it.
    fn coordinate(&self, p: f64, q: f64) -> Option<f32> {
        let Approx { value, error } = self.numerator(p, q).over(self.sum)?;
        // Rounding is monotone; the ends are one step wider to make good for these two sums.
        let low = nearest_f32((value - error).next_down());
        let high = nearest_f32((value + error).next_up());
        (low == high).then_some(low)
    }
}

/// The nearest f32 to each coordinate, never -0.
pub(super) fn rounded_point(p: DVec3) -> Vec3 {
    Vec3::from_array(p.to_array().map(nearest_f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_midpoint_of_two_f32_goes_to_the_even_one() {
        let plane = [DVec3::ZERO, DVec3::X, DVec3::Z];
        let ulp = f64::from(f32::EPSILON);
        // The crossing lies half way along the edge: x is (1 + (1 + ulp)) / 2.
        let p = DVec3::new(1.0, -1.0, 0.0);
        let q = DVec3::new(1.0 + ulp, 1.0, 0.0);
        assert_eq!(crossing_point(p, q, &plane), Vec3::X);
        let p = DVec3::new(1.0 + 2.0 * ulp, -1.0, 0.0);
        let even = Vec3::new(1.0 + 2.0 * f32::EPSILON, 0.0, 0.0);
        assert_eq!(crossing_point(p, q, &plane), even);
    }

    #[test]
    fn a_coordinate_of_zero_is_positive_zero() {
        let plane = [DVec3::ZERO, DVec3::X, DVec3::Z];
        let point = crossing_point(
            DVec3::new(-0.0, 1.0, -1e-60),
            DVec3::new(0.0, -1.0, 0.0),
            &plane,
        );
        assert!(point.to_array().iter().all(|x| x.to_bits() == 0));
    }
}
