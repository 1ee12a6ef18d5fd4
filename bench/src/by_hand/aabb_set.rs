//! Boxes in blocks, those that touch a box found by brute force, a vector at a time.

use fearless_simd::{Level, Simd, dispatch, prelude::*};
use hitscan::Aabb;

/// How many boxes a block holds: the bits of a mask.
const LANES: usize = 64;

/// A list of boxes, numbered from 0.
pub struct AabbSet {
    blocks: Vec<Block>,
    level: Level,
}

/// The corners of 64 boxes, `min[axis][box]`.
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
    #[inline(always)]
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

    #[inline(always)]
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
    pub fn new(boxes: impl Iterator<Item = Aabb>) -> Self {
        let mut blocks = Vec::new();
        for (index, item) in boxes.enumerate() {
            let place = index % LANES;
            if place == 0 {
                blocks.push(Block::EMPTY);
            }
            let block = blocks.last_mut().expect("the first box made one");
            for axis in 0..3 {
                block.min[axis][place] = item.min()[axis];
                block.max[axis][place] = item.max()[axis];
            }
        }
        let level = Level::new();
        Self { blocks, level }
    }

    /// Visits the numbers of all boxes that touch `other`, in order; allocates no memory.
    #[inline]
    pub fn for_each_touching(&self, other: &Aabb, mut visit: impl FnMut(u32)) {
        // Masks are made for many blocks at a time, so that `visit` is compiled once.
        const BLOCKS: usize = 64;
        let mut masks = [0u64; BLOCKS];
        let mut firsts = (0u32..).step_by(LANES);
        for blocks in self.blocks.chunks(BLOCKS) {
            fill(self.level, blocks, other, &mut masks);
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
fn fill(level: Level, blocks: &[Block], other: &Aabb, masks: &mut [u64]) {
    #[inline(always)]
    fn fill_all<S: Simd>(simd: S, blocks: &[Block], other: &Aabb, masks: &mut [u64]) {
        let (min, max) = (other.min().to_array(), other.max().to_array());
        for (mask, block) in masks.iter_mut().zip(blocks) {
            *mask = block.touching(simd, min, max);
        }
    }
    dispatch!(level, simd => fill_all(simd, blocks, other, masks));
}
