//! The stage: robots that walk in circles over a hill, the light, and the camera.

use crate::robot::{self, Robot};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::light::CascadeShadowConfigBuilder;
use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use bevy_hitscan::hitscan::HeightField;
use bevy_hitscan::hitscan::height_field::Grid;
use bevy_hitscan::prelude::*;
use core::f32::consts::TAU;

/// How often a second the game ticks.
pub(crate) const HZ: f32 = 60.0;

/// Radius of a circle, and how many robots walk on it.
const CIRCLES: [(f32, u8); 2] = [(2.2, 3), (5.0, 7)];

/// Metres a second.
const SPEED: f32 = 1.2;

/// Metres that a robot walks by one step.
const STEP: f32 = 1.33;

/// Samples along each side of the terrain, a metre apart.
const SIDE: u8 = 41;

/// The colours of the joints, in the order of the skin.
const COLORS: [Srgba; 6] = [
    Srgba::new(0.30, 0.42, 0.70, 1.0),
    Srgba::new(0.85, 0.72, 0.35, 1.0),
    Srgba::new(0.45, 0.47, 0.52, 1.0),
    Srgba::new(0.45, 0.47, 0.52, 1.0),
    Srgba::new(0.70, 0.36, 0.30, 1.0),
    Srgba::new(0.70, 0.36, 0.30, 1.0),
];

/// The robots, the first of which walks nearest to the camera.
#[derive(Resource)]
pub(crate) struct Crowd(pub(crate) Vec<Walker>);

/// A robot on its circle.
pub(crate) struct Walker {
    pub(crate) robot: Robot,
    radius: f32,
    /// Where on the circle it starts, radians.
    start: f32,
}

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(Time::<Fixed>::from_hz(HZ.into()))
        .insert_resource(ClearColor(Color::srgb(0.62, 0.74, 0.86)))
        .insert_resource(GlobalAmbientLight {
            brightness: 350.0,
            ..default()
        })
        .add_systems(Startup, (spawn_world, spawn_crowd))
        .add_systems(FixedUpdate, walk);
}

/// Height of the ground, metres.
fn hill(x: f32, z: f32) -> f32 {
    0.5 * (x / 3.0).sin() * (z / 4.0).cos()
}

fn spawn_world(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let side = usize::from(SIDE);
    let half = f32::from(SIDE / 2);
    let grid = Grid {
        origin: [-f64::from(half), 0.0, -f64::from(half)],
        ..Grid::new(side, side, [1.0, 1.0])
    };
    let samples = (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (column, row)));
    let heights =
        samples.map(|(column, row)| hill(f32::from(column) - half, f32::from(row) - half));
    let terrain = HeightFieldCollider::new(HeightField::new(grid, heights.collect())?);
    let mesh = terrain.to_mesh().ok_or("terrain by heights has a mesh")?;
    commands.spawn((
        Name::new("the ground"),
        terrain,
        Mesh3d(meshes.add(mesh)),
        MeshMaterial3d(materials.add(StandardMaterial {
            base_color: Color::srgb(0.33, 0.47, 0.25),
            perceptual_roughness: 1.0,
            reflectance: 0.1,
            ..default()
        })),
    ));
    commands.spawn((
        DirectionalLight {
            illuminance: 5_000.0,
            shadow_maps_enabled: true,
            ..default()
        },
        CascadeShadowConfigBuilder {
            maximum_distance: 25.0,
            ..default()
        }
        .build(),
        Transform::from_xyz(5.0, 8.0, 4.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    commands.spawn((
        Camera3d::default(),
        // Colours come out as they are given, so that the script finds that of the highlight.
        Tonemapping::None,
        Transform::from_xyz(0.5, 3.2, 8.6).looking_at(Vec3::new(0.0, 0.7, 0.0), Vec3::Y),
    ));
    Ok(())
}

fn spawn_crowd(world: &mut World) -> Result {
    let model = robot::model(world);
    paint(world, &model)?;
    let material = world
        .resource_mut::<Assets<StandardMaterial>>()
        .add(StandardMaterial {
            perceptual_roughness: 0.8,
            ..default()
        });
    let mut walkers = Vec::new();
    for (radius, count) in CIRCLES {
        for place in 0..count {
            let robot = robot::spawn(world, &model, Vec3::ZERO);
            let name = Name::new(format!("robot {}", walkers.len() + 1));
            world.entity_mut(robot.root).insert(name);
            world
                .entity_mut(robot.mesh)
                .insert(MeshMaterial3d(material.clone()));
            // The first is nearest to the camera a second after the start.
            let start = TAU * (0.25 + f32::from(place) / f32::from(count)) - SPEED / radius;
            walkers.push(Walker {
                robot,
                radius,
                start,
            });
        }
    }
    world.insert_resource(Crowd(walkers));
    Ok(())
}

/// Gives each joint's vertices its colour.
fn paint(world: &mut World, model: &robot::Model) -> Result {
    let mut meshes = world.resource_mut::<Assets<Mesh>>();
    let mut mesh = meshes.get_mut(&model.mesh).ok_or("the mesh was added")?;
    let Some(VertexAttributeValues::Uint16x4(joints)) = mesh.attribute(Mesh::ATTRIBUTE_JOINT_INDEX)
    else {
        return Err("four joints a vertex".into());
    };
    let colors = joints.iter().map(|[joint, ..]| {
        let color = COLORS[usize::from(*joint) % COLORS.len()];
        LinearRgba::from(color).to_f32_array()
    });
    let colors: Vec<[f32; 4]> = colors.collect();
    mesh.insert_attribute(Mesh::ATTRIBUTE_COLOR, colors);
    Ok(())
}

/// Counts the tick, and puts all robots where they are then.
#[expect(clippy::cast_precision_loss, reason = "ticks of an afternoon")]
fn walk(world: &mut World) {
    let mut tick = world.resource_mut::<HitscanTick>();
    tick.0 += 1;
    let way = SPEED * tick.0 as f32 / HZ;
    world.resource_scope(|world, crowd: Mut<Crowd>| {
        for walker in &crowd.0 {
            let angle = walker.start + way / walker.radius;
            let [x, z] = [angle.cos(), angle.sin()].map(|share| walker.radius * share);
            if let Some(mut transform) = world.get_mut::<Transform>(walker.robot.root) {
                transform.translation = Vec3::new(x, hill(x, z), z);
                // A robot looks along +z, and the circle goes from +x to +z.
                transform.rotation = Quat::from_rotation_y(-angle);
            }
            robot::walk(world, &walker.robot, way / STEP + walker.start);
        }
    });
}
