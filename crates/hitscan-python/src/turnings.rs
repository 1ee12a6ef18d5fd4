//! Solids that turn while they move: what each comes to first.

use crate::arrays::point;
use crate::columns::{Columns, Features, INVALID, NOTHING, Place, Points, Vectors, columns};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, three};
use crate::shape_rows::{GivenShapes, Shapes};
use crate::view::{Target, View};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Error, QueryFilter, ShapeCast, TurningCast, TurningHit, TurningStatus};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

impl Target {
    fn cast_turning(&self, cast: &TurningCast, filter: QueryFilter<'_>) -> Option<TurningHit> {
        match self {
            Self::World(now) => now.cast_turning(cast, filter),
            Self::Mesh(mesh) => mesh.cast_turning(cast),
            Self::Model(posed) => posed.cast_turning(cast),
            Self::Terrain(field) => field.cast_turning(cast),
        }
    }
}

/// How solids move: `(motion, axis, angle, pivot, tolerance)`.
pub(crate) type GivenTurn<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
);

/// Where the numbers of a row's turn are among those of the row.
pub(crate) struct TurnRows {
    first: usize,
    has_pivot: bool,
    has_tolerance: bool,
}

/// How the solid or the object of a row moves and turns.
pub(crate) struct TurnOfRow {
    pub(crate) motion: Vec3,
    pub(crate) axis: Vec3,
    pub(crate) angle: f64,
    pub(crate) pivot: Option<Vec3>,
    pub(crate) tolerance: Option<f64>,
}

impl TurnRows {
    /// Requests the arrays of a turn, after those that make up the first numbers of a row.
    pub(crate) fn ask<'a, 'py>(
        (motion, axis, angle, pivot, tolerance): &'a GivenTurn<'py>,
        asked: &mut Vec<Asked<'a, 'py>>,
        first: usize,
    ) -> Self {
        let mut ask = |name, value, row| asked.push(Asked { name, value, row });
        ask("motion", motion, Row::Of(3));
        ask("axis", axis, Row::Of(3));
        ask("angle", angle, Row::Number);
        if let Some(pivot) = pivot {
            ask("pivot", pivot, Row::Of(3));
        }
        if let Some(tolerance) = tolerance {
            ask("tolerance", tolerance, Row::Number);
        }
        Self {
            first,
            has_pivot: pivot.is_some(),
            has_tolerance: tolerance.is_some(),
        }
    }

    /// The turn of a row of these values; positions are measured from an origin.
    pub(crate) fn read(&self, values: &[f64], origin: Option<DVec3>) -> TurnOfRow {
        let numbers = &values[self.first..];
        let vector = |at: usize| point(three(numbers, at), None);
        let tolerance_at = if self.has_pivot { 10 } else { 7 };
        TurnOfRow {
            motion: vector(0),
            axis: vector(3),
            angle: numbers[6],
            pivot: (self.has_pivot).then(|| point(three(numbers, 7), origin)),
            tolerance: (self.has_tolerance).then(|| numbers[tolerance_at]),
        }
    }
}

/// Codes of a status beyond `NOTHING` and `INVALID`.
const HIT: i8 = 1;
const OVERLAP: i8 = 3;
const UNDECIDED: i8 = 4;

/// The code of a status.
pub(crate) fn status_code(status: TurningStatus) -> i8 {
    match status {
        TurningStatus::Hit => HIT,
        TurningStatus::Overlap => OVERLAP,
        TurningStatus::Undecided => UNDECIDED,
    }
}

/// Whether something is hit or overlapped.
pub(crate) fn is_found(status: TurningStatus) -> bool {
    status != TurningStatus::Undecided
}

/// What each turning solid comes to first: a tuple of columns.
#[pyfunction]
pub(crate) fn cast_turnings<'py>(
    py: Python<'py>,
    view: &View,
    shapes: GivenShapes<'py>,
    turn: GivenTurn<'py>,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let (shapes, mut asked) = Shapes::new(&shapes, view.origin)?;
    let turns = TurnRows::ask(&turn, &mut asked, shapes.width());
    let questions = Questions::new(
        (py, view),
        "shape",
        &asked,
        shapes.rows(),
        (invalid, threads),
    )?;
    let filter = Filter::new(view, &seen)?;
    let make = |row: usize, values: &[f64]| -> Result<TurningCast, Error> {
        let turn = turns.read(values, view.origin);
        let cast = ShapeCast::new(shapes.of_row(row, values)?, turn.motion)?;
        let mut cast = cast.turning(turn.axis, turn.angle)?;
        if let Some(pivot) = turn.pivot {
            cast = cast.about(pivot)?;
        }
        match turn.tolerance {
            Some(tolerance) => cast.with_tolerance(tolerance),
            None => Ok(cast),
        }
    };
    let columns = TurningColumns::new(py, questions.shape(), Place::of(&questions, view))?;
    questions.answer_each(py, make, |row, cast| {
        let Some(cast) = cast else {
            return columns.put_none(row, INVALID);
        };
        let target = questions.target(view, row);
        match target.cast_turning(cast, filter.query()) {
            Some(hit) => columns.put(row, &hit),
            None => columns.put_none(row, NOTHING),
        }
    })?;
    columns.into_tuple(py)
}

columns! {
    struct TurningColumns {
        hit: Column<bool>,
        t: Column<f32>,
        gap: Column<f32>,
        point: Points,
        normal: Vectors<3>,
        features: Features,
        status: Column<i8>,
    }
}

impl TurningColumns {
    fn put(&self, row: usize, hit: &TurningHit) {
        self.hit.put(row, is_found(hit.status));
        self.t.put(row, hit.t);
        self.gap.put(row, hit.gap);
        self.point.put(row, Some(hit.point));
        self.normal.put(row, Some(hit.normal.to_array()));
        self.features.put(row, hit.object, hit.triangle);
        self.status.put(row, status_code(hit.status));
    }

    fn put_none(&self, row: usize, status: i8) {
        self.hit.put(row, false);
        self.t.put(row, f32::INFINITY);
        self.gap.put(row, f32::NAN);
        self.point.put(row, None);
        self.normal.put(row, None);
        self.features.put(row, None, None);
        self.status.put(row, status);
    }
}
