//! Skinned meshes follow their joints, and nothing else.

use crate::characters::{HIPS, legs, put, skinned, spawn_character, spawn_legs};
use crate::stage::{app, app_with, ask, cast, diagnostics, ray, triangles};
use bevy_app::App;
use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_hitscan::HitscanDiagnostics;
use bevy_hitscan::prelude::*;
use bevy_math::{Mat4, Quat, Vec3};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{AttributeQuantization, Mesh, Mesh3d, VertexAttributeValues};
use bevy_transform::components::Transform;

/// Which leg is hit from the front at this place, by its joint.
fn joint_at(app: &mut App, x: f32, y: f32) -> Option<(Entity, Option<Entity>, f32)> {
    let shot = ray(Vec3::new(x, y, 5.0), Vec3::NEG_Z);
    ask(app, |hitscan| {
        let hit = hitscan.cast_ray(shot, &HitscanFilter::new())?;
        Some((hit.entity, hitscan.detail(&hit).joint, hit.distance))
    })
}

#[test]
fn a_skin_is_where_its_joints_are() {
    let mut app = app();
    let character = spawn_legs(&mut app);
    app.update();
    let [left, right] = [character.joints[0], character.joints[1]];
    assert_eq!(
        joint_at(&mut app, -0.3, 0.5),
        Some((character.mesh, Some(left), 5.0))
    );
    assert_eq!(
        joint_at(&mut app, 0.3, 0.5),
        Some((character.mesh, Some(right), 5.0))
    );
    assert_eq!(joint_at(&mut app, 0.0, 0.5), None, "between the legs");
    // The right leg steps forward: half a metre, and none of it is a metre above the ground.
    let stepping = Transform::from_translation(HIPS[1] + Vec3::new(0.0, 0.5, 0.5));
    put(&mut app, right, stepping);
    app.update();
    assert_eq!(
        diagnostics(&app),
        HitscanDiagnostics {
            posed: 1,
            ..Default::default()
        }
    );
    assert_eq!(
        joint_at(&mut app, 0.3, 1.2),
        Some((character.mesh, Some(right), 4.5))
    );
    assert_eq!(joint_at(&mut app, 0.3, 0.25), None);
    assert_eq!(
        joint_at(&mut app, -0.3, 0.25),
        Some((character.mesh, Some(left), 5.0))
    );
    // It walks away, joints and all.
    put(
        &mut app,
        character.root,
        Transform::from_xyz(10.0, 0.0, 1.0),
    );
    app.update();
    assert_eq!(
        joint_at(&mut app, 9.7, 0.5),
        Some((character.mesh, Some(left), 4.0))
    );
    assert_eq!(joint_at(&mut app, -0.3, 0.5), None);
}

#[test]
fn moving_the_mesh_entity_alone_changes_no_answer() {
    let mut app = app();
    let character = spawn_legs(&mut app);
    app.update();
    let before = joint_at(&mut app, -0.3, 0.5);
    assert!(before.is_some());
    put(
        &mut app,
        character.mesh,
        Transform::from_xyz(7.0, 3.0, 2.0).with_scale(Vec3::splat(4.0)),
    );
    app.update();
    assert!(diagnostics(&app).is_at_rest(), "{:?}", diagnostics(&app));
    assert_eq!(joint_at(&mut app, -0.3, 0.5), before);
    // Nor does it count where it was when the mesh came into the world.
    let mut meshes = app.world_mut().get_mut::<Mesh3d>(character.mesh).unwrap();
    meshes.set_changed();
    app.update();
    assert_eq!(joint_at(&mut app, -0.3, 0.5), before);
}

#[test]
fn joints_that_are_written_and_not_moved_change_nothing() {
    let mut app = app();
    let character = spawn_legs(&mut app);
    app.update();
    for joint in &character.joints {
        app.world_mut()
            .get_mut::<Transform>(*joint)
            .unwrap()
            .set_changed();
    }
    app.update();
    assert!(diagnostics(&app).is_at_rest(), "{:?}", diagnostics(&app));
}

#[test]
fn other_joints_and_other_matrices_count_from_the_frame_they_are_set_in() {
    let mut app = app();
    let character = spawn_legs(&mut app);
    app.update();
    let elsewhere = Transform::from_translation(HIPS[0] + Vec3::X * 20.0);
    let other = app.world_mut().spawn(elsewhere).id();
    app.world_mut()
        .get_mut::<SkinnedMesh>(character.mesh)
        .unwrap()
        .joints[0] = other;
    app.update();
    assert_eq!(
        joint_at(&mut app, 19.7, 0.5),
        Some((character.mesh, Some(other), 5.0))
    );
    assert_eq!(joint_at(&mut app, -0.3, 0.5), None);
    let handle = {
        let skin = app.world().get::<SkinnedMesh>(character.mesh).unwrap();
        skin.inverse_bindposes.clone()
    };
    let lowered = HIPS.map(|hip| Mat4::from_translation(Vec3::NEG_Y * 5.0 - hip));
    let mut matrices = app
        .world_mut()
        .resource_mut::<Assets<SkinnedMeshInverseBindposes>>();
    matrices
        .insert(&handle, SkinnedMeshInverseBindposes::from(lowered.to_vec()))
        .unwrap();
    app.update();
    assert_eq!(joint_at(&mut app, 19.7, 0.5), None);
    assert_eq!(
        joint_at(&mut app, 19.7, -4.5),
        Some((character.mesh, Some(other), 5.0))
    );
}

