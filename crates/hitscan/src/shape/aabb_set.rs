//! A set of boxes, and a brute-force search for those that touch a box.
//!
//! No tree: every box is compared, a vector at a time. It suits sets that change often or are small;
//! what is large and at rest belongs into a `World`.

use crate::Aabb;
use crate::simd::Width;
use crate::simd::dispatch_wide;
use fearless_simd::{Simd, prelude::*};
use glam::Vec3;

/// The number of boxes in a block: the bits of a mask.
const LANES: usize = 64;

/// A list of boxes, numbered from 0, that can be searched for those that touch a box.
///
/// ```
/// use hitscan::{Aabb, AabbSet};
/// let shelf = |i: u8| Aabb::new([f32::from(i), 0.0, 0.0], [f32::from(i) + 0.5, 1.0, 1.0]);
/// let shelves: AabbSet = (0..100).map(shelf).collect::<Result<_, _>>()?;
/// // Closed boxes: sharing a face is enough.
/// let crate_box = Aabb::new([6.5, 0.0, 0.0], [8.0, 0.2, 0.2])?;
/// assert_eq!(shelves.touching(&crate_box), [6, 7, 8]);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct AabbSet {
    blocks: Vec<Block>,
    len: usize,
    width: Width,
}

/// The corners of 64 boxes, `min[axis][box]`.
#[derive(Debug, Clone)]
#[repr(align(64))]
struct Block {
    min: [[f32; LANES]; 3],
    max: [[f32; LANES]; 3],
}

impl Block {
    /// Places without a box are turned inside out, and touch nothing.
    const EMPTY: Self = Self {
        min: [[f32::INFINITY; LANES]; 3],
        max: [[f32::NEG_INFINITY; LANES]; 3],
    };

    /// A bit for each box that touches the box from `min` to `max`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn touching<S: Simd>(&self, simd: S, min: [f32; 3], max: [f32; 3]) -> u64 {
        let mut found = 0;
        for from in (0..LANES).step_by(S::f32s::LEN) {
            // self.min <= other.max && other.min <= self.max, axis by axis.
            let x = self.touching_on(simd, 0, from, min, max);
            let y = self.touching_on(simd, 1, from, min, max);
            let z = self.touching_on(simd, 2, from, min, max);
            found |= (x & y & z).to_bitmask() << from;
        }
        found
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn touching_on<S: Simd>(
        &self,
        simd: S,
        axis: usize,
        from: usize,
        min: [f32; 3],
        max: [f32; 3],
    ) -> <S::f32s as SimdBase<S>>::Mask {
        let own_min = S::f32s::from_slice(simd, &self.min[axis][from..from + S::f32s::LEN]);
        let own_max = S::f32s::from_slice(simd, &self.max[axis][from..from + S::f32s::LEN]);
        own_min.simd_le(max[axis]) & own_max.simd_ge(min[axis])
    }
}

impl AabbSet {
    /// The set of `boxes`, numbered in their order.
    #[must_use]
    pub fn new(boxes: &[Aabb]) -> Self {
        boxes.iter().copied().collect()
    }

    /// The same set, searched with these vector instructions. The answers are the same.
    #[doc(hidden)]
    #[must_use]
    pub fn with_width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// The number of boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no box.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The box with this number.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Aabb> {
        let block = self
            .blocks
            .get(index / LANES)
            .filter(|_| index < self.len)?;
        let corner = |rows: &[[f32; LANES]; 3]| {
            Vec3::from_array(rows.each_ref().map(|row| row[index % LANES]))
        };
        Some(Aabb::from_ordered(corner(&block.min), corner(&block.max)))
    }

    /// The numbers of all boxes that touch `other`, in order: those for which [`Aabb::touches`]
    /// holds.
    #[must_use]
    pub fn touching(&self, other: &Aabb) -> Vec<u32> {
        let mut found = Vec::new();
        self.for_each_touching(other, |index| found.push(index));
        found
    }

    /// Visits the numbers of all boxes that touch `other`, in order; allocates no memory.
    #[inline]
    pub fn for_each_touching(&self, other: &Aabb, mut visit: impl FnMut(u32)) {
        // Masks are made for many blocks at a time, so that `visit` is compiled once.
        const BLOCKS: usize = 64;
        let mut masks = [0u64; BLOCKS];
        let mut firsts = (0u32..).step_by(LANES);
        for blocks in self.blocks.chunks(BLOCKS) {
            fill(self.width, blocks, other, &mut masks);
            for (mask, first) in masks[..blocks.len()].iter().zip(&mut firsts) {
                let mut mask = *mask;
                while mask != 0 {
                    visit(first + mask.trailing_zeros());
                    mask &= mask - 1;
                }
            }
        }
    }
}

/// One mask a block.
fn fill(width: Width, blocks: &[Block], other: &Aabb, masks: &mut [u64]) {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fill_all<S: Simd>(simd: S, blocks: &[Block], other: &Aabb, masks: &mut [u64]) {
        let (min, max) = (other.min().to_array(), other.max().to_array());
        for (mask, block) in masks.iter_mut().zip(blocks) {
            *mask = block.touching(simd, min, max);
        }
    }
    dispatch_wide!(width, simd => fill_all(simd, blocks, other, masks));
}

impl FromIterator<Aabb> for AabbSet {
    fn from_iter<I: IntoIterator<Item = Aabb>>(boxes: I) -> Self {
        let mut set = Self::default();
        set.extend(boxes);
        set
    }
}

impl Extend<Aabb> for AabbSet {
    fn extend<I: IntoIterator<Item = Aabb>>(&mut self, boxes: I) {
        for item in boxes {
            let place = self.len % LANES;
            if place == 0 {
                self.blocks.push(Block::EMPTY);
            }
            if let Some(block) = self.blocks.last_mut() {
                for axis in 0..3 {
                    block.min[axis][place] = item.min()[axis];
                    block.max[axis][place] = item.max()[axis];
                }
            }
            self.len += 1;
        }
    }
}
