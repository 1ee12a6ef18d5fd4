//! A moving box against an oriented box: fifteen separating axes in time, decided exactly.
//!
//! The axes are the oriented box's own, x, y, z, and the cross products of their directions. Their
//! numbers come from `box_hull.rs`, the intersection of the intervals is in `separating_axes.rs`.

use super::box_aabb::against;
use super::{AabbCast, PairHit};
use crate::Obb;
use crate::convex::separating_axes::{ExactProjection, FirstContact, Intersection};
use crate::convex::time_interval::{Bounded, Projection};
use crate::exact::adaptive::{Approx, Number, cross, decided, dot, vector};
use crate::exact::expansion::Expansion;
use crate::shape::box_hull::BoxHull;
use glam::DVec3;

/// An axis on which the boxes can be apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    /// The normal of one of the oriented box's faces.
    Normal(usize),
    /// x, y or z.
    Face(usize),
    /// The cross product of a direction of the oriented box with x, y or z.
    Edge { edge: usize, with: usize },
}

/// Of axes that are entered at the same time the one with the lowest rank is hit.
const NORMAL_RANKS: [u8; 3] = [0, 1, 2];
const FACE_RANKS: [u8; 3] = [3, 4, 5];
const EDGE_RANKS: [[u8; 3]; 3] = [[6, 7, 8], [9, 10, 11], [12, 13, 14]];

impl Obb {
    /// The first hit of a moving box with this oriented box, or `None`.
    ///
    /// Both are solid. The rules are those of [`Aabb::cast_aabb`](crate::Aabb::cast_aabb) with more
    /// axes: the oriented box's own three, x, y, z, then the cross products of each of its axes with
    /// x, y, z; of axes entered at the same time the first in this order gives the normal. They
    /// overlap at the start where they do so on every axis.
    ///
    /// # Accuracy
    /// Every decision is exact and `t` is the exact time rounded once, on the shape that [`Obb`]
    /// describes.
    ///
    /// # Source
    /// Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference
    /// Detection", SIGGRAPH 1996, for the axes; in time as Eberly, "Dynamic Collision Detection using
    /// Oriented Bounding Boxes", 1999.
    ///
    /// ```
    /// use hitscan::glam::DQuat;
    /// use hitscan::shape_cast::AabbCast;
    /// use hitscan::{Aabb, Obb};
    /// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
    /// // Rotated by an eighth about z, it shows an edge to x.
    /// let eighth = DQuat::from_xyzw(0.0, 0.0, 0.3826834323650898, 0.9238795325112867);
    /// let post = Obb::new([5.0, 0.5, 0.5], [1.0, 1.0, 4.0], eighth)?;
    /// let slide = AabbCast::new(unit, [4.0, 0.0, 0.0])?;
    /// let hit = post.cast_aabb(&slide).expect("the post is in the way");
    /// assert!((hit.t - (4.0 - 2f32.sqrt()) / 4.0).abs() < 1e-6);
    /// assert_eq!(hit.normal.x, -1.0);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn cast_aabb(&self, cast: &AabbCast) -> Option<PairHit> {
        let bounds = self.bounds();
        cast.earliest_floor(bounds.min().as_dvec3(), bounds.max().as_dvec3())?;
        let pair = Pair {
            moving: BoxHull::from(&cast.start),
            motion: cast.motion.as_dvec3(),
            obstacle: BoxHull::from(self),
        };
        let project = |axis| {
            let [near, far, speed] = pair.numbers::<Expansion>(axis);
            ExactProjection { near, far, speed }
        };
        Some(match pair.intersection()?.decide(&project)? {
            FirstContact::Overlap => PairHit::OVERLAP,
            FirstContact::Hit(entry) => {
                let direction = DVec3::from_array(pair.direction::<f64>(entry.axis));
                PairHit::at(entry.t(&project), against(entry.along, direction))
            }
        })
    }
}

/// The moving box at its start, its motion, and the oriented box.
struct Pair {
    moving: BoxHull,
    motion: DVec3,
    obstacle: BoxHull,
}

impl Pair {
    /// The intervals of all axes; `None` where the boxes certainly do not hit.
    fn intersection(&self) -> Option<Intersection<Axis, 15>> {
        let mut intersection = Intersection::new();
        for (own, rank) in NORMAL_RANKS.into_iter().enumerate() {
            self.add(&mut intersection, rank, Axis::Normal(own))?;
        }
        for (axis, rank) in FACE_RANKS.into_iter().enumerate() {
            // An own axis along x, y or z has the same times and ranks before it.
            if !(0..3).any(|own| self.is_along(Axis::Normal(own), axis)) {
                self.add(&mut intersection, rank, Axis::Face(axis))?;
            }
        }
        for (edge, ranks) in EDGE_RANKS.into_iter().enumerate() {
            for (with, rank) in ranks.into_iter().enumerate() {
                let axis = Axis::Edge { edge, with };
                // A product that vanishes is no axis; one along x, y or z has the times of that.
                if !(0..3).any(|face| self.is_along(axis, face)) {
                    self.add(&mut intersection, rank, axis)?;
                }
            }
        }
        Some(intersection)
    }

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
    use crate::Aabb;
    use glam::DQuat;

    #[test]
    fn an_obb_without_rotation_is_hit_as_an_aabb() {
        let aabb = Aabb::new([2.0; 3], [4.0; 3]).unwrap();
        let oriented = Obb::new([3.0; 3], [1.0; 3], DQuat::IDENTITY).unwrap();
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
            let moving = AabbCast::new(unit(at), motion).unwrap();
            assert_eq!(
                oriented.cast_aabb(&moving),
                aabb.cast_aabb(&moving),
                "{at:?} {motion:?}"
            );
        }
    }

    #[test]
    fn edges_that_cross_are_met_at_their_common_normal() {
        // An edge of the cube along z, oriented to x, against one along y, oriented to x.
        let half = core::f64::consts::FRAC_PI_8;
        let about_x_and_z = DQuat::from_xyzw(0.0, 0.0, libm::sin(half), libm::cos(half));
        let obstacle = Obb::new([4.0, 0.0, 0.0], [1.0, 1.0, 9.0], about_x_and_z).unwrap();
        let flat = Aabb::new([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]).unwrap();
        let point = AabbCast::new(flat, [4.0, 0.0, 0.0]).unwrap();
        let hit = obstacle.cast_aabb(&point).unwrap();
        assert!((hit.t - (4.0 - 2f32.sqrt()) / 4.0).abs() < 1e-6);
    }
}
