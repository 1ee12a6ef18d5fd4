//! Packets: sixteen coherent rays, as a camera's are. The tree is traversed once for all of them
//! (`bvh/traverse/interval_packet.rs`), and each is tested against the leaves that it may hit.
//!
//! # States
//! Lane k of each row is ray k of the packet.
//!
//! ```text
//!   packet   init --> refused: some ray misses the tree, or they are not coherent
//!             |
//!             v
//!     +--> at a node: enter_node pushes the children that any ray may touch --+
//!     |    at a leaf: test_leaf, then decide ---------------------------------+
//!     |                                                                       v
//!     +------------------------- one is left ----------------------------- advance --> done
//!
//!   ray      active: its time limit is that of its best hit, or of its t_max
//!              | test_leaf: it touches the leaf's box, and some of its triangles are possible
//!              v
//!            open: a bit of `possible` for each of these triangles
//!              | decide: one triangle of each open ray at a time, until no bit is left
//!              v
//!            active again; or ended, where any hit is enough and there is one: its time limit is `ENDED`,
//!            before every leaf. Where test_leaf finds that a hit is certain, it ends the ray at once
//! ```

use super::LeafTriangle;
use super::pairs::{TrianglePairs, for_hit};
use crate::Sides;
use crate::bvh::{IntervalPacket, LATER, TraversalQuery, TraversalRay, slab_time};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::LANES;
use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use crate::query::closest_hits::NO_HIT;
use crate::query::collector::Collector;
use crate::query::wavefront;
use crate::simd::dispatch_wide;
use crate::simd::prefetch;
use crate::tri_mesh::TriMesh;
use crate::tri_mesh::triangle_block::Shear;
use fearless_simd::{Simd, f32x16, prelude::*};

/// The number of rays in a packet.
pub(crate) const PACKET: usize = 16;

type List = wavefront::List<PACKET>;

/// One number of each ray.
type Row = [f32; PACKET];

/// The time limit of a ray that has ended: before any time.
const ENDED: f32 = f32::MIN;

/// Coherent rays.
pub(in crate::tri_mesh) struct Packet<C> {
    /// The number of rays; the lanes after them repeat the last, ended.
    count: usize,
    rays: [LocalRay; PACKET],
    prepared: [TraversalRay; PACKET],
    shears: [Shear; PACKET],
    /// What slab times are computed from.
    reciprocal: [Row; 3],
    enter: [Row; 3],
    leave: [Row; 3],
    time_limit: Row,
    interval_packet: IntervalPacket,
    /// The triangles of the leaf that each ray's line may cross, as bits.
    possible: [u32; PACKET],
    collectors: [C; PACKET],
    hits: [TriangleHit; PACKET],
    pairs: TrianglePairs,
}

impl<C: Collector<LeafTriangle> + Copy> Packet<C> {
    pub(in crate::tri_mesh) fn new() -> Self {
        Self {
            count: 0,
            rays: [LocalRay::NONE; PACKET],
            prepared: [TraversalRay::NONE; PACKET],
            shears: [Shear::NONE; PACKET],
            reciprocal: [[0.0; PACKET]; 3],
            enter: [[0.0; PACKET]; 3],
            leave: [[0.0; PACKET]; 3],
            time_limit: [0.0; PACKET],
            interval_packet: IntervalPacket::new(),
            possible: [0; PACKET],
            collectors: [C::new(f32::INFINITY); PACKET],
            hits: [NO_HIT; PACKET],
            pairs: TrianglePairs::NONE,
        }
    }