#[test]
fn many_characters_share_one_model_and_are_each_where_they_stand() {
    let mut app = app();
    let first = spawn_legs(&mut app);
    let mesh = app.world().get::<Mesh3d>(first.mesh).unwrap().clone();
    let skin = app.world().get::<SkinnedMesh>(first.mesh).unwrap().clone();
    let mut others = Vec::new();
    for number in 1..20_u8 {
        let world = app.world_mut();
        let root = world
            .spawn(Transform::from_xyz(f32::from(number) * 2.0, 0.0, 0.0))
            .id();
        let joint = |hip: Vec3| (Transform::from_translation(hip), ChildOf(root));
        let joints = HIPS.map(|hip| world.spawn(joint(hip)).id()).to_vec();
        let skin = SkinnedMesh {
            joints,
            ..skin.clone()
        };
        others.push(world.spawn((mesh.clone(), skin, ChildOf(root))).id());
    }
    app.update();
    assert_eq!((diagnostics(&app).added, diagnostics(&app).baked), (20, 1));
    for (place, mesh) in others.iter().enumerate() {
        let x = 2.0 * f32::from(u8::try_from(place + 1).unwrap());
        let hit = cast(&mut app, Vec3::new(x - 0.3, 0.5, 5.0), Vec3::NEG_Z).unwrap();
        assert_eq!(hit.entity, *mesh);
    }
}

/// Legs whose weights sum to 0.5, beside a second joint that has no weight.
fn light_legs() -> Mesh {
    legs().with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, vec![[0.5, 0.0, 0.0, 0.0]; 8])
}

#[test]
fn weights_are_divided_by_their_sum_with_one_warning_a_mesh() {
    let mut app = app();
    let character = spawn_character(&mut app, light_legs(), &HIPS);
    put(
        &mut app,
        character.root,
        Transform::from_xyz(10.0, 0.0, 0.0),
    );
    app.update();
    assert_eq!(diagnostics(&app).warnings, 1);
    // Bevy's shader draws it at half its place, at x = 4.85.
    assert_eq!(joint_at(&mut app, 9.7, 0.5).map(|hit| hit.2), Some(5.0));
    app.update();
    assert!(diagnostics(&app).is_at_rest());
}

#[test]
fn weights_are_made_to_sum_to_one_in_the_asset_where_the_plugin_is_told() {
    let mut app = app_with(HitscanPlugin::default().bake_blocking().normalize_weights());
    let character = spawn_character(&mut app, light_legs(), &HIPS);
    app.update();
    assert_eq!(diagnostics(&app).warnings, 0);
    let handle = app.world().get::<Mesh3d>(character.mesh).unwrap();
    let mesh = app
        .world()
        .resource::<Assets<Mesh>>()
        .get(&handle.0)
        .unwrap();
    let Some(VertexAttributeValues::Float32x4(weights)) =
        mesh.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT)
    else {
        panic!("the weights are gone");
    };
    assert_eq!(*weights, vec![[1.0, 0.0, 0.0, 0.0]; 8]);
    assert_eq!(joint_at(&mut app, -0.3, 0.5).map(|hit| hit.2), Some(5.0));
}

#[test]
fn quantized_weights_are_decoded() {
    // One vertex between two joints, 3 to 1.
    let mesh = skinned(
        triangles(
            &[[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 2.0, 0.0]],
            &[0, 1, 2],
        ),
        vec![[0, 1, 0, 0]; 3],
        vec![[0.75, 0.25, 0.0, 0.0]; 3],
    );
    let mut quantized = mesh.clone();
    quantized
        .quantize_joint_weights(AttributeQuantization::Unorm16)
        .unwrap();
    let mut distances = Vec::new();
    for mesh in [mesh, quantized] {
        let mut app = app();
        let character = spawn_character(&mut app, mesh, &[Vec3::ZERO; 2]);
        put(
            &mut app,
            character.joints[1],
            Transform::from_xyz(0.0, 0.0, 2.0),
        );
        app.update();
        distances.push(joint_at(&mut app, 0.1, 0.2).unwrap().2);
    }
    assert_eq!(distances[0], 4.5);
    assert!((distances[1] - 4.5).abs() < 2.0 / 65_535.0, "{distances:?}");
}

#[test]
fn a_joint_scaled_to_nothing_hides_what_it_moves_and_nothing_else() {
    let mut app = app();
    let character = spawn_legs(&mut app);
    let vanished = Transform::from_translation(HIPS[0]).with_scale(Vec3::ZERO);
    put(&mut app, character.joints[0], vanished);
    app.update();
    assert_eq!(joint_at(&mut app, -0.3, 0.5), None);
    assert!(joint_at(&mut app, 0.3, 0.5).is_some());
    assert_eq!(diagnostics(&app).warnings, 0);
}

#[test]
fn a_turned_joint_turns_its_leg() {
    let mut app = app();
    let character = spawn_legs(&mut app);
    // Lifted to the side, about the hip: the leg lies along +x at the height of the hips.
    let lifted = Transform::from_translation(HIPS[1])
        .with_rotation(Quat::from_rotation_z(core::f32::consts::FRAC_PI_2));
    put(&mut app, character.joints[1], lifted);
    app.update();
    let hit = joint_at(&mut app, 1.1, 1.0).unwrap();
    assert_eq!(hit.1, Some(character.joints[1]));
    assert_eq!(joint_at(&mut app, 0.3, 0.5), None);
    let shot = ray(Vec3::new(1.1, 1.0, 5.0), Vec3::NEG_Z);
    let bind = ask(&mut app, |hitscan| {
        let hit = hitscan.cast_ray(shot, &HitscanFilter::new()).unwrap();
        hitscan.detail(&hit).bind_position.unwrap()
    });
    // 0.8 m below the hip.
    assert!((bind - Vec3::new(0.3, 0.2, 0.0)).length() < 1e-5, "{bind}");
}
