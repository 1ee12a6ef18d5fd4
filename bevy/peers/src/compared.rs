//! What the comparison of `bevy/README.md` says of peers, checked: each is an error where it is not so.

use crate::capsules::Engine;
use crate::crowd::{self, OfBody};
use crate::numbers::Numbers;
use crate::truth::Answer;
use crate::{bevy_casts, ours};
use bevy_app::App;
use bevy_asset::{Assets, RenderAssetUsages};
use bevy_camera::visibility::VisibilityPlugin;
use bevy_ecs::error::BevyError;
use bevy_ecs::prelude::*;
use bevy_math::{Dir3, Mat4, Quat, Vec3};
use bevy_mesh::morph::{MeshMorphWeights, MorphAttributes};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{
    Indices, Mesh, Mesh3d, MeshCompressionArgs, PrimitiveTopology, VertexAttributeValues,
};
use bevy_shape::{Ray3d, Sphere};
use bevy_transform::components::Transform;

/// A square of 2 m about the origin in the plane z = 0, whose front looks towards +z.
fn square() -> Mesh {
    let positions = [
        [-1.0, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, 1.0, 0.0],
        [-1.0, 1.0, 0.0],
    ];
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions.to_vec())
    .with_inserted_indices(Indices::U32(vec![0, 1, 2, 0, 2, 3]))
}

fn app() -> App {
    let mut app = crowd::app();
    app.add_plugins((VisibilityPlugin, ours::plugin()));
    app
}

fn spawn(app: &mut App, mesh: Mesh) -> Entity {
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh);
    let bundle = (Mesh3d(mesh), Transform::IDENTITY, OfBody(0));
    app.world_mut().spawn(bundle).id()
}

/// Which of two peers hit something towards -z at this x: we, and `MeshRayCast`.
fn hits(app: &mut App, x: f32) -> Result<[bool; 2], BevyError> {
    app.update();
    ours::sync(app);
    let ray = [Ray3d::new(Vec3::new(x, 0.25, 5.0), Dir3::NEG_Z)];
    let (mine, _) = ours::cast(app, &ray)?;
    let (theirs, _) = bevy_casts::cast(app, &ray)?;
    Ok([mine[0].is_some(), theirs[0].is_some()])
}

fn expect(what: &str, found: [bool; 2], expected: [bool; 2]) -> Result<(), BevyError> {
    println!(
        "{what}: hit by bevy_hitscan {}, by MeshRayCast {}",
        found[0], found[1]
    );
    if found == expected {
        Ok(())
    } else {
        Err(format!("{what}: bevy/README.md says {expected:?}").into())
    }
}

fn skins() -> Result<(), BevyError> {
    let mut app = app();
    let mesh = square()
        .with_inserted_attribute(
            Mesh::ATTRIBUTE_JOINT_INDEX,
            VertexAttributeValues::Uint16x4(vec![[0; 4]; 4]),
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, vec![[1.0, 0.0, 0.0, 0.0]; 4]);
    let entity = spawn(&mut app, mesh);
    let world = app.world_mut();
    let inverse_bindposes = world
        .resource_mut::<Assets<SkinnedMeshInverseBindposes>>()
        .add(SkinnedMeshInverseBindposes::from(vec![Mat4::IDENTITY]));
    let joint = world.spawn(Transform::from_xyz(10.0, 0.0, 0.0)).id();
    world.entity_mut(entity).insert(SkinnedMesh {
        inverse_bindposes,
        joints: vec![joint],
    });
    expect(
        "a skin where its joint is",
        hits(&mut app, 10.5)?,
        [true, false],
    )?;
    expect(
        "a skin in its bind pose",
        hits(&mut app, 0.5)?,
        [false, true],
    )
}

fn morphs() -> Result<(), BevyError> {
    let mut app = app();
    let mut mesh = square();
    let moved = MorphAttributes {
        position: Vec3::X * 10.0,
        ..MorphAttributes::default()
    };
    mesh.set_morph_targets(vec![moved; 4]);
    let entity = spawn(&mut app, mesh);
    let weights = vec![1.0];
    let weights = MeshMorphWeights::Value { weights };
    app.world_mut().entity_mut(entity).insert(weights);
    expect(
        "a morph where its weight takes it",
        hits(&mut app, 10.5)?,
        [true, false],
    )?;
    expect(
        "a morph without its weight",
        hits(&mut app, 0.5)?,
        [false, true],
    )
}

