//! Eight rays straight down or up: each one's triangle is looked up as in `height_batch.rs`, and all
//! are decided side by side by the floating-point filter.
//!
//! Where that fails (a ray on a line of the grid, a hole) the ray is cast alone, as in `vertical.rs`.

use super::TerrainCollector;
use crate::height_field::HeightField;
use crate::height_field::ray::cell::corners_of_both;
use crate::height_field::storage::cell_index::low_bits;
use crate::height_field::storage::grid::Diagonal;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::{
    Filtered, FilteredBatch, HitPoints, LANES, Vectors, Vertical, by_lane, widened,
};
use crate::simd::dispatch_wide;
use crate::{Ray, Sides};
use fearless_simd::{Simd, f64x8, prelude::*};

/// Whether the ray is one of these.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn is_vertical(ray: &Ray) -> bool {
    let direction = ray.direction();
    direction.x == 0.0 && direction.z == 0.0
}

/// Casts vertical rays, with the answers of casting each alone.
pub(super) fn answer<A: TerrainCollector>(
    field: &HeightField,
    (rays, limits): (&[Ray], &[f32]),
    sides: Sides,
    answers: &mut [A::Answer],
) {
    let (eights, rest) = rays.as_chunks::<LANES>();
    let (limits, limits_of_rest) = limits.as_chunks::<LANES>();
    let (answers, answers_of_rest) = answers.as_chunks_mut::<LANES>();
    dispatch_wide!(field.width, simd => {
        answer_eights::<A, _>(simd, field, (eights, limits), sides, answers);
    });
    for ((ray, limit), answer) in rest.iter().zip(limits_of_rest).zip(answers_of_rest) {
        *answer = A::alone(field, ray, sides, *limit);
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn answer_eights<A: TerrainCollector, S: Simd>(
    simd: S,
    field: &HeightField,
    (eights, limits): (&[[Ray; LANES]], &[[f32; LANES]]),
    sides: Sides,
    answers: &mut [[A::Answer; LANES]],
) {
    let mut next = eights.first().map(|rays| Eight::find(simd, field, rays));
    let all = eights.iter().zip(limits).zip(answers);
    for (index, ((rays, limits), answers)) in all.enumerate() {
        // The samples of the next eight are fetched while these are decided.
        let eight = next;
        let rays_after = eights.get(index + 1);
        next = rays_after.map(|rays| Eight::find(simd, field, rays));
        if let Some(eight) = eight {
            eight.decide::<A>(simd, field, (rays, limits, sides), answers);
        }
    }
}

/// Eight rays and the triangles above or below them.
///
/// The lanes are put together in registers: read from memory in other pieces than written, they
/// would suffer a store-to-load forwarding stall.
struct Eight<S: Simd> {
    origin: Vectors<f64x8<S>>,
    direction: Vectors<f64x8<S>>,
    cells: [[usize; 2]; LANES],
    /// A bit for each ray: whether its line intersects triangle 1 of its cell, and whether that is
    /// sure.
    is_second: u64,
    is_sure: u64,
}

impl<S: Simd> Eight<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn find(simd: S, field: &HeightField, rays: &[Ray; LANES]) -> Self {
        let origin = Vectors::by_axis(
            #[cfg_attr(not(debug_assertions), inline(always))]
            |axis| widened(simd, by_lane(|lane| rays[lane].origin()[axis])),
        );
        let direction = Vectors::by_axis(
            #[cfg_attr(not(debug_assertions), inline(always))]
            |axis| widened(simd, by_lane(|lane| rays[lane].direction()[axis])),
        );
        let sampler = &field.sampler;
        let columns = sampler.cells(0, origin.x);
        let rows = sampler.cells(1, origin.z);
        let (u, v) = (columns.fractions, rows.fractions);
        let w = match field.grid.diagonal {
            Diagonal::Anti => u + v - 1.0,
            Diagonal::Main => v - u,
        };
        let is_sure = columns.is_certain & rows.is_certain & w.abs().simd_gt(sampler.diagonal);
        let cells = by_lane(|lane| {
            // Where the place is not sure, any cell of the map will do.
            let column = low_bits(columns.indices[lane]).min(field.grid.columns - 2);
            let row = low_bits(rows.indices[lane]).min(field.grid.rows - 2);
            field.fetch_cell(column, row);
            [column, row]
        });
        Self {
            origin,
            direction,
            cells,
            is_second: w.simd_gt(0.0).to_bitmask(),
            is_sure: is_sure.to_bitmask(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn decide<A: TerrainCollector>(
        &self,
        simd: S,
        field: &HeightField,
        (rays, limits, sides): (&[Ray; LANES], &[f32; LANES], Sides),
        answers: &mut [A::Answer; LANES],
    ) {
        let is_second = |lane: usize| self.is_second >> lane & 1 == 1;
        let corners: [[[f64; 3]; 3]; LANES] = by_lane(
            #[cfg_attr(not(debug_assertions), inline(always))]
            |lane| {
                let [column, row] = self.cells[lane];
                let [a, b, c] = corners_of_both(&field.cell(column, row));
                let is_second = is_second(lane);
                let pick = |[first, second]: [f64; 2]| if is_second { second } else { first };
                let corner = |[x, y, z]: [[f64; 2]; 3]| [pick(x), pick(y), pick(z)];
                [corner(a), corner(b), corner(c)]
            },
        );
        let corner = |corner: usize| {
            Vectors::by_axis(
                #[cfg_attr(not(debug_assertions), inline(always))]
                |axis| f64x8::load_array(simd, by_lane(|lane| corners[lane][corner][axis])),
            )
        };
        let batch = FilteredBatch::new(
            self.origin,
            Vertical(self.direction.y),
            [corner(0), corner(1), corner(2)],
        );
        let points = HitPoints::new(self.origin, self.direction, (batch.t, batch.normal));
        for lane in 0..LANES {
            let ray = &rays[lane];
            answers[lane] = match batch.filter(&LocalRay::from(ray), lane) {
                Filtered::TriangleHit(hit) if self.is_sure >> lane & 1 == 1 => {
                    let counts = sides.admits(hit.side) && hit.t <= limits[lane];
                    let [column, row] = self.cells[lane];
                    let first = field.grid.first_triangle(column, row);
                    let hit_triangle = counts.then(|| (first + u32::from(is_second(lane)), hit));
                    A::of_lane(&points, lane, hit_triangle)
                }
                _ => A::alone(field, ray, sides, limits[lane]),
            };
        }
    }
}
