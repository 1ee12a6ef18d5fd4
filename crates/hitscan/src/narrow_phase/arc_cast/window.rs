//! A conservative interval of t in which an arc may be in a box, for culling.
//!
//! Along an axis the arc is monotone before and after its apex. With the axis turned so that it opens
//! upwards, it is below a plane between two roots of a quadratic, and above it before and after two
//! others. A window errs towards being too long only.

use super::arc::WideArc;
use crate::exact::expansion::UNIT_ROUNDOFF;
use glam::DVec3;

/// By how much a t at which a plane is passed is moved, relative to itself: a difference, a sum, a
/// root and a quotient round once each, and so do the steps between; 16u covers twice as many.
const TIME_WIDENING: f64 = 16.0 * UNIT_ROUNDOFF;

/// Bound on the error of a discriminant `v² - 4 h c` in units of `v² + |4 h c|`: c is a rounded
/// difference, the products and the last difference round four times.
const DISCRIMINANT_ERROR: f64 = 8.0 * UNIT_ROUNDOFF;

/// An arc in the space of a tree, for finding which boxes it may touch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArcBounds {
    origin: DVec3,
    velocity: DVec3,
    half: DVec3,
    /// By how much boxes are widened.
    margin: DVec3,
    t_min: f64,
    t_max: f64,
}

impl From<&WideArc> for ArcBounds {
    fn from(arc: &WideArc) -> Self {
        let terms = [arc.origin, arc.velocity, arc.half];
        Self::new(terms, DVec3::ZERO, [arc.t_min, arc.t_max])
    }
}

impl ArcBounds {
    /// The arc `origin + velocity * t + half * t²` between two t, which may be displaced by `margin`.
    pub(crate) fn new(
        [origin, velocity, half]: [DVec3; 3],
        margin: DVec3,
        [t_min, t_max]: [f64; 2],
    ) -> Self {
        Self {
            origin,
            velocity,
            half,
            margin,
            t_min,
            t_max,
        }
    }

    /// The t up to `limit` between which the arc may be in the closed box from `min` to `max`; `None`
    /// where it certainly is not.
    #[inline]
    pub(crate) fn window(&self, min: DVec3, max: DVec3, limit: f64) -> Option<[f64; 2]> {
        let (min, max) = (min - self.margin, max + self.margin);
        let mut window = [self.t_min, limit.min(self.t_max)];
        // What moves evenly leaves the most out.
        for is_even in [true, false] {
            for axis in 0..3 {
                let half = self.half[axis];
                if (half == 0.0) == is_even {
                    let arc = AxisArc {
                        origin: self.origin[axis],
                        velocity: self.velocity[axis],
                        half,
                    };
                    window = arc.clip(window, min[axis], max[axis])?;
                }
            }
        }
        Some(window)
    }

    /// A box that holds the arc between two t.
    #[inline]
    pub(crate) fn hull(&self, [from, to]: [f64; 2]) -> (DVec3, DVec3) {
        let (mut min, mut max) = (self.at(from), self.at(from));
        let end = self.at(to);
        (min, max) = (min.min(end), max.max(end));
        for axis in 0..3 {
            let half = self.half[axis];
            if half == 0.0 {
                continue;
            }
            let apex = -0.5 * self.velocity[axis] / half;
            if from < apex && apex < to {
                let place = self.origin[axis] + 0.5 * self.velocity[axis] * apex;
                min[axis] = min[axis].min(place);
                max[axis] = max[axis].max(place);
            }
        }
        let margin = self.margin + self.rounding(from.abs().max(to.abs()));
        (min - margin, max + margin)
    }

    fn at(&self, t: f64) -> DVec3 {
        self.origin + (self.velocity + self.half * t) * t
    }

    /// Bound on the error of [`Self::at`] up to this magnitude of t.
    fn rounding(&self, t: f64) -> DVec3 {
        let magnitude = self.origin.abs() + (self.velocity.abs() + self.half.abs() * t) * t;
        magnitude * (8.0 * UNIT_ROUNDOFF)
    }
}

/// An arc along one axis.
#[derive(Debug, Clone, Copy)]
struct AxisArc {
    origin: f64,
    velocity: f64,
    half: f64,
}

impl AxisArc {
    /// The part of a window in which the coordinate may be between `low` and `high`.
    #[inline]
    fn clip(self, window: [f64; 2], low: f64, high: f64) -> Option<[f64; 2]> {
        if self.half > 0.0 {
            self.clip_opening(window, low, high)
        } else if self.half < 0.0 {
            let turned = Self {
                origin: -self.origin,
                velocity: -self.velocity,
                half: -self.half,
            };
            turned.clip_opening(window, -high, -low)
        } else {
            self.clip_even(window, low, high)
        }
    }

    #[inline]
    fn clip_even(self, [from, to]: [f64; 2], low: f64, high: f64) -> Option<[f64; 2]> {
        if self.velocity == 0.0 {
            return (low <= self.origin && self.origin <= high).then_some([from, to]);
        }
        let (near, far) = if self.velocity > 0.0 {
            (low, high)
        } else {
            (high, low)
        };
        let enter = earlier((near - self.origin) / self.velocity);
        let leave = later((far - self.origin) / self.velocity);
        ordered([from.max(enter), to.min(leave)])
    }

