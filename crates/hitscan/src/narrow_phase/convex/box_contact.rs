//! First contact of a moving box with a box or a triangle: separating axes in time, decided exactly.
//!
//! The moving core is a box, the obstacle a box or a triangle. This file bounds the projections in
//! f64; the intersection of the intervals is in `interval_intersection.rs`.
//!
//! Source: Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference
//! Detection", SIGGRAPH 1996, for the axes; in time as Eberly, "Dynamic Collision Detection using
//! Oriented Bounding Boxes", 1999.

use super::Core;
use super::interval_intersection::{Entry, ExactProjection, FirstContact, Intersection};
use super::separating_axes::{Axis, CorePair, against};
use super::shared_point::shared_point;
use super::shared_point_exact::ExactShift;
use super::time_interval::{Along, Bounded, Projection};
use crate::exact::adaptive::{Approx, Number, dot, vector};
use crate::exact::expansion::Expansion;
use crate::shape::box_hull::BoxHull;
use crate::shape::unit_vector::unit;
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// The first encounter of a moving box with a box or a triangle.
#[expect(
    clippy::large_enum_variant,
    reason = "made once a contact, and taken apart at once"
)]
#[derive(Debug, Clone)]
pub(super) enum BoxEncounter {
    /// They overlap openly on all axes at t = 0.
    Overlap,
    /// They come into contact.
    Contact(BoxContact),
}

/// A contact of two cores without radius: the axis that is entered last.
#[derive(Debug, Clone)]
pub(crate) struct BoxContact {
    pair: SlidingPair,
    entry: Entry<Axis>,
}

/// The first contact of the box `shape` with `obstacle`, a box or a triangle; `None` where there is no
/// hit, and for a triangle without area. Contacts after the time `latest`, from 0 to 1, may be omitted.
pub(super) fn first_box_contact(
    obstacle: &Core<'static>,
    shape: &BoxHull,
    motion: DVec3,
    latest: f64,
) -> Option<BoxEncounter> {
    let pair = SlidingPair {
        cores: CorePair {
            obstacle: *obstacle,
            shape: Core::Box(*shape),
        },
        motion,
    };
    let first = pair.first_contact(latest)?;
    if obstacle.is_degenerate_triangle() {
        return None;
    }
    Some(match first {
        FirstContact::Overlap => BoxEncounter::Overlap,
        FirstContact::Hit(entry) => BoxEncounter::Contact(BoxContact { pair, entry }),
    })
}

impl BoxContact {
    /// The contact of a resting core and one that moves, on the axis that is entered last.
    pub(crate) fn new(
        obstacle: Core<'static>,
        shape: Core<'static>,
        motion: DVec3,
        entry: Entry<Axis>,
    ) -> Self {
        let cores = CorePair { obstacle, shape };
        Self {
            pair: SlidingPair { cores, motion },
            entry,
        }
    }

    /// An enclosure of the exact time.
    pub(super) fn enclosure(&self) -> [f64; 2] {
        self.entry.enclosure()
    }

    /// The exact time rounded once to f32.
    pub(super) fn t(&self) -> f32 {
        self.entry.t(&|axis| self.pair.project_exactly(axis))
    }

    /// The exact time rounded down to f64.
    pub(super) fn floor(&self) -> f64 {
        self.entry.floor(&|axis| self.pair.project_exactly(axis))
    }

    /// The unit normal against the motion.
    pub(super) fn normal(&self) -> Vec3 {
        let direction = self.pair.cores.rounded_direction(self.entry.axis);
        unit(against(self.entry.along, direction))
    }

    /// The exact sign of `n · (a - b)`.
    pub(super) fn compare_along_normal(&self, a: DVec3, b: DVec3) -> Ordering {
        let order = self.pair.cores.compare_along(self.entry.axis, a, b);
        match self.entry.along {
            Along::Backward => order,
            _ => order.reverse(),
        }
    }

