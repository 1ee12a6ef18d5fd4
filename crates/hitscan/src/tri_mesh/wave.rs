//! The nearest hits of many rays at once: waves of them (`crate::wave`), with the tests and decisions
//! of one ray (`ray.rs`).

use super::TriMesh;
use super::block::Shear;
use super::pairs::{Best, Pairs, passing};
use super::ray::{Slot, Surface};
use super::winners::Winners;
use crate::bvh::Walker;
use crate::ray::LocalRay;
use crate::ray_triangle_lanes::LANES;
use crate::simd::prefetch;
use crate::wave;
use crate::{Hit, Ray, Sides};
use fearless_simd::{Simd, dispatch};

/// How many rays go together: what they carry stays near.
pub(super) const WAVE: usize = 64;

type List = wave::List<WAVE>;

/// Rays on their way. Where one has ended the next sets out, so that the wave stays full.
pub(super) struct Wave {
    /// Which ray stands in a place.
    numbers: [usize; WAVE],
    rays: [LocalRay; WAVE],
    walkers: Vec<Walker>,
    shears: [Shear; WAVE],
    /// The triangles of each ray's leaf that its line may cross, as bits.
    possible: [u32; WAVE],
    best: [Best; WAVE],
    pairs: Pairs,
    won: Winners,
    steps: Steps,
    /// The rays that have ended.
    ended: List,
}

/// The rays whose next step tests a node, or a leaf.
struct Steps {
    nodes: List,
    leaves: List,
}

impl Steps {
    const NONE: Self = Self {
        nodes: List::EMPTY,
        leaves: List::EMPTY,
    };

    fn are_none(&self) -> bool {
        self.nodes.is_empty() && self.leaves.is_empty()
    }
}

impl Wave {
    pub(super) fn new() -> Self {
        Self {
            numbers: [0; WAVE],
            rays: [LocalRay::NONE; WAVE],
            walkers: (0..WAVE).map(|_| Walker::new()).collect(),
            shears: [Shear::NONE; WAVE],
            possible: [0; WAVE],
            best: [Best::NONE; WAVE],
            pairs: Pairs::NONE,
            won: Winners::NONE,
            steps: Steps::NONE,
            ended: List::EMPTY,
        }
    }

    /// Answers what [`TriMesh::cast_ray`] answers for each ray.
    pub(super) fn answer(
        &mut self,
        mesh: &TriMesh,
        rays: &[Ray],
        sides: Sides,
        hits: &mut [Option<Hit>],
    ) {
        if rays.is_empty() {
            return;
        }
        let level = mesh.bvh.width().level();
        self.ended = List::full();
        let mut next = 0;
        loop {
            if next < rays.len() {
                next = dispatch!(level, simd => self.set_out(simd, mesh, (rays, next), hits));
            }
            if self.steps.are_none() {
                dispatch!(level, simd => self.won.answer(simd, mesh, rays, hits));
                return;
            }
            dispatch!(level, simd => for place in self.steps.nodes.iter() {
                mesh.bvh.test_node(simd, &mut self.walkers[place]);
            });
            dispatch!(level, simd => for place in self.steps.leaves.iter() {
                let walker = &self.walkers[place];
                let block = mesh.bvh.block(walker.leaf());
                let sorted = self.shears[place].sort_out(simd, block, f32::INFINITY);
                self.possible[place] = sorted.possible;
                prefetch(mesh.bvh.items(walker.leaf()));
            });
            dispatch!(level, simd => self.decide(simd, mesh, sides));
            self.go_on(mesh);
            for place in self.ended.iter() {
                let number = self.numbers[place];
                hits[number] = None;
                let best = &self.best[place];
                self.won.push_if(number, best.slot, best.is_hit());
            }
            while self.won.are_enough() {
                dispatch!(level, simd => self.won.answer(simd, mesh, rays, hits));
            }
        }
    }

