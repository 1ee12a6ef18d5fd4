//! `EXT_mesh_gpu_instancing`: each instance of each primitive is a part.

use std::sync::Arc;

use glam::{DAffine3, DVec3};
use hitscan::model::NodeTransform;
use hitscan::{Model, Ray, World};
use hitscan_testkit::{GltfFixture, TRIANGLE};
use serde_json::{Value, json};

const EXTENSION: &str = "EXT_mesh_gpu_instancing";

/// A node called `tree` with a triangle, moved up by one, with the given attributes.
fn instanced(make: impl FnOnce(&mut GltfFixture) -> Value) -> GltfFixture {
    let mut fixture = GltfFixture::triangle();
    let attributes = make(&mut fixture);
    let node = &mut fixture.document["nodes"][0];
    node["name"] = json!("tree");
    node["translation"] = json!([0, 1, 0]);
    node["extensions"] = json!({ EXTENSION: { "attributes": attributes } });
    fixture.document["extensionsUsed"] = json!([EXTENSION]);
    fixture
}

fn shorts(fixture: &mut GltfFixture, shape: &str, values: &[i16]) -> usize {
    let bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    let view = fixture.view(&bytes);
    let count = values.len() / if shape == "VEC4" { 4 } else { 3 };
    fixture.accessor(json!({
        "bufferView": view, "componentType": 5122, "normalized": true, "count": count, "type": shape,
    }))
}

#[test]
fn each_instance_of_each_primitive_is_a_part() {
    // The sine of 45 degrees in shorts: a quarter turn about y.
    let half = 23170;
    let mut fixture = instanced(|fixture| {
        let places = fixture.floats("VEC3", &[0.0, 0.0, 0.0, 10.0, 0.0, 0.0]);
        let turns = shorts(fixture, "VEC4", &[0, 0, 0, 32767, 0, half, 0, half]);
        let sizes = fixture.floats("VEC3", &[1.0, 1.0, 1.0, 2.0, 3.0, 4.0]);
        json!({ "TRANSLATION": places, "ROTATION": turns, "SCALE": sizes, "_ID": sizes })
    });
    fixture.document["extensionsRequired"] = json!([EXTENSION]);
    let second = fixture.floats("VEC3", &TRIANGLE);
    let primitives = fixture.document["meshes"][0]["primitives"]
        .as_array_mut()
        .unwrap();
    primitives.push(json!({ "attributes": { "POSITION": second } }));
    fixture.push("nodes", json!({ "name": "tree.0[1]", "mesh": 0 }));
    let file = fixture.read();
    assert!(file.warnings.is_empty() && file.notes.is_empty());
    let model = Arc::new(Model::new(file.data.clone()).unwrap());
    let names: Vec<&str> = model.parts().iter().map(|part| part.name()).collect();
    let expected = [
        "tree.0[0]",
        "tree.1[0]",
        "tree.0[1]",
        "tree.1[1]",
        "tree.0[1].0",
        "tree.0[1].1",
    ];
    assert_eq!(names, expected);
    assert!(Arc::ptr_eq(
        model.parts()[0].mesh(),
        model.parts()[2].mesh()
    ));
    assert!(!Arc::ptr_eq(
        model.parts()[0].mesh(),
        model.parts()[1].mesh()
    ));
    assert_eq!(model.triangle_count(), 6);
    let NodeTransform::Trs { rotation, .. } = file.data.nodes[3].local else {
        panic!("{:?}", file.data.nodes[3].local)
    };
    assert!((rotation.length() - 1.0).abs() < 1e-15, "{rotation}");
    assert_eq!(file.data.nodes[3].name.as_deref(), Some("tree[1]"));

    // The corner (1, 0, 0) of the second instance: twice as far, turned to -z, at x = 10 and y = 1.
    let posed = model.skinned(model.rest_pose()).unwrap();
    let corner = posed.parts()[2].model_from_part.transform_point3(DVec3::X);
    assert!(
        (corner - DVec3::new(10.0, 1.0, -2.0)).length() < 1e-4,
        "{corner}"
    );
    let mut world = World::new();
    world
        .add_model(&model, model.rest_pose(), DAffine3::IDENTITY)
        .unwrap();
    world.update();
    let ray = Ray::new([20.0, 1.5, -0.5], [-1.0, 0.0, 0.0]).unwrap();
    let hit = world.now().cast_ray(&ray, ()).unwrap();
    assert_eq!(hit.triangle.unwrap().part, 2);
}

#[test]
fn morph_targets_deform_every_instance() {
    let mut fixture =
        instanced(|fixture| json!({ "TRANSLATION": fixture.floats("VEC3", &[0.0; 9]) }));
    let target = fixture.floats("VEC3", &TRIANGLE);
    let primitive = &mut fixture.document["meshes"][0]["primitives"][0];
    primitive["targets"] = json!([{ "POSITION": target }]);
    let parts = fixture.read().data.parts;
    assert_eq!(parts.len(), 3);
    assert!(parts.iter().all(|part| part.morph_targets.len() == 1));
}

#[test]
fn faults_of_instances_are_named() {
    let place = format!("nodes[0].extensions.{EXTENSION}");
    let cases = [
        (
            instanced(|_| json!({})),
            format!("{place}: TRANSLATION, ROTATION or SCALE is missing"),
        ),
        (
            instanced(|_| json!({ "TRANSLATION": 9 })),
            format!(
                "{place}.attributes.TRANSLATION: expected the index of one of 1 accessors, found 9"
            ),
        ),
        (
            instanced(|fixture| {
                let three = fixture.floats("VEC3", &[0.0; 9]);
                json!({ "SCALE": fixture.floats("VEC3", &[1.0; 6]), "TRANSLATION": three })
            }),
            format!(
                "{place}.attributes.TRANSLATION: expected 2 elements, as the other attributes have, found 3"
            ),
        ),
        (
            instanced(|fixture| json!({ "ROTATION": fixture.floats("VEC4", &[0.0; 4]) })),
            "accessors[1], element 0: expected a quaternion, found zeros".to_owned(),
        ),
        (
            instanced(|fixture| json!({ "SCALE": fixture.floats("VEC4", &[1.0; 4]) })),
            "accessors[1].type: expected VEC3, found VEC4".to_owned(),
        ),
    ];
    for (fixture, message) in cases {
        assert_eq!(fixture.refusal(), message);
    }
}

/// Two thousand instances of a mesh of ten thousand triangles keep that mesh once.
#[test]
fn thousands_of_instances_share_their_mesh() {
    let positions: Vec<f32> = (0..90_000).map(|k| (k % 977) as f32).collect();
    let mut fixture = GltfFixture::with_positions(|fixture| fixture.floats("VEC3", &positions));
    let places: Vec<f32> = (0..6000).map(|k| k as f32).collect();
    let places = fixture.floats("VEC3", &places);
    let attributes = json!({ "attributes": { "TRANSLATION": places } });
    fixture.document["nodes"][0]["extensions"] = json!({ EXTENSION: attributes });
    let model = Model::new(fixture.read().data).unwrap();
    assert_eq!(
        (model.parts().len(), model.triangle_count()),
        (2000, 20_000_000)
    );
    let bytes = model.memory_bytes();
    assert!(bytes < 8_000_000, "{bytes}");
}
