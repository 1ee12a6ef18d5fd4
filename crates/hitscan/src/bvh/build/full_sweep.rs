//! Splitting few items: each axis is sorted, and every place between two neighbours compared by the
//! surface area heuristic.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    reason = "items are fewer than 2^31, and bins are masked"
)]

use super::LeafSize;
use super::item_box::{ItemBox, half_area};
use fearless_simd::prelude::*;

/// The largest number of items that are swept.
pub(super) const MAX_ITEMS: usize = 16;

/// How to split: the order of the items and how many of them go to the first half.
pub(super) struct Split {
    order: [u8; MAX_ITEMS],
    pub(super) middle: usize,
    /// The sum of both halves' area times tests, where the whole's area is `half_area`.
    pub(super) cost: f32,
}

impl Split {
    /// Puts the items in order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn apply(&self, items: &mut [ItemBox]) {
        reorder(items, &self.order);
    }
}

/// The best split of at least two items, or `None` where they all lie in one point.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn best<S: Simd>(
    simd: S,
    items: &[ItemBox],
    scale: f32,
    leaf: LeafSize,
) -> Option<Split> {
    if items.len() <= MAX_ITEMS / 2 {
        best_of::<S, { MAX_ITEMS / 2 }>(simd, items, scale, leaf)
    } else {
        best_of::<S, MAX_ITEMS>(simd, items, scale, leaf)
    }
}

/// As [`best`], of at most `N` items.
#[cfg_attr(not(debug_assertions), inline(always))]
fn best_of<S: Simd, const N: usize>(
    simd: S,
    items: &[ItemBox],
    scale: f32,
    leaf: LeafSize,
) -> Option<Split> {
    let count = items.len();
    let mut keys = [[i32::MAX; N]; 3];
    for (place, item) in items.iter().enumerate().take(N) {
        let centre = item.centre(simd).to_array();
        for axis in 0..3 {
            keys[axis][place] = key(centre[axis], place);
        }
    }
    let mut best: Option<Split> = None;
    for keys in &keys {
        let order = order(keys);
        let item = |place: usize| items[usize::from(order[place]) & (N - 1)].load(simd);
        let mut areas_behind = [0.0f32; N];
        let mut behind = ItemBox::EMPTY.load(simd);
        for middle in (1..count).rev() {
            behind = behind.min(item(middle));
            areas_behind[middle] = half_area(behind, scale);
        }
        let mut before = ItemBox::EMPTY.load(simd);
        for (middle, area_behind) in areas_behind.iter().enumerate().take(count).skip(1) {
            before = before.min(item(middle - 1));
            let cost = half_area(before, scale) * leaf.tests(middle as u32)
                + area_behind * leaf.tests((count - middle) as u32);
            if cost < best.as_ref().map_or(f32::INFINITY, |best| best.cost) {
                let mut places = [0; MAX_ITEMS];
                places[..N].copy_from_slice(&order);
                best = Some(Split {
                    order: places,
                    middle,
                    cost,
                });
            }
        }
    }
    best
}

/// A number that grows with `centre`, with the place in its lowest bits so that no two are equal.
#[cfg_attr(not(debug_assertions), inline(always))]
fn key(centre: f32, place: usize) -> i32 {
    let bits = centre.to_bits() as i32;
    // Negative numbers' bits grow downward.
    let ascending = bits ^ ((bits >> 31) & i32::MAX);
    (ascending & !(MAX_ITEMS as i32 - 1)) | place as i32
}

/// The places in the order of their keys; `N` is a power of two. Each key's rank is how many are smaller.
#[cfg_attr(not(debug_assertions), inline(always))]
fn order<const N: usize>(keys: &[i32; N]) -> [u8; N] {
    let mut ranks = [0i32; N];
    for other in keys {
        for (rank, key) in ranks.iter_mut().zip(keys) {
            *rank += i32::from(other < key);
        }
    }
    let mut order = [0u8; N];
    for (place, rank) in (0..).zip(ranks) {
        order[rank as usize & (N - 1)] = place;
    }
    order
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn reorder(items: &mut [ItemBox], order: &[u8; MAX_ITEMS]) {
    let mut sorted = [ItemBox::EMPTY; MAX_ITEMS];
    for (sorted, from) in sorted.iter_mut().zip(&order[..items.len()]) {
        *sorted = items[usize::from(*from)];
    }
    items.copy_from_slice(&sorted[..items.len()]);
}
