//! Explanations of one question at a time.

use crate::arrays::{nearest_f32, point};
use crate::columns::handle;
use crate::errors::library_error;
use crate::filter::{Filter, Seen};
use crate::rays::{sides_named, start_named};
use crate::shapes::PyPrimitive;
use crate::sweeps::{Wanted, initial_overlap_named};
use crate::threads::run_here;
use crate::view::View;
use glam::DVec3;
use hitscan::Interior;
use hitscan::TriangleId;
use hitscan::explain::{Hits, MissCause, Question};
use hitscan::{BallisticArc, ContactsPer, Error, ObjectId, Ray, RayCastSettings, ShapeCast};
use pyo3::prelude::*;

/// A ray: origin, direction, and the two ends of t.
pub(crate) type GivenRay = ([f64; 3], [f64; 3], f64, f64);

/// Object, part and triangle; -1 where there is none.
pub(crate) type Feature = (i64, i32, i64);

/// Object, part, triangle, t, verdict, why.
type Candidate = (Feature, Option<f32>, &'static str, String);

pub(crate) fn feature(object: Option<ObjectId>, triangle: Option<TriangleId>) -> Feature {
    (
        object.map_or(-1, handle),
        triangle.map_or(-1, |id| id.part.cast_signed()),
        triangle.and_then(TriangleId::number).map_or(-1, i64::from),
    )
}

/// The ray, measured from `origin`.
///
/// # Errors
/// `ValueError` for what is no ray.
pub(crate) fn ray(given: GivenRay, origin: Option<DVec3>) -> PyResult<Ray> {
    let (from, direction, t_min, t_max) = given;
    Ray::new(point(from, origin), point(direction, None))
        .and_then(|ray| ray.with_range(nearest_f32(t_min), nearest_f32(t_max)))
        .map_err(|error| library_error(&error))
}

/// What counts as a hit.
pub(crate) fn settings((sides, start): &(String, String)) -> PyResult<RayCastSettings> {
    Ok(RayCastSettings {
        sides: sides_named(sides)?,
        start: start_named(start)?,
    })
}

fn hits(all: bool) -> Hits {
    if all { Hits::All } else { Hits::Nearest }
}

fn explained(
    py: Python<'_>,
    view: &View,
    question: Result<Question, Error>,
    seen: &Seen<'_>,
) -> PyResult<Vec<Candidate>> {
    let now = view.world()?;
    let filter = Filter::new(view, seen)?;
    let question = question.map_err(|error| library_error(&error))?;
    let explanation = run_here(py, || now.explain(&question, filter.query()))?;
    let candidates = explanation.candidates.into_iter().map(|one| {
        let feature = feature(Some(one.object), one.triangle);
        (feature, one.t, one.verdict.name(), one.why)
    });
    Ok(candidates.collect())
}

/// What became of each thing that a ray hits.
#[pyfunction]
pub(crate) fn explain_ray(
    py: Python<'_>,
    view: &View,
    given: GivenRay,
    wanted: (String, String),
    all: bool,
    seen: Seen<'_>,
) -> PyResult<Vec<Candidate>> {
    let question = Question::Ray {
        ray: ray(given, view.origin)?,
        settings: settings(&wanted)?,
        hits: hits(all),
    };
    explained(py, view, Ok(question), &seen)
}

/// What became of each thing that an arc hits.
#[pyfunction]
pub(crate) fn explain_arc(
    py: Python<'_>,
    view: &View,
    vectors: [[f64; 3]; 3],
    range: (f64, f64),
    sides: &str,
    seen: Seen<'_>,
) -> PyResult<Vec<Candidate>> {
    let ([origin, velocity, acceleration], (t_min, t_max)) = (vectors, range);
    let sides = sides_named(sides)?;
    let from = point(origin, view.origin);
    let arc = BallisticArc::new(from, point(velocity, None), point(acceleration, None))
        .and_then(|arc| arc.with_range(nearest_f32(t_min), nearest_f32(t_max)));
    let question = arc.map(|arc| Question::Arc {
        arc,
        settings: sides.into(),
    });
    explained(py, view, question, &seen)
}

/// What became of each thing that a moving solid hits.
#[pyfunction]
pub(crate) fn explain_shape(
    py: Python<'_>,
    view: &View,
    shape: &PyPrimitive,
    motion: [f64; 3],
    wanted: Wanted,
    all: bool,
    seen: Seen<'_>,
) -> PyResult<Vec<Candidate>> {
    let (sides, initial_overlap, overlaps) = wanted;
    let sides = sides_named(&sides)?;
    let initial_overlap = initial_overlap_named(initial_overlap.as_deref(), overlaps.as_deref())?;
    let cast = shape.make.primitive(view.origin);
    let cast = cast.and_then(|shape| ShapeCast::new(shape, point(motion, None)));
    let question = cast.map(|cast| Question::ShapeCast {
        cast: cast.with_initial_overlap(initial_overlap),
        sides,
        hits: hits(all),
    });
    explained(py, view, question, &seen)
}

/// What became of each thing that a resting solid is near to.
#[pyfunction]
pub(crate) fn explain_contacts(
    py: Python<'_>,
    view: &View,
    shape: &PyPrimitive,
    margin: f64,
    each_triangle: bool,
    seen: Seen<'_>,
) -> PyResult<Vec<Candidate>> {
    let shape = shape.make.primitive(view.origin);
    let each = if each_triangle {
        ContactsPer::Triangle
    } else {
        ContactsPer::Object
    };
    let question = shape.map(|shape| Question::Contacts {
        shape,
        margin: nearest_f32(margin),
        each,
    });
    explained(py, view, question, &seen)
}

/// How far each object is from a point.
#[pyfunction]
pub(crate) fn explain_closest_point(
    py: Python<'_>,
    view: &View,
    at: [f64; 3],
    max_distance: f64,
    signed: bool,
    seen: Seen<'_>,
) -> PyResult<Vec<Candidate>> {
    let question = Question::ClosestPoint {
        point: point(at, view.origin),
        max_distance: nearest_f32(max_distance),
        interior: if signed {
            Interior::ClosedSurfaces
        } else {
            Interior::Solids
        },
    };
    explained(py, view, Ok(question), &seen)
}

/// What is changed, to which number, what is hit then, at which t, and all of it in words.
type Change = (&'static str, Option<f32>, Feature, f32, String);

/// The objects that a ray passes, and the changes with which it hits; `None` where it hits.
type Miss = (Vec<Passed>, Vec<Change>);

/// What is passed, the distance, t, the point of the ray and that of the object.
pub(crate) type Passed = (Feature, f32, f32, [f64; 3], [f64; 3]);

pub(crate) fn passed(view: &View, one: &hitscan::explain::Approach) -> Passed {
    let place = |at: glam::Vec3| (at.as_dvec3() + view.origin.unwrap_or_default()).into();
    (
        feature(Some(one.object), one.triangle),
        one.distance,
        one.t,
        place(one.on_ray),
        place(one.on_object),
    )
}

/// Why a ray hits nothing.
#[pyfunction]
pub(crate) fn explain_miss(
    py: Python<'_>,
    view: &View,
    given: GivenRay,
    wanted: (String, String),
    at_most: usize,
    seen: Seen<'_>,
) -> PyResult<Option<Miss>> {
    let (now, filter) = (view.world()?, Filter::new(view, &seen)?);
    let (ray, settings) = (ray(given, view.origin)?, settings(&wanted)?);
    let miss = run_here(py, || {
        now.explain_miss(&ray, (settings, filter.query()), at_most)
    })?;
    Ok(miss.map(|miss| {
        let near = miss.passed.iter().map(|one| passed(view, one));
        let changes = miss.changes.iter().map(|change| {
            let to = match change.what {
                MissCause::TMax(t) | MissCause::TMin(t) => Some(t),
                _ => None,
            };
            let feature = feature(Some(change.object), change.triangle);
            (change.what.name(), to, feature, change.t, change.sentence())
        });
        (near.collect(), changes.collect())
    }))
}
