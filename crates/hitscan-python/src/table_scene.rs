//! The scene whose tables are answered about a world: what its objects are called in tables.

use crate::view::{Target, View};
use hitscan_assets::Scene;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The scene that a world was read from, as the world is now.
///
/// # Errors
/// `ValueError` for a world with objects from elsewhere, which have no names in tables.
pub(crate) fn table_scene(view: &View) -> PyResult<Scene> {
    match (&view.target, view.objects.whole_scene()) {
        (Target::World(now), Some(scene)) => Ok(scene.with_now(now.clone())),
        _ => Err(PyValueError::new_err(
            "tables are answered about worlds whose objects all come from a scene file: read it with \
             World.from_scene, and add nothing",
        )),
    }
}
