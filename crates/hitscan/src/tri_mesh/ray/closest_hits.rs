//! Rays whose nearest triangle is known, and their hits, several made side by side.

use super::Slot;
use super::wavefront::{WAVE, number};
use crate::ray_cast::hit::Side;
use crate::ray_cast::ray_triangle::{Crossing, Feature};
use crate::ray_cast::ray_triangle_lanes::{LANES, Points, Vectors, widened};
use crate::tri_mesh::TriMesh;
use crate::{Hit, Ray};
use core::cell::Cell;
use fearless_simd::{Simd, dispatch, f64x8, prelude::*};
use glam::DVec3;

/// For how many there is room at first.
const ROOM: usize = WAVE + LANES;

/// Stands where there is no crossing.
pub(in crate::tri_mesh) const NO_CROSSING: Crossing = Crossing {
    t: 0.0,
    t_wide: 0.0,
    weights: [0.0; 2],
    normal: DVec3::X,
    side: Side::Front,
    feature: Feature::Face,
};

/// Rays that have hit, and what.
pub(crate) struct Winners {
    /// The first of these; the rest is room.
    winners: Vec<Winner>,
    count: usize,
}

#[derive(Clone)]
struct Winner {
    /// The ray's.
    number: usize,
    slot: Slot,
    crossing: Crossing,
}

impl Winner {
    const NONE: Self = Self {
        number: 0,
        slot: Slot::FIRST,
        crossing: NO_CROSSING,
    };
}

impl Winners {
    pub(in crate::tri_mesh) fn new() -> Self {
        Self {
            winners: vec![Winner::NONE; ROOM],
            count: 0,
        }
    }

    /// Puts in ray `number`, if it has hit anything, with its crossing.
    #[inline(always)]
    pub(in crate::tri_mesh) fn push(
        &mut self,
        number: usize,
        slot: Option<Slot>,
        crossing: &Crossing,
    ) {
        if self.count == self.winners.len() {
            self.make_room();
        }
        // Written whether it stays or not: a branch would be guessed wrong.
        self.winners[self.count] = Winner {
            number,
            slot: slot.unwrap_or(Slot::FIRST),
            crossing: *crossing,
        };
        self.count += usize::from(slot.is_some());
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.winners.resize(2 * self.count, Winner::NONE);
    }

    /// Takes all out, and tells of each its number, its triangle and its crossing.
    pub(in crate::tri_mesh) fn drain(
        &mut self,
        mesh: &TriMesh,
        mut tell: impl FnMut(usize, u32, &Crossing),
    ) {
        for winner in &self.winners[..self.count] {
            tell(winner.number, number(mesh, winner.slot), &winner.crossing);
        }
        self.count = 0;
    }

    /// Takes out the last few while there are `least`, and writes the hits that they make.
    pub(in crate::tri_mesh) fn write_hits(
        &mut self,
        mesh: &TriMesh,
        least: usize,
        rays: &[Ray],
        hits: &[Cell<Option<Hit>>],
    ) {
        let level = mesh.bvh.width().level();
        while self.count >= least.max(1) {
            dispatch!(level, simd => self.write_some(simd, mesh, rays, hits));
        }
    }

    #[inline(always)]
    fn write_some<S: Simd>(
        &mut self,
        simd: S,
        mesh: &TriMesh,
        rays: &[Ray],
        hits: &[Cell<Option<Hit>>],
    ) {
        let first = self.count.saturating_sub(LANES);
        let winners = &self.winners[first..self.count];
        // Lanes without one repeat the last.
        let last = winners.len() - 1;
        let eight: [&Winner; LANES] = core::array::from_fn(|lane| &winners[lane.min(last)]);
        let points = points(simd, eight, eight.map(|winner| &rays[winner.number]));
        for (lane, winner) in winners.iter().enumerate() {
            let triangle = number(mesh, winner.slot);
            let hit = points.hit(lane % LANES, triangle, winner.crossing);
            hits[winner.number].set(Some(hit));
        }
        self.count = first;
    }
}

/// What hits need beside the crossings. The lanes are put together in registers: what is read from
/// memory in other pieces than it was written in waits until all that was written before is there.
#[inline(always)]
fn points<S: Simd>(simd: S, winners: [&Winner; LANES], rays: [&Ray; LANES]) -> Points {
    let origin = |axis: usize| widened(simd, rays.map(|ray| ray.origin()[axis]));
    let direction = |axis: usize| widened(simd, rays.map(|ray| ray.direction()[axis]));
    let normal =
        |axis: usize| f64x8::load_array(simd, winners.map(|one| one.crossing.normal[axis]));
    let t = f64x8::load_array(simd, winners.map(|winner| winner.crossing.t_wide));
    let [origin, direction] = [Vectors::by_axis(origin), Vectors::by_axis(direction)];
    Points::of(origin, direction, (t, Vectors::by_axis(normal)))
}
