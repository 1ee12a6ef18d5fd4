//! A moving box against a sphere.
//!
//! The squared distance between box and center is a convex function of t made of quadratic pieces.
//! This file finds the entry in f64 and rounds its time; what f64 cannot decide goes to
//! `box_sphere_gap.rs`.

use super::box_sphere_gap::{Gap, nearest_to_origin};
use super::{AabbCast, PairHit};
use crate::exact::expansion::Expansion;
use crate::{Aabb, Sphere};
use core::cmp::Ordering::{Equal, Greater, Less};
use glam::DVec3;

/// Below this radius, metres, a sphere is a point: its square would lose bits to underflow, and no
/// two f32 differ by so little.
const POINT_RADIUS: f64 = 1e-90;

impl Sphere {
    /// The first hit of a moving box with this solid sphere, or `None`.
    ///
    /// The box hits the sphere at the first t from 0 to 1 at which its distance from the center is
    /// the radius, as long as it still comes closer there: a box that touches and parts, or only
    /// grazes the sphere, does not hit it. It overlaps at the start where the distance is less than
    /// the radius. The normal is the sphere's, at the point that is touched.
    ///
    /// # Accuracy
    /// Every decision is exact, and `t` is the exact time rounded once. A sphere of a radius below
    /// 1e-90 is a point, and answers as a box without extents.
    ///
    /// # Source
    /// Arvo, "A Simple Method for Box-Sphere Intersection Testing", Graphics Gems, 1990, for the
    /// distance; here as a function of time.
    ///
    /// ```
    /// use hitscan::{Aabb, Sphere, glam::Vec3, shape_cast::AabbCast};
    /// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
    /// let cast = AabbCast::new(unit, [8.0, 0.0, 0.0])?;
    /// let hit = Sphere::new([7.0, 0.5, 0.5], 2.0)?.cast_aabb(&cast).expect("in the way");
    /// assert_eq!((hit.t, hit.normal), (0.5, Vec3::NEG_X));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn cast_aabb(&self, cast: &AabbCast) -> Option<PairHit> {
        let (center, radius) = (self.center(), self.radius());
        if radius < POINT_RADIUS {
            return Aabb::from_ordered(center, center).cast_aabb(cast);
        }
        let gap = Gap::new(cast, center, radius);
        let start = gap.state_at(0.0);
        if start.distance == Less {
            return Some(PairHit::OVERLAP);
        }
        // The distance is convex: where it does not shrink at the start it never will.
        if start.trend != Less {
            return None;
        }
        let approach = Approach::follow(gap.low(), gap.high(), gap.motion(), radius);
        let end = gap.state_at(1.0);
        let is_hit = match (end.distance, end.trend) {
            (Less, _) | (Equal, Less | Greater) => true,
            // The nearest that it comes is a touch at the end, or it ends still apart.
            (Equal, Equal) | (Greater, Less | Equal) => false,
            (Greater, Greater) => gap.closes_near(approach.time().clamp(0.0, 1.0)),
        };
        if !is_hit {
            return None;
        }
        let t = round_entry(&gap, approach.time());
        Some(PairHit::at(t, outward(&gap, t, radius)))
    }
}

