//! Many moving boxes, each against one resting box, all at once.
//!
//! A vector of pairs stands side by side in f32 with a derived bound: most are certain misses, overlaps or
//! hits on one axis, whose time is one f64 quotient. What the bounds cannot tell is asked one by one,
//! so the answers are those of `box_box`, bit for bit.

use super::pair_rows::{BLOCK, Rows, row};
use super::{BoxMotion, Contact, Start, box_box};
use crate::Aabb;
use crate::simd::Width;
use fearless_simd::{Simd, dispatch, prelude::*};
use glam::Vec3;

/// How many pairs a thread takes at once.
#[cfg(feature = "parallel")]
const CHUNK: usize = 4096;

/// Relative difference of two times that is certain in f32.
///
/// A time is a rounded difference times a rounded reciprocal: three roundings of 2^-24 for each of
/// the two, and what comparing takes itself.
const CERTAIN: f32 = 16.0 * f32::EPSILON;
/// What a time may lose below the range of normal f32, and far less than any other time.
const UNDERFLOW: f32 = 1e-30;
/// Speeds between these have a reciprocal that is a normal f32.
const SPEEDS: [f32; 2] = [1e-30, 1e30];
/// More than the relative error of a quotient of a difference in f64: two roundings of 2^-53, and
/// one of the product with this.
const QUOTIENT: f64 = 8.0 * f64::EPSILON;

/// The first contact of each moving box with the resting box at its place: [`box_box()`] for each pair.
///
/// Where one slice is longer its rest is left out. With the feature `parallel` on several threads.
///
/// ```
/// use hitscan::{Aabb, sweep};
/// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
/// let moving = [[4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(|motion| sweep::BoxMotion::new(unit, motion));
/// let moving: Vec<_> = moving.into_iter().collect::<Result<_, _>>()?;
/// let walls = [Aabb::new([3.0, 0.0, 0.0], [4.0, 1.0, 1.0])?; 2];
/// let contacts = sweep::box_pairs(&moving, &walls);
/// assert_eq!(contacts[0].map(|contact| contact.t), Some(0.5));
/// assert_eq!(contacts[1], None);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn box_pairs(moving: &[BoxMotion], resting: &[Aabb]) -> Vec<Option<Contact>> {
    let mut contacts = Vec::new();
    box_pairs_into(moving, resting, Width::default(), &mut contacts);
    contacts
}

/// [`box_pairs`] with chosen vector instructions, into memory that is used again.
///
/// Whatever `contacts` held is replaced.
pub fn box_pairs_into(
    moving: &[BoxMotion],
    resting: &[Aabb],
    width: Width,
    contacts: &mut Vec<Option<Contact>>,
) {
    let count = moving.len().min(resting.len());
    let (moving, resting) = (&moving[..count], &resting[..count]);
    contacts.resize(count, None);
    answer_all(moving, resting, width, contacts);
}

#[cfg(feature = "parallel")]
fn answer_all(
    moving: &[BoxMotion],
    resting: &[Aabb],
    width: Width,
    contacts: &mut [Option<Contact>],
) {
    use rayon::prelude::*;
    let pairs = moving.par_chunks(CHUNK).zip(resting.par_chunks(CHUNK));
    pairs
        .zip(contacts.par_chunks_mut(CHUNK))
        .for_each(|((moving, resting), contacts)| answer(moving, resting, width, contacts));
}

#[cfg(not(feature = "parallel"))]
fn answer_all(
    moving: &[BoxMotion],
    resting: &[Aabb],
    width: Width,
    contacts: &mut [Option<Contact>],
) {
    answer(moving, resting, width, contacts);
}

fn answer(moving: &[BoxMotion], resting: &[Aabb], width: Width, contacts: &mut [Option<Contact>]) {
    dispatch!(width.level(), simd => answer_blocks(simd, moving, resting, contacts));
}

