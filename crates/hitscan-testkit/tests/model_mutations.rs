//! Broken model files: cut short at every length, each byte changed, and changed at random. Whatever
//! the bytes, reading ends with a model or an error, and what is read is in proportion to the file.

use std::path::Path;

use glam::DMat4;
use hitscan::Model;
use hitscan::model::ModelData;
use hitscan_assets::{ModelOptions, read_model_bytes};
use hitscan_testkit::{GltfFixture, Rng, TRIANGLE};
use serde_json::json;

/// How many variants of one file were read, and how many refused.
struct Counts {
    name: &'static str,
    read: usize,
    refused: usize,
}

impl Counts {
    fn of(name: &'static str) -> Self {
        Self {
            name,
            read: 0,
            refused: 0,
        }
    }

    /// Reads `bytes` as a model; answers whether they can be.
    fn check(&mut self, bytes: &[u8]) -> bool {
        // No file is referred to: a URI that became a path leads into an empty folder.
        let path = Path::new("there is no such folder").join(self.name);
        let result = read_model_bytes(&path, bytes, &ModelOptions::default());
        match result {
            Ok(file) => {
                let size = size(&file.data);
                assert!(size <= 4096 + 64 * bytes.len(), "{size} of {}", bytes.len());
                drop(Model::new(file.data));
                self.read += 1;
                true
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                self.refused += 1;
                false
            }
        }
    }
}

/// The bytes of everything that a file can make long.
fn size(data: &ModelData) -> usize {
    let parts = data.parts.iter().map(|part| {
        let vertices = part.positions.len() * (1 + part.morph_targets.len());
        let influences = part.skin.as_ref().map_or(0, |skin| skin.joints.len());
        12 * (vertices + part.triangles.len()) + 6 * influences
    });
    let channels = data.clips.iter().flat_map(|clip| &clip.channels);
    let keys = channels.map(|channel| 4 * (channel.times.len() + channel.values.len()));
    parts.chain(keys).sum()
}

/// Everything that a glTF file can have, in little: a skinned, morphing, animated triangle.
fn rich_gltf() -> GltfFixture {
    let mut fixture = GltfFixture::new();
    let positions = fixture.floats("VEC3", &TRIANGLE);
    let sparse = fixture.floats("VEC3", &[0.0, 0.0, 2.0]);
    let sparse_index = fixture.view(&[2]);
    let shift = fixture.accessor(json!({
        "componentType": 5126, "count": 3, "type": "VEC3",
        "sparse": {
            "count": 1,
            "indices": { "bufferView": sparse_index, "componentType": 5121 },
            "values": { "bufferView": sparse },
        },
    }));
    let indices = fixture.view(&[0, 0, 1, 0, 2, 0, 1, 0]);
    let indices = fixture.accessor(json!({
        "bufferView": indices, "componentType": 5123, "count": 4, "type": "SCALAR",
    }));
    let joints = fixture.view(&[0, 1, 0, 0].repeat(3));
    let joints = fixture.accessor(json!({
        "bufferView": joints, "componentType": 5121, "count": 3, "type": "VEC4",
    }));
    let weights = fixture.floats("VEC4", &[0.5, 0.5, 0.0, 0.0].repeat(3));
    let matrices = [DMat4::IDENTITY.as_mat4().to_cols_array(); 2].concat();
    let matrices = fixture.floats("MAT4", &matrices);
    let times = fixture.floats("SCALAR", &[0.0, 1.0]);
    let rotations = fixture.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8]);
    let node = fixture.node_with(json!({
        "attributes": { "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights },
        "targets": [{ "POSITION": shift }], "indices": indices, "mode": 5,
    }));
    fixture.document["nodes"][node]["skin"] = json!(0);
    fixture.push(
        "nodes",
        json!({ "children": [2], "translation": [1.5, 0, 0] }),
    );
    fixture.push("nodes", json!({ "name": "tip", "rotation": [0, 0, 0, 1] }));
    fixture.push("scenes", json!({ "nodes": [0, 1] }));
    fixture.push(
        "skins",
        json!({ "joints": [1, 2], "inverseBindMatrices": matrices }),
    );
    let clip = json!({
        "samplers": [
            { "input": times, "output": rotations, "interpolation": "LINEAR" },
            { "input": times, "output": times, "interpolation": "STEP" },
        ],
        "channels": [
            { "sampler": 0, "target": { "node": 2, "path": "rotation" } },
            { "sampler": 1, "target": { "node": 0, "path": "weights" } },
        ],
    });
    fixture.push("animations", clip);
    fixture
}

