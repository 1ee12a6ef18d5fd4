//! A model file of any format: its model, other facts about it, and the options of reading it.
//!
//! Each format has its own module (`gltf/`, `obj.rs`, `stl.rs`, `ply.rs`); `read_model.rs` chooses
//! among them.

mod collider;
mod colors;
mod notes;
mod solid;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use hitscan::model::ModelData;

pub use collider::{ColliderShape, ModelCollider};
pub use colors::{PartColors, PrimitiveIndex};
pub(crate) use notes::{Notes, Remarks};
pub(crate) use solid::{MAX_COORDINATE, Solid, coordinate};

/// A model as it is in a file, and other facts about the file.
///
/// # Example
/// ```
/// # use hitscan_assets::{ModelFormat, ModelOptions, read_model};
/// # let path = std::env::temp_dir().join(format!("hitscan-doc-{}.obj", std::process::id()));
/// std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n")?;
/// let file = read_model(&path, &ModelOptions::default())?;
/// assert_eq!(file.format, ModelFormat::Obj);
/// assert_eq!(file.data.parts[0].triangles, [[0, 1, 2]]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct ModelFile {
    /// Nodes, parts, skins and clips.
    pub data: ModelData,
    /// The colours of each part, which instances share (glTF); empty for other formats.
    pub colors: Vec<Arc<PartColors>>,
    /// The colliders of its nodes, in their order (glTF), where [`ModelOptions::colliders`] requests them.
    pub colliders: Vec<ModelCollider>,
    /// The file's format.
    pub format: ModelFormat,
    /// The program that wrote the file, where the file names it (glTF).
    pub generator: Option<String>,
    /// The extensions that the file lists as used (glTF).
    pub extensions: Vec<String>,
    /// How many scenes the file has (glTF); the others have none.
    pub scenes: usize,
    /// The scene whose parts were read; `None` where a file has none and all was read.
    pub scene: Option<usize>,
    /// What was skipped or is odd, one sentence each; the model is still what the file means.
    pub notes: Vec<String>,
    /// What may make the model another one than its author means, one sentence each.
    pub warnings: Vec<String>,
}

/// The formats that models come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelFormat {
    /// glTF 2.0 as JSON with buffers beside or within it.
    Gltf,
    /// glTF 2.0 in one binary file.
    Glb,
    /// Wavefront OBJ.
    Obj,
    /// STL as text.
    StlAscii,
    /// STL, binary.
    StlBinary,
    /// PLY as text.
    PlyAscii,
    /// PLY, binary, of either byte order.
    PlyBinary,
}

impl ModelFormat {
    /// Whether the ending of `path` is one of a model: `.gltf`, `.glb`, `.obj`, `.stl` or `.ply`, in
    /// capitals or not.
    ///
    /// ```
    /// use hitscan_assets::ModelFormat;
    /// assert!(ModelFormat::is_model("Fox.GLB".as_ref()));
    /// assert!(!ModelFormat::is_model("scene.toml".as_ref()));
    /// ```
    #[must_use]
    pub fn is_model(path: &Path) -> bool {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let ending = ending.to_ascii_lowercase();
        matches!(ending.as_str(), "gltf" | "glb" | "obj" | "stl" | "ply")
    }
}

impl fmt::Display for ModelFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gltf => "glTF 2.0",
            Self::Glb => "glTF 2.0, binary",
            Self::Obj => "Wavefront OBJ",
            Self::StlAscii => "STL, text",
            Self::StlBinary => "STL, binary",
            Self::PlyAscii => "PLY, text",
            Self::PlyBinary => "PLY, binary",
        })
    }
}

/// Which axis of a file points up. In glTF it is y by definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// As hitscan has it.
    #[default]
    Y,
    /// Rotated by a quarter turn about x: `(x, y, z)` becomes `(x, z, -y)`.
    Z,
}

/// How a model file is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ModelOptions {
    /// The scene whose parts are wanted (glTF only); `None` is the file's default scene, else its
    /// first, else everything.
    pub scene: Option<usize>,
    /// The axis that points up in an OBJ, STL or PLY file.
    pub up: UpAxis,
    /// Whether the colliders of a glTF file are read too: those of `KHR_physics_rigid_bodies` and
    /// `OMI_physics_body`.
    pub colliders: bool,
}
