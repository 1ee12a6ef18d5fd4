//! Reads a `[[hull]]` table of a scene file.

use std::path::PathBuf;

use glam::Vec3;

use super::hull_entry::{HullEntry, HullPoints};
use super::keys::{Keys, Source};
use super::rotation::rotation;
use super::shared_keys::{file, layers, scale, translation};
use crate::Error;
use crate::model_file::Notes;

pub(super) const HULL_KEYS: [&str; 10] = [
    "name",
    "points",
    "file",
    "radius",
    "max_corners",
    "translation",
    "rotation",
    "euler_degrees",
    "scale",
    "layers",
];

pub(super) fn hull(source: &Source, keys: &Keys, name: String, remarks: &mut Notes) -> HullEntry {
    HullEntry {
        location: keys.location(),
        keys: keys.locations(&HULL_KEYS),
        layers: keys.kept(layers(keys)),
        points: keys.kept_or(points(source, keys), HullPoints::Given(Vec::new())),
        radius: keys.kept(keys.get("radius").map_or(Ok(0.0), |value| value.number())),
        max_corners: keys.kept(
            keys.get("max_corners")
                .map(|value| value.index())
                .transpose(),
        ),
        translation: keys.kept(translation(keys)),
        rotation: keys.kept(rotation(source, keys, remarks)),
        scale: keys.kept(scale(keys)),
        name,
    }
}

fn points(source: &Source, keys: &Keys) -> Result<HullPoints, Error> {
    let (points, named) = (keys.get("points"), keys.get("file"));
    match (points, named) {
        (Some(points), None) => {
            let points = points.vectors_f32("points")?;
            Ok(HullPoints::Given(
                points.into_iter().map(Vec3::from).collect(),
            ))
        }
        (None, Some(named)) => {
            let path: PathBuf = file(source, &named)?;
            Ok(HullPoints::File(path))
        }
        (Some(_), Some(named)) => {
            let expected = "either `points` or `file`";
            Err(source.malformed(&named.span(), expected, "both"))
        }
        (None, None) => {
            let what = "the key `points` ([[x, y, z], ...]) or `file` (a table or a model)";
            Err(Error::missing(source.path, keys.location(), what))
        }
    }
}
