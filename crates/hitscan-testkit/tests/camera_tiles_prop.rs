//! A camera's pixels, and other coherent rays that are cast together, answer as each ray does alone, bit
//! for bit: in every vector width, on any number of threads, with every filter, in the past too.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use glam::{DAffine3, DVec3, Vec3};
use hitscan::model::PosedModel;
use hitscan::simd::Width;
use hitscan::{
    Camera, CameraTile, ObjectId, QueryFilter, Ray, RayCastSettings, RayHit, RayStart, Sides,
    Snapshot, World,
};
use hitscan_testkit::Rng;
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::random_world::placement;
use hitscan_testkit::stocked_world::{SPAN, Stock, terrain};
use rayon::ThreadPoolBuilder;
use std::sync::Arc;

const SEED: u64 = 0x0B0E_0071;

/// A camera among or inside the objects, from and to whole coordinates, level or straight down, near and
/// far, with few and many pixels.
fn camera(rng: &mut Rng) -> Camera {
    let place = |rng: &mut Rng, span: f32| {
        let p = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-span, span)));
        if rng.one_in(3) { p.round() } else { p }
    };
    let sizes = [
        [37, 23],
        [64, 64],
        [17, 90],
        [1, 1],
        [130, 5],
        [16, 8],
        [3, 40],
    ];
    loop {
        let span = [SPAN, 20.0, 3.0, 1e4][rng.below(4)];
        let eye = place(rng, span);
        let target = match rng.below(6) {
            0 => eye - Vec3::Y,
            1 => eye + Vec3::X,
            2 => Vec3::ZERO,
            _ => place(rng, SPAN),
        };
        let angle = [0.05, 0.6, 1.0, 2.5, 3.1][rng.below(5)];
        let angle = if span > 100.0 { 0.002 } else { angle };
        if let Ok(camera) = Camera::new(eye, target, angle, sizes[rng.below(sizes.len())]) {
            return camera;
        }
    }
}

/// A part of the picture, or all of it, often with blocks.
fn tile(camera: &Camera, rng: &mut Rng) -> CameraTile {
    let mut range = |size: u32| {
        let first = rng.below(size as usize);
        let end = first + 1 + rng.below(size as usize - first);
        u32::try_from(first).unwrap()..u32::try_from(end).unwrap()
    };
    let [width, height] = camera.size();
    let (columns, rows) = (range(width), range(height));
    let tile = match rng.below(3) {
        0 => CameraTile::new(camera, columns, rows).unwrap(),
        _ => CameraTile::whole(camera),
    };
    let tile = tile.with_step([1, 1, 2, 3, 4][rng.below(5)]).unwrap();
    let within = [rng.uniform_f32(0.0, 1.0), rng.uniform_f32(0.0, 1.0)];
    if rng.one_in(2) {
        tile.with_place(within).unwrap()
    } else {
        tile
    }
}

fn rays_of(camera: &Camera, tile: &CameraTile) -> Vec<Ray> {
    let [across, down] = tile.size();
    (0..down)
        .flat_map(|row| (0..across).map(move |column| (column, row)))
        .map(|(column, row)| tile.ray(camera, column, row))
        .collect()
}

/// Shortest round-trip printing shows all bits but the sign of NaN.
fn bits(hit: &Option<RayHit>) -> String {
    format!("{hit:?}")
}

#[track_caller]
fn assert_same(rays: &[Ray], together: &[Option<RayHit>], alone: &[Option<RayHit>]) {
    assert_eq!(together.len(), alone.len());
    for ((ray, together), alone) in rays.iter().zip(together).zip(alone) {
        assert_eq!(bits(together), bits(alone), "{ray:?}");
    }
}

