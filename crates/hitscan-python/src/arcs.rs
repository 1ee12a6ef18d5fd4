//! Ballistic arcs: the first hit, any hit.

use crate::arrays::{nearest_f32, point};
use crate::filter::{Filter, Seen};
use crate::hit_fields::hit_fields;
use crate::questions::{Asked, Questions, Row, three};
use crate::ray_columns::RayColumns;
use crate::rays::sides_named;
use crate::view::{Target, View};
use glam::DVec3;
use hitscan::{BallisticArc, Error, QueryFilter, RayHit, Sides};
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

impl Target {
    fn cast_arc(
        &self,
        arc: &BallisticArc,
        sides: Sides,
        filter: QueryFilter<'_>,
    ) -> Option<RayHit> {
        match self {
            Self::World(now) => now.cast_arc(arc, (sides, filter)),
            Self::Mesh(mesh) => mesh.cast_arc(arc, sides),
            Self::Model(posed) => posed.cast_arc(arc, sides),
            Self::Terrain(field) => field.cast_arc(arc, sides),
        }
    }

    fn cast_arc_any(&self, arc: &BallisticArc, sides: Sides, filter: QueryFilter<'_>) -> bool {
        match self {
            Self::World(now) => now.cast_arc_any(arc, (sides, filter)),
            Self::Mesh(mesh) => mesh.cast_arc_any(arc, sides),
            Self::Model(posed) => posed.cast_arc_any(arc, sides),
            Self::Terrain(field) => field.cast_arc_any(arc, sides),
        }
    }
}

/// Origins, velocities, accelerations, and the two ends of t.
pub(crate) type GivenArcs<'py> = [Bound<'py, PyAny>; 5];

fn questions(
    (py, view): (Python<'_>, &View),
    arcs: &GivenArcs<'_>,
    how: (&str, Option<usize>),
) -> PyResult<Questions> {
    let names = ["origins", "velocities", "acceleration", "t_min", "t_max"];
    let rows = [Row::Of(3), Row::Of(3), Row::Of(3), Row::Number, Row::Number];
    let asked = [0, 1, 2, 3, 4].map(|place: usize| Asked {
        name: names[place],
        value: &arcs[place],
        row: rows[place],
    });
    Questions::new((py, view), "arc", &asked, None, how)
}

/// The arc of a question's numbers.
fn arc(values: &[f64], origin: Option<DVec3>) -> Result<BallisticArc, Error> {
    let vector = |place| point(three(values, place), None);
    let from = point(three(values, 0), origin);
    BallisticArc::new(from, vector(3), vector(6))?
        .with_range(nearest_f32(values[9]), nearest_f32(values[10]))
}

/// The first hit of each arc: a tuple of columns, in the order of `FIELDS`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn cast_arcs<'py>(
    py: Python<'py>,
    view: &View,
    arcs: GivenArcs<'py>,
    sides: &str,
    seen: Seen<'py>,
    fields: Option<Vec<String>>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let (sides, filter) = (sides_named(sides)?, Filter::new(view, &seen)?);
    let questions = questions((py, view), &arcs, (invalid, threads))?;
    let width = (questions.is_wide(), view.origin);
    let columns = RayColumns::new(py, hit_fields(fields)?, questions.shape(), width, None)?;
    let make = |_: usize, values: &[f64]| arc(values, view.origin);
    questions.answer_each(py, make, |row, arc| {
        let target = questions.target(view, row);
        let hit = arc.and_then(|arc| target.cast_arc(arc, sides, filter.query()));
        match hit {
            Some(hit) => columns.put_hit(row, &hit, &target),
            None => columns.put_miss(row, arc.is_some()),
        }
    })?;
    columns.into_tuple(py)
}

/// Whether each arc hits anything.
#[pyfunction]
pub(crate) fn cast_arcs_any<'py>(
    py: Python<'py>,
    view: &View,
    arcs: GivenArcs<'py>,
    sides: &str,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Py<PyArrayDyn<bool>>> {
    let (sides, filter) = (sides_named(sides)?, Filter::new(view, &seen)?);
    let questions = questions((py, view), &arcs, (invalid, threads))?;
    let make = |_: usize, values: &[f64]| arc(values, view.origin);
    questions.answer_flags(py, make, |row, arc| {
        let target = questions.target(view, row);
        target.cast_arc_any(arc, sides, filter.query())
    })
}