#[inline(always)]
fn answer_blocks<S: Simd>(
    simd: S,
    moving: &[BoxMotion],
    resting: &[Aabb],
    contacts: &mut [Option<Contact>],
) {
    let mut rows = Rows::EMPTY;
    let mut times = Times {
        t: [0.0; BLOCK],
        normals: [0; BLOCK],
    };
    let blocks = moving.chunks(BLOCK).zip(resting.chunks(BLOCK));
    for ((moving, resting), contacts) in blocks.zip(contacts.chunks_mut(BLOCK)) {
        rows.fill(simd, moving, resting);
        contacts.fill(None);
        for from in (0..contacts.len()).step_by(S::f32s::LEN) {
            let known = rows.judge(simd, from, &mut times);
            for place in places(known.overlaps, from, contacts.len()) {
                contacts[place] = Some(Contact::OVERLAP);
            }
            for place in places(known.hits, from, contacts.len()) {
                let (t, start) = (times.t[place], Start::Apart);
                let normal = NORMALS[times.normals[place].cast_unsigned() as usize % NORMALS.len()];
                contacts[place] = Some(Contact { t, normal, start });
            }
            for place in places(known.others, from, contacts.len()) {
                contacts[place] = box_box(&moving[place], &resting[place]);
            }
        }
    }
}

/// The places of the bits that are set, counted from `from`, up to `end`.
#[inline(always)]
fn places(mut bits: u64, from: usize, end: usize) -> impl Iterator<Item = usize> {
    core::iter::from_fn(
        #[inline(always)]
        move || {
            let place = from + bits.trailing_zeros() as usize;
            let is_one = bits != 0 && place < end;
            bits &= bits.wrapping_sub(1);
            is_one.then_some(place)
        },
    )
}

/// The normals of hits: against a motion forward on x, y, z, then backward.
const NORMALS: [Vec3; 6] = [
    Vec3::NEG_X,
    Vec3::NEG_Y,
    Vec3::NEG_Z,
    Vec3::X,
    Vec3::Y,
    Vec3::Z,
];

/// When hits happen and which of the normals they have.
struct Times {
    t: [f32; BLOCK],
    normals: [i32; BLOCK],
}

/// A bit for each pair of which the answer is known; the rest miss.
#[derive(Clone, Copy)]
struct Known {
    overlaps: u64,
    hits: u64,
    /// What f32 cannot tell.
    others: u64,
}

impl Rows {
    /// Judges the pairs from `from` on.
    ///
    /// On an axis `near = min - start_max` and `far = max - start_min` are the ways to the first and
    /// last touch, so that the boxes touch from the smaller of `near / motion` and `far / motion` to
    /// the greater. Signs of rounded differences are exact: `near < 0 < far` on all axes is an
    /// overlap at the start; else the pair misses where an axis is left at or before 0 or, without
    /// motion, does not overlap. What remains is hit when its last entry is at most 1 and at most
    /// every exit.
    #[inline(always)]
    fn judge<S: Simd>(&self, simd: S, from: usize, times: &mut Times) -> Known {
        let start_min = row(simd, &self.start_min, from);
        let start_max = row(simd, &self.start_max, from);
        let motion = row(simd, &self.motion, from);
        let min = row(simd, &self.min, from);
        let max = row(simd, &self.max, from);
        let splat = S::f32s::splat;
        let x = Axis::new(
            simd,
            [start_min[0], start_max[0]],
            motion[0],
            [min[0], max[0]],
        );
        let y = Axis::new(
            simd,
            [start_min[1], start_max[1]],
            motion[1],
            [min[1], max[1]],
        );
        let z = Axis::new(
            simd,
            [start_min[2], start_max[2]],
            motion[2],
            [min[2], max[2]],
        );
        let overlaps = x.overlaps & y.overlaps & z.overlaps;
        let is_over = x.is_over | y.is_over | z.is_over;
        let is_odd = x.is_odd | y.is_odd | z.is_odd;
        let enter = x.enter.max(y.enter).max(z.enter);
        let end = x.leave.min(y.leave).min(z.leave).min(splat(simd, 1.0));
        let slack = enter
            .abs()
            .mul_add(splat(simd, CERTAIN), splat(simd, UNDERFLOW));
        let is_late = (enter - end).simd_gt(slack);
        let is_early = (end - enter).simd_gt(slack);
        let is_miss = !overlaps & (is_over | (is_late & !is_odd));
        // Only one axis is entered last, unless two entries are about the same.
        let last = enter - slack;
        let is_last = [
            x.enter.simd_ge(last),
            y.enter.simd_ge(last),
            z.enter.simd_ge(last),
        ];
        let is_shared = (is_last[0] & (is_last[1] | is_last[2])) | (is_last[1] & is_last[2]);
        let is_hit = is_early & !(is_shared | is_odd | overlaps | is_over);
        let known = Known {
            overlaps: overlaps.to_bitmask(),
            hits: 0,
            others: (!(is_miss | overlaps)).to_bitmask(),
        };
        if !is_hit.any_true() {
            return known;
        }
        let is_backward: S::mask32s =
            pick_mask::<S>(is_last, [x.is_backward, y.is_backward, z.is_backward]);
        let obstacle = is_backward.select(pick::<S>(is_last, max), pick::<S>(is_last, min));
        let start =
            is_backward.select(pick::<S>(is_last, start_min), pick::<S>(is_last, start_max));
        let (t, is_rounded) = quotient::<S>(obstacle, start, pick::<S>(is_last, motion));
        let hits = (is_hit & is_rounded).to_bitmask();
        let axes = [splat(simd, 0.0), splat(simd, 1.0), splat(simd, 2.0)];
        let back = is_backward.select(splat(simd, 3.0), splat(simd, 0.0));
        let normals: S::i32s = (pick::<S>(is_last, axes) + back).to_int();
        normals.store_slice(&mut times.normals[from..from + S::f32s::LEN]);
        t.store_slice(&mut times.t[from..from + S::f32s::LEN]);
        Known {
            hits,
            others: known.others & !hits,
            ..known
        }
    }
}

