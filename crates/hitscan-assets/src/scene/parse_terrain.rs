//! Reads a `[[terrain]]` table of a scene file.

use hitscan::height_field::Diagonal;

use super::entry::TerrainEntry;
use super::keys::{Keys, Source};
use super::shared_keys::{file, layers, surface};

pub(super) const TERRAIN_KEYS: [&str; 11] = [
    "name",
    "heights",
    "spacing",
    "range",
    "height_scale",
    "origin",
    "georeferenced",
    "diagonal",
    "size",
    "layers",
    "surface",
];

pub(super) fn terrain(source: &Source, keys: &Keys, name: String) -> TerrainEntry {
    let spacing = keys.get("spacing").map(|value| {
        let spacing = value.number_or_numbers::<2>("metres [x, z]")?;
        let is_positive = spacing.iter().all(|&metres| metres > 0.0);
        is_positive
            .then_some(spacing)
            .ok_or_else(|| value.wrong("metres, more than zero,"))
    });
    let diagonal = keys.get("diagonal").map(|value| match value.as_string() {
        Some("anti") => Ok(Diagonal::Anti),
        Some("main") => Ok(Diagonal::Main),
        _ => Err(value.wrong("\"anti\" or \"main\"")),
    });
    let georeferenced = keys.get("georeferenced");
    let georeferenced = georeferenced.map_or(Ok(false), |value| value.truth());
    let georeferenced = keys.kept(georeferenced);
    let range = keys.get("range");
    let range = range.map(|value| value.numbers("metres [of code 0, of the highest code]"));
    let height_scale = keys.get("height_scale").map(|value| value.number());
    let origin = keys.get("origin");
    let origin = origin.map(|value| value.numbers("metres [x, y, z]"));
    let size = keys
        .get("size")
        .map(|value| value.indices("[columns, rows]"));
    TerrainEntry {
        location: keys.location(),
        keys: keys.locations(&TERRAIN_KEYS),
        layers: keys.kept(layers(keys)),
        surface: keys.kept(surface(keys)),
        heights: keys.kept(keys.need("heights").and_then(|value| file(source, &value))),
        spacing: keys.kept(spacing.transpose()),
        range: keys.kept(range.transpose()),
        height_scale: keys.kept(height_scale.transpose()),
        origin: keys.kept(origin.transpose()),
        georeferenced,
        diagonal: keys.kept(diagonal.unwrap_or(Ok(Diagonal::Anti))),
        size: keys.kept(size.transpose()),
        name,
    }
}
