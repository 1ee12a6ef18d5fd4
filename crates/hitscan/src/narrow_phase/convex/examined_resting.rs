//! The relative placement of two resting shapes with every exact detail, for tests.

use super::examined::ExaminedShape;
use super::{Convex, resting_contact, resting_contact_within};
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// The contact of two resting shapes, with its exact details.
#[derive(Debug, Clone, PartialEq)]
pub struct ExaminedResting {
    /// Whether they overlap (`Less`), touch (`Equal`) or are apart.
    pub status: Ordering,
    /// An enclosure of the exact separation.
    pub enclosure: [f64; 2],
    /// The exact separation rounded once.
    pub separation: f32,
    /// The unit way out.
    pub normal: Vec3,
    /// The obstacle's nearest point, or one that both share.
    pub point: Vec3,
    /// For each of the given vectors the exact sign of its product with the way out.
    pub signs: Vec<Ordering>,
    /// How the exact separation compares with each of the margins.
    pub margins: Vec<Ordering>,
}

/// The contact of a shape and an obstacle, on which side of the plane across the way out each of the `ways`,
/// from its first point to its second, leads, and how the separation compares with `margins`.
#[must_use]
pub fn examine_resting(
    obstacle: &ExaminedShape,
    shape: &ExaminedShape,
    ways: &[[DVec3; 2]],
    margins: &[f64],
) -> ExaminedResting {
    let contact = resting_contact(&obstacle.into(), &shape.into());
    let sign = |way: &[DVec3; 2]| contact.compare_along_normal(way[1], way[0]);
    ExaminedResting {
        status: contact.status(),
        enclosure: contact.enclosure(),
        separation: contact.separation(),
        normal: contact.normal(),
        point: contact.point(),
        signs: ways.iter().map(sign).collect(),
        margins: (margins.iter())
            .map(|margin| contact.compare_separation(*margin))
            .collect(),
    }
}

/// Whether a shape is within a margin of an obstacle.
#[must_use]
pub fn is_within(obstacle: &ExaminedShape, shape: &ExaminedShape, margin: f64) -> bool {
    resting_contact_within(&obstacle.into(), &shape.into(), margin, f64::INFINITY).is_some()
}

/// How the separations of one shape from two obstacles compare.
#[must_use]
pub fn compare_separations(obstacles: [&ExaminedShape; 2], shape: &ExaminedShape) -> Ordering {
    let shape = Convex::from(shape);
    let [first, second] =
        obstacles.map(|obstacle| resting_contact(&Convex::from(obstacle), &shape));
    first.compare(&second)
}
