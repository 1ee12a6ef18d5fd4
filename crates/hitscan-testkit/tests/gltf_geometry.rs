//! glTF geometry, one feature each: accessors in all their forms, and the triangles made of them.

use glam::Vec3;
use hitscan_testkit::{GltfFixture, TRIANGLE};
use serde_json::json;

fn positions(fixture: &GltfFixture) -> Vec<[f32; 3]> {
    let file = fixture.read();
    let positions = file.data.parts[0].positions.iter();
    positions.map(Vec3::to_array).collect()
}

#[test]
fn positions_of_every_component_type() {
    // Code, normalised, bytes of one component, and the number it encodes.
    let cases: [(u32, bool, &[u8], f32); 13] = [
        (5120, false, &[0x80], -128.0),
        (5120, true, &[0x80], -1.0),
        (5120, true, &[0x7f], 1.0),
        (5121, false, &[0xff], 255.0),
        (5121, true, &[51], 0.2),
        (5122, false, &[0, 0x80], -32768.0),
        (5122, true, &[0, 0x80], -1.0),
        (5122, true, &[1, 0x80], -1.0),
        (5122, true, &[0xff, 0x7f], 1.0),
        (5123, false, &[0xff, 0xff], 65535.0),
        (5123, true, &[0x33, 0x33], 0.2),
        (5126, false, &[0, 0, 0xc0, 0x3f], 1.5),
        (5126, true, &[0, 0, 0xc0, 0x3f], 1.5),
    ];
    for (code, is_normalized, component, value) in cases {
        let fixture = GltfFixture::with_positions(|fixture| {
            // Elements start at multiples of 4.
            let stride = (3 * component.len()).next_multiple_of(4);
            let mut element = component.repeat(3);
            element.resize(stride, 0xaa);
            let view = fixture.view(&element.repeat(3));
            fixture.document["bufferViews"][view]["byteStride"] = json!(stride);
            fixture.accessor(json!({
                "bufferView": view, "componentType": code, "normalized": is_normalized,
                "count": 3, "type": "VEC3",
            }))
        });
        let place = format!("{code} {is_normalized}");
        assert_eq!(positions(&fixture), [[value; 3]; 3], "{place}");
    }
}

#[test]
fn the_last_interleaved_element_may_end_with_its_view() {
    // Three vertices of position and normal; the last normal is cut off.
    let mut bytes = Vec::new();
    for vertex in TRIANGLE.chunks(3) {
        bytes.extend(vertex.iter().flat_map(|v| v.to_le_bytes()));
        bytes.extend([0xff; 12]);
    }
    bytes.truncate(60);
    let fixture = GltfFixture::with_positions(|fixture| {
        let view = fixture.view(&bytes);
        fixture.document["bufferViews"][view]["byteStride"] = json!(24);
        fixture.accessor(json!({
            "bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3",
        }))
    });
    assert_eq!(positions(&fixture).as_flattened(), TRIANGLE);
}

#[test]
fn sparse_accessors_replace_elements() {
    let bases = [
        (true, [[9.0, 8.0, 7.0], [1.0, 0.0, 0.0], [6.0, 5.0, 4.0]]),
        (false, [[9.0, 8.0, 7.0], [0.0; 3], [6.0, 5.0, 4.0]]),
    ];
    let indices: [(u32, &[u8]); 3] = [
        (5121, &[0, 2]),
        (5123, &[0, 0, 2, 0]),
        (5125, &[0, 0, 0, 0, 2, 0, 0, 0]),
    ];
    for (has_base, expected) in bases {
        for (code, indices) in indices {
            let fixture = GltfFixture::with_positions(|fixture| {
                let base = fixture.floats("VEC3", &TRIANGLE);
                let values = fixture.floats("VEC3", &[9.0, 8.0, 7.0, 6.0, 5.0, 4.0]);
                let indices = fixture.view(indices);
                let mut accessor = json!({
                    "componentType": 5126, "count": 3, "type": "VEC3",
                    "sparse": {
                        "count": 2,
                        "indices": { "bufferView": indices, "componentType": code },
                        "values": { "bufferView": values },
                    },
                });
                if has_base {
                    accessor["bufferView"] = json!(base);
                }
                fixture.accessor(accessor)
            });
            assert_eq!(positions(&fixture), expected, "{has_base} {code}");
        }
    }
}

#[test]
fn a_sparse_index_past_the_end_is_refused() {
    let fixture = GltfFixture::with_positions(|fixture| {
        let values = fixture.floats("VEC3", &[9.0, 8.0, 7.0]);
        let indices = fixture.view(&[3]);
        fixture.accessor(json!({
            "componentType": 5126, "count": 3, "type": "VEC3",
            "sparse": {
                "count": 1,
                "indices": { "bufferView": indices, "componentType": 5121 },
                "values": { "bufferView": values },
            },
        }))
    });
    let expected = "accessors[1].sparse.indices, element 0: \
                    expected an index below the accessor's 3, found 3";
    assert_eq!(fixture.refusal(), expected);
}

#[test]
fn indices_of_every_type_in_every_mode() {
    let quad = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0];
    let types: [(u32, &[u8]); 3] = [
        (5121, &[3, 1, 0, 2]),
        (5123, &[3, 0, 1, 0, 0, 0, 2, 0]),
        (5125, &[3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0]),
    ];
    let modes: [(u32, &[[u32; 3]]); 3] = [
        (4, &[[3, 1, 0]]),
        (5, &[[3, 1, 0], [1, 2, 0]]),
        (6, &[[1, 0, 3], [0, 2, 3]]),
    ];
    for (code, bytes) in types {
        for (mode, triangles) in modes {
            let mut fixture = GltfFixture::new();
            let positions = fixture.floats("VEC3", &quad);
            let view = fixture.view(bytes);
            let indices = fixture.accessor(json!({
                "bufferView": view, "componentType": code, "count": 4, "type": "SCALAR",
            }));
            fixture.node_with(json!({
                "attributes": { "POSITION": positions }, "indices": indices, "mode": mode,
            }));
            let part = &fixture.read().data.parts[0];
            assert_eq!(part.triangles, triangles, "{code} {mode}");
        }
    }
}

