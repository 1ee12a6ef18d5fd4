//! The files of `hitscan demo`.

use hitscan_demo::Demo;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Name and content of each file of the demo's scenes.
#[pyfunction]
pub(crate) fn demo_files(py: Python<'_>) -> PyResult<Vec<(&'static str, Bound<'_, PyBytes>)>> {
    let files = py.detach(|| Demo::new()?.files());
    let files = files.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let bytes = files.iter();
    Ok(bytes
        .map(|file| (file.name, PyBytes::new(py, &file.bytes)))
        .collect())
}
