//! Height maps from files, which are in memory here.

use crate::stage::below;
use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::io::memory::{Dir, MemoryAssetReader};
use bevy_asset::io::{AssetSourceBuilder, AssetSourceId};
use bevy_asset::{AssetApp, AssetPlugin, AssetServer, Handle, LoadState};
use bevy_hitscan::HeightMapSettings;
use bevy_hitscan::prelude::*;
use bevy_image::ImagePlugin;
use bevy_mesh::MeshPlugin;
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use std::path::Path;

/// An app whose assets are these files.
fn app_of(files: &[(&str, Vec<u8>)]) -> App {
    let root = Dir::default();
    for (name, bytes) in files {
        root.insert_asset(Path::new(name), bytes.clone());
    }
    let mut app = App::new();
    // Before the plugins of assets and images: its own assets come with `App::finish`.
    app.add_plugins(HitscanPlugin::default().bake_blocking());
    app.register_asset_source(
        AssetSourceId::Default,
        AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: root.clone() })),
    );
    app.add_plugins((
        TaskPoolPlugin::default(),
        AssetPlugin::default(),
        MeshPlugin,
        ImagePlugin::default(),
        TransformPlugin,
    ));
    app.finish();
    app
}

fn load(
    app: &mut App,
    name: &str,
    settings: HeightMapSettings,
) -> Result<Handle<HeightMap>, String> {
    let server = app.world().resource::<AssetServer>().clone();
    let with = move |all: &mut HeightMapSettings| *all = settings;
    let handle = server
        .load_builder()
        .with_settings(with)
        .load::<HeightMap>(name.to_owned());
    loop {
        app.update();
        match server.load_state(&handle) {
            LoadState::Loaded => return Ok(handle),
            LoadState::Failed(error) => return Err(error.to_string()),
            _ => std::thread::yield_now(),
        }
    }
}

/// Three columns and two rows of 16 bits.
const CODES: [u16; 6] = [0, 6_553, 13_107, 26_214, 52_428, u16::MAX];

fn png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 3, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    let mut writer = encoder.write_header().expect("a header");
    let codes = CODES.map(u16::to_be_bytes).concat();
    writer.write_image_data(&codes).expect("an image");
    drop(writer);
    bytes
}

fn npy() -> Vec<u8> {
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    let header = format!("{header:<117}\n");
    let length = u16::try_from(header.len()).expect("a short header");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(length.to_le_bytes());
    bytes.extend(header.as_bytes());
    let heights = CODES.map(|code| f32::from(code) / 65_535.0 * 10.0);
    bytes.extend(heights.map(f32::to_le_bytes).concat());
    bytes
}

#[test]
fn files_are_loaded_as_terrain() {
    let raw = CODES.map(u16::to_le_bytes).concat();
    let asc = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\n0 1 2\n4 8 10\n";
    let files = [
        ("hills.png", png()),
        ("hills.r16", raw),
        ("hills.npy", npy()),
        ("hills.asc", asc.as_bytes().to_vec()),
    ];
    let spacing = Some([2.0, 2.0]);
    let ranged = HeightMapSettings {
        spacing,
        range: Some([0.0, 10.0]),
        ..HeightMapSettings::default()
    };
    let sized = HeightMapSettings {
        size: Some([3, 2]),
        ..ranged
    };
    let spaced = HeightMapSettings {
        spacing,
        ..HeightMapSettings::default()
    };
    let by_the_file = HeightMapSettings::default();
    for (name, settings) in [
        ("hills.png", ranged),
        ("hills.r16", sized),
        ("hills.npy", spaced),
        ("hills.asc", by_the_file),
    ] {
        let mut app = app_of(&files);
        let map = load(&mut app, name, settings).unwrap_or_else(|error| panic!("{error}"));
        let terrain = HeightFieldCollider::from_height_map(map);
        // A hair aside, so that the corners are inside.
        let at = Transform::from_xyz(-0.001, 0.0, -0.001);
        let entity = app.world_mut().spawn((terrain, at)).id();
        app.update();
        for (x, z, height) in [(0.0, 0.0, 0.0), (2.0, 0.0, 1.0), (2.0, 1.99, 8.0)] {
            let (hit, distance) = below(&mut app, x, z).unwrap_or_else(|| panic!("{name}: no hit"));
            assert_eq!(hit, entity);
            assert!(
                (10.0 - distance - height).abs() < 0.05,
                "{name}: {distance} at {x}, {z}"
            );
        }
    }
}

#[test]
fn files_that_are_no_terrain_say_why() {
    let mut app = app_of(&[("hills.png", png()), ("broken.npy", b"\x93NUMPY".to_vec())]);
    let error = load(&mut app, "hills.png", HeightMapSettings::default());
    let error = error.expect_err("it has no spacing");
    assert!(error.contains("HeightMapSettings::spacing"), "{error}");
    let error = load(&mut app, "broken.npy", HeightMapSettings::default());
    let error = error.expect_err("it is cut off");
    assert!(error.contains("broken.npy"), "{error}");
}
