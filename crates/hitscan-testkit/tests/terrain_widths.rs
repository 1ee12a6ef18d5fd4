//! Terrain gives the same bits in every vector width, one by one and in batches, and they are
//! those of testing each triangle by itself.

use glam::Vec2;
use hitscan::height_field::{Diagonal, Grid, Ground};
use hitscan::simd::Width;
use hitscan::{HeightField, Ray, RayHit, Sides, Triangle};
use hitscan_testkit::Rng;

/// How many maps are tested triangle by triangle: fewer where scalar code is among the widths, as that build is not
/// optimised.
const MAPS: usize = if cfg!(feature = "scalar") { 40 } else { 150 };

/// A map whose corners are all f32, so that its triangles can be tested as values.
fn random_field(rng: &mut Rng) -> HeightField {
    let sizes = [(2, 2), (3, 2), (2, 41), (6, 5), (21, 18), (70, 3), (34, 35)];
    let (columns, rows) = sizes[rng.below(sizes.len())];
    let scale = [1.0, 1.0, 0.5, 1024.0, 2f64.powi(-60), 2f64.powi(45)][rng.below(6)];
    let origin = [0.0, -3.0, 64.0, 4096.0][rng.below(4)] * scale;
    let grid = Grid {
        origin: [origin, [0.0, 0.0, 7.0][rng.below(3)] * scale, -origin],
        diagonal: [Diagonal::Anti, Diagonal::Main][rng.below(2)],
        ..Grid::new(columns, rows, [scale, [scale, 2.0 * scale][rng.below(2)]])
    };
    let kind = rng.below(4);
    let holes = [0, 0, 0, 4, 30][rng.below(5)];
    let heights = (0..columns * rows)
        .map(|index| {
            if holes > 0 && rng.one_in(holes) {
                return f32::NAN;
            }
            let height = match kind {
                0 => 2.0,
                1 => rng.below(4) as f64,
                2 => (index % columns) as f64 * 0.5,
                _ => {
                    f64::from(rng.uniform_f32(-5.0, 5.0))
                        .mul_add(256.0, 0.0)
                        .round()
                        / 256.0
                }
            };
            single(height * scale)
        })
        .collect();
    HeightField::new(grid, heights).expect("the map is sound")
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the numbers here are few bits long"
)]
fn single(x: f64) -> f32 {
    x as f32
}

/// A place that matters: a sample, the middle of an edge, on a grid line, or anywhere.
fn random_place(rng: &mut Rng, field: &HeightField) -> [f32; 3] {
    let grid = field.grid();
    let (i, j) = (rng.below(grid.columns), rng.below(grid.rows));
    let y = |i: usize, j: usize| {
        grid.origin[1] + f64::from(field.sample(i, j).unwrap_or(single(grid.spacing[0])))
    };
    let mut place = [grid.x(i), y(i, j), grid.z(j)];
    let far = (i + 1).min(grid.columns - 1);
    match rng.below(5) {
        0 => {
            place[0] = f64::midpoint(place[0], grid.x(far));
            place[1] = f64::midpoint(place[1], y(far, j));
        }
        1 => place[2] += f64::from(rng.uniform_f32(-0.5, 1.5)) * grid.spacing[1],
        2 => {
            for x in &mut place {
                *x += f64::from(rng.uniform_f32(-9.0, 9.0)) * grid.spacing[0];
            }
        }
        _ => {}
    }
    place.map(single)
}

