//! The moving box against a capsule.
//!
//! The distance between box and segment is a convex function of t. Its first contact is guessed in
//! f64; how the two stand at any given time is told exactly by `box_capsule_gap.rs`, which decides
//! whether they meet and rounds the time.

use super::box_capsule_gap::{Gap, Way};
use super::{BoxMotion, Contact};
use crate::Capsule;
use crate::exact::adaptive::{Approx, Number};
use crate::exact::expansion::Expansion;
use crate::exact::rounding::nearest_f32_by;
use core::cmp::Ordering::{Equal, Greater, Less};
use glam::DVec3;

/// The first contact of a moving box with a solid capsule, or `None`.
///
/// The rules are those of [`box_sphere`]: the box meets the capsule at the first t from 0 to 1 at
/// which its distance from the segment is the radius, as long as it still comes closer there; it
/// overlaps at the start where the distance is less. The normal is the capsule's, at the point that
/// is touched.
///
/// # Accuracy
/// Every decision is exact, and `t` is the exact time rounded once. The normal is good to f32.
///
/// # Source
/// Ericson, "Real-Time Collision Detection", 2005, section 5.5.7, sweeps a sphere against a box as
/// a ray against the box grown by the sphere; here the box grown by the segment is never made.
///
/// [`box_sphere`]: super::box_sphere()
///
/// ```
/// use hitscan::{Aabb, Capsule, glam::Vec3, sweep};
/// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
/// let guard = Capsule::new([7.0, 0.0, 0.5], [7.0, 5.0, 0.5], 2.0)?;
/// let moving = shape_cast::BoxMotion::new(unit, [8.0, 0.0, 0.0])?;
/// let contact = shape_cast::box_capsule(&moving, &guard).expect("in the way");
/// assert_eq!((contact.t, contact.normal), (0.5, Vec3::NEG_X));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn box_capsule(moving: &BoxMotion, capsule: &Capsule) -> Option<Contact> {
    moving.earliest_t(&capsule.bounds())?;
    let gap = Gap::new(moving, capsule);
    let start = gap.standing(0.0);
    if start.distance == Less {
        return Some(Contact::OVERLAP);
    }
    // The distance is convex: where it does not shrink at the start it never will.
    if start.course != Less {
        return None;
    }
    let guess = guess_entry(&gap);
    let end = gap.standing(1.0);
    let is_met = match (end.distance, end.course) {
        (Less, _) | (Equal, Less | Greater) => true,
        // The nearest that it comes is a touch at the end, or it ends still apart.
        (Equal, Equal) | (Greater, Less | Equal) => false,
        // A little after the entry the box is inside, if it is met at all well.
        (Greater, Greater) => {
            let after = (guess * (1.0 + 1e-6) + 1e-9).min(1.0);
            gap.standing(after).distance == Less || gap.closes()
        }
    };
    if !is_met {
        return None;
    }
    let t = nearest_f32_by(guess, &|t| {
        let standing = gap.standing(t);
        match (standing.distance, standing.course) {
            (Greater, Less) => Greater,
            (Equal, Less) => Equal,
            // It is inside, or moves away and has been inside.
            _ => Less,
        }
    });
    let outward = outward_at(&gap, guess).unwrap_or_else(|| outward(&gap, t));
    Some(Contact::hit(t, outward))
}

/// How near the contact the normal is looked at, in radii: f32 cannot tell the difference.
const NEAR: f64 = 1.0 / 67_108_864.0;

/// From the segment to the point of the box that touches the capsule at `t`, if bounds in f64 show
/// that rounding moves it by less than f32 can tell, and that `t` is so near the entry.
fn outward_at(gap: &Gap, t: f64) -> Option<DVec3> {
    let Way { offset, weight, .. } = gap.way(&Approx::from_f64(t))?;
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
        let Some(Way { offset, weight, .. }) = gap.way(&before) else {
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
        let Some(Way { offset, weight, .. }) = gap.way::<f64>(&t) else {
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
