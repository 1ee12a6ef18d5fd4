//! Morph targets, by weights of the entity and of another one.

use crate::characters::{HIPS, legs, put, spawn_character};
use crate::stage::{app, below, cast, diagnostics, spawn, square};
use bevy_hitscan::HitscanDiagnostics;
use bevy_math::Vec3;
use bevy_mesh::Mesh;
use bevy_mesh::morph::{MeshMorphWeights, MorphAttributes, MorphWeights};
use bevy_transform::components::Transform;

/// The square, with one target that lifts it by 2 m and one that moves it by 10 m along x.
pub(crate) fn morphed_square() -> Mesh {
    let targets = [Vec3::Y * 2.0, Vec3::X * 10.0];
    let targets = targets.map(|moved| vec![MorphAttributes::new(moved, Vec3::ZERO, Vec3::ZERO); 4]);
    let mut mesh = square();
    mesh.set_morph_targets(targets.concat());
    mesh
}

#[test]
fn weights_of_the_entity_move_its_vertices() {
    let mut app = app();
    let entity = spawn(&mut app, morphed_square(), Vec3::ZERO);
    let weights = vec![0.5, 0.0];
    app.world_mut()
        .entity_mut(entity)
        .insert(MeshMorphWeights::Value { weights });
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 9.0)));
    let weights = vec![0.25, 1.0];
    app.world_mut()
        .entity_mut(entity)
        .insert(MeshMorphWeights::Value { weights });
    app.update();
    assert_eq!(
        diagnostics(&app),
        HitscanDiagnostics {
            posed: 1,
            ..Default::default()
        }
    );
    assert_eq!(below(&mut app, 0.5, 0.25), None);
    // Far outside of what the asset's own box holds.
    assert_eq!(below(&mut app, 10.5, 0.25), Some((entity, 9.5)));
    // The entity's transform counts as well.
    put(&mut app, entity, Transform::from_xyz(-10.0, 1.0, 0.0));
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 8.5)));
}

#[test]
fn weights_of_another_entity_are_followed() {
    let mut app = app();
    let entity = spawn(&mut app, morphed_square(), Vec3::ZERO);
    let weights = MorphWeights::new(vec![1.0, 0.0], None).unwrap();
    let other = app.world_mut().spawn(weights).id();
    app.world_mut()
        .entity_mut(entity)
        .insert(MeshMorphWeights::Reference(other));
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 8.0)));
    app.world_mut()
        .get_mut::<MorphWeights>(other)
        .unwrap()
        .weights_mut()[0] = 0.5;
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 9.0)));
    app.world_mut()
        .entity_mut(entity)
        .remove::<MeshMorphWeights>();
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 10.0)));
}

#[test]
fn missing_weights_are_zero_and_those_too_many_do_not_count() {
    let mut app = app();
    let entity = spawn(&mut app, morphed_square(), Vec3::ZERO);
    for weights in [vec![0.5], vec![0.5, 0.0, 7.0]] {
        app.world_mut()
            .entity_mut(entity)
            .insert(MeshMorphWeights::Value { weights });
        app.update();
        assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 9.0)));
    }
}

#[test]
fn morph_targets_come_before_joints() {
    let mut mesh = legs();
    let targets = vec![MorphAttributes::new(Vec3::Z, Vec3::ZERO, Vec3::ZERO); 8];
    mesh.set_morph_targets(targets);
    let mut app = app();
    let character = spawn_character(&mut app, mesh, &HIPS);
    let weights = vec![0.5];
    app.world_mut()
        .entity_mut(character.mesh)
        .insert(MeshMorphWeights::Value { weights });
    put(
        &mut app,
        character.joints[0],
        Transform::from_translation(HIPS[0]).with_scale(Vec3::splat(3.0)),
    );
    app.update();
    let at = |app: &mut bevy_app::App, x: f32| {
        cast(app, Vec3::new(x, 0.75, 5.0), Vec3::NEG_Z)
            .unwrap()
            .distance
    };
    assert_eq!(at(&mut app, 0.3), 4.5);
    assert_eq!(at(&mut app, -0.3), 3.5);
    // Joints that move later keep the weights.
    put(
        &mut app,
        character.joints[0],
        Transform::from_translation(HIPS[0]),
    );
    app.update();
    assert_eq!(at(&mut app, -0.3), 4.5);
}
