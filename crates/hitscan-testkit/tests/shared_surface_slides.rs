//! Shapes that slide over tiles of one surface, which of them suppress whose edges, and when.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use hitscan::glam::{DQuat, Vec3};
use hitscan::height_field::{Diagonal, Grid};
use hitscan::{
    Aabb, HeightField, InitialOverlap, Obb, ObjectId, Primitive, QueryFilter, ShapeCast, Sphere,
    SurfaceId, TriMesh, World,
};
use hitscan_testkit::{Rng, rounds};

const SEED: u64 = 0x51de;

/// A square of square tiles, flat, with seams at all whole numbers.
fn flat_tiles(across: u8) -> World {
    let mut world = World::new();
    for (i, j) in (0..across).flat_map(|i| (0..across).map(move |j| (i, j))) {
        let grid = Grid {
            origin: [f64::from(i), 0.0, f64::from(j)],
            diagonal: if (i + j) % 3 == 0 {
                Diagonal::Anti
            } else {
                Diagonal::Main
            },
            ..Grid::new(3, 3, [0.5; 2])
        };
        let tile = world.add(HeightField::new(grid, vec![0.0; 9]).unwrap());
        world.set_surface(tile, SurfaceId::new(0)).unwrap();
    }
    world.update();
    world
}

#[test]
fn a_crate_slides_over_a_hundred_seams_in_any_direction() {
    let mut rng = Rng::new(SEED);
    let world = flat_tiles(110);
    let now = world.now();
    for number in 0..rounds(60) {
        // Along an axis, on a seam or beside it, and askew.
        let away = |rng: &mut Rng| rng.uniform_f32(-104.0, 104.0);
        let motion = match number % 4 {
            0 => Vec3::new(104.0, 0.0, 0.0),
            1 => Vec3::new(0.0, 0.0, -104.0),
            _ => Vec3::new(away(&mut rng), 0.0, 104.0),
        };
        let along = |x: f32| if x < 0.0 { 107.0 } else { 3.0 };
        let offset = [0.0, 0.25, 0.3][rng.below(3)];
        let middle = Vec3::new(along(motion.x) - offset, 0.5, along(motion.z) + offset);
        let half = Vec3::new(0.5, 0.5, [0.5, 0.8][rng.below(2)]);
        let turn = DQuat::from_xyzw(0.0, 0.28, 0.0, 0.96);
        let shapes: [Primitive; 3] = [
            Aabb::new(middle - half, middle + half).unwrap().into(),
            Obb::new(middle, half, turn).unwrap().into(),
            Sphere::new(middle, 0.5).unwrap().into(),
        ];
        for shape in &shapes {
            let slid = ShapeCast::new(shape, motion).unwrap();
            assert_eq!(now.cast_shape(&slid, ()), None, "{slid:?}");
            assert!(!now.cast_shape_any(&slid, ()));
            let pressed = ShapeCast::new(shape, motion - Vec3::Y * 1e-3).unwrap();
            let hit = now.cast_shape(&pressed, ()).unwrap();
            assert_eq!((hit.t, hit.normal), (0.0, Vec3::Y), "{pressed:?}");
        }
        // A hair in the ground, from which it may escape, it slides on.
        let sunk = Aabb::new(middle - half * 1.0001, middle + half).unwrap();
        let sunk = ShapeCast::new(sunk, motion).unwrap();
        let sunk = sunk.with_initial_overlap(InitialOverlap::Escape);
        assert_eq!(now.cast_shape(&sunk, ()), None, "{sunk:?}");
        // From above it hits nothing but the ground's own face.
        let dropped = Aabb::new(middle, middle + half).unwrap();
        let dropped = ShapeCast::new(dropped, motion - Vec3::Y).unwrap();
        let hit = now.cast_shape(&dropped, ()).unwrap();
        assert_eq!((hit.t, hit.normal), (0.5, Vec3::Y), "{dropped:?}");
    }
}

