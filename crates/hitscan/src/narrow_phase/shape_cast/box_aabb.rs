//! A moving box against a box: the slab test in time, decided exactly.
//!
//! The axes are x, y and z.

use super::{AabbCast, PairHit};
use crate::Aabb;
use crate::exact::expansion::Expansion;
use crate::narrow_phase::convex::interval_intersection::{
    ExactProjection, FirstContact, Intersection,
};
use crate::narrow_phase::convex::separating_axes::against;
use crate::narrow_phase::convex::time_interval::{Bounded, Projection};
use glam::DVec3;

impl Aabb {
    /// The first hit of a moving box with this box, or `None`.
    ///
    /// Both are solid. On each axis with motion the boxes touch or overlap during a closed interval
    /// of t; without motion they overlap always or, where they only touch, never. They hit at the
    /// latest start of the three, unless an interval has ended before, or the box only parts from a
    /// touch. The normal is that of the face that is hit: of axes entered at the same time x, then
    /// y, then z.
    ///
    /// # Accuracy
    /// Every decision is exact, and `t` is the exact time rounded once.
    ///
    /// # Source
    /// The slab method of Kay and Kajiya, "Ray Tracing Complex Scenes", SIGGRAPH 1986, in time.
    ///
    /// ```
    /// use hitscan::Aabb;
    /// use hitscan::shape_cast::AabbCast;
    /// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
    /// let floor = Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0])?;
    /// // A box that rests on the floor slides along it, but hits it when it moves down.
    /// let slide = AabbCast::new(unit, [5.0, 0.0, 0.0])?;
    /// assert_eq!(floor.cast_aabb(&slide), None);
    /// let press = AabbCast::new(unit, [5.0, -0.1, 0.0])?;
    /// assert_eq!(floor.cast_aabb(&press).map(|hit| hit.t), Some(0.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn cast_aabb(&self, cast: &AabbCast) -> Option<PairHit> {
        let mut intersection = Intersection::<usize, 3>::new();
        for (rank, axis) in (0..).zip(0..3) {
            intersection.add(rank, axis, &project(cast, self, axis))?;
        }
        let project = |axis| project_exactly(cast, self, axis);
        Some(match intersection.decide(&project)? {
            FirstContact::Overlap => PairHit::OVERLAP,
            FirstContact::Hit(entry) => {
                let normal = against(entry.along, DVec3::AXES[entry.axis]);
                PairHit::at(entry.t(&project), normal)
            }
        })
    }
}

/// The boxes on the axis x, y or z (0, 1, 2).
fn project(moving: &AabbCast, obstacle: &Aabb, axis: usize) -> Projection {
    let difference = |a: f32, b: f32| Bounded::difference(f64::from(a), f64::from(b));
    Projection {
        near: difference(obstacle.min()[axis], moving.start.max()[axis]),
        far: difference(obstacle.max()[axis], moving.start.min()[axis]),
        speed: Bounded::exactly(f64::from(moving.motion[axis])),
    }
}

fn project_exactly(moving: &AabbCast, obstacle: &Aabb, axis: usize) -> ExactProjection {
    let difference = |a: f32, b: f32| Expansion::from_difference(f64::from(a), f64::from(b));
    ExactProjection {
        near: difference(obstacle.min()[axis], moving.start.max()[axis]),
        far: difference(obstacle.max()[axis], moving.start.min()[axis]),
        speed: Expansion::from_f64(f64::from(moving.motion[axis])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    // The obstacle is the box from 2 to 4 on each axis; seen along z:
    //
    //   y
    //   4      +-----+
    //          |     |
    //   2      +-----+
    //   1  +-+
    //   0  +-+
    //      0 1 2     4  x
    fn meets(min: [f32; 3], max: [f32; 3], motion: [f32; 3]) -> Option<PairHit> {
        let obstacle = Aabb::new([2.0; 3], [4.0; 3]).unwrap();
        let moving = AabbCast::new(Aabb::new(min, max).unwrap(), motion).unwrap();
        obstacle.cast_aabb(&moving)
    }

    fn hit(t: f32, normal: Vec3) -> Option<PairHit> {
        Some(PairHit {
            t,
            normal,
            ..PairHit::at(0.0, DVec3::X)
        })
    }

    #[test]
    fn the_axis_entered_last_is_hit_and_x_before_y_before_z() {
        let unit = |motion| meets([0.0; 3], [1.0; 3], motion);
        assert_eq!(unit([2.0, 4.0, 4.0]), hit(0.5, Vec3::NEG_X));
        assert_eq!(unit([4.0, 2.0, 4.0]), hit(0.5, Vec3::NEG_Y));
        assert_eq!(unit([2.0, 2.0, 2.0]), hit(0.5, Vec3::NEG_X));
        assert_eq!(unit([4.0, 2.0, 2.0]), hit(0.5, Vec3::NEG_Y));
        assert_eq!(unit([1.0, 1.0, 1.0]), hit(1.0, Vec3::NEG_X));
        assert_eq!(unit([0.5, 2.0, 2.0]), None);
    }

    #[test]
    fn a_touch_counts_only_on_the_way_in() {
        let below = |motion| meets([2.0, 0.0, 2.0], [3.0, 2.0, 3.0], motion);
        assert_eq!(below([0.0, 1.0, 0.0]), hit(0.0, Vec3::NEG_Y));
        assert_eq!(below([9.0, 1.0, 0.0]), hit(0.0, Vec3::NEG_Y));
        assert_eq!(below([0.0, -1.0, 0.0]), None);
        assert_eq!(below([1.0, 0.0, 1.0]), None);
        assert_eq!(below([0.0; 3]), None);
    }

    #[test]
    fn an_overlap_at_the_start_differs_from_a_hit() {
        let overlap = Some(PairHit::OVERLAP);
        assert_eq!(meets([3.0; 3], [5.0; 3], [0.0; 3]), overlap);
        assert_eq!(meets([3.0; 3], [5.0; 3], [9.0, 0.0, 0.0]), overlap);
        // A flat box strictly inside overlaps; one that lies in a face only touches.
        assert_eq!(meets([3.0; 3], [3.0; 3], [0.0; 3]), overlap);
        assert_eq!(meets([2.0, 3.0, 3.0], [2.0, 3.0, 3.0], [0.0; 3]), None);
    }

    #[test]
    fn differences_that_f64_rounds_are_compared_exactly() {
        // The gap along x is 2 + 1e-30, which f64 rounds to 2: y is entered first.
        let moving = |motion| meets([-1.0; 3], [-1e-30, 0.0, 3.0], motion);
        assert_eq!(moving([2.0, 2.0, 0.0]), None);
        assert_eq!(moving([4.0, 4.0, 0.0]), hit(0.5, Vec3::NEG_X));
    }
}
