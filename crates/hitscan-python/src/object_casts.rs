//! Objects that move among the others: the first hit of each, any hit.

use crate::arrays::point;
use crate::columns::{
    Columns, FOUND, Features, INVALID, NOTHING, Pieces, Place, Points, Vectors, columns,
};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, three};
use crate::rays::sides_named;
use crate::sweeps::{Wanted, initial_overlap_named, side_code, start_codes};
use crate::view::View;
use hitscan::{InitialOverlap, ObjectCast, ObjectHit, ObjectId, Sides};
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The moving objects of a call, checked.
struct Moves {
    objects: Vec<ObjectId>,
    questions: Questions,
    sides: Sides,
    initial_overlap: InitialOverlap,
    filter: Filter,
}

impl Moves {
    fn new<'py>(
        (py, view): (Python<'py>, &View),
        (objects, is_one): (&[Bound<'py, PyAny>], bool),
        motion: &Bound<'py, PyAny>,
        (sides, initial_overlap, overlaps): &Wanted,
        seen: &Seen<'py>,
        how: (&str, Option<usize>),
    ) -> PyResult<Self> {
        view.world()?;
        let objects = view.objects.of_keys(objects)?;
        let asked = [Asked {
            name: "motion",
            value: motion,
            row: Row::Of(3),
        }];
        let rows = (!is_one).then_some(("objects", objects.len()));
        Ok(Self {
            questions: Questions::new((py, view), "motion", &asked, rows, how)?,
            objects,
            sides: sides_named(sides)?,
            initial_overlap: initial_overlap_named(
                initial_overlap.as_deref(),
                overlaps.as_deref(),
            )?,
            filter: Filter::new(view, seen)?,
        })
    }

    fn cast(&self, row: usize, values: &[f64]) -> Result<ObjectCast, hitscan::Error> {
        // The list is the last axis, or has one object for all rows.
        let object = self.objects[row % self.objects.len()];
        let cast = ObjectCast::new(object, point(three(values, 0), None))?;
        Ok(cast.with_initial_overlap(self.initial_overlap))
    }
}

/// The first hit of each moving object: a tuple of columns. A list of one object moves in every row.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn cast_objects<'py>(
    py: Python<'py>,
    view: &View,
    objects: Vec<Bound<'py, PyAny>>,
    is_one: bool,
    motion: &Bound<'py, PyAny>,
    wanted: Wanted,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let of = (&*objects, is_one);
    let moves = Moves::new((py, view), of, motion, &wanted, &seen, (invalid, threads))?;
    let questions = &moves.questions;
    let place = Place::new(view.origin.is_some() || questions.is_wide(), view);
    let columns = ObjectCastColumns::new(py, questions.shape(), place)?;
    let make = |row: usize, values: &[f64]| moves.cast(row, values);
    questions.answer_each(py, make, |row, cast| {
        let Some(cast) = cast else {
            return columns.put_none(row, INVALID);
        };
        let options = (moves.sides, moves.filter.query());
        let target = questions.target(view, row);
        let hit = target
            .world()
            .and_then(|now| now.cast_object(cast, options));
        match hit {
            Some(hit) => columns.put(row, &hit),
            None => columns.put_none(row, NOTHING),
        }
    })?;
    columns.into_tuple(py)
}

/// Whether each moving object hits anything.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn cast_objects_any<'py>(
    py: Python<'py>,
    view: &View,
    objects: Vec<Bound<'py, PyAny>>,
    is_one: bool,
    motion: &Bound<'py, PyAny>,
    wanted: Wanted,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Py<PyArrayDyn<bool>>> {
    let of = (&*objects, is_one);
    let moves = Moves::new((py, view), of, motion, &wanted, &seen, (invalid, threads))?;
    let make = |row: usize, values: &[f64]| moves.cast(row, values);
    moves.questions.answer_flags(py, make, |row, cast| {
        let options = (moves.sides, moves.filter.query());
        let target = moves.questions.target(view, row);
        let now = target.world();
        now.is_some_and(|now| now.cast_object_any(cast, options))
    })
}

columns! {
    /// The columns of hits of moving objects.
    struct ObjectCastColumns {
        hit: Column<bool>,
        t: Column<f32>,
        point: Points,
        normal: Vectors<3>,
        features: Features,
        mover: Pieces,
        side: Column<i8>,
        start: Column<i8>,
        separation: Column<f32>,
        way_out: Vectors<3>,
        status: Column<i8>,
    }
}

impl ObjectCastColumns {
    fn put(&self, row: usize, hit: &ObjectHit) {
        self.hit.put(row, true);
        self.t.put(row, hit.t);
        self.point.put(row, Some(hit.point));
        self.normal.put(row, Some(hit.normal.to_array()));
        self.features.put(row, hit.object, hit.triangle);
        self.mover.put(row, hit.mover_triangle);
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
        self.mover.put(row, None);
        self.side.put(row, -1);
        self.start.put(row, -1);
        self.separation.put(row, f32::NAN);
        self.way_out.put(row, None);
        self.status.put(row, status);
    }
}
