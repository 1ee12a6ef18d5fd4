//! Surfaces of several objects, against one mesh of the same triangles in the same order: casts, contacts and
//! explanations are the same bits, but for what names the object.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod ground;
mod worlds;

use ground::{ACROSS, Ground};
use hitscan::baked::{Bytes, Reader, Writer};
use hitscan::explain::{Hits, Question};
use hitscan::glam::{DAffine3, DQuat, Vec3};
use hitscan::{
    Aabb, Capsule, ContactsPer, ConvexHull, InitialOverlap, Obb, Primitive, QueryFilter, ShapeCast,
    Sides, Sphere, World,
};
use hitscan_testkit::{Rng, rounds};
use std::borrow::Cow;
use worlds::Worlds;

const SEED: u64 = 0x5ea;

/// A point on a grid of half metres over the ground.
fn grid_point(rng: &mut Rng) -> Vec3 {
    let [x, y, z] = [2 * ACROSS + 1, 5, 2 * ACROSS + 1].map(|end| rng.below(end) as f32 * 0.5);
    Vec3::new(x, y - 0.5, z)
}

fn solid(rng: &mut Rng) -> Primitive {
    let center = grid_point(rng);
    if rng.one_in(2) {
        return Sphere::new(center, 0.5).unwrap().into();
    }
    Aabb::new(center, center + Vec3::new(0.5, 1.0, 0.5))
        .unwrap()
        .into()
}

fn shape(rng: &mut Rng) -> Primitive {
    let center = grid_point(rng);
    let half = Vec3::from_array([0; 3].map(|_: i32| rng.below(3) as f32 * 0.25 + 0.25));
    let radius = 0.25 * (1.0 + rng.below(4) as f64);
    match rng.below(6) {
        0 => Sphere::new(center, radius).unwrap().into(),
        1 => {
            let other = center + half * 2.0;
            Capsule::new(center, other, radius).unwrap().into()
        }
        2 => {
            let turn = [
                DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8),
                DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
                DQuat::from_xyzw(0.1, 0.6, 0.2, 0.8),
            ][rng.below(3)];
            Obb::new(center, half, turn).unwrap().into()
        }
        3 => {
            let points = (0..8).map(|bits: u32| {
                let end = |axis: u32| if bits >> axis & 1 == 1 { 1.0 } else { -1.0 };
                half * Vec3::new(end(0), end(1), end(2)) * if bits == 7 { 2.0 } else { 1.0 }
            });
            let hull = ConvexHull::new(points).unwrap();
            let place = DAffine3::from_translation(center.as_dvec3());
            hull.placed(&place).unwrap().into()
        }
        _ => Aabb::new(center - half, center + half).unwrap().into(),
    }
}

fn motion(rng: &mut Rng) -> Vec3 {
    let level = |rng: &mut Rng| Vec3::new(grid_point(rng).x - 3.0, 0.0, grid_point(rng).z - 3.0);
    match rng.below(4) {
        // Slid along the ground, and pressed on it a little.
        0 => level(rng),
        1 => level(rng) - Vec3::Y * 0.125,
        2 => Vec3::new(0.0, -2.0, 0.0),
        _ => grid_point(rng) - Vec3::new(3.0, 2.0, 3.0),
    }
}

/// A baked world that was read again.
fn baked_again(world: &World) -> World {
    let mut writer = Writer::new();
    world.now().bake(&mut writer);
    let (table, arrays) = writer.into_parts();
    let arrays: Vec<Vec<u8>> = arrays.into_iter().map(Cow::into_owned).collect();
    let arrays = arrays.iter().map(|array| Bytes::lent(array)).collect();
    World::from_baked(&mut Reader::new(&table, arrays)).unwrap()
}

#[test]
fn pieces_answer_as_one_mesh_of_their_triangles() {
    println!("seed {SEED:#x}");
    let mut rng = Rng::new(SEED);
    let (mut hits, mut contacts, mut seams_matter, mut explained) = (0, 0, 0, 0);
    for round in 0..rounds(120) {
        let ground = Ground::new(&mut rng);
        let worlds = Worlds::new(&mut rng, &ground, round % 3 == 0);
        let baked = baked_again(&worlds.pieces);
        let mut apart = worlds.pieces.clone();
        for id in apart.now().objects().collect::<Vec<_>>() {
            if apart.now().surface(id).is_some() {
                apart.set_surface(id, None).unwrap();
            }
        }
        apart.update();
        for number in 0..200 {
            let world = if number % 4 == 0 {
                &baked
            } else {
                &worlds.pieces
            };
            let shape = shape(&mut rng);
            let margin = [0.0, 0.25, 1.0][rng.below(3)];
            contacts += worlds.check_contacts(world, &shape, margin);
            let cast = ShapeCast::new(shape, motion(&mut rng)).unwrap();
            let filter = QueryFilter::new().exclude(&worlds.hidden);
            let each = [ContactsPer::Object, ContactsPer::Triangle][number % 2];
            let resting = Question::Contacts {
                shape: cast.shape().clone(),
                margin,
                each,
            };
            if number % 8 < 2 {
                explained += worlds.check_explained(world, &resting);
            }
            for overlaps in [InitialOverlap::Stop, InitialOverlap::Escape] {
                let cast = cast.clone().with_initial_overlap(overlaps);
                let sides = [Sides::Both, Sides::Front, Sides::Back][rng.below(3)];
                let hit = worlds.check_cast(world, &cast, sides);
                hits += usize::from(hit.is_some());
                let moving = Question::ShapeCast {
                    cast: cast.clone(),
                    sides,
                    hits: [Hits::Nearest, Hits::All][rng.below(2)],
                };
                if number % 8 < 2 {
                    explained += worlds.check_explained(world, &moving);
                }
                let apart = apart.now().cast_shape(&cast, (sides, filter));
                let differs =
                    apart.map(|hit| (hit.t, hit.normal)) != hit.map(|hit| (hit.t, hit.normal));
                seams_matter += usize::from(differs);
            }
        }
    }
    println!(
        "{hits} hits, {contacts} contacts; {seams_matter} casts are caught at seams without surfaces; \
         {explained} candidates"
    );
    assert!(hits > rounds(15_000) && contacts > rounds(10_000) && seams_matter > rounds(200));
    assert!(explained > rounds(20_000), "{explained}");
}
