//! Models that are posed by joint matrices, against all vertices skinned one by one in f64 and rays in rational
//! arithmetic; and every other query against a mesh of those vertices.
//!
//! Matrices are nasty: mirrored, sheared, flattened, scaled to nothing, far away, huge and tiny.

#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

mod skinned_mesh;
mod between_ticks;
mod many;

use hitscan::baked::{Bytes, Reader, Writer};
use hitscan::glam::{Affine3A, DAffine3, Mat4, Vec3};
use hitscan::model::{NodeTransform, PosedModel, SkinnedMeshData};
use hitscan::{
    Capsule, ContactsPer, Error, Model, ModelPlace, ObjectId, Ray, RayHit, ShapeCast, Sphere,
    TriMesh, World,
};
use hitscan_testkit::{Rng, exact, is_nearest_f32, line_triangle, rounds, vector};
use skinned_mesh::{joint_matrix, mesh, skinned, triangles};
use std::sync::Arc;

/// A world with the model alone, in these matrices and weights.
fn world_of(
    model: &Arc<Model>,
    joints: &[Affine3A],
    weights: &[f32],
) -> Result<(World, ObjectId), Error> {
    let mut world = World::new();
    let object = world.add_model(model, model.rest_pose(), DAffine3::IDENTITY)?;
    // The object's own transform counts for nothing, before and after.
    world.set_transform(object, DAffine3::from_scale([3.0, -2.0, 9.0].into()))?;
    world.set_morph_weights(object, weights)?;
    world.set_joint_matrices(object, joints)?;
    world.set_transform(object, DAffine3::from_translation([5.0, 5.0, 5.0].into()))?;
    world.update();
    Ok((world, object))
}

/// A ray at a triangle of the mesh, or past it.
fn ray_at(rng: &mut Rng, positions: &[Vec3], triangles: &[[u32; 3]]) -> Ray {
    let at = |rng: &mut Rng| {
        let [a, b, c] =
            triangles[rng.below(triangles.len())].map(|corner| positions[corner as usize]);
        let (u, v) = (rng.uniform_f32(0.0, 0.6), rng.uniform_f32(0.0, 0.6));
        a + (b - a) * u + (c - a) * v
    };
    let (to, other) = (at(rng), at(rng));
    let size = (to - other).length().max(1e-3);
    let aside = Vec3::from_array([(); 3].map(|()| rng.uniform_f32(-1.0, 1.0)));
    let from = to + aside * size * rng.uniform_f32(0.1, 4.0);
    Ray::between_or_empty(from, to + (to - from) * 2.0)
}

/// The nearest hit by brute force: its triangle, and whether `t` is that of the library.
fn assert_nearest(ray: &Ray, found: Option<&RayHit>, positions: &[Vec3], triangles: &[[u32; 3]]) {
    let (origin, direction) = (vector(ray.origin()), vector(ray.direction()));
    let crossings = triangles.iter().enumerate().filter_map(|(index, corners)| {
        let corners = corners.map(|corner| vector(positions[corner as usize]));
        let crossing = line_triangle(&origin, &direction, &corners)?;
        let (low, high) = (exact(ray.t_min().into()), exact(ray.t_max().into()));
        (crossing.t >= low && crossing.t <= high).then_some((crossing.t, index))
    });
    let nearest = crossings.min();
    match (nearest, found) {
        (None, None) => {}
        (Some((t, index)), Some(hit)) => {
            assert!(
                is_nearest_f32(hit.t, &t),
                "{ray:?}: {hit:?}, t of {index}: {t}"
            );
        }
        (expected, found) => panic!("{ray:?}: {found:?}, expected {expected:?}"),
    }
}

