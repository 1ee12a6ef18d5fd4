//! Real glTF files that bend the specification where their meaning is clear, and are read with a note.
#![expect(clippy::unwrap_used, reason = "a panic in a test is a failed test")]

use std::path::Path;

use glam::{DMat4, DVec4, Vec3};
use hitscan::Model;
use hitscan_assets::{ModelFile, ModelOptions, read_model_bytes};
use hitscan_testkit::{GltfFixture, TRIANGLE};
use serde_json::json;

fn read(bytes: &[u8]) -> ModelFile {
    let file = read_model_bytes(Path::new("m.glb"), bytes, &ModelOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    Model::new(file.data.clone()).unwrap_or_else(|error| panic!("{error}"));
    file
}

/// A binary file of these chunks, each with the length that it states.
fn glb(chunks: &[(&[u8; 4], &[u8], usize)]) -> Vec<u8> {
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, content, length) in chunks {
        bytes.extend(u32::try_from(*length).unwrap().to_le_bytes());
        bytes.extend(*kind);
        bytes.extend(*content);
    }
    let length = u32::try_from(bytes.len()).unwrap();
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes
}

#[test]
fn a_chunk_length_need_not_be_a_multiple_of_four() {
    let fixture = GltfFixture::triangle();
    let mut document = fixture.document.clone();
    document["buffers"] = json!([{ "byteLength": fixture.bytes.len() }]);
    let mut json = document.to_string().into_bytes();
    while json.len() % 4 != 2 {
        json.push(b' ');
    }
    let stated = json.len();
    let mut padded = json.clone();
    padded.extend(b"  ");
    let mut bin = fixture.bytes.clone();
    bin.push(0);
    let files = [
        // Without padding, with padding that the length leaves out, and the last chunk.
        glb(&[(b"JSON", &json, stated), (b"BIN\0", &fixture.bytes, 36)]),
        glb(&[(b"JSON", &padded, stated), (b"BIN\0", &fixture.bytes, 36)]),
        glb(&[(b"JSON", &padded, stated + 2), (b"BIN\0", &bin, 37)]),
    ];
    for bytes in files {
        let file = read(&bytes);
        assert_eq!(file.data.parts[0].positions[1], Vec3::X);
        let [note] = &file.notes[..] else {
            panic!("{:?}", file.notes)
        };
        assert!(note.ends_with("follows a chunk whose length is no multiple of 4"));
    }
}

#[test]
fn whole_numbers_may_be_written_with_a_fraction() {
    let fixture = GltfFixture::triangle();
    let text = String::from_utf8(fixture.gltf("data:;base64,")).unwrap();
    let bytes: String = TRIANGLE
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .map(|byte| format!("%{byte:02X}"))
        .collect();
    let text = text
        .replace("data:;base64,", &format!("data:,{bytes}"))
        .replace("\"count\":3", "\"count\":3.0")
        .replace("5126", "5.126e3")
        .replace("\"byteLength\":36", "\"byteLength\":36.0");
    let file = read(text.as_bytes());
    assert_eq!(file.data.parts[0].positions[1], Vec3::X);
    assert_eq!(
        file.notes,
        ["accessors[0].componentType: is a whole number that is written with a fraction"]
    );
    let text = text.replace("3.0", "3.5");
    let refusal = hitscan_testkit::refusal_of("m.gltf", text.as_bytes());
    assert!(refusal.starts_with("accessors[0].count: "), "{refusal}");
}

#[test]
fn accessors_without_bytes_are_zeros_in_skins_and_animations() {
    let mut fixture = GltfFixture::triangle();
    let zeros = |fixture: &mut GltfFixture, shape: &str, count: usize, component: u32| {
        fixture.accessor(json!({ "componentType": component, "count": count, "type": shape }))
    };
    let matrices = zeros(&mut fixture, "MAT4", 2, 5126);
    let joints = zeros(&mut fixture, "VEC4", 3, 5121);
    let weights = zeros(&mut fixture, "VEC4", 3, 5126);
    let time = zeros(&mut fixture, "SCALAR", 1, 5126);
    let place = zeros(&mut fixture, "VEC3", 1, 5126);
    let turn = zeros(&mut fixture, "VEC4", 1, 5126);
    let two = fixture.view(&[0, 0, 0, 0]);
    let value = fixture.view(&2_f32.to_le_bytes());
    let times = fixture.accessor(json!({
        "componentType": 5126, "count": 1, "type": "SCALAR",
        "sparse": {
            "count": 1,
            "indices": { "bufferView": two, "componentType": 5121 },
            "values": { "bufferView": value },
        },
    }));
    let node = fixture.push("nodes", json!({}));
    let skin = fixture.push(
        "skins",
        json!({ "joints": [0, node], "inverseBindMatrices": matrices }),
    );
    fixture.document["nodes"][0]["skin"] = json!(skin);
    let attributes = &mut fixture.document["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = json!(joints);
    attributes["WEIGHTS_0"] = json!(weights);
    fixture.push(
        "animations",
        json!({
            "samplers": [
                { "input": time, "output": place },
                { "input": times, "output": turn },
                { "input": times, "output": place },
            ],
            "channels": [
                { "sampler": 0, "target": { "node": node, "path": "translation" } },
                { "sampler": 1, "target": { "node": node, "path": "rotation" } },
                { "sampler": 2, "target": { "node": 0, "path": "scale" } },
            ],
        }),
    );
    let file = fixture.read();
    assert_eq!(file.data.skins[0].inverse_bind.len(), 2);
    assert_eq!(file.data.clips[0].channels[1].times, [2.0]);
    let model = std::sync::Arc::new(Model::new(file.data).unwrap());
    let pose = model.pose_at(0, 1.0).unwrap();
    assert!(model.skinned(&pose).is_ok());
}

#[test]
fn the_fourth_row_of_a_matrix_is_ignored_with_a_warning() {
    let mut matrix = DMat4::IDENTITY;
    let mut files = Vec::new();
    for row in [DVec4::W, DVec4::new(1e-7, 0.0, 0.0, 1.0), DVec4::W * 99e-33] {
        matrix.x_axis.w = row.x;
        matrix.w_axis.w = row.w;
        let mut fixture = GltfFixture::triangle();
        let matrices = fixture.floats("MAT4", &matrix.as_mat4().to_cols_array());
        let skin = json!({ "joints": [0], "inverseBindMatrices": matrices });
        fixture.push("skins", skin);
        files.push(fixture.read());
        fixture.document["nodes"][0]["matrix"] = json!(matrix.to_cols_array());
        let warnings = fixture.read().warnings;
        assert_eq!(warnings.len(), usize::from(row.w < 0.5));
    }
    for file in &files {
        assert_eq!(file.data.skins[0].inverse_bind, [DMat4::IDENTITY]);
    }
    let line = "accessors[1], element 0: has a fourth row other than 0 0 0 1, which is ignored";
    let remarks = files
        .iter()
        .map(|file| (&file.notes[..], &file.warnings[..]));
    let line = [line.to_owned()];
    let expected: [(&[String], &[String]); 3] = [(&[], &[]), (&line, &[]), (&[], &line)];
    assert!(remarks.eq(expected), "{files:?}");
}