    /// A point that both share at the exact time.
    pub(crate) fn point(&self) -> Vec3 {
        let [low, high] = self.enclosure();
        let SlidingPair { cores, motion } = &self.pair;
        let exactly = || ExactShift {
            motion: *motion,
            time: self.pair.entry_time(self.entry.axis),
        };
        let shift = *motion * f64::midpoint(low, high);
        let direction = cores.rounded_direction(self.entry.axis);
        let normal = against(self.entry.along, direction);
        shared_point(cores, shift, &exactly, Some(normal))
    }
}

/// A core and one that moves.
#[derive(Debug, Clone, Copy)]
struct SlidingPair {
    cores: CorePair<'static>,
    motion: DVec3,
}

impl SlidingPair {
    fn first_contact(&self, latest: f64) -> Option<FirstContact<Axis>> {
        if !self.cores.do_swept_boxes_touch(self.motion) {
            return None;
        }
        let mut intersection = Intersection::<Axis, { Axis::MAX }>::by(latest);
        for axis in self.cores.distinct_axes() {
            let bounded = |number: Approx| Bounded {
                value: number.value,
                error: number.error,
            };
            let [near, far, speed] = self.numbers::<Approx>(axis).map(bounded);
            intersection.add(axis.rank(), axis, &Projection { near, far, speed })?;
        }
        intersection.decide(&|axis| self.project_exactly(axis))
    }

    /// The projection's near, far and speed, all doubled.
    fn numbers<N: Number>(&self, axis: Axis) -> [N; 3] {
        let direction = self.cores.direction(axis);
        let [near, far] = self.cores.near_and_far(&direction);
        let speed: N = dot(&direction, &vector(self.motion));
        [near, far, speed.plus(&speed)]
    }

    fn project_exactly(&self, axis: Axis) -> ExactProjection {
        let [near, far, speed] = self.numbers::<Expansion>(axis);
        ExactProjection { near, far, speed }
    }

