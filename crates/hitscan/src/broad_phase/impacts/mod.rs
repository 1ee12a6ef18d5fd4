//! The impacts of many moving boxes, in order of time.
//!
//! A broad phase pairs the boxes around what each passes through, and `moving_boxes.rs` decides each
//! pair.

mod moving_boxes;
mod pair_rows;
mod pair_classes;
mod times_of_impact;

use crate::Aabb;
use crate::broad_phase;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::narrow_phase::shape_cast::{AabbCast, ImpactStart};
use crate::parallel::map_all;
use crate::simd::Width;
use crate::sorting::sort_by_rank;
use glam::{DVec3, Vec3};
use moving_boxes::moving_boxes;
#[doc(hidden)]
pub use times_of_impact::times_of_impact_at_width;
pub use times_of_impact::{times_of_impact, times_of_impact_into};

/// The number of motions that are sampled to find the usual one.
const SAMPLE: usize = 255;

/// Two moving boxes that collide, and when.
///
/// Boxes are numbered by their places, as in
/// [`broad_phase_pairs`](super::broad_phase_pairs); a world gives `Impact<ObjectId>`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact<Id = u32> {
    /// The lower of the two.
    pub a: Id,
    /// The higher of the two.
    pub b: Id,
    /// When they collide, from 0 to 1: the exact time rounded once to the nearest f32; never -0.
    pub t: f32,
    /// The unit normal of the face of `b` that `a` hits; zero for [`ImpactStart::Overlap`].
    pub normal: Vec3,
    /// Whether the two overlap at the start.
    pub start: ImpactStart,
}

impl<Id> Impact<Id> {
    /// The same impact of what `name` makes of the two.
    pub(crate) fn map<Other>(self, name: impl Fn(Id) -> Other) -> Impact<Other> {
        let Self {
            a,
            b,
            t,
            normal,
            start,
        } = self;
        Impact {
            a: name(a),
            b: name(b),
            t,
            normal,
            start,
        }
    }
}

/// All pairs of moving boxes that collide while t goes from 0 to 1, each once, sorted by t, then a,
/// then b.
///
/// Each pair's answer is that of [`Aabb::cast_aabb`] for the motion of the lower box as seen from the
/// higher one, so what overlaps at the start comes first. The time that counts is the reported one, an
/// f32. With the feature `parallel` on several threads.
///
/// ```
/// use hitscan::Aabb;
/// use hitscan::broad_phase::{AabbCast, impacts};
/// let falling = |x: f32, y: f32, fall: f32| {
///     AabbCast::new(Aabb::new([x, y, 0.0], [x + 1.0, y + 1.0, 1.0])?, [0.0, -fall, 0.0])
/// };
/// let crates = [falling(0.0, 5.0, 4.0)?, falling(0.5, 2.0, 0.0)?, falling(1.0, 8.0, 8.0)?];
/// let found: Vec<_> = impacts(&crates).iter().map(|impact| (impact.t, impact.a, impact.b)).collect();
/// assert_eq!(found, [(0.5, 0, 1), (0.625, 1, 2)]);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn impacts(casts: &[AabbCast]) -> Vec<Impact> {
    let frame = usual_motion(casts);
    let bounds: Vec<Aabb> = casts
        .iter()
        .map(|own| bounds_seen_from(own, frame))
        .collect();
    let pairs = broad_phase::touching_pairs_with(&bounds, Width::default());
    let impact = |[a, b]: [u32; 2]| {
        let hit = moving_boxes(&casts[a as usize], &casts[b as usize])?;
        Some(Impact {
            a,
            b,
            t: hit.t,
            normal: hit.normal,
            start: hit.start,
        })
    };
    in_order_of_time(filter_all(&pairs, impact))
}

/// The motion, axis by axis, that about half of a sample exceed: seen from it most boxes move little,
/// so that fewer pairs have to be decided where all fall or fly together.
fn usual_motion(boxes: &[AabbCast]) -> DVec3 {
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
fn bounds_seen_from(own: &AabbCast, frame: DVec3) -> Aabb {
    let (min, max) = (own.start.min().as_dvec3(), own.start.max().as_dvec3());
    let motion = own.motion.as_dvec3() - frame;
    let margin = (min.abs().max(max.abs()) + motion.abs()) * (4.0 * UNIT_ROUNDOFF);
    let (low, high) = (min + motion.min(DVec3::ZERO), max + motion.max(DVec3::ZERO));
    let range = DVec3::splat(f64::from(f32::MAX));
    let corners = [low - margin, high + margin].map(|corner| corner.clamp(-range, range));
    Aabb::around_f64(corners).unwrap_or(own.start)
}

/// Sorts impacts that are sorted by their boxes by their times: stable radix passes of 11 bits each.
fn in_order_of_time(mut impacts: Vec<Impact>) -> Vec<Impact> {
    const BITS: u32 = 11;
    const DIGITS: usize = 1 << BITS;
    // Times are not negative and at most 1, so their bits are in their order.
    if impacts.len() < DIGITS {
        sort_by_rank(&mut impacts, |impact| [impact.t.to_bits().into(), 0, 0]);
        return impacts;
    }
    let mut order: Vec<[u32; 2]> = (0..)
        .zip(&impacts)
        .map(|(place, impact)| [impact.t.to_bits(), place])
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
        .map(|[_, place]| impacts[*place as usize])
        .collect()
}

/// The number of pairs a task. A compromise: large enough that starting a task and concatenating its
/// impacts cost little beside deciding the pairs, small enough for threads to end together.
const CHUNK: usize = 8192;

fn filter_all(
    pairs: &[[u32; 2]],
    decide: impl Fn([u32; 2]) -> Option<Impact> + Send + Sync,
) -> Vec<Impact> {
    let found = map_all(pairs.chunks(CHUNK).collect(), |pairs: &[[u32; 2]]| {
        let impacts = pairs.iter().filter_map(|pair| decide(*pair));
        impacts.collect::<Vec<_>>()
    });
    found.concat()
}
