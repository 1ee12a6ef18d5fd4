//! Distances of objects: pairs that are named, the closest pair, all pairs within a distance.

use crate::columns::{
    Columns, FOUND, Features, INVALID, NOTHING, Place, Points, Vectors, columns, rows_of,
};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, distance};
use crate::threads::run_watched;
use crate::view::View;
use hitscan::ObjectId;
use hitscan::world::{DistanceStatus, ObjectDistance};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// How far the objects of each pair are apart: columns. A list of one pair is that of every row.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn distances<'py>(
    py: Python<'py>,
    view: &View,
    a: Vec<Bound<'py, PyAny>>,
    b: Vec<Bound<'py, PyAny>>,
    max_distance: &Bound<'py, PyAny>,
    is_one: bool,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    view.world()?;
    let filter = Filter::new(view, &seen)?;
    let sides = [view.objects.of_keys(&a)?, view.objects.of_keys(&b)?];
    let pairs: Vec<[ObjectId; 2]> = sides[0]
        .iter()
        .zip(&sides[1])
        .map(|(a, b)| [*a, *b])
        .collect();
    let asked = [Asked {
        name: "max_distance",
        value: max_distance,
        row: Row::Number,
    }];
    let rows = (!is_one).then_some(("objects", pairs.len()));
    let questions = Questions::new((py, view), "max_distance", &asked, rows, (invalid, threads))?;
    let place = Place::new(view.origin.is_some(), view);
    let columns = DistanceColumns::new(py, questions.shape(), place)?;
    let make = |_: usize, values: &[f64]| distance("max_distance", values[0]);
    questions.answer_each(py, make, |row, max| {
        let Some(max) = max else {
            return columns.put_none(row, INVALID);
        };
        let [a, b] = pairs[row % pairs.len()];
        let target = questions.target(view, row);
        let found = target
            .world()
            .and_then(|now| now.distance(a, b, *max, filter.query()));
        match found {
            Some(found) => columns.put(row, &found),
            None => columns.put_none(row, NOTHING),
        }
    })?;
    columns.into_tuple(py)
}

/// All pairs no farther apart than `max_distance`, or the closest pair alone: columns.
#[pyfunction]
pub(crate) fn near_pairs<'py>(
    py: Python<'py>,
    view: &View,
    max_distance: Option<f64>,
    seen: Seen<'py>,
) -> PyResult<Bound<'py, PyTuple>> {
    let now = view.world()?.clone();
    let filter = Filter::new(view, &seen)?;
    let pairs = run_watched(py, move || match max_distance {
        Some(max) => now.pairs_within(max, filter.query()),
        None => now.closest_pair(filter.query()).into_iter().collect(),
    })?;
    let place = Place::new(view.origin.is_some(), view);
    rows_of(py, &pairs, place, DistanceColumns::put)?.into_tuple(py)
}

columns! {
    struct DistanceColumns {
        relation: Column<i8>,
        distance: Column<f32>,
        normal: Vectors<3>,
        a_point: Points,
        b_point: Points,
        a: Features,
        b: Features,
        status: Column<i8>,
    }
}

impl DistanceColumns {
    fn put(&self, row: usize, found: &ObjectDistance) {
        let relation = match found.status {
            DistanceStatus::Apart => 0,
            DistanceStatus::Touching => 1,
            DistanceStatus::Overlap => 2,
        };
        self.relation.put(row, relation);
        self.distance.put(row, found.distance);
        self.normal.put(row, Some(found.normal.to_array()));
        self.a_point.put(row, Some(found.points[0]));
        self.b_point.put(row, Some(found.points[1]));
        self.a.put(row, Some(found.a.object), found.a.triangle);
        self.b.put(row, Some(found.b.object), found.b.triangle);
        self.status.put(row, FOUND);
    }

    fn put_none(&self, row: usize, status: i8) {
        self.relation.put(row, -1);
        self.distance.put(row, f32::INFINITY);
        self.normal.put(row, None);
        self.a_point.put(row, None);
        self.b_point.put(row, None);
        self.a.put(row, None, None);
        self.b.put(row, None, None);
        self.status.put(row, status);
    }
}
