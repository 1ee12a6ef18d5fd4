//! Oracle of a ballistic arc against a sphere or a capsule in rational arithmetic: its depth in the
//! solid.

use crate::arc_oracle::ExactArc;
use crate::polynomial::{Polynomial, Root};
use crate::{Exact, Vector, exact};
use num_traits::{Signed, Zero};

/// How deep an arc is in a solid.
pub trait ArcInSolid {
    /// Whether the point at `t` is in the closed solid made larger by this on all sides.
    fn is_within(&self, t: &Exact, by: &Exact) -> bool;

    /// Whether the point at `t` is strictly inside the solid made smaller by this on all sides.
    fn is_inside(&self, t: &Exact, by: &Exact) -> bool;

    /// Whether it is so anywhere in a closed interval of time.
    fn enters(&self, by: &Exact, low: &Exact, high: &Exact) -> bool;
}

/// The distance of an arc from a segment, as piecewise polynomials.
#[derive(Debug, Clone)]
pub struct ArcAroundSegment {
    /// The squared distances from both ends.
    ends: [Polynomial; 2],
    /// The squared distance from the line, times the square of the segment's length; and how far along
    /// it the arc is, from 0 to that square. `None` without length.
    line: Option<(Polynomial, Polynomial)>,
    length_squared: Exact,
    radius: Exact,
}

impl ArcAroundSegment {
    /// An arc and all within a radius of the segment between two points, which may be equal.
    #[must_use]
    pub fn new(arc: &ExactArc, [a, b]: &[Vector; 2], radius: f64) -> Self {
        let direction: Vector = [0, 1, 2].map(|axis: usize| &b[axis] - &a[axis]);
        let length_squared = direction.iter().fold(Exact::zero(), |sum, x| sum + x * x);
        let line = length_squared.is_positive().then(|| {
            let along = arc.beyond(&(a.clone(), direction.clone()));
            (arc.square_from(a, Some(&direction)), along)
        });
        Self {
            ends: [arc.square_from(a, None), arc.square_from(b, None)],
            line,
            length_squared,
            radius: exact(radius),
        }
    }

    fn squared(&self, t: &Exact) -> Exact {
        let Some((across, along)) = &self.line else {
            return self.ends[0].at(t);
        };
        let along = along.at(t);
        if !along.is_positive() {
            self.ends[0].at(t)
        } else if along >= self.length_squared {
            self.ends[1].at(t)
        } else {
            across.at(t) / &self.length_squared
        }
    }
}

impl ArcInSolid for ArcAroundSegment {
    fn is_within(&self, t: &Exact, by: &Exact) -> bool {
        let radius = &self.radius + by;
        self.squared(t) <= &radius * &radius
    }

    fn is_inside(&self, t: &Exact, by: &Exact) -> bool {
        let radius = &self.radius - by;
        radius.is_positive() && self.squared(t) < &radius * &radius
    }

    fn enters(&self, by: &Exact, low: &Exact, high: &Exact) -> bool {
        let radius = &self.radius - by;
        if !radius.is_positive() || low > high {
            return false;
        }
        let limit = &radius * &radius;
        let less = |p: &Polynomial, by: &Exact| p.plus(&Polynomial::new([-by.clone()]));
        let mut changes = vec![less(&self.ends[0], &limit), less(&self.ends[1], &limit)];
        if let Some((across, along)) = &self.line {
            changes.push(less(across, &(&limit * &self.length_squared)));
            changes.push(along.clone());
            changes.push(less(along, &self.length_squared));
        }
        let mut times = vec![Root::rational(low), Root::rational(high)];
        for polynomial in &changes {
            times.extend(polynomial.roots(low, high));
        }
        times.sort_by(Root::compare_root);
        // Between two changes in a row the answer is one.
        let is_near = |t: &Exact| self.squared(t) < limit;
        is_near(low)
            || is_near(high)
            || times
                .windows(2)
                .filter(|pair| pair[0].compare_root(&pair[1]).is_lt())
                .any(|pair| is_near(&pair[0].before(&pair[1])))
    }
}

/// Two to this power.
#[must_use]
pub fn power_of_two(power: i32) -> Exact {
    exact(libm::ldexp(1.0, power))
}
