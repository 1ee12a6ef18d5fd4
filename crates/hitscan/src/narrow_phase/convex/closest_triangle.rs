//! The closest points of a triangle and a point or a segment, in f64.
//!
//! Source: Ericson, "Real-Time Collision Detection", 2005, sections 5.1.5 and 5.1.10.

use super::closest_segments::{Closest, Feature, lines, point_segment};
use glam::DVec3;

/// A triangle with its normal, and the places of points above it.
pub(super) struct Plane {
    corners: [DVec3; 3],
    sides: [DVec3; 2],
    normal: DVec3,
    /// The normal's squared length.
    whole: f64,
}

impl Plane {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(corners: &[DVec3; 3]) -> Self {
        let [a, b, c] = *corners;
        let sides = [b - a, c - a];
        let normal = sides[0].cross(sides[1]);
        Self {
            corners: *corners,
            sides,
            normal,
            whole: normal.length_squared(),
        }
    }

    /// The weights of the corners in the point of the plane below `point`, each times `whole`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn weights(&self, point: DVec3) -> [f64; 3] {
        let [u, v] = self.sides;
        let from_a = point - self.corners[0];
        let of_b = from_a.cross(v).dot(self.normal);
        let of_c = u.cross(from_a).dot(self.normal);
        [self.whole - of_b - of_c, of_b, of_c]
    }

    /// The edge across from a corner.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn edge(&self, corner: usize) -> [DVec3; 2] {
        [
            self.corners[(corner + 1) % 3],
            self.corners[(corner + 2) % 3],
        ]
    }

    /// The normal, as long as twice the area.
    pub(super) fn normal(&self) -> DVec3 {
        self.normal
    }

    /// How far a point is above the plane, times the normal's length.
    pub(super) fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point - self.corners[0])
    }

    /// Whether a point of these weights is above or below the triangle.
    pub(super) fn is_above(&self, weights: &[f64; 3]) -> bool {
        weights.iter().all(|weight| *weight >= 0.0) && self.whole > 0.0
    }

    /// The closest points, where the point is above or below the triangle.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn below(&self, point: DVec3, weights: &[f64; 3]) -> Closest {
        let [u, v] = self.sides;
        let way = u * (weights[1] / self.whole) + v * (weights[2] / self.whole);
        Closest {
            on_obstacle: self.corners[0] + way,
            on_shape: point,
            feature: Feature::Face(self.normal),
        }
    }

    /// The closest points of the triangle and a point.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn closest(&self, point: DVec3, weights: &[f64; 3]) -> Closest {
        if self.is_above(weights) {
            return self.below(point, weights);
        }
        let (corner, _) = self.nearest_edge(point, weights);
        point_segment(point, self.edge(corner))
    }

    /// The square of their distance.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn squared(&self, point: DVec3, weights: &[f64; 3]) -> f64 {
        if self.is_above(weights) {
            return self.below(point, weights).squared();
        }
        self.nearest_edge(point, weights).1
    }

    /// The corner across from the edge that is nearest to a point which is not above the triangle, and
    /// the square of the distance.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn nearest_edge(&self, point: DVec3, weights: &[f64; 3]) -> (usize, f64) {
        let mut nearest = (0, f64::INFINITY);
        // Only edges that the point is beyond can be nearest; two where it is beyond a corner.
        for (corner, weight) in weights.iter().enumerate() {
            if *weight < 0.0 || self.whole == 0.0 {
                let squared = point_segment(point, self.edge(corner)).squared();
                if squared < nearest.1 {
                    nearest = (corner, squared);
                }
            }
        }
        nearest
    }
}

