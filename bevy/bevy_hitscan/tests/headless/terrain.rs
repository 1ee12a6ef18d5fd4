//! Height fields: of images, of the library, and the mesh to draw them by.

use crate::characters::put;
use crate::stage::{add_mesh, app, ask, below, ray};
use bevy_app::App;
use bevy_asset::{Assets, Handle, RenderAssetUsages};
use bevy_hitscan::hitscan::height_field::{Grid, Region};
use bevy_hitscan::hitscan::{HeightField, Sides};
use bevy_hitscan::prelude::*;
use bevy_hitscan::{HitscanError, ImageHeights};
use bevy_image::Image;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_mesh::Mesh3d;
use bevy_transform::components::Transform;
use wgpu_types::{Extent3d, TextureDimension, TextureFormat};

/// An image of two columns and two rows.
fn image(format: TextureFormat, data: Vec<u8>) -> Image {
    let size = Extent3d {
        width: 2,
        height: 2,
        depth_or_array_layers: 1,
    };
    Image::new(
        size,
        TextureDimension::D2,
        data,
        format,
        RenderAssetUsages::default(),
    )
}

fn add_image(app: &mut App, image: Image) -> Handle<Image> {
    app.world_mut().resource_mut::<Assets<Image>>().add(image)
}

fn terrain_of(image: Handle<Image>, range: [f32; 2]) -> HeightFieldCollider {
    HeightFieldCollider::from_image(ImageHeights {
        image,
        spacing: Vec2::splat(2.0),
        range,
    })
}

#[test]
fn images_are_read_as_they_are_stored() {
    let words = |codes: [u16; 4]| codes.map(u16::to_le_bytes).concat();
    // Heights 0, 0.2, 0.4 and 1 of the range, exactly.
    let reds = [0, 51, 102, 255].map(|red| [red, 9, 9, 9]).concat();
    let sixteen = words([0, 13_107, 26_214, 65_535]);
    let floats = [0.0, 0.2, 0.4, 1.0_f32].map(f32::to_le_bytes).concat();
    for (format, data) in [
        (TextureFormat::R8Unorm, vec![0, 51, 102, 255]),
        (TextureFormat::R16Unorm, sixteen.clone()),
        (TextureFormat::R16Uint, sixteen),
        (TextureFormat::R32Float, floats),
        (TextureFormat::Rgba8Unorm, reds.clone()),
        (TextureFormat::Rgba8UnormSrgb, reds),
    ] {
        let mut app = app();
        let image = add_image(&mut app, image(format, data));
        let entity = app
            .world_mut()
            .spawn((terrain_of(image, [0.0, 5.0]), Transform::IDENTITY))
            .id();
        app.update();
        let heights = [(0.0, 0.0), (2.0, 0.0), (0.0, 2.0), (2.0, 2.0)].map(|(x, z)| {
            let ground = ask(&mut app, |hitscan| {
                hitscan.height(Vec2::new(x, z), &HitscanFilter::new())
            });
            let ground = ground.unwrap_or_else(|| panic!("{format:?} has no height at {x}, {z}"));
            assert_eq!(ground.entity, entity);
            ground.height
        });
        for (found, expected) in heights.into_iter().zip([0.0, 1.0, 2.0, 5.0]) {
            assert!((found - expected).abs() < 1e-6, "{format:?}: {heights:?}");
        }
    }
}

#[test]
fn edited_images_are_read_again() {
    let mut app = app();
    let handle = add_image(&mut app, image(TextureFormat::R8Unorm, vec![0; 4]));
    let entity = app
        .world_mut()
        .spawn((terrain_of(handle.clone(), [0.0, 5.0]), Transform::IDENTITY))
        .id();
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 10.0)));
    let mut images = app.world_mut().resource_mut::<Assets<Image>>();
    images.get_mut(&handle).unwrap().data = Some(vec![255; 4]);
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 5.0)));
}

#[test]
fn images_that_hold_no_heights_are_errors() {
    let empty = {
        let mut image = image(TextureFormat::R8Unorm, vec![0; 4]);
        image.data = None;
        image
    };
    let other = image(TextureFormat::Rg8Unorm, vec![0; 8]);
    for (image, expected) in [
        (empty, HitscanError::ImageDataGone),
        (
            other,
            HitscanError::ImageFormat {
                format: "Rg8Unorm".to_owned(),
            },
        ),
    ] {
        let mut app = app();
        let image = add_image(&mut app, image);
        let entity = app
            .world_mut()
            .spawn((terrain_of(image, [0.0, 1.0]), Transform::IDENTITY))
            .id();
        app.update();
        app.update();
        assert_eq!(app.world().get::<HitscanError>(entity), Some(&expected));
    }
}

