//! The relation of two convex pieces of objects: overlapping, touching, or apart by a distance.
//!
//! Most pairs are decided by the closest points in f64 (`convex/pair_gap.rs`). Those that may meet are decided
//! exactly: two triangles as their overlap is, all others as resting shapes are. Cylinders have an interval of the gap
//! (`convex/certified_gap.rs`).

use super::convex::{
    Convex, Core, PairGap, RestingContact, common_point, pair_gap, resting_contact,
    resting_contact_within, resting_status,
};
use super::overlap::{OverlapKind, triangle_triangle};
use crate::shape::unit_vector::wide_unit;
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// How two pieces lie.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one is made and taken apart at once, for each pair that is compared"
)]
pub(crate) enum PairDistance {
    /// They share inner points: they cannot be parted by a move, however small.
    Overlap,
    /// They share boundary points only, or lie in one plane.
    Touch,
    /// They are apart: the contact of the second (the shape) with the first, or, where the second alone is a
    /// triangle, of the first with the second.
    Apart(RestingContact),
}

/// How `first` and `second` lie; `None` where their distance is certainly greater than `limit`, and for a
/// triangle without area, which touches nothing.
pub(crate) fn pair_distance(first: &Convex, second: &Convex, limit: f64) -> Option<PairDistance> {
    let [obstacle, shape] = in_order(first, second);
    if obstacle.core.is_cylinder() || shape.core.is_cylinder() {
        let contact = resting_contact_within(obstacle, shape, f64::INFINITY, limit)?;
        return Some(match contact.status() {
            Ordering::Less => PairDistance::Overlap,
            Ordering::Equal => PairDistance::Touch,
            Ordering::Greater => PairDistance::Apart(contact),
        });
    }
    let contact = match pair_gap(obstacle, shape, limit) {
        PairGap::Farther => return None,
        PairGap::Apart(contact) => contact,
        PairGap::Unsure(contact) => match (&obstacle.core, &shape.core) {
            (Core::Triangle(a), Core::Triangle(b)) => match triangle_triangle(a, b) {
                Some(overlap) if overlap.kind == OverlapKind::Cross => {
                    return Some(PairDistance::Overlap);
                }
                Some(_) => return Some(PairDistance::Touch),
                None => contact,
            },
            _ => match resting_status(obstacle, shape) {
                Ordering::Less => return Some(PairDistance::Overlap),
                Ordering::Equal => return Some(PairDistance::Touch),
                Ordering::Greater => resting_contact_within(obstacle, shape, f64::INFINITY, limit)?,
            },
        },
    };
    Some(match contact.status() {
        Ordering::Less => PairDistance::Overlap,
        Ordering::Equal => PairDistance::Touch,
        Ordering::Greater => PairDistance::Apart(contact.of_nearest_corners()),
    })
}

/// Obstacle and shape: a triangle and a solid are compared in this order.
fn in_order<'p, 'c>(first: &'p Convex<'c>, second: &'p Convex<'c>) -> [&'p Convex<'c>; 2] {
    if is_swapped(first, second) {
        [second, first]
    } else {
        [first, second]
    }
}

fn is_swapped(first: &Convex, second: &Convex) -> bool {
    let is_triangle = |convex: &Convex| matches!(convex.core, Core::Triangle(_));
    is_triangle(second) && !is_triangle(first)
}

/// About the direction from the first to the second of two pieces that are apart, a unit vector.
pub(crate) fn rough_direction(
    first: &Convex,
    second: &Convex,
    contact: &RestingContact,
) -> Option<DVec3> {
    let way = contact.rough_direction()?;
    let way = (way != DVec3::ZERO).then(|| wide_unit(way))?;
    Some(if is_swapped(first, second) { -way } else { way })
}

/// A nearest pair of points of two pieces, and the unit direction from the first to the second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Witness {
    /// Of the first and the second.
    pub(crate) points: [DVec3; 2],
    pub(crate) direction: DVec3,
}

/// The nearest points of pieces that are apart.
pub(crate) fn apart_witness(
    first: &Convex,
    second: &Convex,
    contact: &RestingContact,
) -> Option<Witness> {
    let nearest = contact.nearest_points()?;
    let (on_obstacle, on_shape) = (nearest.on_obstacle, nearest.on_shape);
    Some(if is_swapped(first, second) {
        Witness {
            points: [on_shape, on_obstacle],
            direction: -nearest.direction,
        }
    } else {
        Witness {
            points: [on_obstacle, on_shape],
            direction: nearest.direction,
        }
    })
}

/// A point that two pieces share, which are known to meet.
pub(crate) fn shared_witness(first: &Convex, second: &Convex) -> Vec3 {
    let [obstacle, shape] = in_order(first, second);
    let has_cylinder = obstacle.core.is_cylinder() || shape.core.is_cylinder();
    if obstacle.radius + shape.radius == 0.0 && !has_cylinder {
        common_point(obstacle, shape)
    } else {
        resting_contact(obstacle, shape).point()
    }
}
