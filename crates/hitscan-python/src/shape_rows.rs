//! Solids in questions: one for each row of arrays, or a list of them.

use crate::questions::{Asked, Row, three};
use crate::shapes::{MakePrimitive, PyPrimitive};
use glam::{DQuat, DVec3};
use hitscan::{Error, Primitive};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Solids as Python gives them: what they are, and their arrays, or a list of solids.
pub(crate) type GivenShapes<'py> = (String, Vec<Bound<'py, PyAny>>);

/// What the solids of a call are made of.
pub(crate) struct Shapes {
    kind: Kind,
    origin: Option<DVec3>,
    /// How many numbers a solid has.
    width: usize,
}

enum Kind {
    Spheres,
    Boxes,
    OrientedBoxes,
    Capsules,
    Cylinders,
    /// Row k, of any axes before the last, is solid k of the list.
    List(Vec<Result<Primitive, Error>>),
}

impl Shapes {
    /// The solids that were given, and their arrays.
    ///
    /// # Errors
    /// `ValueError` for what Python's classes do not give.
    pub(crate) fn new<'a, 'py>(
        (kind, arrays): &'a GivenShapes<'py>,
        origin: Option<DVec3>,
    ) -> PyResult<(Self, Vec<Asked<'a, 'py>>)> {
        let vector = Row::Of(3);
        let (kind, rows): (Kind, &[(&'static str, Row)]) = match kind.as_str() {
            "spheres" => (
                Kind::Spheres,
                &[("center", vector), ("radius", Row::Number)],
            ),
            "boxes" => (Kind::Boxes, &[("min", vector), ("max", vector)]),
            "oriented_boxes" => (
                Kind::OrientedBoxes,
                &[
                    ("center", vector),
                    ("half_size", vector),
                    ("rotation", Row::Of(4)),
                ],
            ),
            "capsules" => (
                Kind::Capsules,
                &[("a", vector), ("b", vector), ("radius", Row::Number)],
            ),
            "cylinders" => (
                Kind::Cylinders,
                &[("a", vector), ("b", vector), ("radius", Row::Number)],
            ),
            _ => {
                let solids = arrays.iter().map(|solid| {
                    let solid = solid.cast::<PyPrimitive>()?;
                    Ok(solid.get().make.primitive(origin))
                });
                (Kind::List(solids.collect::<PyResult<_>>()?), &[])
            }
        };
        if !matches!(kind, Kind::List(_)) && rows.len() != arrays.len() {
            return Err(PyValueError::new_err("shapes: too few arrays"));
        }
        let width = rows.iter().map(|(_, row)| match row {
            Row::Of(width) => *width,
            Row::Number => 1,
            Row::Ground => 2,
        });
        let shapes = Self {
            width: width.sum(),
            kind,
            origin,
        };
        let asked = rows
            .iter()
            .zip(arrays)
            .map(|(&(name, row), value)| Asked { name, value, row });
        Ok((shapes, asked.collect()))
    }

    /// How many numbers of a question are its solid's, the first ones.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The rows of a list.
    pub(crate) fn rows(&self) -> Option<(&'static str, usize)> {
        match &self.kind {
            Kind::List(solids) => Some(("shapes", solids.len())),
            _ => None,
        }
    }

    /// The solid of a row.
    pub(crate) fn of_row(&self, row: usize, values: &[f64]) -> Result<Primitive, Error> {
        let vector = |place: usize| DVec3::from(three(values, place));
        let solid = match &self.kind {
            Kind::Spheres => MakePrimitive::Sphere(vector(0), values[3]),
            Kind::Boxes => MakePrimitive::Aabb(vector(0), vector(3)),
            Kind::OrientedBoxes => {
                let rotation = [values[6], values[7], values[8], values[9]];
                MakePrimitive::Obb(vector(0), vector(3), DQuat::from_array(rotation))
            }
            Kind::Capsules => MakePrimitive::Capsule(vector(0), vector(3), values[6]),
            Kind::Cylinders => MakePrimitive::Cylinder(vector(0), vector(3), values[6]),
            // The list is the last axis, or has one solid for all rows.
            Kind::List(solids) => return solids[row % solids.len()].clone(),
        };
        solid.primitive(self.origin)
    }
}
