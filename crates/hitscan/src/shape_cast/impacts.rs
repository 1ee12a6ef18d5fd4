//! All pairs of many moving boxes that meet, in order of time.
//!
//! Boxes around what each passes through are paired (`all_pairs/`), and `box_motions.rs` decides
//! each pair.

use super::{BoxMotion, Contact, box_motions};
use crate::Aabb;
use crate::broad_phase;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::simd::Width;
use glam::{DVec3, Vec3};

/// How many motions are looked at to find the usual one.
const SAMPLE: usize = 255;

/// Two moving boxes that meet, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// The lower number.
    pub a: u32,
    /// The higher number.
    pub b: u32,
    /// When they meet; the normal is that of the face of `b` that `a` meets.
    pub contact: Contact,
}

/// All pairs of `boxes` that meet while t goes from 0 to 1, each once, sorted by t, then a, then b.
///
/// Each pair's answer is [`box_motions()`] of its lower and its higher number, so what overlaps at the
/// start comes first. The time that counts is the reported one, an f32; boxes are numbered by their
/// places. With the feature `parallel` on several threads.
///
/// ```
/// use hitscan::{Aabb, sweep};
/// let falling = |x: f32, y: f32, fall: f32| {
///     shape_cast::BoxMotion::new(Aabb::new([x, y, 0.0], [x + 1.0, y + 1.0, 1.0])?, [0.0, -fall, 0.0])
/// };
/// let crates = [falling(0.0, 5.0, 4.0)?, falling(0.5, 2.0, 0.0)?, falling(1.0, 8.0, 8.0)?];
/// let overlaps = shape_cast::impacts_of(&crates);
/// let told: Vec<_> = overlaps.iter().map(|m| (m.contact.t, m.a, m.b)).collect();
/// assert_eq!(told, [(0.5, 0, 1), (0.625, 1, 2)]);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn impacts_of(boxes: &[BoxMotion]) -> Vec<Impact> {
    let frame = usual_motion(boxes);
    let bounds: Vec<Aabb> = boxes
        .iter()
        .map(|own| bounds_seen_from(own, frame))
        .collect();
    let pairs = broad_phase::touching_pairs_with(&bounds, Width::default());
    let meet = |[a, b]: [u32; 2]| {
        let contact = box_motions(&boxes[a as usize], &boxes[b as usize])?;
        Some(Impact { a, b, contact })
    };
    let overlaps = filter_all(&pairs, meet);
    in_order_of_time(overlaps)
}

/// The motion, axis by axis, that about half of a sample exceed: seen from it most boxes move little,
/// so that fewer pairs have to be looked at where all fall or fly together.
fn usual_motion(boxes: &[BoxMotion]) -> DVec3 {
    let step = boxes.len().div_ceil(SAMPLE).max(1);
    let mut motions: Vec<Vec3> = boxes.iter().step_by(step).map(|own| own.motion).collect();
    let mut usual = DVec3::ZERO;
    for axis in 0..3 {
        motions.sort_unstable_by(|a, b| a[axis].total_cmp(&b[axis]));
        if let Some(middle) = motions.get(motions.len() / 2) {
            usual[axis] = f64::from(middle[axis]);
        }
    }
    usual
}

/// A box around all that the moving box passes through as seen from what moves by `frame`.
///
/// The motion and its sum with a corner are rounded once each in f64, by less than `margin` together.
/// Beyond f32's range coordinates end at its ends; that keeps their order, and so whether two boxes
/// share a point.
fn bounds_seen_from(own: &BoxMotion, frame: DVec3) -> Aabb {
    let (min, max) = (own.start.min().as_dvec3(), own.start.max().as_dvec3());
    let motion = own.motion.as_dvec3() - frame;
    let margin = (min.abs().max(max.abs()) + motion.abs()) * (4.0 * UNIT_ROUNDOFF);
    let (low, high) = (min + motion.min(DVec3::ZERO), max + motion.max(DVec3::ZERO));
    let range = DVec3::splat(f64::from(f32::MAX));
    let corners = [low - margin, high + margin].map(|corner| corner.clamp(-range, range));
    Aabb::around_f64(corners).unwrap_or(own.start)
}

/// Sorts meetings that are sorted by their boxes by their times: stable passes over 11 bits each.
fn in_order_of_time(mut overlaps: Vec<Impact>) -> Vec<Impact> {
    const BITS: u32 = 11;
    const DIGITS: usize = 1 << BITS;
    // Times are not negative and at most 1, so their bits are in their order.
    if overlaps.len() < DIGITS {
        overlaps.sort_by_key(|meeting| meeting.contact.t.to_bits());
        return overlaps;
    }
    let mut order: Vec<[u32; 2]> = (0..)
        .zip(&overlaps)
        .map(|(place, meeting)| [meeting.contact.t.to_bits(), place])
        .collect();
    let mut sorted = order.clone();
    for pass in 0..3 {
        let digit = |key: u32| (key >> (BITS * pass)) as usize % DIGITS;
        let mut places = [0usize; DIGITS];
        for [key, _] in &order {
            places[digit(*key)] += 1;
        }
        let mut first = 0;
        for place in &mut places {
            first += core::mem::replace(place, first);
        }
        for entry in &order {
            let place = &mut places[digit(entry[0])];
            sorted[*place] = *entry;
            *place += 1;
        }
        core::mem::swap(&mut order, &mut sorted);
    }
    order
        .iter()
        .map(|[_, place]| overlaps[*place as usize])
        .collect()
}

/// How many pairs a thread takes at once.
#[cfg(feature = "parallel")]
const CHUNK: usize = 8192;

#[cfg(feature = "parallel")]
fn filter_all(pairs: &[[u32; 2]], meet: impl Fn([u32; 2]) -> Option<Impact> + Sync) -> Vec<Impact> {
    use rayon::prelude::*;
    let chunks = pairs.par_chunks(CHUNK);
    let found: Vec<Vec<Impact>> = chunks
        .map(|pairs| pairs.iter().filter_map(|pair| meet(*pair)).collect())
        .collect();
    found.concat()
}

#[cfg(not(feature = "parallel"))]
fn filter_all(pairs: &[[u32; 2]], meet: impl Fn([u32; 2]) -> Option<Impact>) -> Vec<Impact> {
    pairs.iter().filter_map(|pair| meet(*pair)).collect()
}
