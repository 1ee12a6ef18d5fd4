//! Solids.

use crate::errors::library_error;
use glam::{DQuat, DVec3};
use hitscan::{Aabb, Capsule, Obb, Primitive, Sphere};
use pyo3::prelude::*;

/// A solid: a sphere, a box, an oriented box or a capsule.
#[pyclass(frozen, name = "Primitive", module = "hitscan._hitscan")]
pub(crate) struct PyPrimitive {
    pub(crate) make: MakePrimitive,
}

/// What a solid is made of, in f64: it becomes the library's once the world's origin is known.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MakePrimitive {
    Sphere(DVec3, f64),
    Aabb(DVec3, DVec3),
    Obb(DVec3, DVec3, DQuat),
    Capsule(DVec3, DVec3, f64),
}

impl MakePrimitive {
    /// What such solids are called.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Sphere(..) => "sphere",
            Self::Aabb(..) => "box",
            Self::Obb(..) => "oriented_box",
            Self::Capsule(..) => "capsule",
        }
    }

    /// Two opposite ends of it, without its radius: of a ball and of an oriented box its centre twice.
    pub(crate) fn ends(self) -> [DVec3; 2] {
        match self {
            Self::Sphere(center, _) | Self::Obb(center, ..) => [center; 2],
            Self::Aabb(one, other) | Self::Capsule(one, other, _) => {
                [one.min(other), one.max(other)]
            }
        }
    }

    /// The solid, measured from `origin`.
    pub(crate) fn primitive(self, origin: Option<DVec3>) -> Result<Primitive, hitscan::Error> {
        let from = origin.unwrap_or_default();
        let local = |point: DVec3| (point - from).as_vec3();
        Ok(match self {
            Self::Sphere(center, radius) => Sphere::new(local(center), radius)?.into(),
            Self::Aabb(min, max) => Aabb::new(local(min), local(max))?.into(),
            Self::Obb(center, half_size, rotation) => {
                Obb::new(local(center), half_size.as_vec3(), rotation)?.into()
            }
            Self::Capsule(a, b, radius) => Capsule::new(local(a), local(b), radius)?.into(),
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
}

/// A solid that the library accepts.
fn checked(make: MakePrimitive) -> PyResult<PyPrimitive> {
    make.primitive(None)
        .map_err(|error| library_error(&error))?;
    Ok(PyPrimitive { make })
}
