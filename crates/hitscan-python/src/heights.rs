//! How high the ground is at points, and around them.

use crate::arrays::nearest_f32;
use crate::columns::{FOUND, INVALID, NOTHING, Place, Positions, handle};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, distance};
use crate::view::{Target, View};
use glam::{DVec2, Vec2, Vec3};
use hitscan::height_field::Ground;
use hitscan::{Error, QueryFilter};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Codes of what is not ground, beside those of all questions.
pub(crate) const HOLE: i8 = 3;
const EMPTY: i8 = 4;

/// What of the ground is asked for.
#[derive(Clone, Copy)]
enum Method {
    Exact,
    Max,
    Mean,
}

impl Target {
    fn ground(&self, point: Vec2, method: (Method, f64), filter: QueryFilter<'_>) -> Ground {
        let (method, radius) = method;
        match (self, method) {
            (Self::World(now), Method::Exact) => now.height(point, filter),
            (Self::World(now), Method::Max) => now.max_height(point, radius, filter),
            (Self::World(now), Method::Mean) => now.mean_height(point, radius, filter),
            (Self::Terrain(field), Method::Exact) => field.height(point),
            (Self::Terrain(field), Method::Max) => field.max_height(point, radius),
            (Self::Terrain(field), Method::Mean) => field.mean_height(point, radius),
            (Self::Mesh(_) | Self::Model(_), _) => Ground::Outside,
        }
    }
}

/// A point (x, z), measured from the origin of `view`.
pub(crate) fn ground_point(view: &View, values: &[f64]) -> Result<Vec2, Error> {
    let origin = view.origin.unwrap_or_default();
    let [x, z] = [values[0] - origin.x, values[1] - origin.z];
    match [x, z].into_iter().find(|x| !nearest_f32(*x).is_finite()) {
        Some(found) => Err(Error::NotFinite {
            what: "point",
            found,
        }),
        None => Ok(DVec2::new(x, z).as_vec2()),
    }
}

/// The ground at points (x, z): status, height, normal, object, triangle.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn heights<'py>(
    py: Python<'py>,
    view: &View,
    points: &Bound<'py, PyAny>,
    method: &str,
    radius: Option<&Bound<'py, PyAny>>,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let method = method_named(method, radius.is_some())?;
    let filter = Filter::new(view, &seen)?;
    let mut asked = vec![Asked {
        name: "points",
        value: points,
        row: Row::Ground,
    }];
    asked.extend(radius.map(|radius| Asked {
        name: "radius",
        value: radius,
        row: Row::Number,
    }));
    let questions = Questions::new("points", &asked, None, (invalid, threads))?;
    let columns = GroundColumns::new(py, questions.shape(), Place::of(&questions, view))?;
    let make = |_: usize, values: &[f64]| {
        let radius = distance("radius", values.get(2).copied().unwrap_or(0.0))?;
        Ok((ground_point(view, values)?, radius))
    };
    questions.answer(py, make, |chunk| {
        for (&row, &(point, radius)) in chunk.rows.iter().zip(&chunk.questions) {
            let ground = view.target.ground(point, (method, radius), filter.query());
            columns.put(row, &ground);
        }
        for &row in &chunk.bad {
            columns.put_none(row, INVALID);
        }
    })?;
    columns.into_tuple(py)
}

fn method_named(name: &str, has_radius: bool) -> PyResult<Method> {
    let method = match name {
        "exact" => Method::Exact,
        "max" => Method::Max,
        "mean" => Method::Mean,
        _ => {
            return Err(PyValueError::new_err(format!(
                "method: expected \"exact\", \"max\" or \"mean\", found {name:?}"
            )));
        }
    };
    match (method, has_radius) {
        (Method::Exact, true) => Err(PyValueError::new_err(
            "radius: method=\"exact\" is about the point itself and takes none",
        )),
        (Method::Max | Method::Mean, false) => Err(PyValueError::new_err(format!(
            "radius: method={name:?} takes the samples within a radius, and none is given"
        ))),
        _ => Ok(method),
    }
}

struct GroundColumns {
    status: Column<i8>,
    height: Positions,
    normal: Column<f32>,
    object: Column<i64>,
    triangle: Column<i64>,
}

impl GroundColumns {
    fn new(py: Python<'_>, shape: &[usize], place: Place) -> PyResult<Self> {
        Ok(Self {
            status: Column::new(py, shape)?,
            height: Positions::heights(py, shape, place)?,
            normal: Column::new(py, &[shape, &[3]].concat())?,
            object: Column::new(py, shape)?,
            triangle: Column::new(py, shape)?,
        })
    }

    fn put(&self, row: usize, ground: &Ground) {
        let ground = match ground {
            Ground::Height(ground) => ground,
            Ground::Outside => return self.put_none(row, NOTHING),
            Ground::Hole => return self.put_none(row, HOLE),
            Ground::Empty => return self.put_none(row, EMPTY),
        };
        self.status.put(row, FOUND);
        self.height.put_height(row, ground.height);
        let (normal, triangle) = match ground.surface {
            Some(surface) => (surface.normal, i64::from(surface.triangle)),
            None => (Vec3::NAN, -1),
        };
        self.normal.put_row(row, normal.to_array());
        self.object.put(row, ground.object.map_or(-1, handle));
        self.triangle.put(row, triangle);
    }

    fn put_none(&self, row: usize, status: i8) {
        self.status.put(row, status);
        self.height.put_no_height(row);
        self.normal.put_row(row, [f32::NAN; 3]);
        self.object.put(row, -1);
        self.triangle.put(row, -1);
    }

    fn into_tuple(self, py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        let arrays: [Py<PyAny>; 5] = [
            self.status.into_array().into_any(),
            self.height.into_array(),
            self.normal.into_array().into_any(),
            self.object.into_array().into_any(),
            self.triangle.into_array().into_any(),
        ];
        PyTuple::new(py, arrays)
    }
}

/// The heights alone of terrain at points (x, z); NaN where there is none.
#[pyfunction]
pub(crate) fn elevations(
    py: Python<'_>,
    view: &View,
    points: &Bound<'_, PyAny>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Py<PyAny>> {
    let Target::Terrain(field) = &view.target else {
        return Err(PyTypeError::new_err("expected a HeightField"));
    };
    let asked = [Asked {
        name: "points",
        value: points,
        row: Row::Ground,
    }];
    let questions = Questions::new("points", &asked, None, (invalid, threads))?;
    let heights = Positions::heights(py, questions.shape(), Place::of(&questions, view))?;
    let make = |_: usize, values: &[f64]| ground_point(view, values);
    questions.answer(py, make, |chunk| {
        let mut found = vec![None; chunk.questions.len()];
        field.elevations_into(&chunk.questions, &mut found);
        for (&row, found) in chunk.rows.iter().zip(found) {
            match found {
                Some(height) => heights.put_height(row, height),
                None => heights.put_no_height(row),
            }
        }
        for &row in &chunk.bad {
            heights.put_no_height(row);
        }
    })?;
    Ok(heights.into_array())
}
