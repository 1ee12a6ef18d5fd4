//! Reads a model file of any format into [`hitscan::model::ModelData`].
//!
//! The format is told by the file's ending; each has its own module (`gltf/`, `obj.rs`, `stl.rs`,
//! `ply.rs`). What the data mean, and whether they are sound, is for `hitscan::Model::new` to say.

mod notes;
mod solid;

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use hitscan::model::ModelData;

use crate::{Error, gltf, obj, ply, stl};
pub(crate) use notes::Notes;
pub(crate) use solid::{MAX_COORDINATE, Solid, coordinate};

/// A model as it stands in a file, and what else is known of the file.
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
    /// The file's format.
    pub format: ModelFormat,
    /// The program that wrote the file, where it says so (glTF).
    pub generator: Option<String>,
    /// The extensions that the file says it uses (glTF).
    pub extensions: Vec<String>,
    /// How many scenes the file has (glTF); the others have none.
    pub scenes: usize,
    /// The scene whose parts were read; `None` where a file has none and all was read.
    pub scene: Option<usize>,
    /// What was left out or is odd, one sentence each.
    pub notes: Vec<String>,
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

/// Which axis of a file points up. glTF says itself that it is y.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// As hitscan has it.
    #[default]
    Y,
    /// Turned by a quarter about x: `(x, y, z)` becomes `(x, z, -y)`.
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
}

/// The family of formats that a file's ending names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Gltf,
    Obj,
    Stl,
    Ply,
}

/// Reads the model at `path`; its format is told by its ending: `.gltf`, `.glb`, `.obj`, `.stl` or
/// `.ply`, in capitals or not.
///
/// A glTF file may refer to buffers in its own folder and below; images and materials are never
/// opened, in no format. Memory stays within 512 MiB and a small multiple of the files' sizes.
///
/// # Errors
/// Everything that [`Error`] knows, with the file and the place: a file that cannot be read or is
/// broken, a reference out of the model's folder, a required extension that is not supported, a
/// scene that the file does not have, an option that its format does not take.
pub fn read_model(path: &Path, options: &ModelOptions) -> Result<ModelFile, Error> {
    let family = family(path, options)?;
    read_family(path, &read_file(path, u64::MAX)?, family, options)
}

/// Reads the model whose file at `path` has the content `bytes`, as [`read_model`] does.
///
/// The file itself is not opened; its path tells the format, the name of unnamed parts, and the
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
    read_family(path, bytes, family, options)
}

fn read_family(
    path: &Path,
    bytes: &[u8],
    family: Family,
    options: &ModelOptions,
) -> Result<ModelFile, Error> {
    let mut file = match family {
        Family::Gltf => return Ok(from_gltf(gltf::read(path, bytes, options.scene)?)),
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

/// Reads a file, but not more than its first `most` bytes. Devices and pipes, which may never end,
/// are refused.
pub(crate) fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::io(path, source);
    // Asked before opening: to open a pipe waits for its other end.
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        let found = "a folder, device or pipe";
        return Err(Error::malformed(path, "the path", "a file", found));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(most).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

fn from_gltf(gltf: gltf::Gltf) -> ModelFile {
    ModelFile {
        data: gltf.data,
        format: if gltf.is_binary {
            ModelFormat::Glb
        } else {
            ModelFormat::Gltf
        },
        generator: gltf.generator,
        extensions: gltf.extensions,
        scenes: gltf.scenes,
        scene: gltf.scene,
        notes: gltf.notes,
    }
}

fn from_solid((solid, format): (Solid, ModelFormat)) -> ModelFile {
    let (data, notes) = solid.into_data();
    ModelFile {
        data,
        format,
        generator: None,
        extensions: Vec::new(),
        scenes: 0,
        scene: None,
        notes,
    }
}

/// Turns positions from z-up to y-up. `0.0 - y` rather than `-y`: a zero stays a positive one.
fn turn_up(data: &mut ModelData) {
    for position in data.parts.iter_mut().flat_map(|part| &mut part.positions) {
        *position = glam::Vec3::new(position.x, position.z, 0.0 - position.y);
    }
}
