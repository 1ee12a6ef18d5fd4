//! The columns of answers: what a column holds, and structs of columns in the order of their fields.

use crate::arrays::nearest_f32;
use crate::hit_fields::whole;
use crate::python_memory::{Column, Stored};
use crate::questions::{Flat, Questions};
use crate::threads::run_here;
use crate::view::View;
use glam::{DVec3, Vec3};
use hitscan::{ObjectId, TriangleId};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

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

/// Arrays of an answer, one or several that belong together, which are written row by row.
pub(crate) trait Columns: Sized {
    /// New arrays, a row for each of `shape`.
    fn new(py: Python<'_>, shape: &[usize], place: Place) -> PyResult<Self>;

    /// Appends the arrays to those of the answer.
    fn push_into(self, arrays: &mut Vec<Py<PyAny>>);

    fn into_tuple(self, py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        let mut arrays = Vec::new();
        self.push_into(&mut arrays);
        PyTuple::new(py, arrays)
    }
}

/// Makes a struct of columns [`Columns`], whose arrays are those of its fields in their order.
macro_rules! columns {
    ($(#[$attribute:meta])* $visible:vis struct $name:ident {
        $($field:ident: $column:ty,)+
    }) => {
        $(#[$attribute])*
        $visible struct $name {
            $($field: $column,)+
        }

        impl $crate::columns::Columns for $name {
            fn new(
                py: ::pyo3::Python<'_>,
                shape: &[usize],
                place: $crate::columns::Place,
            ) -> ::pyo3::PyResult<Self> {
                Ok(Self {
                    $($field: $crate::columns::Columns::new(py, shape, place)?,)+
                })
            }

            fn push_into(self, arrays: &mut Vec<::pyo3::Py<::pyo3::PyAny>>) {
                $($crate::columns::Columns::push_into(self.$field, arrays);)+
            }
        }
    };
}
pub(crate) use columns;

impl<T: Stored> Columns for Column<T> {
    fn new(py: Python<'_>, shape: &[usize], _: Place) -> PyResult<Self> {
        Self::new(py, shape)
    }

    fn push_into(self, arrays: &mut Vec<Py<PyAny>>) {
        arrays.push(self.into_array().into_any());
    }
}

/// Vectors of `N` numbers, NaN where there is none.
pub(crate) struct Vectors<const N: usize>(Column<f32>);

impl<const N: usize> Vectors<N> {
    pub(crate) fn put(&self, row: usize, vector: Option<[f32; N]>) {
        self.0.put_row(row, vector.unwrap_or([f32::NAN; N]));
    }
}

impl<const N: usize> Columns for Vectors<N> {
    fn new(py: Python<'_>, shape: &[usize], _: Place) -> PyResult<Self> {
        Column::new(py, &[shape, &[N]].concat()).map(Self)
    }

    fn push_into(self, arrays: &mut Vec<Py<PyAny>>) {
        self.0.push_into(arrays);
    }
}

/// Numbers in the width of the questions.
pub(crate) enum Wide {
    F32(Column<f32>),
    F64(Column<f64>),
}

impl Wide {
    /// Writes the numbers of row `row` of an array of such rows.
    #[inline(always)]
    pub(crate) fn put_row<const N: usize>(&self, row: usize, values: [f64; N]) {
        match self {
            Self::F32(column) => column.put_row(row, values.map(nearest_f32)),
            Self::F64(column) => column.put_row(row, values),
        }
    }
}

impl Columns for Wide {
    fn new(py: Python<'_>, shape: &[usize], place: Place) -> PyResult<Self> {
        Ok(match place.is_wide {
            true => Self::F64(Column::new(py, shape)?),
            false => Self::F32(Column::new(py, shape)?),
        })
    }

    fn push_into(self, arrays: &mut Vec<Py<PyAny>>) {
        match self {
            Self::F32(column) => column.push_into(arrays),
            Self::F64(column) => column.push_into(arrays),
        }
    }
}

/// Points in the width of the questions, NaN where there is none.
pub(crate) struct Points {
    values: Wide,
    origin: DVec3,
}

impl Points {
    pub(crate) fn put(&self, row: usize, point: Option<Vec3>) {
        let point = point.map_or(DVec3::NAN, |point| point.as_dvec3() + self.origin);
        self.values.put_row(row, point.to_array());
    }
}

impl Columns for Points {
    fn new(py: Python<'_>, shape: &[usize], place: Place) -> PyResult<Self> {
        Ok(Self {
            values: Wide::new(py, &[shape, &[3]].concat(), place)?,
            origin: place.origin,
        })
    }

    fn push_into(self, arrays: &mut Vec<Py<PyAny>>) {
        self.values.push_into(arrays);
    }
}

/// Heights in the width of the questions, NaN where there is none.
pub(crate) struct Heights {
    values: Wide,
    /// The y that they are measured from.
    origin: f64,
}

impl Heights {
    pub(crate) fn put(&self, row: usize, height: Option<f32>) {
        let height = height.map_or(f64::NAN, |height| f64::from(height) + self.origin);
        self.values.put_row(row, [height]);
    }
}

impl Columns for Heights {
    fn new(py: Python<'_>, shape: &[usize], place: Place) -> PyResult<Self> {
        Ok(Self {
            values: Wide::new(py, shape, place)?,
            origin: place.origin.y,
        })
    }

    fn push_into(self, arrays: &mut Vec<Py<PyAny>>) {
        self.values.push_into(arrays);
    }
}

columns! {
    /// The handles of objects, -1 where there is none.
    pub(crate) struct Objects {
        handle: Column<i64>,
    }
}

impl Objects {
    pub(crate) fn put(&self, row: usize, object: Option<ObjectId>) {
        self.handle.put(row, object.map_or(-1, handle));
    }
}

columns! {
    /// The part and the triangle of an object; -1 where there is none.
    pub(crate) struct Pieces {
        part: Column<i32>,
        triangle: Column<i64>,
    }
}

impl Pieces {
    pub(crate) fn put(&self, row: usize, triangle: Option<TriangleId>) {
        let part = triangle.map_or(-1, |id| id.part.cast_signed());
        self.part.put(row, part);
        let number = triangle.and_then(TriangleId::number);
        let triangle = number.map_or(-1, i64::from);
        self.triangle.put(row, triangle);
    }
}

columns! {
    /// The object, the part and the triangle that answers are of; -1 where there is none.
    pub(crate) struct Features {
        object: Objects,
        piece: Pieces,
    }
}

impl Features {
    pub(crate) fn put(&self, row: usize, object: Option<ObjectId>, triangle: Option<TriangleId>) {
        self.object.put(row, object);
        self.piece.put(row, triangle);
    }
}

/// An object's handle in Python.
pub(crate) fn handle(object: ObjectId) -> i64 {
    whole(object.index())
}

/// Columns with a row for each of `answers`, written by `put`.
pub(crate) fn rows_of<C: Columns + Send + Sync, A: Sync>(
    py: Python<'_>,
    answers: &[A],
    place: Place,
    put: impl Fn(&C, usize, &A) + Sync,
) -> PyResult<C> {
    let columns = C::new(py, &[answers.len()], place)?;
    run_here(py, || {
        for (row, answer) in answers.iter().enumerate() {
            put(&columns, row, answer);
        }
    })?;
    Ok(columns)
}

/// A tuple of the columns of `flat`, as [`rows_of`] makes them, the question of each answer, and where
/// each question's answers begin.
pub(crate) fn flat_tuple<'py, C: Columns + Send + Sync, A: Sync>(
    py: Python<'py>,
    flat: &Flat<A>,
    place: Place,
    put: impl Fn(&C, usize, &A) + Sync,
) -> PyResult<Bound<'py, PyTuple>> {
    let mut arrays = Vec::new();
    rows_of(py, &flat.answers, place, put)?.push_into(&mut arrays);
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
    question.push_into(&mut arrays);
    splits.push_into(&mut arrays);
    PyTuple::new(py, arrays)
}

/// Writes an element of a column that may be absent.
#[inline(always)]
pub(crate) fn put<T: Stored>(column: &Option<Column<T>>, row: usize, value: T) {
    if let Some(column) = column {
        column.put(row, value);
    }
}

/// The array of a column that may be absent.
pub(crate) fn array(column: Option<impl Columns>) -> Option<Py<PyAny>> {
    let mut arrays = Vec::new();
    column?.push_into(&mut arrays);
    arrays.pop()
}

/// Codes of a status: questions that have no answer, that have one, and rows that are no question.
pub(crate) const NOTHING: i8 = 0;
pub(crate) const FOUND: i8 = 1;
pub(crate) const INVALID: i8 = 2;
