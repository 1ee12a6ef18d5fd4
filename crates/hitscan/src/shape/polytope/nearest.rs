//! The point of a polytope that is nearest to a point, in f64.

use super::Polytope;
use crate::shape::unit_vector::wide_unit;
use glam::DVec3;

/// How a point lies to a polytope, about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placement {
    /// The distance; of a point inside minus that to the nearest face.
    pub(crate) distance: f64,
    /// The unit direction away from the polytope; zero where there is none.
    pub(crate) outward: DVec3,
}

/// The point of an edge that is nearest to a point.
pub(crate) fn nearest_on_edge([from, to]: [DVec3; 2], point: DVec3) -> DVec3 {
    let edge = to - from;
    let squared = edge.length_squared();
    // The square of what is very short may vanish.
    if squared == 0.0 {
        return from;
    }
    from + edge * (edge.dot(point - from) / squared).clamp(0.0, 1.0)
}

impl Polytope {
    /// How a point lies to the polytope.
    pub(crate) fn placement(&self, point: DVec3) -> Placement {
        let mut shallowest: Option<Placement> = None;
        let mut is_outside = self.is_flat();
        for (place, face) in self.faces.iter().enumerate() {
            let outward = wide_unit(face.normal);
            let height = outward.dot(point - self.face_span(place)[0]);
            is_outside |= height > 0.0;
            let placed = Placement {
                distance: height,
                outward,
            };
            if height >= 0.0 && self.is_about_over(place, outward, point) {
                return placed;
            }
            if shallowest.is_none_or(|best| best.distance < height) {
                shallowest = Some(placed);
            }
        }
        match shallowest {
            Some(inside) if !is_outside => inside,
            _ => self.off_edges(point),
        }
    }

    fn is_about_over(&self, face: usize, outward: DVec3, point: DVec3) -> bool {
        self.ring_sides(face)
            .all(|[from, to]| outward.cross(to - from).dot(point - from) >= 0.0)
    }

    fn off_edges(&self, point: DVec3) -> Placement {
        let edges = self.edges.iter().map(|edge| self.edge_ends(edge));
        let nearest = edges.map(|ends| nearest_on_edge(ends, point));
        let nearer = |best: DVec3, next: DVec3| {
            if (point - next).length_squared() < (point - best).length_squared() {
                next
            } else {
                best
            }
        };
        let nearest = nearest.reduce(nearer).unwrap_or(self.corners[0]);
        let way = point - nearest;
        Placement {
            distance: way.length(),
            outward: way.normalize_or_zero(),
        }
    }
}
