//! Values that several tables of a scene file have: layers, surface, translation, scale, clip, colliders, file.

use std::path::{Path, PathBuf};

use glam::DVec3;

use super::entry::{ClipChoice, ColliderUse};
use super::hull_entry::NodeChoice;
use super::keys::{BACKSLASH_HINT, Keys, Source, Value};
use crate::{Error, UpAxis};

/// The layers of an object that is given none.
pub(super) const FIRST_LAYER: u32 = 1;

/// The layers of an object: the first, unless it has others.
pub(super) fn layers(keys: &Keys) -> Result<u32, Error> {
    let Some(value) = keys.get("layers") else {
        return Ok(FIRST_LAYER);
    };
    u32::try_from(value.index()?)
        .map_err(|_| value.wrong("layers, a bit each in 32 bits (0 to 4294967295),"))
}

/// The name of the surface that an object shares with others.
pub(super) fn surface(keys: &Keys) -> Result<Option<String>, Error> {
    let Some(value) = keys.get("surface") else {
        return Ok(None);
    };
    match value.string()? {
        "" => Err(value.wrong("a name that is not empty")),
        name => Ok(Some(name.to_owned())),
    }
}

/// Where an object's own origin is.
pub(super) fn translation(keys: &Keys) -> Result<DVec3, Error> {
    let value = keys.get("translation");
    let point = value.map_or(Ok([0.0; 3]), |value| value.numbers("metres [x, y, z]"))?;
    Ok(DVec3::from(point))
}

/// The factors by which a model is scaled.
pub(super) fn scale(keys: &Keys) -> Result<DVec3, Error> {
    let Some(value) = keys.get("scale") else {
        return Ok(DVec3::ONE);
    };
    let scale = DVec3::from(value.number_or_numbers::<3>("factors [x, y, z]")?);
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

/// What the colliders of a model's file are to it.
pub(super) fn colliders(keys: &Keys) -> Result<ColliderUse, Error> {
    let Some(value) = keys.get("colliders") else {
        return Ok(ColliderUse::Ignored);
    };
    match value.as_string() {
        Some("none") => Ok(ColliderUse::Ignored),
        Some("only") => Ok(ColliderUse::Only),
        Some("also") => Ok(ColliderUse::Also),
        _ => Err(value.wrong("\"none\", \"only\" or \"also\"")),
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

/// A node by its name or its index.
pub(super) fn node_choice(value: &Value) -> Result<NodeChoice, Error> {
    match value.as_string() {
        Some(name) => Ok(NodeChoice::Name(name.to_owned())),
        None => match value.index() {
            Ok(index) => Ok(NodeChoice::Index(index)),
            Err(_) => Err(value.wrong("a node's name or index")),
        },
    }
}

/// The path of a file that a scene names.
pub(super) fn file(source: &Source, value: &Value) -> Result<PathBuf, Error> {
    let name = value.string()?;
    if name.is_empty() {
        return Err(value.wrong("a file's name"));
    }
    // Such as the tab that `\t` is.
    if name.contains(char::is_control) {
        let expected = format!("a path without control characters for `{}`", value.key());
        let found = format!("{name:?}{BACKSLASH_HINT}");
        return Err(source.malformed(&value.span(), expected, found));
    }
    let folder = source.path.parent().unwrap_or(Path::new(""));
    Ok(folder.join(name))
}
