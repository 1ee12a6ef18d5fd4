//! Wavefront traversal of meshes by a batch of rays (`query/wavefront.rs`), with the tests and decisions of one
//! ray. Each slot has its own mesh, so that rays scattered over the meshes of a world go together too.

use super::LeafTriangle;
use super::pairs::{TrianglePairs, for_hit};
use crate::Sides;
use crate::bvh::{Cursor, TraversalQuery};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::LANES;
use crate::query::collector::Collector;
use crate::query::wavefront::{self, Ended, Slots, Steps};
use crate::simd::{Width, dispatch, prefetch};
use crate::tri_mesh::TriMesh;
use crate::tri_mesh::triangle_block::Shear;
use core::ops::Range;
use fearless_simd::Simd;

/// The number of rays in a wavefront: their state stays in the nearest cache.
pub(crate) const WAVEFRONT_SIZE: usize = 64;

type List = wavefront::List<WAVEFRONT_SIZE>;

/// A wavefront of rays through meshes.
pub(crate) struct Wavefront<C> {
    slots: Slots<LeafTriangle, C, WAVEFRONT_SIZE>,
    state: State,
}

/// The rays' traversal state, for every collector.
struct State {
    rays: [LocalRay; WAVEFRONT_SIZE],
    cursors: Vec<Cursor>,
    shears: [Shear; WAVEFRONT_SIZE],
    /// The triangles of each ray's leaf that its line may cross, as bits.
    possible: [u32; WAVEFRONT_SIZE],
    pairs: TrianglePairs,
    /// The rays whose next step tests a node, or a leaf.
    nodes: List,
    leaves: List,
    /// The rays that miss the mesh's bounds.
    missed: List,
}

/// A ray in the space of a mesh.
pub(crate) struct MeshRay<'a> {
    pub(crate) mesh: &'a TriMesh,
    pub(crate) ray: LocalRay,
    pub(crate) sides: Sides,
    /// After which t hits do not matter.
    pub(crate) t_max: f32,
}

/// The mesh of each slot's ray, and the sides of it that count.
struct Meshes<'a> {
    of_slot: [&'a TriMesh; WAVEFRONT_SIZE],
    sides: [Sides; WAVEFRONT_SIZE],
    width: Width,
}

/// The steps of rays through their meshes.
struct MeshSteps<'a, 'm, R> {
    meshes: Meshes<'m>,
    /// The ray of a number.
    ray_of: R,
    state: &'a mut State,
}

impl<C: Collector<LeafTriangle> + Copy> Wavefront<C> {
    pub(crate) fn new() -> Self {
        Self {
            slots: Slots::new(),
            state: State {
                rays: [LocalRay::NONE; WAVEFRONT_SIZE],
                cursors: (0..WAVEFRONT_SIZE).map(|_| Cursor::new()).collect(),
                shears: [Shear::NONE; WAVEFRONT_SIZE],
                possible: [0; WAVEFRONT_SIZE],
                pairs: TrianglePairs::NONE,
                nodes: List::EMPTY,
                leaves: List::EMPTY,
                missed: List::EMPTY,
            },
        }
    }

