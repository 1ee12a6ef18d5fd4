//! Reads the `[world]` table of a scene file.

use super::entry::SceneFile;
use super::keys::Keys;

pub(super) const WORLD_KEYS: [&str; 2] = ["origin", "one_surface"];

pub(super) fn world(keys: &Keys, file: &mut SceneFile) {
    let origin = keys.get("origin");
    let origin = origin.map(|value| value.numbers("[easting, height, northing]"));
    file.world_origin = keys.kept(origin.transpose());
    let one_surface = keys.get("one_surface");
    file.one_surface = keys.kept(one_surface.map_or(Ok(false), |value| value.truth()));
}