    /// Has rays from number `next` on set out in the places of those that have ended, and answers which
    /// one is next after them.
    #[inline(always)]
    fn set_out<S: Simd>(
        &mut self,
        simd: S,
        mesh: &TriMesh,
        (rays, mut next): (&[Ray], usize),
        hits: &mut [Option<Hit>],
    ) -> usize {
        for place in self.ended.iter() {
            while let Some(ray) = rays.get(next) {
                let number = next;
                next += 1;
                let ray = LocalRay::from(ray);
                if let Some(image) = mesh.image(simd, &ray) {
                    self.numbers[place] = number;
                    self.rays[place] = ray;
                    self.best[place] = Best::NONE;
                    self.shears[place] = Shear::new(&image);
                    self.walkers[place].set_out(image, f32::INFINITY);
                    self.steps.nodes.push_if(place, true);
                    break;
                }
                hits[number] = None;
            }
        }
        next
    }

    /// Decides which of the possible triangles are crossed.
    #[inline(always)]
    fn decide<S: Simd>(&mut self, simd: S, mesh: &TriMesh, sides: Sides) {
        let mut lists = [List::EMPTY; 2];
        for place in self.steps.leaves.iter() {
            lists[0].push_if(place, self.possible[place] != 0);
        }
        let [mut open, mut still] = lists.each_mut();
        // Each time round one triangle of each ray.
        while !open.is_empty() {
            still.clear();
            for group in open.as_slice().chunks(LANES) {
                self.decide_group(simd, mesh, sides, group);
            }
            for place in open.iter() {
                still.push_if(place, self.possible[place] != 0);
            }
            core::mem::swap(&mut open, &mut still);
        }
    }

    #[inline(always)]
    fn decide_group<S: Simd>(&mut self, simd: S, mesh: &TriMesh, sides: Sides, group: &[u8]) {
        let mut slots = [Slot::FIRST; LANES];
        for (lane, &place) in group.iter().enumerate() {
            let place = usize::from(place) % WAVE;
            let leaf = self.walkers[place].leaf();
            let slot = Slot::take(leaf, &mut self.possible[place]);
            slots[lane % LANES] = slot;
            self.pairs
                .set(lane, &self.rays[place], mesh.bvh.block(leaf), slot);
        }
        let crossed = self.pairs.crossed(simd);
        for (lane, &place) in group.iter().enumerate() {
            let place = usize::from(place) % WAVE;
            let slot = slots[lane % LANES];
            let passing = passing(mesh, &crossed, lane, (&self.rays[place], slot));
            if self.best[place].consider(mesh, sides, slot, passing) {
                self.walkers[place].keep_before(self.best[place].t);
            }
        }
    }

    /// Finds each ray's next step, and asks for the memory that it will read.
    fn go_on(&mut self, mesh: &TriMesh) {
        // Lists of this function alone can keep their lengths in registers.
        let (mut nodes, mut leaves, mut rest) = (List::EMPTY, List::EMPTY, List::EMPTY);
        for list in [&self.steps.nodes, &self.steps.leaves] {
            for place in list.iter() {
                let walker = &mut self.walkers[place];
                let goes_on = walker.step();
                let is_at_leaf = walker.is_at_leaf();
                leaves.push_if(place, goes_on & is_at_leaf);
                nodes.push_if(place, goes_on & !is_at_leaf);
                rest.push_if(place, !goes_on);
            }
        }
        let mut ended = List::EMPTY;
        for place in rest.iter() {
            let walker = &mut self.walkers[place];
            let goes_on = walker.go_on();
            let is_at_leaf = walker.is_at_leaf();
            leaves.push_if(place, goes_on & is_at_leaf);
            nodes.push_if(place, goes_on & !is_at_leaf);
            ended.push_if(place, !goes_on);
        }
        for place in nodes.iter() {
            mesh.bvh.fetch_node(&self.walkers[place]);
        }
        for place in leaves.iter() {
            mesh.bvh.fetch_leaf(&self.walkers[place]);
        }
        self.steps = Steps { nodes, leaves };
        self.ended = ended;
    }
}
