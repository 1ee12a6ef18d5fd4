//! Meshes as they are drawn: topologies, indices, compression, and data that goes to the render world.

use crate::stage::{add_mesh, app, ask, below, block, diagnostics, ray, spawn, square, triangles};
use bevy_app::App;
use bevy_asset::{Assets, RenderAssetUsages};
use bevy_hitscan::hitscan::Sides;
use bevy_hitscan::prelude::*;
use bevy_hitscan::{HitscanError, HitscanHit};
use bevy_math::{Vec2, Vec3};
use bevy_mesh::{Indices, Mesh, Mesh3d, MeshCompressionArgs, PrimitiveTopology};
use bevy_transform::components::Transform;

/// The corners of a square of 2 m in an order that is a strip.
const STRIP: [[f32; 3]; 4] = [
    [-1.0, 0.0, -1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [1.0, 0.0, 1.0],
];

fn strip(indices: Option<Indices>) -> Mesh {
    let mesh = Mesh::new(
        PrimitiveTopology::TriangleStrip,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, STRIP.to_vec());
    match indices {
        Some(indices) => mesh.with_inserted_indices(indices),
        None => mesh,
    }
}

#[test]
fn lists_and_strips_are_hit_with_every_kind_of_indices() {
    let list = [0, 1, 2, 2, 1, 3].map(|corner| STRIP[corner]).to_vec();
    let unindexed = Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, list);
    let short = triangles(&STRIP, &[]).with_inserted_indices(Indices::U16(vec![0, 1, 2, 2, 1, 3]));
    let meshes = [
        unindexed,
        short,
        triangles(&STRIP, &[0, 1, 2, 2, 1, 3]),
        strip(None),
        strip(Some(Indices::U16(vec![0, 1, 2, 3]))),
        strip(Some(Indices::U32(vec![0, 1, 2, 3]))),
    ];
    for (number, mesh) in meshes.into_iter().enumerate() {
        let mut app = app();
        let entity = spawn(&mut app, mesh, Vec3::ZERO);
        app.update();
        for (x, triangle) in [(-0.5, 0), (0.5, 1)] {
            let down = ray(Vec3::new(x, 10.0, 0.25), Vec3::NEG_Y);
            let hit = ask(&mut app, |hitscan| {
                let hit = hitscan.cast_ray(down, &HitscanFilter::new())?;
                Some((hit.entity, hit.distance, hitscan.detail(&hit).triangle))
            });
            assert_eq!(
                hit,
                Some((entity, 10.0, Some(triangle))),
                "mesh {number}, x {x}"
            );
        }
    }
}

#[test]
fn lines_and_points_are_left_out_silently() {
    let mut app = app();
    for topology in [PrimitiveTopology::LineList, PrimitiveTopology::PointList] {
        let mesh = Mesh::new(topology, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, STRIP.to_vec());
        spawn(&mut app, mesh, Vec3::ZERO);
    }
    app.update();
    assert_eq!(diagnostics(&app).warnings, 0);
    assert_eq!(errors(&mut app), 0);
    assert_eq!(below(&mut app, 0.5, 0.25), None);
}

fn errors(app: &mut App) -> usize {
    let mut errors = app.world_mut().query::<&HitscanError>();
    errors.iter(app.world()).count()
}

/// How far a compressed coordinate may be off: half a step of 1 / 32767 of the half size, and the rounding of f32.
const STEP: f32 = 1.0 / 65_000.0;

#[test]
fn compressed_meshes_are_hit_where_they_are_drawn() {
    let size = Vec3::new(3.0, 1.0, 2.0);
    let plain = block(size)
        .with_computed_normals()
        .translated_by(Vec3::new(5.0, -2.0, 1.0));
    let mut compressed = plain.clone();
    compressed
        .compress_mesh(&MeshCompressionArgs::regular())
        .unwrap();
    assert!(compressed.final_aabb.is_some());
    let mut app = app();
    let entity = spawn(&mut app, compressed, Vec3::ZERO);
    app.update();
    let (hit, distance) = below(&mut app, 5.5, 1.5).unwrap();
    assert_eq!(hit, entity);
    // The top is at -2 + 0.5.
    assert!((distance - 11.5).abs() <= STEP * 12.0, "{distance}");
    let from_east = ray(Vec3::new(20.0, -2.0, 1.0), Vec3::NEG_X);
    let hit = ask(&mut app, |hitscan| {
        hitscan.cast_ray(from_east, &HitscanFilter::new())
    });
    let distance = hit.unwrap().distance;
    assert!((distance - 13.5).abs() <= STEP * 20.0, "{distance}");
}