/// Four points and their triangles, compressed by meshoptimizer.
fn compressed_gltf() -> GltfFixture {
    let vertices: &[u8] = &[
        161, 250, 250, 234, 0, 0, 255, 0, 0, 127, 126, 0, 0, 0, 0, 255, 0, 0, 127, 126, 0, 0, 0,
        127, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1,
    ];
    let triangles: &[u8] = &[
        225, 254, 14, 18, 3, 240, 4, 0, 118, 135, 86, 103, 120, 169, 134, 101, 137, 104, 152, 1,
        105, 0, 0,
    ];
    let mut fixture = GltfFixture::new();
    for (stride, count, mode, bytes) in [
        (12, 4, "ATTRIBUTES", vertices),
        (4, 12, "TRIANGLES", triangles),
    ] {
        let view = fixture.view(bytes);
        let view = &mut fixture.document["bufferViews"][view];
        *view = json!({
            "buffer": 1, "byteLength": stride * count,
            "extensions": { "EXT_meshopt_compression": {
                "buffer": 0, "byteOffset": view["byteOffset"], "byteLength": bytes.len(),
                "byteStride": stride, "count": count, "mode": mode,
            }},
        });
    }
    let fallback = json!({
        "byteLength": 48, "extensions": { "EXT_meshopt_compression": { "fallback": true } },
    });
    fixture.push("buffers", fallback);
    let positions = fixture.accessor(json!({
        "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
    }));
    let indices = fixture.accessor(json!({
        "bufferView": 1, "componentType": 5125, "count": 12, "type": "SCALAR",
    }));
    fixture.node_with(json!({ "attributes": { "POSITION": positions }, "indices": indices }));
    fixture
}

fn data_uri(bytes: &[u8]) -> String {
    let content: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    format!("data:,{content}")
}