/// The closest points of a triangle (the obstacle) and a segment.
pub(super) fn segment_triangle(segment: [DVec3; 2], triangle: &[DVec3; 3]) -> Closest {
    let plane = Plane::new(triangle);
    let [p, q] = segment;
    let heights = segment.map(|end| plane.normal.dot(end - triangle[0]));
    let weights = segment.map(|end| plane.weights(end));
    if (heights[0] < 0.0) == (heights[1] < 0.0) {
        let lower = usize::from(heights[1].abs() < heights[0].abs());
        if plane.is_above(&weights[lower]) {
            return plane.below(segment[lower], &weights[lower]);
        }
    } else {
        let way = (heights[0] / (heights[0] - heights[1])).clamp(0.0, 1.0);
        let crossing = p + (q - p) * way;
        let weights =
            [0, 1, 2].map(|i: usize| weights[0][i] + (weights[1][i] - weights[0][i]) * way);
        if plane.is_above(&weights) {
            return plane.below(crossing, &weights);
        }
    }
    // Distances first: only the nearest points are computed.
    let ends = [plane.squared(p, &weights[0]), plane.squared(q, &weights[1])];
    let (mut nearest, mut min_squared) = if ends[1] < ends[0] {
        (Pieces::End(1), ends[1])
    } else {
        (Pieces::End(0), ends[0])
    };
    for corner in 0..3 {
        // An edge is nearest only to what is beyond it.
        if (weights[0][corner] < 0.0 || weights[1][corner] < 0.0)
            && let Some(found) = lines(plane.edge(corner), segment)
        {
            let squared = found.squared();
            if squared < min_squared {
                (nearest, min_squared) = (Pieces::Edge(corner), squared);
            }
        }
        let squared = point_segment(triangle[corner], segment).squared();
        if squared < min_squared {
            (nearest, min_squared) = (Pieces::Corner(corner), squared);
        }
    }
    let by_corner = |corner: usize| point_segment(triangle[corner], segment).swapped();
    match nearest {
        Pieces::End(end) => plane.closest(segment[end], &weights[end]),
        Pieces::Edge(corner) => {
            lines(plane.edge(corner), segment).unwrap_or_else(|| by_corner(corner))
        }
        Pieces::Corner(corner) => by_corner(corner),
    }
}

/// The closest points of two triangles that do not cross: a corner of one and the other, or an edge of each.
pub(super) fn triangles(first: &[DVec3; 3], second: &[DVec3; 3]) -> Closest {
    let planes = [Plane::new(first), Plane::new(second)];
    // Distances first: only the nearest points are computed.
    let (mut nearest, mut min_squared) = (TrianglePieces::Corner(0, 0), f64::INFINITY);
    for (of, plane) in planes.iter().enumerate() {
        for (corner, &point) in planes[1 - of].corners.iter().enumerate() {
            let squared = plane.squared(point, &plane.weights(point));
            if squared < min_squared {
                (nearest, min_squared) = (TrianglePieces::Corner(1 - of, corner), squared);
            }
        }
    }
    for of_first in 0..3 {
        let edge = planes[0].edge(of_first);
        for of_second in 0..3 {
            if let Some(found) = lines(edge, planes[1].edge(of_second)) {
                let squared = found.squared();
                if squared < min_squared {
                    (nearest, min_squared) = (TrianglePieces::Edges(found), squared);
                }
            }
        }
    }
    match nearest {
        TrianglePieces::Edges(found) => found,
        TrianglePieces::Corner(of, corner) => {
            let point = planes[of].corners[corner];
            let plane = &planes[1 - of];
            let found = plane.closest(point, &plane.weights(point));
            if of == 1 { found } else { found.swapped() }
        }
    }
}

/// Which pieces of two triangles are nearest.
#[derive(Clone, Copy)]
enum TrianglePieces {
    /// A corner of the triangle with this number, and whatever of the other is nearest to it.
    Corner(usize, usize),
    /// The insides of two edges.
    Edges(Closest),
}

/// Which pieces of a segment and a triangle are nearest.
#[derive(Clone, Copy)]
enum Pieces {
    /// An end, and whatever of the triangle is nearest to it.
    End(usize),
    /// The inside of the segment, and that of the edge across from a corner.
    Edge(usize),
    /// A corner, and whatever of the segment is nearest to it.
    Corner(usize),
}
