//! Triangle meshes.

use super::place::{checked_origin, corners_of, unknown_word};
use crate::arrays::{Argument, for_each_row, points, with_room};
use crate::errors::{file_error, library_error};
use crate::threads::{build_cancellable, run_here};
use glam::{DVec3, Vec3};
use hitscan::model::Winding;
use hitscan::{Model, TriMesh};
use hitscan_assets::{ModelOptions, UpAxis, read_model};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A triangle mesh.
#[pyclass(frozen, name = "TriMesh", module = "hitscan._hitscan")]
pub(crate) struct PyTriMesh {
    pub(crate) mesh: Arc<TriMesh>,
    /// What is added to its positions, and taken off questions.
    pub(crate) origin: Option<DVec3>,
}

#[pymethods]
impl PyTriMesh {
    #[new]
    fn new(
        py: Python<'_>,
        vertices: &Bound<'_, PyAny>,
        triangles: &Bound<'_, PyAny>,
        origin: Option<[f64; 3]>,
    ) -> PyResult<Self> {
        let origin = checked_origin(origin)?;
        let vertices = Argument::new("vertices", vertices)?;
        let positions = points(&vertices, origin)?;
        let corner_argument = Argument::new("triangles", triangles)?;
        let triangles = corners(&corner_argument)?;
        let vertex_count = positions.len();
        let mesh = build_cancellable(py, |cancel| {
            let builder = TriMesh::builder(positions, triangles);
            builder.cancel(cancel).build()
        })?;
        let mesh = mesh.map_err(|error| {
            let vertex = || bad_vertex(&vertices, origin);
            let triangle = || bad_triangle(&corner_argument, vertex_count);
            let found = vertex().or_else(triangle);
            found.unwrap_or_else(|| library_error(&error))
        })?;
        let mesh = Arc::new(mesh);
        Ok(Self { mesh, origin })
    }

    /// A mesh whose positions are measured from the origin already.
    #[staticmethod]
    fn restored(
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        triangles: &Bound<'_, PyAny>,
        origin: Option<[f64; 3]>,
    ) -> PyResult<Self> {
        let mesh = Self::new(py, positions, triangles, None)?;
        Ok(Self {
            origin: checked_origin(origin)?,
            ..mesh
        })
    }

    /// The triangles of a model file in its rest pose.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf, up: &str) -> PyResult<Self> {
        let up = match up {
            "y" => UpAxis::Y,
            "z" => UpAxis::Z,
            _ => return Err(unknown_word("up", "\"y\" or \"z\"", up)),
        };
        let mesh = build_cancellable(py, |cancel| read_mesh(&path, up, cancel))?;
        let mesh = mesh.map_err(|error| file_error(py, &error))?;
        Ok(Self {
            mesh: Arc::new(mesh),
            origin: None,
        })
    }

    /// The positions as they are kept: measured from the origin.
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let values = self.mesh.positions().iter().flat_map(|at| at.to_array());
        PyArray1::from_iter(py, values).reshape([self.mesh.positions().len(), 3])
    }

    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let values = self.mesh.triangles().iter().flatten();
        let values = PyArray1::from_iter(py, values.map(|corner| i64::from(*corner)));
        values.reshape([self.mesh.triangles().len(), 3])
    }

    #[getter]
    fn origin(&self) -> Option<[f64; 3]> {
        self.origin.map(Into::into)
    }

    #[getter]
    fn vertex_count(&self) -> usize {
        self.mesh.positions().len()
    }

    #[getter]
    fn triangle_count(&self) -> usize {
        self.mesh.triangles().len()
    }

    /// Whether it is a closed surface, which is found out once.
    fn is_closed(&self, py: Python<'_>) -> PyResult<bool> {
        let mesh = &self.mesh;
        run_here(py, || mesh.is_closed())
    }

    #[getter]
    fn memory_bytes(&self) -> usize {
        self.mesh.memory_bytes()
    }

    #[getter]
    fn bounds(&self) -> Option<[[f64; 3]; 2]> {
        self.mesh
            .bounds()
            .map(|bounds| corners_of(bounds, self.origin))
    }
}

