//! Rays and triangles of blocks side by side, for the floating-point filter of many
//! (`ray_cast/ray_triangle/filter.rs`).

use super::LeafTriangle;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::{
    Filtered, FilteredBatch, LANES, TriangleHit, Vectors, intersect_exactly, widened,
};
use crate::tri_mesh::TriMesh;
use crate::tri_mesh::triangle_block::TriangleBlock;
use fearless_simd::{Simd, f64x8};

/// A ray and a triangle a lane. Lanes that were not set hold what was there before.
pub(in crate::tri_mesh) struct TrianglePairs {
    origin: [[f64; LANES]; 3],
    direction: [[f64; LANES]; 3],
    /// `corners[corner][axis]`.
    corners: [[[f32; LANES]; 3]; 3],
}

impl TrianglePairs {
    pub(in crate::tri_mesh) const NONE: Self = Self {
        origin: [[0.0; LANES]; 3],
        direction: [[0.0; LANES]; 3],
        corners: [[[0.0; LANES]; 3]; 3],
    };

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::tri_mesh) fn set(
        &mut self,
        lane: usize,
        ray: &LocalRay,
        block: &TriangleBlock,
        slot: LeafTriangle,
    ) {
        let lane = lane % LANES;
        for axis in 0..3 {
            self.origin[axis][lane] = ray.origin[axis];
            self.direction[axis][lane] = ray.direction[axis];
        }
        for corner in 0..3 {
            let place = block.corner_at(slot.place, corner);
            for axis in 0..3 {
                self.corners[corner][axis][lane] = place[axis];
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::tri_mesh) fn filtered<S: Simd>(&self, simd: S) -> FilteredBatch<f64x8<S>> {
        let [a, b, c] = &self.corners;
        let corners = [wide(simd, a), wide(simd, b), wide(simd, c)];
        let load = |[x, y, z]: &[[f64; LANES]; 3]| Vectors::load(simd, [x, y, z]);
        FilteredBatch::new(load(&self.origin), load(&self.direction), corners)
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn wide<S: Simd>(simd: S, [x, y, z]: &[[f32; LANES]; 3]) -> Vectors<f64x8<S>> {
    Vectors {
        x: widened(simd, *x),
        y: widened(simd, *y),
        z: widened(simd, *z),
    }
}

/// Passes on the hit of a lane's ray and triangle, if there is one.
///
/// `found` is called in each arm: one call after the match would pass the hit through memory.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::tri_mesh) fn for_hit<S: Simd>(
    mesh: &TriMesh,
    batch: &FilteredBatch<f64x8<S>>,
    lane: usize,
    (ray, slot): (&LocalRay, LeafTriangle),
    mut found: impl FnMut(&TriangleHit),
) {
    match batch.filter(ray, lane) {
        Filtered::Miss => {}
        Filtered::TriangleHit(hit) => found(&hit),
        Filtered::Uncertain => find_exactly(mesh, ray, slot, &mut found),
    }
}

#[cold]
#[inline(never)]
fn find_exactly(
    mesh: &TriMesh,
    ray: &LocalRay,
    slot: LeafTriangle,
    found: &mut dyn FnMut(&TriangleHit),
) {
    let corners = mesh.bvh.block(slot.leaf).triangle(slot.place);
    if let Some(hit) = intersect_exactly(ray, &corners) {
        found(&hit);
    }
}
