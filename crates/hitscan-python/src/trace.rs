//! Traces of a ray's traversal, counts of its tests, and near misses.

use crate::explain::{Feature, GivenRay, Passed, feature, passed, ray, settings};
use crate::filter::{Filter, Seen};
use crate::threads::run_here;
use crate::view::View;
use hitscan::TriangleId;
use hitscan::explain::{Visit, Visited};
use pyo3::prelude::*;

/// What was looked at, its depth, of what, the t of entry and exit, the verdict, and it in words.
type Look = (&'static str, u32, Feature, [f32; 2], &'static str, String);

/// What the walk of a ray looks at, the first `limit` of it, and how much there was.
#[pyfunction]
pub(crate) fn trace_ray(
    py: Python<'_>,
    view: &View,
    given: GivenRay,
    wanted: (String, String),
    limit: usize,
    seen: Seen<'_>,
) -> PyResult<(Vec<Look>, u64)> {
    let (now, filter) = (view.world()?, Filter::new(view, &seen)?);
    let (ray, settings) = (ray(given, view.origin)?, settings(&wanted)?);
    let (_, trace) = run_here(py, || {
        now.trace_ray(&ray, (settings, filter.query()), limit)
    })?;
    Ok((trace.visits.iter().map(look).collect(), trace.count))
}

fn look(visit: &Visit) -> Look {
    let triangle = match visit.what {
        Visited::Triangle { triangle, .. } => Some(triangle),
        _ => None,
    };
    let id = triangle.map(|triangle| TriangleId {
        part: visit.part.unwrap_or(0),
        triangle,
    });
    let (object, part, triangle) = feature(visit.object, id);
    let part = visit.part.map_or(part, u32::cast_signed);
    (
        visit.what.name(),
        visit.depth,
        (object, part, triangle),
        visit.t,
        visit.verdict.name(),
        visit.sentence(),
    )
}

/// How many boxes and how many triangles and solids are tested for a ray.
#[pyfunction]
pub(crate) fn cast_ray_counted(
    py: Python<'_>,
    view: &View,
    given: GivenRay,
    wanted: (String, String),
    seen: Seen<'_>,
) -> PyResult<(u32, u32)> {
    let (now, filter) = (view.world()?, Filter::new(view, &seen)?);
    let (ray, settings) = (ray(given, view.origin)?, settings(&wanted)?);
    let (_, counts) = run_here(py, || {
        now.cast_ray_counted(&ray, (settings, filter.query()))
    })?;
    Ok((counts.boxes, counts.triangles))
}

/// What a ray comes nearest to.
#[pyfunction]
pub(crate) fn nearest_approaches(
    py: Python<'_>,
    view: &View,
    given: GivenRay,
    at_most: usize,
    seen: Seen<'_>,
) -> PyResult<Vec<Passed>> {
    let (now, filter) = (view.world()?, Filter::new(view, &seen)?);
    let ray = ray(given, view.origin)?;
    let found = run_here(py, || now.nearest_approaches(&ray, filter.query(), at_most))?;
    Ok(found.iter().map(|one| passed(view, one)).collect())
}
