//! A triangle and a solid sphere.
//!
//! Distances are compared with the radius, never computed: a quotient's numerator is compared
//! with the squared radius times its denominator.

use super::orientation::{edges, flattening};
use super::{Overlap, OverlapKind};
use crate::Sphere;
use crate::exact::adaptive::{Formula, Number, between, cross, dot, sign};
use core::cmp::Ordering;
use glam::DVec3;

/// How a triangle overlaps the solid sphere, or `None` where they are apart or the triangle has no
/// area.
///
/// There is no segment.
///
/// # Shape and units
/// Corners in metres, finite, in the sphere's space.
///
/// # Accuracy
/// Exact, see [the module](super#accuracy): it touches exactly where the distance from the centre
/// equals the radius.
///
/// ```
/// use hitscan::{Sphere, glam::DVec3};
/// use hitscan::overlap::{OverlapKind, triangle_sphere};
/// let floor = [[-9.0, 0.0, -9.0], [0.0, 0.0, 9.0], [9.0, 0.0, -9.0]].map(DVec3::from);
/// let ball = Sphere::new([0.0, 2.0, 0.0], 2.0)?;
/// assert_eq!(triangle_sphere(&floor, &ball).unwrap().kind, OverlapKind::Touch);
/// let smaller = Sphere::new([0.0, 2.0, 0.0], 2.0f64.next_down())?;
/// assert_eq!(triangle_sphere(&floor, &smaller), None);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[must_use]
pub fn triangle_sphere(triangle: &[DVec3; 3], sphere: &Sphere) -> Option<Overlap> {
    flattening(triangle)?;
    let ball = Ball {
        center: sphere.center().as_dvec3(),
        radius: sphere.radius(),
    };
    let corners = triangle.map(|corner| ball.corner_beyond(corner));
    if corners.iter().all(|beyond| beyond.is_le()) {
        // A ball is strictly convex, so its interior holds all but corners of the triangle.
        return Some(Overlap::of_kind(OverlapKind::Contains));
    }
    let kind = match ball.nearest_beyond(triangle, &corners) {
        Ordering::Less => OverlapKind::Cross,
        Ordering::Equal => OverlapKind::Touch,
        Ordering::Greater => return None,
    };
    Some(Overlap::of_kind(kind))
}

/// How a point's distance from a triangle, which has an area, compares with a positive length.
pub(super) fn compare_point_triangle(triangle: &[DVec3; 3], point: DVec3, length: f64) -> Ordering {
    let ball = Ball {
        center: point,
        radius: length,
    };
    let corners = triangle.map(|corner| ball.corner_beyond(corner));
    ball.nearest_beyond(triangle, &corners)
}

#[derive(Clone, Copy)]
struct Ball {
    center: DVec3,
    radius: f64,
}

impl Ball {
    /// How the distance to the triangle's nearest point compares with the radius, `corners` being
    /// known.
    fn nearest_beyond(self, triangle: &[DVec3; 3], corners: &[Ordering; 3]) -> Ordering {
        let is_above_face = edges(triangle)
            .iter()
            .all(|edge| sign(&InwardOfEdge(*edge, self.center)).is_gt());
        if is_above_face {
            return sign(&PlaneBeyond(*triangle, self));
        }
        // Then an edge's inner point or a corner is nearest. An edge is tried only where its
        // nearest point is an inner one: the distance to its line says nothing elsewhere.
        let edges = edges(triangle).map(|[p, q, _]| {
            let is_beside = sign(&Along([p, q], self.center)).is_gt()
                && sign(&Along([q, p], self.center)).is_gt();
            if is_beside {
                sign(&LineBeyond([p, q], self))
            } else {
                Ordering::Greater
            }
        });
        edges
            .into_iter()
            .chain(*corners)
            .min()
            .unwrap_or(Ordering::Greater)
    }

    fn corner_beyond(self, corner: DVec3) -> Ordering {
        sign(&PointBeyond(corner, self))
    }

    fn squared_radius<N: Number>(self) -> N {
        N::from_f64(self.radius).times(&N::from_f64(self.radius))
    }
}

/// The squared distance from the centre to a point, less the squared radius.
struct PointBeyond(DVec3, Ball);

impl Formula for PointBeyond {
    fn value<N: Number>(&self) -> N {
        let offset: [N; 3] = between(self.0, self.1.center);
        dot(&offset, &offset).minus(&self.1.squared_radius())
    }
}

/// How far a point is along the edge from its first end, times the edge's length.
struct Along([DVec3; 2], DVec3);

impl Formula for Along {
    fn value<N: Number>(&self) -> N {
        let [p, q] = self.0;
        dot::<N>(&between(p, q), &between(p, self.1))
    }
}

/// The squared distance from the centre to a line, less the squared radius, both times the squared
/// length of the line's edge.
struct LineBeyond([DVec3; 2], Ball);

impl Formula for LineBeyond {
    fn value<N: Number>(&self) -> N {
        let ([p, q], ball) = (self.0, self.1);
        let edge: [N; 3] = between(p, q);
        let moment = cross(&edge, &between(p, ball.center));
        let limit = ball.squared_radius::<N>().times(&dot(&edge, &edge));
        dot(&moment, &moment).minus(&limit)
    }
}

/// On which side of an edge (its ends and the corner across) a point lies, seen along the normal:
/// greater than zero on the triangle's side.
struct InwardOfEdge([DVec3; 3], DVec3);

impl Formula for InwardOfEdge {
    fn value<N: Number>(&self) -> N {
        let [p, q, r] = self.0;
        let edge: [N; 3] = between(p, q);
        let normal = cross(&edge, &between(p, r));
        dot(&cross(&normal, &edge), &between(p, self.1))
    }
}

/// The squared distance from the centre to the triangle's plane, less the squared radius, both
/// times the normal's squared length.
struct PlaneBeyond([DVec3; 3], Ball);

impl Formula for PlaneBeyond {
    fn value<N: Number>(&self) -> N {
        let ([a, b, c], ball) = (self.0, self.1);
        let normal: [N; 3] = cross(&between(a, b), &between(a, c));
        let height = dot(&normal, &between(a, ball.center));
        let limit = ball.squared_radius::<N>().times(&dot(&normal, &normal));
        height.times(&height).minus(&limit)
    }
}
