//! Objects that turn while they move: what each comes to first.

use crate::columns::{
    Columns, Features, INVALID, NOTHING, Pieces, Place, Points, Vectors, columns,
};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::Questions;
use crate::turnings::{GivenTurn, TurnRows, is_found, status_code};
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
    let mut asked = Vec::new();
    let turns = TurnRows::ask(&turn, &mut asked, 0);
    let questions = Questions::new((py, view), "motion", &asked, rows, (invalid, threads))?;
    let filter = Filter::new(view, &seen)?;
    let make = |row: usize, values: &[f64]| -> Result<TurningObjectCast, Error> {
        // The list is the last axis, or has one object for all rows.
        let object = objects[row % objects.len()];
        let turn = turns.read(values, view.origin);
        let mut cast = ObjectCast::new(object, turn.motion)?.turning(turn.axis, turn.angle)?;
        if let Some(pivot) = turn.pivot {
            cast = cast.about(pivot)?;
        }
        match turn.tolerance {
            Some(tolerance) => cast.with_tolerance(tolerance),
            None => Ok(cast),
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
        mover: Pieces,
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
        self.mover.put(row, hit.mover_triangle);
        self.status.put(row, status_code(hit.status));
    }

    fn put_none(&self, row: usize, status: i8) {
        self.hit.put(row, false);
        self.t.put(row, f32::INFINITY);
        self.gap.put(row, f32::NAN);
        self.point.put(row, None);
        self.normal.put(row, None);
        self.features.put(row, None, None);
        self.mover.put(row, None);
        self.status.put(row, status);
    }
}
