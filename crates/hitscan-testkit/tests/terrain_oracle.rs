//! Terrain against rational arithmetic, triangle by triangle and sample by sample, on maps and with
//! questions that are near-degenerate on purpose.

#![expect(clippy::unwrap_used, reason = "a map that is refused is a failed test")]
#![expect(
    clippy::cast_possible_truncation,
    reason = "questions are in f32, and generated in f64"
)]

use hitscan::height_field::{Diagonal, Grid, Ground, GroundHeight};
use hitscan::{HeightField, Ray, Side};
use hitscan_testkit::{Rng, TerrainGround, TerrainOracle, exact, round_to_f32, rounds};
use num_traits::Signed;

fn pick<T: Copy>(rng: &mut Rng, of: &[T]) -> T {
    of[rng.below(of.len())]
}

struct Map {
    field: HeightField,
    oracle: TerrainOracle,
    /// A length of the map's size.
    scale: f32,
}

/// Flat, terraced, sloping or rough maps of a few cells, with and without holes.
fn random_map(rng: &mut Rng) -> Map {
    let sizes = [(2, 2), (2, 2), (3, 3), (2, 6), (6, 2), (4, 3), (5, 5)];
    let (columns, rows) = pick(rng, &sizes);
    let scale = pick(rng, &[1.0f32, 1.0, 1.0, 1e-6, 1e6]);
    let wide = f64::from(scale);
    let spacing = [pick(rng, &[1.0, 0.1, 30.0]), pick(rng, &[1.0, 0.7, 4.0])];
    let shift = pick(rng, &[0.0, 0.0, -7.0, 0.3, -1e4]) * wide;
    let grid = Grid {
        columns,
        rows,
        spacing: spacing.map(|metres| metres * wide),
        origin: [shift, pick(rng, &[0.0, 0.0, -3.7]) * wide, -shift],
        diagonal: pick(rng, &[Diagonal::Anti, Diagonal::Main]),
    };
    let kind = rng.below(4);
    let holes = pick(rng, &[0, 0, 4, 12, 1]);
    let heights: Vec<f32> = (0..columns * rows)
        .map(|index| {
            if holes > 0 && rng.one_in(holes) {
                return f32::NAN;
            }
            let height = match kind {
                0 => 2.0,
                1 => f32::from(u8::try_from(rng.below(3)).unwrap()),
                2 => f32::from(u8::try_from(index % columns).unwrap()),
                _ => rng.uniform_f32(-5.0, 5.0),
            };
            height * scale
        })
        .collect();
    let oracle = TerrainOracle::new(&grid, &heights);
    Map {
        field: HeightField::new(grid, heights).unwrap(),
        oracle,
        scale,
    }
}

/// A sample, the middle of an edge, or anywhere in and around the map, as f32.
fn random_point(rng: &mut Rng, map: &Map) -> [f32; 3] {
    let grid = map.field.grid();
    let (i, j) = (rng.below(grid.columns), rng.below(grid.rows));
    let place = |i: usize, j: usize| {
        let y = grid.origin[1] + f64::from(map.field.sample(i, j).unwrap_or(map.scale));
        [grid.x(i), y, grid.z(j)]
    };
    let (p, q) = (
        place(i, j),
        place(rng.below(grid.columns), rng.below(grid.rows)),
    );
    let share = match rng.below(4) {
        0 => 0.5,
        1 => rng.uniform(-0.5, 1.5),
        _ => 0.0,
    };
    let mut point = [0, 1, 2].map(|k| (p[k] + (q[k] - p[k]) * share) as f32);
    for x in &mut point {
        if rng.one_in(8) {
            *x = x.next_up();
        }
        if rng.one_in(8) {
            *x = x.next_down();
        }
    }
    point
}

fn random_ray(rng: &mut Rng, map: &Map) -> Ray {
    loop {
        let (from, to) = (random_point(rng, map), random_point(rng, map));
        let s = map.scale;
        let direction = match rng.below(9) {
            0 => [0.0, -s, 0.0],
            1 => [0.0, s, 0.0],
            2 => [s, 0.0, 0.0],
            3 => [0.0, 0.0, -s],
            4 => [-s, -s, s],
            _ => [0, 1, 2].map(|k| to[k] - from[k]),
        };
        let back = pick(rng, &[0.0f32, 0.5, 1.0, 8.0]);
        let origin = [0, 1, 2].map(|k| from[k] - direction[k] * back);
        let (t_min, t_max) = pick(
            rng,
            &[
                (0.0, f32::INFINITY),
                (0.0, f32::INFINITY),
                (0.0, 1.0),
                (back, back),
                (-9.0, 0.5),
            ],
        );
        if let Ok(ray) = Ray::new(origin, direction).and_then(|ray| ray.with_range(t_min, t_max)) {
            return ray;
        }
    }
}

