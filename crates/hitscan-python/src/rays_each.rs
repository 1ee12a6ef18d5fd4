//! Rays of many worlds in one call, each world with its own.

use crate::errors::pending_changes;
use crate::filter::Filter;
use crate::hit_fields::hit_fields;
use crate::invalid::{BadRows, Invalid};
use crate::ray_columns::RayColumns;
use crate::ray_rows::{RayBuffer, RayRows};
use crate::rays::{Ends, Wanted, sides_named, start_named};
use crate::rows_on_threads::{Buffers, chunk_rows, for_each};
use crate::view::View;
use crate::world::PyWorld;
use hitscan::{RayCastSettings, RayHit};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A chunk's rays of one world, and their nearest hits.
#[derive(Default)]
struct Nearest {
    rays: RayBuffer,
    hits: Vec<Option<RayHit>>,
}

/// The nearest hit of each ray, in the world that its first axis counts: a tuple of columns. `updates`
/// says of each world whether its pending changes are made first.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn cast_rays_each<'py>(
    py: Python<'py>,
    worlds: Vec<Bound<'py, PyWorld>>,
    updates: Vec<bool>,
    origins: &Bound<'py, PyAny>,
    directions: Option<&Bound<'py, PyAny>>,
    range: Ends<'py>,
    wanted: Wanted<'py>,
    fields: Option<Vec<String>>,
    out: Option<&Bound<'py, PyTuple>>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let (sides, start, layers, ignore) = wanted;
    let settings = RayCastSettings {
        sides: sides_named(&sides)?,
        start: start_named(&start)?,
    };
    let views = current(py, &worlds, &updates, threads)?;
    let seen = (layers, ignore);
    let filters = views.iter().map(|view| Filter::new(view, &seen));
    let filters = filters.collect::<PyResult<Vec<_>>>()?;
    let Some(first_view) = views.first() else {
        return Err(PyValueError::new_err("worlds: expected one at least"));
    };
    let invalid = Invalid::named(invalid)?;
    let bad = BadRows::new(invalid);
    let ends = (range.0.as_ref(), range.1.as_ref());
    let rays = RayRows::new(origins, directions, ends, first_view, invalid)?;
    let (count, shape) = (rays.count(), rays.shape());
    if shape.first() != Some(&views.len()) {
        return Err(PyValueError::new_err(format!(
            "{}: expected a first axis of {}, one for each world, found leading axes {}",
            rays.name(),
            views.len(),
            crate::arrays::shape_text(shape)
        )));
    }
    let width = (rays.is_wide(), None);
    let columns = RayColumns::new(py, hit_fields(fields)?, shape, width, out)?;
    let each = count / views.len();
    let chunk = chunk_rows(count, threads);
    let buffers = Buffers::<Nearest>::new();
    for_each(py, count.div_ceil(chunk), threads, |number| {
        let (mut row, end) = (number * chunk, count.min((number + 1) * chunk));
        buffers.with(|Nearest { rays: some, hits }| {
            while row < end {
                let world = row / each;
                let rows = end.min((world + 1) * each) - row;
                let (view, filter) = (&views[world], &filters[world]);
                rays.read_from(view.origin, row, rows, some, &bad);
                row += rows;
                if bad.fails() {
                    continue;
                }
                hits.resize(some.rays.len(), None);
                view.target
                    .cast_rays_into(&some.rays, settings, filter.query(), hits);
                let origin = view.origin.unwrap_or_default();
                for (&row, hit) in some.rows.iter().zip(hits.iter()) {
                    match hit {
                        Some(hit) => columns.put_hit_from(origin, row, hit, &view.target),
                        None => columns.put_miss(row, true),
                    }
                }
                for &row in &some.bad {
                    columns.put_miss(row, false);
                }
            }
        });
    })?;
    bad.check(rays.name(), shape)?;
    columns.into_tuple(py)
}

/// The worlds as they are, with their pending changes made, on threads.
fn current(
    py: Python<'_>,
    worlds: &[Bound<'_, PyWorld>],
    updates: &[bool],
    threads: Option<usize>,
) -> PyResult<Vec<View>> {
    /// So many worlds are updated by a thread at once.
    const AT_ONCE: usize = 16;
    let worlds: Vec<&PyWorld> = worlds.iter().map(Bound::get).collect();
    let all: Vec<(&PyWorld, bool)> = worlds.into_iter().zip(updates.iter().copied()).collect();
    let chunks: Vec<&[(&PyWorld, bool)]> = all.chunks(AT_ONCE).collect();
    for_each(py, chunks.len(), threads, |number| {
        for (world, _) in chunks[number].iter().filter(|(_, updates)| *updates) {
            world.try_update();
        }
    })?;
    let views = all.iter().enumerate().map(|(place, (world, updates))| {
        let (mut view, mut is_pending) = world.now_and_pending(py);
        if is_pending && *updates {
            world.update(py)?;
            (view, is_pending) = (world.now_and_pending(py).0, false);
        }
        match is_pending {
            true => Err(pending_changes(format!(
                "worlds[{place}] has changes that no update() has made: call update() first"
            ))),
            false => Ok(view),
        }
    });
    views.collect()
}
