//! Arguments as arrays of numbers, and the shapes that they have together.
//!
//! Whatever numpy makes an array of will do. Shapes broadcast by numpy's rules; an error says what was
//! found and what was expected.

use crate::number::Number;
use crate::python_memory::Rows;
use glam::{DAffine3, DMat3, DVec3, Vec3};
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// `numpy.asarray`.
static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// `numpy.from_dlpack`.
static FROM_DLPACK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// An argument, by its name.
#[derive(Clone)]
pub(crate) struct Argument<'py> {
    name: &'static str,
    array: Bound<'py, PyUntypedArray>,
}

impl<'py> Argument<'py> {
    /// The argument `name`: an array, or what numpy makes one of.
    ///
    /// # Errors
    /// `TypeError` for what does not hold numbers, and for a masked array, whose mask would be lost.
    pub(crate) fn new(name: &'static str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = value.py();
        let array = match value.cast_exact::<PyUntypedArray>() {
            Ok(array) => array.clone(),
            Err(_) => {
                if value.hasattr("mask")? && value.hasattr("fill_value")? {
                    return Err(PyTypeError::new_err(format!(
                        "{name}: expected an array without a mask; `.filled(numpy.nan)` makes one"
                    )));
                }
                // Of what only shares memory by DLPack, numpy's `asarray` would make an array of objects.
                let is_dlpack = value.hasattr("__dlpack__")?
                    && !value.hasattr("__array__")?
                    && !value.hasattr("__array_interface__")?;
                let make = match is_dlpack {
                    true => FROM_DLPACK.import(py, "numpy", "from_dlpack")?,
                    false => AS_ARRAY.import(py, "numpy", "asarray")?,
                };
                make.call1((value,))?.cast_into::<PyUntypedArray>()?
            }
        };
        let argument = Self { name, array };
        match Number::of(&argument.array.dtype()) {
            Some(_) => Ok(argument),
            None => argument.of_another_type(),
        }
    }

    /// The same in f64, where it is made of what only numpy itself reads: long doubles.
    fn of_another_type(self) -> PyResult<Self> {
        let Self { name, array } = self;
        let dtype = array.dtype();
        if dtype.kind() != b'f' {
            return Err(PyTypeError::new_err(format!(
                "{name}: expected an array of real numbers, found dtype {dtype}"
            )));
        }
        let array = array.call_method1("astype", ("float64",))?;
        let array = array.cast_into::<PyUntypedArray>()?;
        Ok(Self { name, array })
    }

    /// Its name.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Its shape.
    pub(crate) fn shape(&self) -> &[usize] {
        self.array.shape()
    }

    /// What it is made of.
    pub(crate) fn number(&self) -> Number {
        // Checked when it was made; f64 is what all other kinds are read as.
        Number::of(&self.array.dtype()).unwrap_or(Number::F64)
    }

    /// Its leading axes, if its last axis has `width` elements.
    ///
    /// # Errors
    /// `ValueError`.
    pub(crate) fn leading(&self, width: usize) -> PyResult<&[usize]> {
        match self.shape().split_last() {
            Some((&last, leading)) if last == width => Ok(leading),
            _ => Err(self.unexpected(&format!("(..., {width})"))),
        }
    }

    /// Its one axis of rows, if it has shape (n, width).
    ///
    /// # Errors
    /// `ValueError`.
    pub(crate) fn table(&self, width: usize) -> PyResult<usize> {
        match self.shape() {
            &[rows, last] if last == width => Ok(rows),
            // `[]` is a list of no rows.
            [0] => Ok(0),
            _ => Err(self.unexpected(&format!("(n, {width})"))),
        }
    }

    /// The error of another shape.
    pub(crate) fn unexpected(&self, expected: &str) -> PyErr {
        let found = shape_text(self.shape());
        PyValueError::new_err(format!(
            "{}: expected an array of shape {expected}, found {found}",
            self.name
        ))
    }

    /// Its rows, the leading axes broadcast to `leading`; see [`Rows::new`].
    ///
    /// # Errors
    /// `ValueError` where they do not broadcast.
    pub(crate) fn rows(
        &self,
        leading: &[usize],
        columns: Option<(usize, usize)>,
    ) -> PyResult<Rows> {
        Rows::new(&self.array, leading, columns)
            .ok_or_else(|| self.unexpected(&format!("that broadcasts to {}", shape_text(leading))))
    }
}

/// A shape as Python writes it.
pub(crate) fn shape_text(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => {
            let lengths: Vec<String> = shape.iter().map(ToString::to_string).collect();
            format!("({})", lengths.join(", "))
        }
    }
}

