//! The columns that answers of several kinds have: positions, objects, triangles.

use crate::hit_fields::whole;
use crate::python_memory::Column;
use crate::questions::{Flat, Questions};
use crate::threads::run_here;
use crate::view::View;
use glam::{DVec3, Vec3};
use hitscan::{ObjectId, TriangleId};
use pyo3::prelude::*;

/// What the positions of an answer are measured from, and whether they are f64.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    is_wide: bool,
    origin: DVec3,
}

impl Place {
    /// As those of the questions.
    pub(crate) fn of(questions: &Questions, view: &View) -> Self {
        Self::new(questions.is_wide(), view)
    }

    pub(crate) fn new(is_wide: bool, view: &View) -> Self {
        Self {
            is_wide,
            origin: view.origin.unwrap_or_default(),
        }
    }
}

/// Positions, or heights, in the width of the questions.
pub(crate) struct Positions {
    values: Wide,
    origin: DVec3,
}

enum Wide {
    F32(Column<f32>),
    F64(Column<f64>),
}

impl Positions {
    /// Points, of which each row has three numbers.
    pub(crate) fn points(py: Python<'_>, shape: &[usize], place: Place) -> PyResult<Self> {
        Self::new(py, &[shape, &[3]].concat(), place)
    }

    /// Heights.
    pub(crate) fn heights(py: Python<'_>, shape: &[usize], place: Place) -> PyResult<Self> {
        Self::new(py, shape, place)
    }

    fn new(py: Python<'_>, shape: &[usize], place: Place) -> PyResult<Self> {
        let values = if place.is_wide {
            Wide::F64(Column::new(py, shape)?)
        } else {
            Wide::F32(Column::new(py, shape)?)
        };
        Ok(Self {
            values,
            origin: place.origin,
        })
    }

    pub(crate) fn put_point(&self, row: usize, point: Vec3) {
        let point = point.as_dvec3() + self.origin;
        match &self.values {
            Wide::F32(column) => column.put_row(row, point.as_vec3().to_array()),
            Wide::F64(column) => column.put_row(row, point.to_array()),
        }
    }

    pub(crate) fn put_height(&self, row: usize, height: f32) {
        let height = f64::from(height) + self.origin.y;
        match &self.values {
            Wide::F32(column) => column.put(row, crate::arrays::nearest_f32(height)),
            Wide::F64(column) => column.put(row, height),
        }
    }

    /// NaN.
    pub(crate) fn put_no_point(&self, row: usize) {
        match &self.values {
            Wide::F32(column) => column.put_row(row, [f32::NAN; 3]),
            Wide::F64(column) => column.put_row(row, [f64::NAN; 3]),
        }
    }

    /// NaN.
    pub(crate) fn put_no_height(&self, row: usize) {
        match &self.values {
            Wide::F32(column) => column.put(row, f32::NAN),
            Wide::F64(column) => column.put(row, f64::NAN),
        }
    }

    pub(crate) fn into_array(self) -> Py<PyAny> {
        match self.values {
            Wide::F32(column) => column.into_array().into_any(),
            Wide::F64(column) => column.into_array().into_any(),
        }
    }
}

/// The object, the part and the triangle that answers are of; -1 where there is none.
pub(crate) struct Features {
    object: Column<i64>,
    part: Column<i32>,
    triangle: Column<i64>,
}

impl Features {
    pub(crate) fn new(py: Python<'_>, shape: &[usize]) -> PyResult<Self> {
        Ok(Self {
            object: Column::new(py, shape)?,
            part: Column::new(py, shape)?,
            triangle: Column::new(py, shape)?,
        })
    }

    pub(crate) fn put(&self, row: usize, object: Option<ObjectId>, triangle: Option<TriangleId>) {
        self.object.put(row, object.map_or(-1, handle));
        let part = triangle.map_or(-1, |id| id.part.cast_signed());
        self.part.put(row, part);
        let triangle = triangle.map_or(-1, |id| i64::from(id.triangle));
        self.triangle.put(row, triangle);
    }

    /// The three columns.
    pub(crate) fn into_arrays(self) -> [Py<PyAny>; 3] {
        [
            self.object.into_array().into_any(),
            self.part.into_array().into_any(),
            self.triangle.into_array().into_any(),
        ]
    }
}

/// An object's handle in Python.
pub(crate) fn handle(object: ObjectId) -> i64 {
    whole(object.index())
}

/// Writes a vector, NaN where there is none.
pub(crate) fn put_vector(column: &Column<f32>, row: usize, vector: Option<Vec3>) {
    column.put_row(row, vector.unwrap_or(Vec3::NAN).to_array());
}

/// The question of each answer, and where each question's answers begin.
pub(crate) fn splits<A: Sync>(py: Python<'_>, flat: &Flat<A>) -> PyResult<[Py<PyAny>; 2]> {
    let question = Column::<i64>::new(py, &[flat.answers.len()])?;
    let splits = Column::<i64>::new(py, &[flat.counts.len() + 1])?;
    run_here(py, || {
        let mut end = 0;
        splits.put(0, 0);
        for (row, count) in flat.counts.iter().enumerate() {
            for place in end..end + count {
                question.put(place, whole(row));
            }
            end += count;
            splits.put(row + 1, whole(end));
        }
    })?;
    Ok([
        question.into_array().into_any(),
        splits.into_array().into_any(),
    ])
}

/// Codes of a status: questions that have no answer, that have one, and rows that are no question.
pub(crate) const NOTHING: i8 = 0;
pub(crate) const FOUND: i8 = 1;
pub(crate) const INVALID: i8 = 2;
