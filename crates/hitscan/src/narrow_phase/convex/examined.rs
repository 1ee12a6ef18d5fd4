//! A first contact with all that can be known of it, for tests.

use super::{Convex, Meeting, first_contact};
use crate::Primitive;
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// A shape of a pair.
#[derive(Debug, Clone)]
pub enum ExaminedShape {
    /// A solid.
    Solid(Primitive),
    /// A triangle with corners in f64.
    Triangle([DVec3; 3]),
}

/// A first contact, or an overlap at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct ExaminedContact {
    /// Whether the shapes overlap at the start; then all the rest is zero.
    pub is_overlap: bool,
    /// An enclosure of the exact time.
    pub enclosure: [f64; 2],
    /// The exact time rounded down.
    pub floor: f64,
    /// The exact time rounded once.
    pub t: f32,
    /// The unit normal.
    pub normal: Vec3,
    /// A point that both share.
    pub point: Vec3,
    /// For each of the given vectors the exact sign of its product with the normal.
    pub signs: Vec<Ordering>,
}

impl<'a> From<&'a ExaminedShape> for Convex<'a> {
    fn from(shape: &'a ExaminedShape) -> Self {
        match shape {
            ExaminedShape::Solid(primitive) => primitive.into(),
            ExaminedShape::Triangle(corners) => Self::triangle(*corners),
        }
    }
}

/// The first contact of a moving shape with a resting one, and on which side of the normal's plane each
/// of the `ways`, from its first point to its second, leads.
#[must_use]
pub fn examine(
    obstacle: &ExaminedShape,
    shape: &ExaminedShape,
    motion: DVec3,
    ways: &[[DVec3; 2]],
) -> Option<ExaminedContact> {
    let meeting = first_contact(&obstacle.into(), &shape.into(), motion)?;
    let Meeting::Contact(contact) = meeting else {
        return Some(ExaminedContact {
            is_overlap: true,
            enclosure: [0.0; 2],
            floor: 0.0,
            t: 0.0,
            normal: Vec3::ZERO,
            point: Vec3::ZERO,
            signs: Vec::new(),
        });
    };
    let sign = |way: &[DVec3; 2]| contact.compare_along_normal(way[1], way[0]);
    Some(ExaminedContact {
        is_overlap: false,
        enclosure: contact.enclosure(),
        floor: contact.floor(),
        t: contact.t(),
        normal: contact.normal(),
        point: contact.point(),
        signs: ways.iter().map(sign).collect(),
    })
}