fn random_ray(rng: &mut Rng, field: &HeightField) -> Ray {
    let spacing = single(field.grid().spacing[0]);
    loop {
        let (from, to) = (random_place(rng, field), random_place(rng, field));
        let mut direction = match rng.below(9) {
            0 => [0.0, -1.0, 0.0],
            1 => [0.0, 3.0, -0.0],
            2 => [1.0, 0.0, 0.0],
            3 => [0.0, 0.0, -1.0],
            4 => [1.0, 0.0, -1.0],
            5 => [1.0, 0.5, 0.0],
            _ => [to[0] - from[0], to[1] - from[1], to[2] - from[2]],
        };
        let length = [spacing, 1e-30, 1e-3, 1e12][rng.below(4)] / spacing.max(1e-20);
        if rng.one_in(5) {
            direction = direction.map(|x| x * length);
        }
        let back = [0.0, 0.5, 1.0, 3.0, 1000.0, 1e6][rng.below(6)];
        let mut origin = [0, 1, 2].map(|k| from[k] - back * (to[k] - from[k]));
        if rng.below(9) < 6 {
            origin[1] += [0.0, 0.0, 0.0, 30.0][rng.below(4)] * spacing;
        }
        if rng.one_in(5) {
            let axis = rng.below(3);
            origin[axis] = origin[axis].next_up();
        }
        let spans = [(0.0, 1.0), (0.5, 4.0), (-1e4, 1e4), (-3.0, -1.0)];
        let pick = rng.below(12);
        let (t_min, t_max) = spans.get(pick).copied().unwrap_or((0.0, f32::INFINITY));
        if let Ok(ray) = Ray::new(origin, direction).and_then(|ray| ray.with_range(t_min, t_max)) {
            return ray;
        }
    }
}

/// All numbers of a hit as bits.
fn bits(hit: Option<RayHit>) -> Option<[u32; 12]> {
    hit.map(|hit| {
        let on = hit.triangle.expect("terrain has triangles");
        let ([x, y, z], [a, b, c]) = (hit.point.to_array(), hit.normal.to_array());
        let numbers = [hit.t, hit.distance, x, y, z, a, b, c, hit.u(), hit.v()].map(f32::to_bits);
        let mut all = [0; 12];
        all[..10].copy_from_slice(&numbers);
        all[10] = on.triangle;
        all[11] = hit.side as u32;
        all
    })
}

/// The nearest hit by testing every triangle.
fn by_triangles(triangles: &[(u32, Triangle)], ray: &Ray, sides: Sides) -> Option<RayHit> {
    let hits = triangles.iter().filter_map(|(index, triangle)| {
        let mut hit = triangle.cast_ray(ray, sides)?;
        let on = hit.triangle.as_mut().expect("it is a triangle");
        on.triangle = *index;
        Some(hit)
    });
    // Of equal ones `min_by` returns the first, which is the lowest triangle.
    hits.min_by(|a, b| a.t.total_cmp(&b.t))
}

fn triangles_of(field: &HeightField) -> Vec<(u32, Triangle)> {
    let count = u32::try_from(field.triangle_count()).expect("the map is small");
    (0..count)
        .filter_map(|index| {
            let corners = field.triangle(index)?;
            let [a, b, c] = corners.map(|corner| {
                let single = corner.as_vec3();
                assert_eq!(single.as_dvec3(), corner, "corners must be f32 here");
                single
            });
            Some((index, Triangle::new(a, b, c).expect("corners are finite")))
        })
        .collect()
}

#[test]
fn rays_give_the_bits_of_single_triangles_in_every_width() {
    let widths = Width::available();
    assert!(widths.len() >= 2, "nothing to compare: {widths:?}");
    let mut rng = Rng::new(31);
    let (mut hits, mut misses, mut backs) = (0, 0, 0);
    for _ in 0..MAPS {
        let field = random_field(&mut rng);
        let triangles = triangles_of(&field);
        let sides = [Sides::Both, Sides::Both, Sides::Front, Sides::Back][rng.below(4)];
        let rays: Vec<Ray> = (0..120).map(|_| random_ray(&mut rng, &field)).collect();
        let expected: Vec<_> = rays
            .iter()
            .map(|ray| by_triangles(&triangles, ray, sides))
            .collect();
        for &width in &widths {
            let field = field.clone().with_width(width);
            let batch = field.cast_rays(&rays, sides);
            let any_expected: Vec<bool> = expected.iter().map(Option::is_some).collect();
            let any_batch = field.cast_rays_any(&rays, sides);
            assert_eq!(any_batch, any_expected, "{width:?} {:?}", field.grid());
            for ((ray, expected), in_batch) in rays.iter().zip(&expected).zip(batch) {
                let found = field.cast_ray(ray, sides);
                assert_eq!(
                    bits(found),
                    bits(*expected),
                    "{width:?} {ray:?} {:?}",
                    field.grid()
                );
                assert_eq!(bits(in_batch), bits(found), "{width:?} {ray:?} in a batch");
                let is_any = field.cast_ray_any(ray, sides);
                assert_eq!(is_any, found.is_some(), "{width:?} {ray:?} any");
            }
        }
        hits += expected.iter().flatten().count();
        misses += expected.iter().filter(|hit| hit.is_none()).count();
        let is_back = |hit: &&RayHit| hit.side == hitscan::Side::Back;
        backs += expected.iter().flatten().filter(is_back).count();
    }
    println!("{hits} hits, {backs} from the back, {misses} misses");
    assert!(hits > 14 * MAPS && misses > 7 * MAPS && backs > 2 * MAPS);
}

