//! World wavefronts against rays cast one by one, bit for bit: in every vector width, with every
//! filter, now and in snapshots of the past.
//!
//! The worlds are those of `stocked_world.rs`.

use glam::{DAffine3, Vec3};
use hitscan::model::{Model, PosedModel};
use hitscan::simd::Width;
use hitscan::{Aabb, ObjectId, QueryFilter, Ray, RayHit, Sides, Snapshot, Sphere, World};
use hitscan_testkit::closed_mesh::ClosedMesh;
use hitscan_testkit::random_world::placement;
use hitscan_testkit::stocked_world::{SPAN, Stock, terrain};
use hitscan_testkit::{Rng, random_model};
use std::sync::Arc;

const SEED: u64 = 0x0B0E_0051;

/// Rays among the objects, from and to whole coordinates, down, along axes, limited, far and short.
fn ray(rng: &mut Rng) -> Ray {
    loop {
        let [from, to] = [0; 2].map(|_| {
            let p = Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-9.0, 9.0)));
            if rng.one_in(3) { p.round() } else { p }
        });
        let direction = match rng.below(8) {
            0 | 1 => Vec3::new(0.0, -1.0, 0.0),
            2 => Vec3::X,
            _ => (to - from) * [1.0, 1e-3, 1e9][rng.below(3)],
        };
        let ranges = [
            (0.0, 1.0),
            (0.0, 0.01),
            (0.5, f32::INFINITY),
            (-2.0, 4.0),
            (0.0, f32::INFINITY),
        ];
        let (t_min, t_max) = ranges[rng.below(ranges.len())];
        let ray = Ray::new(from, direction).and_then(|ray| ray.with_range(t_min, t_max));
        if let Ok(ray) = ray {
            return ray;
        }
    }
}

/// Casts the rays one by one and together, and compares; returns how many hit.
fn check(snapshot: &Snapshot, objects: &[ObjectId], rays: &[Ray], rng: &mut Rng) -> usize {
    let ignored: Vec<ObjectId> = (0..rng.below(3))
        .filter_map(|_| objects.get(rng.below(objects.len().max(1))).copied())
        .collect();
    let odd = |id: ObjectId| id.index() % 2 == 1;
    let filters = [
        (Sides::Both, QueryFilter::new()),
        (Sides::Front, QueryFilter::new().layers(1)),
        (Sides::Back, QueryFilter::new().exclude(&ignored)),
        (Sides::Both, QueryFilter::new().predicate(&odd)),
    ];
    let mut hits = 0;
    for (sides, filter) in filters {
        let nearest: Vec<_> = rays
            .iter()
            .map(|ray| snapshot.cast_ray(ray, (sides, filter)))
            .collect();
        let any: Vec<_> = rays
            .iter()
            .map(|ray| snapshot.cast_ray_any(ray, (sides, filter)))
            .collect();
        let together = snapshot.cast_rays(rays, (sides, filter));
        assert_eq!(together.len(), rays.len());
        for ((ray, alone), together) in rays.iter().zip(&nearest).zip(&together) {
            // Shortest round-trip printing shows all bits but the sign of NaN.
            let [alone, together] = [alone, together].map(|hit| format!("{hit:?}"));
            assert_eq!(together, alone, "{ray:?} {filter:?}");
        }
        assert_eq!(
            snapshot.cast_rays_any(rays, (sides, filter)),
            any,
            "{filter:?}"
        );
        hits += nearest.iter().flatten().count();
    }
    hits
}

#[test]
fn rays_together_answer_as_alone_in_every_width() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let widths = Width::available();
    assert!(widths.len() > 1, "only {widths:?} to compare");
    let stock = Stock::new(&mut rng);
    let mut hits = 0;
    for round in 0..12 {
        let seed = SEED + 100 + round;
        let count = [700, 64, 1, 33, 512, 513][rng.below(6)];
        let rays: Vec<Ray> = (0..count).map(|_| ray(&mut rng)).collect();
        let mut first: Option<String> = None;
        for &width in &widths {
            let (world, objects) = stock.world(width, &mut Rng::new(seed));
            hits += check(world.now(), &objects, &rays, &mut Rng::new(seed));
            let answers = format!("{:?}", world.now().cast_rays(&rays, ()));
            let first = first.get_or_insert_with(|| answers.clone());
            assert_eq!(&answers, first, "{width:?}");
        }
    }
    println!("{hits} hits");
    assert!(hits > 5_000);
}

#[test]
fn rays_together_answer_as_alone_in_snapshots_of_the_past() {
    let mut rng = Rng::new(SEED + 1);
    let stock = Stock::new(&mut rng);
    let mut hits = 0;
    for _ in 0..4 {
        let (mut world, objects) = stock.world(Width::default(), &mut rng);
        world.keep_history(8);
        for tick in 0..4 {
            for id in &objects {
                // Some move, some turn into others, some rest and some go; what is refused stays.
                match rng.below(6) {
                    0 => {
                        let _ = world.set_transform(*id, placement(&mut rng, SPAN));
                    }
                    1 => {
                        let radius = rng.uniform(0.5, 2.0);
                        let sphere = Sphere::new([1.0, 2.0, 3.0], radius).unwrap();
                        let _ = world.set_primitive(*id, sphere);
                    }
                    2 if rng.one_in(8) => {
                        let _ = world.remove(*id);
                    }
                    _ => {}
                }
            }
            world.update();
            world.record(tick).unwrap();
        }
        let rays: Vec<Ray> = (0..300).map(|_| ray(&mut rng)).collect();
        for time in [0.0, 0.25, 1.5, 2.0, 2.9, 3.0] {
            let snapshot = world.at(time).expect("the history reaches there");
            hits += check(&snapshot, &objects, &rays, &mut rng);
        }
    }
    println!("{hits} hits");
    assert!(hits > 4_000);
}

