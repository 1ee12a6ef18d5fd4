//! glTF files that lie or reach out: containers, lengths, buffers in other files.

use std::path::Path;

use glam::Vec3;
use hitscan_assets::{Error, ModelFile, ModelOptions, read_model, read_model_bytes};
use hitscan_testkit::{GltfFixture, refusal_of};
use serde_json::{Value, json};

fn read(name: &str, bytes: &[u8]) -> Result<ModelFile, Error> {
    read_model_bytes(Path::new(name), bytes, &ModelOptions::default())
}

#[test]
fn containers_are_checked() {
    let sound = GltfFixture::triangle().glb();
    let refused = |bytes: &[u8]| refusal_of("m.glb", bytes);
    let changed = |at: usize, value: u8| {
        let mut bytes = sound.clone();
        bytes[at] = value;
        bytes
    };
    assert!(refused(&changed(4, 1)).starts_with("byte 4: GLB version 1"));
    assert!(refused(&changed(11, 255)).starts_with("byte 8: "));
    assert!(refused(&changed(15, 1)).starts_with("byte 12: "));
    assert!(refused(&changed(12, 3)).starts_with("byte "));
    assert!(refused(&changed(16, b'X')).starts_with("byte 16: "));
    assert!(refused(&changed(0, b'X')).starts_with("JSON: "));
    assert!(refused(b"glTF").starts_with("byte 4: "));
    assert!(refused(b"").starts_with("JSON: "));

    let mut longer = sound.clone();
    longer.extend([0; 7]);
    assert!(read("m.glb", &longer).is_ok());
}

#[test]
fn a_buffer_without_bytes_reads_as_zeros_where_it_may_be_left_out() {
    let mut fixture = GltfFixture::triangle();
    fixture.document["buffers"] = json!([{ "byteLength": 36 }]);
    fixture.bytes.clear();
    assert_eq!(fixture.refusal(), "buffers[0]: the binary chunk is missing");

    let text = fixture.document.to_string();
    let file = read("m.gltf", text.as_bytes()).unwrap();
    assert_eq!(
        file.notes,
        ["buffers[0]: has no bytes and is read as zeros"]
    );
    assert_eq!(file.data.parts[0].positions, [Vec3::ZERO; 3]);
}

#[test]
fn buffers_may_be_files_below_the_models_folder_only() {
    let fixture = GltfFixture::triangle();
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("model");
    std::fs::create_dir_all(inside.join("sub dir")).unwrap();
    std::fs::write(folder.path().join("a.bin"), &fixture.bytes).unwrap();
    std::fs::write(inside.join("a.bin"), &fixture.bytes).unwrap();
    std::fs::write(inside.join("short.bin"), &fixture.bytes[1..]).unwrap();
    std::fs::write(inside.join("sub dir/a.bin"), &fixture.bytes).unwrap();
    let path = inside.join("m.GLTF");
    let read = |uri: &str| {
        std::fs::write(&path, fixture.gltf(uri)).unwrap();
        read_model(&path, &ModelOptions::default())
    };
    for uri in ["a.bin", "./a.bin", "sub%20dir/a.bin", "sub dir/a.bin"] {
        assert!(read(uri).is_ok(), "{uri}");
    }
    for uri in [
        "../a.bin",
        "%2e%2e/a.bin",
        "sub dir/../a.bin",
        "/a.bin",
        "file:a.bin",
    ] {
        assert!(
            matches!(read(uri), Err(Error::OutsideFolder { .. })),
            "{uri}"
        );
    }
    let Err(missing @ Error::Referred { .. }) = read("b.bin") else {
        panic!("a missing file is read")
    };
    let message = missing.to_string();
    assert!(message.contains("m.GLTF: buffers[0].uri: "), "{message}");
    assert!(message.ends_with("model/b.bin cannot be read"), "{message}");
    let fault = read("sub dir").unwrap_err();
    assert!(
        fault.to_string().ends_with("sub dir cannot be used"),
        "{fault}"
    );
    let message = fault.of_file().to_string();
    assert!(
        message.contains("expected a regular file, found a folder"),
        "{message}"
    );
    let message = read("short.bin").unwrap_err().to_string();
    assert!(message.ends_with("buffers[0]: expected the 36 bytes of its byteLength, found 35"));

    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path().join("a.bin"), inside.join("link.bin")).unwrap();
        assert!(matches!(read("link.bin"), Err(Error::OutsideFolder { .. })));
        std::os::unix::fs::symlink(inside.join("a.bin"), inside.join("near.bin")).unwrap();
        assert!(read("near.bin").is_ok());
    }
}

#[test]
fn lengths_that_lie_are_refused_with_their_place() {
    let cases: [(&str, &str, Value, &str); 9] = [
        (
            "accessors",
            "count",
            json!(4),
            "accessors[0], in its bufferView: expected an end at byte 36 at most, found 48",
        ),
        (
            "accessors",
            "count",
            json!(u64::MAX),
            "accessors[0], in its bufferView: expected an end at byte 36 at most, found more than",
        ),
        ("accessors", "count", json!(0), "accessors[0].count: "),
        ("accessors", "count", json!(-1), "accessors[0].count: "),
        (
            "accessors",
            "bufferView",
            json!(1),
            "accessors[0].bufferView: expected the index of one of 1 bufferViews, found 1",
        ),
        (
            "accessors",
            "byteOffset",
            json!(u64::MAX),
            "accessors[0], in its bufferView: ",
        ),
        ("bufferViews", "byteLength", json!(37), "bufferViews[0]: "),
        (
            "bufferViews",
            "byteStride",
            json!(8),
            "bufferViews[0].byteStride: ",
        ),
        (
            "bufferViews",
            "byteOffset",
            json!(u64::MAX),
            "bufferViews[0]: ",
        ),
    ];
    for (list, property, value, place) in cases {
        let mut fixture = GltfFixture::triangle();
        fixture.document[list][0][property] = value;
        let message = fixture.refusal();
        assert!(message.starts_with(place), "{message}");
    }
}

#[test]
fn accessors_without_bytes_are_bounded_by_the_file() {
    let with_count = |count: u32| {
        GltfFixture::with_positions(|fixture| {
            fixture.accessor(json!({ "componentType": 5126, "count": count, "type": "VEC3" }))
        })
    };
    let message = with_count(4_000_000_000).refusal();
    let expected = "accessors[0].count: expected at most ";
    assert!(message.starts_with(expected), "{message}");
    assert_eq!(
        with_count(3).read().data.parts[0].positions,
        [Vec3::ZERO; 3]
    );
}

#[test]
fn a_mesh_in_too_many_nodes_is_refused() {
    let mut fixture = GltfFixture::new();
    let positions = fixture.floats("VEC3", &[0.5; 300_000]);
    fixture.node_with(json!({ "attributes": { "POSITION": positions } }));
    fixture.document["nodes"] = json!(vec![json!({ "mesh": 0 }); 500]);
    let message = fixture.refusal();
    assert!(message.contains("512 MiB"), "{message}");
}

#[test]
fn morph_weights_in_too_many_nodes_are_refused() {
    let mut fixture = GltfFixture::triangle();
    let primitive = &mut fixture.document["meshes"][0]["primitives"][0];
    primitive["targets"] = json!(vec![json!({}); 100_000]);
    fixture.document["nodes"] = json!(vec![json!({ "mesh": 0 }); 100_000]);
    let message = fixture.refusal();
    assert!(message.contains("512 MiB"), "{message}");
}
