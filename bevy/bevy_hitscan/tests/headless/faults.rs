//! Faults of an entity: it is out of the world and says why, others are not affected, and it comes back.

use crate::characters::{HIPS, legs, put, skinned, spawn_character, spawn_legs};
use crate::stage::{add_mesh, app, below, cast, diagnostics, spawn, square, triangles};
use bevy_app::App;
use bevy_asset::{Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_hitscan::HitscanError;
use bevy_hitscan::prelude::*;
use bevy_math::{Mat4, Vec3};
use bevy_mesh::morph::{MeshMorphWeights, MorphAttributes, MorphWeights};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d};
use bevy_transform::components::Transform;

fn error(app: &App, entity: Entity) -> Option<HitscanError> {
    app.world().get::<HitscanError>(entity).cloned()
}

/// Runs frames: the first has the fault, the others must not warn again. Returns the error that the entity then has.
fn fault(app: &mut App, entity: Entity) -> HitscanError {
    app.update();
    assert_eq!(diagnostics(app).warnings, 1);
    for _ in 0..3 {
        app.update();
        assert_eq!(
            diagnostics(app).warnings,
            0,
            "one warning for each entity and cause"
        );
    }
    assert!(
        app.world()
            .resource::<HitscanWorld>()
            .object(entity)
            .is_none()
    );
    error(app, entity).expect("the entity says what is wrong")
}

/// An app with a square far away, which nothing that happens to others may touch.
struct Bystander(Entity);

impl Bystander {
    fn new(app: &mut App) -> Self {
        Self(spawn(app, square(), Vec3::X * 50.0))
    }

    fn check(&self, app: &mut App) {
        assert_eq!(below(app, 50.5, 0.25), Some((self.0, 10.0)));
        assert_eq!(error(app, self.0), None);
    }
}

#[test]
fn transforms_that_are_not_finite_or_singular() {
    for (wrong, expected) in [
        (
            Transform::from_xyz(f32::NAN, 0.0, 0.0),
            HitscanError::TransformNotFinite,
        ),
        (
            Transform::from_xyz(0.0, f32::INFINITY, 0.0),
            HitscanError::TransformNotFinite,
        ),
        (
            Transform::from_scale(Vec3::new(1.0, 0.0, 1.0)),
            HitscanError::TransformSingular,
        ),
    ] {
        let mut app = app();
        let bystander = Bystander::new(&mut app);
        let entity = spawn(&mut app, square(), Vec3::ZERO);
        app.update();
        put(&mut app, entity, wrong);
        assert_eq!(fault(&mut app, entity), expected, "{wrong:?}");
        bystander.check(&mut app);
        put(&mut app, entity, Transform::from_xyz(0.0, 1.0, 0.0));
        app.update();
        app.update();
        assert_eq!(error(&app, entity), None);
        assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 9.0)));
    }
}

#[test]
fn transforms_beyond_the_range_of_coordinates() {
    let mut app = app();
    let bystander = Bystander::new(&mut app);
    let entity = spawn(&mut app, square(), Vec3::splat(1e30));
    let error = fault(&mut app, entity);
    assert!(
        matches!(error, HitscanError::TransformRefused { .. }),
        "{error}"
    );
    bystander.check(&mut app);
}

#[test]
fn meshes_with_an_index_past_the_end_or_a_number_that_is_none() {
    let corner = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]];
    let nan = [[0.0; 3], [1.0, f32::NAN, 0.0], [0.0, 0.0, -1.0]];
    for (mesh, place) in [
        (triangles(&corner, &[0, 1, 7]), "7"),
        (triangles(&nan, &[0, 1, 2]), "NaN"),
    ] {
        let mut app = app();
        let bystander = Bystander::new(&mut app);
        let handle = add_mesh(&mut app, mesh);
        let entity = app.world_mut().spawn(Mesh3d(handle.clone())).id();
        let error = fault(&mut app, entity);
        assert!(matches!(error, HitscanError::MeshRefused { .. }), "{error}");
        assert!(error.to_string().contains(place), "{error}");
        bystander.check(&mut app);
        let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
        meshes.insert(&handle, square()).unwrap();
        app.update();
        app.update();
        assert_eq!(self::error(&app, entity), None);
        assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 10.0)));
    }
}

#[test]
fn meshes_without_positions() {
    let mut app = app();
    let mut mesh = square();
    mesh.remove_attribute(Mesh::ATTRIBUTE_POSITION);
    let entity = spawn(&mut app, mesh, Vec3::ZERO);
    let error = fault(&mut app, entity);
    assert!(
        matches!(error, HitscanError::MissingAttribute { .. }),
        "{error}"
    );
}

