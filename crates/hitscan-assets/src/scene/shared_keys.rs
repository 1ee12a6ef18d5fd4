//! Values that several tables of a scene file have: layers, scale, rotation, clip, file.

use std::path::{Path, PathBuf};

use glam::{DQuat, DVec3};

use super::entry::ClipChoice;
use super::keys::{Keys, Source, Value};
use crate::{Error, UpAxis};

/// The layers of an object: the first, unless it has others.
pub(super) fn layers(keys: &Keys) -> Result<u32, Error> {
    let Some(value) = keys.get("layers") else {
        return Ok(1);
    };
    u32::try_from(value.index()?)
        .map_err(|_| value.wrong("layers, a bit each in 32 bits (0 to 4294967295),"))
}

/// The factors by which a model is scaled.
pub(super) fn scale(keys: &Keys) -> Result<DVec3, Error> {
    let Some(value) = keys.get("scale") else {
        return Ok(DVec3::ONE);
    };
    let scale = DVec3::from(value.number_or_numbers::<3>()?);
    // A model without extent along an axis has no inside and no normals.
    if scale.cmpeq(DVec3::ZERO).any() {
        return Err(value.wrong("factors other than zero"));
    }
    Ok(scale)
}

/// Which axis of a model's file points up.
pub(super) fn up(keys: &Keys) -> Result<UpAxis, Error> {
    let Some(value) = keys.get("up") else {
        return Ok(UpAxis::Y);
    };
    match value.as_string() {
        Some("y") => Ok(UpAxis::Y),
        Some("z") => Ok(UpAxis::Z),
        _ => Err(value.wrong("\"y\" or \"z\"")),
    }
}

/// A clip by its name or its index.
pub(super) fn clip_choice(value: &Value) -> Result<ClipChoice, Error> {
    match value.as_string() {
        Some(name) => Ok(ClipChoice::Name(name.to_owned())),
        None => match value.index() {
            Ok(index) => Ok(ClipChoice::Index(index)),
            Err(_) => Err(value.wrong("a clip's name or index")),
        },
    }
}

/// The quaternion `x, y, z, w`, brought to unit length.
pub(super) fn rotation(value: &Value) -> Result<DQuat, Error> {
    let parts = value.numbers::<4>()?;
    let largest = parts
        .iter()
        .fold(0.0, |largest: f64, part| largest.max(part.abs()));
    if largest == 0.0 {
        return Err(value.wrong("a quaternion other than zero"));
    }
    // Divided by the largest part first, no square overflows and their sum is at least 1.
    let [x, y, z, w] = parts.map(|part| part / largest);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    Ok(DQuat::from_xyzw(
        x / length,
        y / length,
        z / length,
        w / length,
    ))
}

/// The path of a file that a scene names.
pub(super) fn file(source: &Source, value: &Value) -> Result<PathBuf, Error> {
    let name = value.string()?;
    if name.is_empty() {
        return Err(value.wrong("a file's name"));
    }
    let folder = source.path.parent().unwrap_or(Path::new(""));
    Ok(folder.join(name))
}
