//! Tests that culling never changes an answer: each query against all triangles, bit for bit, on
//! maps and with rays that are near-degenerate on purpose.

use super::ray::cell::intersect_cell;
use super::storage::tile::Tile;
use super::*;
use crate::exact::expansion::nearest_f32;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::{TriangleHit, intersect};
use crate::query::watch::Unwatched;
use crate::test_rng::Rng;
use crate::{Ray, Sides};
use core::ops::ControlFlow;

mod refusals;
mod shape_casts;

/// A map: from 2x2 to ribbons and a few blocks each way, flat, terraced or rough, with holes.
fn random_field(rng: &mut Rng) -> HeightField {
    let (columns, rows) = rng.pick(&[(2, 2), (3, 2), (2, 40), (70, 2), (6, 5), (19, 23), (5, 17)]);
    let scale = rng.pick(&[1.0, 1.0, 1.0, 1e-6, 1e6, 1e-20, 1e12]);
    let spacing = [rng.pick(&[1.0, 0.1, 30.0]), rng.pick(&[1.0, 0.7, 4.0])].map(|s| s * scale);
    let shift = rng.pick(&[0.0, 0.0, -7.3, 1000.1, -1e5]) * scale;
    let grid = Grid {
        columns,
        rows,
        spacing,
        origin: [shift, rng.pick(&[0.0, 0.0, -3.7]) * scale, -0.9 * shift],
        diagonal: rng.pick(&[Diagonal::Anti, Diagonal::Main]),
    };
    let kind = rng.below(4);
    let holes = rng.pick(&[0, 0, 3, 15, 1]);
    let heights = (0..columns * rows)
        .map(|index| {
            if holes > 0 && rng.below(holes) == 0 {
                return f32::NAN;
            }
            let height = match kind {
                0 => 2.0,
                1 => rng.below(3) as f64,
                2 => (index % columns) as f64,
                _ => rng.uniform(-5.0, 5.0),
            };
            nearest_f32(height * scale)
        })
        .collect();
    HeightField::new(grid, heights).unwrap()
}

/// A point of interest: a sample, on an edge, in a triangle, or anywhere near the map.
fn random_point(rng: &mut Rng, field: &HeightField) -> DVec3 {
    let grid = field.grid();
    let (column, row) = (rng.below(grid.columns as u64), rng.below(grid.rows as u64));
    let y = grid.y(field.sample(column, row).unwrap_or(0.0));
    let sample = DVec3::new(grid.x(column), y, grid.z(row));
    let triangle = u32::try_from(rng.below(field.triangle_count() as u64)).unwrap();
    match (rng.below(4), field.triangle(triangle)) {
        (0, Some([a, b, _])) => a.midpoint(b),
        (1, Some([a, b, c])) => {
            let (u, v) = (rng.uniform(0.0, 0.5), rng.uniform(0.0, 0.5));
            a + (b - a) * u + (c - a) * v
        }
        (2, _) => {
            let size = grid.spacing[0] * 5.0;
            sample + DVec3::from_array([0, 1, 2].map(|_| rng.uniform(-size, size)))
        }
        _ => sample,
    }
}

/// A ray through or along things of interest, often a few ulps beside them.
fn random_ray(rng: &mut Rng, field: &HeightField) -> LocalRay {
    let from = random_point(rng, field);
    let to = random_point(rng, field);
    let size = field.grid().spacing[0];
    let mut direction = match rng.below(8) {
        0 => DVec3::NEG_Y * size,
        1 => DVec3::Y * size,
        2 => DVec3::X * size,
        3 => DVec3::NEG_Z * size,
        4 => DVec3::new(size, 0.0, -size),
        _ => to - from,
    };
    if direction == DVec3::ZERO {
        direction = DVec3::NEG_Y;
    }
    let mut origin = from - direction * rng.pick(&[0.0, 0.5, 1.0, 3.0, 100.0]);
    for axis in 0..3 {
        if rng.below(6) == 0 {
            origin[axis] = origin[axis].next_up();
        }
        if rng.below(6) == 0 && direction[axis] != 0.0 {
            direction[axis] = direction[axis].next_down();
        }
    }
    // Half of the rays are such as a user can make.
    if rng.below(2) == 0 {
        origin = origin.as_vec3().as_dvec3();
        direction = direction.as_vec3().as_dvec3();
        if direction == DVec3::ZERO {
            direction = DVec3::X;
        }
    }
    let t_min = rng.pick(&[0.0, 0.0, 0.5, -200.0]);
    let t_max = rng.pick(&[f64::INFINITY, 1.0, 3.0, 100.0]);
    LocalRay {
        origin,
        direction,
        t_min,
        t_max: t_max.max(t_min),
    }
}