fn compressed() -> Result<(), BevyError> {
    let mut app = app();
    let mut mesh = square();
    mesh.compress_mesh(&MeshCompressionArgs::regular())
        .map_err(|errors| format!("{errors:?}"))?;
    spawn(&mut app, mesh);
    expect(
        "a mesh with compressed positions",
        hits(&mut app, 0.5)?,
        [true, false],
    )
}

fn edited() -> Result<(), BevyError> {
    let mut app = app();
    let entity = spawn(&mut app, square());
    expect("a mesh", hits(&mut app, 0.5)?, [true, true])?;
    let world = app.world_mut();
    let handle = world.get::<Mesh3d>(entity).map(|mesh| mesh.0.clone());
    let mut meshes = world.resource_mut::<Assets<Mesh>>();
    let handle = handle.ok_or("the mesh is gone")?;
    let mut mesh = meshes.get_mut(&handle).ok_or("the mesh is gone")?;
    *mesh = square().translated_by(Vec3::X * 10.0);
    drop(mesh);
    drop(meshes);
    expect(
        "an edited mesh where it was",
        hits(&mut app, 0.5)?,
        [false, false],
    )
}

/// Rays at the edges of a closed mesh from outside: how many pass through it.
fn leaks() -> Result<(), BevyError> {
    let ball = Mesh::from(Sphere::new(1.0));
    let place = Transform::from_xyz(3.0, -2.0, 1.0)
        .with_rotation(Quat::from_rotation_x(0.7) * Quat::from_rotation_y(0.3))
        .with_scale(Vec3::splat(7.3));
    let mut numbers = Numbers(13);
    let mut rays = Vec::new();
    let mut lengths = Vec::new();
    for triangle in ball.triangles()? {
        for [one, other] in [[0, 1], [1, 2], [2, 0]] {
            for _ in 0..4 {
                let [one, other] = [one, other].map(|corner: usize| triangle.vertices[corner]);
                let target = place.transform_point(one.lerp(other, numbers.share()));
                let out = (target - place.translation).normalize();
                let origin = target + (out + numbers.point(0.3)) * 10.0;
                if let Ok(direction) = Dir3::new(target - origin) {
                    rays.push(Ray3d::new(origin, direction));
                    lengths.push(target.distance(origin));
                }
            }
        }
    }
    let mut app = app();
    let entity = spawn(&mut app, ball.clone());
    app.world_mut().entity_mut(entity).insert(place);
    app.update();
    ours::sync(&mut app);
    // What passes the near side may still be stopped by the far one.
    let passes = |(answer, length): &(&Answer, &f32)| {
        answer.is_none_or(|(_, distance)| distance > **length + 0.1)
    };
    let misses = |answers: &[Answer]| answers.iter().zip(&lengths).filter(passes).count();
    let (mine, _) = ours::cast(&mut app, &rays)?;
    let (theirs, _) = bevy_casts::cast(&mut app, &rays)?;
    println!(
        "of {} rays at edges of a closed mesh, these pass through: bevy_hitscan {}, MeshRayCast {}",
        rays.len(),
        misses(&mine),
        misses(&theirs)
    );
    for engine in [Engine::Avian, Engine::Rapier] {
        let mut app = crowd::app();
        engine.add(&mut app);
        let entity = app.world_mut().spawn((place, OfBody(0))).id();
        engine.insert_mesh(&mut app, entity, &ball)?;
        for _ in 0..2 {
            app.update();
            engine.step(&mut app);
        }
        let (answers, _) = engine.cast(&mut app, &rays)?;
        println!("  {} {}", engine.name(), misses(&answers));
    }
    if misses(&mine) == 0 {
        Ok(())
    } else {
        Err("a ray passed through a closed mesh".into())
    }
}

/// All that is said of peers.
pub(crate) fn check() -> Result<(), BevyError> {
    skins()?;
    morphs()?;
    compressed()?;
    edited()?;
    leaks()
}