#[test]
fn a_hidden_piece_brings_the_edges_of_its_neighbours_back() {
    // A crate that is half a metre in the ground slides from a gap towards the tile beyond.
    let mut world = flat_tiles(3);
    let tiles: Vec<ObjectId> = world.now().objects().collect();
    let crate_box = Aabb::new([1.25, -0.25, 1.25], [1.75, 0.25, 1.75]).unwrap();
    let cast = ShapeCast::new(crate_box, [1.0, 0.0, 0.0]).unwrap();
    let cast = cast.with_initial_overlap(InitialOverlap::Escape);
    assert_eq!(world.now().cast_shape(&cast, ()), None);
    // The middle tile, by each way of hiding it, and by leaving the surface.
    let filters = |middle: &'static ObjectId| {
        [
            QueryFilter::new().exclude_one(*middle),
            QueryFilter::new().exclude(std::slice::from_ref(middle)),
        ]
    };
    let middle: &'static ObjectId = Box::leak(Box::new(tiles[4]));
    let is_other = |id: ObjectId| id != *middle;
    let by_predicate = QueryFilter::new().predicate(&is_other);
    for filter in filters(middle).into_iter().chain([by_predicate]) {
        let hit = world.now().cast_shape(&cast, filter).unwrap();
        assert_eq!(
            (hit.object, hit.t, hit.normal),
            (Some(tiles[7]), 0.25, Vec3::NEG_X)
        );
    }
    world.set_layers(*middle, 2).unwrap();
    world.update();
    let first_layer = QueryFilter::new().layers(1);
    let hit = world.now().cast_shape(&cast, first_layer).unwrap();
    assert_eq!((hit.object, hit.t), (Some(tiles[7]), 0.25));
    assert_eq!(world.now().cast_shape(&cast, ()), None);
    world.set_surface(*middle, SurfaceId::new(1)).unwrap();
    assert!(world.is_pending(*middle) && !world.is_up_to_date());
    world.update();
    assert_eq!(world.now().surface(*middle), Some(SurfaceId::new(1)));
    assert_eq!(world.now().cast_shape(&cast, ()).unwrap().t, 0.25);
}

#[test]
fn ticks_keep_the_surfaces_that_they_had() {
    let mut world = flat_tiles(3);
    world.keep_history(4);
    let tiles: Vec<ObjectId> = world.now().objects().collect();
    let solid = world.add(Aabb::new([0.0; 3], [1.0; 3]).unwrap());
    assert!(world.set_surface(solid, SurfaceId::new(0)).is_err());
    world.update();
    world.record(0).unwrap();
    for tile in &tiles {
        world.set_surface(*tile, None).unwrap();
    }
    world.update();
    world.record(1).unwrap();
    world.remove(tiles[4]).unwrap();
    assert!(world.set_surface(tiles[4], SurfaceId::new(0)).is_err());
    world.update();
    let crate_box = Aabb::new([1.25, -0.25, 1.25], [1.75, 0.25, 1.75]).unwrap();
    let cast = ShapeCast::new(crate_box, [1.0, 0.0, 0.0]).unwrap();
    let cast = cast.with_initial_overlap(InitialOverlap::Escape);
    let filter = QueryFilter::new().exclude_one(solid);
    let t = |time: f64| Some(world.at(time)?.cast_shape(&cast, filter)?.t);
    assert_eq!([t(0.0), t(0.5), t(1.0)], [None, None, Some(0.25)]);
    assert_eq!(
        world.at(0.0).unwrap().surface(tiles[4]),
        Some(SurfaceId::new(0))
    );
    assert_eq!(world.now().surface(tiles[0]), None);
}

#[test]
fn a_shape_below_a_seam_is_below_one_surface() {
    let mut world = flat_tiles(3);
    let tiles: Vec<ObjectId> = world.now().objects().collect();
    let below = Sphere::new([2.0, -3.0, 2.0], 0.5).unwrap();
    let of = |world: &World, filter: QueryFilter<'_>| {
        let found = world.now().enclosures(below, filter);
        let found = found.into_iter().map(|one| (one.object, one.depth));
        found.collect::<Vec<_>>()
    };
    let all = QueryFilter::new();
    assert_eq!(of(&world, all), [(tiles[4], 3.5)]);
    assert_eq!(of(&world, all.exclude_one(tiles[4])), [(tiles[5], 3.5)]);
    // A wall of the same surface goes through it.
    let corners = [[0.0, -9.0, 2.0], [4.0, -9.0, 2.0], [2.0, 0.0, 2.0]].map(Vec3::from);
    let wall = world.add(TriMesh::new(corners.into(), vec![[0, 1, 2]]).unwrap());
    world.update();
    assert_eq!(of(&world, all), [(tiles[4], 3.5)]);
    world.set_surface(wall, SurfaceId::new(0)).unwrap();
    world.update();
    assert_eq!(of(&world, all), []);
}
