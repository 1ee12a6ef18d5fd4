//! Heights of the ground at points and around them.

use crate::columns::{
    Columns, FOUND, Heights, INVALID, NOTHING, Objects, Place, Vectors, array, put,
};
use crate::fields::Fields;
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, distance};
use crate::view::{Target, View};
use glam::{DVec2, Vec2};
use hitscan::height_field::{Ground, GroundSurface};
use hitscan::{Error, HeightField, ObjectId, QueryFilter};
use hitscan_ask::highest_terrain;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Codes of what is not ground, beside those of all questions.
pub(crate) const HOLE: i8 = 3;
const EMPTY: i8 = 4;

/// The fields of an answer, in the order of its columns.
pub(crate) const GROUND_FIELDS: [&str; 5] = ["status", "height", "normal", "object", "triangle"];

/// Which height of the ground is requested.
#[derive(Clone, Copy, PartialEq, Eq)]
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

    /// The terrains that answer, in their order; in a world they are objects.
    fn terrains<'a>(&'a self, filter: QueryFilter<'a>) -> Vec<(Option<ObjectId>, &'a HeightField)> {
        match self {
            Self::World(now) => {
                let fields = now.height_fields(filter);
                fields
                    .map(|(object, field)| (Some(object), field))
                    .collect()
            }
            Self::Terrain(field) => vec![(None, &**field)],
            Self::Mesh(_) | Self::Model(_) => Vec::new(),
        }
    }
}

/// A point (x, z), measured from the origin of `view`.
pub(crate) fn ground_point(view: &View, values: &[f64]) -> Result<Vec2, Error> {
    let origin = view.origin.unwrap_or_default();
    let wide = DVec2::new(values[0] - origin.x, values[1] - origin.z);
    let point = wide.as_vec2();
    if point.is_finite() {
        return Ok(point);
    }
    Err(Error::NotFinite {
        what: "point",
        found: if point.x.is_finite() { wide.y } else { wide.x },
    })
}

/// The ground at points (x, z): a tuple of columns, in the order of [`GROUND_FIELDS`].
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn heights<'py>(
    py: Python<'py>,
    view: &View,
    points: &Bound<'py, PyAny>,
    method: &str,
    radius: Option<&Bound<'py, PyAny>>,
    seen: Seen<'py>,
    fields: Option<Vec<String>>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let fields = Fields::named(&GROUND_FIELDS, GROUND_FIELDS.len(), fields)?;
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
    let questions = Questions::new((py, view), "points", &asked, None, (invalid, threads))?;
    let place = Place::of(&questions, view);
    let columns = GroundColumns::new(py, fields, questions.shape(), place)?;
    let is_surface = fields.has("normal") || fields.has("triangle");
    if method == Method::Exact && !is_surface && !questions.have_times() {
        let make = |_: usize, values: &[f64]| ground_point(view, values);
        let terrains = view.target.terrains(filter.query());
        questions.answer(py, make, |chunk| {
            let highest = highest_terrain(&terrains, &chunk.questions);
            for (place, &row) in chunk.rows.iter().enumerate() {
                match highest[place] {
                    Some((height, object)) => columns.put_height(row, height, object),
                    None if !fields.has("status") => columns.put_none(row, NOTHING),
                    None => {
                        let point = chunk.questions[place];
                        let ground = view.target.ground(point, (method, 0.0), filter.query());
                        columns.put(row, &ground);
                    }
                }
            }
            for &row in &chunk.bad {
                columns.put_none(row, INVALID);
            }
        })?;
        return columns.into_tuple(py);
    }
    let make = |_: usize, values: &[f64]| {
        let radius = distance("radius", values.get(2).copied().unwrap_or(0.0))?;
        Ok((ground_point(view, values)?, radius))
    };
    questions.answer_each(py, make, |row, question| {
        let Some(&(point, radius)) = question else {
            return columns.put_none(row, INVALID);
        };
        let target = questions.target(view, row);
        let ground = target.ground(point, (method, radius), filter.query());
        columns.put(row, &ground);
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

/// The columns of an answer, `None` for fields that are not requested.
struct GroundColumns {
    status: Option<Column<i8>>,
    height: Option<Heights>,
    normal: Option<Vectors<3>>,
    object: Option<Objects>,
    triangle: Option<Column<i64>>,
}

impl GroundColumns {
    fn new(py: Python<'_>, fields: Fields, shape: &[usize], place: Place) -> PyResult<Self> {
        Ok(Self {
            status: fields.if_asked("status", || Columns::new(py, shape, place))?,
            height: fields.if_asked("height", || Columns::new(py, shape, place))?,
            normal: fields.if_asked("normal", || Columns::new(py, shape, place))?,
            object: fields.if_asked("object", || Columns::new(py, shape, place))?,
            triangle: fields.if_asked("triangle", || Columns::new(py, shape, place))?,
        })
    }

    fn put(&self, row: usize, ground: &Ground) {
        let ground = match ground {
            Ground::Height(ground) => ground,
            Ground::Outside => return self.put_none(row, NOTHING),
            Ground::Hole => return self.put_none(row, HOLE),
            Ground::Empty => return self.put_none(row, EMPTY),
        };
        self.put_height(row, ground.height, ground.object);
        self.put_surface(row, ground.surface.as_ref());
    }

    fn put_none(&self, row: usize, status: i8) {
        put(&self.status, row, status);
        if let Some(height) = &self.height {
            height.put(row, None);
        }
        if let Some(object) = &self.object {
            object.put(row, None);
        }
        self.put_surface(row, None);
    }

    /// Writes what is not of the surface.
    #[inline(always)]
    fn put_height(&self, row: usize, found: f32, of: Option<ObjectId>) {
        put(&self.status, row, FOUND);
        if let Some(height) = &self.height {
            height.put(row, Some(found));
        }
        if let Some(object) = &self.object {
            object.put(row, of);
        }
    }

    fn put_surface(&self, row: usize, surface: Option<&GroundSurface>) {
        if let Some(normal) = &self.normal {
            normal.put(row, surface.map(|surface| surface.normal.to_array()));
        }
        let triangle = surface.map_or(-1, |surface| i64::from(surface.triangle));
        put(&self.triangle, row, triangle);
    }

    fn into_tuple(self, py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        let arrays = [
            array(self.status),
            array(self.height),
            array(self.normal),
            array(self.object),
            array(self.triangle),
        ];
        PyTuple::new(py, arrays)
    }
}
