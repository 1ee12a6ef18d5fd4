//! Impacts: times at which objects that move through one frame collide, by their boxes or by their shapes.

use crate::arrays::{Argument, points};
use crate::columns::{Columns, Objects, Pieces, Place, Points, Vectors, columns, rows_of};
use crate::errors::library_error;
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::threads::run_watched;
use crate::view::View;
use hitscan::broad_phase::{Impact, ImpactStart};
use hitscan::glam::Vec3;
use hitscan::{Error, ObjectId, ObjectImpact, QueryFilter, Snapshot, StartState};
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
    let given = (&*objects, motions, &seen);
    let find: Find<_> = |now, moving, filter| now.impacts(moving, filter);
    found_by(py, view, given, find, ImpactColumns::put)
}

/// The pairs of objects that collide, in order of time: a, b, t, point, normal, overlap, triangles.
#[pyfunction]
pub(crate) fn shape_impacts<'py>(
    py: Python<'py>,
    view: &View,
    objects: Vec<Bound<'py, PyAny>>,
    motions: &Bound<'py, PyAny>,
    seen: Seen<'py>,
) -> PyResult<Bound<'py, PyTuple>> {
    let given = (&*objects, motions, &seen);
    let find: Find<_> = |now, moving, filter| now.shape_impacts(moving, filter);
    found_by(py, view, given, find, ShapeImpactColumns::put)
}

/// A query of all objects that move.
type Find<A> = fn(&Snapshot, &[(ObjectId, Vec3)], QueryFilter<'_>) -> Result<Vec<A>, Error>;

/// The columns of what a query finds of objects with these motions.
fn found_by<'py, A: Send + Sync + 'static, C: Columns + Send + Sync>(
    py: Python<'py>,
    view: &View,
    (objects, motions, seen): (&[Bound<'py, PyAny>], &Bound<'py, PyAny>, &Seen<'py>),
    find: Find<A>,
    put: impl Fn(&C, usize, &A) + Sync,
) -> PyResult<Bound<'py, PyTuple>> {
    let now = view.world()?.clone();
    let filter = Filter::new(view, seen)?;
    let objects = view.objects.of_keys(objects)?;
    let motions = points(&Argument::new("motions", motions)?, None)?;
    if objects.len() != motions.len() {
        return Err(PyValueError::new_err(format!(
            "motions: expected one for each of {} objects, found {}",
            objects.len(),
            motions.len()
        )));
    }
    let moving: Vec<_> = objects.into_iter().zip(motions).collect();
    let found = run_watched(py, move || find(&now, &moving, filter.query()))?;
    let found = found.map_err(|error| library_error(&error))?;
    let place = Place::new(view.origin.is_some(), view);
    rows_of(py, &found, place, put)?.into_tuple(py)
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

columns! {
    struct ShapeImpactColumns {
        a: Objects,
        b: Objects,
        t: Column<f32>,
        point: Points,
        normal: Vectors<3>,
        overlap: Column<bool>,
        of_a: Pieces,
        of_b: Pieces,
    }
}

impl ShapeImpactColumns {
    fn put(&self, row: usize, impact: &ObjectImpact) {
        self.a.put(row, Some(impact.a));
        self.b.put(row, Some(impact.b));
        self.t.put(row, impact.t);
        self.point.put(row, Some(impact.point));
        self.normal.put(row, Some(impact.normal.to_array()));
        let overlaps = matches!(impact.start, StartState::Overlap { .. });
        self.overlap.put(row, overlaps);
        let [a, b] = impact.triangles;
        self.of_a.put(row, a);
        self.of_b.put(row, b);
    }
}