#[test]
fn rays_hit_what_rational_arithmetic_says() {
    let mut rng = Rng::new(20);
    let (mut hits, mut misses) = (0, 0);
    for map_number in 0..rounds(250) {
        let map = random_map(&mut rng);
        for _ in 0..25 {
            let ray = random_ray(&mut rng, &map);
            let place = format!("map {map_number} {:?} {ray:?}", map.field.grid());
            let wide = |v: glam::Vec3| v.to_array().map(f64::from);
            let range = [ray.t_min(), ray.t_max()];
            let expected = map
                .oracle
                .cast(wide(ray.origin()), wide(ray.direction()), range);
            let found = map.field.cast_ray(&ray, ());
            assert_eq!(found.is_some(), expected.is_some(), "{place}");
            let (Some(found), Some(expected)) = (found, expected) else {
                misses += 1;
                continue;
            };
            hits += 1;
            let on = found.triangle.unwrap();
            assert_eq!(found.t, expected.t, "{place}");
            assert_eq!(on.triangle, expected.triangle, "{place}");
            assert_eq!(found.side == Side::Front, expected.is_front, "{place}");
            for (found, expected) in found.barycentrics.into_iter().zip(expected.weights) {
                assert!(
                    (f64::from(found) - expected).abs() < 1e-7,
                    "{place} {found} {expected}"
                );
            }
            assert!(found.normal.y > 0.0, "{place}");
        }
    }
    println!("{hits} hits and {misses} misses agree");
    assert!(hits > rounds(1_000) && misses > rounds(1_000));
}

#[test]
fn heights_are_what_rational_arithmetic_says() {
    let mut rng = Rng::new(21);
    let mut counts = [0; 3];
    for map_number in 0..rounds(250) {
        let map = random_map(&mut rng);
        let bounds = map.field.bounds();
        for _ in 0..25 {
            let [x, _, z] = random_point(&mut rng, &map);
            let place = format!("map {map_number} {:?} {x} {z}", map.field.grid());
            match (map.field.height([x, z]), map.oracle.ground(x, z)) {
                (Ground::Height(found), TerrainGround::On(triangle, height)) => {
                    assert_eq!(found.surface.unwrap().triangle, triangle, "{place}");
                    // One rounding to f32, and a few in f64 of the corners' y.
                    let error = (exact(f64::from(found.height)) - &height).abs();
                    let reach = bounds.map_or(0.0, |b| b.min().y.abs().max(b.max().y.abs()));
                    let bound = f64::from(found.height.abs()) * 0.5f64.powi(24)
                        + f64::from(reach) * 0.5f64.powi(50);
                    assert!(error <= exact(bound), "{place}");
                    counts[0] += 1;
                }
                (Ground::Outside, TerrainGround::Outside) => counts[1] += 1,
                (Ground::Hole, TerrainGround::Hole) => counts[2] += 1,
                (found, expected) => panic!("{place}: {found:?}, expected {expected:?}"),
            }
        }
    }
    println!("{counts:?} heights, outsides and holes agree");
    assert!(counts.iter().all(|count| *count > rounds(200)));
}

#[test]
fn a_height_at_a_sample_is_the_sample() {
    let mut rng = Rng::new(22);
    for _ in 0..rounds(200) {
        let (columns, rows) = (3, 4);
        let heights: Vec<f32> = (0..columns * rows)
            .map(|_| pick(&mut rng, &[1e10, -1e-10, 0.1, 3.0, 1e-30]))
            .collect();
        for diagonal in [Diagonal::Anti, Diagonal::Main] {
            let grid = Grid {
                diagonal,
                ..Grid::new(columns, rows, [0.5, 2.0])
            };
            let field = HeightField::new(grid, heights.clone()).unwrap();
            for (index, height) in heights.iter().enumerate() {
                let (x, z) = (
                    grid.x(index % columns) as f32,
                    grid.z(index / columns) as f32,
                );
                let Ground::Height(ground) = field.height([x, z]) else {
                    panic!("no ground at a sample")
                };
                assert_eq!(ground.height, *height);
            }
        }
    }
}

