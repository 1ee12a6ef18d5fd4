//! A scene file as Python holds it: loaded once, asked by any number of threads.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::hashed_files::HashedFiles;
use crate::table_errors::scene_error;

/// A scene and all files that it names.
#[pyclass(frozen, module = "hitscan._hitscan")]
pub(crate) struct Scene {
    scene: Arc<hitscan_assets::Scene>,
    digest: String,
}

#[pymethods]
impl Scene {
    /// Reads the scene file at `path` and all files that it names.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let (scene, digest) = py.detach(|| {
            let files = HashedFiles::default();
            let scene = hitscan_assets::load_scene_from(&files, &path);
            (scene, files.digest())
        });
        Ok(Self {
            scene: Arc::new(scene.map_err(|error| scene_error(&error))?),
            digest,
        })
    }

    /// The SHA-256 of all bytes that were read: of the scene file and of the files that it names.
    #[getter]
    fn digest(&self) -> &str {
        &self.digest
    }

    /// What is odd about the scene's files, a sentence each.
    fn warnings(&self) -> Vec<String> {
        self.scene.warnings().to_vec()
    }
}

impl Scene {
    /// What tables are answered with.
    pub(crate) fn shared(&self) -> Arc<hitscan_assets::Scene> {
        self.scene.clone()
    }
}