/// Of each lane the value of the first axis that is chosen, or the last axis.
#[inline(always)]
fn pick<S: Simd>(is_chosen: [S::mask32s; 3], of: [S::f32s; 3]) -> S::f32s {
    is_chosen[0].select(of[0], is_chosen[1].select(of[1], of[2]))
}

#[inline(always)]
fn pick_mask<S: Simd>(is_chosen: [S::mask32s; 3], of: [S::mask32s; 3]) -> S::mask32s {
    (is_chosen[0] & of[0]) | (is_chosen[1] & of[1]) | (is_chosen[2] & of[2])
}

/// A vector of pairs on one axis.
struct Axis<S: Simd> {
    is_backward: S::mask32s,
    enter: S::f32s,
    leave: S::f32s,
    /// Whether `near < 0 < far`.
    overlaps: S::mask32s,
    /// Whether the axis is left at or before t = 0, or never overlaps.
    is_over: S::mask32s,
    /// Whether f32 does not hold the reciprocal of the motion well.
    is_odd: S::mask32s,
}

impl<S: Simd> Axis<S> {
    #[inline(always)]
    fn new(
        simd: S,
        [start_min, start_max]: [S::f32s; 2],
        motion: S::f32s,
        [min, max]: [S::f32s; 2],
    ) -> Self {
        let zero = S::f32s::splat(simd, 0.0);
        let (near, far) = (min - start_max, max - start_min);
        let (is_ahead, is_behind) = (near.simd_ge(zero), far.simd_le(zero));
        let (is_forward, is_backward) = (motion.simd_gt(zero), motion.simd_lt(zero));
        let is_still = !(is_forward | is_backward);
        let speed = motion.abs();
        let is_odd = !is_still & (speed.simd_lt(SPEEDS[0]) | speed.simd_gt(SPEEDS[1]));
        let reciprocal = S::f32s::splat(simd, 1.0) / motion;
        let (a, b) = (near * reciprocal, far * reciprocal);
        // Without motion an axis that overlaps does so at all times.
        let (never, always) = (f32::NEG_INFINITY, f32::INFINITY);
        Self {
            is_backward,
            enter: is_still.select(S::f32s::splat(simd, never), a.min(b)),
            leave: is_still.select(S::f32s::splat(simd, always), a.max(b)),
            overlaps: !(is_ahead | is_behind),
            is_over: (is_behind & !is_backward) | (is_ahead & !is_forward),
            is_odd,
        }
    }
}

/// `(obstacle - start) / motion` rounded to f32, never -0, and whether it is certain to be rounded
/// right.
#[inline(always)]
fn quotient<S: Simd>(obstacle: S::f32s, start: S::f32s, motion: S::f32s) -> (S::f32s, S::mask32s) {
    let (obstacle, start, motion) = (obstacle.widen(), start.widen(), motion.widen());
    let first = (obstacle.0 - start.0) / motion.0;
    let second = (obstacle.1 - start.1) / motion.1;
    let (first_off, second_off) = (first * QUOTIENT, second * QUOTIENT);
    let low: S::f32s = (first - first_off).narrow(second - second_off);
    let high: S::f32s = (first + first_off).narrow(second + second_off);
    // Adding zero turns -0 into +0.
    (low + 0.0, low.simd_eq(high))
}
