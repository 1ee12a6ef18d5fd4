//! glTF 2.0: `.gltf` with its buffers, and `.glb`.
//!
//! Bytes become JSON and a binary chunk (`container.rs`), JSON becomes a document (`document.rs`)
//! whose every index and length is checked (`check.rs`) before anything is read through it
//! (`buffers.rs`, `accessors.rs`); then nodes, parts, skins and clips are taken out, in that order.
//! What is done with them (normalising weights, posing) belongs to `hitscan::model`.
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
mod check;
mod buffers;
mod accessors;
mod nodes;
mod primitive;
mod influences;
mod parts;
mod skins;
mod clips;

use std::path::Path;

use hitscan::model::ModelData;

use crate::Error;
use crate::model_file::{Notes, Remarks};
use accessors::Accessors;
use buffers::Buffers;
use document::Document;

/// What a glTF file holds.
#[derive(Debug)]
pub(crate) struct Gltf {
    pub(crate) data: ModelData,
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

/// Reads the glTF file at `path`, whose content is `bytes`: the given scene, or the default one.
pub(crate) fn read(path: &Path, bytes: &[u8], scene: Option<usize>) -> Result<Gltf, Error> {
    let mut notes = Notes::default();
    let container = container::open(path, bytes, &mut notes)?;
    let document = container::parse(path, container.json, &mut notes)?;
    extensions::check(path, &document, &mut notes)?;
    let source = Source {
        path,
        document: &document,
    };
    check::document(source)?;

    let buffers = Buffers::load(source, &container, bytes.len(), &mut notes)?;
    let accessors = Accessors::new(source, &buffers);
    let scene = nodes::choose_scene(source, scene)?;
    let nodes = nodes::read(source, accessors, &mut notes)?;
    let is_shown = nodes::shown(source, scene, &nodes, &mut notes);
    let parts = parts::read(source, accessors, &is_shown, &mut notes)?;
    let skins = skins::read(source, accessors, &mut notes)?;
    let clips = clips::read(source, accessors, &mut notes)?;

    Ok(Gltf {
        data: ModelData {
            nodes,
            skins,
            clips,
            parts,
        },
        is_binary: container.is_binary,
        scenes: document.scenes.len(),
        scene,
        generator: document.asset.generator,
        extensions: document.extensions_used,
        remarks: notes.into_remarks(),
    })
}
