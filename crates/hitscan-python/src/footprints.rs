//! The ground under footprints: discs and rectangles on the surface.

use crate::columns::{Columns, FOUND, Heights, INVALID, NOTHING, Objects, Place, Vectors, columns};
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
    let questions = Questions::new((py, view), "points", &asked, None, (invalid, threads))?;
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
    questions.answer_each(py, make, |row, footprint| {
        let Some(footprint) = footprint else {
            return columns.put_none(row, INVALID);
        };
        match questions
            .target(view, row)
            .footprint(footprint, filter.query())
        {
            FootprintSample::Ground(ground) => columns.put(row, &ground),
            FootprintSample::Hole => columns.put_none(row, HOLE),
            FootprintSample::Outside => columns.put_none(row, NOTHING),
        }
    })?;
    columns.into_tuple(py)
}

columns! {
    struct FootprintColumns {
        status: Column<i8>,
        height: Heights,
        normal: Vectors<3>,
        object: Objects,
        min: Heights,
        max: Heights,
        slope: Column<f32>,
        plane: Heights,
        coverage: Column<f32>,
    }
}

impl FootprintColumns {
    fn put(&self, row: usize, ground: &FootprintGround) {
        self.status.put(row, FOUND);
        self.height.put(row, Some(ground.height));
        self.normal.put(row, Some(ground.normal.to_array()));
        self.object.put(row, ground.object);
        self.min.put(row, Some(ground.min));
        self.max.put(row, Some(ground.max));
        self.slope.put(row, ground.slope);
        self.plane.put(row, Some(ground.plane));
        self.coverage.put(row, ground.coverage);
    }

    fn put_none(&self, row: usize, status: i8) {
        self.status.put(row, status);
        self.normal.put(row, None);
        self.object.put(row, None);
        for heights in [&self.height, &self.min, &self.max, &self.plane] {
            heights.put(row, None);
        }
        self.slope.put(row, f32::NAN);
        self.coverage.put(row, 0.0);
    }
}
