//! Answers over terrain, a mesh, a model and a world, against digests of all their bits.
//!
//! The digests are the same in every build: with the feature `parallel` and without it, at every
//! optimisation level, on every processor. Batches and builds are large enough to be split over
//! threads where there are any.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod digest;
mod inputs;
mod shapes;

use digest::Digest;
use glam::{DAffine3, DQuat, DVec3, Vec2, Vec3};
use hitscan::height_field::Ground;
use hitscan::model::Model;
use hitscan::shape_cast::ShapeCast;
use hitscan::{BuildPreset, Capsule, Obb, QueryFilter, Sides, Sphere, TriMesh, World, glam};
use inputs::{Numbers, camera_rays, field, hill_mesh, rays, walker};
use std::sync::Arc;

const RAYS: usize = 3000;

#[test]
fn terrain_answers_have_the_golden_bits() {
    let field = field();
    let mut digest = Digest::new();
    let mut rays = rays(1, RAYS);
    rays.extend(camera_rays(64));
    for sides in [Sides::Both, Sides::Front, Sides::Back] {
        digest.add_hits(&field.cast_rays(&rays, sides));
        digest.add_flags(&field.cast_rays_any(&rays, sides));
    }
    let mut numbers = Numbers::new(2);
    let points: Vec<Vec2> = (0..20_000)
        .map(|_| Vec2::new(numbers.between(-55.0, 55.0), numbers.between(-55.0, 55.0)))
        .collect();
    for height in field.elevations(&points) {
        digest.add_float(height.unwrap_or(f32::NAN));
    }
    let height = |ground: Ground| ground.ok().map_or(f32::NAN, |ground| ground.height);
    for &point in &points[..500] {
        let radius = f64::from(numbers.between(0.0, 9.0));
        digest.add_float(height(field.max_height(point, radius)));
        digest.add_float(height(field.mean_height(point, radius)));
    }
    digest.assert_is("terrain", 0xd561_6939_b1fb_0995);
}

#[test]
fn mesh_answers_have_the_golden_bits() {
    let (positions, triangles) = hill_mesh();
    let mut rays = rays(3, RAYS);
    rays.extend(camera_rays(64));
    for preset in [BuildPreset::Fast, BuildPreset::default()] {
        let mesh = TriMesh::with_preset(positions.clone(), triangles.clone(), preset).unwrap();
        let mut digest = Digest::new();
        for sides in [Sides::Both, Sides::Front] {
            digest.add_hits(&mesh.cast_rays(&rays, sides));
            digest.add_flags(&mesh.cast_rays_any(&rays, sides));
        }
        // The shape of the tree decides nothing.
        digest.assert_is("mesh", 0x87b9_8bda_c7b3_3da4);
    }
}

#[test]
fn answers_of_a_posed_model_have_the_golden_bits() {
    let model = Arc::new(Model::new(walker()).unwrap());
    let mut world = World::new();
    world.keep_history(4);
    let mut numbers = Numbers::new(4);
    let walkers: Vec<_> = (0..60)
        .map(|_| {
            let id = world.add_model(&model, model.rest_pose(), numbers.placement());
            id.unwrap()
        })
        .collect();
    for tick in 0..3_u64 {
        for &walker in &walkers {
            world.set_transform(walker, numbers.placement()).unwrap();
            let secs = f64::from(numbers.between(0.0, 2.0));
            world.set_pose_at(walker, 0, secs).unwrap();
        }
        world.update();
        world.record(tick).unwrap();
    }
    let (rays, all) = (rays(5, RAYS), QueryFilter::new());
    let mut digest = Digest::new();
    for time in [0.0, 0.75, 2.0] {
        let past = world.at(time).unwrap();
        digest.add_hits(&past.cast_rays(&rays, all));
        digest.add_flags(&past.cast_rays_any(&rays, all));
    }
    for ray in &rays[..300] {
        for met in world.now().cast_ray_all(ray, all) {
            digest.add_hit(&met);
        }
    }
    digest.assert_is("model", 0x91c8_b2c6_a9cc_91dd);
}

#[test]
fn answers_of_a_world_have_the_golden_bits() {
    let mut world = World::new();
    world.add(Arc::new(field()));
    let (positions, triangles) = hill_mesh();
    let mesh = Arc::new(TriMesh::new(positions, triangles).unwrap());
    let turned = DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8);
    let place = DAffine3::from_rotation_translation(turned, DVec3::new(3.0, 4.5, -2.0));
    world.add_at(mesh, place).unwrap();
    let mut numbers = Numbers::new(6);
    let mut boxes = Vec::new();
    for _ in 0..9000 {
        let aabb = numbers.aabb();
        boxes.push(world.add(aabb));
    }
    for _ in 0..300 {
        let [a, b] = [numbers.point(), numbers.point()];
        let radius = f64::from(numbers.between(0.1, 1.0));
        world.add(Sphere::new(a, radius).unwrap());
        world.add(Capsule::new(b, b + 0.1 * a, radius).unwrap());
        world.add(Obb::new(a + 0.5 * b, Vec3::splat(0.5), turned).unwrap());
    }
    world.update();
    let (now, all) = (world.now(), QueryFilter::new());

    let mut digest = Digest::new();
    let mut rays = rays(7, RAYS);
    rays.extend(camera_rays(48));
    digest.add_hits(&now.cast_rays(&rays, all));
    digest.add_flags(&now.cast_rays_any(&rays, all));
    let moving: Vec<ShapeCast> = (0..1000)
        .map(|_| ShapeCast::new(numbers.aabb(), 0.2 * numbers.point()).unwrap())
        .collect();
    for met in now.cast_shapes(&moving, all) {
        let object = met.and_then(|met| met.object);
        digest.add(object.map_or(u32::MAX, |object| digest::number(object.index())));
        digest.add_float(met.map_or(f32::NAN, |met| met.t));
        digest.add_vector(met.map_or(Vec3::NAN, |met| met.normal));
    }
    for pair in now.broad_phase_pairs(all) {
        digest.add(digest::number(pair.a.index()));
        digest.add(digest::number(pair.b.index()));
        digest.add_vector(pair.intersection.min());
        digest.add_vector(pair.intersection.max());
    }
    let motions: Vec<_> = boxes
        .iter()
        .map(|&id| (id, 0.02 * numbers.point()))
        .collect();
    for impact in now.impacts(&motions, all).unwrap() {
        digest.add(digest::number(impact.a.index()));
        digest.add(digest::number(impact.b.index()));
        digest.add_float(impact.t);
        digest.add_vector(impact.normal);
    }
    digest.assert_is("world", 0x43dc_7ee6_5455_591a);
}
