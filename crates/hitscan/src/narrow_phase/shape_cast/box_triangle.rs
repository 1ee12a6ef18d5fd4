//! A moving box against a triangle: thirteen separating axes in time, decided exactly.
//!
//! The axes are the triangle's normal, x, y, z and the cross products of the triangle's edges with
//! x, y and z. This file chooses among them and bounds their numbers in f64; the exact
//! numbers are in `box_triangle_exact.rs`, the intersection of the intervals in
//! `interval_intersection.rs`.

use super::box_triangle_exact::{Axis, compare_along, has_area, project_exactly, rounded_normal};
use super::{AabbCast, PairHit};
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::narrow_phase::convex::interval_intersection::{Entry, FirstContact, Intersection};
use crate::narrow_phase::convex::separating_axes::Axis as CoreAxis;
use crate::narrow_phase::convex::separating_axes::against;
use crate::narrow_phase::convex::time_interval::{Along, Bounded, Projection};
use crate::narrow_phase::convex::{BoxContact, Core};
use crate::shape::box_hull::BoxHull;
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// The largest coordinate of a corner: it keeps all products inside f64.
const MAX_CORNER: f64 = 1e30;

/// Below this magnitude a sum of products may have lost parts to underflow.
///
/// A component of an axis loses 2^-1074, 5e-324, which times an offset between corners of at most
/// [`MAX_CORNER`] is below 1e-292; sixteen units of roundoff of this are 2e-285.
const UNDERFLOW: f64 = 1e-270;

/// Of axes that are entered at the same time the one with the lowest rank is hit: the normal, then
/// x, y and z, then the products of the edges.
const NORMAL_RANK: u8 = 0;
const FACE_RANKS: [u8; 3] = [1, 2, 3];
const EDGE_RANKS: [[u8; 3]; 3] = [[4, 5, 6], [7, 8, 9], [10, 11, 12]];

/// How a moving box first hits a triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BoxTriangleMeeting {
    /// They overlap at t = 0.
    Overlap,
    /// They come into contact.
    Contact(BoxTriangleContact),
}

/// A contact of a moving box with a triangle at an exact time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoxTriangleContact {
    moving: AabbCast,
    corners: [DVec3; 3],
    entry: Entry<Axis>,
    /// Against the motion, of any length.
    direction: DVec3,
}

impl BoxTriangleContact {
    /// An enclosure of the exact time, in 0 to 1.
    pub(crate) fn enclosure(&self) -> [f64; 2] {
        self.entry.enclosure()
    }

    /// The exact time rounded down to f64.
    pub(crate) fn floor(&self) -> f64 {
        self.entry
            .floor(&|axis| project_exactly(&self.moving, self.corners, axis))
    }

    /// The exact time rounded once to f32.
    pub(crate) fn t(&self) -> f32 {
        self.entry
            .t(&|axis| project_exactly(&self.moving, self.corners, axis))
    }

    /// The unit normal from the triangle to the box, within 2^-22.
    pub(crate) fn normal(&self) -> Vec3 {
        PairHit::at(0.0, self.direction).normal
    }

    /// The same contact for any two cores: of the box and the triangle.
    pub(crate) fn of_cores(&self) -> BoxContact {
        let axis = match self.entry.axis {
            Axis::Normal => CoreAxis::Obstacle(0),
            Axis::Face(axis) => CoreAxis::Shape(axis),
            Axis::Edge { edge, with } => CoreAxis::Edges {
                obstacle: edge,
                shape: with,
            },
        };
        BoxContact::new(
            Core::Triangle(self.corners),
            Core::Box(BoxHull::from(&self.moving.start)),
            self.moving.motion.as_dvec3(),
            self.entry.on(axis),
        )
    }

    /// The exact sign of `n · (a - b)`, n being the exact normal.
    pub(crate) fn compare_along_normal(&self, a: DVec3, b: DVec3) -> Ordering {
        let order = compare_along(self.corners, self.entry.axis, a, b);
        match self.entry.along {
            Along::Backward => order,
            _ => order.reverse(),
        }
    }
}

