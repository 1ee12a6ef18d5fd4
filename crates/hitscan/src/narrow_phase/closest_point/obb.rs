//! The closest point of an oriented box: the exact parallelepiped that every query means.
//!
//! A point beyond a face whose foot is in the face is nearest to that foot. Otherwise the nearest
//! edge or corner is chosen by exact comparisons; from inside so is the nearest face.

use super::ClosestPoint;
use super::nearest::{Feature, Nearest};
use super::search::rounded_point;
use crate::exact::adaptive::{Formula, Number, sign};
use crate::shape::sphere::power_of_two_near;
use crate::shape::unit_vector::unit;
use crate::{Aabb, Obb};
use core::cmp::Ordering;
use glam::{DQuat, DVec3, Vec3};

impl Obb {
    pub(super) fn nearest_to(&self, point: Vec3, max_distance: f64) -> Option<ClosestPoint> {
        if let Some(aabb) = self.as_aabb() {
            return aabb.nearest_to(point, max_distance);
        }
        let wide = point.as_dvec3();
        let depths = [0, 1, 2].map(|axis| self.depth_sign(wide, axis));
        if depths.iter().all(|depth| depth.is_gt()) {
            let nearest = self.nearest_face(wide);
            return Some(closest_point(&nearest, true, unit(-nearest.direction())));
        }
        if depths.iter().all(|depth| depth.is_ge()) {
            // The point is on the boundary: on the face of the first axis without depth.
            let axis = depths.iter().position(|depth| depth.is_eq()).unwrap_or(0);
            let is_flat = self.half_edges()[axis] == DVec3::ZERO;
            let normal = self.normal(axis, is_flat || self.side(wide, axis).is_ge());
            return Some(closest_point(&Nearest::of_point(wide, wide), false, normal));
        }
        let nearest = self
            .face_below(wide, depths)
            .unwrap_or_else(|| self.nearest_edge(wide));
        if nearest.compare(0.0, max_distance).is_gt() {
            return None;
        }
        Some(closest_point(&nearest, false, unit(nearest.direction())))
    }

    /// The same box along the axes, where it is not turned and its corners are f32.
    fn as_aabb(&self) -> Option<Aabb> {
        if self.rotation() != DQuat::IDENTITY {
            return None;
        }
        let corners = self.corners();
        let (min, max) = (corners[0].as_vec3(), corners[7].as_vec3());
        let is_exact = min.as_dvec3() == corners[0] && max.as_dvec3() == corners[7];
        is_exact.then(|| Aabb::from_ordered(min, max))
    }

    /// The face, of those that the point is beyond, in which its foot is.
    fn face_below(&self, point: DVec3, depths: [Ordering; 3]) -> Option<Nearest> {
        let corners = self.corners();
        (0..3)
            .filter(|axis| depths[*axis].is_lt())
            .map(|axis| face(point, &corners, axis, self.side(point, axis).is_gt()))
            .find(Nearest::has_foot_in_parallelogram)
    }

    /// The nearest of the edges, or its end.
    fn nearest_edge(&self, point: DVec3) -> Nearest {
        let corners = self.corners();
        let mut best = Nearest::of_segment(point, [corners[0], corners[1]]);
        let edges = (0..3).flat_map(|axis| (0..8).map(move |corner| (axis, corner)));
        for (axis, corner) in edges.filter(|(axis, corner)| corner >> axis & 1 == 0) {
            let edge = [corners[corner], corners[corner | 1 << axis]];
            let other = Nearest::of_segment(point, edge);
            if !other.is_corner_of(&best) && other.compare_distance(&best).is_lt() {
                best = other;
            }
        }
        best
    }

    /// From strictly inside: of the nearest faces the first along x, y, z, the lower one first.
    fn nearest_face(&self, point: DVec3) -> Nearest {
        // Comparing multiplies ten coordinates: they are brought near 1, exactly.
        let size = self
            .half_edges()
            .iter()
            .fold(DVec3::ZERO, |all, edge| all.max(edge.abs()));
        let scale = 1.0 / power_of_two_near(size.max_element());
        let corners = self.corners();
        let scaled = corners.map(|corner| corner * scale);
        let (mut best, mut best_scaled) = (
            face(point, &corners, 0, false),
            face(point * scale, &scaled, 0, false),
        );
        for (axis, is_upper) in [(0, true), (1, false), (1, true), (2, false), (2, true)] {
            let other = face(point * scale, &scaled, axis, is_upper);
            if other.compare_distance(&best_scaled).is_lt() {
                best_scaled = other;
                best = face(point, &corners, axis, is_upper);
            }
        }
        best
    }
}

/// A face of the box with these corners, by its axis and side.
fn face(point: DVec3, corners: &[DVec3; 8], axis: usize, is_upper: bool) -> Nearest {
    let start = usize::from(is_upper) << axis;
    let (one, other) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
    Nearest {
        point,
        corners: [corners[start], corners[start | one], corners[start | other]],
        feature: Feature::Face,
    }
}

fn closest_point(nearest: &Nearest, is_inside: bool, normal: Vec3) -> ClosestPoint {
    let distance = nearest.rounded(0.0);
    ClosestPoint {
        distance: if is_inside { 0.0 - distance } else { distance },
        is_inside,
        point: rounded_point(nearest.nearest_point()),
        normal,
        object: None,
        user_data: 0,
        triangle: None,
        barycentrics: [0.0; 2],
    }
}

impl Nearest {
    /// Whether both are one corner.
    fn is_corner_of(&self, other: &Self) -> bool {
        match (self.feature, other.feature) {
            (Feature::Corner(k), Feature::Corner(l)) => self.corners[k] == other.corners[l],
            _ => false,
        }
    }

    /// Whether the foot of the point on the face's plane is in the parallelogram that the
    /// face's three corners span. A face without area has no plane.
    fn has_foot_in_parallelogram(&self) -> bool {
        let [a, b, c] = self.corners;
        b != a
            && c != a
            && [1, 2].into_iter().all(|corner| {
                let min_weight = FootWeight {
                    nearest: self,
                    corner,
                    is_upper: false,
                };
                let max_weight = FootWeight {
                    is_upper: true,
                    ..min_weight
                };
                sign(&min_weight).is_ge() && sign(&max_weight).is_le()
            })
    }
}

/// The weight of a corner at the foot, from 0 or from 1, times a positive number.
#[derive(Clone, Copy)]
struct FootWeight<'a> {
    nearest: &'a Nearest,
    corner: usize,
    is_upper: bool,
}

impl Formula for FootWeight<'_> {
    fn value<N: Number>(&self) -> N {
        let (weight, whole) = self.nearest.face_weight::<N>(self.corner);
        if self.is_upper {
            weight.minus(&whole)
        } else {
            weight
        }
    }
}
