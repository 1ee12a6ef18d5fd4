//! Resting solids: what they overlap, touch or are near to.

use crate::arrays::nearest_f32;
use crate::columns::{Features, Place, Points, Vectors, columns, flat_tuple};
use crate::filter::{Filter, Seen};
use crate::python_memory::Column;
use crate::questions::{Asked, Questions, Row, distance};
use crate::shape_rows::{GivenShapes, Shapes};
use crate::view::{Target, View};
use hitscan::{Contact, ContactStatus, ContactsPer, Primitive, QueryFilter};
use numpy::PyArrayDyn;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

impl Target {
    fn contacts(
        &self,
        (shape, margin): &(Primitive, f32),
        each: ContactsPer,
        filter: QueryFilter<'_>,
    ) -> Vec<Contact> {
        match self {
            Self::World(now) => now.contacts(shape.clone(), *margin, each, filter),
            Self::Mesh(mesh) => mesh.contacts(shape.clone(), *margin, each),
            Self::Model(posed) => posed.contacts(shape.clone(), *margin, each),
            Self::Terrain(field) => field.contacts(shape.clone(), *margin, each),
        }
    }

    fn overlaps_shape(&self, shape: &Primitive, filter: QueryFilter<'_>) -> bool {
        match self {
            Self::World(now) => now.overlaps_shape(shape.clone(), filter),
            Self::Mesh(mesh) => mesh.overlaps_shape(shape.clone()),
            Self::Model(posed) => posed.overlaps_shape(shape.clone()),
            Self::Terrain(field) => field.overlaps_shape(shape.clone()),
        }
    }
}

/// The contacts of each resting solid: columns, the questions and the splits.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn contacts<'py>(
    py: Python<'py>,
    view: &View,
    shapes: GivenShapes<'py>,
    margin: &Bound<'py, PyAny>,
    each: &str,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let each = match each {
        "object" => ContactsPer::Object,
        "triangle" => ContactsPer::Triangle,
        _ => {
            return Err(PyValueError::new_err(format!(
                "each: expected \"object\" or \"triangle\", found {each:?}"
            )));
        }
    };
    let filter = Filter::new(view, &seen)?;
    let (shapes, mut asked) = Shapes::new(&shapes, view.origin)?;
    asked.push(Asked {
        name: "margin",
        value: margin,
        row: Row::Number,
    });
    let questions = Questions::new(
        (py, view),
        "shape",
        &asked,
        shapes.rows(),
        (invalid, threads),
    )?;
    let make = |row: usize, values: &[f64]| {
        let margin = distance("margin", values[shapes.width()])?;
        Ok((shapes.of_row(row, values)?, nearest_f32(margin)))
    };
    let flat = questions.answer_flat(py, make, |row, question| {
        let target = questions.target(view, row);
        target.contacts(question, each, filter.query())
    })?;
    let place = Place::of(&questions, view);
    flat_tuple(py, &flat, place, ContactColumns::put)
}

/// Whether each resting solid overlaps anything.
#[pyfunction]
pub(crate) fn overlaps_shapes<'py>(
    py: Python<'py>,
    view: &View,
    shapes: GivenShapes<'py>,
    seen: Seen<'py>,
    invalid: &str,
    threads: Option<usize>,
) -> PyResult<Py<PyArrayDyn<bool>>> {
    let filter = Filter::new(view, &seen)?;
    let (shapes, asked) = Shapes::new(&shapes, view.origin)?;
    let questions = Questions::new(
        (py, view),
        "shape",
        &asked,
        shapes.rows(),
        (invalid, threads),
    )?;
    let make = |row: usize, values: &[f64]| shapes.of_row(row, values);
    questions.answer_flags(py, make, |row, shape| {
        let target = questions.target(view, row);
        target.overlaps_shape(shape, filter.query())
    })
}

columns! {
    struct ContactColumns {
        status: Column<i8>,
        separation: Column<f32>,
        normal: Vectors<3>,
        point: Points,
        features: Features,
    }
}

impl ContactColumns {
    fn put(&self, row: usize, contact: &Contact) {
        let status = match contact.status {
            ContactStatus::Overlap => 2,
            ContactStatus::Touching => 1,
            ContactStatus::Near => 0,
        };
        self.status.put(row, status);
        self.separation.put(row, contact.separation);
        self.normal.put(row, Some(contact.normal.to_array()));
        self.point.put(row, Some(contact.point));
        self.features.put(row, contact.object, contact.triangle);
    }
}
