//! Joint matrices between two recorded ticks.

use super::skinned_mesh::{joint_matrix, mesh, point, skinned, triangles, turn};
use super::{assert_nearest, ray_at};
use hitscan::glam::{Affine3A, DAffine3, Quat, Vec3};
use hitscan::model::{PosedModel, SkinnedMeshData};
use hitscan::world::ObjectShape;
use hitscan::{Model, ObjectId, Ray, Snapshot, World};
use hitscan_testkit::{Rng, rounds};
use std::sync::Arc;

fn posed(snapshot: &Snapshot, object: ObjectId) -> Arc<PosedModel> {
    match snapshot.shape(object) {
        Some(ObjectShape::Model(posed)) => posed,
        other => panic!("{other:?} is no model"),
    }
}

/// A limb of joints a metre apart, each below the one before, with a triangle on each.
fn limb(joints: usize) -> SkinnedMeshData {
    let corners = [Vec3::ZERO, Vec3::X * 0.25, Vec3::Y];
    let count = u32::try_from(3 * joints).unwrap();
    SkinnedMeshData {
        positions: (0..joints).flat_map(|_| corners).collect(),
        indices: (0..count).collect(),
        influences: 1,
        joints: (0..joints)
            .flat_map(|joint| [u16::try_from(joint).unwrap(); 3])
            .collect(),
        weights: vec![1.0; 3 * joints],
        joint_count: joints,
        parents: (0..joints).map(|joint| joint.checked_sub(1)).collect(),
        ..SkinnedMeshData::default()
    }
}

/// The matrices of a limb at `root` whose joints turn by these, each in the space of the one before.
fn placed(root: Affine3A, turns: &[Quat]) -> Vec<Affine3A> {
    let mut above = root;
    let placed = turns.iter().map(|turn| {
        let own = above * Affine3A::from_quat(*turn);
        above = own * Affine3A::from_translation(Vec3::Y);
        own
    });
    placed.collect()
}

fn recorded(data: &SkinnedMeshData, ticks: [&[Affine3A]; 2]) -> (World, ObjectId) {
    recorded_with_morphs(data, ticks, [&[], &[]])
}

fn recorded_with_morphs(
    data: &SkinnedMeshData,
    ticks: [&[Affine3A]; 2],
    weights: [&[f32]; 2],
) -> (World, ObjectId) {
    let model = Arc::new(Model::from_skinned_mesh(data.clone()).unwrap());
    let mut world = World::new();
    world.keep_history(2);
    let object = world
        .add_model(&model, model.rest_pose(), DAffine3::IDENTITY)
        .unwrap();
    for (tick, (joints, weights)) in [10, 11].into_iter().zip(ticks.into_iter().zip(weights)) {
        world.set_joint_matrices(object, joints).unwrap();
        world.set_morph_weights(object, weights).unwrap();
        world.update();
        world.record(tick).unwrap();
    }
    (world, object)
}

#[test]
fn limbs_keep_their_length() {
    let mut rng = Rng::new(341);
    for _ in 0..rounds(100) {
        let data = limb(5);
        let pose = |rng: &mut Rng| {
            let turns: Vec<Quat> = (0..5).map(|_| turn(rng)).collect();
            let at = Vec3::new(rng.uniform_f32(-50.0, 50.0), 0.0, 3.0);
            placed(Affine3A::from_translation(at), &turns)
        };
        let (from, to) = (pose(&mut rng), pose(&mut rng));
        let (world, object) = recorded(&data, [&from, &to]);
        for part in 1..8_u8 {
            let between = world.at(10.0 + f64::from(part) / 8.0).unwrap();
            let posed = posed(&between, object);
            let joints = posed.joint_matrices().unwrap();
            for pair in joints.windows(2) {
                let length = (pair[1].translation - pair[0].translation).length();
                assert!((length - 1.0).abs() < 2e-5, "{length}");
            }
        }
    }
}

#[test]
fn an_elbow_half_way_is_bent_by_half_the_angle() {
    let bent = |angle: f32| {
        let turns = [Quat::from_rotation_x(0.3), Quat::from_rotation_z(angle)];
        placed(
            Affine3A::from_translation(Vec3::new(7.0, 1.0, -2.0)),
            &turns,
        )
    };
    let (world, object) = recorded(&limb(2), [&bent(0.2), &bent(1.4)]);
    let posed = posed(&world.at(10.5).unwrap(), object);
    for (found, expected) in posed.joint_matrices().unwrap().iter().zip(bent(0.8)) {
        assert!(found.abs_diff_eq(expected, 2e-6), "{found} {expected}");
    }
    // At the ticks themselves, bit for bit.
    for (tick, expected) in [(10.0, bent(0.2)), (11.0, bent(1.4))] {
        let posed = super::between_ticks::posed(&world.at(tick).unwrap(), object);
        assert_eq!(posed.joint_matrices().unwrap(), expected);
    }
}

#[test]
fn rays_between_ticks_hit_the_vertices_of_the_joints_there() {
    let mut rng = Rng::new(342);
    let (mut hits, mut times) = (0, 0);
    for _ in 0..rounds(200) {
        let data = SkinnedMeshData {
            morph_displacements: Vec::new(),
            ..mesh(&mut rng)
        };
        let pose = |rng: &mut Rng| -> Vec<Affine3A> {
            (0..data.joint_count).map(|_| joint_matrix(rng)).collect()
        };
        let (from, to) = (pose(&mut rng), pose(&mut rng));
        let (world, object) = recorded(&data, [&from, &to]);
        let between = world.at(rng.uniform(10.01, 10.99)).unwrap();
        let Some(ObjectShape::Model(posed)) = between.shape(object) else {
            continue;
        };
        times += 1;
        let joints = posed.joint_matrices().unwrap();
        let (positions, triangles) = (skinned(&data, joints, &[]), triangles(&data));
        for _ in 0..20 {
            let ray = ray_at(&mut rng, &positions, &triangles);
            let found = between.cast_ray(&ray, ());
            assert_nearest(&ray, found.as_ref(), &positions, &triangles);
            hits += usize::from(found.is_some());
        }
    }
    assert!(times > rounds(150) && hits > 4 * times, "{times} {hits}");
}

