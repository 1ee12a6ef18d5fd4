//! The rays of a picture.

use crate::errors::library_error;
use crate::python_memory::Column;
use crate::rows_on_threads::for_each;
use glam::Vec3;
use hitscan::Camera;
use numpy::PyArrayDyn;
use pyo3::prelude::*;

/// The rays through the middles of a picture's pixels, (height, width, 6).
#[pyfunction]
#[expect(clippy::cast_precision_loss, reason = "places of pixels are f32")]
pub(crate) fn camera_rays(
    py: Python<'_>,
    eye: [f32; 3],
    target: [f32; 3],
    fov_y: f64,
    size: [u32; 2],
) -> PyResult<Py<PyArrayDyn<f32>>> {
    let camera = Camera::new(Vec3::from(eye), Vec3::from(target), fov_y, size);
    let camera = camera.map_err(|error| library_error(&error))?;
    let [columns, rows] = size.map(|length| length as usize);
    let rays = Column::<f32>::new(py, &[rows, columns, 6])?;
    for_each(py, rows, None, |row| {
        for column in 0..columns {
            let ray = camera.ray(column as f32 + 0.5, row as f32 + 0.5);
            let [ox, oy, oz] = ray.origin().to_array();
            let [dx, dy, dz] = ray.direction().to_array();
            rays.put_row(row * columns + column, [ox, oy, oz, dx, dy, dz]);
        }
    })?;
    Ok(rays.into_array())
}
