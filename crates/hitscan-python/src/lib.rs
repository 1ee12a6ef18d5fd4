//! The private extension module of the Python package `hitscan`.
//!
//! The public classes are Python, in `python/hitscan/`; they check shapes and names, and call what
//! is here with arrays. Modules are listed in reading order: a module uses those before it.

use pyo3::prelude::*;

mod table_errors;
mod hashed_files;
mod scene;
mod query;
mod parts;
mod tables;

/// What `hitscan._hitscan` holds.
#[pymodule]
fn _hitscan(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<scene::Scene>()?;
    module.add_function(wrap_pyfunction!(parts::answer_part, module)?)?;
    module.add_class::<tables::AnsweredTable>()?;
    module.add_function(wrap_pyfunction!(tables::answer_table, module)?)?;
    module.add_function(wrap_pyfunction!(parts::parquet_footer, module)?)?;
    Ok(())
}