fn all_triangles(field: &HeightField) -> Vec<(u32, [DVec3; 3])> {
    (0..u32::try_from(field.triangle_count()).unwrap())
        .filter_map(|triangle| Some((triangle, field.triangle(triangle)?)))
        .collect()
}

fn bits((triangle, hit): (u32, TriangleHit)) -> (u32, u32, u64) {
    (triangle, hit.t.to_bits(), hit.t_wide.to_bits())
}

#[test]
fn rays_hit_what_brute_force_hits() {
    let mut rng = Rng(1);
    let (mut hits, mut ties, mut misses) = (0, 0, 0);
    for _ in 0..400 {
        let field = random_field(&mut rng);
        let triangles = all_triangles(&field);
        for _ in 0..60 {
            let ray = random_ray(&mut rng, &field);
            let sides = rng.pick(&[Sides::Both, Sides::Both, Sides::Front, Sides::Back]);
            let mut all_hits: Vec<(u32, TriangleHit)> = triangles
                .iter()
                .filter_map(|(triangle, corners)| Some((*triangle, intersect(&ray, corners)?)))
                .collect();
            let mut candidates = Vec::new();
            let end = field.for_each_candidate(&ray, &mut |triangle, corners| {
                assert_eq!(field.triangle(triangle).as_ref(), Some(corners));
                candidates.push(triangle);
                ControlFlow::Continue(())
            });
            assert!(end.is_continue());
            let is_candidate = |(triangle, _): &(u32, TriangleHit)| candidates.contains(triangle);
            assert!(all_hits.iter().all(is_candidate), "{ray:?}");

            all_hits.retain(|(_, hit)| sides.admits(hit.side));
            all_hits.sort_by(|a, b| a.1.t.total_cmp(&b.1.t).then(a.0.cmp(&b.0)));
            let first = all_hits.first().copied();
            let found = field.nearest(&ray, sides, f32::INFINITY, Unwatched);
            assert_eq!(
                found.map(bits),
                first.map(bits),
                "{ray:?} {:?}",
                field.grid()
            );
            assert_eq!(field.hits_any(&ray, sides), first.is_some());
            misses += usize::from(first.is_none());
            if let Some((_, TriangleHit { t, .. })) = first {
                hits += 1;
                ties += usize::from(all_hits.get(1).is_some_and(|second| second.1.t == t));
                // The limit itself still counts.
                assert_eq!(
                    field.nearest(&ray, sides, t, Unwatched).map(bits),
                    first.map(bits)
                );
                assert!(
                    field
                        .nearest(&ray, sides, t.next_down(), Unwatched)
                        .is_none()
                );
            }
        }
    }
    println!("{hits} hits of which {ties} tie, {misses} misses");
    assert!(hits > 5_000 && ties > 1_000 && misses > 1_000);
}

