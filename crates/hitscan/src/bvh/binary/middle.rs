//! Splitting without comparing: in the middle of the longest axis, for `BuildPreset::Fast`.
//!
//! Far down in the tree this costs queries little, and building gets by with one look at each item.

use super::bins::Halves;
use super::item_box::{Extent, ItemBox};
use super::{LeafSize, sweep};
use fearless_simd::{i32x8, prelude::*};

/// Puts `items` into two halves; `None` where all centres are in one place.
#[inline(always)]
pub(super) fn split<S: Simd>(
    simd: S,
    items: &mut [ItemBox],
    extent: &Extent,
    leaf: LeafSize,
) -> Option<Halves> {
    let size = extent.centres.size();
    let axis = longest(size);
    if size[axis] <= 0.0 {
        return None;
    }
    if items.len() <= sweep::MOST {
        // Full leaves are worth more here than a good place.
        sweep::sort(simd, items, axis);
        let middle = leaf.half(items.len());
        let (before, behind) = items.split_at(middle);
        let extents = [Extent::of(simd, before), Extent::of(simd, behind)];
        return Some(Halves { middle, extents });
    }
    let place = extent.centres.0[axis] + 0.5 * size[axis];
    let empty = ItemBox::EMPTY.load(simd);
    let mut bounds = [empty; 2];
    let mut centres = [empty; 2];
    let mut middle = 0;
    for index in 0..items.len() {
        let item = items[index];
        let lanes = item.load(simd);
        let (min, negated_max) = lanes.split();
        let centre = min - negated_max;
        let is_before = centre.to_array()[axis] < place;
        let mask = i32x8::splat(simd, i32::from(is_before)).simd_gt(0);
        let centre = centre.combine(negated_max - min);
        bounds[0] = bounds[0].min(mask.select(lanes, empty));
        bounds[1] = bounds[1].min(mask.select(empty, lanes));
        centres[0] = centres[0].min(mask.select(centre, empty));
        centres[1] = centres[1].min(mask.select(empty, centre));
        items[index] = items[middle];
        items[middle] = item;
        middle += usize::from(is_before);
    }
    let extents = [0, 1].map(|half: usize| Extent {
        bounds: ItemBox::of(bounds[half]),
        centres: ItemBox::of(centres[half]),
    });
    Some(Halves { middle, extents })
}

/// The axis on which `size` is greatest.
fn longest(size: [f32; 3]) -> usize {
    let longer = |a: usize, b: usize| if size[b] > size[a] { b } else { a };
    longer(longer(0, 1), 2)
}