#[test]
fn joints_that_are_despawned_and_set_again() {
    let mut app = app();
    let bystander = Bystander::new(&mut app);
    let character = spawn_legs(&mut app);
    app.update();
    let gone = character.joints[1];
    app.world_mut().despawn(gone);
    let expected = HitscanError::JointMissing {
        number: 1,
        joint: gone,
    };
    assert_eq!(fault(&mut app, character.mesh), expected);
    bystander.check(&mut app);
    let new = app
        .world_mut()
        .spawn(Transform::from_translation(HIPS[1]))
        .id();
    app.world_mut()
        .get_mut::<SkinnedMesh>(character.mesh)
        .unwrap()
        .joints[1] = new;
    app.update();
    app.update();
    assert_eq!(error(&app, character.mesh), None);
    assert!(cast(&mut app, Vec3::new(0.3, 0.5, 5.0), Vec3::NEG_Z).is_some());
}

#[test]
fn joints_that_are_not_finite() {
    let mut app = app();
    let character = spawn_legs(&mut app);
    app.update();
    let joint = character.joints[0];
    put(&mut app, joint, Transform::from_xyz(0.0, f32::NAN, 0.0));
    let expected = HitscanError::JointNotFinite { number: 0, joint };
    assert_eq!(fault(&mut app, character.mesh), expected);
    put(&mut app, joint, Transform::from_translation(HIPS[0]));
    app.update();
    app.update();
    assert_eq!(error(&app, character.mesh), None);
    assert!(cast(&mut app, Vec3::new(-0.3, 0.5, 5.0), Vec3::NEG_Z).is_some());
}

#[test]
fn too_few_joints() {
    let mut app = app();
    let character = spawn_character(&mut app, legs(), &HIPS[..1]);
    let expected = HitscanError::TooFewJoints {
        vertex: 4,
        joint: 1,
        joints: 1,
    };
    assert_eq!(fault(&mut app, character.mesh), expected);
    // A joint past the end that has no weight moves nothing.
    let mut app = crate::stage::app();
    let mesh = skinned(
        square(),
        vec![[0, 9, 9, 9]; 4],
        vec![[1.0, 0.0, 0.0, 0.0]; 4],
    );
    let character = spawn_character(&mut app, mesh, &HIPS[..1]);
    put(
        &mut app,
        character.joints[0],
        Transform::from_translation(HIPS[0]),
    );
    app.update();
    assert_eq!(error(&app, character.mesh), None);
    assert_eq!(below(&mut app, 0.5, 0.25), Some((character.mesh, 10.0)));
}

#[test]
fn inverse_bind_matrices_that_are_not_loaded_yet() {
    let mut app = app();
    let character = spawn_legs(&mut app);
    let assets = app
        .world_mut()
        .resource_mut::<Assets<SkinnedMeshInverseBindposes>>();
    let reserved: Handle<SkinnedMeshInverseBindposes> = assets.reserve_handle();
    let mut skin = app
        .world_mut()
        .get_mut::<SkinnedMesh>(character.mesh)
        .unwrap();
    skin.inverse_bindposes = reserved.clone();
    let expected = HitscanError::InverseBindposesMissing;
    assert_eq!(fault(&mut app, character.mesh), expected);
    let matrices = HIPS.map(|hip| Mat4::from_translation(-hip)).to_vec();
    let mut assets = app
        .world_mut()
        .resource_mut::<Assets<SkinnedMeshInverseBindposes>>();
    assets
        .insert(&reserved, SkinnedMeshInverseBindposes::from(matrices))
        .unwrap();
    app.update();
    app.update();
    assert_eq!(error(&app, character.mesh), None);
    assert!(cast(&mut app, Vec3::new(-0.3, 0.5, 5.0), Vec3::NEG_Z).is_some());
}

#[test]
fn weights_of_morph_targets_that_are_none() {
    let mut mesh = square();
    mesh.set_morph_targets(vec![
        MorphAttributes::new(Vec3::Y, Vec3::ZERO, Vec3::ZERO);
        4
    ]);
    let mut app = app();
    let entity = spawn(&mut app, mesh, Vec3::ZERO);
    let weights = vec![f32::NAN];
    app.world_mut()
        .entity_mut(entity)
        .insert(MeshMorphWeights::Value { weights });
    let expected = HitscanError::MorphWeightNotFinite { target: 0 };
    assert_eq!(fault(&mut app, entity), expected);
    let other = app.world_mut().spawn_empty().id();
    app.world_mut()
        .entity_mut(entity)
        .insert(MeshMorphWeights::Reference(other));
    let expected = HitscanError::MorphWeightsMissing { entity: other };
    assert_eq!(fault(&mut app, entity), expected);
    let weights = MorphWeights::new(vec![1.0], None).unwrap();
    app.world_mut().entity_mut(other).insert(weights);
    app.update();
    app.update();
    assert_eq!(error(&app, entity), None);
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 9.0)));
}

#[test]
fn a_second_fault_of_the_same_cause_warns_no_more() {
    let mut app = app();
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    app.update();
    let mut warnings = 0;
    for _ in 0..5 {
        put(&mut app, entity, Transform::from_xyz(f32::NAN, 0.0, 0.0));
        app.update();
        warnings += diagnostics(&app).warnings;
        put(&mut app, entity, Transform::IDENTITY);
        app.update();
        assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 10.0)));
    }
    assert_eq!(warnings, 1);
}
