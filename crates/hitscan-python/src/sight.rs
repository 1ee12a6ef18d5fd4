//! Lines of sight: whether two points see each other, and what is between them.

use crate::arrays::point;
use crate::columns::{Columns, FOUND, Features, INVALID, NOTHING, Place, columns};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, three};
use crate::view::View;
use glam::Vec3;
use hitscan::{Blocker, Error};
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The lines of sight of a call.
struct Lines<'a> {
    view: &'a View,
    questions: Questions,
    filter: Filter,
}

impl<'a> Lines<'a> {
    fn new<'py>(
        (py, view): (Python<'py>, &'a View),
        (eyes, targets): (&Bound<'py, PyAny>, &Bound<'py, PyAny>),
        seen: &Seen<'py>,
        how: (&str, Option<usize>),
    ) -> PyResult<Self> {
        let end = |name, value| Asked {
            name,
            value,
            row: Row::Of(3),
        };
        view.world()?;
        let asked = [end("eyes", eyes), end("targets", targets)];
        Ok(Self {
            view,
            questions: Questions::new((py, view), "line", &asked, None, how)?,
            filter: Filter::new(view, seen)?,
        })
    }

    fn line(&self, values: &[f64]) -> Result<[Vec3; 2], Error> {
        let ends = [0, 3].map(|place| point(three(values, place), self.view.origin));
        for (what, end) in [("eye", ends[0]), ("target", ends[1])] {
            if let Some(found) = end.to_array().into_iter().find(|x| !x.is_finite()) {
                let found = f64::from(found);
                return Err(Error::NotFinite { what, found });
            }
        }
        Ok(ends)
    }
}

/// Whether each two points see each other.
#[pyfunction]
pub(crate) fn is_visible<'py>(
    py: Python<'py>,
    view: &View,
    eyes: &Bound<'py, PyAny>,
    targets: &Bound<'py, PyAny>,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Py<PyArrayDyn<bool>>> {
    let lines = Lines::new((py, view), (eyes, targets), &seen, (invalid, threads))?;
    let make = |_: usize, values: &[f64]| lines.line(values);
    lines
        .questions
        .answer_flags(py, make, |row, &[eye, target]| {
            let world = lines.questions.target(view, row);
            let now = world.world();
            now.is_some_and(|now| now.is_visible(eye, target, lines.filter.query()))
        })
}

/// The first thing between each two points: blocked, t, object, part, triangle, status.
#[pyfunction]
pub(crate) fn first_blocker<'py>(
    py: Python<'py>,
    view: &View,
    eyes: &Bound<'py, PyAny>,
    targets: &Bound<'py, PyAny>,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let lines = Lines::new((py, view), (eyes, targets), &seen, (invalid, threads))?;
    let place = Place::of(&lines.questions, view);
    let columns = BlockerColumns::new(py, lines.questions.shape(), place)?;
    let make = |_: usize, values: &[f64]| lines.line(values);
    lines.questions.answer_each(py, make, |row, line| {
        let Some(&[eye, target]) = line else {
            return columns.put_none(row, INVALID);
        };
        let world = lines.questions.target(view, row);
        let now = world.world();
        match now.and_then(|now| now.first_blocker(eye, target, lines.filter.query())) {
            Some(found) => columns.put(row, &found),
            None => columns.put_none(row, NOTHING),
        }
    })?;
    columns.into_tuple(py)
}

columns! {
    struct BlockerColumns {
        blocked: Column<bool>,
        t: Column<f32>,
        features: Features,
        status: Column<i8>,
    }
}

impl BlockerColumns {
    fn put(&self, row: usize, found: &Blocker) {
        self.blocked.put(row, true);
        self.t.put(row, found.t);
        self.features.put(row, Some(found.object), found.triangle);
        self.status.put(row, FOUND);
    }

    fn put_none(&self, row: usize, status: i8) {
        self.blocked.put(row, false);
        self.t.put(row, f32::INFINITY);
        self.features.put(row, None, None);
        self.status.put(row, status);
    }
}