/// The time of entry rounded to the nearest f32, given an approximation; it lies in 0 to 1.
fn round_entry(gap: &Gap, approximate: f64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "checked below")]
    let guess = approximate.clamp(0.0, 1.0) as f32;
    // Whether the entry, rounded, is no later than the f32 with these bits, ties to even.
    let is_by = |bits: u32| {
        let t = f32::from_bits(bits);
        let midpoint = f64::midpoint(f64::from(t), f64::from(t.next_up()));
        match gap.compare_entry(midpoint) {
            Less => true,
            Equal => bits.is_multiple_of(2),
            Greater => false,
        }
    };
    // From 0 to 1 the bits of f32 are ordered as the numbers are. +0 for -0.
    let bits = (guess + 0.0).to_bits();
    if is_by(bits) && (bits == 0 || !is_by(bits - 1)) {
        return f32::from_bits(bits);
    }
    let (mut low, mut high) = (0, 1.0_f32.to_bits());
    while low < high {
        let middle = u32::midpoint(low, high);
        if is_by(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    f32::from_bits(low)
}

/// From the center to the point of the box that touches the sphere at the entry near `t`.
fn outward(gap: &Gap, t: f32, radius: f64) -> DVec3 {
    // Seen from shortly before the entry the remaining way is short, so that little cancels. Where
    // the radius is tiny beside it the view moves on by almost all of it, each time leaving what
    // rounding to f64 leaves; ten times span f64's range.
    const ALMOST_ALL: f64 = 1.0 - f64::EPSILON * 16.0;
    const LONGEST_WAY: f64 = 4_194_304.0;
    let mut before = Expansion::from_f64(f64::from(t.next_down().max(0.0)));
    for _ in 0..10 {
        let (low, high) = gap.sides_at(&before);
        let approach = Approach::follow(low, high, gap.motion(), radius);
        let remaining = approach.time().max(0.0);
        let way = gap.motion() * remaining;
        let nearest = nearest_to_origin(low + way, high + way);
        // Beside 2^22 radii rounding moves the direction by less than f32 can hold.
        if way.abs().max_element() <= LONGEST_WAY * radius && nearest != DVec3::ZERO {
            return nearest;
        }
        before = before.plus(&Expansion::from_f64(remaining * ALMOST_ALL));
    }
    -gap.motion()
}

/// How the box passes the sphere's center, computed in f64.
enum Approach {
    /// It comes within the radius at this time.
    Enters(f64),
    /// It is nearest at this time, and not within the radius.
    Passes(f64),
}

impl Approach {
    fn time(&self) -> f64 {
        match *self {
            Self::Enters(t) | Self::Passes(t) => t,
        }
    }

    /// Follows the box, which spans `low` to `high` as seen from the center at t = 0, piece by piece
    /// of its squared distance.
    fn follow(low: DVec3, high: DVec3, motion: DVec3, radius: f64) -> Self {
        let axes = [0, 1, 2].map(|i| AxisApproach::new(low[i], high[i], motion[i]));
        let mut t = 0.0;
        // Each of six faces passes the center once at most.
        for _ in 0..7 {
            let [x, y, z] = [0, 1, 2].map(|i| axes[i].offset_after(t));
            let offset = DVec3::new(x.unwrap_or(0.0), y.unwrap_or(0.0), z.unwrap_or(0.0));
            let is_apart = [x.is_some(), y.is_some(), z.is_some()];
            let part = |i: usize| if is_apart[i] { motion[i] } else { 0.0 };
            let speed = DVec3::new(part(0), part(1), part(2));
            let end = axes
                .iter()
                .fold(f64::INFINITY, |end, axis| end.min(axis.next(t)));
            // |offset + t speed|² = radius² is a t² + 2 b t + c = 0.
            let a = speed.length_squared();
            let b = offset.dot(speed);
            let c = offset.length_squared() - radius * radius;
            // The discriminant b² - a c, by Lagrange's identity without cancellation.
            let discriminant = a * (radius * radius) - offset.cross(speed).length_squared();
            if b < 0.0 && discriminant >= 0.0 {
                let root = c / (discriminant.sqrt() - b);
                if root <= end {
                    return Self::Enters(root.max(t));
                }
            }
            let nearest = if a > 0.0 { -b / a } else { t };
            if nearest <= end {
                return Self::Passes(nearest.max(t));
            }
            t = end;
        }
        Self::Passes(t)
    }
}

/// When the two faces across one axis pass the center.
struct AxisApproach {
    first: f64,
    second: f64,
    /// The face that is nearest to the center before `first`, seen from the center at t = 0.
    before: Option<f64>,
    /// The face that is nearest after `second`.
    after: Option<f64>,
}

impl AxisApproach {
    fn new(low: f64, high: f64, speed: f64) -> Self {
        let (leading, trailing) = if speed > 0.0 {
            (high, low)
        } else {
            (low, high)
        };
        if speed == 0.0 {
            let nearest = (low > 0.0).then_some(low).or((high < 0.0).then_some(high));
            return Self {
                first: f64::INFINITY,
                second: f64::INFINITY,
                before: nearest,
                after: nearest,
            };
        }
        Self {
            first: -leading / speed,
            second: -trailing / speed,
            before: Some(leading),
            after: Some(trailing),
        }
    }

    /// The nearest face just after `t`, where it is at t = 0; `None` while the center is between
    /// the faces.
    fn offset_after(&self, t: f64) -> Option<f64> {
        if t < self.first {
            self.before
        } else if t < self.second {
            None
        } else {
            self.after
        }
    }

    /// The next time after `t` at which a face passes the center.
    fn next(&self, t: f64) -> f64 {
        if t < self.first {
            self.first
        } else if t < self.second {
            self.second
        } else {
            f64::INFINITY
        }
    }
}
