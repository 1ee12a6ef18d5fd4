//! Many rays through a mesh at once: waves of them (`crate::query::wavefront`), with the tests and decisions of
//! one ray (`ray.rs`). What they look for is in `collector.rs`.

mod collector;

use crate::simd::dispatch;
pub(in crate::tri_mesh) use collector::number;
pub(crate) use collector::{Any, Closest, Collector};

use super::Slot;
use super::closest_hits::{ClosestHits, NO_CROSSING};
use super::pairs::{TrianglePairs, for_hit};
use crate::Sides;
use crate::bvh::{Cursor, TraversalQuery};
use crate::query::wavefront;
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle::LANES;
use crate::ray_cast::ray_triangle::TriangleHit;
use crate::tri_mesh::TriMesh;
use crate::tri_mesh::triangle_block::Shear;
use fearless_simd::Simd;

/// How many rays go together: what they carry stays near.
pub(crate) const WAVE: usize = 64;

type List = wavefront::List<WAVE>;

/// Rays on their way, each with its aim. Where one has ended the next sets out, so that the wave
/// stays full.
pub(crate) struct Wave<A> {
    /// Which ray stands in a place.
    numbers: [usize; WAVE],
    rays: [LocalRay; WAVE],
    collectors: [A; WAVE],
    /// The best crossing of each that has one.
    crossings: [TriangleHit; WAVE],
    cursors: Vec<Cursor>,
    shears: [Shear; WAVE],
    /// The triangles of each ray's leaf that its line may cross, as bits.
    possible: [u32; WAVE],
    pairs: TrianglePairs,
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
    collectors: &'a [A; WAVE],
    crossings: &'a [TriangleHit; WAVE],
}

impl<'a, A: Collector> Iterator for Ended<'a, A> {
    type Item = (usize, A, &'a TriangleHit);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let place = usize::from(*self.places.next()?) % WAVE;
        Some((
            self.numbers[place],
            self.collectors[place],
            &self.crossings[place],
        ))
    }
}

