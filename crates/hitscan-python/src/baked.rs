//! Worlds as baked bytes: for files, for pickle, and for stores of objects that processes share.

use crate::errors::file_error;
use crate::python_memory::with_buffer;
use crate::threads::{build, run, run_watched};
use crate::world::PyWorld;
use hitscan_assets::scene::SceneModel;
use hitscan_assets::{Scene, bake, open_baked, open_baked_bytes, write_baked};
use numpy::PyArray1;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The bytes of a world, as an array of uint8.
#[pyfunction]
pub(crate) fn baked_world<'py>(
    py: Python<'py>,
    world: &Bound<'py, PyWorld>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let scene = scene_of(world)?;
    let written = run_watched(py, move || {
        let mut bytes = Vec::new();
        write_baked(&scene, &mut bytes).map(|()| bytes)
    })?;
    Ok(PyArray1::from_vec(py, written?))
}

/// Writes a world to a file, which is there whole or not at all.
#[pyfunction]
pub(crate) fn save_world(
    py: Python<'_>,
    world: &Bound<'_, PyWorld>,
    path: PathBuf,
) -> PyResult<()> {
    let scene = scene_of(world)?;
    // A file that is begun is written to its end: it is there whole or not at all.
    Ok(run(py, || bake(&scene, &path))??)
}

/// Opens a file that [`save_world`] or `hitscan bake` wrote.
#[pyfunction]
pub(crate) fn load_world(py: Python<'_>, path: PathBuf) -> PyResult<PyWorld> {
    let scene = build(py, || open_baked(&path))?;
    Ok(PyWorld::of_scene(
        scene.map_err(|error| file_error(py, &error))?,
    ))
}

/// The world of baked bytes, borrowed from a buffer that is read-only, copied from others.
#[pyfunction]
pub(crate) fn world_of_buffer(py: Python<'_>, buffer: &Bound<'_, PyAny>) -> PyResult<PyWorld> {
    let opened = with_buffer(buffer, |bytes| {
        build(py, || {
            open_baked_bytes(Path::new("bytes of a world"), bytes)
        })
    })??;
    let scene = opened.map_err(|error| file_error(py, &error))?;
    Ok(PyWorld::of_scene(scene))
}

/// The world with all that its bytes hold.
fn scene_of(world: &Bound<'_, PyWorld>) -> PyResult<Scene> {
    let (world, objects, origin) = world.get().parts(world.py());
    if !world.is_up_to_date() {
        return Err(PyValueError::new_err(
            "the world has changes that no update() has made: call update() first",
        ));
    }
    let ids: Vec<_> = world.now().objects().collect();
    let names = ids
        .iter()
        .map(|id| objects.name(id.index()).unwrap_or_default());
    let made = match objects.scene() {
        Some(scene) => scene.with_world(world.clone(), names),
        None => Scene::of_world(world.clone(), names),
    };
    let scene = made.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let frame = objects.frame(origin);
    let now = scene.now();
    let shown: BTreeSet<_> = ids
        .iter()
        .filter_map(|id| now.model(*id))
        .map(Arc::as_ptr)
        .collect();
    let models = objects.models();
    let models = models.filter(|known| shown.contains(&Arc::as_ptr(&known.model)));
    let models: Vec<SceneModel> = models.cloned().collect();
    let attached = scene.with_models(models);
    let attached =
        attached.and_then(|scene| scene.with_attachment(frame, objects.origins_of(&ids)));
    attached.map_err(|_| PyRuntimeError::new_err("a new scene is shared"))
}