    /// When an axis on which there is motion is entered: a numerator and a positive denominator.
    fn entry_time<N: Number>(&self, axis: Axis) -> [N; 2] {
        let [near, far, speed] = self.numbers::<N>(axis);
        let zero = N::from_f64(0.0);
        if speed.known_sign().is_some_and(Ordering::is_lt) {
            [zero.minus(&far), zero.minus(&speed)]
        } else {
            [near, speed]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow_phase::convex::closest::closest;
    use crate::narrow_phase::shape_cast::{AabbCast, ImpactStart};
    use crate::test_rng::Rng;
    use crate::{Aabb, Obb};
    use glam::DQuat;

    /// Pseudo-random numbers on a coarse grid, so that touches and ties are common.
    struct Numbers(Rng);

    impl Numbers {
        fn below(&mut self, end: u64) -> f32 {
            self.0.below(end) as f32
        }

        fn coordinate(&mut self) -> f32 {
            self.below(17) - 8.0
        }

        fn vector(&mut self) -> Vec3 {
            Vec3::new(self.coordinate(), self.coordinate(), self.coordinate())
        }

        fn aabb(&mut self) -> Aabb {
            let min = self.vector() / 2.0;
            let size = Vec3::new(self.below(4), self.below(4), self.below(4));
            Aabb::from_ordered(min, min + size)
        }
    }

    #[test]
    fn a_moving_aabb_is_answered_as_by_the_pair_test() {
        let mut numbers = Numbers(Rng(3));
        let (mut hits, mut overlaps) = (0, 0);
        for case in 0..4000 {
            let (start, motion) = (numbers.aabb(), numbers.vector());
            let cast = AabbCast::new(start, motion).unwrap();
            let (obstacle, expected) = if case % 2 == 0 {
                let corners = [numbers.vector(), numbers.vector(), numbers.vector()];
                let corners = corners.map(|corner| corner.as_dvec3() / 2.0);
                let hit = crate::narrow_phase::shape_cast::box_triangle(&cast, corners);
                (Core::Triangle(corners), hit)
            } else {
                let aabb = numbers.aabb();
                (Core::Box(BoxHull::from(&aabb)), aabb.cast_aabb(&cast))
            };
            if obstacle.is_degenerate_triangle() {
                continue;
            }
            let hull = BoxHull::from(&start);
            let found = first_box_contact(&obstacle, &hull, motion.as_dvec3(), 1.0);
            match (found, expected) {
                (None, None) => {}
                (Some(BoxEncounter::Overlap), Some(hit)) if hit.start == ImpactStart::Overlap => {
                    overlaps += 1;
                }
                (Some(BoxEncounter::Contact(contact)), Some(hit)) => {
                    hits += 1;
                    assert_eq!((contact.t(), contact.normal()), (hit.t, hit.normal));
                    let [low, high] = contact.enclosure();
                    let floor = contact.floor();
                    assert!(
                        low <= floor.next_up() && floor <= high,
                        "{low} {floor} {high}"
                    );
                    check_point(&contact);
                }
                (found, expected) => panic!("{found:?} {expected:?} {obstacle:?} {cast:?}"),
            }
        }
        assert!(hits > 200 && overlaps > 100, "{hits} {overlaps}");
    }

    /// The point is on both at the time of contact, but for rounding.
    fn check_point(contact: &BoxContact) {
        let SlidingPair { cores, motion } = contact.pair;
        let point = contact.point().as_dvec3();
        let shift = motion * contact.floor();
        let distance = |core: &Core, shift: DVec3| {
            let closest = closest(core, &Core::Point(point), -shift);
            (closest.on_obstacle - closest.on_shape).length()
        };
        let off = distance(&cores.obstacle, DVec3::ZERO).max(distance(&cores.shape, shift));
        assert!(off < 1e-6, "{off} {contact:?}");
    }

    #[test]
    fn an_obb_that_is_not_turned_is_answered_as_an_aabb() {
        let mut numbers = Numbers(Rng(5));
        for _ in 0..2000 {
            let (start, motion) = (numbers.aabb(), numbers.vector().as_dvec3());
            let half = (start.max() - start.min()) / 2.0;
            let obb = Obb::new(start.min() + half, half, DQuat::IDENTITY).unwrap();
            let corners = [numbers.vector(), numbers.vector(), numbers.vector()];
            let obstacle = Core::Triangle(corners.map(Vec3::as_dvec3));
            let answer = |hull: &BoxHull| {
                first_box_contact(&obstacle, hull, motion, 1.0).map(|meeting| match meeting {
                    BoxEncounter::Overlap => None,
                    BoxEncounter::Contact(contact) => Some((
                        contact.floor(),
                        contact.t(),
                        contact.normal(),
                        contact.point(),
                    )),
                })
            };
            assert_eq!(answer(&BoxHull::from(&obb)), answer(&BoxHull::from(&start)));
        }
    }

    #[test]
    fn exchanged_boxes_answer_the_same_with_the_normal_reversed() {
        let mut numbers = Numbers(Rng(7));
        let mut turned = || {
            let rotation = DQuat::from_xyzw(
                f64::from(numbers.coordinate()),
                f64::from(numbers.coordinate()),
                f64::from(numbers.coordinate()),
                0.5,
            );
            let half = Vec3::new(numbers.below(4), numbers.below(3), 1.0);
            let obb = Obb::new(numbers.vector(), half, rotation).unwrap();
            (BoxHull::from(&obb), numbers.vector().as_dvec3())
        };
        let mut hits = 0;
        for _ in 0..2000 {
            let ((first, motion), (second, _)) = (turned(), turned());
            let one = first_box_contact(&Core::Box(first), &second, motion, 1.0);
            let other = first_box_contact(&Core::Box(second), &first, -motion, 1.0);
            match (one, other) {
                (Some(BoxEncounter::Contact(a)), Some(BoxEncounter::Contact(b))) => {
                    hits += 1;
                    assert_eq!((a.floor(), a.t()), (b.floor(), b.t()));
                    assert!((a.normal() + b.normal()).length() < 1e-6);
                }
                (Some(BoxEncounter::Overlap), Some(BoxEncounter::Overlap)) | (None, None) => {}
                (one, other) => panic!("{one:?} {other:?}"),
            }
        }
        assert!(hits > 50, "{hits}");
    }
}
