//! Objects that turn while they move: what each comes to first.

use crate::arrays::point;
use crate::columns::{Columns, Features, INVALID, NOTHING, Place, Points, Vectors, columns};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, three};
use crate::turnings::{GivenTurn, is_found, status_code};
use crate::view::View;
use hitscan::{Error, ObjectCast, TurningObjectCast, TurningObjectHit};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What each turning object comes to first: a tuple of columns. A list of one object turns in every row.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn cast_turning_objects<'py>(
    py: Python<'py>,
    view: &View,
    objects: Vec<Bound<'py, PyAny>>,
    is_one: bool,
    turn: GivenTurn<'py>,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    view.world()?;
    let objects = view.objects.of_keys(&objects)?;
    let rows = (!is_one).then_some(("objects", objects.len()));
    let (motion, axis, angle, pivot, tolerance) = &turn;
    let mut asked = Vec::new();
    let mut ask = |name, value, row| asked.push(Asked { name, value, row });
    ask("motion", motion, Row::Of(3));
    ask("axis", axis, Row::Of(3));
    ask("angle", angle, Row::Number);
    let tolerance_at = 7 + pivot.as_ref().map_or(0, |_| 3);
    if let Some(pivot) = pivot {
        ask("pivot", pivot, Row::Of(3));
    }
    if let Some(tolerance) = tolerance {
        ask("tolerance", tolerance, Row::Number);
    }
    let questions = Questions::new((py, view), "motion", &asked, rows, (invalid, threads))?;
    let filter = Filter::new(view, &seen)?;
    let (has_pivot, has_tolerance) = (pivot.is_some(), tolerance.is_some());
    let make = |row: usize, values: &[f64]| -> Result<TurningObjectCast, Error> {
        // The list is the last axis, or has one object for all rows.
        let object = objects[row % objects.len()];
        let cast = ObjectCast::new(object, point(three(values, 0), None))?;
        let mut cast = cast.turning(point(three(values, 3), None), values[6])?;
        if has_pivot {
            cast = cast.about(point(three(values, 7), view.origin))?;
        }
        match has_tolerance {
            true => cast.with_tolerance(values[tolerance_at]),
            false => Ok(cast),
        }
    };
    let place = Place::new(view.origin.is_some() || questions.is_wide(), view);
    let columns = TurningObjectColumns::new(py, questions.shape(), place)?;
    questions.answer_each(py, make, |row, cast| {
        let Some(cast) = cast else {
            return columns.put_none(row, INVALID);
        };
        let target = questions.target(view, row);
        let hit = target
            .world()
            .and_then(|now| now.cast_turning_object(cast, filter.query()));
        match hit {
            Some(hit) => columns.put(row, &hit),
            None => columns.put_none(row, NOTHING),
        }
    })?;
    columns.into_tuple(py)
}

columns! {
    struct TurningObjectColumns {
        hit: Column<bool>,
        t: Column<f32>,
        gap: Column<f32>,
        point: Points,
        normal: Vectors<3>,
        features: Features,
        mover_part: Column<i32>,
        mover_triangle: Column<i64>,
        status: Column<i8>,
    }
}

impl TurningObjectColumns {
    fn put(&self, row: usize, hit: &TurningObjectHit) {
        self.hit.put(row, is_found(hit.status));
        self.t.put(row, hit.t);
        self.gap.put(row, hit.gap);
        self.point.put(row, Some(hit.point));
        self.normal.put(row, Some(hit.normal.to_array()));
        self.features.put(row, hit.object, hit.triangle);
        let mover = hit.mover_triangle;
        self.mover_part
            .put(row, mover.map_or(-1, |id| id.part.cast_signed()));
        let triangle = mover.and_then(hitscan::TriangleId::number);
        self.mover_triangle.put(row, triangle.map_or(-1, i64::from));
        self.status.put(row, status_code(hit.status));
    }

    fn put_none(&self, row: usize, status: i8) {
        self.hit.put(row, false);
        self.t.put(row, f32::INFINITY);
        self.gap.put(row, f32::NAN);
        self.point.put(row, None);
        self.normal.put(row, None);
        self.features.put(row, None, None);
        self.mover_part.put(row, -1);
        self.mover_triangle.put(row, -1);
        self.status.put(row, status);
    }
}
