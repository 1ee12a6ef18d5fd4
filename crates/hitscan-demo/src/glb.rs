//! A small writer of binary glTF files.
//!
//! Values go into one buffer and are referred to by accessor; nodes, meshes, skins and clips are
//! JSON. It writes what the demo's robot needs and no more.
//!
//! # Source
//! Khronos Group, "glTF 2.0 Specification", 2021, for counts, bounds and alignment.

use crate::solid::Solid;
use glam::{DMat4, DQuat, DVec3};
use serde_json::{Value, json};

/// The number of an accessor in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Accessor(usize);

/// A file that is being built.
#[derive(Debug, Default)]
pub(crate) struct Glb {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    materials: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    skins: Vec<Value>,
    animations: Vec<Value>,
}

/// What a buffer view's bytes are for.
#[derive(Debug, Clone, Copy)]
enum Target {
    Vertices,
    Indices,
    Other,
}

const UNSIGNED_SHORT: u32 = 5123;
const FLOAT: u32 = 5126;

impl Glb {
    /// Adds values as a buffer view, and the accessor that describes them.
    fn accessor(&mut self, bytes: Vec<u8>, target: Target, mut accessor: Value) -> Accessor {
        let mut view = json!({
            "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len(),
        });
        match target {
            Target::Vertices => view["target"] = json!(34962),
            Target::Indices => view["target"] = json!(34963),
            Target::Other => {}
        }
        self.bytes.extend(bytes);
        // Each view starts at a multiple of four, as floats need.
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        accessor["bufferView"] = json!(self.views.len());
        self.views.push(view);
        self.accessors.push(accessor);
        Accessor(self.accessors.len() - 1)
    }

    fn floats(&mut self, values: &[f32], kind: &str, target: Target, bounds: Bounds) -> Accessor {
        let size = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let mut accessor = json!({
            "componentType": FLOAT, "count": values.len() / size, "type": kind,
        });
        if bounds == Bounds::Given {
            let column = |axis: usize| values.iter().skip(axis).step_by(size).copied();
            let fold = |start: f32, pick: fn(f32, f32) -> f32| -> Vec<f32> {
                (0..size)
                    .map(|axis| column(axis).fold(start, pick))
                    .collect()
            };
            accessor["min"] = json!(fold(f32::INFINITY, f32::min));
            accessor["max"] = json!(fold(f32::NEG_INFINITY, f32::max));
        }
        let bytes = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.accessor(bytes, target, accessor)
    }

    /// Positions or displacements of vertices.
    pub(crate) fn points(&mut self, points: &[DVec3]) -> Accessor {
        let values: Vec<f32> = points
            .iter()
            .flat_map(|point| point.as_vec3().to_array())
            .collect();
        self.floats(&values, "VEC3", Target::Vertices, Bounds::Given)
    }

    fn indices(&mut self, triangles: &[[u16; 3]]) -> Accessor {
        let count = triangles.len() * 3;
        let bytes = triangles
            .iter()
            .flatten()
            .flat_map(|index| index.to_le_bytes())
            .collect();
        let accessor = json!({ "componentType": UNSIGNED_SHORT, "count": count, "type": "SCALAR" });
        self.accessor(bytes, Target::Indices, accessor)
    }

    /// A colour for meshes: linear light, dielectric.
    pub(crate) fn material(&mut self, name: &str, color: [f32; 3], roughness: f32) -> usize {
        let [red, green, blue] = color;
        self.materials.push(json!({
            "name": name,
            "pbrMetallicRoughness": {
                "baseColorFactor": [red, green, blue, 1.0],
                "metallicFactor": 0.0,
                "roughnessFactor": roughness,
            },
        }));
        self.materials.len() - 1
    }

    /// A mesh of one primitive.
    pub(crate) fn mesh(&mut self, name: &str, solid: &Solid, material: usize) -> usize {
        let primitive = self.primitive(solid, material);
        self.push_mesh(json!({ "name": name, "primitives": [primitive] }))
    }

    /// A mesh with one morph target: a displacement for each vertex, at `weight` when at rest.
    pub(crate) fn morphed_mesh(
        &mut self,
        name: &str,
        solid: &Solid,
        material: usize,
        displacements: &[DVec3],
        weight: f32,
    ) -> usize {
        let mut primitive = self.primitive(solid, material);
        let target = self.points(displacements);
        primitive["targets"] = json!([{ "POSITION": target.0 }]);
        self.push_mesh(json!({
            "name": name, "primitives": [primitive], "weights": [weight],
        }))
    }

    /// A mesh whose vertices follow up to four joints each.
    pub(crate) fn skinned_mesh(
        &mut self,
        name: &str,
        solid: &Solid,
        material: usize,
        joints: &[[u16; 4]],
        weights: &[[f32; 4]],
    ) -> usize {
        let mut primitive = self.primitive(solid, material);
        let bytes = joints
            .iter()
            .flatten()
            .flat_map(|joint| joint.to_le_bytes())
            .collect();
        let accessor = json!({
            "componentType": UNSIGNED_SHORT, "count": joints.len(), "type": "VEC4",
        });
        let joints = self.accessor(bytes, Target::Vertices, accessor);
        let weights = self.floats(
            weights.as_flattened(),
            "VEC4",
            Target::Vertices,
            Bounds::Absent,
        );
        primitive["attributes"]["JOINTS_0"] = json!(joints.0);
        primitive["attributes"]["WEIGHTS_0"] = json!(weights.0);
        self.push_mesh(json!({ "name": name, "primitives": [primitive] }))
    }

