//! The nearest hits of many rays at once: waves of them (`crate::wave`), with the tests and decisions
//! of one ray (`ray.rs`).

use super::TriMesh;
use super::block::Shear;
use super::ray::{Slot, Surface, hit_of};
use crate::bvh::{LEAF_ITEMS, Walker};
use crate::ray::LocalRay;
use crate::ray_triangle::{Passing, pass};
use crate::simd::prefetch;
use crate::wave;
use crate::{Hit, Ray, Sides};
use fearless_simd::{Simd, dispatch};
use glam::DVec3;

/// How many rays go together: what they carry stays near.
pub(super) const WAVE: usize = 64;

type List = wave::List<WAVE>;

/// Rays on their way.
pub(super) struct Wave {
    rays: [LocalRay; WAVE],
    walkers: Vec<Walker>,
    shears: [Shear; WAVE],
    /// The triangles of each ray's leaf that its line may cross, as bits.
    possible: [u32; WAVE],
    best: [Option<(Slot, Passing, [DVec3; 3])>; WAVE],
    /// The rays whose next step tests a node, or a leaf.
    nodes: List,
    leaves: List,
}

impl Wave {
    pub(super) fn new() -> Self {
        Self {
            rays: [LocalRay::NONE; WAVE],
            walkers: (0..WAVE).map(|_| Walker::new()).collect(),
            shears: [Shear::NONE; WAVE],
            possible: [0; WAVE],
            best: [None; WAVE],
            nodes: List::EMPTY,
            leaves: List::EMPTY,
        }
    }

    /// Answers for up to [`WAVE`] rays what [`TriMesh::cast_ray`] answers for each.
    pub(super) fn answer(
        &mut self,
        mesh: &TriMesh,
        rays: &[Ray],
        sides: Sides,
        hits: &mut [Option<Hit>],
    ) {
        let level = mesh.bvh.width().level();
        dispatch!(level, simd => self.set_out(simd, mesh, rays));
        while !(self.nodes.is_empty() && self.leaves.is_empty()) {
            let nodes = self.nodes;
            dispatch!(level, simd => for place in nodes.iter() {
                mesh.bvh.test_node(simd, &mut self.walkers[place]);
            });
            let leaves = self.leaves;
            dispatch!(level, simd => for place in leaves.iter() {
                let walker = &self.walkers[place];
                let block = mesh.bvh.block(walker.leaf());
                let sorted = self.shears[place].sort_out(simd, block, f32::INFINITY);
                self.possible[place] = sorted.possible;
                prefetch(mesh.bvh.items(walker.leaf()));
            });
            dispatch!(level, simd => self.decide(simd, mesh, sides));
            self.go_on(mesh);
        }
        for (place, (ray, hit)) in rays.iter().zip(hits).enumerate() {
            *hit = self.best[place].map(|(slot, passing, corners)| {
                let crossing = passing.crossing(&self.rays[place], &corners);
                hit_of(ray, &(number(mesh, slot), crossing))
            });
        }
    }

    #[inline(always)]
    fn set_out<S: Simd>(&mut self, simd: S, mesh: &TriMesh, rays: &[Ray]) {
        for (place, ray) in rays.iter().enumerate() {
            let ray = LocalRay::from(ray);
            self.rays[place] = ray;
            self.best[place] = None;
            if let Some(image) = mesh.image(simd, &ray) {
                self.shears[place] = Shear::new(&image);
                self.walkers[place].set_out(image, f32::INFINITY);
                self.nodes.push_if(place, true);
            }
        }
    }

    /// Decides which of the possible triangles are crossed.
    #[inline(always)]
    fn decide<S: Simd>(&mut self, simd: S, mesh: &TriMesh, sides: Sides) {
        let leaves = self.leaves;
        for place in leaves.iter() {
            let walker = &mut self.walkers[place];
            let leaf = walker.leaf();
            let block = mesh.bvh.block(leaf);
            let mut possible = self.possible[place];
            let mut is_nearer = false;
            while possible != 0 {
                let in_leaf = possible.trailing_zeros() as usize % LEAF_ITEMS;
                possible &= possible - 1;
                let slot = Slot {
                    leaf,
                    place: in_leaf,
                };
                let corners = block.triangle(in_leaf);
                let Some(passing) = pass(simd, &self.rays[place], &corners) else {
                    continue;
                };
                if !sides.admits(passing.side) {
                    continue;
                }
                let best = &mut self.best[place];
                let is_better = best.as_ref().is_none_or(|(other, nearest, _)| {
                    passing.t < nearest.t
                        || passing.t == nearest.t && number(mesh, slot) < number(mesh, *other)
                });
                if is_better {
                    *best = Some((slot, passing, corners));
                    is_nearer = true;
                }
            }
            if is_nearer && let Some((_, passing, _)) = &self.best[place] {
                walker.keep_before(passing.t);
            }
        }
    }

    /// Finds each ray's next step, and asks for the memory that it will read.
    fn go_on(&mut self, mesh: &TriMesh) {
        let mut entering = List::EMPTY;
        let mut finished = self.leaves;
        for place in self.nodes.iter() {
            let has_touched = self.walkers[place].has_touched();
            entering.push_if(place, has_touched);
            finished.push_if(place, !has_touched);
        }
        self.nodes.clear();
        self.leaves.clear();
        for place in entering.iter() {
            mesh.bvh.enter_child(&mut self.walkers[place]);
            self.stand(mesh, place, true);
        }
        for place in finished.iter() {
            let goes_on = self.walkers[place].take_up();
            self.stand(mesh, place, goes_on);
        }
    }

    #[inline(always)]
    fn stand(&mut self, mesh: &TriMesh, place: usize, goes_on: bool) {
        let walker = &self.walkers[place];
        let is_at_leaf = walker.is_at_leaf();
        mesh.bvh.fetch(walker);
        self.leaves.push_if(place, goes_on & is_at_leaf);
        self.nodes.push_if(place, goes_on & !is_at_leaf);
    }
}

/// The triangle's number. They lie elsewhere in memory, so they are asked for only where they matter.
#[inline(always)]
fn number(mesh: &TriMesh, slot: Slot) -> u32 {
    mesh.bvh.items(slot.leaf)[slot.place % LEAF_ITEMS]
}
