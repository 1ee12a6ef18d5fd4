//! The scene whose tables are answered about a world: what its objects are called in tables.

use crate::view::View;
use hitscan_assets::Scene;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The world of a view as a scene: its objects with their names, its positions measured from what the
/// world's are.
///
/// # Errors
/// `TypeError` for what is no world.
pub(crate) fn table_scene(py: Python<'_>, view: &View) -> PyResult<Scene> {
    let (now, objects) = (view.world()?, &view.objects);
    if let Some(scene) = objects.whole_scene() {
        return Ok(scene.with_now(now.clone()));
    }
    let named = py.detach(|| {
        let name = |id: hitscan::ObjectId| objects.name(id.index()).unwrap_or_default();
        let frame = objects.frame(view.origin);
        Scene::of_snapshot(now.clone(), now.objects().map(name), frame)
    });
    named.map_err(|error| PyValueError::new_err(error.to_string()))
}