    /// Takes as many rays, each up to its last t, through their meshes, and passes on those that have ended.
    pub(crate) fn run<'m>(
        &mut self,
        (count, ray_of): (usize, impl Fn(usize) -> MeshRay<'m>),
        width: Width,
        pass_on: &mut dyn FnMut(Ended<'_, C, WAVEFRONT_SIZE>),
    ) {
        if count == 0 {
            return;
        }
        let any = ray_of(0);
        let mut steps = MeshSteps {
            meshes: Meshes {
                of_slot: [any.mesh; WAVEFRONT_SIZE],
                sides: [any.sides; WAVEFRONT_SIZE],
                width,
            },
            ray_of,
            state: &mut self.state,
        };
        self.slots.run(count, &mut steps, pass_on);
    }
}

impl<'m, C, R> Steps<LeafTriangle, C, WAVEFRONT_SIZE> for MeshSteps<'_, 'm, R>
where
    C: Collector<LeafTriangle> + Copy,
    R: Fn(usize) -> MeshRay<'m>,
{
    fn start(
        &mut self,
        slots: &mut Slots<LeafTriangle, C, WAVEFRONT_SIZE>,
        numbers: Range<usize>,
    ) -> usize {
        let Self { meshes, ray_of, .. } = self;
        dispatch!(meshes.width, simd => self.state.start(simd, meshes, slots, (numbers, ray_of)))
    }

    fn is_idle(&self) -> bool {
        let state = &*self.state;
        state.nodes.is_empty() && state.leaves.is_empty() && state.missed.is_empty()
    }

    fn step(&mut self, slots: &mut Slots<LeafTriangle, C, WAVEFRONT_SIZE>) {
        step(&self.meshes, self.state, slots);
    }
}

/// Advances all rays by one step. It does not depend on where rays come from.
fn step<C: Collector<LeafTriangle> + Copy>(
    meshes: &Meshes<'_>,
    state: &mut State,
    slots: &mut Slots<LeafTriangle, C, WAVEFRONT_SIZE>,
) {
    let width = meshes.width;
    test_nodes(meshes, &mut state.cursors, &state.nodes);
    dispatch!(width, simd => state.test_leaves(simd, meshes, slots));
    dispatch!(width, simd => state.decide(simd, meshes, slots));
    advance(meshes, state, &mut slots.ended);
}

impl State {
    /// Starts rays in the slots of those that have ended, and returns which one is next.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start<'m, C: Collector<LeafTriangle> + Copy, S: Simd>(
        &mut self,
        simd: S,
        meshes: &mut Meshes<'m>,
        slots: &mut Slots<LeafTriangle, C, WAVEFRONT_SIZE>,
        (numbers, ray_of): (Range<usize>, &impl Fn(usize) -> MeshRay<'m>),
    ) -> usize {
        let mut next = numbers.start;
        let free = slots.ended;
        for (slot, number) in free.iter().zip(numbers) {
            let MeshRay {
                mesh,
                ray,
                sides,
                t_max,
            } = ray_of(number);
            slots.put(slot, number, t_max);
            meshes.of_slot[slot] = mesh;
            meshes.sides[slot] = sides;
            self.rays[slot] = ray;
            let cursor = &mut self.cursors[slot];
            let may_hit = (mesh.bvh).send(simd, cursor, (&TraversalQuery::ray(&ray), t_max));
            self.missed.push_if(slot, !may_hit);
            self.nodes.push_if(slot, may_hit);
            if may_hit {
                self.shears[slot] = Shear::new(cursor.prepared());
            }
            next = number + 1;
        }
        next
    }

    /// Finds the triangles of each ray's leaf that it may cross.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn test_leaves<C: Collector<LeafTriangle> + Copy, S: Simd>(
        &mut self,
        simd: S,
        meshes: &Meshes<'_>,
        slots: &mut Slots<LeafTriangle, C, WAVEFRONT_SIZE>,
    ) {
        for slot in self.leaves.iter() {
            let (mesh, sides) = (meshes.of_slot[slot], meshes.sides[slot]);
            let cursor = &mut self.cursors[slot];
            let leaf = cursor.leaf();
            let block = mesh.bvh.block(leaf);
            let test = self.shears[slot].test_block(simd, block, cursor.time_limit());
            self.possible[slot] = test.possible;
            if !C::IS_ANY_ENOUGH {
                // Ties are settled by the triangles' numbers, which lie elsewhere in memory.
                prefetch(mesh.bvh.items(leaf));
            } else if test.is_certain & (sides == Sides::Both) {
                slots.collectors[slot].record_certain_hit();
                self.possible[slot] = 0;
                cursor.stop();
            }
        }
    }

