//! What the rays of a wave look for: the nearest hit, or whether there is any.

use crate::Sides;
use crate::bvh::LEAF_ITEMS;
use crate::ray_cast::ray_triangle::TriangleHit;
use crate::simd::prefetch;
use crate::tri_mesh::TriMesh;
use crate::tri_mesh::ray::Slot;
use crate::tri_mesh::ray::closest_hits::ClosestHits;
use crate::tri_mesh::triangle_block::Sorted;

/// What a ray looks for, and what it has found of it so far.
pub(crate) trait Collector: Copy {
    /// What the ray is answered.
    type Answer: Clone + Default;

    /// Before the ray sets out; what lies after t = `limit` does not matter.
    fn new(limit: f32) -> Self;

    /// Looks at what the tests tell of a leaf.
    fn see(&mut self, mesh: &TriMesh, leaf: u32, sorted: &Sorted, sides: Sides);

    /// Considers a passing at `t` from a side that counts; whether it is the best so far.
    fn consider(&mut self, mesh: &TriMesh, slot: Slot, t: f32) -> bool;

    /// Up to which t others still matter; `None` where nothing does any more.
    fn until(&self) -> Option<f32>;

    /// Gives ray `number` its answer, or puts it with its best crossing among those that have won and
    /// get theirs by [`Collector::win`].
    fn end(
        &self,
        number: usize,
        crossing: &TriangleHit,
        answer: &mut Self::Answer,
        won: &mut ClosestHits,
    );

    /// Gives the answer of a ray that has won by this crossing of the triangle.
    fn win(answer: &mut Self::Answer, triangle: u32, crossing: &TriangleHit);
}

/// The nearest crossing; of equal t the lowest triangle.
#[derive(Clone, Copy)]
pub(crate) struct Closest {
    /// The t of the crossing, or until there is one that of the last that matters.
    limit: f32,
    slot: Option<Slot>,
}

impl Closest {
    /// The triangle that is crossed.
    #[inline(always)]
    pub(in crate::tri_mesh) fn slot(&self) -> Option<Slot> {
        self.slot
    }
}

impl Collector for Closest {
    type Answer = Option<(u32, TriangleHit)>;

    #[inline(always)]
    fn new(limit: f32) -> Self {
        Self { limit, slot: None }
    }

    #[inline(always)]
    fn see(&mut self, mesh: &TriMesh, leaf: u32, _: &Sorted, _: Sides) {
        prefetch(mesh.bvh.items(leaf));
    }

    #[inline(always)]
    fn consider(&mut self, mesh: &TriMesh, slot: Slot, t: f32) -> bool {
        let is_better = t < self.limit
            || t == self.limit
                && (self.slot).is_none_or(|other| number(mesh, slot) < number(mesh, other));
        if is_better {
            self.limit = t;
            self.slot = Some(slot);
        }
        is_better
    }

    #[inline(always)]
    fn until(&self) -> Option<f32> {
        Some(self.limit)
    }

    #[inline(always)]
    fn end(
        &self,
        number: usize,
        crossing: &TriangleHit,
        answer: &mut Self::Answer,
        won: &mut ClosestHits,
    ) {
        *answer = None;
        won.push(number, self.slot, crossing);
    }

    #[inline(always)]
    fn win(answer: &mut Self::Answer, triangle: u32, crossing: &TriangleHit) {
        *answer = Some((triangle, *crossing));
    }
}

/// Whether there is any crossing.
#[derive(Clone, Copy)]
pub(crate) struct Any {
    is_hit: bool,
}

impl Collector for Any {
    type Answer = bool;

    #[inline(always)]
    fn new(_: f32) -> Self {
        Self { is_hit: false }
    }

    #[inline(always)]
    fn see(&mut self, _: &TriMesh, _: u32, sorted: &Sorted, sides: Sides) {
        self.is_hit |= sorted.is_certain & (sides == Sides::Both);
    }

    #[inline(always)]
    fn consider(&mut self, _: &TriMesh, _: Slot, _: f32) -> bool {
        self.is_hit = true;
        true
    }

    #[inline(always)]
    fn until(&self) -> Option<f32> {
        (!self.is_hit).then_some(f32::INFINITY)
    }

    #[inline(always)]
    fn end(&self, _: usize, _: &TriangleHit, answer: &mut bool, _: &mut ClosestHits) {
        *answer = self.is_hit;
    }

    #[inline(always)]
    fn win(answer: &mut bool, _: u32, _: &TriangleHit) {
        *answer = true;
    }
}

/// The triangle's number. They lie elsewhere in memory, so they are asked for only where they matter.
#[inline(always)]
pub(in crate::tri_mesh) fn number(mesh: &TriMesh, slot: Slot) -> u32 {
    mesh.bvh.items(slot.leaf)[slot.place % LEAF_ITEMS]
}
