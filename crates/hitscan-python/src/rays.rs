//! Rays: the nearest hit, any hit, all hits.

use crate::filter::Filter;
use crate::hit_fields::hit_fields;
use crate::invalid::{BadRows, Invalid};
use crate::python_memory::Column;
use crate::ray_columns::RayColumns;
use crate::ray_rows::{RayBuffer, RayRows};
use crate::rows_on_threads::{Buffers, chunk_rows, for_each};
use crate::view::View;
use hitscan::{QueryFilter, RayCastSettings, RayHit, RayStart, Sides};
use numpy::PyArrayDyn;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// What rays hit and what they pass through: `(sides, start, layers, ignore)`.
pub(crate) type Wanted<'py> = (String, String, u32, Vec<Bound<'py, PyAny>>);

/// The two ends of t.
pub(crate) type Ends<'py> = (Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

/// What rays hit, checked.
pub(crate) struct Cast {
    pub(crate) settings: RayCastSettings,
    filter: Filter,
    pub(crate) rays: RayRows,
    pub(crate) bad: BadRows,
    pub(crate) threads: Option<usize>,
}

impl Cast {
    pub(crate) fn new(
        view: &View,
        (origins, directions): (&Bound<'_, PyAny>, Option<&Bound<'_, PyAny>>),
        range: &Ends<'_>,
        (sides, start, layers, ignore): Wanted<'_>,
        (invalid, threads): (&str, Option<usize>),
    ) -> PyResult<Self> {
        let range = (range.0.as_ref(), range.1.as_ref());
        let invalid = Invalid::named(invalid)?;
        Ok(Self {
            settings: RayCastSettings {
                sides: sides_named(&sides)?,
                start: start_named(&start)?,
            },
            filter: Filter::new(view, &(layers, ignore))?,
            rays: RayRows::new(origins, directions, range, view, invalid)?,
            bad: BadRows::new(invalid),
            threads,
        })
    }

    pub(crate) fn filter(&self) -> QueryFilter<'_> {
        self.filter.query()
    }

    /// Reads all rays, a chunk at a time, and calls `answer` with each chunk's, until the call is to
    /// fail.
    pub(crate) fn for_chunks<B: Default + AsMut<RayBuffer> + Send>(
        &self,
        py: Python<'_>,
        answer: impl Fn(&mut B) + Sync,
    ) -> PyResult<()> {
        let count = self.rays.count();
        let chunk = chunk_rows(count, self.threads);
        let buffers = Buffers::<B>::new();
        for_each(py, count.div_ceil(chunk), self.threads, |number| {
            let first = number * chunk;
            buffers.with(|buffer| {
                let some = chunk.min(count - first);
                self.rays.read(first, some, buffer.as_mut(), &self.bad);
                // Of a call that fails the other rows are only counted.
                if !self.bad.fails() {
                    answer(buffer);
                }
            });
        })
    }

    pub(crate) fn check(self) -> PyResult<()> {
        self.bad.check(self.rays.name(), self.rays.shape())
    }
}

/// A chunk's rays and their nearest hits.
#[derive(Default)]
struct Nearest {
    rays: RayBuffer,
    hits: Vec<Option<RayHit>>,
}

impl AsMut<RayBuffer> for Nearest {
    fn as_mut(&mut self) -> &mut RayBuffer {
        &mut self.rays
    }
}

/// The nearest hit of each ray: a tuple of columns, in the order of `FIELDS`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn cast_rays<'py>(
    py: Python<'py>,
    view: &View,
    origins: &Bound<'py, PyAny>,
    directions: Option<&Bound<'py, PyAny>>,
    range: Ends<'py>,
    wanted: Wanted<'py>,
    fields: Option<Vec<String>>,
    out: Option<&Bound<'py, PyTuple>>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let questions = (origins, directions);
    let cast = Cast::new(view, questions, &range, wanted, (invalid, threads))?;
    let width = (cast.rays.is_wide(), view.origin);
    let columns = RayColumns::new(py, hit_fields(fields)?, cast.rays.shape(), width, out)?;
    cast.for_chunks(py, |buffer: &mut Nearest| {
        let Nearest { rays, hits } = buffer;
        hits.resize(rays.rays.len(), None);
        cast.rays.for_times(view, &rays.rows, |run, target| {
            let (some, hits) = (&rays.rays[run.clone()], &mut hits[run.clone()]);
            target.cast_rays_into(some, cast.settings, cast.filter(), hits);
            for (&row, hit) in rays.rows[run].iter().zip(hits.iter()) {
                match hit {
                    Some(hit) => columns.put_hit(row, hit, target),
                    None => columns.put_miss(row, true),
                }
            }
        });
        for &row in &rays.bad {
            columns.put_miss(row, false);
        }
    })?;
    cast.check()?;
    columns.into_tuple(py)
}

/// A chunk's rays and whether they hit.
#[derive(Default)]
struct AnyHits {
    rays: RayBuffer,
    are_hits: Vec<bool>,
}

impl AsMut<RayBuffer> for AnyHits {
    fn as_mut(&mut self) -> &mut RayBuffer {
        &mut self.rays
    }
}

/// Whether each ray hits anything.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn cast_rays_any<'py>(
    py: Python<'py>,
    view: &View,
    origins: &Bound<'py, PyAny>,
    directions: Option<&Bound<'py, PyAny>>,
    range: Ends<'py>,
    wanted: Wanted<'py>,
    out: Option<&Bound<'py, PyArrayDyn<bool>>>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Py<PyArrayDyn<bool>>> {
    let questions = (origins, directions);
    let cast = Cast::new(view, questions, &range, wanted, (invalid, threads))?;
    let shape = cast.rays.shape();
    let column = match out {
        None => Column::new(py, shape)?,
        Some(out) => Column::reuse(out, shape).ok_or_else(|| {
            let expected = crate::arrays::shape_text(shape);
            PyValueError::new_err(format!(
                "out: expected a writeable, row-major array of shape {expected}"
            ))
        })?,
    };
    cast.for_chunks(py, |buffer: &mut AnyHits| {
        let AnyHits { rays, are_hits } = buffer;
        are_hits.resize(rays.rays.len(), false);
        cast.rays.for_times(view, &rays.rows, |run, target| {
            let (some, are_hits) = (&rays.rays[run.clone()], &mut are_hits[run]);
            target.cast_rays_any_into(some, cast.settings, cast.filter(), are_hits);
        });
        for (&row, is_hit) in rays.rows.iter().zip(are_hits.iter()) {
            column.put(row, *is_hit);
        }
        for &row in &rays.bad {
            column.put(row, false);
        }
    })?;
    cast.check()?;
    Ok(column.into_array())
}

/// What rays hit by the name in Python.
pub(crate) fn sides_named(name: &str) -> PyResult<Sides> {
    match name {
        "both" => Ok(Sides::Both),
        "front" => Ok(Sides::Front),
        "back" => Ok(Sides::Back),
        _ => Err(PyValueError::new_err(format!(
            "sides: expected \"both\", \"front\" or \"back\", found {name:?}"
        ))),
    }
}

pub(crate) fn start_named(name: &str) -> PyResult<RayStart> {
    match name {
        "solid" => Ok(RayStart::Solid),
        "hollow" => Ok(RayStart::Hollow),
        _ => Err(PyValueError::new_err(format!(
            "start: expected \"solid\" or \"hollow\", found {name:?}"
        ))),
    }
}