#[test]
fn texture_coordinates_are_mixed_also_compressed_ones() {
    let uvs = vec![[0.0, 0.0], [0.0, 2.0], [4.0, 2.0], [4.0, 0.0]];
    let plain = square().with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs);
    let mut compressed = plain.clone();
    compressed.compress_uv0().unwrap();
    for mesh in [plain, compressed] {
        let mut app = app();
        spawn(&mut app, mesh, Vec3::ZERO);
        app.update();
        let down = ray(Vec3::new(0.5, 10.0, 0.25), Vec3::NEG_Y);
        let detail: HitscanHit = ask(&mut app, |hitscan| {
            let hit = hitscan.cast_ray(down, &HitscanFilter::new()).unwrap();
            hitscan.detail(&hit)
        });
        let uv = detail.uv.unwrap();
        assert!((uv - Vec2::new(3.0, 1.25)).length() < 1e-4, "{uv}");
        assert!((detail.bind_position.unwrap() - Vec3::new(0.5, 0.0, 0.25)).length() < 1e-6);
        assert!((detail.barycentric.element_sum() - 1.0).abs() < 1e-6);
    }
}

/// What the renderer does with a mesh whose usage is `RENDER_WORLD` alone, after the frame of its event.
fn extract(app: &mut App, mesh: &bevy_asset::Handle<Mesh>) {
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let mut mesh = meshes.get_mut(mesh).expect("an asset");
    let taken = mesh.bypass_change_detection().take_gpu_data();
    taken.expect("its data was there");
}

fn render_world_alone() -> Mesh {
    let mut mesh = square();
    mesh.asset_usage = RenderAssetUsages::RENDER_WORLD;
    mesh
}

#[test]
fn data_that_goes_to_the_render_world_is_taken_in_the_frame_that_adds_it() {
    let mut app = app();
    let mesh = add_mesh(&mut app, render_world_alone());
    // Nobody has it yet.
    app.update();
    extract(&mut app, &mesh);
    app.update();
    let entity = app
        .world_mut()
        .spawn((Mesh3d(mesh), Transform::IDENTITY))
        .id();
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 10.0)));
    assert_eq!(errors(&mut app), 0);
}

#[test]
fn data_that_is_gone_is_an_error_that_says_what_to_do() {
    let mut app = app();
    // Nobody had it while its data was there, and its usage said that it would stay.
    let mesh = add_mesh(&mut app, square());
    app.update();
    extract(&mut app, &mesh);
    let entity = app
        .world_mut()
        .spawn((Mesh3d(mesh.clone()), Transform::IDENTITY))
        .id();
    app.update();
    app.update();
    let error = app.world().get::<HitscanError>(entity).unwrap();
    assert_eq!(*error, HitscanError::MeshDataGone);
    assert!(error.to_string().contains("MAIN_WORLD"));
    // A new mesh under the same handle makes it well again.
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    meshes.insert(&mesh, square()).unwrap();
    app.update();
    app.update();
    assert_eq!(app.world().get::<HitscanError>(entity), None);
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 10.0)));
}

#[test]
fn a_mirrored_mesh_keeps_its_front() {
    let mut app = app();
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    let mut transform = app.world_mut().get_mut::<Transform>(entity).unwrap();
    transform.scale = Vec3::new(-1.0, 1.0, 1.0);
    app.update();
    // As Bevy's own ray cast has it: the winding in the mesh's own space counts.
    let is_hit = |app: &mut App, sides| {
        let down = ray(Vec3::new(0.5, 10.0, 0.25), Vec3::NEG_Y);
        let filter = HitscanFilter::new().sides(sides);
        ask(app, |hitscan| hitscan.cast_ray_any(down, &filter))
    };
    assert!(is_hit(&mut app, Sides::Front));
    assert!(!is_hit(&mut app, Sides::Back));
}