    /// As [`Self::clip`], for an arc that opens upwards.
    #[inline]
    fn clip_opening(self, [from, to]: [f64; 2], low: f64, high: f64) -> Option<[f64; 2]> {
        let [descent, ascent] = self.crossings(high)?;
        let [mut from, mut to] =
            ordered([from.max(earlier(descent[0])), to.min(later(ascent[1]))])?;
        // Below the lower plane it is certainly from the latest descent to the earliest ascent.
        if let Some([descent, ascent]) = self.crossings(low) {
            let (below, above) = (later(descent[1]), earlier(ascent[0]));
            if below < from && from < above {
                from = above;
            }
            if below < to && to < above {
                to = below;
            }
        }
        ordered([from, to])
    }

    /// The smallest and the largest t at which the arc may go down through a plane, and up; `None` where it is
    /// certainly above.
    #[inline]
    fn crossings(self, plane: f64) -> Option<[[f64; 2]; 2]> {
        let Self {
            origin,
            velocity,
            half,
        } = self;
        let c = origin - plane;
        let (square, product) = (velocity * velocity, 4.0 * half * c);
        let discriminant = square - product;
        let error = DISCRIMINANT_ERROR * (square + product.abs());
        if discriminant < -error {
            return None;
        }
        // Nothing cancels in q: its terms have one sign.
        let roots = |root: f64| {
            let q = -0.5 * (velocity + root.copysign(velocity));
            let far = q / half;
            let near = if q == 0.0 { far } else { c / q };
            (far, near)
        };
        let (far, near) = roots((discriminant + error).sqrt());
        let (other_far, other_near) = roots((discriminant - error).max(0.0).sqrt());
        let far = [far.min(other_far), far.max(other_far)];
        let near = [near.min(other_near), near.max(other_near)];
        Some(if velocity.is_sign_negative() {
            [near, far]
        } else {
            [far, near]
        })
    }
}

fn ordered([from, to]: [f64; 2]) -> Option<[f64; 2]> {
    (from <= to).then_some([from, to])
}

#[inline]
fn earlier(t: f64) -> f64 {
    t - t.abs() * TIME_WIDENING
}

#[inline]
fn later(t: f64) -> f64 {
    t + t.abs() * TIME_WIDENING
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 at t = 1 and t = 3, 1 at t = 2, downwards.
    fn hump() -> ArcBounds {
        let (origin, velocity) = (DVec3::new(0.0, -3.0, 0.0), DVec3::new(1.0, 4.0, 0.0));
        ArcBounds::new([origin, velocity, -DVec3::Y], DVec3::ZERO, [0.0, 100.0])
    }

    #[test]
    fn a_window_is_from_entering_to_leaving() {
        let window = |low: [f64; 2], high: [f64; 2]| {
            let (min, max) = ([low[0], low[1], 0.0].into(), [high[0], high[1], 0.0].into());
            let [from, to] = hump().window(min, max, 100.0)?;
            // At an apex a window is longer by the root of what rounding takes.
            Some([from, to].map(|t: f64| (t * 1e6).round() / 1e6))
        };
        // Over the top, under it, on either side, beyond either end, and above.
        assert_eq!(window([0.0, 0.0], [9.0, 9.0]), Some([1.0, 3.0]));
        assert_eq!(window([0.0, -9.0], [4.0, 0.0]), Some([0.0, 4.0]));
        assert_eq!(window([0.0, 0.0], [1.5, 9.0]), Some([1.0, 1.5]));
        assert_eq!(window([2.5, 0.0], [9.0, 9.0]), Some([2.5, 3.0]));
        assert_eq!(
            window([1.5, -9.0], [9.0, 0.0]).map(|[from, _]| from),
            Some(3.0)
        );
        assert_eq!(window([1.5, -9.0], [2.5, 0.0]), None);
        assert_eq!(window([0.0, 1.0], [9.0, 2.0]), Some([2.0, 2.0]));
        assert_eq!(window([0.0, 1.001], [9.0, 2.0]), None);
    }

    #[test]
    fn no_point_of_an_arc_is_left_out() {
        let numbers = [0.0, 1e-30, -3.0, 7.25, 1e6, -1e12, 0.1];
        for (i, &v) in numbers.iter().enumerate() {
            for (j, &h) in numbers.iter().enumerate() {
                for (k, &o) in numbers.iter().enumerate() {
                    let turned =
                        |n: usize| DVec3::new(v, numbers[(i + n) % 7], numbers[(j + k) % 7]);
                    let origin = DVec3::new(o, numbers[(k + 2) % 7], -o);
                    let half = DVec3::new(h, -h, numbers[(j + 3) % 7]);
                    let arc = ArcBounds::new([origin, turned(1), half], DVec3::ZERO, [-1e9, 1e9]);
                    for t in [0.0, 0.3, 1.0, -7.0, 1e-9, 1234.5] {
                        let at = arc.at(t);
                        let off = arc.rounding(t);
                        let window = arc.window(at - off, at + off, 1e9);
                        let [from, to] = window.expect("the arc is there");
                        assert!(from <= t && t <= to, "{arc:?} {t} {from} {to}");
                        let (min, max) = arc.hull([t - 1.0, t + 0.5]);
                        assert!((min.cmple(at) & at.cmple(max)).all(), "{arc:?} {t}");
                    }
                }
            }
        }
    }
}
