//! When two cores without radius first meet: separating axes in time, decided exactly.
//!
//! The moving core is a box, the obstacle a box or a triangle. An axis-aligned box against a triangle
//! has a faster way, in `aabb_triangle.rs`; the intersection of the intervals is in
//! `separating_axes.rs`.
//!
//! Source: Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference
//! Detection", SIGGRAPH 1996, for the axes; in time as Eberly, "Dynamic Collision Detection using
//! Oriented Bounding Boxes", 1999.

use super::Core;
use super::aabb_triangle::normal_of_hit;
use super::aabb_triangle_exact::MovingAabb;
use super::axis::{Axis, CorePair, against};
use super::separating_axes::{ExactProjection, FirstContact, Intersection};
use super::time_interval::{Along, Bounded, Projection};
use crate::exact::adaptive::{Approx, Number, dot, vector};
use crate::exact::expansion::{Expansion, floor_quotient};
use crate::shape::box_hull::BoxHull;
use crate::shape::unit_vector::unit;
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// How a moving box first meets a box or a triangle.
#[derive(Debug, Clone)]
pub(super) enum BoxMeeting {
    /// They overlap openly on all axes at t = 0.
    Overlap,
    /// They come into contact.
    Contact(BoxContact),
}

/// A contact of two cores without radius: the axis that is entered last.
#[derive(Debug, Clone)]
pub(crate) struct BoxContact {
    pair: CorePair,
    motion: DVec3,
    axis: Axis,
    along: Along,
    t: f32,
    enclosure: [f64; 2],
}

/// The first contact of the box `shape` with `obstacle`, a box or a triangle with area; `None` where
/// there is no hit.
pub(super) fn first_box_contact(
    obstacle: &Core,
    shape: &BoxHull,
    motion: DVec3,
) -> Option<BoxMeeting> {
    let first = match obstacle {
        Core::Triangle(corners) if shape.is_axis_aligned() => {
            MovingAabb::new(shape, motion).first_contact_with_triangle(*corners)
        }
        _ => SlidingPair::new(obstacle, shape, motion).first_contact(),
    }?;
    Some(match first {
        FirstContact::Overlap => BoxMeeting::Overlap,
        FirstContact::Hit {
            t,
            enclosure,
            axis,
            along,
        } => BoxMeeting::Contact(BoxContact {
            pair: CorePair {
                obstacle: *obstacle,
                shape: Core::Box(*shape),
            },
            motion,
            axis,
            along,
            t,
            enclosure,
        }),
    })
}

impl BoxContact {
    /// An enclosure of the exact time.
    pub(super) fn enclosure(&self) -> [f64; 2] {
        self.enclosure
    }

    /// The exact time rounded once.
    pub(super) fn t(&self) -> f32 {
        self.t
    }

    /// The exact time rounded down to f64.
    pub(super) fn floor(&self) -> f64 {
        let [low, high] = self.enclosure;
        if low == high {
            return low;
        }
        let exact = SlidingPair {
            pair: self.pair,
            motion: self.motion,
        }
        .project_exactly(self.axis);
        let (way, speed) = exact.entry();
        floor_quotient(&way, &speed).max(0.0)
    }

    /// The unit normal against the motion.
    pub(super) fn normal(&self) -> Vec3 {
        let direction = match (&self.pair.obstacle, &self.pair.shape) {
            (Core::Triangle(corners), Core::Box(hull)) if hull.is_axis_aligned() => {
                normal_of_hit(self.axis, self.along, *corners)
            }
            _ => against(self.along, self.pair.rounded_direction(self.axis)),
        };
        unit(direction)
    }

    /// A point that both share at the exact time.
    pub(super) fn point(&self) -> Vec3 {
        Vec3::ZERO
    }

    /// The exact sign of `n · (a - b)`.
    pub(super) fn compare_along_normal(&self, a: DVec3, b: DVec3) -> Ordering {
        let order = self.pair.compare_along(self.axis, a, b);
        match self.along {
            Along::Backward => order,
            _ => order.reverse(),
        }
    }
}

/// A core and one that moves.
struct SlidingPair {
    pair: CorePair,
    motion: DVec3,
}

impl SlidingPair {
    fn new(obstacle: &Core, shape: &BoxHull, motion: DVec3) -> Self {
        Self {
            pair: CorePair {
                obstacle: *obstacle,
                shape: Core::Box(*shape),
            },
            motion,
        }
    }

    fn first_contact(&self) -> Option<FirstContact<Axis>> {
        if !self.are_within_reach() {
            return None;
        }
        let mut intersection = Intersection::<Axis, { Axis::MAX }>::new();
        // The faces along x, y and z, by the axis that is entered with them.
        let mut is_face = [false; 3];
        for axis in self.pair.axes() {
            let parallel = (0..3).find(|&face| self.pair.is_along(axis, face));
            if let Some(face) = parallel {
                // A product that vanishes is no axis, and of parallel axes the first counts.
                if is_face[face] || self.pair.vanishes(axis) {
                    continue;
                }
                is_face[face] = true;
            }
            let bounded = |number: Approx| Bounded {
                value: number.value,
                error: number.error,
            };
            let [near, far, speed] = self.numbers::<Approx>(axis).map(bounded);
            intersection.add(axis.rank(), axis, &Projection { near, far, speed })?;
        }
        intersection.decide(&|axis| self.project_exactly(axis))
    }

    /// Whether the box around the obstacle and the box around the motion touch.
    ///
    /// It rejects most pairs at the lowest cost, and is exact: rounding a difference does not change
    /// how it compares with an f64.
    fn are_within_reach(&self) -> bool {
        let ([min, max], [shape_min, shape_max]) =
            (bounds(&self.pair.obstacle), bounds(&self.pair.shape));
        let (back, forth) = (self.motion.min(DVec3::ZERO), self.motion.max(DVec3::ZERO));
        (min - shape_max).cmple(forth).all() && (max - shape_min).cmpge(back).all()
    }

    /// The projection's near, far and speed, all doubled.
    fn numbers<N: Number>(&self, axis: Axis) -> [N; 3] {
        let direction = self.pair.direction(axis);
        let [near, far] = self.pair.reaches(&direction);
        let speed: N = dot(&direction, &vector(self.motion));
        [near, far, speed.plus(&speed)]
    }

    fn project_exactly(&self, axis: Axis) -> ExactProjection {
        let [near, far, speed] = self.numbers::<Expansion>(axis);
        ExactProjection { near, far, speed }
    }
}

/// The least and the greatest corner of the box around a core.
fn bounds(core: &Core) -> [DVec3; 2] {
    let corners = core.corners();
    let fold = |of: fn(DVec3, DVec3) -> DVec3| corners.iter().copied().reduce(of);
    let (min, max) = (fold(DVec3::min), fold(DVec3::max));
    [min.unwrap_or_default(), max.unwrap_or_default()]
}