#[test]
fn both_triangles_of_a_cell_are_crossed_as_one_by_one() {
    let mut rng = Rng(5);
    let (mut crossed, mut missed) = (0, 0);
    for _ in 0..400 {
        let field = random_field(&mut rng);
        for _ in 0..150 {
            let ray = random_ray(&mut rng, &field);
            let column = rng.below(field.grid.columns as u64 - 1);
            let row = rng.below(field.grid.rows as u64 - 1);
            let cell = field.cell(column, row);
            let mut found = Vec::new();
            intersect_cell(&ray, &cell, |half, hit| {
                found.push(format!("{half} {hit:?}"));
            });
            let expected: Vec<_> = [0, 1]
                .into_iter()
                .filter_map(|half| Some((half, intersect(&ray, &cell.triangle(half)?)?)))
                .map(|(half, hit)| format!("{half} {hit:?}"))
                .collect();
            assert_eq!(found, expected, "{ray:?} {cell:?}");
            crossed += expected.len();
            missed += usize::from(expected.is_empty());
        }
    }
    println!("{crossed} crossed, {missed} cells missed");
    assert!(crossed > 500 && missed > 500);
}

#[test]
fn moving_boxes_hit_what_brute_force_hits() {
    let mut rng = Rng(2);
    let (mut found_some, mut left_out_some) = (0, 0);
    for _ in 0..300 {
        let field = random_field(&mut rng);
        let triangles = all_triangles(&field);
        for _ in 0..30 {
            let (p, q) = (
                random_point(&mut rng, &field),
                random_point(&mut rng, &field),
            );
            let shrink = rng.pick(&[1.0, 0.1, 0.0]);
            let (min, max) = (p.min(p + (q - p) * shrink), p.max(p + (q - p) * shrink));
            let touches = |low: DVec3, high: DVec3| low.cmple(max).all() && min.cmple(high).all();
            let mut resting = Vec::new();
            let _ = field.for_each_triangle_in(min, max, &mut |triangle, _| {
                resting.push(triangle);
                ControlFlow::Continue(())
            });
            for (triangle, corners) in &triangles {
                let [a, b, c] = corners;
                if touches(a.min(*b).min(*c), a.max(*b).max(*c)) {
                    assert!(resting.contains(triangle), "{min} {max} {corners:?}");
                    found_some += 1;
                }
            }
            left_out_some += usize::from(resting.len() < triangles.len());
        }
    }
    assert!(found_some > 1_000 && left_out_some > 1_000);
}

/// All that a field has computed, as bits.
fn state(
    field: &HeightField,
) -> (
    Vec<u32>,
    RangePyramid,
    Vec<Tile>,
    SamplePyramid,
    Option<Aabb>,
) {
    let heights = field
        .heights
        .iter()
        .map(|height| height.to_bits())
        .collect();
    (
        heights,
        field.ranges.clone(),
        field.tiles().to_vec(),
        field.sample_pyramid().clone(),
        field.bounds,
    )
}

#[test]
fn an_edited_field_equals_a_fresh_one() {
    let mut rng = Rng(3);
    for _ in 0..300 {
        let mut field = random_field(&mut rng);
        let grid = *field.grid();
        // What queries make is refitted where it was made, and made of the edited heights where not.
        if rng.below(2) == 0 {
            field.prepare();
        }
        for _ in 0..4 {
            let (column, row) = (rng.below(grid.columns as u64), rng.below(grid.rows as u64));
            let region = Region {
                column,
                row,
                columns: rng.below((grid.columns - column) as u64) + 1,
                rows: rng.below((grid.rows - row) as u64) + 1,
            };
            let height = nearest_f32(rng.uniform(-9.0, 9.0) * grid.spacing[0]);
            let heights: Vec<f32> = (0..region.columns * region.rows)
                .map(|_| rng.pick(&[height, 0.0, f32::NAN, -f32::NAN, height / 3.0]))
                .collect();
            field.set_heights(region, &heights).unwrap();
            let fresh = HeightField::new(grid, field.heights.to_vec()).unwrap();
            assert_eq!(state(&field), state(&fresh));
        }
        let holes = field
            .heights
            .iter()
            .filter(|height| height.is_nan())
            .count();
        assert_eq!(field.hole_count(), holes);
    }
}