fn binary_stl() -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend(2_u32.to_le_bytes());
    for _ in 0..2 {
        let values = [&[0.0; 3][..], &TRIANGLE].concat();
        bytes.extend(values.iter().flat_map(|value: &f32| value.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

const PLY_HEADER: &str = "element vertex 3\nproperty float x\nproperty float y\n\
    property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";

fn binary_ply(order: &str) -> Vec<u8> {
    let mut bytes = format!("ply\nformat binary_{order}_endian 1.0\n{PLY_HEADER}").into_bytes();
    let values = TRIANGLE.map(f32::to_bits);
    let (corners, faces) = (values.as_slice(), [0_u32, 1, 2]);
    let mut put = |value: u32| match order {
        "big" => bytes.extend(value.to_be_bytes()),
        _ => bytes.extend(value.to_le_bytes()),
    };
    corners.iter().copied().for_each(&mut put);
    bytes.push(3);
    for face in faces {
        match order {
            "big" => bytes.extend(face.to_be_bytes()),
            _ => bytes.extend(face.to_le_bytes()),
        }
    }
    bytes
}

fn sound_files() -> Vec<(&'static str, Vec<u8>)> {
    let rich = rich_gltf();
    let text = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
                vertex 0 1 0\nendloop\nendfacet\nendsolid s\n";
    let ply = format!("ply\nformat ascii 1.0\n{PLY_HEADER}0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    let obj = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0 \\\n1\nv 1 1 1\nf 1/1 2//2 3 -1\ng b\nf -1 -2 -3\n";
    vec![
        ("m.gltf", rich.gltf(&data_uri(&rich.bytes))),
        ("m.glb", rich.glb()),
        ("compressed.glb", compressed_gltf().glb()),
        ("m.obj", obj.as_bytes().to_vec()),
        ("text.stl", text.as_bytes().to_vec()),
        ("binary.stl", binary_stl()),
        ("text.ply", ply.into_bytes()),
        ("little.ply", binary_ply("little")),
        ("big.ply", binary_ply("big")),
    ]
}

#[test]
fn files_cut_short_at_every_length() {
    for (name, bytes) in sound_files() {
        let mut counts = Counts::of(name);
        assert!(counts.check(&bytes), "{name} is sound");
        for length in 0..bytes.len() {
            counts.check(&bytes[..length]);
        }
        println!("{name}: {} read, {} refused", counts.read, counts.refused);
    }
}

#[test]
fn files_with_any_byte_changed() {
    for (name, bytes) in sound_files() {
        let mut counts = Counts::of(name);
        for at in 0..bytes.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= flip;
                counts.check(&changed);
            }
        }
        println!("{name}: {} read, {} refused", counts.read, counts.refused);
        assert!(counts.refused > 0, "{name}");
    }
}

/// Changes that keep more of a file's sense than single bytes do: digits for digits, pieces moved,
/// extreme numbers.
fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let at = rng.below(bytes.len());
    match rng.below(6) {
        0 => bytes[at] = rng.next_u32().to_le_bytes()[0],
        1 => {
            let digit = bytes[at..].iter().position(u8::is_ascii_digit);
            if let Some(digit) = digit {
                bytes[at + digit] = b'0' + rng.next_u32().to_le_bytes()[0] % 10;
            }
        }
        2 => {
            let number = [
                "99999999",
                "-1",
                "4294967295",
                "1e39",
                "0.5",
                "18446744073709551615",
            ];
            let number = number[rng.below(number.len())].as_bytes();
            let digit = bytes[at..].iter().position(u8::is_ascii_digit);
            if let Some(digit) = digit {
                bytes.splice(at + digit..=at + digit, number.iter().copied());
            }
        }
        3 => {
            let extreme = [u32::MAX, 0x7f80_0000, 0x7fc0_0000, 0x8000_0000, 0][rng.below(5)];
            for (byte, new) in bytes[at..].iter_mut().zip(extreme.to_le_bytes()) {
                *byte = new;
            }
        }
        4 => {
            let length = rng.below(16).min(bytes.len() - at);
            let piece = bytes[at..at + length].to_vec();
            let to = rng.below(bytes.len());
            bytes.splice(to..to, piece);
        }
        _ => {
            let length = rng.below(8).min(bytes.len() - at - 1);
            bytes.drain(at..at + length);
        }
    }
}

#[test]
fn files_changed_at_random() {
    const SEED: u64 = 20_260_713;
    println!("seed {SEED}");
    let mut rng = Rng::new(SEED);
    for (name, bytes) in sound_files() {
        let mut counts = Counts::of(name);
        for _ in 0..3000 {
            let mut changed = bytes.clone();
            for _ in 0..=rng.below(3) {
                mutate(&mut rng, &mut changed);
            }
            counts.check(&changed);
        }
        println!("{name}: {} read, {} refused", counts.read, counts.refused);
        assert!(counts.read > 0 && counts.refused > 0, "{name}");
    }
    assert_peak_memory(Path::new("/proc/self/status"));
}

/// Where the system reports it, the whole run took less than 256 MiB at any time.
fn assert_peak_memory(status: &Path) {
    let Ok(status) = std::fs::read_to_string(status) else {
        return;
    };
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak: Option<u64> = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse().ok());
    if let Some(kib) = peak {
        println!("peak {kib} KiB");
        assert!(kib < 256 << 10, "{kib} KiB");
    }
}
