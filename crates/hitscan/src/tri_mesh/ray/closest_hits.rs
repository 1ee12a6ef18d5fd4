//! Rays whose nearest triangle is known, and their hits, several made side by side.

use super::Slot;
use super::wavefront::{WAVE, number};
use crate::ray_cast::hit::Side;
use crate::ray_cast::ray_triangle::{Feature, TriangleHit};
use crate::ray_cast::ray_triangle::{HitPoints, LANES, Vectors, widened};
use crate::simd::dispatch;
use crate::tri_mesh::TriMesh;
use crate::{Ray, RayHit};
use core::cell::Cell;
use fearless_simd::{Simd, f64x8, prelude::*};
use glam::DVec3;

/// For how many there is room at first.
const ROOM: usize = WAVE + LANES;

/// Stands where there is no crossing.
pub(in crate::tri_mesh) const NO_CROSSING: TriangleHit = TriangleHit {
    t: 0.0,
    t_wide: 0.0,
    weights: [0.0; 2],
    normal: DVec3::X,
    side: Side::Front,
    feature: Feature::Face,
};

/// Rays that have hit, and what.
pub(crate) struct ClosestHits {
    /// The first of these; the rest is room.
    closest_hits: Vec<ClosestHit>,
    count: usize,
}

#[derive(Clone)]
struct ClosestHit {
    /// The ray's.
    number: usize,
    slot: Slot,
    crossing: TriangleHit,
}

impl ClosestHit {
    const NONE: Self = Self {
        number: 0,
        slot: Slot::FIRST,
        crossing: NO_CROSSING,
    };
}

impl ClosestHits {
    pub(in crate::tri_mesh) fn new() -> Self {
        Self {
            closest_hits: vec![ClosestHit::NONE; ROOM],
            count: 0,
        }
    }

    /// Puts in ray `number`, if it has hit anything, with its crossing.
    #[inline(always)]
    pub(in crate::tri_mesh) fn push(
        &mut self,
        number: usize,
        slot: Option<Slot>,
        crossing: &TriangleHit,
    ) {
        if self.count == self.closest_hits.len() {
            self.make_room();
        }
        // Written whether it stays or not: a branch would be guessed wrong.
        self.closest_hits[self.count] = ClosestHit {
            number,
            slot: slot.unwrap_or(Slot::FIRST),
            crossing: *crossing,
        };
        self.count += usize::from(slot.is_some());
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.closest_hits.resize(2 * self.count, ClosestHit::NONE);
    }

    /// Takes all out, and tells of each its number, its triangle and its crossing.
    pub(in crate::tri_mesh) fn drain(
        &mut self,
        mesh: &TriMesh,
        mut tell: impl FnMut(usize, u32, &TriangleHit),
    ) {
        for closest_hit in &self.closest_hits[..self.count] {
            tell(
                closest_hit.number,
                number(mesh, closest_hit.slot),
                &closest_hit.crossing,
            );
        }
        self.count = 0;
    }

    /// Takes out the last few while there are `least`, and writes the hits that they make.
    pub(in crate::tri_mesh) fn write_hits(
        &mut self,
        mesh: &TriMesh,
        least: usize,
        rays: &[Ray],
        hits: &[Cell<Option<RayHit>>],
    ) {
        let width = mesh.bvh.width();
        while self.count >= least.max(1) {
            dispatch!(width, simd => self.write_some(simd, mesh, rays, hits));
        }
    }

    #[inline(always)]
    fn write_some<S: Simd>(
        &mut self,
        simd: S,
        mesh: &TriMesh,
        rays: &[Ray],
        hits: &[Cell<Option<RayHit>>],
    ) {
        let first = self.count.saturating_sub(LANES);
        let closest_hits = &self.closest_hits[first..self.count];
        // Lanes without one repeat the last.
        let last = closest_hits.len() - 1;
        let eight: [&ClosestHit; LANES] =
            core::array::from_fn(|lane| &closest_hits[lane.min(last)]);
        let points = points(
            simd,
            eight,
            eight.map(|closest_hit| &rays[closest_hit.number]),
        );
        for (lane, closest_hit) in closest_hits.iter().enumerate() {
            let triangle = number(mesh, closest_hit.slot);
            let hit = points.hit(lane % LANES, triangle, closest_hit.crossing);
            hits[closest_hit.number].set(Some(hit));
        }
        self.count = first;
    }
}

/// What hits need beside the crossings. The lanes are put together in registers: what is read from
/// memory in other pieces than it was written in waits until all that was written before is there.
#[inline(always)]
fn points<S: Simd>(simd: S, closest_hits: [&ClosestHit; LANES], rays: [&Ray; LANES]) -> HitPoints {
    let origin = |axis: usize| widened(simd, rays.map(|ray| ray.origin()[axis]));
    let direction = |axis: usize| widened(simd, rays.map(|ray| ray.direction()[axis]));
    let normal =
        |axis: usize| f64x8::load_array(simd, closest_hits.map(|one| one.crossing.normal[axis]));
    let t = f64x8::load_array(
        simd,
        closest_hits.map(|closest_hit| closest_hit.crossing.t_wide),
    );
    let [origin, direction] = [Vectors::by_axis(origin), Vectors::by_axis(direction)];
    HitPoints::new(origin, direction, (t, Vectors::by_axis(normal)))
}
