//! Poses of many models by one call.

use super::ray_at;
use super::skinned_mesh::{joint_matrix, mesh, point, skinned, triangles};
use hitscan::glam::{Affine3A, DAffine3};
use hitscan::model::SkinnedMeshData;
use hitscan::{Error, Model, ObjectId, Ray, RayHit, Sphere, World};
use hitscan_testkit::{Rng, rounds};
use rayon::ThreadPoolBuilder;
use std::sync::Arc;

/// A model of a world, and the matrices of its joints.
type Posed = (ObjectId, Vec<Affine3A>);

/// Models of several meshes, more than one thread poses at once, their poses, and rays at these.
fn crowd(rng: &mut Rng) -> (World, Vec<Posed>, Vec<Ray>) {
    let data: Vec<SkinnedMeshData> = (0..4).map(|_| mesh(rng)).collect();
    let models = data
        .iter()
        .map(|data| Arc::new(Model::from_skinned_mesh(data.clone()).unwrap()));
    let models: Vec<Arc<Model>> = models.collect();
    let mut world = World::new();
    let (mut poses, mut rays) = (Vec::new(), Vec::new());
    for number in 0..150 {
        let (data, model) = (&data[number % 4], &models[number % 4]);
        let object = world.add_model(model, model.rest_pose(), DAffine3::IDENTITY);
        let aside = Affine3A::from_translation(point(rng, 20.0));
        let joints: Vec<Affine3A> = (0..data.joint_count)
            .map(|_| match rng.one_in(9) {
                true => joint_matrix(rng),
                false => aside * Affine3A::from_translation(point(rng, 1.0)),
            })
            .collect();
        let targets = data.morph_displacements.len() / data.positions.len();
        let positions = skinned(data, &joints, &vec![0.0; targets]);
        rays.push(ray_at(rng, &positions, &triangles(data)));
        poses.push((object.unwrap(), joints));
    }
    // Of several poses of one object the last counts.
    let (object, first) = (poses[0].0, poses[4].1.clone());
    poses.push((object, first));
    world.update();
    (world, poses, rays)
}

fn answers(world: &World, rays: &[Ray]) -> Vec<Option<RayHit>> {
    rays.iter()
        .map(|ray| world.now().cast_ray(ray, ()))
        .collect()
}

#[test]
fn poses_of_many_are_those_one_by_one_or_none() {
    let mut rng = Rng::new(344);
    let mut hits = 0;
    for _ in 0..rounds(10) {
        let (world, poses, rays) = crowd(&mut rng);
        let entries = poses
            .iter()
            .map(|(object, joints)| (*object, joints.as_slice()));
        let entries: Vec<_> = entries.collect();
        let mut one_by_one = world.clone();
        for (object, joints) in &entries {
            one_by_one.set_joint_matrices(*object, joints).unwrap();
        }
        one_by_one.update();
        let expected = answers(&one_by_one, &rays);
        hits += expected.iter().flatten().count();
        for threads in [1, 4] {
            let pool = ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let mut posed = world.clone();
            pool.install(|| posed.set_joint_poses(&entries)).unwrap();
            posed.update();
            assert_eq!(answers(&posed, &rays), expected);

            let mut refused = world.clone();
            let ball = refused.add(Sphere::new([0.0; 3], 1.0).unwrap());
            refused.update();
            let bad: [(ObjectId, &[Affine3A]); 2] = [(ball, &[]), (entries[0].0, &[])];
            for (place, entry) in [140, 3].into_iter().zip(bad) {
                let mut entries = entries.clone();
                entries.insert(place, entry);
                let error = pool.install(|| refused.set_joint_poses(&entries));
                match error.unwrap_err() {
                    Error::WrongObject { .. } => assert_eq!(place, 140),
                    Error::WrongLength { .. } => assert_eq!(place, 3),
                    other => panic!("{other}"),
                }
                assert!(refused.is_up_to_date());
            }
        }
    }
    assert!(hits > rounds(10) * 100, "{hits} hits");
}
