//! glTF 2.0: `.gltf` with its buffers, and `.glb`.
//!
//! Bytes become JSON and a binary chunk (`container.rs`), JSON becomes a document (`document.rs`)
//! whose every index and length is checked (`validation.rs`) before anything is read through it
//! (`buffers.rs`, `accessors.rs`); then nodes, parts, skins and clips are taken out, in that order.
//! What is done with them (normalising weights, posing) belongs to `hitscan::model`.
//!
//! Instances of `EXT_mesh_gpu_instancing` are parts: in the order of node, instance, primitive, each
//! named as the part would be without instances and `[k]` after it, `k` from 0. Each is on a node of its
//! own, which is appended after those of the file, below the node that has the mesh. Instances of one
//! primitive share its mesh, unless it has morph targets; a skinned mesh is read once, with a warning.
//!
//! Source: Khronos Group, "glTF 2.0 Specification", version 2.0.1, 2021.

mod document;
mod layout;
mod memory;
mod uri;
mod meshopt;
mod whole_numbers;
mod container;
mod extensions;
mod validation;
mod buffers;
mod accessors;
mod nodes;
mod instances;
mod primitive;
mod influences;
mod colors;
mod looks;
pub(crate) mod textures;
mod parts;
mod colliders;
mod skins;
mod clips;

use std::path::Path;
use std::sync::Arc;

use hitscan::model::ModelData;

use crate::model_file::{ModelCollider, ModelOptions, Notes, Remarks};
use crate::scene_files::SceneFiles;
use crate::{Error, PartColors};
use accessors::Accessors;
use buffers::Buffers;
use document::Document;

/// What a glTF file holds.
#[derive(Debug)]
pub(crate) struct Gltf {
    pub(crate) data: ModelData,
    /// Of each part.
    pub(crate) colors: Vec<Arc<PartColors>>,
    pub(crate) colliders: Vec<ModelCollider>,
    pub(crate) is_binary: bool,
    pub(crate) generator: Option<String>,
    pub(crate) extensions: Vec<String>,
    pub(crate) scenes: usize,
    pub(crate) scene: Option<usize>,
    pub(crate) remarks: Remarks,
}

/// The document that is being read and its file.
#[derive(Debug, Clone, Copy)]
struct Source<'a> {
    path: &'a Path,
    document: &'a Document,
}

impl Source<'_> {
    fn malformed(
        &self,
        location: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Error {
        Error::malformed(self.path, location, expected, found)
    }
}

/// Reads the glTF file at `path`, whose content is `bytes` and whose buffers are in `files`: the scene of the
/// options, or the default one.
pub(crate) fn read(
    files: &dyn SceneFiles,
    path: &Path,
    bytes: &[u8],
    options: &ModelOptions,
) -> Result<Gltf, Error> {
    let mut notes = Notes::default();
    let container = container::open(path, bytes, &mut notes)?;
    let document = container::parse(path, container.json, &mut notes)?;
    extensions::check(path, &document, &mut notes)?;
    let source = Source {
        path,
        document: &document,
    };
    validation::document(source)?;

    let buffers = Buffers::load(files, source, &container, bytes.len(), &mut notes)?;
    let accessors = Accessors::new(source, &buffers);
    let scene = nodes::choose_scene(source, options.scene)?;
    let mut nodes = nodes::read(source, accessors, &mut notes)?;
    let is_shown = nodes::shown(source, scene, &nodes, &mut notes);
    let instances = instances::read(source, accessors, &is_shown, &mut nodes, &mut notes)?;
    let (parts, colors) = parts::read(source, accessors, &is_shown, &instances, &mut notes)?;
    let colliders = match options.colliders {
        true => colliders::read(source, container.json, accessors, &is_shown)?,
        false => Vec::new(),
    };
    let skins = skins::read(source, accessors, &mut notes)?;
    let clips = clips::read(source, accessors, &mut notes)?;

    Ok(Gltf {
        data: ModelData {
            nodes,
            skins,
            clips,
            parts,
        },
        colors,
        colliders,
        is_binary: container.is_binary,
        scenes: document.scenes.len(),
        scene,
        generator: document.asset.generator,
        extensions: document.extensions_used,
        remarks: notes.into_remarks(),
    })
}
