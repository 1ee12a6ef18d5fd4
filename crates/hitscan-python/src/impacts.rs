//! When the boxes of objects that move through one frame collide.

use crate::arrays::{Argument, points};
use crate::columns::handle;
use crate::errors::library_error;
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::threads::{run_here, run_watched};
use crate::view::View;
use hitscan::broad_phase::ImpactStart;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The pairs of objects whose boxes collide, in order of time: a, b, t, normal, overlap.
#[pyfunction]
pub(crate) fn impacts<'py>(
    py: Python<'py>,
    view: &View,
    objects: Vec<Bound<'py, PyAny>>,
    motions: &Bound<'py, PyAny>,
    seen: Seen<'py>,
) -> PyResult<Bound<'py, PyTuple>> {
    let now = view.world()?.clone();
    let filter = Filter::new(view, &seen)?;
    let objects = view.objects.of_keys(&objects)?;
    let motions = points(&Argument::new("motions", motions)?, None)?;
    if objects.len() != motions.len() {
        return Err(PyValueError::new_err(format!(
            "motions: expected one for each of {} objects, found {}",
            objects.len(),
            motions.len()
        )));
    }
    let moving: Vec<_> = objects.into_iter().zip(motions).collect();
    let found = run_watched(py, move || now.impacts(&moving, filter.query()))?;
    let found = found.map_err(|error| library_error(&error))?;
    let shape = [found.len()];
    let (a, b) = (Column::new(py, &shape)?, Column::new(py, &shape)?);
    let t = Column::<f32>::new(py, &shape)?;
    let normal = Column::<f32>::new(py, &[found.len(), 3])?;
    let overlap = Column::<bool>::new(py, &shape)?;
    run_here(py, || {
        for (row, impact) in found.iter().enumerate() {
            a.put(row, handle(impact.a));
            b.put(row, handle(impact.b));
            t.put(row, impact.t);
            normal.put_row(row, impact.normal.to_array());
            overlap.put(row, impact.start == ImpactStart::Overlap);
        }
    })?;
    let arrays: [Py<PyAny>; 5] = [
        a.into_array().into_any(),
        b.into_array().into_any(),
        t.into_array().into_any(),
        normal.into_array().into_any(),
        overlap.into_array().into_any(),
    ];
    PyTuple::new(py, arrays)
}
