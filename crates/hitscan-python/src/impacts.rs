//! Impacts: times at which boxes of objects that move through one frame collide.

use crate::arrays::{Argument, points};
use crate::columns::{Columns, Objects, Place, Vectors, columns, rows_of};
use crate::errors::library_error;
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::threads::run_watched;
use crate::view::View;
use hitscan::ObjectId;
use hitscan::broad_phase::{Impact, ImpactStart};
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
    let place = Place::new(false, view);
    rows_of(py, &found, place, ImpactColumns::put)?.into_tuple(py)
}

columns! {
    struct ImpactColumns {
        a: Objects,
        b: Objects,
        t: Column<f32>,
        normal: Vectors<3>,
        overlap: Column<bool>,
    }
}

impl ImpactColumns {
    fn put(&self, row: usize, impact: &Impact<ObjectId>) {
        self.a.put(row, Some(impact.a));
        self.b.put(row, Some(impact.b));
        self.t.put(row, impact.t);
        self.normal.put(row, Some(impact.normal.to_array()));
        self.overlap.put(row, impact.start == ImpactStart::Overlap);
    }
}
