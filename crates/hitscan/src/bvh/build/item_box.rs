//! The box of one item as the builder moves it about: 32 bytes, one vector.
//!
//! A box is kept as its minimum and its negated maximum, so that the box around two is one
//! lane-wise minimum.

use super::BinaryNode;
use crate::Aabb;
use fearless_simd::{f32x4, f32x8, prelude::*};

/// `[min x, y, z, low half of the item's number, -max x, -max y, -max z, high half]`.
///
/// No lane of the box is -0, so that the order in which minima are taken leaves no trace. The halves
/// are stored in the fractions of numbers from 1 to 2: vectors carry them along at full speed, which
/// subnormal numbers would not let them.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub(super) struct ItemBox(pub(super) [f32; 8]);

impl ItemBox {
    /// The bits of 1, whose fraction holds a half of a number.
    const ONE: u32 = 0x3F80_0000;

    /// A box around nothing.
    pub(super) const EMPTY: Self = Self([f32::INFINITY; 8]);

    pub(super) fn new(bounds: &Aabb, number: u32) -> Self {
        let (min, max) = (bounds.min(), bounds.max());
        Self([
            min.x + 0.0,
            min.y + 0.0,
            min.z + 0.0,
            f32::from_bits(Self::ONE | (number & 0xFFFF)),
            0.0 - max.x,
            0.0 - max.y,
            0.0 - max.z,
            f32::from_bits(Self::ONE | (number >> 16)),
        ])
    }

    pub(super) fn number(&self) -> u32 {
        (self.0[3].to_bits() & 0xFFFF) | (self.0[7].to_bits() & 0xFFFF) << 16
    }

    /// A leaf's node with this box.
    pub(super) fn node(&self, index: u32, count: u32) -> BinaryNode {
        let b = &self.0;
        BinaryNode {
            min: [b[0], b[1], b[2]],
            index,
            // Zero minus zero is +0.
            max: [0.0 - b[4], 0.0 - b[5], 0.0 - b[6]],
            count,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn load<S: Simd>(&self, simd: S) -> f32x8<S> {
        f32x8::load_array_ref(simd, &self.0)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of<S: Simd>(lanes: f32x8<S>) -> Self {
        Self(lanes.to_array())
    }

    /// Twice the centre in the first three lanes; the fourth means nothing.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn centre<S: Simd>(&self, simd: S) -> f32x4<S> {
        let (min, negated_max) = self.load(simd).split();
        min - negated_max
    }

    /// The box around all `items`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn around<S: Simd>(simd: S, items: &[Self]) -> Self {
        let mut all = Self::EMPTY.load(simd);
        for item in items {
            all = all.min(item.load(simd));
        }
        Self::of(all)
    }

    /// The edges' lengths.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn size(&self) -> [f32; 3] {
        let b = &self.0;
        [-(b[0] + b[4]), -(b[1] + b[5]), -(b[2] + b[6])]
    }

    /// What the longest edge is multiplied by to become 1, so that products of two edges and of
    /// counts stay in f32's range. Not finite for a point.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn scale(&self) -> f32 {
        let [x, y, z] = self.size();
        1.0 / x.max(y).max(z)
    }
}

/// How much a box's edges are lengthened, in units of the longest edge of the range that it is part
/// of. So boxes along a line, whose surface is 0, are compared by their length; surfaces that are
/// not 0 hardly change.
const EXTRA_EDGE: f32 = 1.0 / 4096.0;

/// The half of a box's surface, in units of `1 / scale²`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn half_area<S: Simd>(lanes: f32x8<S>, scale: f32) -> f32 {
    let (min, negated_max) = lanes.split();
    // Edges are negative here, which their products do not show.
    let size = (min + negated_max) * scale - EXTRA_EDGE;
    let [x, y, z, _] = size.to_array();
    x * (y + z) + y * z
}

/// A range's box, and the box around twice the centres of what is in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) bounds: ItemBox,
    pub(super) centres: ItemBox,
}

impl Extent {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of<S: Simd>(simd: S, items: &[ItemBox]) -> Self {
        let mut centres = ItemBox::EMPTY.load(simd);
        for item in items {
            let (min, negated_max) = item.load(simd).split();
            centres = centres.min((min - negated_max).combine(negated_max - min));
        }
        Self {
            bounds: ItemBox::around(simd, items),
            centres: ItemBox::of(centres),
        }
    }
}