/// The same four points and their triangles, as meshoptimizer encodes them.
#[test]
fn compressed_views_are_decoded() {
    let versions: [&[u8]; 2] = [
        &[
            160, 0, 0, 1, 60, 0, 0, 0, 255, 255, 1, 60, 0, 0, 0, 126, 125, 0, 0, 1, 15, 0, 0, 0,
            255, 255, 1, 15, 0, 0, 0, 126, 125, 0, 0, 1, 3, 0, 0, 0, 255, 1, 3, 0, 0, 0, 126, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0,
        ],
        &[
            161, 250, 250, 234, 0, 0, 255, 0, 0, 127, 126, 0, 0, 0, 0, 255, 0, 0, 127, 126, 0, 0,
            0, 127, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1,
        ],
    ];
    let triangles: &[u8] = &[
        225, 254, 14, 18, 3, 240, 4, 0, 118, 135, 86, 103, 120, 169, 134, 101, 137, 104, 152, 1,
        105, 0, 0,
    ];
    let sequence: &[u8] = &[209, 0, 8, 2, 2, 4, 8, 6, 4, 4, 10, 12, 2, 0, 0, 0, 0];
    let streams = [
        (
            "TRIANGLES",
            triangles,
            [[0, 2, 1], [0, 1, 3], [3, 1, 2], [3, 2, 0]],
        ),
        (
            "INDICES",
            sequence,
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
        ),
    ];
    for extension in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        for vertices in versions {
            for (mode, indices, expected) in streams {
                let fixture = compressed(extension, vertices, mode, indices);
                let part = &fixture.read().data.parts[0];
                assert_eq!(part.positions, [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]);
                assert_eq!(part.triangles, expected, "{extension} {mode}");
            }
        }
    }
}

#[test]
fn the_exponential_filter_makes_floats() {
    let bytes: &[u8] = &[
        160, 0, 1, 60, 0, 0, 0, 128, 127, 0, 1, 60, 0, 0, 0, 27, 28, 0, 1, 15, 0, 0, 0, 128, 127,
        0, 1, 15, 0, 0, 0, 27, 28, 0, 1, 3, 0, 0, 0, 128, 0, 1, 3, 0, 0, 0, 27, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    let mut fixture = compressed("EXT_meshopt_compression", bytes, "INDICES", &[208]);
    let primitive = &mut fixture.document["meshes"][0]["primitives"][0];
    primitive.as_object_mut().unwrap().remove("indices");
    fixture.document["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["filter"] =
        json!("EXPONENTIAL");
    let part = &fixture.read().data.parts[0];
    assert_eq!(part.positions, [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]);
}

#[test]
fn compressed_lengths_that_lie_are_refused() {
    let mut fixture = compressed("EXT_meshopt_compression", &[160], "INDICES", &[208]);
    let count = 1_u64 << 28;
    let view = &mut fixture.document["bufferViews"][0];
    view["byteLength"] = json!(count * 12);
    view["extensions"]["EXT_meshopt_compression"]["count"] = json!(count);
    fixture.document["buffers"][0]["byteLength"] = json!(count * 12);
    let message = fixture.refusal();
    let expected = "bufferViews[0].extensions.count: \
                    expected at most the 1024 bytes that the compressed ones can hold";
    assert!(message.starts_with(expected), "{message}");
}

/// Four positions and twelve indices, both compressed, with a fallback buffer without bytes.
fn compressed(extension: &str, vertices: &[u8], mode: &str, indices: &[u8]) -> GltfFixture {
    let mut fixture = GltfFixture::new();
    fixture.document["extensionsRequired"] = json!([extension]);
    fixture.push(
        "buffers",
        json!({ "byteLength": 96, "extensions": { extension: { "fallback": true } } }),
    );
    let streams = [
        (0, 12, 4, "ATTRIBUTES", vertices),
        (48, 4, 12, mode, indices),
    ];
    for (at, stride, count, mode, bytes) in streams {
        let view = fixture.view(bytes);
        let view = &mut fixture.document["bufferViews"][view];
        *view = json!({
            "buffer": 1, "byteOffset": at, "byteLength": stride * count,
            "extensions": { extension: {
                "buffer": 0, "byteOffset": view["byteOffset"], "byteLength": bytes.len(),
                "byteStride": stride, "count": count, "mode": mode,
            }},
        });
    }
    let positions = fixture.accessor(json!({
        "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
    }));
    let indices = fixture.accessor(json!({
        "bufferView": 1, "componentType": 5125, "count": 12, "type": "SCALAR",
    }));
    fixture.node_with(json!({ "attributes": { "POSITION": positions }, "indices": indices }));
    fixture
}

#[test]
fn what_is_beside_optional_draco_is_read() {
    let mut fixture = GltfFixture::triangle();
    let primitive = &mut fixture.document["meshes"][0]["primitives"][0];
    primitive["extensions"] = json!({ "KHR_draco_mesh_compression": { "bufferView": 0 } });
    assert_eq!(fixture.read().data.parts[0].triangles.len(), 1);
    let accessor = &mut fixture.document["accessors"][0];
    accessor.as_object_mut().unwrap().remove("bufferView");
    let expected =
        "meshes[0].primitives[0]: the extension KHR_draco_mesh_compression is not supported";
    assert_eq!(fixture.refusal(), expected);
}