/// A moving box against a triangle. Contacts after the time `latest`, from 0 to 1, may be omitted.
///
/// The triangle is a surface, hit from both sides. The rules are those of
/// [`Aabb::cast_shape`](crate::Aabb::cast_shape) with more axes: the triangle's normal, x, y, z,
/// then the cross products of its edges (from corner 0 to 1, 1 to 2, 2 to 0) with x, y, z; of
/// axes entered at the same time the first in this order gives the normal. A triangle without area is
/// never hit.
///
/// Every decision is exact. With a coordinate that is not finite or beyond ±1e30 the triangle is never
/// hit. Decisions are exact as long as coordinates have no bits below 2^-200 (those of f32 reach down to
/// 2^-149).
///
/// # Source
/// Akenine-Möller, "Fast 3D Triangle-Box Overlap Testing", Journal of Graphics Tools 6(1), 2001,
/// for the axes; in time as Eberly, "Dynamic Collision Detection using Oriented Bounding Boxes",
/// 1999.
pub(crate) fn meet_triangle(
    moving: &AabbCast,
    corners: [DVec3; 3],
    latest: f64,
) -> Option<BoxTriangleMeeting> {
    let is_usable = |corner: DVec3| corner.to_array().iter().all(|x| x.abs() <= MAX_CORNER);
    if !corners.into_iter().all(is_usable) {
        return None;
    }
    let offsets = Offsets::new(moving, corners);
    if !offsets.do_swept_boxes_touch() {
        return None;
    }
    let normal = Cross::normal(&offsets.edges);
    let intersection = intersection(&offsets, &normal, corners, latest)?;
    let first = intersection.decide(&|axis| project_exactly(moving, corners, axis))?;
    Some(match first {
        FirstContact::Overlap => BoxTriangleMeeting::Overlap,
        FirstContact::Hit(entry) => {
            let direction = match entry.axis {
                Axis::Normal if normal.is_accurate() => normal.value,
                Axis::Normal => rounded_normal(corners),
                Axis::Face(axis) => DVec3::AXES[axis],
                Axis::Edge { edge, with } => Cross::edge_with(offsets.edges[edge], with).value,
            };
            BoxTriangleMeeting::Contact(BoxTriangleContact {
                moving: *moving,
                corners,
                entry,
                direction: against(entry.along, direction),
            })
        }
    })
}

/// The first hit of a moving box with a triangle, for tests.
#[doc(hidden)]
#[must_use]
pub fn box_triangle(moving: &AabbCast, corners: [DVec3; 3]) -> Option<PairHit> {
    Some(match meet_triangle(moving, corners, 1.0)? {
        BoxTriangleMeeting::Overlap => PairHit::OVERLAP,
        BoxTriangleMeeting::Contact(contact) => PairHit::at(contact.t(), contact.direction),
    })
}

/// The intervals of all axes; `None` where box and triangle certainly do not hit.
fn intersection(
    offsets: &Offsets,
    normal: &Cross,
    corners: [DVec3; 3],
    latest: f64,
) -> Option<Intersection<Axis, 13>> {
    let mut intersection = Intersection::by(latest);
    if !normal.is_certainly_not_zero() && !has_area(corners) {
        return None;
    }
    // The normal parts more boxes from the triangle than any other axis.
    if !normal.is_along_a_face() {
        let projection = offsets.project(normal, [0, 1, 2]);
        intersection.add(NORMAL_RANK, Axis::Normal, &projection)?;
    }
    for (axis, face_rank) in FACE_RANKS.into_iter().enumerate() {
        // An axis along the normal is used in its place: the times are the same, the numbers
        // simpler.
        let rank = if normal.is_along(axis) {
            NORMAL_RANK
        } else {
            face_rank
        };
        intersection.add(rank, Axis::Face(axis), &offsets.project_on_face(axis))?;
    }
    for (edge, ranks) in EDGE_RANKS.into_iter().enumerate() {
        for (with, rank) in ranks.into_iter().enumerate() {
            let cross = Cross::edge_with(offsets.edges[edge], with);
            // A product that vanishes is no axis, and one along x, y, z or the normal is entered
            // and left with that axis, which ranks before it. All edges' products with `with` are
            // along the normal where that has no part along `with`.
            if normal.is_exactly_zero[with] || cross.is_along_a_face() {
                continue;
            }
            // The edge's two ends have the same coordinate on this axis.
            let opposite = (edge + 2) % 3;
            let projection = offsets.project(&cross, [edge, edge, opposite]);
            let axis = Axis::Edge { edge, with };
            intersection.add(rank, axis, &projection)?;
        }
    }
    Some(intersection)
}

/// The corners seen from the box, and the edges between them, rounded once each.
struct Offsets {
    /// Each corner minus the box's largest corner.
    from_max: [DVec3; 3],
    /// Each corner minus the box's smallest corner.
    from_min: [DVec3; 3],
    /// From each corner to the next.
    edges: [DVec3; 3],
    motion: DVec3,
}

impl Offsets {
    fn new(moving: &AabbCast, corners: [DVec3; 3]) -> Self {
        let (min, max) = (moving.start.min().as_dvec3(), moving.start.max().as_dvec3());
        let [a, b, c] = corners;
        Self {
            from_max: corners.map(|corner| corner - max),
            from_min: corners.map(|corner| corner - min),
            edges: [b - a, c - b, a - c],
            motion: moving.motion.as_dvec3(),
        }
    }

    /// Whether the box around the triangle and the box around the motion touch.
    ///
    /// It rejects most triangles at the lowest cost, and is exact: rounding a difference does not
    /// change how it compares with an f64.
    fn do_swept_boxes_touch(&self) -> bool {
        let [a, b, c] = self.from_max;
        let near = a.min(b).min(c);
        let [a, b, c] = self.from_min;
        let far = a.max(b).max(c);
        let (back, forth) = (self.motion.min(DVec3::ZERO), self.motion.max(DVec3::ZERO));
        near.cmple(forth).all() && far.cmpge(back).all()
    }

