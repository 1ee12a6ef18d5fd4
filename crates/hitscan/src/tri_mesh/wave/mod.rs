//! Many rays through a mesh at once: waves of them (`crate::wave`), with the tests and decisions of
//! one ray (`ray.rs`). What they look for is in `aim.rs`.

mod aim;

pub(crate) use aim::{Aim, Any, Nearest};

use super::TriMesh;
use super::block::Shear;
use super::ray::{Slot, Surface};
use crate::Sides;
use crate::bvh::{LEAF_ITEMS, Walker};
use crate::ray::LocalRay;
use crate::ray_triangle::pass;
use crate::wave;
use fearless_simd::{Simd, dispatch};

/// How many rays go together: what they carry stays near.
pub(crate) const WAVE: usize = 64;

type List = wave::List<WAVE>;

/// Rays on their way, each with its aim.
pub(crate) struct Wave<A> {
    rays: [LocalRay; WAVE],
    aims: [A; WAVE],
    count: usize,
    walkers: Vec<Walker>,
    shears: [Shear; WAVE],
    /// The triangles of each ray's leaf that its line may cross, as bits.
    possible: [u32; WAVE],
    /// The rays whose next step tests a node, or a leaf.
    nodes: List,
    leaves: List,
}

impl<A: Aim> Wave<A> {
    pub(crate) fn new() -> Self {
        Self {
            rays: [LocalRay::NONE; WAVE],
            aims: core::array::from_fn(|_| A::new(f32::INFINITY)),
            count: 0,
            walkers: (0..WAVE).map(|_| Walker::new()).collect(),
            shears: [Shear::NONE; WAVE],
            possible: [0; WAVE],
            nodes: List::EMPTY,
            leaves: List::EMPTY,
        }
    }

    /// Takes up to [`WAVE`] rays through the mesh, each up to the t behind it.
    pub(crate) fn run(
        &mut self,
        mesh: &TriMesh,
        rays: impl IntoIterator<Item = (LocalRay, f32)>,
        sides: Sides,
    ) {
        self.count = 0;
        for (place, (ray, limit)) in rays.into_iter().take(WAVE).enumerate() {
            self.rays[place] = ray;
            self.aims[place] = A::new(limit);
            self.count = place + 1;
        }
        let level = mesh.bvh.width().level();
        dispatch!(level, simd => self.set_out(simd, mesh));
        while !(self.nodes.is_empty() && self.leaves.is_empty()) {
            let nodes = self.nodes;
            dispatch!(level, simd => for place in nodes.iter() {
                mesh.bvh.test_node(simd, &mut self.walkers[place]);
            });
            dispatch!(level, simd => self.test_leaves(simd, mesh, sides));
            dispatch!(level, simd => self.decide(simd, mesh, sides));
            self.go_on(mesh);
        }
    }

    /// What the rays have found, in their order.
    pub(crate) fn answers(&self, mesh: &TriMesh) -> impl Iterator<Item = A::Answer> {
        let rays = self.rays.iter().zip(&self.aims).take(self.count);
        rays.map(|(ray, aim)| aim.answer(mesh, ray))
    }

    #[inline(always)]
    fn set_out<S: Simd>(&mut self, simd: S, mesh: &TriMesh) {
        for place in 0..self.count {
            if let (Some(image), Some(limit)) = (
                mesh.image(simd, &self.rays[place]),
                self.aims[place].until(),
            ) {
                self.shears[place] = Shear::new(&image);
                self.walkers[place].set_out(image, limit);
                self.nodes.push_if(place, true);
            }
        }
    }

    /// Finds the triangles of each ray's leaf that it may cross.
    #[inline(always)]
    fn test_leaves<S: Simd>(&mut self, simd: S, mesh: &TriMesh, sides: Sides) {
        let leaves = self.leaves;
        for place in leaves.iter() {
            let walker = &self.walkers[place];
            let leaf = walker.leaf();
            let block = mesh.bvh.block(leaf);
            let sorted = self.shears[place].sort_out(simd, block, walker.time_limit());
            self.possible[place] = sorted.possible;
            self.aims[place].see(mesh, leaf, &sorted, sides);
        }
    }

    /// Decides which of the possible triangles are crossed.
    #[inline(always)]
    fn decide<S: Simd>(&mut self, simd: S, mesh: &TriMesh, sides: Sides) {
        let leaves = self.leaves;
        for place in leaves.iter() {
            let walker = &mut self.walkers[place];
            let aim = &mut self.aims[place];
            let leaf = walker.leaf();
            let block = mesh.bvh.block(leaf);
            let mut possible = self.possible[place];
            let mut is_nearer = false;
            while possible != 0 && aim.until().is_some() {
                let in_leaf = possible.trailing_zeros() as usize % LEAF_ITEMS;
                possible &= possible - 1;
                let slot = Slot {
                    leaf,
                    place: in_leaf,
                };
                let corners = block.triangle(in_leaf);
                if let Some(passing) = pass(simd, &self.rays[place], &corners)
                    && sides.admits(passing.side)
                {
                    is_nearer |= aim.consider(mesh, slot, (passing, &corners));
                }
            }
            match aim.until() {
                None => walker.stop(),
                Some(limit) if is_nearer => walker.keep_before(limit),
                Some(_) => {}
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