/// A matrix that is nearly another: turned, scaled and moved by up to `change`.
fn near(rng: &mut Rng, matrix: &Affine3A, change: f32) -> Affine3A {
    let turn = point(rng, change);
    let turn = Quat::from_xyzw(turn.x, turn.y, turn.z, 1.0) / (1.0 + turn.length_squared()).sqrt();
    let scale = Vec3::ONE + point(rng, 0.5 * change);
    let change = Affine3A::from_scale_rotation_translation(scale, turn, point(rng, change));
    change * *matrix
}

/// Rays through the corners that are furthest along each axis, across it: only a box that holds all corners lets them
/// in.
fn rays_at_extremes(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Ray> {
    let corners = || triangles.as_flattened().iter();
    let at = |corner: &u32| positions[*corner as usize];
    let mut rays = Vec::new();
    for axis in 0..3 {
        let along = |one: &&u32, other: &&u32| at(one)[axis].total_cmp(&at(other)[axis]);
        let across = [Vec3::X, Vec3::Y, Vec3::Z][(axis + 1) % 3] * 32.0;
        for corner in [corners().min_by(along), corners().max_by(along)] {
            let corner = at(corner.unwrap());
            rays.push(Ray::between_or_empty(corner - across, corner + across));
        }
    }
    rays
}

/// Between poses that differ a little the boxes of paths are the smaller ones: nothing is outside of them.
#[test]
fn rays_between_neighbouring_frames_miss_nothing() {
    let mut rng = Rng::new(343);
    let (mut hits, mut times) = (0, 0);
    for round in 0..rounds(240) {
        let change = [1e-4, 0.02, 0.3][round % 3];
        let data = if rng.one_in(3) {
            limb(2 + rng.below(6))
        } else {
            mesh(&mut rng)
        };
        let turns: Vec<Quat> = (0..data.joint_count).map(|_| turn(&mut rng)).collect();
        let from = placed(Affine3A::from_translation(point(&mut rng, 4.0)), &turns);
        let to: Vec<Affine3A> = match rng.below(3) {
            // Each joint by itself.
            0 => (from.iter())
                .map(|joint| near(&mut rng, joint, change))
                .collect(),
            // Each in the space of the one above.
            1 => {
                let turns = turns.iter().map(|turn| {
                    let aside = point(&mut rng, change);
                    let near = *turn + Quat::from_xyzw(aside.x, aside.y, aside.z, 0.0);
                    near / near.length()
                });
                let turns: Vec<Quat> = turns.collect();
                let root = Affine3A::from_translation(from[0].translation.into());
                placed(near(&mut rng, &root, change), &turns)
            }
            // All of them straight on, for which paths are as long as their bounds.
            _ => {
                let on = Affine3A::from_translation(point(&mut rng, 3.0));
                from.iter().map(|joint| on * *joint).collect()
            }
        };
        let targets = data.morph_displacements.len() / data.positions.len();
        // Multiples of an eighth, so that f32 holds them between the ticks as well.
        let mut weights = || -> Vec<f32> {
            let weight = |_| f32::from(u8::try_from(rng.below(17)).unwrap()) / 8.0 - 1.0;
            (0..targets).map(weight).collect()
        };
        let (earlier, later) = (weights(), weights());
        let (world, object) = recorded_with_morphs(&data, [&from, &to], [&earlier, &later]);
        let part = 1 + rng.below(7);
        let alpha = f32::from(u8::try_from(part).unwrap()) / 8.0;
        let between = world.at(10.0 + f64::from(alpha)).unwrap();
        let posed = posed(&between, object);
        let joints = posed.joint_matrices().unwrap();
        let weights = earlier.iter().zip(&later);
        let weights: Vec<f32> = weights.map(|(a, b)| a + (b - a) * alpha).collect();
        let (positions, triangles) = (skinned(&data, joints, &weights), triangles(&data));
        times += 1;
        let rays = (0..20).map(|_| ray_at(&mut rng, &positions, &triangles));
        let rays = rays.collect::<Vec<_>>().into_iter();
        for ray in rays.chain(rays_at_extremes(&positions, &triangles)) {
            let found = between.cast_ray(&ray, ());
            assert_nearest(&ray, found.as_ref(), &positions, &triangles);
            hits += usize::from(found.is_some());
        }
    }
    assert!(times == rounds(240) && hits > 20 * times, "{times} {hits}");
}

/// From a pose of nodes to joint matrices there is no way: the object is as at the earlier tick.
#[test]
fn kinds_of_poses_do_not_mix() {
    let data = limb(2);
    let model = Arc::new(Model::from_skinned_mesh(data).unwrap());
    let mut world = World::new();
    world.keep_history(2);
    let at = DAffine3::from_translation([100.0, 0.0, 0.0].into());
    let object = world.add_model(&model, model.rest_pose(), at).unwrap();
    world.update();
    world.record(1).unwrap();
    let earlier = world.now().object_bounds(object);
    world
        .set_joint_matrices(object, &[Affine3A::IDENTITY; 2])
        .unwrap();
    world.update();
    world.record(2).unwrap();
    assert_eq!(world.at(1.75).unwrap().object_bounds(object), earlier);
    assert_ne!(world.at(2.0).unwrap().object_bounds(object), earlier);
}
