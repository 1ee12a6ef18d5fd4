//! A moving box against a capsule.
//!
//! The distance between box and segment is a convex function of t. Its entry is approximated in f64;
//! `box_capsule_gap.rs` decides exactly how the two are at a given time, and so whether they hit and
//! how the time is rounded.

use super::box_capsule_gap::{Gap, ShortestVector};
use super::{AabbCast, PairHit};
use crate::Capsule;
use crate::exact::adaptive::{Approx, Number};
use crate::exact::expansion::Expansion;
use crate::exact::rounding::nearest_f32_by;
use core::cmp::Ordering::{Equal, Greater, Less};
use glam::DVec3;

impl Capsule {
    /// The first hit of a moving box with this solid capsule, or `None`.
    ///
    /// The rules are those of [`Sphere::cast_aabb`](crate::Sphere::cast_aabb): the box hits the
    /// capsule at the first t from 0 to 1 at which its distance from the segment is the radius, as
    /// long as it still comes closer there; it overlaps at the start where the distance is less. The
    /// normal is the capsule's, at the point that is touched.
    ///
    /// # Accuracy
    /// Every decision is exact, and `t` is the exact time rounded once. The normal is good to f32.
    ///
    /// # Source
    /// Ericson, "Real-Time Collision Detection", 2005, section 5.5.7, sweeps a sphere against a box
    /// as a ray against the box grown by the sphere; here the box grown by the segment is never made.
    ///
    /// ```
    /// use hitscan::{Aabb, Capsule, glam::Vec3, shape_cast::AabbCast};
    /// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
    /// let guard = Capsule::new([7.0, 0.0, 0.5], [7.0, 5.0, 0.5], 2.0)?;
    /// let cast = AabbCast::new(unit, [8.0, 0.0, 0.0])?;
    /// let hit = guard.cast_aabb(&cast).expect("in the way");
    /// assert_eq!((hit.t, hit.normal), (0.5, Vec3::NEG_X));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn cast_aabb(&self, cast: &AabbCast) -> Option<PairHit> {
        let bounds = self.bounds();
        cast.earliest_floor(bounds.min().as_dvec3(), bounds.max().as_dvec3())?;
        let gap = Gap::new(cast, self);
        let start = gap.state_at(0.0);
        if start.distance == Less {
            return Some(PairHit::OVERLAP);
        }
        // The distance is convex: where it does not shrink at the start it never will.
        if start.trend != Less {
            return None;
        }
        let guess = guess_entry(&gap);
        let end = gap.state_at(1.0);
        let is_hit = match (end.distance, end.trend) {
            (Less, _) | (Equal, Less | Greater) => true,
            // The nearest that it comes is a touch at the end, or it ends still apart.
            (Equal, Equal) | (Greater, Less | Equal) => false,
            // A little after the entry the box is inside, if it is hit at all well.
            (Greater, Greater) => {
                let after = (guess * (1.0 + 1e-6) + 1e-9).min(1.0);
                gap.state_at(after).distance == Less || gap.closes()
            }
        };
        if !is_hit {
            return None;
        }
        let t = nearest_f32_by(guess, &|t| {
            let state = gap.state_at(t);
            match (state.distance, state.trend) {
                (Greater, Less) => Greater,
                (Equal, Less) => Equal,
                // It is inside, or moves away and has been inside.
                _ => Less,
            }
        });
        let outward = outward_at(&gap, guess).unwrap_or_else(|| outward(&gap, t));
        Some(PairHit::at(t, outward))
    }
}

/// How near the entry the normal is computed, in radii: f32 does not hold the difference.
const NEAR: f64 = 1.0 / 67_108_864.0;

/// From the segment to the point of the box that touches the capsule at `t`, if bounds in f64 show
/// that rounding moves it by less than f32 can hold, and that `t` is so near the entry.
fn outward_at(gap: &Gap, t: f64) -> Option<DVec3> {
    let ShortestVector { offset, weight, .. } = gap.shortest_vector(&Approx::from_f64(t))?;
    let vector = DVec3::from_array(offset.map(|x| x.value / weight.value));
    let error = DVec3::from_array(offset.map(|x| x.error / weight.value));
    let distance = vector.length();
    let off = error.length() + distance * (weight.error / weight.value);
    let speed = gap.motion().dot(vector) / distance;
    // How far the box still has to go, at most.
    let way = ((distance - gap.radius()).abs() + off) / speed * gap.motion().length();
    // Also false for NaN. The way is no shorter than what rounding moves the vector by.
    (speed > 0.0 && way <= NEAR * gap.radius()).then_some(-vector)
}

/// From the segment to the point of the box that touches the capsule at the entry near `t`.
fn outward(gap: &Gap, t: f32) -> DVec3 {
    // From shortly before the entry Newton's steps lead to it without rounding the time, so that a
    // radius may be tiny beside the motion. Each leaves what rounding the step leaves, or less near
    // a graze.
    const ALMOST_ALL: f64 = 1.0 - f64::EPSILON * 16.0;
    let mut before = Expansion::from_f64(f64::from(t.next_down().max(0.0)));
    let mut outward = -gap.motion();
    for _ in 0..48 {
        let Some(ShortestVector { offset, weight, .. }) = gap.shortest_vector(&before) else {
            break;
        };
        let weight = weight.to_f64();
        let offset = DVec3::from_array(offset.map(|x| x.to_f64() / weight));
        let distance = offset.length();
        let speed = gap.motion().dot(offset) / distance;
        // Also for NaN: the box has gone past the entry.
        if !(distance > 0.0 && speed > 0.0) {
            break;
        }
        outward = -offset;
        let remaining = (distance - gap.radius()) / speed;
        let is_near = remaining * gap.motion().length() <= NEAR * gap.radius();
        if is_near || !remaining.is_finite() {
            break;
        }
        before = before.plus(&Expansion::from_f64(remaining * ALMOST_ALL));
    }
    outward
}

/// The time at which the distance comes down to the radius, in f64: Newton's method from the left,
/// which never steps over a convex function's root. It ends where the distance grows.
fn guess_entry(gap: &Gap) -> f64 {
    let mut t = 0.0;
    // Each step doubles the digits, except close to a graze, where it halves what is left.
    for _ in 0..64 {
        let Some(ShortestVector { offset, weight, .. }) = gap.shortest_vector::<f64>(&t) else {
            break;
        };
        let offset = DVec3::from_array(offset.map(|x| x / weight));
        let distance = offset.length();
        let speed = gap.motion().dot(offset) / distance;
        let step = (distance - gap.radius()) / speed;
        // Also false for NaN, where the box reaches the segment.
        if !(speed > 0.0 && step > 0.0) || t + step == t {
            break;
        }
        t += step;
        if t >= 1.0 {
            break;
        }
    }
    t.clamp(0.0, 1.0)
}
