//! The moving box against a turned box: fifteen separating axes in time, decided exactly.
//!
//! The axes are the turned box' own, x, y, z, and the cross products of their directions. Their
//! numbers come from `block.rs`, the intersection of the intervals is in `meeting.rs`.

use super::box_box::against;
use super::meeting::{ExactProjection, Intersection, Overlap};
use super::time_span::{Bounded, Projection};
use super::{BoxMotion, Contact};
use crate::Obb;
use crate::exact::adaptive::{Approx, Number, cross, decided, dot, vector};
use crate::exact::expansion::Expansion;
use crate::shape::box_hull::Block;
use glam::DVec3;

/// An axis on which the boxes can be apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    /// The normal of one of the turned box' faces.
    Normal(usize),
    /// x, y or z.
    Face(usize),
    /// The cross product of a direction of the turned box with x, y or z.
    Edge { edge: usize, with: usize },
}

/// Of axes that are entered at the same time the one with the lowest rank is met.
const NORMAL_RANKS: [u8; 3] = [0, 1, 2];
const FACE_RANKS: [u8; 3] = [3, 4, 5];
const EDGE_RANKS: [[u8; 3]; 3] = [[6, 7, 8], [9, 10, 11], [12, 13, 14]];

/// The first contact of a moving box with the turned box `obstacle`, or `None`.
///
/// Both are solid. The rules are those of [`box_box`] with more axes: the turned box' own three, x,
/// y, z, then the cross products of each of its axes with x, y, z; of axes entered at the same time
/// the first in this order gives the contact's normal. They overlap at the start where they do so
/// on every axis.
///
/// # Accuracy
/// Every decision is exact and `t` is the exact time rounded once, on the shape that [`Obb`]
/// describes.
///
/// # Source
/// Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference Detection",
/// SIGGRAPH 1996, for the axes; asked in time as in `meeting.rs`.
///
/// [`box_box`]: super::box_box()
///
/// ```
/// use hitscan::glam::DQuat;
/// use hitscan::{Aabb, Obb, sweep};
/// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
/// // Turned by an eighth about z, it shows an edge to x.
/// let eighth = DQuat::from_xyzw(0.0, 0.0, 0.3826834323650898, 0.9238795325112867);
/// let post = Obb::new([5.0, 0.5, 0.5], [1.0, 1.0, 4.0], eighth)?;
/// let slide = shape_cast::BoxMotion::new(unit, [4.0, 0.0, 0.0])?;
/// let contact = shape_cast::box_obb(&slide, &post).expect("the post stands in the way");
/// assert!((contact.t - (4.0 - 2f32.sqrt()) / 4.0).abs() < 1e-6);
/// assert_eq!(contact.normal.x, -1.0);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn box_obb(moving: &BoxMotion, obstacle: &Obb) -> Option<Contact> {
    moving.earliest_t(&obstacle.bounds())?;
    let pair = Pair {
        moving: Block::from(&moving.start),
        motion: moving.motion.as_dvec3(),
        obstacle: Block::from(obstacle),
    };
    let mut intersection = Intersection::<Axis, 15>::new();
    for (own, rank) in NORMAL_RANKS.into_iter().enumerate() {
        pair.add(&mut intersection, rank, Axis::Normal(own))?;
    }
    for (axis, rank) in FACE_RANKS.into_iter().enumerate() {
        // An own axis along x, y or z has the same times and ranks before it.
        if !(0..3).any(|own| pair.is_along(Axis::Normal(own), axis)) {
            pair.add(&mut intersection, rank, Axis::Face(axis))?;
        }
    }
    for (edge, ranks) in EDGE_RANKS.into_iter().enumerate() {
        for (with, rank) in ranks.into_iter().enumerate() {
            let axis = Axis::Edge { edge, with };
            // A product that vanishes is no axis; one along x, y or z has the times of that.
            if !(0..3).any(|face| pair.is_along(axis, face)) {
                pair.add(&mut intersection, rank, axis)?;
            }
        }
    }
    let exact = |axis| {
        let [near, far, speed] = pair.numbers::<Expansion>(axis);
        ExactProjection { near, far, speed }
    };
    Some(match intersection.decide(&exact)? {
        Overlap::Overlap => Contact::OVERLAP,
        Overlap::Hit { t, axis, along } => {
            let direction = DVec3::from_array(pair.direction::<f64>(axis));
            Contact::hit(t, against(along, direction))
        }
    })
}

