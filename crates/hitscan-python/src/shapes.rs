//! Shapes: meshes, terrain and primitives, made of arrays and files.

use crate::arrays::{Argument, for_each_row, nearest_f32, points, with_room};
use crate::errors::{file_error, library_error};
use crate::threads::run;
use glam::{DQuat, DVec3, Vec3};
use hitscan::height_field::{Diagonal, Grid, Region};
use hitscan::model::Winding;
use hitscan::{Aabb, Capsule, HeightField, Model, Obb, Primitive, Sphere, TriMesh};
use hitscan_assets::heights::{HeightScale, read_heights_file};
use hitscan_assets::{ModelOptions, UpAxis, read_model};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
        let positions = points(&Argument::new("vertices", vertices)?, origin)?;
        let triangles = corners(&Argument::new("triangles", triangles)?)?;
        let mesh = run(py, || TriMesh::new(positions, triangles))?;
        let mesh = Arc::new(mesh.map_err(|error| library_error(&error))?);
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
            _ => return Err(unknown("up", "\"y\" or \"z\"", up)),
        };
        let mesh = run(py, || read_mesh(&path, up))?;
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

/// Least and greatest corner of a box, measured from the space that `origin` is in.
pub(crate) fn corners_of(bounds: Aabb, origin: Option<DVec3>) -> [[f64; 3]; 2] {
    let from = origin.unwrap_or_default();
    [bounds.min(), bounds.max()].map(|corner| (corner.as_dvec3() + from).into())
}

/// An origin, whose numbers are finite.
pub(crate) fn checked_origin(origin: Option<[f64; 3]>) -> PyResult<Option<DVec3>> {
    match origin.map(DVec3::from) {
        Some(origin) if !origin.is_finite() => Err(PyValueError::new_err(format!(
            "origin must be finite, found {origin}"
        ))),
        origin => Ok(origin),
    }
}

fn unknown(what: &str, expected: &str, found: &str) -> PyErr {
    PyValueError::new_err(format!("{what}: expected {expected}, found {found:?}"))
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

/// All triangles of a model in its rest pose, as one mesh.
fn read_mesh(path: &Path, up: UpAxis) -> Result<TriMesh, hitscan_assets::Error> {
    let options = ModelOptions {
        up,
        ..ModelOptions::default()
    };
    let refused = |error| hitscan_assets::Error::refused(path, "the model's triangles", error);
    let file = read_model(path, &options)?;
    let model = Model::new(file.data).map_err(refused)?;
    let posed = model.posed(model.rest_pose()).map_err(refused)?;
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
    TriMesh::new(positions, triangles).map_err(refused)
}

/// Terrain.
#[pyclass(frozen, name = "HeightField", module = "hitscan._hitscan")]
pub(crate) struct PyHeightField {
    /// Its grid is measured from the origin.
    pub(crate) field: Arc<HeightField>,
    pub(crate) origin: Option<DVec3>,
}

#[pymethods]
impl PyHeightField {
    #[new]
    fn new(
        py: Python<'_>,
        heights: &Bound<'_, PyAny>,
        spacing: [f64; 2],
        origin: [f64; 3],
        diagonal: &str,
        local_origin: Option<[f64; 3]>,
    ) -> PyResult<Self> {
        let local_origin = checked_origin(local_origin)?;
        let heights = Argument::new("heights", heights)?;
        let &[rows, columns] = heights.shape() else {
            return Err(heights.unexpected("(rows, columns)"));
        };
        let grid = Grid {
            origin: (DVec3::from(origin) - local_origin.unwrap_or_default()).into(),
            diagonal: diagonal_named(diagonal)?,
            ..Grid::new(columns, rows, spacing)
        };
        let heights = samples(&heights)?;
        let field = run(py, || HeightField::new(grid, heights))?;
        Ok(Self {
            field: Arc::new(field.map_err(|error| library_error(&error))?),
            origin: local_origin,
        })
    }

    /// Terrain whose grid is measured from the local origin already.
    #[staticmethod]
    fn restored(
        py: Python<'_>,
        heights: &Bound<'_, PyAny>,
        spacing: [f64; 2],
        grid_origin: [f64; 3],
        diagonal: &str,
        local_origin: Option<[f64; 3]>,
    ) -> PyResult<Self> {
        let terrain = Self::new(py, heights, spacing, grid_origin, diagonal, None)?;
        Ok(Self {
            origin: checked_origin(local_origin)?,
            ..terrain
        })
    }

    /// The height map of a file; `spacing` where the file has none.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        spacing: Option<[f64; 2]>,
        origin: [f64; 3],
        diagonal: &str,
        height_scale: f64,
        height_range: Option<[f64; 2]>,
        size: Option<[usize; 2]>,
    ) -> PyResult<Self> {
        let diagonal = diagonal_named(diagonal)?;
        let scale = match height_range {
            Some([low, high]) => HeightScale::Range { low, high },
            None => HeightScale::MetresPerUnit(height_scale),
        };
        let read = run(py, || {
            let image = read_heights_file(&path, size)?;
            let Some(spacing) = spacing.or(image.spacing_m()) else {
                let what = "`spacing`, metres between samples, which the file does not state";
                return Err(hitscan_assets::Error::missing(&path, "header", what));
            };
            let grid = Grid {
                origin,
                diagonal,
                ..Grid::new(image.columns(), image.rows(), spacing)
            };
            let heights = image.into_heights(scale)?;
            HeightField::new(grid, heights)
                .map_err(|error| hitscan_assets::Error::refused(&path, "samples", error))
        })?;
        Ok(Self {
            field: Arc::new(read.map_err(|error| file_error(py, &error))?),
            origin: None,
        })
    }

    /// The same terrain with other heights from sample (row, column) on.
    fn edited(
        &self,
        py: Python<'_>,
        row: usize,
        column: usize,
        heights: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let heights = Argument::new("heights", heights)?;
        let &[rows, columns] = heights.shape() else {
            return Err(heights.unexpected("(rows, columns)"));
        };
        let region = Region {
            column,
            row,
            columns,
            rows,
        };
        let heights = samples(&heights)?;
        let mut field = HeightField::clone(&self.field);
        let edited = run(py, || field.set_heights(region, &heights).map(|()| field))?;
        Ok(Self {
            field: Arc::new(edited.map_err(|error| library_error(&error))?),
            origin: self.origin,
        })
    }

    /// All heights, (rows, columns); NaN is a hole.
    fn heights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let grid = self.field.grid();
        PyArray1::from_slice(py, self.field.samples()).reshape([grid.rows, grid.columns])
    }

    #[getter]
    fn spacing(&self) -> [f64; 2] {
        self.field.grid().spacing
    }

    #[getter]
    fn origin(&self) -> [f64; 3] {
        (DVec3::from(self.field.grid().origin) + self.origin.unwrap_or_default()).into()
    }

    /// The origin as it is kept: measured from the local one.
    #[getter]
    fn grid_origin(&self) -> [f64; 3] {
        self.field.grid().origin
    }

    #[getter]
    fn local_origin(&self) -> Option<[f64; 3]> {
        self.origin.map(Into::into)
    }

    #[getter]
    fn diagonal(&self) -> &'static str {
        match self.field.grid().diagonal {
            Diagonal::Anti => "anti",
            Diagonal::Main => "main",
        }
    }

    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.field.grid().rows, self.field.grid().columns)
    }

    #[getter]
    fn triangle_count(&self) -> usize {
        self.field.triangle_count()
    }

    #[getter]
    fn hole_count(&self) -> usize {
        self.field.hole_count()
    }

    #[getter]
    fn memory_bytes(&self) -> usize {
        self.field.memory_bytes()
    }

    #[getter]
    fn bounds(&self) -> Option<[[f64; 3]; 2]> {
        self.field
            .bounds()
            .map(|bounds| corners_of(bounds, self.origin))
    }
}

