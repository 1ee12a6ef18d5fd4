//! Terrains of one surface as one map: against the one terrain that they were cut from, and against all
//! samples one by one.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use hitscan::glam::Vec2;
use hitscan::height_field::{Diagonal, Footprint, FootprintSample, Grid, Ground};
use hitscan::{HeightField, ObjectId, QueryFilter, Sphere, SurfaceId, World};
use hitscan_testkit::{Rng, rounds};
use std::collections::BTreeMap;

const SEED: u64 = 0x0e3a;

/// Samples along each side of the ground.
const ACROSS: usize = 25;

/// Ground that was cut into tiles, and the tiles in a world.
struct CutGround {
    whole: HeightField,
    tiles: Vec<(ObjectId, HeightField)>,
    world: World,
}

impl CutGround {
    /// With tiles that reach `overlap` cells over each other's borders at most; where they `disagree` their
    /// borders have other heights, and are no cut of one map.
    fn new(rng: &mut Rng, overlap: usize, disagree: bool) -> Self {
        let grid = Grid {
            origin: [-6.0, 2.0, 3.0],
            diagonal: [Diagonal::Anti, Diagonal::Main][rng.below(2)],
            ..Grid::new(ACROSS, ACROSS, [0.5, 0.75])
        };
        let one_in = [10, 40, 100_000][rng.below(3)];
        let height = |rng: &mut Rng| match rng.one_in(one_in) {
            true => f32::NAN,
            // Sums of these are exact, in any order.
            false => rng.below(64) as f32 * 0.25 - 8.0,
        };
        let heights: Vec<f32> = (0..ACROSS * ACROSS).map(|_| height(rng)).collect();
        let whole = HeightField::new(grid, heights.clone()).unwrap();
        let cuts = [0, 1 + rng.below(10), 12 + rng.below(11), ACROSS - 1];
        let mut spans = Vec::new();
        for x in cuts.windows(2) {
            for z in cuts.windows(2) {
                let reach = |from: usize, to: usize, rng: &mut Rng| {
                    let more = [0, 1].map(|_| rng.below(overlap + 1));
                    [from.saturating_sub(more[0]), (to + more[1]).min(ACROSS - 1)]
                };
                spans.push([reach(x[0], x[1], rng), reach(z[0], z[1], rng)]);
            }
        }
        for last in (1..spans.len()).rev() {
            spans.swap(last, rng.below(last + 1));
        }
        let mut world = World::new();
        let mut tiles = Vec::new();
        for [columns, rows] in spans {
            let lift = [0.0_f32, 1.5, -4.0][rng.below(3)];
            let tile = Grid {
                columns: columns[1] - columns[0] + 1,
                rows: rows[1] - rows[0] + 1,
                origin: [grid.x(columns[0]), 2.0 + f64::from(lift), grid.z(rows[0])],
                ..grid
            };
            let samples = (rows[0]..=rows[1])
                .flat_map(|row| (columns[0]..=columns[1]).map(move |column| (column, row)));
            let samples = samples.map(|(column, row)| {
                let own = heights[row * ACROSS + column] - lift;
                if disagree && rng.one_in(3) {
                    own + 1.0
                } else {
                    own
                }
            });
            let field = HeightField::new(tile, samples.collect()).unwrap();
            if rng.one_in(3) {
                // So that numbers are not places.
                world.add(Sphere::new([0.0; 3], 1.0).unwrap());
            }
            let id = world.add(field.clone());
            world.set_surface(id, SurfaceId::new(3)).unwrap();
            tiles.push((id, field));
        }
        world.update();
        Self {
            whole,
            tiles,
            world,
        }
    }

