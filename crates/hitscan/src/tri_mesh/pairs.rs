//! Rays and triangles of blocks side by side, for the exact test of many (`ray_triangle_lanes.rs`).

use super::TriMesh;
use super::block::TriangleBlock;
use super::ray::Slot;
use crate::hit::Side;
use crate::ray::LocalRay;
use crate::ray_triangle::cross;
use crate::ray_triangle_lanes::{Crossed, LANES, Plain, Points, Vectors};
use fearless_simd::{Simd, f32x8, f64x8, prelude::*};

/// A ray and a triangle a lane. Lanes that were not set hold what was there before.
pub(super) struct Pairs {
    origin: [[f64; LANES]; 3],
    direction: [[f64; LANES]; 3],
    /// `corners[corner][axis]`.
    corners: [[[f32; LANES]; 3]; 3],
}

impl Pairs {
    pub(super) const NONE: Self = Self {
        origin: [[0.0; LANES]; 3],
        direction: [[0.0; LANES]; 3],
        corners: [[[0.0; LANES]; 3]; 3],
    };

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, ray: &LocalRay, block: &TriangleBlock, slot: Slot) {
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
    pub(super) fn crossed<S: Simd>(&self, simd: S) -> Crossed<f64x8<S>> {
        let [a, b, c] = &self.corners;
        let corners = [wide(simd, a), wide(simd, b), wide(simd, c)];
        Crossed::of(self.origin(simd), self.direction(simd), corners)
    }

    #[inline(always)]
    pub(super) fn points<S: Simd>(&self, simd: S, crossed: &Crossed<f64x8<S>>) -> Points {
        Points::of(self.origin(simd), self.direction(simd), crossed)
    }

    #[inline(always)]
    fn origin<S: Simd>(&self, simd: S) -> Vectors<f64x8<S>> {
        let [x, y, z] = &self.origin;
        Vectors::load(simd, [x, y, z])
    }

    #[inline(always)]
    fn direction<S: Simd>(&self, simd: S) -> Vectors<f64x8<S>> {
        let [x, y, z] = &self.direction;
        Vectors::load(simd, [x, y, z])
    }
}

#[inline(always)]
fn wide<S: Simd>(simd: S, [x, y, z]: &[[f32; LANES]; 3]) -> Vectors<f64x8<S>> {
    Vectors {
        x: widened(simd, x),
        y: widened(simd, y),
        z: widened(simd, z),
    }
}

#[inline(always)]
fn widened<S: Simd>(simd: S, lanes: &[f32; LANES]) -> f64x8<S> {
    let (low, high) = f32x8::load_array_ref(simd, lanes).widen();
    low.combine(high)
}

/// When and from which side the ray of a lane passes through its triangle, if it does.
#[inline(always)]
pub(super) fn passing<S: Simd>(
    mesh: &TriMesh,
    crossed: &Crossed<f64x8<S>>,
    lane: usize,
    (ray, slot): (&LocalRay, Slot),
) -> Option<(f32, Side)> {
    match crossed.plainly(ray, lane) {
        Plain::Miss => None,
        Plain::Crossing(crossing) => Some((crossing.t, crossing.side)),
        Plain::Unsure => pass_carefully(mesh, ray, slot),
    }
}

#[cold]
#[inline(never)]
fn pass_carefully(mesh: &TriMesh, ray: &LocalRay, slot: Slot) -> Option<(f32, Side)> {
    let corners = mesh.bvh.block(slot.leaf).triangle(slot.place);
    cross(ray, &corners).map(|crossing| (crossing.t, crossing.side))
}