    /// Decides which of the possible triangles are hit.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn decide<C: Collector<LeafTriangle> + Copy, S: Simd>(
        &mut self,
        simd: S,
        meshes: &Meshes<'_>,
        slots: &mut Slots<LeafTriangle, C, WAVEFRONT_SIZE>,
    ) {
        let mut lists = [List::EMPTY; 2];
        for slot in self.leaves.iter() {
            lists[0].push_if(slot, self.possible[slot] != 0);
        }
        let [mut open, mut still] = lists.each_mut();
        // Each time round one triangle of each ray.
        while !open.is_empty() {
            for group in open.as_slice().chunks(LANES) {
                self.decide_group(simd, meshes, (slots, group));
            }
            still.clear();
            for slot in open.iter() {
                still.push_if(slot, self.possible[slot] != 0);
            }
            core::mem::swap(&mut open, &mut still);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn decide_group<C: Collector<LeafTriangle> + Copy, S: Simd>(
        &mut self,
        simd: S,
        meshes: &Meshes<'_>,
        (slots, group): (&mut Slots<LeafTriangle, C, WAVEFRONT_SIZE>, &[u8]),
    ) {
        let mut triangles = [LeafTriangle::FIRST; LANES];
        for (lane, &slot) in group.iter().enumerate() {
            let slot = usize::from(slot) % WAVEFRONT_SIZE;
            let leaf = self.cursors[slot].leaf();
            let triangle = LeafTriangle::take(leaf, &mut self.possible[slot]);
            triangles[lane % LANES] = triangle;
            let block = meshes.of_slot[slot].bvh.block(leaf);
            self.pairs.set(lane, &self.rays[slot], block, triangle);
        }
        let batch = self.pairs.filtered(simd);
        for (lane, &slot) in group.iter().enumerate() {
            let slot = usize::from(slot) % WAVEFRONT_SIZE;
            let triangle = triangles[lane % LANES];
            let (mesh, sides) = (meshes.of_slot[slot], meshes.sides[slot]);
            let ray = &self.rays[slot];
            let (collector, best) = (&mut slots.collectors[slot], &mut slots.hits[slot]);
            let (possible, cursor) = (&mut self.possible[slot], &mut self.cursors[slot]);
            for_hit(
                mesh,
                &batch,
                lane,
                (ray, triangle),
                #[cfg_attr(not(debug_assertions), inline(always))]
                |hit| {
                    let is_lower = |one: &_, other: &_| mesh.is_lower(*one, *other);
                    collector.record_hit(hit);
                    if !sides.admits(hit.side) || !collector.consider(hit.t, triangle, is_lower) {
                        return;
                    }
                    // Where any hit is enough, none is computed in full.
                    if !C::IS_ANY_ENOUGH {
                        *best = *hit;
                    }
                    match collector.t_max() {
                        Some(t_max) => cursor.keep_before(t_max),
                        None => {
                            *possible = 0;
                            cursor.stop();
                        }
                    }
                },
            );
        }
    }

    /// Finds each ray's next step, prefetches what it will read, and lists those that end.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn advance(&mut self, meshes: &Meshes<'_>, all_ended: &mut List) {
        // Lists of this function alone can keep their lengths in registers.
        let (mut nodes, mut leaves, mut rest) = (List::EMPTY, List::EMPTY, List::EMPTY);
        for list in [&self.nodes, &self.leaves] {
            for slot in list.iter() {
                let cursor = &mut self.cursors[slot];
                let is_active = cursor.step();
                let is_at_leaf = cursor.is_at_leaf();
                leaves.push_if(slot, is_active & is_at_leaf);
                nodes.push_if(slot, is_active & !is_at_leaf);
                rest.push_if(slot, !is_active);
            }
        }
        let mut ended = core::mem::replace(&mut self.missed, List::EMPTY);
        for slot in rest.iter() {
            let cursor = &mut self.cursors[slot];
            let is_active = cursor.advance();
            let is_at_leaf = cursor.is_at_leaf();
            leaves.push_if(slot, is_active & is_at_leaf);
            nodes.push_if(slot, is_active & !is_at_leaf);
            ended.push_if(slot, !is_active);
        }
        for slot in nodes.iter() {
            meshes.of_slot[slot].bvh.fetch_node(&self.cursors[slot]);
        }
        for slot in leaves.iter() {
            meshes.of_slot[slot].bvh.fetch_leaf(&self.cursors[slot]);
        }
        self.nodes = nodes;
        self.leaves = leaves;
        *all_ended = ended;
    }
}

/// Tests the nodes of rays against their children. It does not depend on what is looked for, so that
/// it is compiled once for all collectors.
fn test_nodes(meshes: &Meshes<'_>, cursors: &mut [Cursor], nodes: &List) {
    dispatch!(meshes.width, simd => for slot in nodes.iter() {
        meshes.of_slot[slot].bvh.test_node(simd, &mut cursors[slot]);
    });
}

/// As [`test_nodes`], compiled once.
fn advance(meshes: &Meshes<'_>, state: &mut State, ended: &mut List) {
    dispatch!(meshes.width, _simd => state.advance(meshes, ended));
}