    /// What all samples within a radius give, of the tiles that are seen: the highest and the mean, each with
    /// the tile that is named.
    #[expect(clippy::cast_possible_truncation, reason = "rounding is intended")]
    fn by_sample(
        &self,
        hidden: &[ObjectId],
        point: Vec2,
        radius: f64,
    ) -> Option<[(f32, ObjectId); 2]> {
        let (x, z) = (f64::from(point.x), f64::from(point.y));
        let mut samples: BTreeMap<[u64; 2], (f64, ObjectId)> = BTreeMap::new();
        for (id, field) in &self.tiles {
            let grid = field.grid();
            for (column, row) in (0..grid.columns).flat_map(|i| (0..grid.rows).map(move |j| (i, j)))
            {
                let (sx, sz) = (grid.x(column), grid.z(row));
                let is_within = (sx - x).powi(2) + (sz - z).powi(2) <= radius * radius;
                if let Some(height) = field.sample(column, row)
                    && is_within
                    && !hidden.contains(id)
                {
                    // Adding zero makes -0 the other one.
                    let place = [sx + 0.0, sz + 0.0].map(f64::to_bits);
                    let y = grid.origin[1] + f64::from(height);
                    samples.entry(place).or_insert((y, *id));
                }
            }
        }
        let all = samples.values();
        let highest = all.clone().map(|(y, _)| *y).reduce(f64::max)?;
        let of_highest = all.clone().filter(|(y, _)| *y == highest);
        let highest_of = of_highest.map(|(_, id)| *id).min()?;
        let mean = all.clone().map(|(y, _)| *y).sum::<f64>() / samples.len() as f64;
        let mean_of = all.map(|(_, id)| *id).min()?;
        Some([(highest as f32, highest_of), (mean as f32, mean_of)])
    }
}

fn point(rng: &mut Rng) -> Vec2 {
    if rng.one_in(2) {
        // On samples, and on the lines between tiles.
        let [i, j] = [0, 1].map(|_: i32| rng.below(ACROSS + 4) as f32 - 2.0);
        return Vec2::new(i * 0.5 - 6.0, j * 0.75 + 3.0);
    }
    Vec2::new(rng.uniform_f32(-8.0, 8.0), rng.uniform_f32(1.0, 23.0))
}

fn found(ground: Ground) -> Option<(f32, ObjectId)> {
    ground
        .ok()
        .map(|ground| (ground.height, ground.object.unwrap()))
}

#[test]
fn samples_of_tiles_are_those_of_the_map_that_they_were_cut_from() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let (mut heights, mut without) = (0, 0);
    for round in 0..rounds(60) {
        let disagree = round % 4 == 3;
        let ground = CutGround::new(&mut rng, round % 3, disagree);
        for _ in 0..400 {
            let most = [6.0, 0.5][rng.below(2)];
            let (point, radius) = (point(&mut rng), rng.uniform(0.0, most));
            let hides = rng.one_in(3);
            let hidden = ground.tiles.iter().map(|(id, _)| *id);
            let hidden: Vec<ObjectId> = hidden.filter(|_| hides && rng.one_in(4)).collect();
            let filter = QueryFilter::new().exclude(&hidden);
            let now = ground.world.now();
            let [max, mean] = [
                now.max_height(point, radius, filter),
                now.mean_height(point, radius, filter),
            ];
            let expected = ground.by_sample(&hidden, point, radius);
            let shown = format!("{round}: {point} {radius}");
            assert_eq!(found(max), expected.map(|[max, _]| max), "{shown}");
            assert_eq!(found(mean), expected.map(|[_, mean]| mean), "{shown}");
            heights += usize::from(expected.is_some());
            if hidden.is_empty() && !disagree {
                let unnamed = |ground: Ground| match ground {
                    Ground::Height(ground) => Ok(ground.height),
                    other => Err(other),
                };
                let whole = [
                    ground.whole.max_height(point, radius),
                    ground.whole.mean_height(point, radius),
                ];
                assert_eq!([max, mean].map(unnamed), whole.map(unnamed), "{shown}");
                without += usize::from(expected.is_none());
            }
        }
    }
    println!("{heights} heights, {without} points without one");
    assert!(heights > rounds(8_000) && without > rounds(500));
}

