//! The private extension module of the Python package `hitscan`.
//!
//! The public classes are Python, in `python/hitscan/`; they check shapes and names, and call what
//! is here with arrays. Modules are listed in reading order: a module uses those before it.

use pyo3::prelude::*;

/// What `hitscan._hitscan` holds.
#[pymodule]
fn _hitscan(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}
