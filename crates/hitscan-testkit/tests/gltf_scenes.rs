//! glTF documents and hierarchies: scenes, nodes, names of parts, extensions.

use glam::{DMat4, DVec3};
use hitscan::model::NodeTransform;
use hitscan_assets::{Error, ModelOptions};
use hitscan_testkit::{GltfFixture, TRIANGLE};
use serde_json::{Value, json};

fn names(fixture: &GltfFixture) -> Vec<String> {
    let parts = fixture.read().data.parts.into_iter();
    parts.map(|part| part.name).collect()
}

#[test]
fn points_and_lines_are_left_out_and_keep_their_numbers() {
    let mut fixture = GltfFixture::new();
    let positions = fixture.floats("VEC3", &TRIANGLE);
    let primitive = |mode: u32| json!({ "attributes": { "POSITION": positions }, "mode": mode });
    let primitives: Vec<Value> = [0, 4, 1, 2, 3, 6].into_iter().map(primitive).collect();
    let mesh = fixture.push("meshes", json!({ "name": "m", "primitives": primitives }));
    fixture.push("nodes", json!({ "mesh": mesh }));
    assert_eq!(names(&fixture), ["m.1", "m.5"]);
    let note = "meshes[0].primitives[0] and 3 more: \
                is of points or lines, which nothing can hit, and left out";
    assert_eq!(fixture.read().notes, [note]);
}

#[test]
fn parts_are_named_by_node_mesh_or_index() {
    let mut fixture = GltfFixture::triangle();
    let primitive = fixture.document["meshes"][0]["primitives"][0].clone();
    let named = json!({ "name": "mesh", "primitives": [primitive] });
    let named = fixture.push("meshes", named);
    let pair = json!({ "name": "pair", "primitives": [primitive, primitive] });
    let pair = fixture.push("meshes", pair);
    for node in [
        json!({ "mesh": named }),
        json!({ "mesh": named, "name": "own" }),
        json!({ "mesh": named }),
        json!({ "mesh": pair }),
        json!({ "mesh": pair }),
        json!({ "mesh": 0, "name": "mesh#3" }),
        json!({ "mesh": 0, "name": "" }),
    ] {
        fixture.push("nodes", node);
    }
    let expected = [
        "node0", "mesh", "own", "mesh#3", "pair.0", "pair.1", "pair.0#5", "pair.1#5", "mesh#3#6",
        "node7",
    ];
    assert_eq!(names(&fixture), expected);
    let nodes: Vec<usize> = fixture
        .read()
        .data
        .parts
        .iter()
        .map(|part| part.node)
        .collect();
    assert_eq!(nodes, [0, 1, 2, 3, 4, 4, 5, 5, 6, 7]);
}

#[test]
fn scenes_choose_parts_and_nodes_keep_their_indices() {
    let mut fixture = GltfFixture::triangle();
    fixture.push("nodes", json!({ "mesh": 0 }));
    fixture.push("nodes", json!({ "mesh": 0, "children": [0] }));
    let all = fixture.read();
    assert_eq!((all.scene, all.data.parts.len()), (None, 3));

    fixture.push("scenes", json!({ "nodes": [1] }));
    fixture.push("scenes", json!({ "nodes": [2] }));
    fixture.push("scenes", json!({}));
    let shown = |fixture: &GltfFixture, scene| {
        let options = ModelOptions {
            scene,
            ..ModelOptions::default()
        };
        let file = fixture.read_with(&options)?;
        assert_eq!(file.data.nodes.len(), 3);
        assert_eq!(file.data.nodes[0].parent, Some(2));
        let nodes: Vec<usize> = file.data.parts.iter().map(|part| part.node).collect();
        Ok::<_, Error>((file.scene, nodes))
    };
    assert_eq!(shown(&fixture, None).unwrap(), (Some(0), vec![1]));
    fixture.document["scene"] = json!(1);
    assert_eq!(shown(&fixture, None).unwrap(), (Some(1), vec![0, 2]));
    assert_eq!(shown(&fixture, Some(0)).unwrap(), (Some(0), vec![1]));
    assert_eq!(shown(&fixture, Some(2)).unwrap(), (Some(2), vec![]));
    let message = shown(&fixture, Some(3)).unwrap_err().to_string();
    assert!(message.ends_with("scenes: expected the index of one of 3 scenes, found 3"));
}

