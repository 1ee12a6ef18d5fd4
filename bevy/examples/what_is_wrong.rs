//! Every way in which an entity can be wrong, and what its `HitscanError` says.

mod headless;
mod robot;

use bevy_asset::{Assets, RenderAssetUsages};
use bevy_ecs::error::BevyError;
use bevy_ecs::prelude::*;
use bevy_hitscan::hitscan::HeightField;
use bevy_hitscan::hitscan::height_field::Grid;
use bevy_hitscan::prelude::*;
use bevy_hitscan::{HitscanError, ImageHeights};
use bevy_image::Image;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_mesh::morph::{MeshMorphWeights, MorphAttributes};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d, PrimitiveTopology, VertexAttributeValues};
use bevy_transform::components::Transform;
use std::collections::BTreeMap;
use wgpu_types::{Extent3d, TextureDimension, TextureFormat};

/// How many kinds of errors there are.
const KINDS: usize = 18;

fn main() -> Result<(), BevyError> {
    let mut app = headless::app(HitscanPlugin::default().bake_blocking());
    let world = app.world_mut();
    meshes(world);
    transforms(world);
    colliders(world);
    terrain(world)?;
    let taken = skins(world);
    app.update();
    // What was well, and is taken away.
    app.world_mut().despawn(taken);
    app.update();

    let mut errors = app.world_mut().query::<&HitscanError>();
    let mut kinds = BTreeMap::new();
    for error in errors.iter(app.world()) {
        let name = format!("{error:?}");
        let name = name.split([' ', '{']).next().unwrap_or_default().to_owned();
        kinds.insert(name, error.to_string());
    }
    for (name, error) in &kinds {
        println!("{name}: {error}");
    }
    println!("{} kinds", kinds.len());
    if kinds.len() == KINDS {
        Ok(())
    } else {
        Err(format!("{KINDS} kinds of errors were to be shown").into())
    }
}

fn triangle(positions: [[f32; 3]; 3]) -> Mesh {
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions.to_vec())
}

const CORNERS: [[f32; 3]; 3] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]];

fn spawn_mesh(world: &mut World, mesh: Mesh, bundle: impl Bundle) -> Entity {
    let mesh = world.resource_mut::<Assets<Mesh>>().add(mesh);
    world.spawn((Mesh3d(mesh), bundle)).id()
}

fn meshes(world: &mut World) {
    // What the renderer does with meshes that are to be in the render world alone.
    let mut gone = triangle(CORNERS);
    let _ = gone.take_gpu_data();
    let mut bare = triangle(CORNERS);
    bare.remove_attribute(Mesh::ATTRIBUTE_POSITION);
    let past_the_end =
        triangle(CORNERS).with_inserted_indices(bevy_mesh::Indices::U32(vec![0, 1, 7]));
    let mut odd = triangle(CORNERS);
    let weights = vec![[1.0, 0.0, 0.0, 0.0]; 3];
    let joints = VertexAttributeValues::Uint16x4(vec![[0; 4]; 3]);
    odd.insert_attribute(Mesh::ATTRIBUTE_JOINT_INDEX, joints);
    odd.insert_attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT, weights);
    let half = bevy_mesh::AttributeQuantization::Float16;
    let _ = odd.quantize_joint_weights(half);
    for mesh in [gone, bare, past_the_end, odd] {
        spawn_mesh(world, mesh, ());
    }
    let mut morphed = triangle(CORNERS);
    morphed.set_morph_targets(vec![
        MorphAttributes::new(Vec3::Y, Vec3::ZERO, Vec3::ZERO);
        3
    ]);
    let weights = vec![f32::NAN];
    spawn_mesh(world, morphed.clone(), MeshMorphWeights::Value { weights });
    let empty = world.spawn_empty().id();
    spawn_mesh(world, morphed, MeshMorphWeights::Reference(empty));
}

fn transforms(world: &mut World) {
    for transform in [
        Transform::from_xyz(f32::NAN, 0.0, 0.0),
        Transform::from_scale(Vec3::new(1.0, 0.0, 1.0)),
        Transform::from_scale(Vec3::splat(1e30)),
    ] {
        spawn_mesh(world, triangle(CORNERS), transform);
    }
}

fn colliders(world: &mut World) {
    world.spawn((HitscanCollider::sphere(-1.0), Transform::IDENTITY));
    let stretched = Transform::from_scale(Vec3::new(1.0, 2.0, 1.0));
    world.spawn((HitscanCollider::capsule(0.3, 1.0), stretched));
}

fn terrain(world: &mut World) -> Result<(), BevyError> {
    let size = Extent3d {
        width: 1,
        height: 1,
        depth_or_array_layers: 1,
    };
    let usages = RenderAssetUsages::default();
    let format = TextureFormat::Rg8Unorm;
    let other = Image::new(size, TextureDimension::D2, vec![0; 2], format, usages);
    let mut gone = other.clone();
    gone.data = None;
    for image in [other, gone] {
        let image = world.resource_mut::<Assets<Image>>().add(image);
        let heights = ImageHeights {
            image,
            spacing: Vec2::ONE,
            range: [0.0, 1.0],
        };
        world.spawn((
            HeightFieldCollider::from_image(heights),
            Transform::IDENTITY,
        ));
    }
    let flat = HeightField::new(Grid::new(2, 2, [1.0, 1.0]), vec![0.0; 4])?;
    let turned = Transform::from_rotation(Quat::from_rotation_y(0.5));
    world.spawn((HeightFieldCollider::new(flat), turned));
    Ok(())
}

/// Spawns skins with faults, and one that is well; returns a joint of that.
fn skins(world: &mut World) -> Entity {
    let model = robot::model(world);
    let broken = robot::spawn(world, &model, Vec3::ZERO);
    if let Some(mut joint) = world.get_mut::<Transform>(broken.joints[1]) {
        joint.translation.y = f32::INFINITY;
    }
    let short = robot::spawn(world, &model, Vec3::ZERO);
    if let Some(mut skin) = world.get_mut::<SkinnedMesh>(short.mesh) {
        skin.joints.truncate(4);
    }
    let unloaded = robot::spawn(world, &model, Vec3::ZERO);
    let reserved = world
        .resource_mut::<Assets<SkinnedMeshInverseBindposes>>()
        .reserve_handle();
    if let Some(mut skin) = world.get_mut::<SkinnedMesh>(unloaded.mesh) {
        skin.inverse_bindposes = reserved;
    }
    robot::spawn(world, &model, Vec3::ZERO).joints[3]
}
