//! Viewsheds: the ground that is seen from a point.

use crate::errors::library_error;
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::threads::{run_here, run_watched};
use crate::view::View;
use glam::{DVec2, DVec3};
use hitscan::Error;
use hitscan::height_field::{Curvature, Viewshed, ViewshedQuery, Visibility};
use hitscan_ask::{ViewshedGround, ViewshedSettings};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The eye above its point, the targets above the ground, and the maximum distance, metres; with the
/// earth's curvature the air's refraction and the earth's radius.
type Sizes = (f64, f64, f64, Option<(f64, Option<f64>)>);

/// The samples, (rows, columns), and the eye.
type Seeing<'py> = (Py<PyAny>, [f64; 3]);

/// Which samples of a terrain (`None`: of `view`, which is one) are seen from a point, or from the ground at (x, z).
#[pyfunction]
pub(crate) fn viewshed<'py>(
    py: Python<'py>,
    view: &View,
    terrain: Option<Bound<'py, PyAny>>,
    eye: Vec<f64>,
    sizes: Sizes,
    seen: Seen<'py>,
) -> PyResult<Option<Seeing<'py>>> {
    let now = view.target.snapshot();
    let filter = Filter::new(view, &seen)?;
    let terrain = match terrain {
        Some(key) => view.objects.of_keys(&[key])?[0],
        // What is queried is the terrain itself.
        None => now.objects().next().ok_or_else(no_terrain)?,
    };
    let origin = view.origin.unwrap_or_default();
    let settings = settings(sizes).map_err(|error| library_error(&error))?;
    let query = query(&eye, origin, &settings).map_err(|error| library_error(&error))?;
    let found = run_watched(py, move || {
        let ground = ViewshedGround {
            work: None,
            snapshot: &now,
            terrain,
            seen: filter.seen(),
            curvature: settings.curvature,
        };
        match ground.can_be_lowered() {
            true => Some(ground.viewshed(&query)),
            false => None,
        }
    })?;
    let found = found.ok_or_else(|| {
        PyValueError::new_err(
            "curvature lowers terrain alone, and the world has models or solids that hide: leave them out \
             by `ignore` or `layers`",
        )
    })?;
    let Some(found) = found.map_err(|error| library_error(&error))? else {
        return Ok(None);
    };
    let eye = (found.eye() + origin).into();
    Ok(Some((samples(py, &found)?, eye)))
}

fn no_terrain() -> PyErr {
    PyTypeError::new_err("expected a terrain")
}

fn settings((above, target_above, max_distance, round): Sizes) -> Result<ViewshedSettings, Error> {
    let curvature = round.map(|(refraction, radius)| {
        Curvature::new(radius.unwrap_or(Curvature::EARTH_RADIUS), refraction)
    });
    Ok(ViewshedSettings {
        above,
        target_above,
        max_distance,
        curvature: curvature.transpose()?,
    })
}

fn query(eye: &[f64], origin: DVec3, settings: &ViewshedSettings) -> Result<ViewshedQuery, Error> {
    let query = match *eye {
        [x, y, z] => ViewshedQuery::at((DVec3::new(x, y, z) - origin).as_vec3()),
        [x, z] => {
            ViewshedQuery::standing((DVec2::new(x, z) - DVec2::new(origin.x, origin.z)).as_vec2())
        }
        _ => ViewshedQuery::at(DVec3::NAN.as_vec3()),
    };
    settings.query(query)
}

/// A code for each sample.
fn samples(py: Python<'_>, viewshed: &Viewshed) -> PyResult<Py<PyAny>> {
    let column = Column::<i8>::new(py, &[viewshed.rows(), viewshed.columns()])?;
    run_here(py, || {
        for (place, sample) in viewshed.samples().iter().enumerate() {
            let code = match sample {
                Visibility::Hidden => 0,
                Visibility::Visible => 1,
                Visibility::Outside => 2,
            };
            column.put(place, code);
        }
    })?;
    Ok(column.into_array().into_any())
}
