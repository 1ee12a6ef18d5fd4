//! Many moving boxes, each against one resting box, all at once.
//!
//! A vector of pairs is judged side by side (`pair_verdicts.rs`). What that leaves open is asked one by one,
//! so the answers are those of `box_box`, bit for bit. Read `pair_times.rs` next, for times alone.

use super::pair_rows::{BLOCK, Rows};
use super::{BoxMotion, Contact, StartState, box_box};
use crate::Aabb;
use crate::simd::Width;
use crate::simd::dispatch;
use fearless_simd::{Simd, prelude::*};
use glam::Vec3;

/// How many pairs a thread takes at once.
#[cfg(feature = "parallel")]
const CHUNK: usize = 4096;

/// The first contact of each moving box with the resting box at its place: [`box_box()`] for each pair.
///
/// Where one slice is longer its rest is left out. With the feature `parallel` on several threads.
///
/// ```
/// use hitscan::{Aabb, sweep};
/// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
/// let moving = [[4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(|motion| shape_cast::BoxMotion::new(unit, motion));
/// let moving: Vec<_> = moving.into_iter().collect::<Result<_, _>>()?;
/// let walls = [Aabb::new([3.0, 0.0, 0.0], [4.0, 1.0, 1.0])?; 2];
/// let contacts = shape_cast::box_pairs(&moving, &walls);
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
    dispatch!(width, simd => answer_blocks(simd, moving, resting, contacts));
}

#[inline(always)]
fn answer_blocks<S: Simd>(
    simd: S,
    moving: &[BoxMotion],
    resting: &[Aabb],
    contacts: &mut [Option<Contact>],
) {
    let mut rows = Rows::<BLOCK>::EMPTY;
    let (mut times, mut faces) = ([0.0; BLOCK], [0; BLOCK]);
    let blocks = moving.chunks(BLOCK).zip(resting.chunks(BLOCK));
    for ((moving, resting), contacts) in blocks.zip(contacts.chunks_mut(BLOCK)) {
        rows.fill(simd, moving, resting);
        contacts.fill(None);
        for from in (0..contacts.len()).step_by(S::f32s::LEN) {
            let verdict = rows.classify(simd, from);
            verdict.t.store_slice(&mut times[from..from + S::f32s::LEN]);
            let lanes = &mut faces[from..from + S::f32s::LEN];
            verdict.faces(simd).store_slice(lanes);
            for place in places(verdict.overlaps.to_bitmask(), from, contacts.len()) {
                contacts[place] = Some(Contact::OVERLAP);
            }
            for place in places(verdict.hits.to_bitmask(), from, contacts.len()) {
                let (t, start) = (times[place], StartState::Separate);
                let normal = NORMALS[faces[place].cast_unsigned() as usize % NORMALS.len()];
                contacts[place] = Some(Contact { t, normal, start });
            }
            for place in places(verdict.others.to_bitmask(), from, contacts.len()) {
                contacts[place] = box_box(&moving[place], &resting[place]);
            }
        }
    }
}

/// The places of the bits that are set, counted from `from`, up to `end`.
#[inline(always)]
pub(super) fn places(mut bits: u64, from: usize, end: usize) -> impl Iterator<Item = usize> {
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