/// Five by four samples, uneven, with a hole.
fn field() -> HeightField {
    let mut heights: Vec<f32> = (0..20_u8)
        .map(|sample| f32::from(sample * 7 % 11) * 0.25)
        .collect();
    heights[7] = f32::NAN;
    HeightField::new(Grid::new(5, 4, [1.0, 1.5]), heights).expect("a height field")
}

#[test]
fn the_mesh_to_draw_is_hit_as_the_terrain_is() {
    let terrain = HeightFieldCollider::new(field());
    let mesh = terrain.to_mesh().expect("it has heights");
    let mut app = app();
    let drawn = add_mesh(&mut app, mesh);
    app.world_mut()
        .spawn((terrain, Transform::IDENTITY, HitscanLayers(1)));
    app.world_mut()
        .spawn((Mesh3d(drawn), Transform::IDENTITY, HitscanLayers(2)));
    app.update();
    let mut hits = 0;
    for step in 0..400_u16 {
        let x = f32::from(step % 20) * 0.2 + 0.03;
        let z = f32::from(step / 20) * 0.22 + 0.05;
        let down = ray(Vec3::new(x, 10.0, z), Vec3::new(0.01, -1.0, 0.02));
        let [terrain, mesh] = [1, 2].map(|layers| {
            let filter = HitscanFilter::new().layers(layers).sides(Sides::Both);
            ask(&mut app, |hitscan| hitscan.cast_ray(down, &filter)).map(|hit| hit.point)
        });
        match (terrain, mesh) {
            (Some(terrain), Some(mesh)) => {
                hits += 1;
                assert!((terrain - mesh).length() < 1e-5, "{terrain} and {mesh}");
            }
            (None, None) => {}
            other => panic!("{x}, {z}: {other:?}"),
        }
    }
    assert!(hits > 250 && hits < 400, "{hits}");
}

#[test]
fn terrain_is_moved_and_scaled_and_refuses_to_turn() {
    let flat = HeightField::new(Grid::new(2, 2, [2.0, 2.0]), vec![1.0; 4]).unwrap();
    let mut app = app();
    let entity = app
        .world_mut()
        .spawn((HeightFieldCollider::new(flat), Transform::IDENTITY))
        .id();
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 9.0)));
    put(
        &mut app,
        entity,
        Transform::from_xyz(10.0, 1.0, 0.0).with_scale(Vec3::new(4.0, 2.0, 1.0)),
    );
    app.update();
    assert_eq!(below(&mut app, 0.5, 0.25), None);
    assert_eq!(below(&mut app, 17.5, 1.75), Some((entity, 7.0)));
    put(
        &mut app,
        entity,
        Transform::from_rotation(Quat::from_rotation_y(0.5)),
    );
    app.update();
    app.update();
    assert_eq!(
        app.world().get::<HitscanError>(entity),
        Some(&HitscanError::HeightFieldTurned)
    );
    put(&mut app, entity, Transform::IDENTITY);
    app.update();
    app.update();
    assert_eq!(app.world().get::<HitscanError>(entity), None);
    assert_eq!(below(&mut app, 0.5, 0.25), Some((entity, 9.0)));
}

#[test]
fn edited_heights_are_hit() {
    let mut app = app();
    let flat = HeightField::new(Grid::new(9, 9, [1.0, 1.0]), vec![0.0; 81]).unwrap();
    let entity = app
        .world_mut()
        .spawn((HeightFieldCollider::new(flat), Transform::IDENTITY))
        .id();
    app.update();
    assert_eq!(below(&mut app, 3.5, 4.25), Some((entity, 10.0)));
    let mut terrain = app
        .world_mut()
        .get_mut::<HeightFieldCollider>(entity)
        .unwrap();
    let region = Region {
        column: 3,
        row: 4,
        columns: 2,
        rows: 2,
    };
    terrain.set_heights(region, &[2.0; 4]).unwrap();
    let past = Region {
        column: 8,
        ..region
    };
    assert!(matches!(
        terrain.set_heights(past, &[2.0; 4]),
        Err(HitscanError::ColliderRefused { .. })
    ));
    app.update();
    assert_eq!(below(&mut app, 3.5, 4.25), Some((entity, 8.0)));
    assert_eq!(below(&mut app, 6.5, 6.25), Some((entity, 10.0)));
}
