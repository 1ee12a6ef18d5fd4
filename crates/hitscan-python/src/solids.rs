//! Questions about closed meshes: how often rays cross them, and which points are inside.

use crate::arrays::point;
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, three};
use crate::ray_rows::RayBuffer;
use crate::rays::{Cast, Ends};
use crate::view::{Target, View};
use glam::Vec3;
use hitscan::{Error, TriMesh};
use numpy::PyArrayDyn;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// A chunk's rays and how often each hits.
#[derive(Default)]
struct Counts {
    rays: RayBuffer,
    counts: Vec<u32>,
}

impl AsMut<RayBuffer> for Counts {
    fn as_mut(&mut self) -> &mut RayBuffer {
        &mut self.rays
    }
}

/// How many hits each ray has; 0 of a row that is no ray.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn count_rays<'py>(
    py: Python<'py>,
    view: &View,
    origins: &Bound<'py, PyAny>,
    directions: Option<&Bound<'py, PyAny>>,
    range: Ends<'py>,
    sides: String,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Py<PyArrayDyn<i64>>> {
    let mesh = mesh_of(view)?;
    let questions = (origins, directions);
    let wanted = (sides, "solid".to_owned(), u32::MAX, Vec::new());
    let cast = Cast::new(view, questions, &range, wanted, (invalid, threads))?;
    let column = Column::new(py, cast.rays.shape())?;
    cast.for_chunks(py, |buffer: &mut Counts| {
        let Counts { rays, counts } = buffer;
        counts.resize(rays.rays.len(), 0);
        mesh.count_hits_into(&rays.rays, cast.settings, counts);
        for (&row, &count) in rays.rows.iter().zip(counts.iter()) {
            column.put(row, i64::from(count));
        }
        for &row in &rays.bad {
            column.put(row, 0);
        }
    })?;
    cast.check()?;
    Ok(column.into_array())
}

/// Whether each point is strictly inside a closed mesh; a row that is no point is not.
#[pyfunction]
pub(crate) fn contains<'py>(
    py: Python<'py>,
    view: &View,
    points: &Bound<'py, PyAny>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Py<PyArrayDyn<bool>>> {
    let mesh = mesh_of(view)?;
    let asked = [Asked {
        name: "points",
        value: points,
        row: Row::Of(3),
    }];
    let questions = Questions::new((py, view), "points", &asked, None, (invalid, threads))?;
    let column = Column::new(py, questions.shape())?;
    let make = |_: usize, values: &[f64]| finite_point(three(values, 0), view);
    questions.answer(py, make, |chunk| {
        let mut are_inside = vec![false; chunk.questions.len()];
        mesh.contain_into(&chunk.questions, &mut are_inside);
        for (&row, &is_inside) in chunk.rows.iter().zip(&are_inside) {
            column.put(row, is_inside);
        }
        for &row in &chunk.bad {
            column.put(row, false);
        }
    })?;
    Ok(column.into_array())
}

/// A point in the space of a view.
pub(crate) fn finite_point(values: [f64; 3], view: &View) -> Result<Vec3, Error> {
    let at = point(values, view.origin);
    match at.to_array().into_iter().find(|x| !x.is_finite()) {
        None => Ok(at),
        Some(found) => Err(Error::NotFinite {
            what: "point",
            found: f64::from(found),
        }),
    }
}

fn mesh_of(view: &View) -> PyResult<&TriMesh> {
    match &view.target {
        Target::Mesh(mesh) => Ok(mesh),
        Target::World(_) | Target::Terrain(_) | Target::Model(_) => {
            Err(PyTypeError::new_err("expected a mesh"))
        }
    }
}
