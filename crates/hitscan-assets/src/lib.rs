//! Reads height maps, models and scene files into the shapes and worlds of `hitscan`.
//!
//! - [`load_scene`] reads a scene file and all files that it names, [`load_scene_from`] from
//!   elsewhere than the disk.
//! - [`bake`] writes a loaded scene such that [`open_baked`] uses it where it lies, in no time;
//!   [`load_scene`] takes such a file too.
//! - [`read_model()`] reads glTF, OBJ, STL and PLY.
//! - [`heights::read_heights`] reads PNG, TIFF, HGT, ESRI ASCII, raw and NPY height maps.
//! - [`georeference`] has where they are on the earth, and the coordinates of a scene's map.
//!
//! The bytes need not be trusted. Every count that a file states is checked against the bytes that
//! are there before memory is allocated, and whatever is wrong is an [`Error`] that names the file,
//! the location and what was expected; nothing here panics.

// Modules are listed in reading order: each uses only those before it.
mod suggest;
mod error;
mod read_file;
mod read_at;
mod mapped;
pub mod baked;
mod scene_files;
mod tiff_numbers;
pub mod georeference;
pub mod heights;
mod model_file;
mod texture;
mod obj;
mod stl;
mod ply;
mod gltf;
mod read_model;
pub mod scene;

pub use error::Error;
pub use model_file::{
    ColliderShape, ModelCollider, ModelFile, ModelFormat, ModelOptions, PartColors, PrimitiveIndex,
    UpAxis,
};
pub use read_at::ReadAt;
pub use read_file::{MAX_FILE_BYTES, MAX_SCENE_BYTES};
pub use read_model::{read_model, read_model_bytes};
pub use scene::{
    Scene, SceneCamera, bake, check_scene_from, check_scene_text_from, check_scene_with_map,
    load_scene, load_scene_from, load_scene_text, load_scene_text_from, load_scene_with_map,
    open_baked, open_baked_bytes, read_hull, write_baked,
};
pub use scene_files::{DiskFiles, MemoryFiles, SceneFiles};
pub use suggest::KnownNames;

/// The example of the README is compiled and run with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
