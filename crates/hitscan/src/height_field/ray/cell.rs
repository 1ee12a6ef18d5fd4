//! Ray against the two triangles of a cell: both side by side in the floating-point filter, and the
//! exact fallback where that fails.

use crate::height_field::storage::grid::{Cell, Diagonal};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::{
    Filtered, FilteredBatch, TriangleHit, Vectors, intersect_exactly,
};
use crate::simd::dispatch_baseline;
use fearless_simd::f64x2;
use glam::DVec3;

/// Calls `found` for each triangle of the cell that the ray hits, with its half and its hit.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::height_field) fn intersect_cell(
    ray: &LocalRay,
    cell: &Cell,
    mut found: impl FnMut(u32, TriangleHit),
) {
    dispatch_baseline!(simd => {
        let splat = |v: DVec3| Vectors::splat(simd, v);
        let load = |[x, y, z]: [[f64; 2]; 3]| Vectors::<f64x2<_>>::load(simd, [&x, &y, &z]);
        let [a, b, c] = corners_of_both(cell);
        let (origin, direction) = (splat(ray.origin), splat(ray.direction));
        let both = FilteredBatch::new(origin, direction, [load(a), load(b), load(c)]);
        for half in 0..2 {
            match both.filter(ray, half) {
                Filtered::Miss => {}
                Filtered::TriangleHit(hit) => found(u32::from(half == 1), hit),
                Filtered::Uncertain => {
                    if let Some(hit) = intersect_half_exactly(ray, cell, half) {
                        found(u32::from(half == 1), hit);
                    }
                }
            }
        }
    });
}

/// The hit of one triangle of the cell, where the filter fails.
#[cold]
#[inline(never)]
pub(in crate::height_field) fn intersect_half_exactly(
    ray: &LocalRay,
    cell: &Cell,
    half: usize,
) -> Option<TriangleHit> {
    intersect_exactly(ray, &cell.triangle(half)?)
}

/// The corners of both triangles of a cell, as [`Cell::triangle`] has them, triangle 0 first.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::height_field) fn corners_of_both(cell: &Cell) -> [[[f64; 2]; 3]; 3] {
    let Cell {
        x: [x0, x1],
        z: [z0, z1],
        y: [[y00, y10], [y01, y11]],
        ..
    } = *cell;
    match cell.diagonal {
        Diagonal::Anti => [
            [[x0, x1], [y00, y10], [z0, z0]],
            [[x0, x0], [y01, y01], [z1, z1]],
            [[x1, x1], [y10, y11], [z0, z1]],
        ],
        Diagonal::Main => [
            [[x0, x0], [y00, y00], [z0, z0]],
            [[x1, x0], [y11, y01], [z1, z1]],
            [[x1, x1], [y10, y11], [z0, z1]],
        ],
    }
}
