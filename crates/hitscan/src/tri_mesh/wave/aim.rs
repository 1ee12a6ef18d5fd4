//! What the rays of a wave look for: the nearest hit, or whether there is any.

use super::super::TriMesh;
use super::super::block::Sorted;
use super::super::ray::Slot;
use crate::Sides;
use crate::bvh::LEAF_ITEMS;
use crate::ray::LocalRay;
use crate::ray_triangle::{Crossing, Passing};
use crate::simd::prefetch;
use glam::DVec3;

/// What a ray looks for, and what it has found of it so far.
pub(crate) trait Aim {
    /// What the ray is answered.
    type Answer;

    /// Before the ray sets out; what lies after t = `limit` does not matter.
    fn new(limit: f32) -> Self;

    /// Looks at what the tests tell of a leaf.
    fn see(&mut self, mesh: &TriMesh, leaf: u32, sorted: &Sorted, sides: Sides);

    /// Considers a passing from a side that counts; whether it is the best so far.
    fn consider(&mut self, mesh: &TriMesh, slot: Slot, met: (Passing, &[DVec3; 3])) -> bool;

    /// Up to which t others still matter; `None` where nothing does any more.
    fn until(&self) -> Option<f32>;

    fn answer(&self, mesh: &TriMesh, ray: &LocalRay) -> Self::Answer;
}

/// The nearest crossing; of equal t the lowest triangle.
#[derive(Clone, Copy)]
pub(crate) struct Nearest {
    limit: f32,
    best: Option<(Slot, Passing, [DVec3; 3])>,
}

impl Aim for Nearest {
    type Answer = Option<(u32, Crossing)>;

    #[inline(always)]
    fn new(limit: f32) -> Self {
        Self { limit, best: None }
    }

    #[inline(always)]
    fn see(&mut self, mesh: &TriMesh, leaf: u32, _: &Sorted, _: Sides) {
        prefetch(mesh.bvh.items(leaf));
    }

    #[inline(always)]
    fn consider(
        &mut self,
        mesh: &TriMesh,
        slot: Slot,
        (passing, corners): (Passing, &[DVec3; 3]),
    ) -> bool {
        let is_better = match &self.best {
            Some((other, nearest, _)) => {
                passing.t < nearest.t
                    || passing.t == nearest.t && number(mesh, slot) < number(mesh, *other)
            }
            None => passing.t <= self.limit,
        };
        if is_better {
            self.limit = passing.t;
            self.best = Some((slot, passing, *corners));
        }
        is_better
    }

    #[inline(always)]
    fn until(&self) -> Option<f32> {
        Some(self.limit)
    }

    #[inline(always)]
    fn answer(&self, mesh: &TriMesh, ray: &LocalRay) -> Self::Answer {
        let (slot, passing, corners) = self.best.as_ref()?;
        Some((number(mesh, *slot), passing.crossing(ray, corners)))
    }
}

/// Whether there is any crossing.
#[derive(Clone, Copy)]
pub(crate) struct Any {
    is_hit: bool,
}

impl Aim for Any {
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
    fn consider(&mut self, _: &TriMesh, _: Slot, _: (Passing, &[DVec3; 3])) -> bool {
        self.is_hit = true;
        true
    }

    #[inline(always)]
    fn until(&self) -> Option<f32> {
        (!self.is_hit).then_some(f32::INFINITY)
    }

    #[inline(always)]
    fn answer(&self, _: &TriMesh, _: &LocalRay) -> bool {
        self.is_hit
    }
}

/// The triangle's number. They lie elsewhere in memory, so they are asked for only where they matter.
#[inline(always)]
fn number(mesh: &TriMesh, slot: Slot) -> u32 {
    mesh.bvh.items(slot.leaf)[slot.place % LEAF_ITEMS]
}
