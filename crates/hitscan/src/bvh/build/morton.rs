//! Items in Morton order, along a space-filling curve, so that neighbours in order are neighbours in
//! space. Quick builds cut their leaves from it.
//!
//! Source: Morton, "A Computer Oriented Geodetic Data Base", 1966; for trees Lauterbach et al., "Fast
//! BVH Construction on GPUs", Eurographics 2009.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers are in the lower halves of keys, and places are from 0 to 1023"
)]

use crate::cancel::{Cancel, Cancelled, LOOK_AFTER};
use glam::Vec3;

/// Bits of a place along each axis.
const AXIS_BITS: u32 = 10;
/// The bit from which a key holds the Morton code; below is the item's number.
const PLACE: u32 = u32::BITS;
/// Bits that one pass sorts by: the places to write to are as many as a cache can keep at hand.
const DIGIT_BITS: u32 = 10;
const DIGITS: usize = 1 << DIGIT_BITS;
const PASSES: usize = (3 * AXIS_BITS).div_ceil(DIGIT_BITS) as usize;
/// So few items are sorted by comparing them: to count digits would take longer.
const FEW: usize = 1024;
/// More items than these in one place of the curve get a finer curve of their own.
const MAX_PER_CELL: usize = 16;

/// The numbers of `count` items, at most 2^32, in Morton order of their centres, which `centre_of`
/// returns; they lie in the box from `min` to `max`, in numbers that f32 can subtract.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn in_morton_order(
    count: usize,
    [min, max]: [Vec3; 2],
    centre_of: impl Fn(u32) -> Vec3 + Copy,
    cancel: Cancel<'_>,
) -> Result<Vec<u32>, Cancelled> {
    let mut keys: Vec<u64> = (0..count as u64).collect();
    let curve = Curve::over(min, max);
    let mut pending = curve.map_or(Vec::new(), |curve| vec![(0, keys.len(), curve)]);
    while let Some((from, to, curve)) = pending.pop() {
        let keys = &mut keys[from..to];
        for some in keys.chunks_mut(LOOK_AFTER) {
            cancel.check()?;
            for key in some {
                let number = *key as u32;
                *key = u64::from(curve.place_of(centre_of(number))) << PLACE | u64::from(number);
            }
        }
        sort(keys, cancel)?;
        let mut first = from;
        for equal in keys.chunk_by(|a, b| a >> PLACE == b >> PLACE) {
            if equal.len() > MAX_PER_CELL {
                let centres = || equal.iter().map(|key| centre_of(*key as u32));
                let min = centres().fold(Vec3::INFINITY, Vec3::min);
                let max = centres().fold(Vec3::NEG_INFINITY, Vec3::max);
                let curve = Curve::over(min, max);
                pending.extend(curve.map(|curve| (first, first + equal.len(), curve)));
            }
            first += equal.len();
        }
    }
    Ok(keys.into_iter().map(|key| key as u32).collect())
}

/// The curve that visits the cells of a cube, eight of each size one after the other.
struct Curve {
    min: Vec3,
    /// Cells a metre.
    scale: f32,
}