/// The queries: which hits count, and on which objects.
fn questions<'a>(
    ignored: &'a [ObjectId],
    odd: &'a (dyn Fn(ObjectId) -> bool + Sync),
) -> [(RayCastSettings, QueryFilter<'a>); 4] {
    let hollow = RayCastSettings {
        sides: Sides::Back,
        start: RayStart::Hollow,
    };
    [
        (Sides::Both.into(), QueryFilter::new()),
        (Sides::Front.into(), QueryFilter::new().layers(1)),
        (hollow, QueryFilter::new().exclude(ignored)),
        (Sides::Both.into(), QueryFilter::new().predicate(odd)),
    ]
}

/// Casts a camera's tile and its rays one by one, and compares; returns how many hit.
fn check_tile(
    snapshot: &Snapshot,
    (camera, tile): (&Camera, &CameraTile),
    (settings, filter): (RayCastSettings, QueryFilter<'_>),
) -> usize {
    // Together first, while nothing of the poses is computed.
    let together = snapshot.cast_camera(camera, tile, (settings, filter));
    let any = snapshot.cast_camera_any(camera, tile, (settings, filter));
    let rays = rays_of(camera, tile);
    let one = |ray: &Ray| snapshot.cast_ray(ray, (settings, filter));
    let alone: Vec<_> = rays.iter().map(one).collect();
    assert_same(&rays, &together, &alone);
    let alone_any = rays
        .iter()
        .map(|ray| snapshot.cast_ray_any(ray, (settings, filter)));
    assert_eq!(any, alone_any.collect::<Vec<_>>(), "{camera:?} {tile:?}");
    alone.iter().flatten().count()
}

#[test]
fn every_pixel_answers_as_its_ray_alone() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let widths = Width::available();
    let stock = Stock::new(&mut rng);
    let odd = |id: ObjectId| id.index() % 2 == 1;
    let mut hits = 0;
    for round in 0..60 {
        let width = widths[round % widths.len()];
        let (world, objects) = stock.world(width, &mut rng);
        let ignored = [objects[0], objects[objects.len() / 2]];
        for question in questions(&ignored, &odd) {
            let camera = camera(&mut rng);
            let tile = tile(&camera, &mut rng);
            hits += check_tile(world.now(), (&camera, &tile), question);
        }
    }
    println!("{hits} hits");
    assert!(hits > 20_000, "{hits}");
}

#[test]
fn threads_change_no_bit_of_a_picture() {
    let mut rng = Rng::new(SEED + 1);
    let stock = Stock::new(&mut rng);
    let (world, _) = stock.world(Width::default(), &mut rng);
    let camera = Camera::new([12.0, 9.0, 14.0], [0.0; 3], 0.9, [151, 97]).unwrap();
    let tile = CameraTile::whole(&camera);
    let cast = |threads: usize| {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let everything = QueryFilter::new();
        pool.install(|| {
            let nearest = world.now().cast_camera(&camera, &tile, everything);
            let any = world.now().cast_camera_any(&camera, &tile, everything);
            (nearest, any)
        })
    };
    let rays = rays_of(&camera, &tile);
    let everything = QueryFilter::new();
    let one = |ray: &Ray| world.now().cast_ray(ray, everything);
    let alone: Vec<_> = rays.iter().map(one).collect();
    for threads in [1, 2, 5] {
        let (nearest, any) = cast(threads);
        assert_same(&rays, &nearest, &alone);
        let alone = alone.iter().map(Option::is_some);
        assert!(any.into_iter().eq(alone), "{threads} threads");
    }
}

#[test]
fn a_picture_of_the_past_answers_as_its_rays_alone() {
    let mut rng = Rng::new(SEED + 2);
    let stock = Stock::new(&mut rng);
    let mut hits = 0;
    for _ in 0..12 {
        let (mut world, objects) = stock.world(Width::default(), &mut rng);
        world.keep_history(4);
        for tick in 0..3 {
            for id in &objects {
                if rng.one_in(3) {
                    // Terrain and solids have no transform.
                    let _ = world.set_transform(*id, placement(&mut rng, SPAN));
                }
                if rng.one_in(20) {
                    let _ = world.remove(*id);
                }
            }
            world.update();
            world.record(tick).unwrap();
        }
        for time in [0.0, 0.25, 1.5] {
            let snapshot = world.at(time).unwrap();
            let camera = camera(&mut rng);
            let tile = tile(&camera, &mut rng);
            let question = (Sides::Both.into(), QueryFilter::new());
            hits += check_tile(&snapshot, (&camera, &tile), question);
        }
    }
    println!("{hits} hits");
    assert!(hits > 500, "{hits}");
}

#[test]
fn ties_go_to_the_lowest_object_in_pictures_too() {
    let mut rng = Rng::new(SEED + 3);
    let mesh = Arc::new(ClosedMesh::bumpy_sphere(4, 0.5, &mut rng).tri_mesh());
    let field = Arc::new(terrain(&mut rng));
    let mut world = World::new();
    let at = DAffine3::from_translation(DVec3::new(0.0, 2.0, 0.0));
    let mut firsts = Vec::new();
    // Everything is there twice.
    for _ in 0..2 {
        firsts.push(world.add_at(Arc::clone(&mesh), at).unwrap());
        firsts.push(world.add(Arc::clone(&field)));
    }
    firsts.truncate(2);
    world.update();
    let camera = Camera::new([6.0, 7.0, 8.0], [0.0, 1.0, 0.0], 1.2, [90, 70]).unwrap();
    let tile = CameraTile::whole(&camera);
    let question = (Sides::Both.into(), QueryFilter::new());
    check_tile(world.now(), (&camera, &tile), question);
    let hits = world
        .now()
        .cast_camera(&camera, &tile, (question.0, question.1));
    let met: Vec<ObjectId> = hits.iter().flatten().filter_map(|hit| hit.object).collect();
    assert!(met.iter().all(|id| firsts.contains(id)));
    assert!(firsts.iter().all(|id| met.contains(id)));
}

#[test]
fn shapes_answer_pictures_as_their_rays_alone() {
    let mut rng = Rng::new(SEED + 4);
    let mesh = ClosedMesh::bumpy_sphere(5, 0.4, &mut rng).tri_mesh();
    let field = terrain(&mut rng);
    let stock = Stock::new(&mut rng);
    let mut hits = 0;
    for round in 0..24 {
        let camera = camera(&mut rng);
        let tile = tile(&camera, &mut rng);
        let rays = rays_of(&camera, &tile);
        let sides = [Sides::Both, Sides::Front, Sides::Back][round % 3];
        let model = &stock.models()[round % stock.models().len()];
        let posed = PosedModel::new(model, model.rest_pose()).unwrap();
        let answers = [
            (
                mesh.cast_camera(&camera, &tile, sides),
                mesh.cast_camera_any(&camera, &tile, sides),
                rays.iter()
                    .map(|ray| mesh.cast_ray(ray, sides))
                    .collect::<Vec<_>>(),
            ),
            (
                field.cast_camera(&camera, &tile, sides),
                field.cast_camera_any(&camera, &tile, sides),
                rays.iter().map(|ray| field.cast_ray(ray, sides)).collect(),
            ),
            (
                posed.cast_camera(&camera, &tile, sides),
                posed.cast_camera_any(&camera, &tile, sides),
                rays.iter().map(|ray| posed.cast_ray(ray, sides)).collect(),
            ),
        ];
        for (together, any, alone) in answers {
            assert_same(&rays, &together, &alone);
            assert!(any.into_iter().eq(alone.iter().map(Option::is_some)));
            hits += alone.iter().flatten().count();
        }
    }
    println!("{hits} hits");
    assert!(hits > 2_000, "{hits}");
}

/// Rays that go about the same way, from about the same place or from places in a plane: a sun's, a row
/// of guns', a scattered beam's; also along axes, of odd lengths, limited, empty and begun behind.
fn beam(rng: &mut Rng) -> Vec<Ray> {
    let count = [40, 128, 300, 700][rng.below(4)];
    let toward = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-1.0, 1.0)));
    let toward = [toward, Vec3::NEG_Y, Vec3::Z, Vec3::new(1.0, 0.0, 1e-7)][rng.below(4)];
    let from = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-9.0, 9.0)));
    let [width, spread] = [[0.0, 0.2], [6.0, 0.0], [0.5, 0.02], [20.0, 0.001]][rng.below(4)];
    let length = [1.0, 1e-3, 1e7, 1e-8, 1e12][rng.below(5)];
    let far = [0.0, 3e5, 1e13][if rng.one_in(6) { rng.below(3) } else { 0 }];
    let mut jitter =
        |size: f32| Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-1.0, 1.0) * size));
    let places: Vec<_> = (0..count)
        .map(|_| (jitter(width), jitter(spread)))
        .collect();
    let ranges = [(0.0, f32::INFINITY), (0.0, 8.0), (2.0, 30.0), (-4.0, 4.0)];
    let range = ranges[rng.below(ranges.len())];
    let rays = places.into_iter().map(|(start, aside)| {
        let origin = from + start - toward * far;
        let ray = Ray::new(origin, (toward + aside) * length);
        let end = origin + toward * (length * range.1.min(9.0));
        match rng.below(30) {
            0 => Ray::between(origin, end).or(ray),
            1 => Ray::between(origin, origin),
            _ => ray.and_then(|ray| ray.with_range(range.0 / length, range.1 / length)),
        }
    });
    rays.filter_map(Result::ok).collect()
}

#[test]
fn beams_answer_as_their_rays_alone() {
    let mut rng = Rng::new(SEED + 5);
    let widths = Width::available();
    let stock = Stock::new(&mut rng);
    let odd = |id: ObjectId| id.index() % 2 == 1;
    let mut hits = 0;
    for round in 0..50 {
        let (world, objects) = stock.world(widths[round % widths.len()], &mut rng);
        let now = world.now();
        for (settings, filter) in questions(&objects[..1], &odd) {
            let rays = beam(&mut rng);
            let together = now.cast_rays(&rays, (settings, filter));
            let any = now.cast_rays_any(&rays, (settings, filter));
            let one = |ray: &Ray| now.cast_ray(ray, (settings, filter));
            let alone: Vec<_> = rays.iter().map(one).collect();
            assert_same(&rays, &together, &alone);
            assert!(any.into_iter().eq(alone.iter().map(Option::is_some)));
            hits += alone.iter().flatten().count();
        }
    }
    println!("{hits} hits");
    assert!(hits > 5_000, "{hits}");
}