#[test]
fn questions_that_are_no_points_are_outside() {
    let field = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), vec![1.0; 4]).unwrap();
    for bad in [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
    ] {
        for (x, z) in [(bad, 0.5), (0.5, bad), (bad, bad)] {
            assert_eq!(field.height([x, z]), Ground::Outside);
            assert_eq!(field.max_height([x, z], 1.0), Ground::Outside);
            assert_eq!(field.mean_height([x, z], 1.0), Ground::Outside);
        }
    }
    let one = GroundHeight {
        height: 1.0,
        object: None,
        user_data: 0,
        surface: None,
    };
    assert_eq!(field.max_height([0.5, 0.5], f64::NAN), Ground::Empty);
    assert_eq!(field.max_height([0.5, 0.5], -9.0), Ground::Empty);
    assert_eq!(field.max_height([0.0, 0.0], 0.0), Ground::Height(one));
    assert_eq!(
        field.mean_height([9e9, 9.0], f64::INFINITY),
        Ground::Height(one)
    );
}

/// A map of several blocks of samples.
fn wide_map(rng: &mut Rng) -> Map {
    let (columns, rows) = pick(rng, &[(70, 40), (9, 100), (33, 33), (2, 300)]);
    let grid = Grid {
        origin: pick(rng, &[[0.0; 3], [-40.25, 7.5, 12.0]]),
        ..Grid::new(
            columns,
            rows,
            pick(rng, &[[1.0, 1.0], [0.5, 3.0], [0.1, 0.1]]),
        )
    };
    let holes = pick(rng, &[3, 50, 1]);
    let heights: Vec<f32> = (0..columns * rows)
        .map(|_| {
            if rng.one_in(holes) {
                f32::NAN
            } else {
                rng.uniform_f32(-5.0, 5.0)
            }
        })
        .collect();
    Map {
        oracle: TerrainOracle::new(&grid, &heights),
        field: HeightField::new(grid, heights).unwrap(),
        scale: 1.0,
    }
}

#[test]
fn heights_within_a_radius_are_what_each_sample_says() {
    let mut rng = Rng::new(23);
    let (mut heights, mut empty, mut holes, mut outside) = (0, 0, 0, 0);
    for map_number in 0..rounds(60) {
        let map = wide_map(&mut rng);
        for _ in 0..40 {
            let [x, _, z] = random_point(&mut rng, &map);
            // 5 reaches samples at (3, 4) exactly; the widest takes in all.
            let radius = pick(
                &mut rng,
                &[0.0, 0.2, 1.0, 2f64.sqrt(), 5.0, 12.5, 40.0, 1e6],
            );
            let place = format!("map {map_number} {:?} {x} {z} {radius}", map.field.grid());
            let expected = map.oracle.samples_within(x, z, radius);
            let answers = [
                map.field.max_height([x, z], radius),
                map.field.mean_height([x, z], radius),
            ];
            let status = match (&expected.heights, expected.is_on_map, expected.is_any) {
                (Some((highest, mean)), _, _) => {
                    let [Ground::Height(max), Ground::Height(found)] = answers else {
                        panic!("{place}: {answers:?}")
                    };
                    assert_eq!(max.height, *highest as f32, "{place}");
                    let error = (exact(f64::from(found.height)) - mean).abs();
                    let bound = f64::from(round_to_f32(mean).abs()) * 0.5f64.powi(24) + 1e-12;
                    assert!(error <= exact(bound), "{place}");
                    heights += 1;
                    continue;
                }
                (None, false, _) => {
                    outside += 1;
                    Ground::Outside
                }
                (None, true, true) => {
                    holes += 1;
                    Ground::Hole
                }
                (None, true, false) => {
                    empty += 1;
                    Ground::Empty
                }
            };
            assert_eq!(answers, [status; 2], "{place}");
        }
    }
    println!("{heights} heights, {empty} empty, {holes} holes, {outside} outside agree");
    assert!(
        heights > rounds(300) && empty > rounds(20) && holes > rounds(20) && outside > rounds(20)
    );
}
