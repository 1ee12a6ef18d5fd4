//! The JSON of a glTF 2.0 file: the properties that geometry and motion need, and no others.
//!
//! Images and cameras are not even looked at, and materials are kept as raw text, so that nothing in
//! them can make a model unusable. Nothing is checked here but types; indices and lengths are checked in `validation.rs`.
//!
//! These types replace the `gltf-json` crate's, which refuse some files in which the Khronos
//! validator finds no error, drop the extensions that are needed here, and do not report at which
//! property of which object a file is wrong.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// The whole document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub(super) asset: Asset,
    #[serde(default)]
    pub(super) extensions_used: Vec<String>,
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
    pub(super) scene: Option<usize>,
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    pub(super) materials: Option<Box<RawValue>>,
    #[serde(default)]
    pub(super) skins: Vec<Skin>,
    #[serde(default)]
    pub(super) animations: Vec<Animation>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset {
    pub(super) version: String,
    pub(super) min_version: Option<String>,
    pub(super) generator: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub(super) nodes: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Node {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) children: Vec<usize>,
    pub(super) mesh: Option<usize>,
    pub(super) skin: Option<usize>,
    pub(super) matrix: Option<Box<[f64; 16]>>,
    pub(super) translation: Option<[f64; 3]>,
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
    pub(super) weights: Option<Vec<f32>>,
    #[serde(default)]
    pub(super) extensions: NodeExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(super) instancing: Option<Box<Instancing>>,
}

/// `EXT_mesh_gpu_instancing` of a node: accessors of transforms.
#[derive(Debug, Deserialize)]
pub(super) struct Instancing {
    #[serde(default)]
    pub(super) attributes: Attributes,
}

#[derive(Debug, Deserialize)]
pub(super) struct Mesh {
    pub(super) name: Option<String>,
    pub(super) primitives: Vec<Primitive>,
    pub(super) weights: Option<Vec<f32>>,
}

/// Accessor indices by attribute name, such as `POSITION` or `JOINTS_0`.
pub(super) type Attributes = BTreeMap<String, usize>;

#[derive(Debug, Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<usize>,
    pub(super) mode: Option<u32>,
    pub(super) material: Option<Box<RawValue>>,
    #[serde(default)]
    pub(super) targets: Vec<Attributes>,
    #[serde(default)]
    pub(super) extensions: PrimitiveExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(super) draco: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) joints: Vec<usize>,
    pub(super) inverse_bind_matrices: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Animation {
    pub(super) name: Option<String>,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: ChannelTarget,
}

#[derive(Debug, Deserialize)]
pub(super) struct ChannelTarget {
    pub(super) node: Option<usize>,
    pub(super) path: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) element_type: String,
    pub(super) sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub(super) count: usize,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
    #[serde(default)]
    pub(super) extensions: ViewExtensions,
}

impl BufferView {
    /// How the view is compressed, if it is.
    pub(super) fn compression(&self) -> Option<&Compression> {
        let ViewExtensions { khr, ext } = &self.extensions;
        khr.as_deref().or(ext.as_deref())
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ViewExtensions {
    #[serde(rename = "KHR_meshopt_compression")]
    khr: Option<Box<Compression>>,
    #[serde(rename = "EXT_meshopt_compression")]
    ext: Option<Box<Compression>>,
}

/// `EXT_meshopt_compression` or `KHR_meshopt_compression` of a buffer view.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Compression {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: usize,
    pub(super) count: usize,
    pub(super) mode: String,
    pub(super) filter: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
    #[serde(default)]
    extensions: BufferExtensions,
}

impl Buffer {
    /// Whether the buffer is only a placeholder for what its compressed views decode to.
    pub(super) fn is_fallback(&self) -> bool {
        let BufferExtensions { khr, ext } = &self.extensions;
        [khr, ext].into_iter().flatten().any(|mark| mark.fallback)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct BufferExtensions {
    #[serde(rename = "KHR_meshopt_compression")]
    khr: Option<FallbackMark>,
    #[serde(rename = "EXT_meshopt_compression")]
    ext: Option<FallbackMark>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FallbackMark {
    fallback: bool,
}