/// The corners of triangles, from an array of shape (n, 3) of whole numbers.
fn corners(argument: &Argument<'_>) -> PyResult<Vec<[u32; 3]>> {
    let count = argument.table(3)?;
    if count == 0 {
        return Ok(Vec::new());
    }
    if !argument.number().is_whole() {
        return Err(PyTypeError::new_err(format!(
            "{}: expected an array of whole numbers, found floating-point ones",
            argument.name()
        )));
    }
    let rows = argument.rows(&[count], Some((0, 3)))?;
    let mut triangles = with_room(count)?;
    let mut wrong = None;
    for_each_row(&rows, |row: [f64; 3]| {
        let corner = |value: f64| {
            let is_index = (0.0..=f64::from(u32::MAX)).contains(&value);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is a whole number in this range"
            )]
            is_index.then_some(value as u32)
        };
        match row.map(corner) {
            [Some(a), Some(b), Some(c)] => triangles.push([a, b, c]),
            _ => {
                wrong.get_or_insert((triangles.len(), row));
                triangles.push([0; 3]);
            }
        }
    });
    match wrong {
        None => Ok(triangles),
        Some((index, found)) => Err(PyValueError::new_err(format!(
            "{}[{index}]: expected indices of vertices, found {found:?}",
            argument.name()
        ))),
    }
}

/// How far from 0 coordinates may be, metres.
const MAX_COORDINATE: f32 = 1e18;

/// The error of the first vertex that a mesh cannot have.
fn bad_vertex(vertices: &Argument<'_>, origin: Option<DVec3>) -> Option<PyErr> {
    let positions = points(vertices, origin).ok()?;
    let is_good = |at: &Vec3| at.to_array().iter().all(|x| x.abs() <= MAX_COORDINATE);
    let index = positions.iter().position(|at| !is_good(at))?;
    Some(PyValueError::new_err(format!(
        "{}[{index}]: expected finite numbers within {MAX_COORDINATE:e} m of 0, found {:?}",
        vertices.name(),
        positions[index].to_array()
    )))
}

/// The error of the first triangle with a corner that is no vertex.
fn bad_triangle(triangles: &Argument<'_>, vertex_count: usize) -> Option<PyErr> {
    let is_good = |corners: &[u32; 3]| corners.iter().all(|at| (*at as usize) < vertex_count);
    let triangles_found = corners(triangles).ok()?;
    let index = triangles_found.iter().position(|of| !is_good(of))?;
    Some(PyValueError::new_err(format!(
        "{}[{index}]: expected indices of the {vertex_count} vertices, found {:?}",
        triangles.name(),
        triangles_found[index]
    )))
}

/// All triangles of a model in its rest pose, as one mesh.
fn read_mesh(
    path: &Path,
    up: UpAxis,
    cancel: &AtomicBool,
) -> Result<TriMesh, hitscan_assets::Error> {
    let options = ModelOptions {
        up,
        ..ModelOptions::default()
    };
    let refused = |error| hitscan_assets::Error::refused(path, "the model's triangles", error);
    let file = read_model(path, &options)?;
    let model = Model::new(file.data).map_err(refused)?;
    let posed = model.skinned(model.rest_pose()).map_err(refused)?;
    let (mut positions, mut triangles) = (Vec::<Vec3>::new(), Vec::<[u32; 3]>::new());
    for (part, placed) in model.parts().iter().zip(posed.parts()) {
        let start = u32::try_from(positions.len()).map_err(|_| {
            refused(hitscan::Error::TooMany {
                what: "vertices",
                found: positions.len(),
                limit: u32::MAX as usize,
            })
        })?;
        let place = |at: &Vec3| {
            placed
                .model_from_part
                .transform_point3(at.as_dvec3())
                .as_vec3()
        };
        positions.extend(placed.positions(part).iter().map(place));
        let corners = part.mesh().triangles().iter();
        triangles.extend(corners.map(|&[a, b, c]| {
            // Counter-clockwise corners are seen from the front, mirrored or not.
            let [b, c] = match placed.winding {
                Winding::Kept => [b, c],
                Winding::Mirrored => [c, b],
            };
            [a, b, c].map(|corner| start.saturating_add(corner))
        }));
    }
    let builder = TriMesh::builder(positions, triangles);
    builder.cancel(cancel).build().map_err(refused)
}
