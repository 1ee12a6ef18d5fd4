//! Rays and triangles of blocks side by side, a pair a lane, for the filter of many.

use super::LeafTriangle;
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle::{TriangleHit, cross};
use crate::ray_cast::ray_triangle_lanes::{Filtered, FilteredBatch, LANES, Vectors, widened};
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

    #[inline(always)]
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

    #[inline(always)]
    pub(in crate::tri_mesh) fn crossed<S: Simd>(&self, simd: S) -> FilteredBatch<f64x8<S>> {
        let [a, b, c] = &self.corners;
        let corners = [wide(simd, a), wide(simd, b), wide(simd, c)];
        let load = |[x, y, z]: &[[f64; LANES]; 3]| Vectors::load(simd, [x, y, z]);
        FilteredBatch::of(load(&self.origin), load(&self.direction), corners)
    }
}

#[inline(always)]
fn wide<S: Simd>(simd: S, [x, y, z]: &[[f32; LANES]; 3]) -> Vectors<f64x8<S>> {
    Vectors {
        x: widened(simd, *x),
        y: widened(simd, *y),
        z: widened(simd, *z),
    }
}

/// Passes on the hit of a lane's ray and triangle, if there is one.
///
/// It is passed to `found` where it is found: a hit that is returned goes through memory.
#[inline(always)]
pub(in crate::tri_mesh) fn tell_crossing<S: Simd>(
    mesh: &TriMesh,
    crossed: &FilteredBatch<f64x8<S>>,
    lane: usize,
    (ray, slot): (&LocalRay, LeafTriangle),
    mut found: impl FnMut(&TriangleHit),
) {
    match crossed.filter(ray, lane) {
        Filtered::Miss => {}
        Filtered::TriangleHit(crossing) => found(&crossing),
        Filtered::Uncertain => hit_exactly(mesh, ray, slot, &mut found),
    }
}

#[cold]
#[inline(never)]
fn hit_exactly(
    mesh: &TriMesh,
    ray: &LocalRay,
    slot: LeafTriangle,
    found: &mut dyn FnMut(&TriangleHit),
) {
    let corners = mesh.bvh.block(slot.leaf).triangle(slot.place);
    if let Some(crossing) = cross(ray, &corners) {
        found(&crossing);
    }
}
