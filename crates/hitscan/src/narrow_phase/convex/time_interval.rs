//! The interval of t in which two shapes touch or overlap on one axis, enclosed in f64.
//!
//! Enclosures have derived bounds and decide nothing where they overlap; `interval_intersection.rs`
//! intersects the intervals and decides the rest exactly. Nothing here depends on the shapes.

use crate::exact::expansion::UNIT_ROUNDOFF;
use core::cmp::Ordering;

/// All real numbers within `error` of `value`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounded {
    pub(crate) value: f64,
    pub(crate) error: f64,
}

impl Bounded {
    pub(crate) fn exactly(value: f64) -> Self {
        Self { value, error: 0.0 }
    }

    /// The difference of two f64, rounded once. Differences never underflow.
    pub(crate) fn difference(a: f64, b: f64) -> Self {
        let value = a - b;
        Self {
            value,
            error: UNIT_ROUNDOFF * value.abs(),
        }
    }

    /// The smaller of two: a minimum is off by no more than the worse of its arguments.
    pub(crate) fn min(self, other: Self) -> Self {
        Self {
            value: self.value.min(other.value),
            error: self.error.max(other.error),
        }
    }

    /// The greater of two.
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            value: self.value.max(other.value),
            error: self.error.max(other.error),
        }
    }

    pub(crate) fn range(self) -> Range {
        if self.error == 0.0 {
            return Range::point(self.value);
        }
        Range {
            low: (self.value - self.error).next_down(),
            high: (self.value + self.error).next_up(),
        }
    }
}

/// An enclosure of a real number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Range {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Range {
    pub(crate) const ALL: Self = Self {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    };

    pub(crate) fn point(x: f64) -> Self {
        Self { low: x, high: x }
    }

    fn negated(self) -> Self {
        Self {
            low: -self.high,
            high: -self.low,
        }
    }

    /// An enclosure of the quotient by a positive number.
    fn over(self, divisor: Self) -> Self {
        let low = match self.low {
            0.0 => 0.0,
            low if low > 0.0 => (low / divisor.high).next_down(),
            low => (low / divisor.low).next_down(),
        };
        let high = match self.high {
            0.0 => 0.0,
            high if high < 0.0 => (high / divisor.high).next_up(),
            high => (high / divisor.low).next_up(),
        };
        Self { low, high }
    }

    /// How the numbers compare, where the enclosures decide.
    pub(crate) fn compare(self, other: Self) -> Option<Ordering> {
        if self.high < other.low {
            Some(Ordering::Less)
        } else if self.low > other.high {
            Some(Ordering::Greater)
        } else if self.low == self.high && other.low == other.high {
            Some(Ordering::Equal)
        } else {
            None
        }
    }
}

/// Box and obstacle on one axis, in any scale: the box starts `near` short of touching the
/// obstacle's lower end, `far` short of leaving its upper end, and moves by `speed`.
///
/// `near = min(obstacle) - max(box)` and `far = max(obstacle) - min(box)`, so `near <= far`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Projection {
    pub(crate) near: Bounded,
    pub(crate) far: Bounded,
    pub(crate) speed: Bounded,
}

/// Enclosures of when the shapes begin and cease to overlap on one axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeInterval {
    pub(crate) enter: Range,
    pub(crate) leave: Range,
    /// The motion along the axis, as far as f64 decides it.
    pub(crate) along: Along,
}

/// The motion along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Along {
    Forward,
    Backward,
    /// There is none, and the shapes overlap on the axis at all times.
    Static,
    /// Only exact numbers decide; the enclosures hold all times.
    Unknown,
}

impl Projection {
    /// Whether the shapes are certainly apart on this axis from t = 0 to `latest`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_apart_until(&self, latest: f64) -> bool {
        let (near, far, speed) = (self.near, self.far, self.speed);
        // How far the shape comes at most along the axis and against it.
        let forth = (speed.value + speed.error).max(0.0) * latest;
        let back = (speed.error - speed.value).max(0.0) * latest;
        // Each side is rounded four times at most.
        let certain = |gap: f64, error: f64, way: f64| {
            gap > error + way + 8.0 * UNIT_ROUNDOFF * (gap.abs() + error + way)
        };
        certain(near.value, near.error, forth) || certain(-far.value, far.error, back)
    }

    /// Encloses the interval of t; `None` where the shapes certainly never overlap on this axis.
    #[inline]
    pub(crate) fn enclose(&self) -> Option<TimeInterval> {
        let (near, far) = (self.near.range(), self.far.range());
        let speed = self.speed.range();
        if speed.low > 0.0 {
            return Some(TimeInterval {
                enter: near.over(speed),
                leave: far.over(speed),
                along: Along::Forward,
            });
        }
        if speed.high < 0.0 {
            let speed = speed.negated();
            return Some(TimeInterval {
                enter: far.negated().over(speed),
                leave: near.negated().over(speed),
                along: Along::Backward,
            });
        }
        let is_still = speed.low == 0.0 && speed.high == 0.0;
        if is_still && (near.low >= 0.0 || far.high <= 0.0) {
            return None;
        }
        let overlaps = near.high < 0.0 && far.low > 0.0;
        Some(TimeInterval {
            enter: Range::ALL,
            leave: Range::ALL,
            along: if is_still && overlaps {
                Along::Static
            } else {
                Along::Unknown
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounded(value: f64, error: f64) -> Bounded {
        Bounded { value, error }
    }

    #[test]
    fn quotients_are_enclosed_whatever_the_signs() {
        for (n, d) in [(1.0, 3.0), (-1.0, 3.0), (2.0, 0.7), (0.0, 5.0)] {
            let quotient = bounded(n, 0.1).range().over(bounded(d, 0.1).range());
            for n in [n - 0.1, n, n + 0.1] {
                for d in [d - 0.1, d, d + 0.1] {
                    assert!(quotient.low <= n / d && n / d <= quotient.high, "{n} / {d}");
                }
            }
        }
    }

    #[test]
    fn a_still_axis_overlaps_always_or_never() {
        let on_axis = |near, far| Projection {
            near: Bounded::exactly(near),
            far: Bounded::exactly(far),
            speed: Bounded::exactly(0.0),
        };
        let along = |projection: Projection| projection.enclose().map(|span| span.along);
        assert_eq!(along(on_axis(-1.0, 2.0)), Some(Along::Static));
        assert_eq!(along(on_axis(0.0, 2.0)), None);
        assert_eq!(along(on_axis(-3.0, 0.0)), None);
    }

    #[test]
    fn a_speed_that_may_vanish_is_left_to_the_exact_fallback() {
        let projection = Projection {
            near: Bounded::exactly(1.0),
            far: Bounded::exactly(2.0),
            speed: bounded(1e-20, 1e-19),
        };
        let along = projection.enclose().map(|span| span.along);
        assert_eq!(along, Some(Along::Unknown));
    }
}
