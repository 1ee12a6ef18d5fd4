//! Many rays through a mesh at once: waves of them (`crate::query::wavefront`), with the tests and decisions of
//! one ray (`ray.rs`). What they look for is in `aim.rs`.

mod collector;

pub(in crate::tri_mesh) use collector::number;
pub(crate) use collector::{Aim, Any, Nearest};

use super::Slot;
use super::closest_hits::{NO_CROSSING, Winners};
use super::pairs::{Pairs, tell_crossing};
use crate::Sides;
use crate::bvh::{Probe, Walker};
use crate::query::wavefront;
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle::Crossing;
use crate::ray_cast::ray_triangle_lanes::LANES;
use crate::tri_mesh::TriMesh;
use crate::tri_mesh::triangle_block::Shear;
use fearless_simd::{Simd, dispatch};

/// How many rays go together: what they carry stays near.
pub(crate) const WAVE: usize = 64;

type List = wavefront::List<WAVE>;

/// Rays on their way, each with its aim. Where one has ended the next sets out, so that the wave
/// stays full.
pub(crate) struct Wave<A> {
    /// Which ray stands in a place.
    numbers: [usize; WAVE],
    rays: [LocalRay; WAVE],
    aims: [A; WAVE],
    /// The best crossing of each that has one.
    crossings: [Crossing; WAVE],
    walkers: Vec<Walker>,
    shears: [Shear; WAVE],
    /// The triangles of each ray's leaf that its line may cross, as bits.
    possible: [u32; WAVE],
    pairs: Pairs,
    /// The rays whose next step tests a node, or a leaf.
    nodes: List,
    leaves: List,
    /// The rays that are seen to miss before they set out.
    missed: List,
    /// The rays that have ended.
    ended: List,
}

/// Rays that have ended, by their numbers, with what they have found; the crossing means something if
/// the aim says that there is one.
pub(in crate::tri_mesh) struct Ended<'a, A> {
    places: core::slice::Iter<'a, u8>,
    numbers: &'a [usize; WAVE],
    aims: &'a [A; WAVE],
    crossings: &'a [Crossing; WAVE],
}

impl<'a, A: Aim> Iterator for Ended<'a, A> {
    type Item = (usize, A, &'a Crossing);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let place = usize::from(*self.places.next()?) % WAVE;
        Some((
            self.numbers[place],
            self.aims[place],
            &self.crossings[place],
        ))
    }
}

impl<A: Aim> Wave<A> {
    pub(crate) fn new() -> Self {
        Self {
            numbers: [0; WAVE],
            rays: [LocalRay::NONE; WAVE],
            aims: [A::new(f32::INFINITY); WAVE],
            crossings: [NO_CROSSING; WAVE],
            walkers: (0..WAVE).map(|_| Walker::new()).collect(),
            shears: [Shear::NONE; WAVE],
            possible: [0; WAVE],
            pairs: Pairs::NONE,
            nodes: List::EMPTY,
            leaves: List::EMPTY,
            missed: List::EMPTY,
            ended: List::EMPTY,
        }
    }

    /// Answers for each ray, up to the t behind it, what it is answered alone.
    pub(crate) fn answer(
        &mut self,
        mesh: &TriMesh,
        rays: &[(LocalRay, f32)],
        sides: Sides,
        answers: &mut [A::Answer],
    ) {
        let mut won = Winners::new();
        self.run(
            mesh,
            (
                rays.len(),
                #[inline(always)]
                |number| rays[number],
            ),
            sides,
            &mut |ended| {
                for (number, aim, crossing) in ended {
                    aim.end(number, crossing, &mut answers[number], &mut won);
                }
            },
        );
        won.drain(mesh, |number, triangle, crossing| {
            A::win(&mut answers[number], triangle, crossing);
        });
    }

