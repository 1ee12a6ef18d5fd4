//! The closest points of two cores in f64: a guess that certificates check.
//!
//! Points are made of corners by shares from 0 to 1, so that each belongs to its core but for rounding.
//! Nothing is decided here.
//!
//! Source: Ericson, "Real-Time Collision Detection", 2005, sections 5.1.5 and 5.1.9, for triangles and
//! segments.

use super::core::Core;
use crate::shape::box_hull::BoxHull;
use glam::DVec3;

/// Closest points of two cores.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Closest {
    pub(crate) on_obstacle: DVec3,
    pub(crate) on_shape: DVec3,
    pub(crate) feature: Feature,
}

/// Which piece of the cores' difference is nearest.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Feature {
    Corner,
    /// An edge with this direction.
    Edge(DVec3),
    /// A face with this normal, of any length and sign.
    Face(DVec3),
}

impl Closest {
    fn swapped(self) -> Self {
        Self {
            on_obstacle: self.on_shape,
            on_shape: self.on_obstacle,
            feature: self.feature,
        }
    }

    fn squared(&self) -> f64 {
        (self.on_shape - self.on_obstacle).length_squared()
    }

    fn or_nearer_than(self, other: Option<Self>) -> Self {
        other.map_or(self, |other| other.or_nearer(self))
    }

    fn or_nearer(self, other: Self) -> Self {
        if other.squared() < self.squared() {
            other
        } else {
            self
        }
    }

    /// The vector from the obstacle to the shape, as accurate as the feature allows.
    pub(super) fn offset(&self) -> DVec3 {
        let offset = self.on_shape - self.on_obstacle;
        match self.feature {
            Feature::Face(normal) => {
                let along = normal.dot(offset);
                normal * (along / normal.length_squared())
            }
            Feature::Corner | Feature::Edge(_) => offset,
        }
    }
}

/// The closest points of two cores, the second one shifted; of two boxes or triangles that meet, any.
#[inline]
pub(crate) fn closest(obstacle: &Core, shape: &Core, shift: DVec3) -> Closest {
    match (obstacle, shape) {
        (Core::Triangle(triangle), Core::Point(point)) => {
            let (plane, point) = (Plane::new(triangle), *point + shift);
            plane.closest(point, &plane.shares(point))
        }
        (Core::Triangle(triangle), Core::Segment(ends)) => {
            segment_triangle(ends.map(|end| end + shift), triangle)
        }
        (Core::Point(a), Core::Point(b)) => Closest {
            on_obstacle: *a,
            on_shape: *b + shift,
            feature: Feature::Corner,
        },
        (Core::Segment(segment), Core::Point(point)) => point_segment(*point + shift, *segment),
        (Core::Segment(first), Core::Segment(second)) => {
            segments(*first, second.map(|end| end + shift))
        }
        (Core::Box(hull), Core::Point(point)) => point_box(*point + shift, hull),
        (Core::Box(hull), Core::Segment(ends)) => segment_box(ends.map(|end| end + shift), hull),
        (Core::Point(_) | Core::Segment(_), _) => {
            closest(shape, obstacle, -shift).swapped().shifted(shift)
        }
        (Core::Box(_) | Core::Triangle(_), Core::Box(_) | Core::Triangle(_)) => {
            by_features(obstacle, shape, shift)
        }
    }
}

impl Closest {
    fn shifted(self, shift: DVec3) -> Self {
        Self {
            on_obstacle: self.on_obstacle + shift,
            on_shape: self.on_shape + shift,
            feature: self.feature,
        }
    }
}

/// The closest points of a segment (the obstacle) and a point.
#[inline(always)]
fn point_segment(point: DVec3, [p, q]: [DVec3; 2]) -> Closest {
    let edge = q - p;
    let along = edge.dot(point - p);
    let squared = edge.length_squared();
    let (on_obstacle, feature) = if along <= 0.0 {
        (p, Feature::Corner)
    } else if along >= squared {
        (q, Feature::Corner)
    } else {
        (p + edge * (along / squared), Feature::Edge(edge))
    };
    Closest {
        on_obstacle,
        on_shape: point,
        feature,
    }
}

/// A triangle with its normal, and the places of points above it.
struct Plane {
    corners: [DVec3; 3],
    sides: [DVec3; 2],
    normal: DVec3,
    /// The normal's squared length.
    whole: f64,
}

