//! Terrain.

use super::height_samples::PyHeightSamples;
use super::map_place::{LocalOrigin, center, check_unit, map_place};
use super::place::{checked_origin, corners_of, unknown_word};
use crate::arrays::{Argument, for_each_row, nearest_f32, with_room};
use crate::errors::{file_error, library_error};
use crate::threads::{build, build_cancellable};
use glam::DVec3;
use hitscan::HeightField;
use hitscan::height_field::{Diagonal, Grid, Region};
use hitscan_assets::heights::{HeightScale, read_heights_file};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
        local_origin: LocalOrigin,
    ) -> PyResult<Self> {
        let local_origin = local_origin.checked()?;
        let heights = Argument::new("heights", heights)?;
        let &[rows, columns] = heights.shape() else {
            return Err(heights.unexpected("(rows, columns)"));
        };
        let grid = Grid {
            origin,
            diagonal: diagonal_named(diagonal)?,
            ..Grid::new(columns, rows, spacing)
        };
        let heights = samples(&heights)?;
        let field = build_cancellable(py, |cancel| placed(grid, heights, local_origin, cancel))?;
        field.map_err(|error| library_error(&error))
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
        let terrain = Self::new(
            py,
            heights,
            spacing,
            grid_origin,
            diagonal,
            LocalOrigin::None,
        )?;
        Ok(Self {
            origin: checked_origin(local_origin)?,
            ..terrain
        })
    }

    /// The height map of a file, where that says that it is. With `spacing` or `origin` it is a grid of the
    /// caller's, at 0 by default.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        spacing: Option<[f64; 2]>,
        origin: Option<[f64; 3]>,
        diagonal: &str,
        height_scale: f64,
        height_range: Option<[f64; 2]>,
        size: Option<[usize; 2]>,
        local_origin: LocalOrigin,
    ) -> PyResult<Self> {
        let diagonal = diagonal_named(diagonal)?;
        let local_origin = local_origin.checked()?;
        let scale = match height_range {
            Some([low, high]) => HeightScale::Range { low, high },
            None => HeightScale::MetresPerUnit(height_scale),
        };
        let read = build_cancellable(py, |cancel| {
            let image = read_heights_file(&path, size)?;
            let place = match (spacing, origin) {
                (None, None) => map_place(&image)?,
                (None, Some(_)) => {
                    check_unit(&image)?;
                    None
                }
                (Some(_), _) => None,
            };
            let Some(spacing) = spacing.or(image.spacing_m()) else {
                let what = "metres between samples, which the file does not state: give `spacing=`";
                return Err(hitscan_assets::Error::missing(&path, "header", what));
            };
            let local_origin = match (local_origin, place) {
                // Its answers are those of the program, bit for bit.
                (LocalOrigin::Center, None) => LocalOrigin::None,
                (local_origin, _) => local_origin,
            };
            let grid = Grid {
                origin: origin.or(place).unwrap_or_default(),
                diagonal,
                ..Grid::new(image.columns(), image.rows(), spacing)
            };
            let heights = image.into_heights(scale)?;
            placed(grid, heights, local_origin, cancel)
                .map_err(|error| hitscan_assets::Error::refused(&path, "samples", error))
        })?;
        read.map_err(|error| file_error(py, &error))
    }

    /// The terrain of a raster, which is taken from `samples`.
    #[staticmethod]
    fn of_samples(
        py: Python<'_>,
        samples: &Bound<'_, PyHeightSamples>,
        spacing: [f64; 2],
        origin: [f64; 3],
        diagonal: &str,
        local_origin: LocalOrigin,
    ) -> PyResult<Self> {
        let local_origin = local_origin.checked()?;
        let ([rows, columns], heights) = samples.try_borrow_mut()?.take()?;
        let grid = Grid {
            origin,
            diagonal: diagonal_named(diagonal)?,
            ..Grid::new(columns, rows, spacing)
        };
        let field = build_cancellable(py, |cancel| placed(grid, heights, local_origin, cancel))?;
        field.map_err(|error| library_error(&error))
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
        let edited = build(py, || field.set_heights(region, &heights).map(|()| field))?;
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

/// Terrain of a grid in the coordinates of the caller.
fn placed(
    mut grid: Grid,
    heights: Vec<f32>,
    local_origin: LocalOrigin,
    cancel: &AtomicBool,
) -> Result<PyHeightField, hitscan::Error> {
    let origin = match local_origin {
        LocalOrigin::None => None,
        LocalOrigin::At(point) => Some(DVec3::from(point)),
        LocalOrigin::Center => Some(center(&grid, &heights)),
    };
    grid.origin = (DVec3::from(grid.origin) - origin.unwrap_or_default()).into();
    Ok(PyHeightField {
        field: Arc::new(HeightField::new_unless(cancel, grid, heights)?),
        origin,
    })
}

fn diagonal_named(name: &str) -> PyResult<Diagonal> {
    match name {
        "anti" => Ok(Diagonal::Anti),
        "main" => Ok(Diagonal::Main),
        _ => Err(unknown_word("diagonal", "\"anti\" or \"main\"", name)),
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
