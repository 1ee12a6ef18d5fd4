//! The plugin and `MeshRayCast` on the same meshes, as the comparison in the plugin's README has them.

use crate::characters::{put, spawn_legs};
use crate::morphs::morphed_square;
use crate::stage::{Numbers, add_mesh, app, ask, ray, spawn, square};
use bevy_app::App;
use bevy_asset::Assets;
use bevy_ecs::system::SystemState;
use bevy_hitscan::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_mesh::morph::MeshMorphWeights;
use bevy_mesh::{Mesh, Mesh3d, MeshCompressionArgs};
use bevy_picking::mesh_picking::ray_cast::{MeshRayCast, MeshRayCastSettings};
use bevy_shape::Ray3d;
use bevy_transform::components::Transform;

/// How far away each ray hits something, here and by `MeshRayCast`.
fn casts(app: &mut App, rays: &[Ray3d]) -> Vec<[Option<f32>; 2]> {
    app.update();
    let filter = HitscanFilter::new();
    let ours = ask(app, |hitscan| hitscan.cast_rays(rays, &filter));
    let mut state = SystemState::<MeshRayCast>::new(app.world_mut());
    let mut theirs = state.get_mut(app.world_mut()).expect("assets are there");
    let settings = MeshRayCastSettings::default().with_visibility(RayCastVisibility::Visible);
    let both = rays.iter().zip(ours).map(|(ray, ours)| {
        let theirs = theirs.cast_ray(*ray, &settings).first();
        [
            ours.map(|hit| hit.distance),
            theirs.map(|(_, hit)| hit.distance),
        ]
    });
    both.collect()
}

/// Whether a ray hits something, here and by `MeshRayCast`.
fn hits(app: &mut App, origin: Vec3, direction: Vec3) -> [bool; 2] {
    casts(app, &[ray(origin, direction)])[0].map(|hit| hit.is_some())
}

#[test]
fn skins_are_hit_as_drawn_and_by_bevy_in_their_bind_pose() {
    let mut app = app();
    let character = spawn_legs(&mut app);
    let knee = Vec3::new(0.3, 0.5, 5.0);
    assert_eq!(hits(&mut app, knee, Vec3::NEG_Z), [true, true]);
    put(
        &mut app,
        character.joints[1],
        Transform::from_xyz(0.3, 11.0, 0.0),
    );
    assert_eq!(hits(&mut app, knee, Vec3::NEG_Z), [false, true]);
    let lifted = knee + Vec3::Y * 10.0;
    assert_eq!(hits(&mut app, lifted, Vec3::NEG_Z), [true, false]);
}

#[test]
fn morphs_are_hit_as_drawn_and_by_bevy_without_their_weights() {
    let mut app = app();
    let entity = spawn(&mut app, morphed_square(), Vec3::ZERO);
    let above = Vec3::new(0.5, 10.0, 0.25);
    let at_rest = casts(&mut app, &[ray(above, Vec3::NEG_Y)])[0];
    assert_eq!(at_rest, [Some(10.0), Some(10.0)]);
    let weights = vec![1.0, 0.0];
    let weights = MeshMorphWeights::Value { weights };
    app.world_mut().entity_mut(entity).insert(weights);
    let lifted = casts(&mut app, &[ray(above, Vec3::NEG_Y)])[0];
    assert_eq!(lifted, [Some(8.0), Some(10.0)]);
}

#[test]
fn compressed_meshes_are_hit_and_by_bevy_not() {
    let mut app = app();
    let mut mesh = square();
    mesh.compress_mesh(&MeshCompressionArgs::regular()).unwrap();
    spawn(&mut app, mesh, Vec3::ZERO);
    let above = Vec3::new(0.5, 10.0, 0.25);
    assert_eq!(hits(&mut app, above, Vec3::NEG_Y), [true, false]);
}

#[test]
fn edited_meshes_are_hit_as_edited_by_both() {
    let mut app = app();
    let handle = add_mesh(&mut app, square());
    let bundle = (Mesh3d(handle.clone()), Transform::IDENTITY);
    app.world_mut().spawn(bundle);
    let above = Vec3::new(0.5, 10.0, 0.25);
    assert_eq!(hits(&mut app, above, Vec3::NEG_Y), [true, true]);
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    *meshes.get_mut(&handle).unwrap() = square().translated_by(Vec3::X * 10.0);
    assert_eq!(hits(&mut app, above, Vec3::NEG_Y), [false, false]);
}

/// Rays from outside at the edges of a closed mesh: how many pass through, here and by `MeshRayCast`.
#[test]
fn no_ray_passes_between_the_triangles_of_a_closed_mesh() {
    let mut app = app();
    let ball = Mesh::from(bevy_shape::Sphere::new(1.0));
    let place = Transform::from_xyz(3.0, -2.0, 1.0)
        .with_rotation(Quat::from_rotation_x(0.7) * Quat::from_rotation_y(0.3))
        .with_scale(Vec3::splat(7.3));
    let mut numbers = Numbers(13);
    let mut rays = Vec::new();
    for triangle in ball.triangles().unwrap() {
        for [one, other] in [[0, 1], [1, 2], [2, 0]] {
            let [one, other] = [one, other].map(|corner: usize| triangle.vertices[corner]);
            let target = place.transform_point(one.lerp(other, numbers.share()));
            let out = (target - place.translation).normalize();
            let away = (out + numbers.point(0.3)) * 10.0;
            rays.push(ray(target + away, -away));
        }
    }
    let entity = spawn(&mut app, ball, Vec3::ZERO);
    put(&mut app, entity, place);
    let answers = casts(&mut app, &rays);
    let passed = |peer: usize| answers.iter().filter(|both| both[peer].is_none()).count();
    println!(
        "of {} rays at edges, {} pass through by MeshRayCast",
        rays.len(),
        passed(1)
    );
    assert_eq!(passed(0), 0);
    assert!(rays.len() > 1_000);
}