/// The moving box at its start, its motion, and the turned box.
struct Pair {
    moving: Block,
    motion: DVec3,
    obstacle: Block,
}

impl Pair {
    fn direction<N: Number>(&self, axis: Axis) -> [N; 3] {
        match axis {
            Axis::Normal(own) => self.obstacle.normal(own),
            Axis::Face(axis) => vector(DVec3::AXES[axis]),
            Axis::Edge { edge, with } => cross(
                &vector(self.obstacle.directions[edge]),
                &vector(DVec3::AXES[with]),
            ),
        }
    }

    /// Whether an axis vanishes or is parallel to x, y or z (0, 1, 2).
    fn is_along(&self, axis: Axis, face: usize) -> bool {
        let exact = || self.direction::<Expansion>(axis);
        let approx = self.direction::<Approx>(axis);
        (0..3).all(|i| i == face || decided(approx[i].sign(), || Some(exact()[i].sign())).is_eq())
    }

    /// The projection's near, far and speed, all doubled.
    fn numbers<N: Number>(&self, axis: Axis) -> [N; 3] {
        let direction = self.direction(axis);
        let placement = self.moving.placement(&self.obstacle, &direction);
        let speed: N = dot(&direction, &vector(self.motion));
        [
            placement.way.minus(&placement.reach),
            placement.way.plus(&placement.reach),
            speed.plus(&speed),
        ]
    }

    fn add(&self, intersection: &mut Intersection<Axis, 15>, rank: u8, axis: Axis) -> Option<()> {
        let bounded = |number: Approx| Bounded {
            value: number.value,
            error: number.error,
        };
        let [near, far, speed] = self.numbers::<Approx>(axis).map(bounded);
        intersection.add(rank, axis, &Projection { near, far, speed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Aabb, shape_cast::box_box};
    use glam::DQuat;

    #[test]
    fn a_box_that_is_not_turned_is_met_as_an_upright_one() {
        let upright = Aabb::new([2.0; 3], [4.0; 3]).unwrap();
        let turned = Obb::new([3.0; 3], [1.0; 3], DQuat::IDENTITY).unwrap();
        let unit = |at: [f32; 3]| Aabb::new(at, at.map(|x| x + 1.0)).unwrap();
        for (at, motion) in [
            ([0.0; 3], [2.0, 4.0, 4.0]),
            ([0.0; 3], [2.0, 2.0, 2.0]),
            ([0.0; 3], [0.5, 2.0, 2.0]),
            ([2.0, 1.0, 2.0], [0.0, 1.0, 0.0]),
            ([2.0, 1.0, 2.0], [0.0, -1.0, 0.0]),
            ([2.0, 1.0, 2.0], [1.0, 0.0, 1.0]),
            ([3.0; 3], [0.0; 3]),
            ([1.0; 3], [0.0; 3]),
        ] {
            let moving = BoxMotion::new(unit(at), motion).unwrap();
            assert_eq!(
                box_obb(&moving, &turned),
                box_box(&moving, &upright),
                "{at:?} {motion:?}"
            );
        }
    }

    #[test]
    fn edges_that_cross_are_met_at_their_common_normal() {
        // An edge of the cube along z, turned to x, against one along y, turned to x.
        let half = core::f64::consts::FRAC_PI_8;
        let about_x_and_z = DQuat::from_xyzw(0.0, 0.0, libm::sin(half), libm::cos(half));
        let obstacle = Obb::new([4.0, 0.0, 0.0], [1.0, 1.0, 9.0], about_x_and_z).unwrap();
        let flat = Aabb::new([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]).unwrap();
        let point = BoxMotion::new(flat, [4.0, 0.0, 0.0]).unwrap();
        let contact = box_obb(&point, &obstacle).unwrap();
        assert!((contact.t - (4.0 - 2f32.sqrt()) / 4.0).abs() < 1e-6);
    }
}
