//! Stand-in for any solid.

use crate::solid::Passage;
use crate::sweep::{BoxMotion, Contact, box_box, box_sphere};
use crate::{Aabb, Ray, Sphere};

/// Any solid.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Solid {
    /// A sphere.
    Sphere(Sphere),
    /// A box.
    Aabb(Aabb),
}

impl From<Sphere> for Solid {
    fn from(sphere: Sphere) -> Self {
        Self::Sphere(sphere)
    }
}

impl From<Aabb> for Solid {
    fn from(aabb: Aabb) -> Self {
        Self::Aabb(aabb)
    }
}

impl Solid {
    /// The box around it.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        match self {
            Self::Sphere(sphere) => sphere.bounds(),
            Self::Aabb(aabb) => *aabb,
        }
    }

    pub(crate) fn passage(&self, ray: &Ray) -> Option<Passage> {
        match self {
            Self::Sphere(sphere) => sphere.passage(ray),
            Self::Aabb(aabb) => aabb.passage(ray),
        }
    }

    pub(crate) fn sweep(&self, moving: &BoxMotion) -> Option<Contact> {
        match self {
            Self::Sphere(sphere) => box_sphere(moving, sphere.center(), sphere.radius()),
            Self::Aabb(aabb) => box_box(moving, aabb),
        }
    }
}
