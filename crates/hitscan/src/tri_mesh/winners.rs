//! Rays whose nearest triangle is known: their hits, several side by side.

use super::TriMesh;
use super::pairs::{Pairs, triangle};
use super::ray::{Slot, hit_of};
use super::wave::WAVE;
use crate::ray::LocalRay;
use crate::ray_triangle::cross;
use crate::ray_triangle_lanes::{LANES, Plain};
use crate::{Hit, Ray};
use fearless_simd::Simd;

/// How many may wait for their hits.
const ROOM: usize = (WAVE + LANES).next_power_of_two();

/// The numbers of rays that have hit, and what.
pub(super) struct Winners {
    winners: [(usize, Slot); ROOM],
    count: usize,
    pairs: Pairs,
}

impl Winners {
    pub(super) const NONE: Self = Self {
        winners: [(0, Slot::FIRST); ROOM],
        count: 0,
        pairs: Pairs::NONE,
    };

    #[inline(always)]
    pub(super) fn push_if(&mut self, number: usize, slot: Slot, is_kept: bool) {
        self.winners[self.count % ROOM] = (number, slot);
        self.count += usize::from(is_kept);
    }

    /// Whether as many wait as are answered side by side.
    pub(super) fn are_enough(&self) -> bool {
        self.count >= LANES
    }

    /// Makes the hits of the last few.
    #[inline(always)]
    pub(super) fn answer<S: Simd>(
        &mut self,
        simd: S,
        mesh: &TriMesh,
        rays: &[Ray],
        hits: &mut [Option<Hit>],
    ) {
        let first = self.count.saturating_sub(LANES);
        let winners = &self.winners[first..self.count];
        for (lane, &(number, slot)) in winners.iter().enumerate() {
            let ray = LocalRay::from(&rays[number]);
            self.pairs.set(lane, &ray, mesh.bvh.block(slot.leaf), slot);
        }
        let crossed = self.pairs.crossed(simd);
        let points = self.pairs.points(simd, &crossed);
        for (lane, &(number, slot)) in winners.iter().enumerate() {
            let ray = &rays[number];
            let triangle = triangle(mesh, slot);
            hits[number] = match crossed.plainly(&LocalRay::from(ray), lane) {
                Plain::Crossing(crossing) => Some(points.hit(lane, triangle, crossing)),
                Plain::Miss | Plain::Unsure => hit_carefully(mesh, ray, slot, triangle),
            };
        }
        self.count = first;
    }
}

#[cold]
#[inline(never)]
fn hit_carefully(mesh: &TriMesh, ray: &Ray, slot: Slot, triangle: u32) -> Option<Hit> {
    let corners = mesh.bvh.block(slot.leaf).triangle(slot.place);
    let crossing = cross(&LocalRay::from(ray), &corners)?;
    Some(hit_of(ray, &(triangle, crossing)))
}
