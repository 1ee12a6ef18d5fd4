//! Motion in glTF files: skins, morph targets and clips.

use glam::{DMat4, Vec3};
use hitscan::model::{Interpolation, Property};
use hitscan_testkit::{GltfFixture, TRIANGLE};
use serde_json::json;

/// A skinned triangle with two joint sets; weights of the second set are normalised bytes.
fn skinned() -> GltfFixture {
    let mut fixture = GltfFixture::new();
    let positions = fixture.floats("VEC3", &TRIANGLE);
    let joints = fixture.view(&[0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0]);
    let joints = fixture.accessor(json!({
        "bufferView": joints, "componentType": 5121, "count": 3, "type": "VEC4",
    }));
    let wide = fixture.view(&[1, 0, 0, 0, 0, 0, 0, 0].repeat(3));
    let wide = fixture.accessor(json!({
        "bufferView": wide, "componentType": 5123, "count": 3, "type": "VEC4",
    }));
    let weights = fixture.floats("VEC4", &[0.5, 0.25, 0.0, 0.0].repeat(3));
    let bytes = fixture.view(&[51, 0, 0, 0].repeat(3));
    let bytes = fixture.accessor(json!({
        "bufferView": bytes, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC4",
    }));
    let node = fixture.node_with(json!({ "attributes": {
        "POSITION": positions,
        "JOINTS_0": joints, "WEIGHTS_0": weights, "JOINTS_1": wide, "WEIGHTS_1": bytes,
    }}));
    fixture.document["nodes"][node]["skin"] = json!(0);
    fixture.push("nodes", json!({ "children": [2] }));
    fixture.push("nodes", json!({}));
    fixture.push("skins", json!({ "joints": [1, 2] }));
    fixture
}

#[test]
fn skins_have_all_joint_sets() {
    let mut fixture = skinned();
    let data = fixture.read().data;
    assert_eq!(data.skins[0].joints, [1, 2]);
    assert_eq!(data.skins[0].inverse_bind, []);
    let skin = data.parts[0].skin.as_ref().unwrap();
    assert_eq!((skin.skin, skin.influences), (0, 8));
    assert_eq!(skin.joints[..8], [0, 1, 0, 0, 1, 0, 0, 0]);
    assert_eq!(skin.joints[16..], [1, 1, 0, 0, 1, 0, 0, 0]);
    assert_eq!(
        skin.weights,
        [0.5, 0.25, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0].repeat(3)
    );

    // One matrix more than there are joints; the second moves by 7.5 along x.
    let mut matrices = [0.0; 48];
    for (at, value) in matrices.iter_mut().enumerate() {
        *value = if at % 16 % 5 == 0 { 1.0 } else { 0.0 };
    }
    matrices[28] = 7.5;
    let matrices = fixture.floats("MAT4", &matrices);
    fixture.document["skins"][0]["inverseBindMatrices"] = json!(matrices);
    let skin = &fixture.read().data.skins[0];
    assert_eq!(skin.inverse_bind.len(), 2);
    assert_eq!(skin.inverse_bind[0], DMat4::IDENTITY);
    assert_eq!(skin.inverse_bind[1].w_axis.x, 7.5);
}

