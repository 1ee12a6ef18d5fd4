//! Reads a model file of any format into [`hitscan::model::ModelData`].
//!
//! The file's ending names the format; each has its own module (`gltf/`, `obj.rs`, `stl.rs`,
//! `ply.rs`). What the data mean, and whether they are valid, is decided by `hitscan::Model::new`.

use std::path::Path;

use hitscan::model::ModelData;

use crate::model_file::{ModelFile, ModelFormat, ModelOptions, Solid, UpAxis};
use crate::read_file::MAX_FILE_BYTES;
use crate::scene_files::{DiskFiles, SceneFiles};
use crate::{Error, gltf, obj, ply, stl};

/// The family of formats that a file's ending names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Gltf,
    Obj,
    Stl,
    Ply,
}

/// Reads the model at `path`; its ending names the format: `.gltf`, `.glb`, `.obj`, `.stl` or
/// `.ply`, in capitals or not.
///
/// A glTF file may refer to buffers in its own folder and below; images and materials are never
/// opened, in no format. With `EXT_mesh_gpu_instancing` each instance of each primitive is a part
/// `<name>[k]`, in the order of node, instance, primitive. Memory stays within 512 MiB and a small multiple of the files' sizes.
///
/// # Errors
/// All variants of [`Error`], with the file and the location: a file that cannot be read or is
/// broken, a reference out of the model's folder, a required extension that is not supported, a
/// scene that the file does not have, an option that its format does not take.
pub fn read_model(path: &Path, options: &ModelOptions) -> Result<ModelFile, Error> {
    read_model_from(&DiskFiles, path, options)
}

/// Reads the model at `path` of `files`, as [`read_model`] does.
pub(crate) fn read_model_from(
    files: &dyn SceneFiles,
    path: &Path,
    options: &ModelOptions,
) -> Result<ModelFile, Error> {
    let family = family(path, options)?;
    let bytes = files.read(path, MAX_FILE_BYTES)?;
    read_family(files, path, &bytes, family, options)
}

/// Reads the model whose file at `path` has the content `bytes`, as [`read_model`] does.
///
/// The file itself is not opened; its path gives the format, the name of unnamed parts, and the
/// folder of what a glTF file refers to.
///
/// # Errors
/// As [`read_model`].
pub fn read_model_bytes(
    path: &Path,
    bytes: &[u8],
    options: &ModelOptions,
) -> Result<ModelFile, Error> {
    let family = family(path, options)?;
    read_family(&DiskFiles, path, bytes, family, options)
}

fn read_family(
    files: &dyn SceneFiles,
    path: &Path,
    bytes: &[u8],
    family: Family,
    options: &ModelOptions,
) -> Result<ModelFile, Error> {
    let mut file = match family {
        Family::Gltf => return Ok(from_gltf(gltf::read(files, path, bytes, options)?)),
        Family::Obj => from_solid(obj::read(path, bytes)?),
        Family::Stl => from_solid(stl::read(path, bytes)?),
        Family::Ply => from_solid(ply::read(path, bytes)?),
    };
    if options.up == UpAxis::Z {
        turn_up(&mut file.data);
    }
    Ok(file)
}

/// The family that the ending names, which must take the options.
fn family(path: &Path, options: &ModelOptions) -> Result<Family, Error> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let family = match ending.to_ascii_lowercase().as_str() {
        "gltf" | "glb" => Family::Gltf,
        "obj" => Family::Obj,
        "stl" => Family::Stl,
        "ply" => Family::Ply,
        _ => {
            let found = format!("`{ending}`");
            let expected = ".gltf, .glb, .obj, .stl or .ply";
            return Err(Error::malformed(path, "the file's ending", expected, found));
        }
    };
    refuse_foreign_options(path, family, options)?;
    Ok(family)
}

fn refuse_foreign_options(
    path: &Path,
    family: Family,
    options: &ModelOptions,
) -> Result<(), Error> {
    let is_gltf = family == Family::Gltf;
    if is_gltf && options.up != UpAxis::Y {
        let expected = "`y`, as in every glTF file";
        return Err(Error::malformed(path, "the option `up`", expected, "`z`"));
    }
    if let Some(scene) = options.scene
        && !is_gltf
    {
        let expected = "none, as only glTF files have scenes";
        let found = scene.to_string();
        return Err(Error::malformed(
            path,
            "the option `scene`",
            expected,
            found,
        ));
    }
    Ok(())
}

fn from_gltf(gltf: gltf::Gltf) -> ModelFile {
    ModelFile {
        data: gltf.data,
        colors: gltf.colors,
        colliders: gltf.colliders,
        format: if gltf.is_binary {
            ModelFormat::Glb
        } else {
            ModelFormat::Gltf
        },
        generator: gltf.generator,
        extensions: gltf.extensions,
        scenes: gltf.scenes,
        scene: gltf.scene,
        notes: gltf.remarks.notes,
        warnings: gltf.remarks.warnings,
    }
}

fn from_solid((solid, format): (Solid, ModelFormat)) -> ModelFile {
    let (data, remarks) = solid.into_data();
    ModelFile {
        data,
        colors: Vec::new(),
        colliders: Vec::new(),
        format,
        generator: None,
        extensions: Vec::new(),
        scenes: 0,
        scene: None,
        notes: remarks.notes,
        warnings: remarks.warnings,
    }
}

/// Turns positions from z-up to y-up. `0.0 - y` rather than `-y`: a zero stays a positive one.
fn turn_up(data: &mut ModelData) {
    for position in data.parts.iter_mut().flat_map(|part| &mut part.positions) {
        *position = glam::Vec3::new(position.x, position.z, 0.0 - position.y);
    }
}
