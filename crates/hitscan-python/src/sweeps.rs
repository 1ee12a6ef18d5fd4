//! Moving solids: the first hit, any hit, the first hit with each object.

use crate::arrays::point;
use crate::columns::{
    Columns, FOUND, Features, INVALID, NOTHING, Place, Points, Vectors, columns, flat_tuple,
};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, three};
use crate::rays::sides_named;
use crate::shape_rows::{GivenShapes, Shapes};
use crate::view::{Target, View};
use hitscan::{Error, InitialOverlap, QueryFilter, ShapeCast, ShapeHit, Side, Sides, StartState};
use numpy::PyArrayDyn;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

impl Target {
    fn cast_shape(
        &self,
        cast: &ShapeCast,
        sides: Sides,
        filter: QueryFilter<'_>,
    ) -> Option<ShapeHit> {
        match self {
            Self::World(now) => now.cast_shape(cast, (sides, filter)),
            Self::Mesh(mesh) => mesh.cast_shape(cast, sides),
            Self::Model(posed) => posed.cast_shape(cast, sides),
            Self::Terrain(field) => field.cast_shape(cast, sides),
        }
    }

    fn cast_shape_any(&self, cast: &ShapeCast, sides: Sides, filter: QueryFilter<'_>) -> bool {
        match self {
            Self::World(now) => now.cast_shape_any(cast, (sides, filter)),
            Self::Mesh(mesh) => mesh.cast_shape_any(cast, sides),
            Self::Model(posed) => posed.cast_shape_any(cast, sides),
            Self::Terrain(field) => field.cast_shape_any(cast, sides),
        }
    }
}

/// What is hit, and what becomes of overlaps at the start: `(sides, initial_overlap, overlaps)`.
pub(crate) type Wanted = (String, Option<String>, Option<String>);

/// What becomes of overlaps at the start, by the argument `initial_overlap` or its alias `overlaps`.
pub(crate) fn initial_overlap_named(
    initial_overlap: Option<&str>,
    overlaps: Option<&str>,
) -> PyResult<InitialOverlap> {
    let (name, escape, found) = match (initial_overlap, overlaps) {
        (None, None) => return Ok(InitialOverlap::Stop),
        (Some(word), None) => ("initial_overlap", "escape", word),
        (None, Some(word)) => ("overlaps", "leave", word),
        (Some(_), Some(_)) => {
            return Err(PyValueError::new_err(
                "expected initial_overlap or its alias overlaps, found both",
            ));
        }
    };
    match found {
        "stop" => Ok(InitialOverlap::Stop),
        _ if found == escape => Ok(InitialOverlap::Escape),
        _ => Err(PyValueError::new_err(format!(
            "{name}: expected \"stop\" or \"{escape}\", found {found:?}"
        ))),
    }
}

/// The moving solids of a call, checked.
struct Sweep {
    shapes: Shapes,
    questions: Questions,
    sides: Sides,
    initial_overlap: InitialOverlap,
    filter: Filter,
}

impl Sweep {
    fn new<'py>(
        (py, view): (Python<'py>, &View),
        shapes: &GivenShapes<'py>,
        motion: &Bound<'py, PyAny>,
        (sides, initial_overlap, overlaps): &Wanted,
        seen: &Seen<'py>,
        how: (&str, Option<usize>),
    ) -> PyResult<Self> {
        let (shapes, mut asked) = Shapes::new(shapes, view.origin)?;
        asked.push(Asked {
            name: "motion",
            value: motion,
            row: Row::Of(3),
        });
        Ok(Self {
            questions: Questions::new((py, view), "shape", &asked, shapes.rows(), how)?,
            shapes,
            sides: sides_named(sides)?,
            initial_overlap: initial_overlap_named(
                initial_overlap.as_deref(),
                overlaps.as_deref(),
            )?,
            filter: Filter::new(view, seen)?,
        })
    }

    fn cast(&self, row: usize, values: &[f64]) -> Result<ShapeCast, Error> {
        let shape = self.shapes.of_row(row, values)?;
        let motion = point(three(values, self.shapes.width()), None);
        Ok(ShapeCast::new(shape, motion)?.with_initial_overlap(self.initial_overlap))
    }
}

