//! Overlaps: boxes that touch, shapes that overlap and how, objects in regions.

use crate::arrays::point;
use crate::columns::{Columns, Features, Objects, Place, Points, columns, flat_tuple, rows_of};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, three};
use crate::rows_on_threads::for_each;
use crate::threads::{lock, run};
use crate::view::View;
use glam::Vec3;
use hitscan::overlap::OverlapKind;
use hitscan::world::{AabbPair, OverlapPair};
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
    let place = Place::new(view.origin.is_some(), view);
    rows_of(py, &pairs, place, PairColumns::put)?.into_tuple(py)
}

columns! {
    struct PairColumns {
        a: Objects,
        b: Objects,
        min: Points,
        max: Points,
    }
}

impl PairColumns {
    fn put(&self, row: usize, pair: &AabbPair) {
        self.a.put(row, Some(pair.a));
        self.b.put(row, Some(pair.b));
        self.min.put(row, Some(pair.intersection.min()));
        self.max.put(row, Some(pair.intersection.max()));
    }
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
    let place = Place::new(view.origin.is_some(), view);
    rows_of(py, &overlaps, place, OverlapColumns::put)?.into_tuple(py)
}

columns! {
    struct OverlapColumns {
        kind: Column<i8>,
        a: Features,
        b: Features,
        segment: Segments,
    }
}

impl OverlapColumns {
    fn put(&self, row: usize, overlap: &OverlapPair) {
        let kind = match overlap.kind {
            OverlapKind::Cross => 0,
            OverlapKind::Coplanar => 1,
            OverlapKind::Touch => 2,
            OverlapKind::Contains => 3,
        };
        self.kind.put(row, kind);
        let (a, b) = (&overlap.a, &overlap.b);
        self.a.put(row, Some(a.object), a.triangle);
        self.b.put(row, Some(b.object), b.triangle);
        self.segment.put(row, overlap.segment);
    }
}

/// Two points a row, NaN where there are none.
struct Segments(Points);

impl Segments {
    fn put(&self, row: usize, segment: Option<[Vec3; 2]>) {
        for end in 0..2 {
            self.0.put(2 * row + end, segment.map(|ends| ends[end]));
        }
    }
}

impl Columns for Segments {
    fn new(py: Python<'_>, shape: &[usize], place: Place) -> PyResult<Self> {
        Points::new(py, &[shape, &[2]].concat(), place).map(Self)
    }

    fn push_into(self, arrays: &mut Vec<Py<PyAny>>) {
        self.0.push_into(arrays);
    }
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
    let questions = Questions::new((py, view), "region", &asked, None, (invalid, threads))?;
    let make = |_: usize, values: &[f64]| {
        let corner = |place| point(three(values, place), view.origin);
        Aabb::new(corner(0), corner(3))
    };
    let flat =
        questions.answer_flat(py, make, |_, region| now.objects_in(region, filter.query()))?;
    let place = Place::of(&questions, view);
    flat_tuple(py, &flat, place, |objects: &Objects, row, object| {
        objects.put(row, Some(*object));
    })
}
