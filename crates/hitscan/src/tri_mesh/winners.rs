//! Rays whose nearest triangle is known: their crossings and hits, several side by side.

use super::TriMesh;
use super::pairs::Pairs;
use super::ray::{Slot, hit_of};
use super::wave::{WAVE, number};
use crate::ray::LocalRay;
use crate::ray_triangle::{Crossing, cross};
use crate::ray_triangle_lanes::{LANES, Plain, Points};
use crate::{Hit, Ray};
use fearless_simd::{Simd, dispatch};

/// For how many there is room at first.
const ROOM: usize = WAVE + LANES;

/// Writes the ray with a number where it is wanted: a copy of one just written elsewhere, in other
/// pieces, would have the processor wait for its memory.
pub(super) type RayOf<'a> = &'a dyn Fn(usize, &mut LocalRay);

/// The numbers of rays that have hit, and what.
pub(crate) struct Winners {
    /// The first of these; the rest is room.
    winners: Vec<(usize, Slot)>,
    count: usize,
    rays: [LocalRay; LANES],
    pairs: Pairs,
}

/// A ray that has hit.
pub(super) struct Won<'a> {
    pub(super) number: usize,
    pub(super) triangle: u32,
    pub(super) crossing: Crossing,
    points: Option<(&'a Points, usize)>,
}

impl Won<'_> {
    /// The hit that the crossing makes.
    #[inline(always)]
    pub(super) fn hit(&self, ray: &Ray) -> Hit {
        match self.points {
            Some((points, lane)) => points.hit(lane, self.triangle, self.crossing),
            None => hit_of(ray, &(self.triangle, self.crossing)),
        }
    }
}

impl Winners {
    pub(super) fn new() -> Self {
        Self {
            winners: vec![(0, Slot::FIRST); ROOM],
            count: 0,
            rays: [LocalRay::NONE; LANES],
            pairs: Pairs::NONE,
        }
    }

    /// Puts in ray `number`, if it has hit anything.
    #[inline(always)]
    pub(super) fn push(&mut self, number: usize, slot: Option<Slot>) {
        if self.count == self.winners.len() {
            self.make_room();
        }
        // Written whether it stays or not: a branch would be guessed wrong.
        self.winners[self.count] = (number, slot.unwrap_or(Slot::FIRST));
        self.count += usize::from(slot.is_some());
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.winners.resize(2 * self.count, (0, Slot::FIRST));
    }

    /// Takes out the last few while there are `least`, and tells of each; with points, if hits will be
    /// made of them.
    #[inline(always)]
    pub(super) fn settle(
        &mut self,
        mesh: &TriMesh,
        (least, with_points): (usize, bool),
        ray_of: RayOf<'_>,
        tell: &mut dyn FnMut(Won<'_>),
    ) {
        let level = mesh.bvh.width().level();
        while self.count >= least.max(1) {
            dispatch!(level, simd => self.settle_some(simd, mesh, with_points, ray_of, tell));
        }
    }

    #[inline(always)]
    fn settle_some<S: Simd>(
        &mut self,
        simd: S,
        mesh: &TriMesh,
        with_points: bool,
        ray_of: RayOf<'_>,
        tell: &mut dyn FnMut(Won<'_>),
    ) {
        let first = self.count.saturating_sub(LANES);
        let winners = &self.winners[first..self.count];
        for (lane, &(number, slot)) in winners.iter().enumerate() {
            let ray = &mut self.rays[lane % LANES];
            ray_of(number, ray);
            self.pairs.set(lane, ray, mesh.bvh.block(slot.leaf), slot);
        }
        let crossed = self.pairs.crossed(simd);
        let points = with_points.then(|| self.pairs.points(simd, &crossed));
        for (lane, &(index, slot)) in winners.iter().enumerate() {
            let ray = &self.rays[lane % LANES];
            match crossed.plainly(ray, lane) {
                Plain::Crossing(crossing) => tell(Won {
                    number: index,
                    triangle: number(mesh, slot),
                    crossing,
                    points: points.as_ref().map(|points| (points, lane)),
                }),
                Plain::Miss | Plain::Unsure => settle_carefully(mesh, ray, (index, slot), tell),
            }
        }
        self.count = first;
    }
}

#[cold]
#[inline(never)]
fn settle_carefully(
    mesh: &TriMesh,
    ray: &LocalRay,
    (index, slot): (usize, Slot),
    tell: &mut dyn FnMut(Won<'_>),
) {
    if let Some(crossing) = cross(ray, &mesh.bvh.block(slot.leaf).triangle(slot.place)) {
        tell(Won {
            number: index,
            triangle: number(mesh, slot),
            crossing,
            points: None,
        });
    }
}