#[test]
fn skins_that_lie_are_refused() {
    type Change<'a> = &'a dyn Fn(&mut GltfFixture);
    let with_weights = |fixture: &mut GltfFixture, weight: f32| {
        let weights = fixture.floats("VEC4", &[0.5, weight, 0.0, 0.0].repeat(3));
        fixture.document["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    };
    let cases: [(Change<'_>, &str); 5] = [
        (
            &|fixture| fixture.document["skins"][0]["joints"] = json!([1]),
            "accessors[1], element 0: \
             expected the index of one of the 1 joints of skin 0, found 1",
        ),
        (
            &|fixture| with_weights(fixture, -0.25),
            "accessors[5], element 0: expected a weight that is not negative, found -0.25",
        ),
        (
            &|fixture| with_weights(fixture, f32::NAN),
            "accessors[5], element 0: expected a finite number, found NaN",
        ),
        (
            &|fixture| {
                let attributes = &mut fixture.document["meshes"][0]["primitives"][0]["attributes"];
                attributes.as_object_mut().unwrap().remove("WEIGHTS_1");
            },
            "meshes[0].primitives[0]: the attribute WEIGHTS_1 is missing",
        ),
        (
            &|fixture| fixture.document["accessors"][2]["count"] = json!(2),
            "meshes[0].primitives[0]: expected one element for each of 3 positions, found 2",
        ),
    ];
    for (change, expected) in cases {
        let mut fixture = skinned();
        change(&mut fixture);
        assert_eq!(fixture.refusal(), expected);
    }
}

#[test]
fn a_skin_without_joints_in_its_mesh_leaves_it_rigid() {
    let mut fixture = skinned();
    let attributes = &mut fixture.document["meshes"][0]["primitives"][0]["attributes"];
    *attributes = json!({ "POSITION": attributes["POSITION"] });
    let file = fixture.read();
    assert!(file.data.parts[0].skin.is_none());
    let note = "meshes[0].primitives[0]: has a skin, but no joints, and stays rigid";
    assert_eq!(file.notes, [note]);
}

#[test]
fn morph_weights_are_the_nodes_the_meshes_or_zeros() {
    let mut fixture = GltfFixture::triangle();
    let shift = fixture.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let primitive = &mut fixture.document["meshes"][0]["primitives"][0];
    primitive["targets"] = json!([{ "POSITION": shift }, { "NORMAL": shift }]);
    let data = fixture.read().data;
    assert_eq!(data.nodes[0].morph_weights, [0.0, 0.0]);
    assert_eq!(data.parts[0].morph_targets, [[Vec3::Z; 3], [Vec3::ZERO; 3]]);

    fixture.document["meshes"][0]["weights"] = json!([0.25, 0.5]);
    assert_eq!(fixture.read().data.nodes[0].morph_weights, [0.25, 0.5]);
    fixture.document["nodes"][0]["weights"] = json!([1, 0]);
    assert_eq!(fixture.read().data.nodes[0].morph_weights, [1.0, 0.0]);
    fixture.document["nodes"][0]["weights"] = json!([1]);
    assert!(
        fixture
            .refusal()
            .starts_with("nodes[0].weights: expected one for each of 2")
    );
}

/// A clip with one channel of node 0, which has two morph targets.
fn animated(path: &str, interpolation: &str, shape: &str, values: &[f32]) -> GltfFixture {
    let mut fixture = GltfFixture::triangle();
    let shift = fixture.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
    let primitive = &mut fixture.document["meshes"][0]["primitives"][0];
    primitive["targets"] = json!([{ "POSITION": shift }, { "POSITION": shift }]);
    let input = fixture.floats("SCALAR", &[0.5, 1.0]);
    let output = fixture.floats(shape, values);
    let clip = json!({
        "name": "clip",
        "samplers": [{ "input": input, "output": output, "interpolation": interpolation }],
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": path } }],
    });
    fixture.push("animations", clip);
    fixture
}

#[test]
fn clips_have_every_property_and_interpolation() {
    let properties = [
        ("translation", Property::Translation, "VEC3", 3),
        ("rotation", Property::Rotation, "VEC4", 4),
        ("scale", Property::Scale, "VEC3", 3),
        ("weights", Property::Weights, "SCALAR", 2),
    ];
    let interpolations = [
        ("STEP", Interpolation::Step, 1),
        ("LINEAR", Interpolation::Linear, 1),
        ("CUBICSPLINE", Interpolation::CubicSpline, 3),
    ];
    for (path, property, shape, width) in properties {
        for (name, interpolation, values_per_key) in interpolations {
            let values = vec![0.5; 2 * width * values_per_key];
            let mut fixture = animated(path, name, shape, &values);
            let clips = fixture.read().data.clips;
            assert_eq!(clips[0].name.as_deref(), Some("clip"));
            let channel = &clips[0].channels[0];
            assert_eq!((channel.node, channel.property), (0, property));
            assert_eq!(channel.interpolation, interpolation);
            assert_eq!(channel.times, [0.5, 1.0]);
            assert_eq!(channel.values, values);

            fixture.document["accessors"][3]["count"] = json!(1);
            let message = fixture.refusal();
            let place = "animations[0].samplers[0].output: ";
            assert!(message.starts_with(place), "{message}");
        }
    }
}

#[test]
fn clip_values_may_be_normalised_integers() {
    let mut fixture = animated("rotation", "LINEAR", "VEC4", &[0.0; 8]);
    let view = fixture.view(&[0, 0, 0, 0x7f, 0, 0, 0, 0x81]);
    fixture.document["accessors"][3] = json!({
        "bufferView": view, "componentType": 5120, "normalized": true, "count": 2, "type": "VEC4",
    });
    let clips = fixture.read().data.clips;
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0];
    assert_eq!(clips[0].channels[0].values, values);
}

#[test]
fn channels_that_move_nothing_known_are_left_out() {
    let mut fixture = animated("translation", "LINEAR", "VEC3", &[0.0; 6]);
    fixture.document["animations"][0]["channels"] = json!([
        { "sampler": 0, "target": { "path": "translation" } },
        { "sampler": 0, "target": { "node": 0, "path": "pointer" } },
        { "sampler": 0, "target": { "node": 1, "path": "weights" } },
    ]);
    fixture.push("nodes", json!({}));
    let file = fixture.read();
    assert!(file.data.clips[0].channels.is_empty());
    assert_eq!(file.notes.len(), 3, "{:?}", file.notes);
}

#[test]
fn clips_that_lie_are_refused() {
    let channel = |sampler: usize, node: usize, path: &str| json!({ "sampler": sampler, "target": { "node": node, "path": path } });
    let cases = [
        (
            json!([channel(1, 0, "scale")]),
            "animations[0].channels[0].sampler: ",
        ),
        (
            json!([channel(0, 9, "scale")]),
            "animations[0].channels[0].target.node: ",
        ),
        (
            json!([channel(0, 0, "rotation")]),
            "accessors[3].type: expected VEC4, found VEC3",
        ),
        (
            json!([channel(0, 0, "scale"), channel(0, 0, "scale")]),
            "animations[0].channels[1]: ",
        ),
        (
            json!([channel(0, 1, "scale")]),
            "animations[0].channels[0]: expected a node without a matrix",
        ),
    ];
    for (channels, place) in cases {
        let mut fixture = animated("scale", "LINEAR", "VEC3", &[1.0; 6]);
        fixture.push(
            "nodes",
            json!({ "matrix": DMat4::IDENTITY.to_cols_array() }),
        );
        fixture.document["animations"][0]["channels"] = channels;
        let message = fixture.refusal();
        assert!(message.starts_with(place), "{message}");
    }
    let mut fixture = animated("scale", "LINEAR", "VEC3", &[1.0; 6]);
    let times = fixture.floats("SCALAR", &[0.5, 0.5]);
    fixture.document["animations"][0]["samplers"][0]["input"] = json!(times);
    let expected = "accessors[4], element 1: expected a time after 0.5, found 0.5";
    assert_eq!(fixture.refusal(), expected);
}
