//! The closest point of a convex hull, with or without a radius.
//!
//! A point beyond a face whose foot is in the face is nearest to that foot, otherwise to an edge or a corner; from
//! inside to the nearest face. All are chosen by exact comparisons.

use super::ClosestPoint;
use super::nearest::{Feature, Nearest};
use super::search::rounded_point;
use crate::ConvexHull;
use crate::exact::extremes::max_abs;
use crate::shape::polytope::{Polytope, nearest_on_edge};
use crate::shape::sphere::power_of_two_near;
use crate::shape::unit_vector::unit;
use glam::{DVec3, Vec3};

impl ConvexHull {
    pub(super) fn nearest_to(&self, point: Vec3, max_distance: f64) -> Option<ClosestPoint> {
        let (wide, radius, polytope) = (point.as_dvec3(), self.radius(), self.polytope());
        if !polytope.holds(wide) {
            let nearest = outside(polytope, wide);
            let is_inside = nearest.compare(radius, 0.0).is_lt();
            if !is_inside && nearest.compare(radius, max_distance).is_gt() {
                return None;
            }
            let direction = nearest.direction();
            return Some(closest_point(&nearest, radius, is_inside, direction));
        }
        let is_behind = |face: usize| polytope.side_of(face, wide).is_lt();
        let faces = 0..polytope.faces().len();
        if !polytope.is_flat() && faces.clone().all(is_behind) {
            let nearest = nearest_face(polytope, wide);
            let outward = nearest.normal::<f64>();
            return Some(closest_point(
                &nearest,
                -radius,
                true,
                DVec3::from_array(outward),
            ));
        }
        // On the boundary: on the lowest face there; of segments and points any way across.
        let there = faces.into_iter().find(|face| !is_behind(*face));
        let outward = there.map_or_else(|| across(polytope), |face| polytope.faces()[face].normal);
        let nearest = Nearest::of_point(wide, wide);
        Some(closest_point(&nearest, radius, radius > 0.0, outward))
    }
}

/// The answer, given a direction of any length away from the surface. A negative radius means that the point is
/// inside of the polytope, that much deeper.
fn closest_point(nearest: &Nearest, radius: f64, is_inside: bool, outward: DVec3) -> ClosestPoint {
    let scaled = outward / outward.abs().max_element();
    let way = scaled * (radius.abs() / scaled.length());
    let distance = nearest.rounded(radius);
    ClosestPoint {
        distance: if radius < 0.0 || is_inside && distance > 0.0 {
            0.0 - distance
        } else {
            distance
        },
        is_inside,
        point: rounded_point(nearest.nearest_point() + way),
        normal: unit(outward),
        object: None,
        user_data: 0,
        triangle: None,
        barycentrics: [0.0; 2],
    }
}

/// What of a polytope is nearest to a point outside of it.
fn outside(polytope: &Polytope, point: DVec3) -> Nearest {
    let faces = 0..polytope.faces().len();
    let mut below = faces.filter(|face| polytope.side_of(*face, point).is_gt());
    if let Some(face) = below.find(|face| polytope.is_over(*face, point)) {
        return of_face(polytope, point, face);
    }
    // Of the edges those that may be the nearest by what f64 says.
    let edges = polytope.edges().iter().map(|edge| polytope.edge_ends(edge));
    let square = |ends| (point - nearest_on_edge(ends, point)).length_squared();
    let least = edges.clone().map(square).fold(f64::INFINITY, f64::min);
    // A hundred times what rounding makes of places this large.
    let [min, max] = polytope.bounds();
    let size = max_abs(point) + max_abs(min).max(max_abs(max));
    let limit = (least.sqrt() + 1e-12 * size).powi(2);
    let near = edges.filter(|ends| square(*ends) <= limit);
    let nearer = |best: Nearest, next: Nearest| {
        if next.compare_distance(&best).is_lt() {
            next
        } else {
            best
        }
    };
    near.map(|ends| Nearest::of_segment(point, ends))
        .reduce(nearer)
        .unwrap_or_else(|| Nearest::of_point(point, polytope.corner(0)))
}

/// From strictly inside: of the nearest faces the lowest.
fn nearest_face(polytope: &Polytope, point: DVec3) -> Nearest {
    // Comparing multiplies ten coordinates: they are brought near 1, exactly.
    let [min, max] = polytope.bounds();
    let scale = 1.0 / power_of_two_near((max - min).max_element());
    let scaled = |face: usize| {
        let nearest = of_face(polytope, point, face);
        Nearest {
            point: nearest.point * scale,
            corners: nearest.corners.map(|corner| corner * scale),
            ..nearest
        }
    };
    let mut best = 0;
    for face in 1..polytope.faces().len() {
        if scaled(face).compare_distance(&scaled(best)).is_lt() {
            best = face;
        }
    }
    of_face(polytope, point, best)
}

fn of_face(polytope: &Polytope, point: DVec3, face: usize) -> Nearest {
    Nearest {
        point,
        corners: polytope.face_span(face),
        feature: Feature::Face,
    }
}

/// A direction across a segment; up for a point.
fn across(polytope: &Polytope) -> DVec3 {
    let Some(edge) = polytope.edges().first() else {
        return DVec3::Y;
    };
    let [from, to] = polytope.edge_ends(edge);
    (to - from).any_orthogonal_vector()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_rng::Rng;
    use glam::DAffine3;

    /// Far from the origin of its coordinates, and from the point, f64 alone does not tell which edge is nearest.
    #[test]
    fn no_edge_is_nearer_than_the_nearest() {
        let mut rng = Rng(5);
        for round in 0..400 {
            let far = [1e3, 1e6, 1e9][round % 3];
            let corner = |_| [0; 3].map(|_| rng.signed());
            let hull = ConvexHull::new((0..12).map(corner)).unwrap();
            let place = DVec3::from([0; 3].map(|_| rng.uniform(-far, far)));
            let hull = hull.placed(&DAffine3::from_translation(place)).unwrap();
            let polytope = hull.polytope();
            let point = Vec3::from([0; 3].map(|_| rng.signed())).as_dvec3();
            let found = outside(polytope, point);
            for edge in polytope.edges() {
                let other = Nearest::of_segment(point, polytope.edge_ends(edge));
                assert!(other.compare_distance(&found).is_ge(), "{round} {far}");
            }
        }
    }
}
