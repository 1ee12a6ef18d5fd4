//! Height maps: the bytes of PNG, TIFF, HGT, ESRI ASCII, raw and NPY files to samples.
//!
//! The file's ending, in any case, names the format; its first bytes are only examined to report what
//! else the file is. Models and scenes do not belong here. Read [`HeightImage`] next, then the file
//! of the format in question: there is one for each. [`HeightMap`] puts tiles together.
//!
//! # What the formats mean where they leave room
//! - 8- and 16-bit unsigned samples of every format (PNG, TIFF, raw, NPY) count as codes: the
//!   scene's `range` applies to them. `height_scale` is accepted for them too, as metres per code.
//! - A GeoTIFF's scale and offset, as GDAL states them, make heights of stored values; `height_scale`
//!   multiplies these, and `range` goes by the codes as stored.
//! - Of several channels the first counts, which is grey or red; alpha is not looked at.
//! - An infinite sample is an error, unless infinity is what the file states as "no data".

mod bits;
mod allowance;
mod samples;
mod scaled;
mod image;
mod units;
mod tile_names;
mod raw;
mod asc;
mod hgt;
mod npy;
mod png;
mod tiff;
mod tile_grid;
mod height_map;
mod hole_triangles;

use std::path::Path;

use allowance::Allowance;
pub use height_map::{Conflicts, HeightMap};
pub use hole_triangles::solid_triangle_count;
pub use image::{HeightImage, HeightScale, StoredScale};
pub use samples::Samples;

pub(crate) use tile_names::tile_names;

use crate::Error;
use crate::read_file::MAX_FILE_BYTES;
use crate::scene_files::{DiskFiles, SceneFiles};

/// The formats of height maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeightFormat {
    /// Portable Network Graphics: `.png`.
    Png,
    /// TIFF and GeoTIFF: `.tif`, `.tiff`.
    Tiff,
    /// A tile of the Shuttle Radar Topography Mission: `.hgt`.
    Hgt,
    /// ESRI ASCII grid: `.asc`.
    Asc,
    /// Little-endian 16-bit codes without a header: `.r16`, `.raw`.
    Raw,
    /// A NumPy array: `.npy`.
    Npy,
}

impl HeightFormat {
    /// The format that the ending of `path` names, if it is one of a height map.
    #[must_use]
    pub fn from_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "png" => Some(Self::Png),
            "tif" | "tiff" => Some(Self::Tiff),
            "hgt" => Some(Self::Hgt),
            "asc" => Some(Self::Asc),
            "r16" | "raw" => Some(Self::Raw),
            "npy" => Some(Self::Npy),
            _ => None,
        }
    }

    /// The format's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Tiff => "TIFF",
            Self::Hgt => "HGT",
            Self::Asc => "ESRI ASCII grid",
            Self::Raw => "raw 16-bit codes",
            Self::Npy => "NumPy array",
        }
    }
}

/// Reads the height map at `path`, a regular file of at most [`MAX_FILE_BYTES`]; see
/// [`read_heights`].
///
/// # Errors
/// As [`read_heights`], and where the file cannot be read.
pub fn read_heights_file(path: &Path, size: Option<[usize; 2]>) -> Result<HeightImage, Error> {
    read_with(&DiskFiles, path, size, Allowance::of_size(size)).map(|(image, _)| image)
}

/// Reads the height map at `path` of `files`, which may have as many samples as `allowance` says; with the
/// number of bytes of the file.
fn read_with(
    files: &dyn SceneFiles,
    path: &Path,
    size: Option<[usize; 2]>,
    allowance: Allowance,
) -> Result<(HeightImage, u64), Error> {
    match HeightFormat::from_path(path) {
        // An ending that names no height map is refused before anything is read.
        None => Err(unknown_ending(path)),
        Some(HeightFormat::Tiff) => {
            let file = files.open(path, MAX_FILE_BYTES)?;
            let image = tiff::read(path, file.as_ref(), allowance)?;
            Ok((of_size(size, image)?, file.length()))
        }
        Some(_) => {
            let bytes = files.read(path, MAX_FILE_BYTES)?;
            let image = decode(path, &bytes, size, allowance)?;
            Ok((image, bytes.len() as u64))
        }
    }
}

/// Reads a height map from `bytes`; the ending of `path` names the format.
///
/// `size` is columns and rows. A raw file has none of its own and is taken to be square without it;
/// any other file must agree with it. A map of more than 2^28 samples in a file with less than a byte for
/// 256 of them is read only with it: such a file is mostly a decompression bomb.
///
/// # Errors
/// When the ending is none of a height map, and for every fault of the bytes, with its location.
pub fn read_heights(
    path: &Path,
    bytes: &[u8],
    size: Option<[usize; 2]>,
) -> Result<HeightImage, Error> {
    decode(path, bytes, size, Allowance::of_size(size))
}

fn decode(
    path: &Path,
    bytes: &[u8],
    size: Option<[usize; 2]>,
    allowance: Allowance,
) -> Result<HeightImage, Error> {
    let image = match HeightFormat::from_path(path) {
        Some(HeightFormat::Png) => png::read(path, bytes, allowance),
        Some(HeightFormat::Tiff) => tiff::read(path, &bytes, allowance),
        Some(HeightFormat::Hgt) => hgt::read(path, bytes),
        Some(HeightFormat::Asc) => asc::read(path, bytes),
        Some(HeightFormat::Raw) => raw::read(path, bytes, size),
        Some(HeightFormat::Npy) => npy::read(path, bytes),
        None => Err(unknown_ending(path)),
    }?;
    of_size(size, image)
}

/// Refuses an image whose size is another than the stated one.
fn of_size(size: Option<[usize; 2]>, image: HeightImage) -> Result<HeightImage, Error> {
    match size {
        Some([columns, rows]) if [columns, rows] != [image.columns(), image.rows()] => {
            Err(Error::malformed(
                image.path(),
                "header",
                format!("{columns} columns and {rows} rows, as `size` says"),
                format!("{} columns and {} rows", image.columns(), image.rows()),
            ))
        }
        _ => Ok(image),
    }
}

fn unknown_ending(path: &Path) -> Error {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let what = match ending.as_deref() {
        Some("npz") => {
            "a height map in an archive of arrays (.npz; save the one array as .npy)".to_owned()
        }
        Some(ending) => format!("a height map that ends in .{ending}"),
        None => "a height map without an ending".to_owned(),
    };
    Error::unsupported(
        path,
        "file name",
        format!("{what}: known are .png, .tif, .tiff, .hgt, .asc, .r16, .raw and .npy, and this"),
    )
}

/// The format that a file's first bytes indicate, for errors about a file with the wrong ending.
fn first_bytes_say(bytes: &[u8]) -> &'static str {
    const SIGNATURES: [(&[u8], &str); 9] = [
        (b"\x89PNG", "a PNG image"),
        (b"II*\0", "a TIFF image"),
        (b"MM\0*", "a TIFF image"),
        (b"II+\0", "a TIFF image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"\x93NUMPY", "a NumPy array"),
        (b"PK\x03\x04", "a zip archive"),
        (b"glTF", "a binary glTF model"),
        (b"ncols", "an ESRI ASCII grid"),
    ];
    if bytes.is_empty() {
        return "an empty file";
    }
    SIGNATURES
        .iter()
        .find(|(signature, _)| bytes.starts_with(signature))
        .map_or("other bytes", |&(_, name)| name)
}