fn diagonal_named(name: &str) -> PyResult<Diagonal> {
    match name {
        "anti" => Ok(Diagonal::Anti),
        "main" => Ok(Diagonal::Main),
        _ => Err(unknown("diagonal", "\"anti\" or \"main\"", name)),
    }
}

/// The samples of a two-dimensional array, row by row.
fn samples(heights: &Argument<'_>) -> PyResult<Vec<f32>> {
    let rows = heights.rows(heights.shape(), None)?;
    let mut samples = with_room(rows.count())?;
    for_each_row(&rows, |[height]: [f64; 1]| {
        samples.push(nearest_f32(height))
    });
    Ok(samples)
}

/// A solid: a sphere, a box, an oriented box or a capsule.
#[pyclass(frozen, name = "Primitive", module = "hitscan._hitscan")]
pub(crate) struct PyPrimitive {
    pub(crate) make: MakePrimitive,
}

/// What a solid is made of, in f64: it becomes the library's once the world's origin is known.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MakePrimitive {
    Sphere(DVec3, f64),
    Aabb(DVec3, DVec3),
    Obb(DVec3, DVec3, DQuat),
    Capsule(DVec3, DVec3, f64),
}

impl MakePrimitive {
    /// What such solids are called.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Sphere(..) => "sphere",
            Self::Aabb(..) => "box",
            Self::Obb(..) => "oriented_box",
            Self::Capsule(..) => "capsule",
        }
    }

    /// The solid, measured from `origin`.
    pub(crate) fn primitive(self, origin: Option<DVec3>) -> Result<Primitive, hitscan::Error> {
        let from = origin.unwrap_or_default();
        let local = |point: DVec3| (point - from).as_vec3();
        Ok(match self {
            Self::Sphere(center, radius) => Sphere::new(local(center), radius)?.into(),
            Self::Aabb(min, max) => Aabb::new(local(min), local(max))?.into(),
            Self::Obb(center, half_size, rotation) => {
                Obb::new(local(center), half_size.as_vec3(), rotation)?.into()
            }
            Self::Capsule(a, b, radius) => Capsule::new(local(a), local(b), radius)?.into(),
        })
    }
}

#[pymethods]
impl PyPrimitive {
    #[staticmethod]
    fn sphere(center: [f64; 3], radius: f64) -> PyResult<Self> {
        checked(MakePrimitive::Sphere(center.into(), radius))
    }

    #[staticmethod]
    fn aabb(min: [f64; 3], max: [f64; 3]) -> PyResult<Self> {
        checked(MakePrimitive::Aabb(min.into(), max.into()))
    }

    #[staticmethod]
    fn obb(center: [f64; 3], half_size: [f64; 3], rotation: [f64; 4]) -> PyResult<Self> {
        let rotation = DQuat::from_array(rotation);
        checked(MakePrimitive::Obb(
            center.into(),
            half_size.into(),
            rotation,
        ))
    }

    #[staticmethod]
    fn capsule(a: [f64; 3], b: [f64; 3], radius: f64) -> PyResult<Self> {
        checked(MakePrimitive::Capsule(a.into(), b.into(), radius))
    }
}

/// A solid that the library accepts.
fn checked(make: MakePrimitive) -> PyResult<PyPrimitive> {
    make.primitive(None)
        .map_err(|error| library_error(&error))?;
    Ok(PyPrimitive { make })
}