#[test]
fn rays_hit_what_all_vertices_skinned_in_f64_are_hit_at() {
    let mut rng = Rng::new(34);
    let (mut hits, mut rays) = (0, 0);
    for _ in 0..rounds(250) {
        let data = mesh(&mut rng);
        let joints: Vec<Affine3A> = (0..data.joint_count)
            .map(|_| joint_matrix(&mut rng))
            .collect();
        let targets = data.morph_displacements.len() / data.positions.len();
        let weights: Vec<f32> = (0..targets).map(|_| rng.uniform_f32(-1.0, 2.0)).collect();
        let model = Arc::new(Model::from_skinned_mesh(data.clone()).unwrap());
        let (positions, triangles) = (skinned(&data, &joints, &weights), triangles(&data));
        let (world, object) = world_of(&model, &joints, &weights).unwrap();
        let cast: Vec<Ray> = (0..12)
            .map(|_| ray_at(&mut rng, &positions, &triangles))
            .collect();
        let batch = world.now().cast_rays(&cast, ());
        for (ray, of_batch) in cast.iter().zip(batch) {
            let found = world.now().cast_ray(ray, ());
            assert_nearest(ray, found.as_ref(), &positions, &triangles);
            assert_eq!(found, of_batch);
            assert_eq!(world.now().cast_ray_any(ray, ()), found.is_some());
            assert!(found.is_none_or(|hit| hit.object == Some(object)));
            hits += usize::from(found.is_some());
            rays += 1;
        }
    }
    assert!(hits > rays / 4 && hits < rays, "{hits} of {rays}");
}

/// All that a snapshot answers here, in text.
fn answers(
    world: &World,
    rng: &mut Rng,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
) -> Vec<String> {
    let now = world.now();
    let mut all = Vec::new();
    for _ in 0..12 {
        let ray = ray_at(rng, positions, triangles);
        let at = ray.origin() + ray.direction() * 0.3;
        let size = (ray.direction().length() * 0.1).clamp(1e-3, 1e6);
        all.push(format!("{:?}", now.cast_ray(&ray, ())));
        all.push(format!("{:?}", now.cast_ray_all(&ray, ())));
        all.push(format!("{:?}", now.closest_point(at, size * 20.0, ())));
        let ball = Sphere::new(at, size).unwrap();
        all.push(format!(
            "{:?}",
            now.contacts(ball, 0.0, ContactsPer::Object, ())
        ));
        all.push(format!("{:?}", now.overlaps_shape(ball, ())));
        let stick = Capsule::new(at, at + Vec3::splat(size), size).unwrap();
        let cast = ShapeCast::new_or_empty(stick, ray.direction());
        all.push(format!("{:?}", now.cast_shape(&cast, ())));
        all.push(format!("{:?}", now.is_visible(ray.origin(), at, ())));
    }
    all.push(format!("{:?}", now.bounds()));
    all
}

#[test]
fn every_query_answers_as_a_mesh_of_the_skinned_vertices() {
    let mut rng = Rng::new(35);
    for round in 0..rounds(150) {
        let data = mesh(&mut rng);
        let joints: Vec<Affine3A> = (0..data.joint_count)
            .map(|_| joint_matrix(&mut rng))
            .collect();
        let targets = data.morph_displacements.len() / data.positions.len();
        let weights: Vec<f32> = (0..targets).map(|_| rng.uniform_f32(-1.0, 2.0)).collect();
        let model = Arc::new(Model::from_skinned_mesh(data.clone()).unwrap());
        let (positions, triangles) = (skinned(&data, &joints, &weights), triangles(&data));
        let (posed, _) = world_of(&model, &joints, &weights).unwrap();
        let mut meshes = World::new();
        meshes.add(TriMesh::new(positions.clone(), triangles.clone()).unwrap());
        meshes.update();
        let mut same = Rng::new(round as u64);
        let expected = answers(&meshes, &mut same, &positions, &triangles);
        let mut same = Rng::new(round as u64);
        let found = answers(&posed, &mut same, &positions, &triangles);
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, expected, "round {round}");
        }
    }
}

#[test]
fn the_same_pose_given_node_by_node_answers_the_same() {
    let mut rng = Rng::new(36);
    for _ in 0..rounds(100) {
        let mut data = mesh(&mut rng);
        data.parents = Vec::new();
        let joints: Vec<Affine3A> = (0..data.joint_count)
            .map(|_| joint_matrix(&mut rng))
            .collect();
        let targets = data.morph_displacements.len() / data.positions.len();
        let weights = vec![0.75; targets];
        let model = Arc::new(Model::from_skinned_mesh(data.clone()).unwrap());
        let mut pose = model.rest_pose().clone();
        for (node, joint) in joints.iter().enumerate() {
            let matrix = NodeTransform::Matrix(Mat4::from(*joint).as_dmat4());
            pose.set_local(node, matrix).unwrap();
        }
        pose.set_morph_weights(data.joint_count, &vec![0.75; targets])
            .unwrap();
        let by_nodes = PosedModel::new(&model, &pose).unwrap();
        let by_joints = PosedModel::by_joints(&model, &joints, &weights).unwrap();
        assert_eq!(by_joints.pose(), pose);
        let bits = |posed: &PosedModel| {
            let mesh = posed.part(0).unwrap().mesh();
            let positions = mesh.positions().iter();
            positions
                .map(|at| at.to_array().map(f32::to_bits))
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(&by_joints), bits(&by_nodes));
    }
}