/// A map with several levels of blocks: hills of all sizes, and a hole here and there.
fn hills(rng: &mut Rng, diagonal: Diagonal) -> HeightField {
    let (columns, rows) = (301, 190);
    let grid = Grid {
        origin: [-40.0, 5.0, 12.0],
        diagonal,
        ..Grid::new(columns, rows, [1.0, 2.0])
    };
    let waves: Vec<[f64; 4]> = (0..9)
        .map(|octave| {
            let size = 0.7f64.powi(octave);
            let turn = f64::from(rng.uniform_f32(0.0, 6.0));
            [size * 20.0, 0.03 * turn / size, 0.05 / size, turn]
        })
        .collect();
    let heights = (0..columns * rows)
        .map(|index| {
            if rng.one_in(400) {
                return f32::NAN;
            }
            let (x, z) = ((index % columns) as f64, (index / columns) as f64);
            let height: f64 = waves
                .iter()
                .map(|[height, a, b, turn]| {
                    // A triangle wave: no platform's sine.
                    let phase = (a * x + b * z + turn).rem_euclid(2.0);
                    height * (phase - 1.0).abs()
                })
                .sum();
            single((height * 64.0).round() / 64.0)
        })
        .collect();
    HeightField::new(grid, heights).expect("the map is sound")
}

#[test]
fn long_batches_give_the_bits_of_single_rays_in_every_width() {
    let mut rng = Rng::new(34);
    let mut hits = 0;
    for diagonal in [Diagonal::Anti, Diagonal::Main] {
        let field = hills(&mut rng, diagonal);
        // Vertical rays alone, none, and among others; and counts that fill no whole group.
        for (count, vertical) in [(1_003, 1), (2_500, usize::MAX), (700, 3), (5, 1), (0, 1)] {
            let rays: Vec<Ray> = (0..count)
                .map(|_| {
                    let mut ray = random_ray(&mut rng, &field);
                    if vertical != usize::MAX && rng.one_in(vertical) {
                        let down = Ray::new(ray.origin(), [0.0, [-1.0, 2.5][rng.below(2)], 0.0]);
                        let range = (ray.t_min(), ray.t_max());
                        ray = down
                            .and_then(|ray| ray.with_range(range.0, range.1))
                            .expect("the ray is sound");
                    }
                    ray
                })
                .collect();
            for sides in [Sides::Both, Sides::Front, Sides::Back] {
                let widths = Width::available();
                for &width in &widths {
                    let field = field.clone().with_width(width);
                    let batch = field.cast_rays(&rays, sides);
                    let any_batch = field.cast_rays_any(&rays, sides);
                    assert_eq!((batch.len(), any_batch.len()), (count, count));
                    for ((ray, in_batch), is_any) in rays.iter().zip(batch).zip(any_batch) {
                        let alone = field.cast_ray(ray, sides);
                        assert_eq!(bits(in_batch), bits(alone), "{width:?} {ray:?} {sides:?}");
                        assert_eq!(is_any, alone.is_some(), "{width:?} {ray:?} {sides:?} any");
                        // Processors differ in how many widths they have.
                        hits += usize::from(alone.is_some() && width == widths[0]);
                    }
                }
            }
        }
    }
    println!("{hits} hits");
    assert!(hits > 6_000);
}