#[test]
fn footprints_on_tiles_are_those_on_the_map_that_they_were_cut_from() {
    let mut rng = Rng::new(SEED + 1);
    let (mut grounds, mut without) = (0, 0);
    for round in 0..rounds(40) {
        let ground = CutGround::new(&mut rng, round % 3, false);
        for _ in 0..200 {
            let center = point(&mut rng);
            let footprint = if rng.one_in(2) {
                Footprint::disc(center, rng.uniform(0.01, 6.0)).unwrap()
            } else {
                let half = [0; 2].map(|_: i32| rng.uniform(0.01, 5.0));
                Footprint::rectangle(center, half, rng.uniform(0.0, 2.0)).unwrap()
            };
            let now = ground.world.now();
            let (found, whole) = (
                now.footprint(&footprint, ()),
                ground.whole.footprint(&footprint),
            );
            let shown = format!("{round}: {footprint:?} {found:?} {whole:?}");
            let (FootprintSample::Ground(found), FootprintSample::Ground(whole)) = (found, whole)
            else {
                assert_eq!(found, whole, "{shown}");
                without += 1;
                continue;
            };
            let lowest = ground
                .tiles
                .iter()
                .find(|(_, tile)| tile.footprint(&footprint).ok().is_some());
            assert_eq!(found.object, lowest.map(|(id, _)| *id), "{shown}");
            let pairs = [
                (found.height, whole.height),
                (found.min, whole.min),
                (found.max, whole.max),
                (found.coverage, whole.coverage),
            ];
            let of_plane = [
                (found.plane, whole.plane),
                (found.slope, whole.slope),
                (found.normal.x, whole.normal.x),
                (found.normal.y, whole.normal.y),
                (found.normal.z, whole.normal.z),
            ];
            let is_near = |(one, other): &(f32, f32)| (one - other).abs() <= 4e-6;
            assert!(pairs.iter().all(is_near), "{shown}");
            assert!(
                whole.coverage < 0.01 || of_plane.iter().all(is_near),
                "{shown}"
            );
            grounds += 1;
        }
    }
    println!("{grounds} footprints with ground, {without} without");
    assert!(grounds > rounds(3_000) && without > rounds(100));
}

/// Two tiles and a terrain by itself, as high as they are.
#[test]
fn a_surface_is_in_the_place_of_its_lowest_terrain() {
    let field = |x: f64, height: f32| {
        let grid = Grid {
            origin: [x, 0.0, 0.0],
            ..Grid::new(3, 3, [1.0; 2])
        };
        HeightField::new(grid, vec![height; 9]).unwrap()
    };
    let mut world = World::new();
    let west = world.add(field(0.0, 1.0));
    let alone = world.add(field(2.0, 1.0));
    let east = world.add(field(2.0, 1.0));
    world.update();
    let footprint = Footprint::disc([3.0, 1.0], 0.5).unwrap();
    let named = |world: &World, filter: QueryFilter<'_>| {
        let now = world.now();
        [
            now.max_height([3.0, 1.0], 0.5, filter)
                .ok()
                .unwrap()
                .object
                .unwrap(),
            now.mean_height([3.0, 1.0], 0.5, filter)
                .ok()
                .unwrap()
                .object
                .unwrap(),
            now.footprint(&footprint, filter)
                .ok()
                .unwrap()
                .object
                .unwrap(),
        ]
    };
    let all = QueryFilter::new();
    assert_eq!(named(&world, all), [alone; 3]);
    for tile in [west, east] {
        world.set_surface(tile, SurfaceId::new(0)).unwrap();
    }
    world.update();
    assert_eq!(named(&world, all), [east; 3]);
    assert_eq!(named(&world, all.exclude_one(west)), [alone; 3]);
    assert_eq!(world.now().place_of(east, all), west);
    assert_eq!(world.now().place_of(east, all.exclude_one(west)), east);
    assert_eq!(world.now().place_of(alone, all), alone);
    assert!(world.now().are_one(west, east) && !world.now().are_one(west, alone));
}

#[test]
fn a_hidden_sample_of_any_size_leaves_the_mean_of_the_others() {
    let mut world = World::new();
    let tile = |x: f64, heights: [f32; 6]| {
        let grid = Grid {
            origin: [x, 0.0, 0.0],
            ..Grid::new(3, 2, [1.0; 2])
        };
        HeightField::new(grid, heights.to_vec()).unwrap()
    };
    let first = world.add(tile(0.0, [0.0; 6]));
    let nodata = -1e18;
    let second = world.add(tile(2.0, [nodata, 1.0, 1.0, 0.0, 1.0, 1.0]));
    for object in [first, second] {
        world.set_surface(object, SurfaceId::new(0)).unwrap();
    }
    world.update();
    let mean = world.now().mean_height([2.0, 0.5], 9.0, ());
    assert_eq!(found(mean), Some((0.4, first)));
}
