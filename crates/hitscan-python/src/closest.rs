//! Closest points, and whether points are inside.

use crate::arrays::nearest_f32;
use crate::columns::{Columns, FOUND, Features, INVALID, NOTHING, Place, Points, Vectors, columns};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, distance, three};
use crate::solids::finite_point;
use crate::view::{Target, View};
use glam::Vec3;
use hitscan::{ClosestPoint, QueryFilter, TriangleId};
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
    let questions = Questions::new((py, view), "points", &asked, None, (invalid, threads))?;
    let columns = ClosestColumns::new(py, questions.shape(), Place::of(&questions, view))?;
    let make = |_: usize, values: &[f64]| {
        let from = finite_point(three(values, 0), view)?;
        let reach = distance("max_distance", values[3])?;
        Ok((from, nearest_f32(reach)))
    };
    questions.answer_each(py, make, |row, question| {
        let Some(&question) = question else {
            return columns.put_none(row, INVALID);
        };
        let target = questions.target(view, row);
        match target.closest_point(question, is_signed, filter.query()) {
            Some(found) => columns.put(row, &found),
            None => columns.put_none(row, NOTHING),
        }
    })?;
    columns.into_tuple(py)
}

columns! {
    struct ClosestColumns {
        found: Column<bool>,
        distance: Column<f32>,
        inside: Column<bool>,
        point: Points,
        normal: Vectors<3>,
        features: Features,
        uv: Vectors<2>,
        status: Column<i8>,
    }
}

impl ClosestColumns {
    fn put(&self, row: usize, closest: &ClosestPoint) {
        self.found.put(row, true);
        self.distance.put(row, closest.distance);
        self.inside.put(row, closest.is_inside);
        self.point.put(row, Some(closest.point));
        self.normal.put(row, Some(closest.normal.to_array()));
        self.features.put(row, closest.object, closest.triangle);
        self.uv.put(
            row,
            closest
                .triangle
                .and_then(TriangleId::number)
                .map(|_| closest.barycentrics),
        );
        self.status.put(row, FOUND);
    }

    fn put_none(&self, row: usize, status: i8) {
        self.found.put(row, false);
        self.distance.put(row, f32::INFINITY);
        self.inside.put(row, false);
        self.point.put(row, None);
        self.normal.put(row, None);
        self.features.put(row, None, None);
        self.uv.put(row, None);
        self.status.put(row, status);
    }
}
