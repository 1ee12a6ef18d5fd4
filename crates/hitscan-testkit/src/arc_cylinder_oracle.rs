//! Oracle of a ballistic arc against a cylinder in rational arithmetic: how deep it is in the solid.

use crate::arc_oracle::ExactArc;
use crate::polynomial::{Polynomial, Root};
use crate::round_arc_oracle::ArcInSolid;
use crate::{Exact, Vector, exact};
use num_traits::{Signed, Zero};

/// Where an arc lies to a cylinder's two ends and its side.
#[derive(Debug, Clone)]
pub struct ArcInCylinder {
    /// How far along the axis from the first end, times its length.
    along: Polynomial,
    /// The squared distance from the axis' line, times the square of its length.
    across: Polynomial,
    length_squared: Exact,
    /// A bound of the length from above.
    length: Exact,
    radius: Exact,
}

impl ArcInCylinder {
    /// An arc and the cylinder between two points.
    #[must_use]
    pub fn new(arc: &ExactArc, [a, b]: &[Vector; 2], radius: f64) -> Self {
        let direction: Vector = [0, 1, 2].map(|axis: usize| &b[axis] - &a[axis]);
        let length_squared = direction.iter().fold(Exact::zero(), |sum, x| sum + x * x);
        let length = direction.iter().fold(Exact::zero(), |sum, x| sum + x.abs());
        Self {
            along: arc.beyond(&(a.clone(), direction.clone())),
            across: arc.square_from(a, Some(&direction)),
            length_squared,
            length,
            radius: exact(radius),
        }
    }

    /// What is positive at most outside a cylinder made larger on all sides, or smaller by a negative amount: the two
    /// ends' and the side's. A radius below zero has no inside.
    fn outside(&self, by: &Exact) -> Option<[Polynomial; 3]> {
        let radius = &self.radius + by;
        if radius.is_negative() {
            return None;
        }
        let constant = |value: Exact| Polynomial::new([value]);
        let negative = self.along.scaled(&exact(-1.0));
        let shift = by * &self.length;
        let limit = &radius * &radius * &self.length_squared;
        Some([
            negative.plus(&constant(-shift.clone())),
            self.along.plus(&constant(-(&self.length_squared + &shift))),
            self.across.plus(&constant(-limit)),
        ])
    }
}

impl ArcInSolid for ArcInCylinder {
    fn is_within(&self, t: &Exact, by: &Exact) -> bool {
        self.outside(by)
            .is_some_and(|outside| outside.iter().all(|p| !p.at(t).is_positive()))
    }

    fn is_inside(&self, t: &Exact, by: &Exact) -> bool {
        self.outside(&-by.clone())
            .is_some_and(|outside| outside.iter().all(|p| p.at(t).is_negative()))
    }

    fn enters(&self, by: &Exact, low: &Exact, high: &Exact) -> bool {
        let Some(outside) = self.outside(&-by.clone()) else {
            return false;
        };
        if low > high {
            return false;
        }
        let mut times = vec![Root::rational(low), Root::rational(high)];
        for polynomial in &outside {
            times.extend(polynomial.roots(low, high));
        }
        times.sort_by(Root::compare_root);
        // Between two changes in a row the answer is one.
        let is_inside = |t: &Exact| outside.iter().all(|p| p.at(t).is_negative());
        is_inside(low)
            || is_inside(high)
            || times
                .windows(2)
                .filter(|pair| pair[0].compare_root(&pair[1]).is_lt())
                .any(|pair| is_inside(&pair[0].before(&pair[1])))
    }
}