/// The shape that `shapes` broadcast to, each with the name of its argument.
///
/// # Errors
/// `ValueError` where they do not.
pub(crate) fn broadcast(shapes: &[(&'static str, &[usize])]) -> PyResult<Vec<usize>> {
    let axes = shapes.iter().map(|(_, shape)| shape.len()).max();
    let mut together = vec![1; axes.unwrap_or(0)];
    for (_, shape) in shapes {
        let start = together.len() - shape.len();
        for (length, &own) in together[start..].iter_mut().zip(*shape) {
            if *length == 1 {
                *length = own;
            } else if own != 1 && own != *length {
                let found = shapes
                    .iter()
                    .map(|(name, shape)| format!("{name} {}", shape_text(shape)));
                return Err(PyValueError::new_err(format!(
                    "the leading axes do not broadcast: {}",
                    found.collect::<Vec<_>>().join(", ")
                )));
            }
        }
    }
    let rows = together
        .iter()
        .try_fold(1_usize, |rows, &length| rows.checked_mul(length));
    match rows {
        Some(rows) if isize::try_from(rows).is_ok() => Ok(together),
        _ => Err(PyMemoryError::new_err(format!(
            "no memory holds the answers of {} questions",
            shape_text(&together)
        ))),
    }
}

/// A list with room for so many elements.
///
/// # Errors
/// `MemoryError` where there is none.
pub(crate) fn with_room<T>(count: usize) -> PyResult<Vec<T>> {
    let mut list = Vec::new();
    match list.try_reserve_exact(count) {
        Ok(()) => Ok(list),
        Err(error) => Err(PyMemoryError::new_err(error.to_string())),
    }
}

/// The index of row `row` in an array whose leading axes are `shape`, as Python writes it.
pub(crate) fn index_text(shape: &[usize], row: usize) -> String {
    let mut rest = row;
    let mut index = vec![0; shape.len()];
    for (place, &length) in index.iter_mut().zip(shape).rev() {
        (*place, rest) = (rest % length.max(1), rest / length.max(1));
    }
    let index: Vec<String> = index.iter().map(ToString::to_string).collect();
    match index.as_slice() {
        [] => String::new(),
        index => format!("[{}]", index.join(", ")),
    }
}

/// The nearest f32, which is infinite beyond the range.
#[expect(clippy::cast_possible_truncation, reason = "this is the rounding")]
pub(crate) fn nearest_f32(value: f64) -> f32 {
    value as f32
}

/// A point in f32, measured from `origin`: one rounding, after a subtraction in f64.
#[inline(always)]
pub(crate) fn point(row: [f64; 3], origin: Option<DVec3>) -> Vec3 {
    let point = DVec3::from(row);
    match origin {
        Some(origin) => (point - origin).as_vec3(),
        None => point.as_vec3(),
    }
}

/// The points of an array of shape (n, 3), measured from `origin`.
///
/// # Errors
/// As [`Argument::table`].
pub(crate) fn points(argument: &Argument<'_>, origin: Option<DVec3>) -> PyResult<Vec<Vec3>> {
    let count = argument.table(3)?;
    if count == 0 {
        return Ok(Vec::new());
    }
    let rows = argument.rows(&[count], Some((0, 3)))?;
    let mut points = with_room(count)?;
    for_each_row(&rows, |row| points.push(point(row, origin)));
    Ok(points)
}

/// The points of an array of shape (n, 3), n at least 1, as they are.
///
/// # Errors
/// `TypeError` and `ValueError` for what is no such array.
pub(crate) fn points_f64(argument: &Argument<'_>) -> PyResult<Vec<DVec3>> {
    let count = argument.table(3)?;
    if count == 0 {
        return Err(argument.unexpected("(n, 3) with n of at least 1"));
    }
    let rows = argument.rows(&[count], Some((0, 3)))?;
    let mut points = with_room(count)?;
    for_each_row(&rows, |row| points.push(DVec3::from(row)));
    Ok(points)
}

/// Calls `each` with each row.
pub(crate) fn for_each_row<const N: usize>(rows: &Rows, mut each: impl FnMut([f64; N])) {
    const CHUNK: usize = 256;
    let mut buffer = [[0.0; N]; CHUNK];
    let mut first = 0;
    while first < rows.count() {
        let some = &mut buffer[..CHUNK.min(rows.count() - first)];
        rows.read(first, some);
        first += some.len();
        some.iter().for_each(|row| each(*row));
    }
}

/// The transforms of an array of shape (4, 4) or (n, 4, 4), row-major, for columns of points.
///
/// # Errors
/// `ValueError` for other shapes, and where a last row is not 0, 0, 0, 1.
pub(crate) fn transforms(argument: &Argument<'_>) -> PyResult<Vec<DAffine3>> {
    let count = match argument.shape() {
        [4, 4] => 1,
        [count, 4, 4] => *count,
        _ => return Err(argument.unexpected("(4, 4) or (n, 4, 4)")),
    };
    let leading = &argument.shape()[..argument.shape().len() - 1];
    let rows = argument.rows(leading, Some((0, 4)))?;
    let mut values = with_room(count.saturating_mul(4))?;
    for_each_row(&rows, |row: [f64; 4]| values.push(row));
    let matrices = values.chunks_exact(4).enumerate();
    let transforms = matrices.map(|(index, matrix)| {
        if matrix[3] != [0.0, 0.0, 0.0, 1.0] {
            return Err(PyValueError::new_err(format!(
                "{}[{index}]: expected the last row 0, 0, 0, 1, found {:?}",
                argument.name(),
                matrix[3]
            )));
        }
        let column =
            |column: usize| DVec3::new(matrix[0][column], matrix[1][column], matrix[2][column]);
        Ok(DAffine3 {
            matrix3: DMat3::from_cols(column(0), column(1), column(2)),
            translation: column(3),
        })
    });
    transforms.collect()
}

/// The transform of an argument of shape (4, 4).
///
/// # Errors
/// As [`transforms`].
pub(crate) fn transform(name: &'static str, value: &Bound<'_, PyAny>) -> PyResult<DAffine3> {
    let argument = Argument::new(name, value)?;
    match (argument.shape(), transforms(&argument)?.as_slice()) {
        ([4, 4], [transform]) => Ok(*transform),
        _ => Err(argument.unexpected("(4, 4)")),
    }
}
