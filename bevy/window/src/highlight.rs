//! The triangle under the pointer, lit up where it is drawn or was then, and the outlines of what was there.

use crate::pointed::{Pointed, point};
use crate::triangles::triangles;
use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{NotShadowCaster, NotShadowReceiver};
use bevy::mesh::PrimitiveTopology;
use bevy::prelude::*;
use bevy_hitscan::hitscan::Snapshot;
use bevy_hitscan::hitscan::world::ObjectShape;
use bevy_hitscan::prelude::*;

/// The colour of the triangle.
pub(crate) const COLOR: Srgba = Srgba::new(1.0, 0.9, 0.0, 1.0);

const OUTLINES: Srgba = Srgba::new(0.95, 0.97, 1.0, 0.55);

/// How far in front of the surface it is drawn, metres.
const LIFT: f32 = 0.004;

/// The triangle under the pointer in the world, while there is one.
#[derive(Component, Default)]
pub(crate) struct Highlight(pub(crate) Option<[Vec3; 3]>);

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn)
        .add_systems(Update, (light_up, show).chain().after(point));
}

fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mesh = Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vec![[0.0; 3]; 3])
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![[0.0, 1.0, 0.0]; 3]);
    commands.spawn((
        Highlight::default(),
        Mesh3d(meshes.add(mesh)),
        MeshMaterial3d(materials.add(StandardMaterial {
            base_color: COLOR.into(),
            unlit: true,
            cull_mode: None,
            ..default()
        })),
        Visibility::Hidden,
        NoFrustumCulling,
        NotShadowCaster,
        NotShadowReceiver,
        HitscanIgnore,
    ));
}

fn light_up(
    pointed: Res<Pointed>,
    hitscan: Hitscan,
    mut highlight: Single<&mut Highlight>,
    mut lines: Gizmos,
) {
    let past = pointed.past.and_then(|time| hitscan.at(time));
    if let Some(past) = &past {
        draw_outlines(past.snapshot(), &mut lines);
    }
    let snapshot = match &past {
        Some(past) => past.snapshot(),
        None => hitscan.snapshot(),
    };
    highlight.0 = pointed.hit.as_ref().and_then(|hit| {
        let triangles = triangles(snapshot, hit.object);
        triangles.get(hit.triangle as usize).copied()
    });
}

/// Gives the mesh that is drawn the corners of the triangle.
fn show(
    highlight: Single<(&Highlight, &mut Visibility, &Mesh3d)>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let (highlight, mut visibility, mesh) = highlight.into_inner();
    *visibility = match highlight.0 {
        Some(_) => Visibility::Visible,
        None => Visibility::Hidden,
    };
    if let (Some([a, b, c]), Some(mut mesh)) = (highlight.0, meshes.get_mut(&mesh.0)) {
        let lift = (b - a).cross(c - a).normalize_or_zero() * LIFT;
        let corners: Vec<[f32; 3]> = [a, b, c].map(|at| (at + lift).to_array()).into();
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, corners);
    }
}

fn draw_outlines(past: &Snapshot, lines: &mut Gizmos) {
    let is_robot = |object: &_| matches!(past.shape(*object), Some(ObjectShape::Model(_)));
    for object in past.objects().filter(is_robot) {
        for [a, b, c] in triangles(past, object) {
            lines.linestrip([a, b, c, a], OUTLINES);
        }
    }
}
