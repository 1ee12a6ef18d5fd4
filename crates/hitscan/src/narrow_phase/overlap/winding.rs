//! The winding number of a closed surface around a point, counted exactly.
//!
//! The count takes triangles one by one, so that a caller with a tree passes only those that
//! matter. Whether a surface is closed is decided in `closed_surface.rs`.

use super::orientation::{bounds, edges, flattened, flattening, turn};
use crate::Aabb;
use crate::exact::adaptive::{Approx, Formula, Number, between, cross, dot, sign};
use core::cmp::Ordering;
use glam::DVec3;

/// Where a point is with respect to a closed surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// The surface winds around the point, in either sense.
    Inside,
    /// The point belongs to one of the triangles.
    OnSurface,
    /// Neither.
    Outside,
}

/// Counts how often a closed surface winds around a point.
///
/// Every triangle of the surface must be added once, in any order; those that do not
/// [matter](Self::matters) may be skipped. The point counts as inside where the winding number is
/// not zero: so surfaces may lie in one another and overlap, a shell turned inside out inside
/// another makes a hollow, and a whole surface turned inside out holds what it held before.
///
/// # Accuracy
/// Exact, see [the module](super#accuracy).
///
/// # Source
/// Crossings along +X are counted from a point perturbed by infinitesimals, ε along Y and ε²
/// along Z, after Edelsbrunner, Mücke, "Simulation of Simplicity", ACM Transactions on Graphics 9,
/// 1990: so a ray through an edge or corner counts right.
///
/// ```
/// use hitscan::glam::DVec3;
/// use hitscan::overlap::{Location, WindingNumber};
/// let [o, x, y, z] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let mut winding = WindingNumber::new(DVec3::splat(0.25));
/// for triangle in [[o, y, x], [o, z, y], [o, x, z], [x, y, z]] {
///     winding.add(&triangle);
/// }
/// assert_eq!(winding.location(), Location::Inside);
/// ```
#[derive(Debug, Clone)]
pub struct WindingNumber {
    point: ExactPoint,
    /// Bounds of the point, equal unless it is the weighted mean of several.
    low: DVec3,
    high: DVec3,
    crossings: i64,
    is_on_surface: bool,
}

impl WindingNumber {
    /// A count around `point`, metres, finite, with no triangle added yet.
    #[must_use]
    pub fn new(point: DVec3) -> Self {
        Self::around(ExactPoint {
            points: [point; 3],
            weights: [1.0, 0.0, 0.0],
        })
    }

    pub(super) fn around(point: ExactPoint) -> Self {
        let approx = [0, 1, 2].map(|axis| point.coordinate::<Approx>(axis));
        let bound = |side: f64| {
            DVec3::from_array(approx.map(|c| {
                let end = c.value + side * c.error;
                match (c.error == 0.0, side < 0.0) {
                    (true, _) => c.value,
                    (false, true) => end.next_down(),
                    (false, false) => end.next_up(),
                }
            }))
        };
        Self {
            low: bound(-1.0),
            high: bound(1.0),
            point,
            crossings: 0,
            is_on_surface: false,
        }
    }

    /// Whether triangles within `bounds` can change the count. For culling: the answer is the same
    /// whether those that cannot are added or not.
    #[must_use]
    pub fn matters(&self, bounds: &Aabb) -> bool {
        self.is_touched_by(bounds.min().as_dvec3(), bounds.max().as_dvec3())
    }

    /// Whether the ray along +X can hit anything within the bounds.
    fn is_touched_by(&self, min: DVec3, max: DVec3) -> bool {
        let (low, high) = (self.low, self.high);
        max.x >= low.x && max.y >= low.y && min.y <= high.y && max.z >= low.z && min.z <= high.z
    }

    /// Adds one triangle of the surface, corners counter-clockwise seen from outside.
    pub fn add(&mut self, triangle: &[DVec3; 3]) {
        let (min, max) = bounds(triangle);
        if !self.is_touched_by(min, max) {
            return;
        }
        let side = sign(&SideOfPoint(*triangle, self.point));
        if side.is_eq() {
            self.is_on_surface |= self.is_in_triangle(triangle);
            return;
        }
        // The plane is crossed ahead if the point is behind a face that looks ahead (+X), or
        // before one that looks back. A face edge-on to the ray is not crossed by the moved ray.
        let [a, b, c] = *triangle;
        let facing = turn(0, a, b, c);
        if facing != side.reverse() {
            return;
        }
        let is_crossed = edges(triangle)
            .iter()
            .all(|[p, q, _]| self.moved_turn([*p, *q]) == facing);
        if is_crossed {
            self.crossings += if facing.is_gt() { 1 } else { -1 };
        }
    }

    /// Where the point is, once all triangles of a closed surface have been added.
    #[must_use]
    pub fn location(&self) -> Location {
        if self.is_on_surface {
            Location::OnSurface
        } else if self.crossings != 0 {
            Location::Inside
        } else {
            Location::Outside
        }
    }

    /// Whether the point, known to be in the triangle's plane, is in the triangle.
    fn is_in_triangle(&self, triangle: &[DVec3; 3]) -> bool {
        flattening(triangle).is_some_and(|(dropped, own_turn)| {
            edges(triangle).iter().all(|[p, q, _]| {
                sign(&TurnToPoint(dropped, [*p, *q], self.point)) != own_turn.reverse()
            })
        })
    }

    /// The turn from an edge to the perturbed point, seen along X.
    fn moved_turn(&self, [p, q]: [DVec3; 2]) -> Ordering {
        // Moving by ε along y and ε² along z adds `ε² (q - p).y - ε (q - p).z` to the turn.
        sign(&TurnToPoint(0, [p, q], self.point))
            .then(compare(p.z, q.z))
            .then(compare(q.y, p.y))
    }
}

/// How two finite numbers compare; -0 equals 0.
fn compare(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// The weighted mean of three points, not rounded. The weights' sum is 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExactPoint {
    pub(super) points: [DVec3; 3],
    pub(super) weights: [f64; 3],
}

impl ExactPoint {
    fn coordinate<N: Number>(&self, axis: usize) -> N {
        let [x, y, z] = [0, 1, 2].map(|i| {
            let weight = N::from_f64(self.weights[i]);
            N::from_f64(self.points[i][axis]).times(&weight)
        });
        x.plus(&y).plus(&z)
    }

    fn minus<N: Number>(&self, origin: DVec3, axis: usize) -> N {
        self.coordinate::<N>(axis).minus(&N::from_f64(origin[axis]))
    }
}

/// On which side of the triangle's plane a point lies; greater than zero in front.
struct SideOfPoint([DVec3; 3], ExactPoint);

impl Formula for SideOfPoint {
    fn value<N: Number>(&self) -> N {
        let [a, b, c] = self.0;
        let normal: [N; 3] = cross(&between(a, b), &between(a, c));
        dot(&normal, &[0, 1, 2].map(|axis| self.1.minus(a, axis)))
    }
}

/// The turn from an edge to a point when an axis is dropped.
struct TurnToPoint(usize, [DVec3; 2], ExactPoint);

impl Formula for TurnToPoint {
    fn value<N: Number>(&self) -> N {
        let (i, j) = flattened(self.0);
        let [p, q] = self.1;
        let left = N::difference(q[i], p[i]).times(&self.2.minus(p, j));
        let right = N::difference(q[j], p[j]).times(&self.2.minus(p, i));
        left.minus(&right)
    }
}