    /// Whether rays, one to [`PACKET`], each with the t up to which hits matter, are coherent enough;
    /// then they start.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::tri_mesh) fn init(
        &mut self,
        mesh: &TriMesh,
        (count, ray_of): (usize, impl Fn(usize) -> (LocalRay, f32)),
    ) -> bool {
        self.count = count.min(PACKET);
        dispatch_wide!(mesh.bvh.width(), simd => self.init_with(simd, mesh, &ray_of))
    }

    /// Tests a node or a leaf, whichever is next; whether anything is left after it.
    pub(in crate::tri_mesh) fn step(&mut self, mesh: &TriMesh, sides: Sides) -> bool {
        let width = mesh.bvh.width();
        match self.interval_packet.leaf() {
            None => {
                dispatch_wide!(width, simd => mesh.bvh.enter_node(simd, &mut self.interval_packet))
            }
            Some(leaf) => {
                let mut open = List::EMPTY;
                dispatch_wide!(width, simd => self.test_leaf(simd, mesh, (leaf, sides), &mut open));
                dispatch_wide!(width, simd => self.decide(simd, mesh, (leaf, sides), open));
            }
        }
        self.interval_packet.advance()
    }

    /// What each ray has found, with its hit, which means something if the collector has a best
    /// candidate.
    pub(in crate::tri_mesh) fn found(&self) -> impl Iterator<Item = (&C, &TriangleHit)> {
        self.collectors.iter().zip(&self.hits).take(self.count)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn init_with<S: Simd>(
        &mut self,
        simd: S,
        mesh: &TriMesh,
        ray_of: &impl Fn(usize) -> (LocalRay, f32),
    ) -> bool {
        for place in 0..self.count.min(PACKET) {
            let (ray, t_max) = ray_of(place);
            let prepared = &mut self.prepared[place];
            // A leaf's own box is tested too, which is not among those that were widened.
            let query = TraversalQuery::ray_in_planes(&ray);
            if !mesh.bvh.prepare_into(simd, &query, prepared) {
                return false;
            }
            self.rays[place] = ray;
            self.collectors[place] = C::new(t_max);
            self.shears[place] = Shear::new(prepared);
            for axis in 0..3 {
                self.reciprocal[axis][place] = prepared.reciprocal[axis];
                self.enter[axis][place] = prepared.enter[axis];
                self.leave[axis][place] = prepared.leave[axis];
            }
            self.time_limit[place] = prepared.time_limit(t_max);
        }
        if self.count < PACKET {
            self.repeat_last();
        }
        let limit = self.latest(simd);
        let max_scatter = mesh.max_scatter.get_or_init(|| mesh.bvh.max_scatter());
        self.interval_packet
            .init(&self.prepared, *max_scatter, limit)
    }

    /// Fills the lanes after the last ray.
    #[cold]
    #[inline(never)]
    fn repeat_last(&mut self) {
        let rows = [&mut self.reciprocal, &mut self.enter, &mut self.leave];
        for row in rows.into_iter().flatten() {
            repeat(row, self.count);
        }
        repeat(&mut self.prepared, self.count);
        self.time_limit[self.count..].fill(ENDED);
    }

    /// The time after which nothing matters to any ray.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn latest<S: Simd>(&self, simd: S) -> f32 {
        f32x16::load_array_ref(simd, &self.time_limit).reduce_max()
    }

    /// Finds what each ray may cross of a leaf, and lists the rays that may cross anything.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn test_leaf<S: Simd>(
        &mut self,
        simd: S,
        mesh: &TriMesh,
        (leaf, sides_hit): (u32, Sides),
        open: &mut List,
    ) {
        prefetch(mesh.bvh.items(leaf));
        let block = mesh.bvh.block(leaf);
        let sides = self.interval_packet.sides(&block.bounds_with(simd));
        let mut enter = f32x16::splat(simd, 0.0);
        let mut leave = f32x16::splat(simd, f32::MAX);
        for (axis, [first, last]) in sides.into_iter().enumerate() {
            let reciprocal = f32x16::load_array_ref(simd, &self.reciprocal[axis]);
            let entered = f32x16::load_array_ref(simd, &self.enter[axis]);
            let left = f32x16::load_array_ref(simd, &self.leave[axis]);
            let (first, last) = (f32x16::splat(simd, first), f32x16::splat(simd, last));
            enter = enter.max(slab_time(simd, first, reciprocal, entered));
            leave = leave.min(slab_time(simd, last, reciprocal, left));
        }
        let limits = f32x16::load_array_ref(simd, &self.time_limit);
        let leave = (leave * LATER).min(limits);
        let mut touching = enter.simd_le(leave).to_bitmask();
        while touching != 0 {
            let place = touching.trailing_zeros() as usize % PACKET;
            touching &= touching - 1;
            let test = self.shears[place].test_block(simd, block, f32::INFINITY);
            if C::IS_ANY_ENOUGH && test.is_certain && sides_hit == Sides::Both {
                self.collectors[place].record_certain_hit();
                self.end_ray(simd, place);
                continue;
            }
            self.possible[place] = test.possible;
            open.push_if(place, test.possible != 0);
        }
    }

    /// Nothing matters to this ray any more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_ray<S: Simd>(&mut self, simd: S, place: usize) {
        self.time_limit[place] = ENDED;
        let limit = self.latest(simd);
        self.interval_packet.keep_before(limit);
    }

    /// Decides which of the possible triangles are crossed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn decide<S: Simd>(
        &mut self,
        simd: S,
        mesh: &TriMesh,
        (leaf, sides): (u32, Sides),
        mut open: List,
    ) {
        let mut is_nearer = false;
        // Each time round one triangle of each ray.
        while !open.is_empty() {
            let mut still = List::EMPTY;
            for group in open.as_slice().chunks(LANES) {
                let mut triangles = [LeafTriangle::FIRST; LANES];
                for (lane, &place) in group.iter().enumerate() {
                    let place = usize::from(place) % PACKET;
                    let triangle = LeafTriangle::take(leaf, &mut self.possible[place]);
                    triangles[lane % LANES] = triangle;
                    self.pairs
                        .set(lane, &self.rays[place], mesh.bvh.block(leaf), triangle);
                    still.push_if(place, self.possible[place] != 0);
                }
                let batch = self.pairs.filtered(simd);
                for (lane, &place) in group.iter().enumerate() {
                    let place = usize::from(place) % PACKET;
                    let triangle = triangles[lane % LANES];
                    let (ray, prepared) = (&self.rays[place], &self.prepared[place]);
                    let (collector, best) = (&mut self.collectors[place], &mut self.hits[place]);
                    let time_limit = &mut self.time_limit[place];
                    for_hit(
                        mesh,
                        &batch,
                        lane,
                        (ray, triangle),
                        #[cfg_attr(not(debug_assertions), inline(always))]
                        |hit| {
                            let TriangleHit { t, side, .. } = *hit;
                            let is_lower = |one: &_, other: &_| mesh.is_lower(*one, *other);
                            collector.record_hit(hit);
                            if sides.admits(side) && collector.consider(t, triangle, is_lower) {
                                // Where any hit is enough, none is computed in full.
                                if !C::IS_ANY_ENOUGH {
                                    *best = *hit;
                                }
                                *time_limit = (collector.t_max())
                                    .map_or(ENDED, |t_max| prepared.time_limit(t_max));
                                is_nearer = true;
                            }
                        },
                    );
                }
            }
            open = still;
        }
        if is_nearer {
            let limit = self.latest(simd);
            self.interval_packet.keep_before(limit);
        }
    }
}

/// Fills the lanes after the first few with the last of these.
fn repeat<T: Copy>(lanes: &mut [T; PACKET], count: usize) {
    let last = lanes[count - 1];
    lanes[count..].fill(last);
}
