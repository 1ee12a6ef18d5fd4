//! Reads a `[[crowd]]` table of a scene file.
//!
//! What models and crowds share is in `shared_keys.rs`; the table of places is read in `places.rs`.

use std::path::PathBuf;

use super::entry::{CrowdEntry, CrowdMembers};
use super::keys::{Keys, Source};
use super::shared_keys::{clip_choice, colliders, file, layers, scale, surface, up};
use crate::Error;

pub(super) const CROWD_KEYS: [&str; 13] = [
    "name",
    "file",
    "up",
    "scene",
    "scale",
    "clip",
    "colliders",
    "places",
    "count",
    "seed",
    "area",
    "layers",
    "surface",
];

/// More members than this are taken for a mistake.
const MOST_MEMBERS: usize = 1_000_000;

pub(super) fn crowd(source: &Source, keys: &Keys, name: String) -> CrowdEntry {
    let clip = keys.get("clip").map(|clip| clip_choice(&clip));
    let nobody = CrowdMembers::Table(PathBuf::new());
    CrowdEntry {
        location: keys.location(),
        keys: keys.locations(&CROWD_KEYS),
        layers: keys.kept(layers(keys)),
        surface: keys.kept(surface(keys)),
        file: keys.kept(keys.need("file").and_then(|value| file(source, &value))),
        scale: keys.kept(scale(keys)),
        up: keys.kept(up(keys)),
        scene: keys.kept(keys.get("scene").map(|value| value.index()).transpose()),
        clip: keys.kept(clip.transpose()),
        colliders: keys.kept(colliders(keys)),
        members: keys.kept_or(members(source, keys), nobody),
        name,
    }
}

fn members(source: &Source, keys: &Keys) -> Result<CrowdMembers, Error> {
    let Some(places) = keys.get("places") else {
        let Some(count) = keys.get("count") else {
            let what = "the key `places` (a table) or `count` (that many, by a seed)";
            return Err(Error::missing(source.path, keys.location(), what));
        };
        let Some(number) = count.index().ok().filter(|count| *count <= MOST_MEMBERS) else {
            return Err(count.wrong("a whole number up to 1000000"));
        };
        let seed = match keys.get("seed") {
            Some(seed) => seed.index()? as u64,
            None => 0,
        };
        return Ok(CrowdMembers::Seeded {
            count: number,
            seed,
            area: keys.need("area")?.points()?,
        });
    };
    for key in ["count", "seed", "area"] {
        if let Some(value) = keys.get(key) {
            let found = format!("`{key}` beside `places`");
            let expected = "either `places`, or `count`, `seed` and `area`";
            return Err(source.malformed(&value.span(), expected, found));
        }
    }
    let path = file(source, &places)?;
    let is_csv = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    if !is_csv {
        return Err(places.wrong("a table of places in CSV (`.csv`)"));
    }
    Ok(CrowdMembers::Table(path))
}