    fn primitive(&mut self, solid: &Solid, material: usize) -> Value {
        let positions = self.points(&solid.positions);
        let indices = self.indices(&solid.triangles);
        json!({
            "attributes": { "POSITION": positions.0 },
            "indices": indices.0,
            "material": material,
        })
    }

    fn push_mesh(&mut self, mesh: Value) -> usize {
        self.meshes.push(mesh);
        self.meshes.len() - 1
    }

    /// A node at `translation` in its parent's space.
    pub(crate) fn node(&mut self, name: &str, translation: DVec3) -> usize {
        let translation = translation.as_vec3().to_array();
        self.nodes
            .push(json!({ "name": name, "translation": translation }));
        self.nodes.len() - 1
    }

    /// Gives a node its rotation at rest.
    pub(crate) fn set_rotation(&mut self, node: usize, rotation: DQuat) {
        self.nodes[node]["rotation"] = json!(rotation.as_quat().to_array());
    }

    /// Gives a node its mesh.
    pub(crate) fn set_mesh(&mut self, node: usize, mesh: usize) {
        self.nodes[node]["mesh"] = json!(mesh);
    }

    /// Gives a node with a skinned mesh its skin.
    pub(crate) fn set_skin(&mut self, node: usize, skin: usize) {
        self.nodes[node]["skin"] = json!(skin);
    }

    /// Makes `child` a child of `parent`.
    pub(crate) fn add_child(&mut self, parent: usize, child: usize) {
        if let Some(children) = self.nodes[parent]["children"].as_array_mut() {
            children.push(json!(child));
        } else {
            self.nodes[parent]["children"] = json!([child]);
        }
    }

    /// A skin: joints, and for each the matrix from bind space to the joint's space.
    pub(crate) fn skin(&mut self, name: &str, joints: &[usize], inverse_bind: &[DMat4]) -> usize {
        let values: Vec<f32> = inverse_bind
            .iter()
            .flat_map(|matrix| matrix.as_mat4().to_cols_array())
            .collect();
        let matrices = self.floats(&values, "MAT4", Target::Other, Bounds::Absent);
        self.skins.push(json!({
            "name": name, "joints": joints, "skeleton": joints.first(),
            "inverseBindMatrices": matrices.0,
        }));
        self.skins.len() - 1
    }

    /// Key times in seconds, which several channels may share.
    pub(crate) fn times(&mut self, times: &[f32]) -> Accessor {
        self.floats(times, "SCALAR", Target::Other, Bounds::Given)
    }

    /// An animation clip.
    pub(crate) fn clip(&mut self, name: &str, tracks: &[Track]) {
        let mut samplers = Vec::new();
        let mut channels = Vec::new();
        for track in tracks {
            let kind = match track.path {
                Path::Rotation => "VEC4",
                Path::Translation | Path::Scale => "VEC3",
                Path::Weights => "SCALAR",
            };
            let output = self.floats(&track.values, kind, Target::Other, Bounds::Absent);
            channels.push(json!({
                "sampler": samplers.len(),
                "target": { "node": track.node, "path": track.path.name() },
            }));
            samplers.push(json!({
                "input": track.times.0,
                "interpolation": track.interpolation.name(),
                "output": output.0,
            }));
        }
        self.animations
            .push(json!({ "name": name, "channels": channels, "samplers": samplers }));
    }

    /// The whole file, with these roots in its only scene.
    pub(crate) fn finish(self, roots: &[usize]) -> Vec<u8> {
        let document = json!({
            "asset": { "version": "2.0", "generator": "hitscan demo" },
            "scene": 0,
            "scenes": [{ "name": "Robot", "nodes": roots }],
            "nodes": self.nodes,
            "meshes": self.meshes,
            "materials": self.materials,
            "skins": self.skins,
            "animations": self.animations,
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{ "byteLength": self.bytes.len() }],
        });
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let total = 12 + 8 + text.len() + 8 + self.bytes.len();
        let mut file = Vec::with_capacity(total);
        file.extend(b"glTF");
        file.extend(2_u32.to_le_bytes());
        file.extend(length(total));
        for (kind, chunk) in [(b"JSON", &text), (b"BIN\0", &self.bytes)] {
            file.extend(length(chunk.len()));
            file.extend(kind);
            file.extend(chunk);
        }
        file
    }
}

fn length(bytes: usize) -> [u8; 4] {
    u32::try_from(bytes)
        .expect("the robot's file is far smaller than 4 GiB")
        .to_le_bytes()
}

/// Whether an accessor gives its minimum and maximum values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bounds {
    Given,
    Absent,
}

/// One animated property of one node.
#[derive(Debug, Clone)]
pub(crate) struct Track {
    pub(crate) node: usize,
    pub(crate) path: Path,
    pub(crate) interpolation: Interpolation,
    pub(crate) times: Accessor,
    /// The values of each key; for a cubic spline in-tangent, value and out-tangent.
    pub(crate) values: Vec<f32>,
}

/// What a track animates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Path {
    Translation,
    Rotation,
    Scale,
    Weights,
}

impl Path {
    fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Weights => "weights",
        }
    }
}

/// How a track is interpolated from key to key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interpolation {
    Step,
    Linear,
    CubicSpline,
}

impl Interpolation {
    fn name(self) -> &'static str {
        match self {
            Self::Step => "STEP",
            Self::Linear => "LINEAR",
            Self::CubicSpline => "CUBICSPLINE",
        }
    }
}
