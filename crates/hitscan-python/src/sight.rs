//! Lines of sight: whether two points see each other, and what is between them.

use crate::arrays::point;
use crate::columns::{FOUND, Features, INVALID, NOTHING};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, three};
use crate::view::View;
use glam::{DVec3, Vec3};
use hitscan::{Error, Snapshot};
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The lines of sight of a call.
struct Lines<'a> {
    now: &'a Snapshot,
    questions: Questions,
    filter: Filter,
    origin: Option<DVec3>,
}

impl<'a> Lines<'a> {
    fn new<'py>(
        view: &'a View,
        (eyes, targets): (&Bound<'py, PyAny>, &Bound<'py, PyAny>),
        seen: &Seen<'py>,
        how: (&str, Option<usize>),
    ) -> PyResult<Self> {
        let end = |name, value| Asked {
            name,
            value,
            row: Row::Of(3),
        };
        let asked = [end("eyes", eyes), end("targets", targets)];
        Ok(Self {
            now: view.world()?,
            questions: Questions::new("line", &asked, None, how)?,
            filter: Filter::new(view, seen)?,
            origin: view.origin,
        })
    }

    fn line(&self, values: &[f64]) -> Result<[Vec3; 2], Error> {
        let ends = [0, 3].map(|place| point(three(values, place), self.origin));
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
    let lines = Lines::new(view, (eyes, targets), &seen, (invalid, threads))?;
    let column = Column::<bool>::new(py, lines.questions.shape())?;
    let make = |_: usize, values: &[f64]| lines.line(values);
    lines.questions.answer(py, make, |chunk| {
        for (&row, &[eye, target]) in chunk.rows.iter().zip(&chunk.questions) {
            let filter = lines.filter.query();
            column.put(row, lines.now.is_visible(eye, target, filter));
        }
        for &row in &chunk.bad {
            column.put(row, false);
        }
    })?;
    Ok(column.into_array())
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
    let lines = Lines::new(view, (eyes, targets), &seen, (invalid, threads))?;
    let shape = lines.questions.shape();
    let blocked = Column::<bool>::new(py, shape)?;
    let t = Column::<f32>::new(py, shape)?;
    let features = Features::new(py, shape)?;
    let status = Column::<i8>::new(py, shape)?;
    let put_none = |row: usize, code: i8| {
        blocked.put(row, false);
        t.put(row, f32::INFINITY);
        features.put(row, None, None);
        status.put(row, code);
    };
    let make = |_: usize, values: &[f64]| lines.line(values);
    lines.questions.answer(py, make, |chunk| {
        for (&row, &[eye, target]) in chunk.rows.iter().zip(&chunk.questions) {
            let filter = lines.filter.query();
            match lines.now.first_blocker(eye, target, filter) {
                Some(found) => {
                    blocked.put(row, true);
                    t.put(row, found.t);
                    features.put(row, Some(found.object), found.triangle);
                    status.put(row, FOUND);
                }
                None => put_none(row, NOTHING),
            }
        }
        chunk.bad.iter().for_each(|row| put_none(*row, INVALID));
    })?;
    let [object, part, triangle] = features.into_arrays();
    let arrays: [Py<PyAny>; 6] = [
        blocked.into_array().into_any(),
        t.into_array().into_any(),
        object,
        part,
        triangle,
        status.into_array().into_any(),
    ];
    PyTuple::new(py, arrays)
}
