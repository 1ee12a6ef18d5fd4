//! Real model files: all are read, with the triangles that are known to be in them; files that the
//! Khronos validator accepts are accepted.

use std::path::{Path, PathBuf};

use hitscan::Model;
use hitscan_assets::{Error, ModelFile, ModelFormat, ModelOptions, UpAxis, read_model};
use hitscan_testkit::outside_data;
use serde_json::Value;

fn read(path: &Path) -> Result<ModelFile, Error> {
    read_model(path, &ModelOptions::default())
}

fn triangle_count(file: &ModelFile) -> usize {
    file.data
        .parts
        .iter()
        .map(|part| part.triangles.len())
        .sum()
}

fn cases(folder: &Path, name: &str) -> Value {
    let text = std::fs::read_to_string(folder.join("cases").join(name)).expect("a case file");
    serde_json::from_str(&text).expect("JSON")
}

/// The files below `folder` with one of the given endings.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
            if path.is_dir() {
                open.push(path);
            } else if endings.iter().any(|known| ending == *known) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn gltf_files_have_their_triangles_and_clips() {
    let Some(folder) = outside_data() else { return };
    let expected = cases(&folder, "gltf_expected.json");
    let models = expected["models"].as_array().unwrap();
    assert!(!models.is_empty());
    for model in models {
        let name = model["file"].as_str().unwrap();
        let file = read(&folder.join("data").join(name)).unwrap_or_else(|e| panic!("{e}"));
        let triangles = model["triangles"].as_u64().unwrap();
        assert_eq!(triangle_count(&file) as u64, triangles, "{name}");
        let durations = model["durations"].as_array().unwrap();
        let clips = durations.len();
        assert_eq!(file.data.clips.len(), clips, "{name}");
        for (clip, duration) in file.data.clips.iter().zip(durations) {
            let times = clip.channels.iter().flat_map(|channel| &channel.times);
            let last = times.fold(0.0, |last: f32, &time| last.max(time));
            assert_eq!(f64::from(last), duration.as_f64().unwrap(), "{name}");
        }
        // The scene of this file names a node that is no root.
        let notes = if name == "gltf/tile.glb" { 1 } else { 0 };
        assert_eq!(file.notes.len(), notes, "{name}: {:?}", file.notes);
        Model::new(file.data).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    println!("{} models", models.len());
}

#[test]
fn draco_alone_is_refused_by_name() {
    let Some(folder) = outside_data() else { return };
    let path = folder.join("data/gltf/BoxDraco/BoxDraco.gltf");
    let message = read(&path).unwrap_err().to_string();
    assert!(message.contains("KHR_draco_mesh_compression"), "{message}");
    assert!(message.contains("meshes[0].primitives[0]"), "{message}");
}

#[test]
fn a_compressed_box_is_a_box() {
    let Some(folder) = outside_data() else { return };
    let file = read(&folder.join("data/gltf/BoxMeshopt.glb")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(file.format, ModelFormat::Glb);
    let [part] = file.data.parts.as_slice() else {
        panic!("one part")
    };
    assert_eq!((part.positions.len(), part.triangles.len()), (24, 12));
    for position in &part.positions {
        for value in position.to_array() {
            assert!(value == 0.0 || value == 16383.0, "{position}");
        }
    }
    let mut used: Vec<u32> = part.triangles.as_flattened().to_vec();
    used.sort_unstable();
    used.dedup();
    assert_eq!(used, Vec::from_iter(0..24));
}

#[test]
fn what_the_khronos_validator_accepts_is_read() {
    let Some(folder) = outside_data() else { return };
    let index = cases(&folder, "gltf_validator_index.json");
    let index = index.as_array().unwrap();
    assert!(!index.is_empty());
    for case in index {
        let name = case["file"].as_str().unwrap();
        let result = read(&folder.join("data").join(name));
        match (case["errors"].as_u64().unwrap(), result) {
            (0, result) => {
                let file = result.unwrap_or_else(|e| panic!("{e}"));
                Model::new(file.data).unwrap_or_else(|e| panic!("{name}: {e}"));
            }
            (_, Ok(_)) => println!("{name}: read despite {}", case["error_codes"]),
            (_, Err(error)) => println!("{error}"),
        }
    }
}

#[test]
fn meshes_have_their_triangles() {
    let Some(folder) = outside_data() else { return };
    let expected = [
        ("angle_block.STL", 704, ModelFormat::StlBinary),
        ("cube.OBJ", 12, ModelFormat::Obj),
        ("cylinder.stl", 416, ModelFormat::StlBinary),
        ("origin_inside.STL", 28, ModelFormat::StlBinary),
        ("parry_low_poly_bunny.obj", 696, ModelFormat::Obj),
        ("plane_tri.ply", 2, ModelFormat::PlyAscii),
        ("unit_sphere.STL", 1280, ModelFormat::StlBinary),
    ];
    let found = files(&folder.join("data/mesh"), &["obj", "stl", "ply"]);
    assert_eq!(found.len(), expected.len());
    for (path, (name, triangles, format)) in found.iter().zip(expected) {
        let file = read(path).unwrap_or_else(|e| panic!("{e}"));
        assert!(path.ends_with(name), "{}", path.display());
        assert_eq!(
            (triangle_count(&file), file.format),
            (triangles, format),
            "{name}"
        );
        assert_eq!(file.notes, Vec::<String>::new(), "{name}");
        let [part] = file.data.parts.as_slice() else {
            panic!("{name}: one part")
        };
        assert_eq!(part.name, name.rsplit_once('.').unwrap().0);
        // The plane is open, and some corners of the block lie an ulp apart.
        if name != "plane_tri.ply" && name != "angle_block.STL" {
            assert_closed(name, &part.triangles);
        }
        let turned = ModelOptions {
            up: UpAxis::Z,
            ..ModelOptions::default()
        };
        let turned = read_model(path, &turned).unwrap();
        for (a, b) in part.positions.iter().zip(&turned.data.parts[0].positions) {
            assert_eq!([a.x, a.z, -a.y], b.to_array(), "{name}");
        }
    }
}

/// Each edge of a closed surface is run through once in each direction.
fn assert_closed(name: &str, triangles: &[[u32; 3]]) {
    let mut edges: Vec<(u32, u32)> = triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)])
        .collect();
    let mut opposite: Vec<(u32, u32)> = edges.iter().map(|&(a, b)| (b, a)).collect();
    edges.sort_unstable();
    opposite.sort_unstable();
    assert_eq!(edges, opposite, "{name}");
}