impl Plane {
    #[inline(always)]
    fn new(corners: &[DVec3; 3]) -> Self {
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

    /// The shares of the corners in the point of the plane below `point`, each times `whole`.
    #[inline(always)]
    fn shares(&self, point: DVec3) -> [f64; 3] {
        let [u, v] = self.sides;
        let from_a = point - self.corners[0];
        let of_b = from_a.cross(v).dot(self.normal);
        let of_c = u.cross(from_a).dot(self.normal);
        [self.whole - of_b - of_c, of_b, of_c]
    }

    /// The edge across from a corner.
    #[inline(always)]
    fn edge(&self, corner: usize) -> [DVec3; 2] {
        [
            self.corners[(corner + 1) % 3],
            self.corners[(corner + 2) % 3],
        ]
    }

    fn is_above(&self, shares: &[f64; 3]) -> bool {
        shares.iter().all(|share| *share >= 0.0) && self.whole > 0.0
    }

    /// The closest points, where the point is above or below the triangle.
    #[inline(always)]
    fn below(&self, point: DVec3, shares: &[f64; 3]) -> Closest {
        let [u, v] = self.sides;
        let way = u * (shares[1] / self.whole) + v * (shares[2] / self.whole);
        Closest {
            on_obstacle: self.corners[0] + way,
            on_shape: point,
            feature: Feature::Face(self.normal),
        }
    }

    /// The closest points of the triangle and a point.
    #[inline(always)]
    fn closest(&self, point: DVec3, shares: &[f64; 3]) -> Closest {
        if self.is_above(shares) {
            return self.below(point, shares);
        }
        // Only edges that the point is beyond can be nearest; two where it is beyond a corner.
        let mut nearest = None;
        for (corner, share) in shares.iter().enumerate() {
            if *share < 0.0 || self.whole == 0.0 {
                let found = point_segment(point, self.edge(corner));
                nearest = Some(found.or_nearer_than(nearest));
            }
        }
        nearest.unwrap_or_else(|| point_segment(point, self.edge(0)))
    }
}

/// The closest points of two segments.
fn segments(obstacle: [DVec3; 2], shape: [DVec3; 2]) -> Closest {
    if let Some(found) = lines(obstacle, shape) {
        return found;
    }
    let ([p, q], [r, s]) = (obstacle, shape);
    let by_shape = point_segment(r, obstacle).or_nearer(point_segment(s, obstacle));
    let by_obstacle = point_segment(p, shape).or_nearer(point_segment(q, shape));
    by_shape.or_nearer(by_obstacle.swapped())
}

/// The closest points of two segments' lines, where both are inner ones.
#[inline(always)]
fn lines([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> Option<Closest> {
    let (u, v, w) = (q - p, s - r, r - p);
    let normal = u.cross(v);
    let squared = normal.length_squared();
    let of_u = w.cross(v).dot(normal);
    let of_v = w.cross(u).dot(normal);
    let are_inner =
        squared > 0.0 && of_u >= 0.0 && of_u <= squared && of_v >= 0.0 && of_v <= squared;
    are_inner.then(|| Closest {
        on_obstacle: p + u * (of_u / squared),
        on_shape: r + v * (of_v / squared),
        feature: Feature::Face(normal),
    })
}

/// The closest points of a triangle (the obstacle) and a segment.
fn segment_triangle(segment: [DVec3; 2], triangle: &[DVec3; 3]) -> Closest {
    let plane = Plane::new(triangle);
    let [p, q] = segment;
    let heights = segment.map(|end| plane.normal.dot(end - triangle[0]));
    let shares = segment.map(|end| plane.shares(end));
    if (heights[0] < 0.0) == (heights[1] < 0.0) {
        let lower = usize::from(heights[1].abs() < heights[0].abs());
        if plane.is_above(&shares[lower]) {
            return plane.below(segment[lower], &shares[lower]);
        }
    } else {
        let way = (heights[0] / (heights[0] - heights[1])).clamp(0.0, 1.0);
        let crossing = p + (q - p) * way;
        let shares = [0, 1, 2].map(|i: usize| shares[0][i] + (shares[1][i] - shares[0][i]) * way);
        if plane.is_above(&shares) {
            return plane.below(crossing, &shares);
        }
    }
    let mut nearest = plane.closest(p, &shares[0]);
    nearest = nearest.or_nearer(plane.closest(q, &shares[1]));
    for corner in 0..3 {
        // An edge is nearest only to what is beyond it.
        if (shares[0][corner] < 0.0 || shares[1][corner] < 0.0)
            && let Some(found) = lines(plane.edge(corner), segment)
        {
            nearest = nearest.or_nearer(found);
        }
        let found = point_segment(triangle[corner], segment).swapped();
        nearest = nearest.or_nearer(found);
    }
    nearest
}

/// The closest points of a box (the obstacle) and a point.
fn point_box(point: DVec3, hull: &BoxHull) -> Closest {
    let corner = hull.corners[0];
    let edges = [1, 2, 4].map(|k: usize| hull.corners[k] - corner);
    // In the box' own axes, as if they were at right angles; what is beyond is on a face.
    let mut shares = [0.0; 3];
    let mut is_beyond = [true; 3];
    let from_corner = point - corner;
    for i in 0..3 {
        let share = edges[i].dot(from_corner) / edges[i].length_squared();
        if share > 0.0 && share < 1.0 {
            is_beyond[i] = false;
            shares[i] = share;
        } else if share >= 1.0 {
            shares[i] = 1.0;
        }
    }
    let beyond = is_beyond.iter().filter(|beyond| **beyond).count();
    // The corner from which the nearest edge or face goes.
    let start = (0..3).filter(|i| is_beyond[*i] && shares[*i] == 1.0);
    let start = hull.corners[start.map(|i| 1 << i).sum::<usize>()];
    match beyond {
        0 => Closest {
            on_obstacle: point,
            on_shape: point,
            feature: Feature::Corner,
        },
        1 => {
            let i = is_beyond.iter().position(|beyond| *beyond).unwrap_or(0);
            let [u, v] = [edges[(i + 1) % 3], edges[(i + 2) % 3]];
            let normal = u.cross(v);
            let squared = normal.length_squared();
            let from_start = point - start;
            let of_u = from_start.cross(v).dot(normal) / squared;
            let of_v = u.cross(from_start).dot(normal) / squared;
            Closest {
                on_obstacle: start + u * of_u.clamp(0.0, 1.0) + v * of_v.clamp(0.0, 1.0),
                on_shape: point,
                feature: Feature::Face(normal),
            }
        }
        2 => {
            let i = is_beyond.iter().position(|beyond| !*beyond).unwrap_or(0);
            point_segment(point, [start, start + edges[i]])
        }
        _ => Closest {
            on_obstacle: start,
            on_shape: point,
            feature: Feature::Corner,
        },
    }
}

/// The closest points of a box (the obstacle) and a segment.
fn segment_box(segment: [DVec3; 2], hull: &BoxHull) -> Closest {
    let [p, q] = segment;
    let edge = q - p;
    // Clipped by the slabs of the box' own axes; what is left is inside.
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for i in 0..3 {
        let [j, k] = [(i + 1) % 3, (i + 2) % 3];
        let normal = hull.directions[j].cross(hull.directions[k]);
        let (speed, depth) = (
            normal.dot(edge),
            normal.dot(hull.corners[1 << i] - hull.corners[0]),
        );
        let (low, high) = if depth >= 0.0 {
            (0.0, depth)
        } else {
            (depth, 0.0)
        };
        let start = normal.dot(p - hull.corners[0]);
        if speed == 0.0 {
            if start < low || start > high {
                leave = -1.0;
            }
            continue;
        }
        let (first, second) = ((low - start) / speed, (high - start) / speed);
        enter = enter.max(first.min(second));
        leave = leave.min(first.max(second));
    }
    if enter <= leave {
        let inside = p + edge * f64::midpoint(enter, leave);
        return Closest {
            on_obstacle: inside,
            on_shape: inside,
            feature: Feature::Corner,
        };
    }
    let nearest = point_box(p, hull).or_nearer(point_box(q, hull));
    if let Feature::Face(normal) = nearest.feature {
        // The nearer end is beside a face, and the segment does not come nearer to its plane.
        let offset = nearest.on_shape - nearest.on_obstacle;
        let other = if nearest.on_shape == p { q } else { p };
        if normal.dot(offset) * normal.dot(other - nearest.on_shape) >= 0.0 {
            return nearest;
        }
    }
    box_edges(hull).fold(nearest, |nearest, edge| {
        nearest.or_nearer(segments(edge, segment))
    })
}

fn box_edges(hull: &BoxHull) -> impl Iterator<Item = [DVec3; 2]> + '_ {
    (0..3).flat_map(move |axis| {
        let lower = (0..8).filter(move |corner| corner >> axis & 1 == 0);
        lower.map(move |corner| [hull.corners[corner], hull.corners[corner | 1 << axis]])
    })
}

/// The closest points by all corners and edges of both, where an edge or a face of either is nearest
/// to the other's, or a corner.
fn by_features(obstacle: &Core, shape: &Core, shift: DVec3) -> Closest {
    let first = obstacle.corners()[0];
    let mut nearest = Closest {
        on_obstacle: first,
        on_shape: shape.corners()[0] + shift,
        feature: Feature::Corner,
    };
    for corner in shape.corners() {
        let found = closest(obstacle, &Core::Point(*corner), shift);
        nearest = nearest.or_nearer(found);
    }
    for corner in obstacle.corners() {
        let found = closest(shape, &Core::Point(*corner), -shift);
        nearest = nearest.or_nearer(found.swapped().shifted(shift));
    }
    let others = shape.edges();
    for edge in obstacle.edges() {
        for other in &others {
            let found = segments(edge, other.map(|end| end + shift));
            nearest = nearest.or_nearer(found);
        }
    }
    nearest
}