    /// Takes as many rays, each up to the t behind it, through the mesh, and tells of those that have
    /// ended what they have found.
    pub(in crate::tri_mesh) fn run(
        &mut self,
        mesh: &TriMesh,
        (count, ray_of): (usize, impl Fn(usize) -> (LocalRay, f32)),
        sides: Sides,
        tell: &mut dyn FnMut(Ended<'_, A>),
    ) {
        let level = mesh.bvh.width().level();
        self.ended = List::full();
        let mut next = 0;
        loop {
            if next < count {
                let to_come = next..count;
                next = dispatch!(level, simd => self.set_out(simd, mesh, (to_come, &ray_of)));
            }
            if self.nodes.is_empty() && self.leaves.is_empty() && self.missed.is_empty() {
                return;
            }
            self.step(mesh, sides);
            tell(Ended {
                places: self.ended.as_slice().iter(),
                numbers: &self.numbers,
                aims: &self.aims,
                crossings: &self.crossings,
            });
        }
    }

    /// Has all rays take a step.
    fn step(&mut self, mesh: &TriMesh, sides: Sides) {
        let level = mesh.bvh.width().level();
        test_nodes(mesh, &mut self.walkers, &self.nodes);
        dispatch!(level, simd => self.test_leaves(simd, mesh, sides));
        dispatch!(level, simd => self.decide(simd, mesh, sides));
        dispatch!(level, _simd => self.go_on(mesh));
    }

    /// Has rays set out in the places of those that have ended, and answers which one is next after
    /// them.
    #[inline(always)]
    fn set_out<S: Simd>(
        &mut self,
        simd: S,
        mesh: &TriMesh,
        (to_come, ray_of): (core::ops::Range<usize>, &impl Fn(usize) -> (LocalRay, f32)),
    ) -> usize {
        let mut next = to_come.start;
        for (place, number) in self.ended.iter().zip(to_come) {
            let (ray, limit) = ray_of(number);
            self.numbers[place] = number;
            self.rays[place] = ray;
            self.aims[place] = A::new(limit);
            let walker = &mut self.walkers[place];
            let may_hit = (mesh.bvh).send(simd, walker, (&Probe::ray(&ray), limit));
            self.missed.push_if(place, !may_hit);
            self.nodes.push_if(place, may_hit);
            if may_hit {
                self.shears[place] = Shear::new(walker.image());
            }
            next = number + 1;
        }
        next
    }

    /// Finds the triangles of each ray's leaf that it may cross.
    #[inline(always)]
    fn test_leaves<S: Simd>(&mut self, simd: S, mesh: &TriMesh, sides: Sides) {
        for place in self.leaves.iter() {
            let walker = &mut self.walkers[place];
            let leaf = walker.leaf();
            let block = mesh.bvh.block(leaf);
            let sorted = self.shears[place].sort_out(simd, block, walker.time_limit());
            let aim = &mut self.aims[place];
            aim.see(mesh, leaf, &sorted, sides);
            self.possible[place] = sorted.possible;
            if aim.until().is_none() {
                self.possible[place] = 0;
                walker.stop();
            }
        }
    }

    /// Decides which of the possible triangles are crossed.
    #[inline(always)]
    fn decide<S: Simd>(&mut self, simd: S, mesh: &TriMesh, sides: Sides) {
        let mut lists = [List::EMPTY; 2];
        for place in self.leaves.iter() {
            lists[0].push_if(place, self.possible[place] != 0);
        }
        let [mut open, mut still] = lists.each_mut();
        // Each time round one triangle of each ray.
        while !open.is_empty() {
            for group in open.as_slice().chunks(LANES) {
                self.decide_group(simd, mesh, sides, group);
            }
            still.clear();
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
            let ray = &self.rays[place];
            let (aim, best) = (&mut self.aims[place], &mut self.crossings[place]);
            let (possible, walker) = (&mut self.possible[place], &mut self.walkers[place]);
            tell_crossing(
                mesh,
                &crossed,
                lane,
                (ray, slot),
                #[inline(always)]
                |crossing| {
                    if !sides.admits(crossing.side) || !aim.consider(mesh, slot, crossing.t) {
                        return;
                    }
                    *best = *crossing;
                    match aim.until() {
                        Some(limit) => walker.keep_before(limit),
                        None => {
                            *possible = 0;
                            walker.stop();
                        }
                    }
                },
            );
        }
    }

    /// Finds each ray's next step, and asks for the memory that it will read.
    #[inline(always)]
    fn go_on(&mut self, mesh: &TriMesh) {
        // Lists of this function alone can keep their lengths in registers.
        let (mut nodes, mut leaves, mut rest) = (List::EMPTY, List::EMPTY, List::EMPTY);
        for list in [&self.nodes, &self.leaves] {
            for place in list.iter() {
                let walker = &mut self.walkers[place];
                let goes_on = walker.step();
                let is_at_leaf = walker.is_at_leaf();
                leaves.push_if(place, goes_on & is_at_leaf);
                nodes.push_if(place, goes_on & !is_at_leaf);
                rest.push_if(place, !goes_on);
            }
        }
        let mut ended = core::mem::replace(&mut self.missed, List::EMPTY);
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
        self.nodes = nodes;
        self.leaves = leaves;
        self.ended = ended;
    }
}

/// Takes rays to the children of nodes. It does not depend on what is looked for, so that it is
/// compiled once for all aims.
fn test_nodes(mesh: &TriMesh, walkers: &mut [Walker], nodes: &List) {
    dispatch!(mesh.bvh.width().level(), simd => for place in nodes.iter() {
        mesh.bvh.test_node(simd, &mut walkers[place]);
    });
}