/// The first hit of each moving solid: a tuple of columns.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn cast_shapes<'py>(
    py: Python<'py>,
    view: &View,
    shapes: GivenShapes<'py>,
    motion: &Bound<'py, PyAny>,
    wanted: Wanted,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let sweep = Sweep::new(
        (py, view),
        &shapes,
        motion,
        &wanted,
        &seen,
        (invalid, threads),
    )?;
    let questions = &sweep.questions;
    let columns = SweepColumns::new(py, questions.shape(), Place::of(questions, view))?;
    let make = |row: usize, values: &[f64]| sweep.cast(row, values);
    questions.answer_each(py, make, |row, cast| {
        let Some(cast) = cast else {
            return columns.put_none(row, INVALID);
        };
        let filter = sweep.filter.query();
        let target = questions.target(view, row);
        match target.cast_shape(cast, sweep.sides, filter) {
            Some(hit) => columns.put(row, &hit),
            None => columns.put_none(row, NOTHING),
        }
    })?;
    columns.into_tuple(py)
}

/// Whether each moving solid hits anything.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn cast_shapes_any<'py>(
    py: Python<'py>,
    view: &View,
    shapes: GivenShapes<'py>,
    motion: &Bound<'py, PyAny>,
    wanted: Wanted,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Py<PyArrayDyn<bool>>> {
    let sweep = Sweep::new(
        (py, view),
        &shapes,
        motion,
        &wanted,
        &seen,
        (invalid, threads),
    )?;
    let make = |row: usize, values: &[f64]| sweep.cast(row, values);
    sweep.questions.answer_flags(py, make, |row, cast| {
        let filter = sweep.filter.query();
        let target = sweep.questions.target(view, row);
        target.cast_shape_any(cast, sweep.sides, filter)
    })
}

/// The first hit of each moving solid with each object: columns, the questions and the splits.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn cast_shapes_all<'py>(
    py: Python<'py>,
    view: &View,
    shapes: GivenShapes<'py>,
    motion: &Bound<'py, PyAny>,
    wanted: Wanted,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let sweep = Sweep::new(
        (py, view),
        &shapes,
        motion,
        &wanted,
        &seen,
        (invalid, threads),
    )?;
    let make = |row: usize, values: &[f64]| sweep.cast(row, values);
    view.world()?;
    let flat = sweep.questions.answer_flat(py, make, |row, cast| {
        let filter = sweep.filter.query();
        let target = sweep.questions.target(view, row);
        let now = target.world();
        now.map_or_else(Vec::new, |now| {
            now.cast_shape_all(cast, (sweep.sides, filter))
        })
    })?;
    let place = Place::of(&sweep.questions, view);
    flat_tuple(py, &flat, place, SweepColumns::put)
}

/// The code of the side that faces a motion.
pub(crate) fn side_code(side: Option<Side>) -> i8 {
    match side {
        None => -1,
        Some(Side::Front) => 0,
        Some(Side::Back) => 1,
        Some(Side::Inside) => 2,
    }
}

/// How two lie at the start: a code, and for an overlap the separation and the way out.
pub(crate) fn start_codes(start: StartState) -> (i8, f32, Option<[f32; 3]>) {
    match start {
        StartState::Separate => (0, f32::NAN, None),
        StartState::Touching => (1, f32::NAN, None),
        StartState::Overlap {
            separation,
            way_out,
        } => (2, separation, Some(way_out.to_array())),
    }
}

columns! {
    /// The columns of hits of moving solids.
    struct SweepColumns {
        hit: Column<bool>,
        t: Column<f32>,
        point: Points,
        normal: Vectors<3>,
        features: Features,
        side: Column<i8>,
        start: Column<i8>,
        separation: Column<f32>,
        way_out: Vectors<3>,
        status: Column<i8>,
    }
}

impl SweepColumns {
    fn put(&self, row: usize, hit: &ShapeHit) {
        self.hit.put(row, true);
        self.t.put(row, hit.t);
        self.point.put(row, Some(hit.point));
        self.normal.put(row, Some(hit.normal.to_array()));
        self.features.put(row, hit.object, hit.triangle);
        self.side.put(row, side_code(hit.side));
        let (start, separation, way_out) = start_codes(hit.start);
        self.start.put(row, start);
        self.separation.put(row, separation);
        self.way_out.put(row, way_out);
        self.status.put(row, FOUND);
    }

    fn put_none(&self, row: usize, status: i8) {
        self.hit.put(row, false);
        self.t.put(row, f32::INFINITY);
        self.point.put(row, None);
        self.normal.put(row, None);
        self.features.put(row, None, None);
        self.side.put(row, -1);
        self.start.put(row, -1);
        self.separation.put(row, f32::NAN);
        self.way_out.put(row, None);
        self.status.put(row, status);
    }
}
