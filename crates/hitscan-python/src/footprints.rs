//! The ground under footprints: discs and rectangles on the surface.

use crate::columns::{FOUND, INVALID, NOTHING, Place, Positions, handle};
use crate::filter::{Filter, Seen};
use crate::heights::{HOLE, ground_point};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row};
use crate::view::{Target, View};
use hitscan::height_field::{Footprint, FootprintGround, FootprintSample};
use hitscan::{Error, QueryFilter};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

impl Target {
    fn footprint(&self, footprint: &Footprint, filter: QueryFilter<'_>) -> FootprintSample {
        match self {
            Self::World(now) => now.footprint(footprint, filter),
            Self::Terrain(field) => field.footprint(footprint),
            Self::Mesh(_) | Self::Model(_) => FootprintSample::Outside,
        }
    }
}

/// The sizes of footprints: a radius, or two half sizes and an angle.
type Sizes<'py> = (
    Option<Bound<'py, PyAny>>,
    Option<[Bound<'py, PyAny>; 2]>,
    Bound<'py, PyAny>,
);

/// The ground under footprints: status, height, normal, object, min, max, slope, plane, coverage.
#[pyfunction]
pub(crate) fn footprints<'py>(
    py: Python<'py>,
    view: &View,
    points: &Bound<'py, PyAny>,
    sizes: Sizes<'py>,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let filter = Filter::new(view, &seen)?;
    let (radius, half_sizes, angle) = &sizes;
    let number = |name, value| Asked {
        name,
        value,
        row: Row::Number,
    };
    let mut asked = vec![Asked {
        name: "points",
        value: points,
        row: Row::Ground,
    }];
    match (radius, half_sizes) {
        (Some(radius), None) => asked.push(number("radius", radius)),
        (None, Some([x, z])) => asked.extend([
            number("half_sizes", x),
            number("half_sizes", z),
            number("angle", angle),
        ]),
        _ => {
            return Err(PyValueError::new_err(
                "a footprint has either a radius, a disc, or half_sizes, a rectangle",
            ));
        }
    }
    let questions = Questions::new("points", &asked, None, (invalid, threads))?;
    let columns = FootprintColumns::new(py, questions.shape(), Place::of(&questions, view))?;
    let make = |_: usize, values: &[f64]| {
        let center = ground_point(view, values)?;
        match values[2..] {
            [radius] => Footprint::disc(center, radius),
            [x, z, angle] => Footprint::rectangle(center, [x, z], angle),
            _ => Err(Error::NotFinite {
                what: "footprint",
                found: f64::NAN,
            }),
        }
    };
    questions.answer(py, make, |chunk| {
        for (&row, footprint) in chunk.rows.iter().zip(&chunk.questions) {
            match view.target.footprint(footprint, filter.query()) {
                FootprintSample::Ground(ground) => columns.put(row, &ground),
                FootprintSample::Hole => columns.put_none(row, HOLE),
                FootprintSample::Outside => columns.put_none(row, NOTHING),
            }
        }
        for &row in &chunk.bad {
            columns.put_none(row, INVALID);
        }
    })?;
    columns.into_tuple(py)
}

struct FootprintColumns {
    status: Column<i8>,
    height: Positions,
    normal: Column<f32>,
    object: Column<i64>,
    min: Positions,
    max: Positions,
    slope: Column<f32>,
    plane: Positions,
    coverage: Column<f32>,
}

impl FootprintColumns {
    fn new(py: Python<'_>, shape: &[usize], place: Place) -> PyResult<Self> {
        Ok(Self {
            status: Column::new(py, shape)?,
            height: Positions::heights(py, shape, place)?,
            normal: Column::new(py, &[shape, &[3]].concat())?,
            object: Column::new(py, shape)?,
            min: Positions::heights(py, shape, place)?,
            max: Positions::heights(py, shape, place)?,
            slope: Column::new(py, shape)?,
            plane: Positions::heights(py, shape, place)?,
            coverage: Column::new(py, shape)?,
        })
    }

    fn put(&self, row: usize, ground: &FootprintGround) {
        self.status.put(row, FOUND);
        self.height.put_height(row, ground.height);
        self.normal.put_row(row, ground.normal.to_array());
        self.object.put(row, ground.object.map_or(-1, handle));
        self.min.put_height(row, ground.min);
        self.max.put_height(row, ground.max);
        self.slope.put(row, ground.slope);
        self.plane.put_height(row, ground.plane);
        self.coverage.put(row, ground.coverage);
    }

    fn put_none(&self, row: usize, status: i8) {
        self.status.put(row, status);
        self.normal.put_row(row, [f32::NAN; 3]);
        self.object.put(row, -1);
        for heights in [&self.height, &self.min, &self.max, &self.plane] {
            heights.put_no_height(row);
        }
        self.slope.put(row, f32::NAN);
        self.coverage.put(row, 0.0);
    }

    fn into_tuple(self, py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        let arrays: [Py<PyAny>; 9] = [
            self.status.into_array().into_any(),
            self.height.into_array(),
            self.normal.into_array().into_any(),
            self.object.into_array().into_any(),
            self.min.into_array(),
            self.max.into_array(),
            self.slope.into_array().into_any(),
            self.plane.into_array(),
            self.coverage.into_array().into_any(),
        ];
        PyTuple::new(py, arrays)
    }
}