#[test]
fn heights_are_those_of_single_points_in_every_width() {
    let mut rng = Rng::new(32);
    let (mut heights, mut holes, mut outside) = (0, 0, 0);
    for _ in 0..120 {
        let field = random_field(&mut rng);
        let points: Vec<Vec2> = (0..61)
            .map(|_| {
                let [x, _, z] = random_place(&mut rng, &field);
                match rng.below(8) {
                    0 => Vec2::new(x.next_up(), z),
                    1 => Vec2::new(x, z.next_down()),
                    2 if rng.one_in(4) => Vec2::new(f32::NAN, f32::INFINITY),
                    _ => Vec2::new(x, z),
                }
            })
            .collect();
        let radius = f64::from(rng.uniform_f32(0.0, 12.0)) * field.grid().spacing[0];
        let expected: Vec<_> = points
            .iter()
            .map(|&point| {
                field
                    .height(point)
                    .ok()
                    .map(|ground| ground.height.to_bits())
            })
            .collect();
        let within = |field: &HeightField| -> Vec<_> {
            points
                .iter()
                .flat_map(|&point| {
                    [
                        field.max_height(point, radius),
                        field.mean_height(point, radius),
                    ]
                })
                .map(|ground| format!("{ground:?}"))
                .collect()
        };
        let expected_within = within(&field);
        for width in Width::available() {
            let field = field.clone().with_width(width);
            let batch = field.elevations(&points);
            for ((point, expected), in_batch) in points.iter().zip(&expected).zip(batch) {
                let found = field.elevation(*point).map(f32::to_bits);
                assert_eq!(found, *expected, "{width:?} {point} {:?}", field.grid());
                let in_batch = in_batch.map(f32::to_bits);
                assert_eq!(in_batch, *expected, "{width:?} {point} in a batch");
            }
            let alone: Vec<Ground> = points.iter().map(|point| field.height(*point)).collect();
            assert_eq!(field.heights(&points), alone, "{width:?}");
            assert_eq!(within(&field), expected_within, "{width:?} within {radius}");
        }
        for point in &points {
            match field.height(*point) {
                Ground::Height(_) => heights += 1,
                Ground::Hole => holes += 1,
                Ground::Outside => outside += 1,
                Ground::Empty => panic!("a height has no radius"),
            }
        }
    }
    println!("{heights} heights, {holes} holes, {outside} outside");
    assert!(heights > 2_000 && holes > 20 && outside > 200);
}

/// Circles that hold many blocks, against looking at each sample.
#[test]
fn circles_hold_the_samples_that_they_hold() {
    let mut rng = Rng::new(33);
    let (columns, rows) = (150, 133);
    let mut heights: Vec<f32> = (0..columns * rows)
        .map(|_| rng.uniform_f32(0.0, 64.0).floor())
        .collect();
    for _ in 0..500 {
        let hole = rng.below(heights.len());
        heights[hole] = f32::NAN;
    }
    let field = HeightField::new(Grid::new(columns, rows, [1.0, 1.0]), heights.clone())
        .expect("the map is sound");
    for round in 0..400 {
        let (x, z) = (rng.uniform_f32(-20.0, 170.0), rng.uniform_f32(-20.0, 150.0));
        let radius = f64::from(rng.uniform_f32(0.0, [3.0, 20.0, 80.0, 400.0][round % 4]));
        let (mut sum, mut count, mut highest) = (0.0, 0.0, f64::NEG_INFINITY);
        for (index, &height) in heights.iter().enumerate() {
            let dx = (index % columns) as f64 - f64::from(x);
            let dz = (index / columns) as f64 - f64::from(z);
            if dx * dx + dz * dz <= radius * radius && !height.is_nan() {
                sum += f64::from(height);
                count += 1.0;
                highest = f64::from(height).max(highest);
            }
        }
        // The heights are whole numbers, so that sums in any order are exact.
        let (mean, highest) = (single(sum / count), single(highest));
        let height = |ground: Ground| ground.ok().map(|ground| ground.height);
        for width in Width::available() {
            let field = field.clone().with_width(width);
            let expected = (count > 0.0).then_some(mean);
            assert_eq!(
                height(field.mean_height([x, z], radius)),
                expected,
                "{x} {z} {radius}"
            );
            let expected = (count > 0.0).then_some(highest);
            assert_eq!(
                height(field.max_height([x, z], radius)),
                expected,
                "{x} {z} {radius}"
            );
        }
    }
}
