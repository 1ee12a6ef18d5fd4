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
use hitscan_assets::heights::HeightFormat;
use std::path::Path;

pub(crate) fn run(arguments: &InfoArguments) -> Result<(), Failure> {
    let facts = about(&arguments.file)?;
    print(facts.to_string().as_bytes())
}

fn about(path: &Path) -> Result<Facts, Failure> {
    let ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "toml" => scene::about(path),
        "glb" | "gltf" | "obj" | "stl" | "ply" => model::about(path),
        _ if HeightFormat::from_path(path).is_some() => heights::about(path),
        "csv" | "parquet" | "arrow" => Err(Failure::usage(format!(
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