    fn project_on_face(&self, axis: usize) -> Projection {
        let component = |offset: DVec3| Bounded {
            value: offset[axis],
            error: UNIT_ROUNDOFF * offset[axis].abs(),
        };
        let [a, b, c] = self.from_max.map(component);
        let near = a.min(b).min(c);
        let [a, b, c] = self.from_min.map(component);
        let far = a.max(b).max(c);
        Projection {
            near,
            far,
            speed: Bounded::exactly(self.motion[axis]),
        }
    }

    /// Projects on a cross product. `corners` are those that can be the lowest or highest on it.
    fn project(&self, axis: &Cross, corners: [usize; 3]) -> Projection {
        // The box's largest corner on the axis is max where the axis's component is positive.
        let lowest = corners.map(|i| {
            let (max, min) = (self.from_max[i], self.from_min[i]);
            axis.dot(select(axis.value, max, min), max.abs().max(min.abs()))
        });
        let highest = corners.map(|i| {
            let (max, min) = (self.from_max[i], self.from_min[i]);
            axis.dot(select(axis.value, min, max), max.abs().max(min.abs()))
        });
        Projection {
            near: lowest[0].min(lowest[1]).min(lowest[2]),
            far: highest[0].max(highest[1]).max(highest[2]),
            speed: axis.dot(self.motion, self.motion.abs()),
        }
    }
}

/// By component: `positive` where `sign` is positive, else `negative`.
fn select(sign: DVec3, positive: DVec3, negative: DVec3) -> DVec3 {
    let pick = |i: usize| {
        if sign[i] > 0.0 {
            positive[i]
        } else {
            negative[i]
        }
    };
    DVec3::new(pick(0), pick(1), pick(2))
}

/// A cross product in f64 with a bound of its error.
struct Cross {
    value: DVec3,
    /// By component the sum of its products' magnitudes: each component is within
    /// `4.01 * UNIT_ROUNDOFF * magnitude` of the exact one, as two rounded edges are multiplied and
    /// two products subtracted.
    magnitude: DVec3,
    /// Which components are zero because each of their products has a factor that is exactly zero.
    is_exactly_zero: [bool; 3],
}

impl Cross {
    fn normal(edges: &[DVec3; 3]) -> Self {
        let [e, f, _] = *edges;
        let component = |a: usize, b: usize| {
            let (plus, minus) = (e[a] * f[b], e[b] * f[a]);
            let is_zero = (e[a] == 0.0 || f[b] == 0.0) && (e[b] == 0.0 || f[a] == 0.0);
            (plus - minus, plus.abs() + minus.abs(), is_zero)
        };
        let [x, y, z] = [component(1, 2), component(2, 0), component(0, 1)];
        Self {
            value: DVec3::new(x.0, y.0, z.0),
            magnitude: DVec3::new(x.1, y.1, z.1),
            is_exactly_zero: [x.2, y.2, z.2],
        }
    }

    /// The cross product of an edge with x, y or z, which has no products: it is as exact as the
    /// edge.
    fn edge_with(edge: DVec3, with: usize) -> Self {
        let value = edge.cross(DVec3::AXES[with]);
        Self {
            value,
            magnitude: value.abs(),
            is_exactly_zero: value.to_array().map(|x| x == 0.0),
        }
    }

    /// The product with `vector`, whose components are rounded once at most, and bounded by `extent`
    /// together with what it would be if the axis's component had the other sign.
    ///
    /// The bound: 4.01 units of the magnitude from the axis, one from the vector, one from each
    /// product and two from the sum make 8.1; sixteen leave room for rounding the bound itself.
    /// Where a component of the axis has the wrong sign, and so the wrong corner of the box was
    /// chosen, the exact value is no further away than the component's error times `extent`.
    fn dot(&self, vector: DVec3, extent: DVec3) -> Bounded {
        let products = self.value * vector;
        let magnitudes = self.magnitude * extent;
        let magnitude = magnitudes.x + magnitudes.y + magnitudes.z;
        let error = if magnitude > UNDERFLOW {
            16.0 * UNIT_ROUNDOFF * magnitude
        } else if (0..3).all(|i| self.is_exactly_zero[i] || extent[i] == 0.0) {
            0.0
        } else {
            UNDERFLOW
        };
        Bounded {
            value: products.x + products.y + products.z,
            error,
        }
    }

    fn is_certainly_not_zero(&self) -> bool {
        (0..3).any(|i| self.value[i].abs() > 8.0 * UNIT_ROUNDOFF * self.magnitude[i] + UNDERFLOW)
    }

    /// Whether rounding moves the direction by less than f32 can hold.
    fn is_accurate(&self) -> bool {
        let error = 8.0 * UNIT_ROUNDOFF * self.magnitude.max_element() + UNDERFLOW;
        error * f64::from(1 << 28) < self.value.abs().max_element()
    }

    /// Whether the product certainly is zero or parallel to x, y or z (0, 1, 2).
    fn is_along(&self, axis: usize) -> bool {
        (0..3).all(|other| other == axis || self.is_exactly_zero[other])
    }

    fn is_along_a_face(&self) -> bool {
        (0..3).any(|axis| self.is_along(axis))
    }
}
