//! The columns of an answer: an array for each field, in the questions' shape.

use crate::arrays::shape_text;
use crate::columns::{Wide, array, put};
use crate::fields::Fields;
use crate::hit_fields::{FIELDS, HitValues, bind_values};
use crate::python_memory::{Column, Stored};
use crate::view::Target;
use glam::DVec3;
use hitscan::RayHit;
use numpy::{PyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Makes columns of one shape: new ones, or those of a former answer.
struct Maker<'a, 'py> {
    py: Python<'py>,
    fields: Fields,
    shape: &'a [usize],
    former: Option<&'a Bound<'py, PyTuple>>,
}

impl<'py> Maker<'_, 'py> {
    fn former(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let place = FIELDS.iter().position(|field| *field == name);
        let (Some(former), Some(place)) = (self.former, place) else {
            return Ok(None);
        };
        let array = former.get_item(place)?;
        Ok((!array.is_none()).then_some(array))
    }

    /// The column `name` of rows of these lengths, if the field is answered.
    fn column<T: Stored>(&self, name: &str, row: &[usize]) -> PyResult<Option<Column<T>>> {
        if !self.fields.has(name) {
            return Ok(None);
        }
        let shape = [self.shape, row].concat();
        let Some(former) = self.former(name)? else {
            return Column::new(self.py, &shape).map(Some);
        };
        let array = former.cast::<PyArrayDyn<T>>().ok();
        let reused = array.and_then(|array| Column::reuse(array, &shape));
        if reused.is_some() {
            return Ok(reused);
        }
        let found = match former.cast::<PyUntypedArray>() {
            Ok(array) => format!("{} of {}", shape_text(array.shape()), array.dtype()),
            Err(_) => "no array".to_owned(),
        };
        Err(PyValueError::new_err(format!(
            "out.{name}: expected a writeable, row-major array of shape {} of {}, found {found}",
            shape_text(&shape),
            T::get_dtype(self.py)
        )))
    }
}

/// The columns that are answered.
pub(crate) struct RayColumns {
    hit: Option<Column<bool>>,
    t: Option<Column<f32>>,
    distance: Option<Column<f32>>,
    point: Option<Wide>,
    normal: Option<Column<f32>>,
    object: Option<Column<i64>>,
    part: Option<Column<i32>>,
    triangle: Option<Column<i64>>,
    uv: Option<Column<f32>>,
    side: Option<Column<i8>>,
    status: Option<Column<i8>>,
    joint: Option<Column<i32>>,
    bind_point: Option<Column<f32>>,
    /// Added to points.
    origin: DVec3,
}

impl RayColumns {
    /// Columns of the leading axes `shape`; points are f64 where the question `is_wide`. `former` are
    /// the columns of a former answer, in the order of [`FIELDS`], to be written again.
    ///
    /// # Errors
    /// `ValueError` for a former column that does not fit.
    pub(crate) fn new(
        py: Python<'_>,
        fields: Fields,
        shape: &[usize],
        (is_wide, origin): (bool, Option<DVec3>),
        former: Option<&Bound<'_, PyTuple>>,
    ) -> PyResult<Self> {
        let maker = Maker {
            py,
            fields,
            shape,
            former,
        };
        let point = if is_wide {
            maker.column("point", &[3])?.map(Wide::F64)
        } else {
            maker.column("point", &[3])?.map(Wide::F32)
        };
        Ok(Self {
            hit: maker.column("hit", &[])?,
            t: maker.column("t", &[])?,
            distance: maker.column("distance", &[])?,
            point,
            normal: maker.column("normal", &[3])?,
            object: maker.column("object", &[])?,
            part: maker.column("part", &[])?,
            triangle: maker.column("triangle", &[])?,
            uv: maker.column("uv", &[2])?,
            side: maker.column("side", &[])?,
            status: maker.column("status", &[])?,
            joint: maker.column("joint", &[])?,
            bind_point: maker.column("bind_point", &[3])?,
            origin: origin.unwrap_or_default(),
        })
    }

    /// Writes a hit.
    #[inline]
    pub(crate) fn put_hit(&self, row: usize, hit: &RayHit, target: &Target) {
        self.put_hit_from(self.origin, row, hit, target);
    }

    /// As [`RayColumns::put_hit`], with points measured from `origin`.
    #[inline]
    pub(crate) fn put_hit_from(&self, origin: DVec3, row: usize, hit: &RayHit, target: &Target) {
        let values = HitValues::of(hit, origin);
        put(&self.hit, row, true);
        put(&self.t, row, values.t);
        put(&self.distance, row, values.distance);
        if let Some(point) = &self.point {
            point.put_row(row, values.point.to_array());
        }
        put_row(&self.normal, row, values.normal);
        put(&self.object, row, values.object);
        put(&self.part, row, values.part);
        put(&self.triangle, row, values.triangle);
        put_row(&self.uv, row, values.uv);
        put(&self.side, row, values.side);
        put(&self.status, row, 1);
        if self.joint.is_some() || self.bind_point.is_some() {
            let (joint, point) = bind_values(hit, target);
            put(&self.joint, row, joint);
            put_row(&self.bind_point, row, point);
        }
    }

    /// Writes a miss, or a row that is no question.
    #[inline]
    pub(crate) fn put_miss(&self, row: usize, is_question: bool) {
        put(&self.hit, row, false);
        put(&self.t, row, f32::INFINITY);
        put(&self.distance, row, f32::INFINITY);
        if let Some(point) = &self.point {
            point.put_row(row, [f64::NAN; 3]);
        }
        put_row(&self.normal, row, [f32::NAN; 3]);
        put(&self.object, row, -1);
        put(&self.part, row, -1);
        put(&self.triangle, row, -1);
        put_row(&self.uv, row, [f32::NAN; 2]);
        put(&self.side, row, -1);
        put(&self.status, row, if is_question { 0 } else { 2 });
        put(&self.joint, row, -1);
        put_row(&self.bind_point, row, [f32::NAN; 3]);
    }

    /// The arrays in the order of [`FIELDS`], `None` for fields that are not answered.
    pub(crate) fn into_tuple(self, py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        let arrays = [
            array(self.hit),
            array(self.t),
            array(self.distance),
            array(self.point),
            array(self.normal),
            array(self.object),
            array(self.part),
            array(self.triangle),
            array(self.uv),
            array(self.side),
            array(self.status),
            array(self.joint),
            array(self.bind_point),
        ];
        PyTuple::new(py, arrays)
    }
}

#[inline(always)]
fn put_row<T: Stored, const N: usize>(column: &Option<Column<T>>, row: usize, values: [T; N]) {
    if let Some(column) = column {
        column.put_row(row, values);
    }
}