impl<A: Collector> Wave<A> {
    pub(crate) fn new() -> Self {
        Self {
            numbers: [0; WAVE],
            rays: [LocalRay::NONE; WAVE],
            collectors: [A::new(f32::INFINITY); WAVE],
            crossings: [NO_CROSSING; WAVE],
            cursors: (0..WAVE).map(|_| Cursor::new()).collect(),
            shears: [Shear::NONE; WAVE],
            possible: [0; WAVE],
            pairs: TrianglePairs::NONE,
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
        let mut won = ClosestHits::new();
        self.run(
            mesh,
            (
                rays.len(),
                #[inline(always)]
                |number| rays[number],
            ),
            sides,
            &mut |ended| {
                for (number, collector, crossing) in ended {
                    collector.end(number, crossing, &mut answers[number], &mut won);
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
        let width = mesh.bvh.width();
        self.ended = List::full();
        let mut next = 0;
        loop {
            if next < count {
                let to_come = next..count;
                next = dispatch!(width, simd => self.init(simd, mesh, (to_come, &ray_of)));
            }
            if self.nodes.is_empty() && self.leaves.is_empty() && self.missed.is_empty() {
                return;
            }
            self.step(mesh, sides);
            tell(Ended {
                places: self.ended.as_slice().iter(),
                numbers: &self.numbers,
                collectors: &self.collectors,
                crossings: &self.crossings,
            });
        }
    }

    /// Has all rays take a step.
    fn step(&mut self, mesh: &TriMesh, sides: Sides) {
        let width = mesh.bvh.width();
        test_nodes(mesh, &mut self.cursors, &self.nodes);
        dispatch!(width, simd => self.test_leaves(simd, mesh, sides));
        dispatch!(width, simd => self.decide(simd, mesh, sides));
        dispatch!(width, _simd => self.advance(mesh));
    }

    /// Has rays set out in the places of those that have ended, and answers which one is next after
    /// them.
    #[inline(always)]
    fn init<S: Simd>(
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
            self.collectors[place] = A::new(limit);
            let cursor = &mut self.cursors[place];
            let may_hit = (mesh.bvh).send(simd, cursor, (&TraversalQuery::ray(&ray), limit));
            self.missed.push_if(place, !may_hit);
            self.nodes.push_if(place, may_hit);
            if may_hit {
                self.shears[place] = Shear::new(cursor.image());
            }
            next = number + 1;
        }
        next
    }

    /// Finds the triangles of each ray's leaf that it may cross.
    #[inline(always)]
    fn test_leaves<S: Simd>(&mut self, simd: S, mesh: &TriMesh, sides: Sides) {
        for place in self.leaves.iter() {
            let cursor = &mut self.cursors[place];
            let leaf = cursor.leaf();
            let block = mesh.bvh.block(leaf);
            let sorted = self.shears[place].sort_out(simd, block, cursor.time_limit());
            let collector = &mut self.collectors[place];
            collector.see(mesh, leaf, &sorted, sides);
            self.possible[place] = sorted.possible;
            if collector.until().is_none() {
                self.possible[place] = 0;
                cursor.stop();
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
            let leaf = self.cursors[place].leaf();
            let slot = Slot::take(leaf, &mut self.possible[place]);
            slots[lane % LANES] = slot;
            self.pairs
                .set(lane, &self.rays[place], mesh.bvh.block(leaf), slot);
        }
        let batch = self.pairs.filtered(simd);
        for (lane, &place) in group.iter().enumerate() {
            let place = usize::from(place) % WAVE;
            let slot = slots[lane % LANES];
            let ray = &self.rays[place];
            let (collector, best) = (&mut self.collectors[place], &mut self.crossings[place]);
            let (possible, cursor) = (&mut self.possible[place], &mut self.cursors[place]);
            for_hit(
                mesh,
                &batch,
                lane,
                (ray, slot),
                #[inline(always)]
                |crossing| {
                    if !sides.admits(crossing.side) || !collector.consider(mesh, slot, crossing.t) {
                        return;
                    }
                    *best = *crossing;
                    match collector.until() {
                        Some(limit) => cursor.keep_before(limit),
                        None => {
                            *possible = 0;
                            cursor.stop();
                        }
                    }
                },
            );
        }
    }

    /// Finds each ray's next step, and asks for the memory that it will read.
    #[inline(always)]
    fn advance(&mut self, mesh: &TriMesh) {
        // Lists of this function alone can keep their lengths in registers.
        let (mut nodes, mut leaves, mut rest) = (List::EMPTY, List::EMPTY, List::EMPTY);
        for list in [&self.nodes, &self.leaves] {
            for place in list.iter() {
                let cursor = &mut self.cursors[place];
                let goes_on = cursor.step();
                let is_at_leaf = cursor.is_at_leaf();
                leaves.push_if(place, goes_on & is_at_leaf);
                nodes.push_if(place, goes_on & !is_at_leaf);
                rest.push_if(place, !goes_on);
            }
        }
        let mut ended = core::mem::replace(&mut self.missed, List::EMPTY);
        for place in rest.iter() {
            let cursor = &mut self.cursors[place];
            let goes_on = cursor.advance();
            let is_at_leaf = cursor.is_at_leaf();
            leaves.push_if(place, goes_on & is_at_leaf);
            nodes.push_if(place, goes_on & !is_at_leaf);
            ended.push_if(place, !goes_on);
        }
        for place in nodes.iter() {
            mesh.bvh.fetch_node(&self.cursors[place]);
        }
        for place in leaves.iter() {
            mesh.bvh.fetch_leaf(&self.cursors[place]);
        }
        self.nodes = nodes;
        self.leaves = leaves;
        self.ended = ended;
    }
}

/// Takes rays to the children of nodes. It does not depend on what is looked for, so that it is
/// compiled once for all aims.
fn test_nodes(mesh: &TriMesh, cursors: &mut [Cursor], nodes: &List) {
    dispatch!(mesh.bvh.width(), simd => for place in nodes.iter() {
        mesh.bvh.test_node(simd, &mut cursors[place]);
    });
}
