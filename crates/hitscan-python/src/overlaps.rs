//! Which objects' boxes touch, which shapes meet and how, and which objects are in regions.

use crate::arrays::point;
use crate::columns::{Features, Place, Positions, handle, splits};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, three};
use crate::threads::{for_each, lock, run, run_here};
use crate::view::View;
use hitscan::overlap::OverlapKind;
use hitscan::world::OverlapPair;
use hitscan::{Aabb, ObjectId};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// The pairs of objects whose boxes touch or overlap: a, b, min, max.
#[pyfunction]
pub(crate) fn broad_phase_pairs<'py>(
    py: Python<'py>,
    view: &View,
    seen: Seen<'py>,
) -> PyResult<Bound<'py, PyTuple>> {
    let now = view.world()?;
    let filter = Filter::new(view, &seen)?;
    let pairs = run(py, || now.broad_phase_pairs(filter.query()))?;
    let shape = [pairs.len()];
    let place = Place::new(view.origin.is_some(), view);
    let (a, b) = (Column::new(py, &shape)?, Column::new(py, &shape)?);
    let corners = [
        Positions::points(py, &shape, place)?,
        Positions::points(py, &shape, place)?,
    ];
    run_here(py, || {
        for (row, pair) in pairs.iter().enumerate() {
            a.put(row, handle(pair.a));
            b.put(row, handle(pair.b));
            corners[0].put_point(row, pair.intersection.min());
            corners[1].put_point(row, pair.intersection.max());
        }
    })?;
    let [min, max] = corners.map(Positions::into_array);
    let arrays: [Py<PyAny>; 4] = [
        a.into_array().into_any(),
        b.into_array().into_any(),
        min,
        max,
    ];
    PyTuple::new(py, arrays)
}

/// How objects overlap: kind, a, a's part and triangle, b, b's part and triangle, segment. Of all
/// objects, or of these two.
#[pyfunction]
pub(crate) fn overlaps<'py>(
    py: Python<'py>,
    view: &View,
    of: Option<[Bound<'py, PyAny>; 2]>,
    seen: Seen<'py>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let now = view.world()?;
    let filter = Filter::new(view, &seen)?;
    let pairs: Vec<(ObjectId, ObjectId)> = match of {
        Some(keys) => {
            let objects = view.objects.of_keys(&keys)?;
            vec![(objects[0], objects[1])]
        }
        None => {
            let pairs = run(py, || now.broad_phase_pairs(filter.query()))?;
            pairs.iter().map(|pair| (pair.a, pair.b)).collect()
        }
    };
    let found: Mutex<Vec<(usize, Vec<OverlapPair>)>> = Mutex::new(Vec::new());
    for_each(py, pairs.len(), threads, |number| {
        let (one, other) = pairs[number];
        let mut own = Vec::new();
        let _ = now.visit_overlaps_of(one, other, filter.query(), |overlap| {
            own.push(overlap);
            ControlFlow::Continue(())
        });
        if !own.is_empty() {
            lock(&found).push((number, own));
        }
    })?;
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by_key(|(number, _)| *number);
    let overlaps: Vec<OverlapPair> = found.into_iter().flat_map(|(_, own)| own).collect();
    overlap_columns(py, view, &overlaps)
}

fn overlap_columns<'py>(
    py: Python<'py>,
    view: &View,
    overlaps: &[OverlapPair],
) -> PyResult<Bound<'py, PyTuple>> {
    let shape = [overlaps.len()];
    let kind = Column::<i8>::new(py, &shape)?;
    let (a, b) = (Features::new(py, &shape)?, Features::new(py, &shape)?);
    // A segment has two points.
    let place = Place::new(view.origin.is_some(), view);
    let segment = Positions::points(py, &[overlaps.len(), 2], place)?;
    run_here(py, || {
        for (row, overlap) in overlaps.iter().enumerate() {
            let code = match overlap.kind {
                OverlapKind::Cross => 0,
                OverlapKind::Coplanar => 1,
                OverlapKind::Touch => 2,
                OverlapKind::Contains => 3,
            };
            kind.put(row, code);
            a.put(row, Some(overlap.a.object), overlap.a.triangle);
            b.put(row, Some(overlap.b.object), overlap.b.triangle);
            for end in 0..2 {
                match overlap.segment {
                    Some(ends) => segment.put_point(2 * row + end, ends[end]),
                    None => segment.put_no_point(2 * row + end),
                }
            }
        }
    })?;
    let [a, a_part, a_triangle] = a.into_arrays();
    let [b, b_part, b_triangle] = b.into_arrays();
    let arrays: [Py<PyAny>; 8] = [
        kind.into_array().into_any(),
        a,
        a_part,
        a_triangle,
        b,
        b_part,
        b_triangle,
        segment.into_array(),
    ];
    PyTuple::new(py, arrays)
}

/// The objects whose boxes touch or overlap each region: object, the questions and the splits.
#[pyfunction]
pub(crate) fn objects_in<'py>(
    py: Python<'py>,
    view: &View,
    min: &Bound<'py, PyAny>,
    max: &Bound<'py, PyAny>,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let now = view.world()?;
    let filter = Filter::new(view, &seen)?;
    let corner = |name, value| Asked {
        name,
        value,
        row: Row::Of(3),
    };
    let asked = [corner("min", min), corner("max", max)];
    let questions = Questions::new("region", &asked, None, (invalid, threads))?;
    let make = |_: usize, values: &[f64]| {
        let corner = |place| point(three(values, place), view.origin);
        Aabb::new(corner(0), corner(3))
    };
    let flat = questions.answer_flat(py, make, |region| now.objects_in(region, filter.query()))?;
    let objects = Column::<i64>::new(py, &[flat.answers.len()])?;
    for (row, object) in flat.answers.iter().enumerate() {
        objects.put(row, handle(*object));
    }
    let [question, splits] = splits(py, &flat)?;
    let arrays: [Py<PyAny>; 3] = [objects.into_array().into_any(), question, splits];
    PyTuple::new(py, arrays)
}