impl Curve {
    /// `None` where there is but one point.
    fn over(min: Vec3, max: Vec3) -> Option<Self> {
        // One scale for all axes, so that cells are as wide as they are high.
        let scale = (1u32 << AXIS_BITS) as f32 / (max - min).max_element();
        scale.is_finite().then_some(Self { min, scale })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn place_of(&self, centre: Vec3) -> u32 {
        let cell = (centre - self.min) * self.scale;
        let bits = |cell: f32| spread((cell as i32 as u32).min((1 << AXIS_BITS) - 1));
        bits(cell.x) | bits(cell.y) << 1 | bits(cell.z) << 2
    }
}

/// Ten bits, each followed by two that are 0.
#[cfg_attr(not(debug_assertions), inline(always))]
fn spread(bits: u32) -> u32 {
    let bits = (bits | bits << 16) & 0x0300_00FF;
    let bits = (bits | bits << 8) & 0x0300_F00F;
    let bits = (bits | bits << 4) & 0x030C_30C3;
    (bits | bits << 2) & 0x0924_9249
}

/// Sorts keys whose numbers ascend.
fn sort(keys: &mut [u64], cancel: Cancel<'_>) -> Result<(), Cancelled> {
    if keys.len() <= FEW {
        keys.sort_unstable();
        return Ok(());
    }
    let digit =
        |key: u64, pass: usize| (key >> (PLACE + DIGIT_BITS * pass as u32)) as usize % DIGITS;
    let mut counts = [[0u32; DIGITS]; PASSES];
    for some in keys.chunks(LOOK_AFTER) {
        cancel.check()?;
        for key in some {
            for (pass, counts) in counts.iter_mut().enumerate() {
                counts[digit(*key, pass)] += 1;
            }
        }
    }
    let mut sorted = vec![0; keys.len()];
    for (pass, next) in counts.iter_mut().enumerate() {
        let mut first = 0;
        for next in &mut *next {
            (*next, first) = (first, first + *next);
        }
        let (from, to) = if pass % 2 == 0 {
            (&*keys, &mut *sorted)
        } else {
            (&*sorted, &mut *keys)
        };
        for some in from.chunks(LOOK_AFTER) {
            cancel.check()?;
            for key in some {
                let place = &mut next[digit(*key, pass)];
                to[*place as usize] = *key;
                *place += 1;
            }
        }
    }
    if PASSES % 2 == 1 {
        keys.copy_from_slice(&sorted);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order_of(centres: &[Vec3]) -> Vec<u32> {
        let min = centres.iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let max = centres.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        let centre_of = |number: u32| centres[number as usize];
        in_morton_order(centres.len(), [min, max], centre_of, Cancel::NEVER).unwrap()
    }

    /// Points of a grid of `side` points a side, `step` apart, from `origin` on.
    fn grid(side: u16, step: f32, origin: f32) -> Vec<Vec3> {
        let at = |index: u16| {
            let place = [index % side, index / side % side, index / side / side];
            Vec3::from_array(place.map(|place| origin + step * f32::from(place)))
        };
        // In an order that is none in space; 7919 is a prime.
        let count = u32::from(side).pow(3);
        (0..count)
            .map(|index| at(u16::try_from(index * 7919 % count).unwrap()))
            .collect()
    }

    fn assert_each_once(order: &[u32], count: usize) {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(
            sorted
                .into_iter()
                .map(|number| number as usize)
                .eq(0..count)
        );
    }

    #[test]
    fn each_half_of_each_axis_comes_in_one_piece() {
        // Few are sorted by comparing, many digit by digit.
        for side in [8, 16, 32] {
            let centres = grid(side, 1.0, -3.0);
            let order = order_of(&centres);
            assert_each_once(&order, centres.len());
            for size in [centres.len() / 8, centres.len() / 64] {
                let extent = (size as f32).cbrt().round();
                for cube in order.chunks(size) {
                    let inside = || cube.iter().map(|number| centres[*number as usize]);
                    let min = inside().fold(Vec3::INFINITY, Vec3::min);
                    let max = inside().fold(Vec3::NEG_INFINITY, Vec3::max);
                    assert_eq!(max - min, Vec3::splat(extent - 1.0), "{side} {size}");
                }
            }
        }
    }

    #[test]
    fn what_is_crowded_in_one_place_is_in_order_as_well() {
        let mut centres = grid(16, 1e-6, 1.0);
        let alone = order_of(&centres);
        centres.extend([Vec3::splat(-1e18), Vec3::splat(1e18)]);
        let order = order_of(&centres);
        assert_eq!(order[0], 4096);
        assert_eq!(order[4097], 4097);
        assert_eq!(order[1..4097], alone);
    }

    #[test]
    fn items_in_one_point_keep_their_order() {
        for count in [0, 1, 5000] {
            let order = order_of(&vec![Vec3::ONE; count]);
            assert!(order.into_iter().map(|number| number as usize).eq(0..count));
        }
    }
}
