//! Leaf tests of a wavefront: four rays, and both triangles of each one's cell, side by side in the
//! floating-point filter.

use super::{TerrainSteps, WAVEFRONT_SIZE};
use crate::Sides;
use crate::height_field::ray::cell::{corners_of_both, intersect_half_exactly};
use crate::height_field::ray::{consider, last_rounding_to};
use crate::height_field::storage::grid::Cell;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::{Filtered, FilteredBatch, TriangleHit, Vectors};
use crate::query::collector::Collector;
use crate::query::watch::Unwatched;
use crate::query::wavefront::Slots;
use crate::simd::dispatch_wide;
use fearless_simd::{Simd, f64x8};

/// The number of rays that are decided together.
const GROUP: usize = 4;
/// Triangles a cell.
const HALVES: usize = 2;
const LANES: usize = GROUP * HALVES;

impl TerrainSteps<'_> {
    pub(super) fn decide<C: Collector<u32>>(&mut self, slots: &mut Slots<u32, C, WAVEFRONT_SIZE>) {
        dispatch_wide!(self.field.width, simd => self.decide_with(simd, slots));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn decide_with<C: Collector<u32>, S: Simd>(
        &mut self,
        simd: S,
        slots: &mut Slots<u32, C, WAVEFRONT_SIZE>,
    ) {
        let (field, sides) = (self.field, self.sides);
        let cursors = &mut *self.cursors;
        let cells = cursors.cells;
        for group in cells.as_slice().chunks(GROUP) {
            let mut origin = [[0.0; LANES]; 3];
            let mut direction = [[0.0; LANES]; 3];
            let mut corners = [[[0.0; LANES]; 3]; 3];
            let mut place = 0;
            let mut cell = field.cell(0, 0);
            for index in 0..GROUP {
                // Lanes without a ray repeat the last.
                if let Some(&listed) = group.get(index) {
                    place = usize::from(listed);
                    let [column, row] = cursors.cell[place];
                    cell = field.cell(column as usize, row as usize);
                }
                let ray = LocalRay::from(&self.rays[slots.numbers[place % WAVEFRONT_SIZE]]);
                let both = corners_of_both(&cell);
                let (from, along) = (ray.origin.to_array(), ray.direction.to_array());
                for half in 0..HALVES {
                    let lane = index * HALVES + half;
                    for axis in 0..3 {
                        origin[axis][lane] = from[axis];
                        direction[axis][lane] = along[axis];
                    }
                    for (corner, both) in corners.iter_mut().zip(&both) {
                        for (axis, pair) in corner.iter_mut().zip(both) {
                            axis[lane] = pair[half];
                        }
                    }
                }
            }
            let load = |[x, y, z]: &[[f64; LANES]; 3]| Vectors::<f64x8<S>>::load(simd, [x, y, z]);
            let [a, b, c] = &corners;
            let batch =
                FilteredBatch::new(load(&origin), load(&direction), [load(a), load(b), load(c)]);
            for (index, &place) in group.iter().enumerate() {
                let place = usize::from(place);
                let [column, row] = cursors.cell[place].map(|line| line as usize);
                let ray = LocalRay::from(&self.rays[slots.numbers[place % WAVEFRONT_SIZE]]);
                let triangle = field.grid.first_triangle(column, row);
                let mut is_uncertain = false;
                for half in 0..HALVES {
                    let found = (&mut slots.collectors[place], &mut slots.hits[place]);
                    let triangle = triangle + u32::from(half == 1);
                    // Each arm considers: one call after the match would pass the hit through memory.
                    match batch.filter(&ray, index * HALVES + half) {
                        Filtered::Miss => {}
                        Filtered::TriangleHit(hit) => {
                            consider(found, (sides, Unwatched), triangle, hit);
                        }
                        Filtered::Uncertain => {
                            consider_exactly(found, sides, &ray, (&field.cell(column, row), half));
                            is_uncertain = true;
                        }
                    }
                }
                let progress = &mut cursors.progress[place];
                if is_uncertain {
                    let found = (&mut slots.collectors[place], &mut slots.hits[place]);
                    let level_cells = &mut cursors.level_cells[place];
                    let cell = [column, row];
                    if field.ends_past_level_ground((&ray, sides), cell, level_cells, found) {
                        progress.stop();
                        cursors.exit_level[place] = progress.height();
                        continue;
                    }
                }
                match slots.collectors[place].t_max() {
                    None => {
                        progress.stop();
                        cursors.exit_level[place] = progress.height();
                    }
                    Some(limit) if limit < f32::INFINITY => {
                        let segment = cursors.segments.segment(place);
                        progress.keep_before(&segment, last_rounding_to(limit));
                        if progress.is_at_exit(field, &segment) {
                            cursors.exit_level[place] = progress.height();
                        }
                    }
                    Some(_) => {}
                }
            }
        }
    }
}

#[cold]
#[inline(never)]
fn consider_exactly<C: Collector<u32>>(
    found: (&mut C, &mut TriangleHit),
    sides: Sides,
    ray: &LocalRay,
    (cell, half): (&Cell, usize),
) {
    if let Some(hit) = intersect_half_exactly(ray, cell, half) {
        consider(
            found,
            (sides, Unwatched),
            cell.first_triangle + u32::from(half == 1),
            hit,
        );
    }
}
