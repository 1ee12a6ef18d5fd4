//! The heights of a raster, taken a strip of rows at a time: it is never in memory twice.

use crate::arrays::{Argument, nearest_f32, with_room};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// How many samples are read at once.
const AT_ONCE: usize = 1024;

/// Heights, row by row, until all are there.
#[pyclass(name = "HeightSamples", module = "hitscan._hitscan")]
pub(crate) struct PyHeightSamples {
    size: [usize; 2],
    heights: Vec<f32>,
}

#[pymethods]
impl PyHeightSamples {
    #[new]
    fn new(rows: usize, columns: usize) -> PyResult<Self> {
        Ok(Self {
            size: [rows, columns],
            heights: with_room(rows.saturating_mul(columns))?,
        })
    }

    /// Appends rows of stored values, each of which is `value * scale + offset` metres high, worked out in
    /// f64 and rounded once. Holes are NaN, `no_data`, and where `valid` has 0.
    fn append(
        &mut self,
        stored: &Bound<'_, PyAny>,
        valid: Option<&Bound<'_, PyAny>>,
        no_data: Option<f64>,
        scaling: (f64, f64),
    ) -> PyResult<()> {
        let (scale, offset) = scaling;
        let stored = Argument::new("heights", stored)?;
        let [_, columns] = self.size;
        let rows = stored.table(columns)?;
        if self.heights.len() + rows * columns > self.size.iter().product() {
            return Err(PyValueError::new_err("heights: more rows than there are"));
        }
        let valid = valid.map(|valid| Argument::new("valid", valid));
        let values = stored.rows(stored.shape(), None)?;
        let valid = valid.transpose()?;
        let valid = valid.map(|valid| valid.rows(stored.shape(), None));
        let valid = valid.transpose()?;
        // Nothing equals NaN.
        let no_data = no_data.unwrap_or(f64::NAN);
        let (mut some, mut flags) = ([[0.0]; AT_ONCE], [[1.0]; AT_ONCE]);
        for first in (0..values.count()).step_by(AT_ONCE) {
            let count = AT_ONCE.min(values.count() - first);
            let some = &mut some[..count];
            values.read(first, some);
            if let Some(valid) = &valid {
                valid.read(first, &mut flags[..count]);
            }
            let heights = some.iter().zip(&flags).map(|([value], [flag])| {
                let is_hole = (*value == no_data) | (*flag == 0.0);
                let height = nearest_f32(value * scale + offset);
                if is_hole { f32::NAN } else { height }
            });
            self.heights.extend(heights);
        }
        Ok(())
    }
}

impl PyHeightSamples {
    /// Takes the heights, with how many rows and columns there are.
    ///
    /// # Errors
    /// `ValueError` where some are missing.
    pub(super) fn take(&mut self) -> PyResult<([usize; 2], Vec<f32>)> {
        if self.heights.len() < self.size.iter().product() {
            return Err(PyValueError::new_err("heights: rows are missing"));
        }
        Ok((self.size, std::mem::take(&mut self.heights)))
    }
}
