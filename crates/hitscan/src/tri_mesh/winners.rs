//! Rays whose nearest triangle is known, and their hits, several made side by side.

use super::TriMesh;
use super::pairs::wide;
use super::ray::Slot;
use super::wave::{WAVE, number};
use crate::ray_triangle::Crossing;
use crate::ray_triangle_lanes::{LANES, Points, Vectors};
use crate::{Hit, Ray};
use core::cell::Cell;
use fearless_simd::{Simd, dispatch, f64x8, prelude::*};

/// For how many there is room at first.
const ROOM: usize = WAVE + LANES;

/// Rays that have hit, and what.
pub(crate) struct Winners {
    /// The first of these; the rest is room.
    winners: Vec<Winner>,
    count: usize,
    rows: Rows,
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
        crossing: Crossing::NONE,
    };
}

impl Winners {
    pub(super) fn new() -> Self {
        Self {
            winners: vec![Winner::NONE; ROOM],
            count: 0,
            rows: Rows::NONE,
        }
    }

    /// Puts in ray `number`, if it has hit anything, with its crossing.
    #[inline(always)]
    pub(super) fn push(&mut self, number: usize, slot: Option<Slot>, crossing: &Crossing) {
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
    pub(super) fn drain(&mut self, mesh: &TriMesh, mut tell: impl FnMut(usize, u32, &Crossing)) {
        for winner in &self.winners[..self.count] {
            tell(winner.number, number(mesh, winner.slot), &winner.crossing);
        }
        self.count = 0;
    }

    /// Takes out the last few while there are `least`, and writes the hits that they make.
    pub(super) fn write_hits(
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
        for (lane, winner) in winners.iter().enumerate() {
            self.rows.set(lane, &rays[winner.number], &winner.crossing);
        }
        let points = self.rows.points(simd);
        for (lane, winner) in winners.iter().enumerate() {
            let triangle = number(mesh, winner.slot);
            let hit = points.hit(lane % LANES, triangle, winner.crossing);
            hits[winner.number].set(Some(hit));
        }
        self.count = first;
    }
}

/// What the points of hits are made from, a ray a lane. Lanes that were not set hold what was there
/// before.
struct Rows {
    origin: [[f32; LANES]; 3],
    direction: [[f32; LANES]; 3],
    t: [f64; LANES],
    normal: [[f64; LANES]; 3],
}

impl Rows {
    const NONE: Self = Self {
        origin: [[0.0; LANES]; 3],
        direction: [[0.0; LANES]; 3],
        t: [0.0; LANES],
        normal: [[0.0; LANES]; 3],
    };

    #[inline(always)]
    fn set(&mut self, lane: usize, ray: &Ray, crossing: &Crossing) {
        let lane = lane % LANES;
        let (origin, direction) = (ray.origin(), ray.direction());
        for axis in 0..3 {
            self.origin[axis][lane] = origin[axis];
            self.direction[axis][lane] = direction[axis];
            self.normal[axis][lane] = crossing.normal[axis];
        }
        self.t[lane] = crossing.t_wide;
    }

    #[inline(always)]
    fn points<S: Simd>(&self, simd: S) -> Points {
        let [x, y, z] = &self.normal;
        let t = f64x8::from_slice(simd, &self.t);
        let normal = Vectors::load(simd, [x, y, z]);
        let (origin, direction) = (wide(simd, &self.origin), wide(simd, &self.direction));
        Points::of(origin, direction, (t, normal))
    }
}
