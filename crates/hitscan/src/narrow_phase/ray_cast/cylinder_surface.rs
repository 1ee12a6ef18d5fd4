//! The parts of a cylinder's surface, and its normals.

use crate::Cylinder;
use crate::shape::cylinder::across;
use crate::shape::unit_vector::unit;
use glam::{DVec3, Vec3};

/// A part of the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    FirstEnd,
    SecondEnd,
    Side,
}

pub(super) const PARTS: [Part; 3] = [Part::FirstEnd, Part::SecondEnd, Part::Side];

/// The outward unit normal of a part of the surface at a point of it.
#[inline]
pub(super) fn normal_of(cylinder: &Cylinder, part: Part, place: DVec3) -> Vec3 {
    let [a, b] = cylinder.segment();
    let along = b - a;
    let axis = along / along.abs().max_element();
    match part {
        Part::FirstEnd => unit(-axis),
        Part::SecondEnd => unit(axis),
        Part::Side => {
            let from_axis = axis.cross((place - a).cross(axis));
            if from_axis == DVec3::ZERO {
                return unit(across(axis / axis.length()));
            }
            unit(from_axis)
        }
    }
}
