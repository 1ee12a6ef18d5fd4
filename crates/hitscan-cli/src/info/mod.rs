//! `hitscan info`: what is in a file, or what is wrong with it.
//!
//! One file for each kind: `heights.rs`, `model.rs`, `scene.rs`; `earth.rs` has what height maps and
//! scenes share. `facts.rs` lays out what they find.

mod facts;
mod earth;
mod heights;
mod model;
mod scene;

use crate::arguments::InfoArguments;
use crate::failure::Failure;
use crate::output::print;
use facts::Facts;
use hitscan_assets::baked::is_baked_file;
use hitscan_assets::heights::HeightFormat;
use hitscan_table::Format;
use std::path::Path;

pub(crate) fn run(arguments: &InfoArguments) -> Result<(), Failure> {
    let detail = match arguments.json {
        true => Detail::All,
        false => Detail::Short,
    };
    match about(&arguments.file, detail)? {
        None => Ok(()),
        Some(facts) if detail == Detail::Short => print(facts.to_string().as_bytes()),
        Some(facts) => print(facts.into_json().as_bytes()),
    }
}

/// How much of a long list is of interest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// What a person reads.
    Short,
    /// All of it.
    All,
}

/// The facts, unless they are printed already.
fn about(path: &Path, detail: Detail) -> Result<Option<Facts>, Failure> {
    let mut facts = Facts::default();
    facts.value("file", path.display().to_string());
    // Whatever is wrong with the path is said by whoever reads the file.
    if is_baked_file(path).unwrap_or(false) {
        return scene::about_baked(path, detail, facts);
    }
    let ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "toml" => scene::about(path, detail, facts),
        "glb" | "gltf" | "obj" | "stl" | "ply" => model::about(path, facts).map(Some),
        _ if HeightFormat::from_path(path).is_some() => heights::about(path, facts).map(Some),
        _ if Format::of_path(path).is_ok() => Err(Failure::usage(format!(
            "{}: a table of questions or answers, not a scene, a height map or a model: \
             give it to `hitscan ray`, `height` or `sweep` behind a scene",
            path.display()
        ))),
        "npz" => Err(Failure::usage(format!(
            "{}: an archive of arrays: save the array of heights on its own as .npy",
            path.display()
        ))),
        _ => Err(Failure::usage(format!(
            "{}: files of this ending are not read: scenes are .toml; height maps \
             .png, .tif, .tiff, .hgt, .asc, .r16, .raw and .npy; models .glb, .gltf, .obj, .stl \
             and .ply",
            path.display()
        ))),
    }
}