#[test]
fn node_transforms_are_matrices_or_trs() {
    let mut fixture = GltfFixture::triangle();
    let matrix = DMat4::from_translation(DVec3::new(0.1, 2.0, 3.0));
    fixture.push("nodes", json!({ "matrix": matrix.to_cols_array() }));
    fixture.push(
        "nodes",
        json!({ "rotation": [0.0, 0.6, 0.0, 0.8], "scale": [1, -2, 0] }),
    );
    let nodes = fixture.read().data.nodes;
    assert_eq!(nodes[0].local, NodeTransform::default());
    assert_eq!(nodes[1].local, NodeTransform::Matrix(matrix));
    let NodeTransform::Trs {
        translation,
        rotation,
        scale,
    } = nodes[2].local
    else {
        panic!("a TRS node");
    };
    assert_eq!(translation, DVec3::ZERO);
    assert_eq!(rotation.to_array(), [0.0, 0.6, 0.0, 0.8]);
    assert_eq!(scale, DVec3::new(1.0, -2.0, 0.0));

    fixture.document["nodes"][1]["scale"] = json!([1, 1, 1]);
    assert!(fixture.refusal().starts_with("nodes[1].matrix: "));
    fixture.document["nodes"][1] = json!({ "matrix": vec![0.0; 16] });
    assert_eq!(
        fixture.read().warnings,
        ["nodes[1].matrix: has a fourth row other than 0 0 0 1, which is ignored"]
    );
    fixture.document["nodes"][1] = json!({ "rotation": vec![0.0; 4] });
    assert!(fixture.refusal().starts_with("nodes[1].rotation: "));
}

#[test]
fn hierarchies_must_be_forests() {
    let cases = [
        (json!([{ "children": [0] }]), "nodes[0]: "),
        (
            json!([{ "children": [1] }, { "children": [2] }, { "children": [1] }]),
            "nodes[2].children[0]: ",
        ),
        (
            json!([{}, { "children": [2] }, { "children": [1] }]),
            "nodes[1]: ",
        ),
        (
            json!([{ "children": [1, 1] }, {}]),
            "nodes[0].children[1]: ",
        ),
        (json!([{ "children": [2] }, {}]), "nodes[0].children[0]: "),
    ];
    for (nodes, place) in cases {
        let mut fixture = GltfFixture::new();
        fixture.document["nodes"] = nodes;
        let message = fixture.refusal();
        assert!(message.starts_with(place), "{message}");
    }
}

#[test]
fn extensions_are_distinguished() {
    for name in [
        "KHR_materials_unlit",
        "KHR_texture_transform",
        "KHR_lights_punctual",
        "KHR_mesh_quantization",
    ] {
        let mut fixture = GltfFixture::triangle();
        fixture.document["extensionsRequired"] = json!([name]);
        assert_eq!(fixture.read().data.parts.len(), 1, "{name}");
    }
    for name in ["KHR_draco_mesh_compression", "CESIUM_RTC", "ACME_new"] {
        let mut fixture = GltfFixture::triangle();
        fixture.document["extensionsRequired"] = json!(["KHR_materials_unlit", name]);
        let expected = format!("extensionsRequired[1]: the extension {name} is not supported");
        assert_eq!(fixture.refusal(), expected);
    }
    let mut fixture = GltfFixture::triangle();
    fixture.document["extensionsUsed"] = json!(["CESIUM_RTC", "ACME_new"]);
    let file = fixture.read();
    assert_eq!(file.extensions, ["CESIUM_RTC", "ACME_new"]);
    let text = "is an optional extension that moves surfaces and is not supported: \
                the model is read without it";
    assert_eq!(file.warnings, [format!("CESIUM_RTC: {text}")]);
}

#[test]
fn empty_documents_are_empty_models() {
    for document in [
        json!({ "asset": { "version": "2.0" } }),
        json!({ "asset": { "version": "2.1", "minVersion": "2.0" }, "scenes": [{}] }),
    ] {
        let mut fixture = GltfFixture::new();
        fixture.document = document;
        assert!(fixture.read().data.parts.is_empty());
    }
    for (asset, place) in [
        (json!({ "version": "1.0" }), "asset.version: "),
        (
            json!({ "version": "2.1", "minVersion": "2.1" }),
            "asset.minVersion: ",
        ),
    ] {
        let mut fixture = GltfFixture::new();
        fixture.document["asset"] = asset;
        assert!(fixture.refusal().starts_with(place));
    }
}
