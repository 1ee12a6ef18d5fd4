//! The scene whose tables are answered about a world: what its objects are called in tables.

use crate::objects::Objects;
use crate::view::View;
use glam::DVec3;
use hitscan::{ObjectId, Snapshot};
use hitscan_assets::Scene;
use hitscan_assets::scene::UnfitNames;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The world of a view as a scene: its objects with their names, its positions measured from what the
/// world's are.
///
/// # Errors
/// `TypeError` for what is no world.
pub(crate) fn table_scene(py: Python<'_>, view: &View) -> PyResult<Scene> {
    let now = view.world()?.clone();
    let named = py.detach(|| scene_of(now, &view.objects, view.origin));
    named.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A world of these objects, measured from `origin`, as a scene.
///
/// # Errors
/// [`UnfitNames`] where an object has no name.
pub(crate) fn scene_of(
    now: Snapshot,
    objects: &Objects,
    origin: Option<DVec3>,
) -> Result<Scene, UnfitNames> {
    if let Some(scene) = objects.whole_scene() {
        return Ok(scene.with_now(now));
    }
    let name = |id: ObjectId| objects.name(id.index()).unwrap_or_default();
    let ids: Vec<ObjectId> = now.objects().collect();
    Scene::of_snapshot(now, ids.into_iter().map(name), objects.frame(origin))
}