#[test]
fn ties_go_to_the_lowest_object_in_wavefronts_too() {
    let mut rng = Rng::new(SEED + 2);
    let mesh = Arc::new(ClosedMesh::bumpy_sphere(4, 0.5, &mut rng).tri_mesh());
    let field = Arc::new(terrain(&mut rng));
    let mut ties = 0;
    for _ in 0..4 {
        let mut world = World::new();
        // Everything is there twice, and a box's top lies level with the terrain.
        let at = placement(&mut rng, 3.0);
        let mut firsts = Vec::new();
        for is_first in [true, false] {
            let ids = [
                world.add_at(Arc::clone(&mesh), at).unwrap(),
                world.add(Arc::clone(&field)),
            ];
            if is_first {
                firsts.extend(ids);
            }
        }
        let ground = single(field.grid().origin[1]);
        let low = Aabb::new([-5.0, ground - 1.0, -5.0], [5.0, ground, 5.0]).unwrap();
        firsts.push(world.add(low));
        world.update();
        let rays: Vec<Ray> = (0..600).map(|_| ray(&mut rng)).collect();
        check(world.now(), &firsts, &rays, &mut rng);
        for met in world.now().cast_rays(&rays, ()).into_iter().flatten() {
            assert!(firsts.contains(&met.object.unwrap()), "{met:?}");
            ties += usize::from(met.triangle.is_some());
        }
    }
    println!("{ties} ties");
    assert!(ties > 300);
}

#[expect(clippy::cast_possible_truncation, reason = "the height is whole")]
fn single(height: f64) -> f32 {
    height as f32
}

/// A world so full of meshes that few rays reach one and the same: then they do not wait.
/// Such worlds cast batches at the shape itself, and single rays through their tree.
#[test]
fn a_world_of_one_shape_answers_as_its_rays_alone() {
    let mut rng = Rng::new(SEED + 7);
    let mut hits = 0;
    for round in 0..36 {
        let mut world = World::new();
        let at = match round % 2 {
            0 => DAffine3::IDENTITY,
            _ => placement(&mut rng, SPAN),
        };
        let id = match round % 3 {
            0 => world.add(Arc::new(terrain(&mut rng))),
            1 => {
                let mesh = ClosedMesh::bumpy_sphere(4, 5.0, &mut rng).tri_mesh();
                world.add_at(Arc::new(mesh), at).unwrap()
            }
            _ => {
                let model = Arc::new(Model::new(random_model(&mut rng)).unwrap());
                let posed = PosedModel::new(&model, model.rest_pose()).unwrap();
                world.add_at(Arc::new(posed), at).unwrap()
            }
        };
        let gone = world.add(Sphere::new([0.0; 3], 1.0).unwrap());
        world.set_user_data(id, 77 + round).unwrap();
        world.update();
        world.remove(gone).unwrap();
        world.update();
        let rays: Vec<Ray> = (0..600).map(|_| ray(&mut rng)).collect();
        let some = rays[..5].to_vec();
        for rays in [&rays, &some] {
            hits += check(world.now(), &[id], rays, &mut rng);
        }
        let of = |hit: RayHit| (hit.object, hit.user_data);
        let answers = world.now().cast_rays(&rays, ());
        let mut tagged = answers.into_iter().flatten();
        assert!(tagged.all(|hit| of(hit) == (Some(id), 77 + round)));
        world.set_layers(id, 0b10).unwrap();
        world.update();
        let unseen = world.now().cast_rays(&rays, QueryFilter::new().layers(1));
        assert!(unseen.iter().all(Option::is_none));
    }
    println!("{hits} hits");
    assert!(hits > 5_000);
}

#[test]
fn scattered_rays_answer_as_alone() {
    let mut rng = Rng::new(SEED + 3);
    let mesh = Arc::new(ClosedMesh::bumpy_sphere(4, 0.5, &mut rng).tri_mesh());
    let mut world = World::new();
    let objects: Vec<ObjectId> = (0..400)
        .map(|_| {
            let at = placement(&mut rng, 60.0);
            world.add_at(Arc::clone(&mesh), at).unwrap()
        })
        .collect();
    world.update();
    let rays: Vec<Ray> = (0..6_000)
        .map(|_| {
            let point =
                |rng: &mut Rng| Vec3::from_array([0; 3].map(|_| rng.uniform_f32(-60.0, 60.0)));
            let (from, to) = (point(&mut rng), point(&mut rng));
            Ray::new(from, to - from).unwrap()
        })
        .collect();
    let hits = check(world.now(), &objects, &rays, &mut rng);
    println!("{hits} hits");
    assert!(hits > 2_000);
}
