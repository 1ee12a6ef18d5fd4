//! Solids.

use crate::arrays::{Argument, points_f64};
use crate::errors::library_error;
use crate::threads::build;
use glam::{DQuat, DVec3};
use hitscan::{Aabb, Capsule, ConvexHull, Cylinder, Obb, Primitive, Sphere};
use pyo3::prelude::*;
use std::sync::Arc;

/// A solid: a sphere, a box, an oriented box, a capsule, a cylinder or a convex hull.
#[pyclass(frozen, name = "Primitive", module = "hitscan._hitscan")]
pub(crate) struct PyPrimitive {
    pub(crate) make: MakePrimitive,
}

/// What a solid is made of, in f64: it becomes the library's once the world's origin is known.
#[derive(Debug, Clone)]
pub(crate) enum MakePrimitive {
    Sphere(DVec3, f64),
    Aabb(DVec3, DVec3),
    Obb(DVec3, DVec3, DQuat),
    Capsule(DVec3, DVec3, f64),
    Cylinder(DVec3, DVec3, f64),
    /// The points that it is the hull of, and its radius.
    ConvexHull(Arc<[DVec3]>, f64),
}

impl MakePrimitive {
    /// What such solids are called.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Sphere(..) => "sphere",
            Self::Aabb(..) => "box",
            Self::Obb(..) => "oriented_box",
            Self::Capsule(..) => "capsule",
            Self::Cylinder(..) => "cylinder",
            Self::ConvexHull(..) => "hull",
        }
    }

    /// Two opposite ends of it, without its radius: of a ball and of an oriented box its centre twice.
    pub(crate) fn ends(&self) -> [DVec3; 2] {
        match self {
            Self::Sphere(center, _) | Self::Obb(center, ..) => [*center; 2],
            Self::Aabb(one, other)
            | Self::Capsule(one, other, _)
            | Self::Cylinder(one, other, _) => [one.min(*other), one.max(*other)],
            Self::ConvexHull(points, _) => {
                let around =
                    |[low, high]: [DVec3; 2], point: &DVec3| [low.min(*point), high.max(*point)];
                points.iter().fold([points[0]; 2], around)
            }
        }
    }

    /// The solid, measured from `origin`.
    pub(crate) fn primitive(&self, origin: Option<DVec3>) -> Result<Primitive, hitscan::Error> {
        let from = origin.unwrap_or_default();
        let local = |point: &DVec3| (*point - from).as_vec3();
        Ok(match self {
            Self::Sphere(center, radius) => Sphere::new(local(center), *radius)?.into(),
            Self::Aabb(min, max) => Aabb::new(local(min), local(max))?.into(),
            Self::Obb(center, half_size, rotation) => {
                Obb::new(local(center), half_size.as_vec3(), *rotation)?.into()
            }
            Self::Capsule(a, b, radius) => Capsule::new(local(a), local(b), *radius)?.into(),
            Self::Cylinder(a, b, radius) => Cylinder::new(local(a), local(b), *radius)?.into(),
            Self::ConvexHull(points, radius) => {
                let hull = ConvexHull::new(points.iter().map(local))?;
                match *radius == 0.0 {
                    true => hull.into(),
                    false => hull.with_radius(*radius)?.into(),
                }
            }
        })
    }
}

#[pymethods]
impl PyPrimitive {
    #[staticmethod]
    fn sphere(center: [f64; 3], radius: f64) -> PyResult<Self> {
        checked(MakePrimitive::Sphere(center.into(), radius))
    }

    #[staticmethod]
    fn aabb(min: [f64; 3], max: [f64; 3]) -> PyResult<Self> {
        checked(MakePrimitive::Aabb(min.into(), max.into()))
    }

    #[staticmethod]
    fn obb(center: [f64; 3], half_size: [f64; 3], rotation: [f64; 4]) -> PyResult<Self> {
        let rotation = DQuat::from_array(rotation);
        checked(MakePrimitive::Obb(
            center.into(),
            half_size.into(),
            rotation,
        ))
    }

    #[staticmethod]
    fn capsule(a: [f64; 3], b: [f64; 3], radius: f64) -> PyResult<Self> {
        checked(MakePrimitive::Capsule(a.into(), b.into(), radius))
    }

    #[staticmethod]
    fn cylinder(a: [f64; 3], b: [f64; 3], radius: f64) -> PyResult<Self> {
        checked(MakePrimitive::Cylinder(a.into(), b.into(), radius))
    }

    /// The hull of points, (n, 3).
    #[staticmethod]
    fn convex_hull(py: Python<'_>, points: &Bound<'_, PyAny>, radius: f64) -> PyResult<Self> {
        let points = points_f64(&Argument::new("points", points)?)?;
        let make = MakePrimitive::ConvexHull(points.into(), radius);
        build(py, || checked(make))?
    }

    /// The hull of at most so many corners that contains this one, (n, 3), in f64; of what is no hull nothing.
    fn simplified(&self, py: Python<'_>, max_corners: usize) -> PyResult<Option<Vec<[f64; 3]>>> {
        let solid = self.make.primitive(None);
        let Primitive::ConvexHull(hull) = solid.map_err(|error| library_error(&error))? else {
            return Ok(None);
        };
        let simplified = build(py, || hull.simplified(max_corners))?;
        let simplified = simplified.map_err(|error| library_error(&error))?;
        Ok(Some(corners_of_hull(&simplified)))
    }

    /// The corners of a hull, (n, 3), measured from where its points are; of other solids none.
    fn corners(&self) -> PyResult<Vec<[f64; 3]>> {
        let solid = self.make.primitive(None);
        match solid.map_err(|error| library_error(&error))? {
            Primitive::ConvexHull(hull) => Ok(corners_of_hull(&hull)),
            _ => Ok(Vec::new()),
        }
    }
}

fn corners_of_hull(hull: &ConvexHull) -> Vec<[f64; 3]> {
    hull.corners()
        .iter()
        .map(|corner| corner.to_array())
        .collect()
}

/// A solid that the library accepts.
fn checked(make: MakePrimitive) -> PyResult<PyPrimitive> {
    make.primitive(None)
        .map_err(|error| library_error(&error))?;
    Ok(PyPrimitive { make })
}
