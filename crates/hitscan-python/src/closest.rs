//! What is nearest to points, and whether they are inside.

use crate::arrays::{nearest_f32, point};
use crate::columns::{FOUND, Features, INVALID, NOTHING, Place, Positions, put_vector};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, distance, three};
use crate::view::{Target, View};
use glam::Vec3;
use hitscan::{ClosestPoint, Error, QueryFilter};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

impl Target {
    fn closest_point(
        &self,
        (point, reach): (Vec3, f32),
        is_signed: bool,
        filter: QueryFilter<'_>,
    ) -> Option<ClosestPoint> {
        match (self, is_signed) {
            (Self::World(now), false) => now.closest_point(point, reach, filter),
            (Self::World(now), true) => now.closest_point_signed(point, reach, filter),
            (Self::Mesh(mesh), false) => mesh.closest_point(point, reach),
            (Self::Model(posed), false) => posed.closest_point(point, reach),
            (Self::Mesh(mesh), true) => mesh.closest_point_signed(point, reach),
            (Self::Model(posed), true) => posed.closest_point_signed(point, reach),
            (Self::Terrain(field), false) => field.closest_point(point, reach),
            (Self::Terrain(field), true) => field.closest_point_signed(point, reach),
        }
    }
}

/// What is nearest to each point: a tuple of columns.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn closest_points<'py>(
    py: Python<'py>,
    view: &View,
    points: &Bound<'py, PyAny>,
    max_distance: &Bound<'py, PyAny>,
    is_signed: bool,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let filter = Filter::new(view, &seen)?;
    let asked = [
        Asked {
            name: "points",
            value: points,
            row: Row::Of(3),
        },
        Asked {
            name: "max_distance",
            value: max_distance,
            row: Row::Number,
        },
    ];
    let questions = Questions::new("points", &asked, None, (invalid, threads))?;
    let columns = ClosestColumns::new(py, questions.shape(), Place::of(&questions, view))?;
    let make = |_: usize, values: &[f64]| {
        let from = point(three(values, 0), view.origin);
        if let Some(found) = from.to_array().into_iter().find(|x| !x.is_finite()) {
            return Err(Error::NotFinite {
                what: "point",
                found: f64::from(found),
            });
        }
        let reach = distance("max_distance", values[3])?;
        Ok((from, nearest_f32(reach)))
    };
    questions.answer(py, make, |chunk| {
        for (&row, &question) in chunk.rows.iter().zip(&chunk.questions) {
            match view
                .target
                .closest_point(question, is_signed, filter.query())
            {
                Some(found) => columns.put(row, &found),
                None => columns.put_none(row, NOTHING),
            }
        }
        for &row in &chunk.bad {
            columns.put_none(row, INVALID);
        }
    })?;
    columns.into_tuple(py)
}

struct ClosestColumns {
    found: Column<bool>,
    distance: Column<f32>,
    inside: Column<bool>,
    point: Positions,
    normal: Column<f32>,
    features: Features,
    uv: Column<f32>,
    status: Column<i8>,
}

impl ClosestColumns {
    fn new(py: Python<'_>, shape: &[usize], place: Place) -> PyResult<Self> {
        Ok(Self {
            found: Column::new(py, shape)?,
            distance: Column::new(py, shape)?,
            inside: Column::new(py, shape)?,
            point: Positions::points(py, shape, place)?,
            normal: Column::new(py, &[shape, &[3]].concat())?,
            features: Features::new(py, shape)?,
            uv: Column::new(py, &[shape, &[2]].concat())?,
            status: Column::new(py, shape)?,
        })
    }

    fn put(&self, row: usize, closest: &ClosestPoint) {
        self.found.put(row, true);
        self.distance.put(row, closest.distance);
        self.inside.put(row, closest.is_inside);
        self.point.put_point(row, closest.point);
        put_vector(&self.normal, row, Some(closest.normal));
        self.features.put(row, closest.object, closest.triangle);
        let uv = match closest.triangle {
            Some(_) => closest.barycentrics,
            None => [f32::NAN; 2],
        };
        self.uv.put_row(row, uv);
        self.status.put(row, FOUND);
    }

    fn put_none(&self, row: usize, status: i8) {
        self.found.put(row, false);
        self.distance.put(row, f32::INFINITY);
        self.inside.put(row, false);
        self.point.put_no_point(row);
        put_vector(&self.normal, row, None);
        self.features.put(row, None, None);
        self.uv.put_row(row, [f32::NAN; 2]);
        self.status.put(row, status);
    }

    fn into_tuple(self, py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        let [object, part, triangle] = self.features.into_arrays();
        let arrays: [Py<PyAny>; 10] = [
            self.found.into_array().into_any(),
            self.distance.into_array().into_any(),
            self.inside.into_array().into_any(),
            self.point.into_array(),
            self.normal.into_array().into_any(),
            object,
            part,
            triangle,
            self.uv.into_array().into_any(),
            self.status.into_array().into_any(),
        ];
        PyTuple::new(py, arrays)
    }
}