/// A world, baked and read again.
fn baked(world: &World) -> World {
    let mut writer = Writer::new();
    world.now().bake(&mut writer);
    let (table, arrays) = writer.into_parts();
    let arrays = arrays.iter().map(|array| Bytes::lent(array)).collect();
    let mut reader = Reader::new(&table, arrays);
    let world = World::from_baked(&mut reader).unwrap();
    reader.finish().unwrap();
    world
}

#[test]
fn a_baked_world_answers_the_same() {
    let mut rng = Rng::new(37);
    for _ in 0..rounds(20) {
        let data = mesh(&mut rng);
        let joints: Vec<Affine3A> = (0..data.joint_count)
            .map(|_| joint_matrix(&mut rng))
            .collect();
        let targets = data.morph_displacements.len() / data.positions.len();
        let weights = vec![-0.25; targets];
        let model = Arc::new(Model::from_skinned_mesh(data.clone()).unwrap());
        let (world, object) = world_of(&model, &joints, &weights).unwrap();
        let again = baked(&world);
        let (positions, triangles) = (skinned(&data, &joints, &weights), triangles(&data));
        let ray = ray_at(&mut rng, &positions, &triangles);
        assert_eq!(
            again.now().cast_ray(&ray, ()),
            world.now().cast_ray(&ray, ())
        );
        assert_eq!(
            again.now().object_bounds(object),
            world.now().object_bounds(object)
        );
    }
}

#[test]
fn what_is_wrong_is_refused_by_name() {
    let mut rng = Rng::new(38);
    let data = mesh(&mut rng);
    let model = Arc::new(Model::from_skinned_mesh(data.clone()).unwrap());
    let joints = vec![Affine3A::IDENTITY; data.joint_count];
    let targets = data.morph_displacements.len() / data.positions.len();
    let (mut world, object) = world_of(&model, &joints, &vec![0.0; targets]).unwrap();
    let before = world.now().object_bounds(object);
    let mut bad = joints.clone();
    bad[1].translation.y = f32::NAN;
    let error = world.set_joint_matrices(object, &bad).unwrap_err();
    assert!(
        matches!(
            error,
            Error::InModel {
                place: ModelPlace::Joint(1),
                ..
            }
        ),
        "{error}"
    );
    let error = world.set_joint_matrices(object, &joints[1..]).unwrap_err();
    assert!(
        matches!(
            error,
            Error::WrongLength {
                what: "joint matrices",
                ..
            }
        ),
        "{error}"
    );
    let error = world
        .set_morph_weights(object, &vec![0.0; targets + 1])
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::WrongLength {
                what: "morph weights",
                ..
            }
        ),
        "{error}"
    );
    let far = vec![Affine3A::from_translation(Vec3::splat(3e18)); data.joint_count];
    let error = world.set_joint_matrices(object, &far).unwrap_err();
    assert!(
        matches!(
            error,
            Error::InModel {
                place: ModelPlace::Part(0),
                ..
            }
        ),
        "{error}"
    );
    let ball = world.add(Sphere::new([0.0; 3], 1.0).unwrap());
    assert!(matches!(
        world.set_joint_matrices(ball, &joints),
        Err(Error::WrongObject { .. })
    ));
    assert!(matches!(
        world.set_morph_weights(ball, &[]),
        Err(Error::WrongObject { .. })
    ));
    world.update();
    assert_eq!(world.now().object_bounds(object), before);

    let whole = SkinnedMeshData {
        indices: vec![0, 1],
        ..data.clone()
    };
    assert!(matches!(
        Model::from_skinned_mesh(whole),
        Err(Error::WrongLength { .. })
    ));
    let circle = SkinnedMeshData {
        parents: vec![Some(0); data.joint_count],
        ..data.clone()
    };
    assert!(matches!(
        Model::from_skinned_mesh(circle),
        Err(Error::NotAForest { .. })
    ));
    let orphan = SkinnedMeshData {
        parents: vec![Some(data.joint_count); data.joint_count],
        ..data
    };
    assert!(matches!(
        Model::from_skinned_mesh(orphan),
        Err(Error::InModel { .. })
    ));
}
