//! Impacts: times at which objects that move through one frame collide, by their boxes or by their shapes.

use crate::arrays::{Argument, points};
use crate::columns::{Columns, Objects, Place, Points, Vectors, columns, rows_of};
use crate::errors::library_error;
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::threads::run_watched;
use crate::view::View;
use hitscan::broad_phase::{Impact, ImpactStart};
use hitscan::glam::Vec3;
use hitscan::{ObjectId, ObjectImpact, StartState, TriangleId};
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
    let moving = moving(view, &objects, motions)?;
    let found = run_watched(py, move || now.impacts(&moving, filter.query()))?;
    let found = found.map_err(|error| library_error(&error))?;
    let place = Place::new(false, view);
    rows_of(py, &found, place, ImpactColumns::put)?.into_tuple(py)
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
    let now = view.world()?.clone();
    let filter = Filter::new(view, &seen)?;
    let moving = moving(view, &objects, motions)?;
    let found = run_watched(py, move || now.shape_impacts(&moving, filter.query()))?;
    let found = found.map_err(|error| library_error(&error))?;
    let place = Place::new(view.origin.is_some(), view);
    rows_of(py, &found, place, ShapeImpactColumns::put)?.into_tuple(py)
}

/// The objects of a call, each with its motion.
fn moving<'py>(
    view: &View,
    objects: &[Bound<'py, PyAny>],
    motions: &Bound<'py, PyAny>,
) -> PyResult<Vec<(ObjectId, Vec3)>> {
    let objects = view.objects.of_keys(objects)?;
    let motions = points(&Argument::new("motions", motions)?, None)?;
    if objects.len() != motions.len() {
        return Err(PyValueError::new_err(format!(
            "motions: expected one for each of {} objects, found {}",
            objects.len(),
            motions.len()
        )));
    }
    Ok(objects.into_iter().zip(motions).collect())
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
        a_part: Column<i32>,
        a_triangle: Column<i64>,
        b_part: Column<i32>,
        b_triangle: Column<i64>,
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
        let [a, b] = impact.triangles.map(|id| {
            let triangle = id.and_then(TriangleId::number);
            let part = id.map_or(-1, |id| id.part.cast_signed());
            (part, triangle.map_or(-1, i64::from))
        });
        self.a_part.put(row, a.0);
        self.a_triangle.put(row, a.1);
        self.b_part.put(row, b.0);
        self.b_triangle.put(row, b.1);
    }
}
