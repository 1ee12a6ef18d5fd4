//! Distances of a segment from points, segments, triangles and solids, in f64.
//!
//! Source: Ericson, "Real-Time Collision Detection", Morgan Kaufmann 2005, chapter 5.1. Here the nearest of
//! all candidates is taken, ends too, so that nearly parallel segments do no harm.

use crate::narrow_phase::convex::CylinderCore;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::intersect;
use crate::{ConvexHull, Primitive};
use glam::DVec3;

/// A part of a ray, both ends finite.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub(super) ray: LocalRay,
}

/// The nearest points of a segment and something else.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    pub(super) distance: f64,
    pub(super) t: f64,
    pub(super) on_ray: DVec3,
    pub(super) on_other: DVec3,
}

/// The edges of a triangle.
pub(super) const EDGES: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

/// The triangles of a box, by its corners in the order of their bits.
pub(super) const BOX_TRIANGLES: [[usize; 3]; 12] = [
    [0, 1, 3],
    [0, 2, 3],
    [4, 5, 7],
    [4, 6, 7],
    [0, 1, 5],
    [0, 4, 5],
    [2, 3, 7],
    [2, 6, 7],
    [0, 2, 6],
    [0, 4, 6],
    [1, 3, 7],
    [1, 5, 7],
];

impl Segment {
    fn nearest(&self, t: f64, on_other: DVec3) -> Nearest {
        let on_ray = self.ray.at(t);
        Nearest {
            distance: length(on_other - on_ray),
            t,
            on_ray,
            on_other,
        }
    }

    /// To a point.
    pub(super) fn nearest_to_point(&self, point: DVec3) -> Nearest {
        let LocalRay {
            origin, direction, ..
        } = self.ray;
        let t = (point - origin).dot(direction) / direction.dot(direction);
        self.nearest(t.clamp(self.ray.t_min, self.ray.t_max), point)
    }

    /// From the point at t to a segment.
    fn nearest_at(&self, t: f64, [a, b]: [DVec3; 2]) -> Nearest {
        let along = b - a;
        let square = along.dot(along);
        let share = match square > 0.0 {
            true => ((self.ray.at(t) - a).dot(along) / square).clamp(0.0, 1.0),
            false => 0.0,
        };
        self.nearest(t, a + along * share)
    }

    /// To a segment.
    pub(super) fn nearest_to_segment(&self, [a, b]: [DVec3; 2]) -> Nearest {
        let (ray, along) = (&self.ray, b - a);
        // By cross products, which lose nothing where the two are nearly parallel: a quotient of
        // determinants would be off by the square of what this is.
        let across = ray.direction.cross(along);
        let t = (a - ray.origin).cross(along).dot(across) / across.dot(across);
        let inside = match t.is_finite() {
            true => t.clamp(ray.t_min, ray.t_max),
            false => ray.t_min,
        };
        [
            self.nearest_at(inside, [a, b]),
            self.nearest_at(ray.t_min, [a, b]),
            self.nearest_at(ray.t_max, [a, b]),
            self.nearest_to_point(a),
            self.nearest_to_point(b),
        ]
        .into_iter()
        .reduce(nearer)
        .unwrap_or_else(|| self.nearest_to_point(a))
    }

    /// To a triangle: 0 where it is hit, exactly.
    pub(super) fn nearest_to_triangle(&self, corners: &[DVec3; 3]) -> Nearest {
        if let Some(hit) = intersect(&self.ray, corners) {
            let at = self.ray.at(hit.t_wide);
            return self.nearest(hit.t_wide, at);
        }
        let edges = EDGES.map(|[from, to]| self.nearest_to_segment([corners[from], corners[to]]));
        let ends = [self.ray.t_min, self.ray.t_max].into_iter();
        let above = ends.filter_map(|t| Some(self.nearest(t, foot(self.ray.at(t), corners)?)));
        let first = edges[0];
        edges[1..].iter().copied().chain(above).fold(first, nearer)
    }

    /// To a solid: 0 where any of the segment is in it.
    pub(super) fn nearest_to_solid(&self, solid: &Primitive) -> Nearest {
        match solid {
            Primitive::Sphere(sphere) => {
                let center = sphere.wide_center();
                self.without_radius(self.nearest_to_point(center), sphere.radius())
            }
            Primitive::Capsule(capsule) => {
                let ends = capsule.segment();
                self.without_radius(self.nearest_to_segment(ends), capsule.radius())
            }
            Primitive::Aabb(aabb) => self.nearest_to_box(solid, &aabb.wide_corners()),
            Primitive::Obb(obb) => self.nearest_to_box(solid, &obb.corners()),
            Primitive::ConvexHull(hull) => self.nearest_to_hull(hull),
            Primitive::Cylinder(cylinder) => self.nearest_to_cylinder(&cylinder.into()),
        }
    }

    /// The distance from a convex set is a convex function of t: the least is found by cutting away thirds.
    fn nearest_to_cylinder(&self, cylinder: &CylinderCore) -> Nearest {
        const CUTS: usize = 120;
        let near = self.nearest_to_point((cylinder.ends[0] + cylinder.ends[1]) * 0.5);
        // As near as the middle nothing lies further on than by twice that and the size.
        let size = length(cylinder.ends[1] - cylinder.ends[0]) + cylinder.radius;
        let reach = 2.0 * (near.distance + size) / length(self.ray.direction);
        let mut low = (near.t - reach).max(self.ray.t_min);
        let mut high = (near.t + reach).min(self.ray.t_max);
        let gap = |t: f64| cylinder.nearest(self.ray.at(t)).gap;
        for _ in 0..CUTS {
            let third = (high - low) / 3.0;
            match gap(low + third) <= gap(high - third) {
                true => high -= third,
                false => low += third,
            }
        }
        let at = self.ray.at(low);
        let found = cylinder.nearest(at);
        self.nearest(low, if found.gap > 0.0 { found.point } else { at })
    }

    fn nearest_to_hull(&self, hull: &ConvexHull) -> Nearest {
        let (start, polytope) = (self.ray.at(self.ray.t_min), hull.polytope());
        if hull.holds(start) {
            return self.nearest(self.ray.t_min, start);
        }
        let faces = (0..polytope.faces().len()).flat_map(|face| polytope.fan(face));
        let to_faces = faces.map(|corners| self.nearest_to_triangle(&corners));
        let edges = polytope.edges().iter().map(|edge| polytope.edge_ends(edge));
        let to_edges = edges.map(|ends| self.nearest_to_segment(ends));
        let first = self.nearest_to_point(polytope.corner(0));
        self.without_radius(to_faces.chain(to_edges).fold(first, nearer), hull.radius())
    }

    fn nearest_to_box(&self, solid: &Primitive, corners: &[DVec3; 8]) -> Nearest {
        let start = self.ray.at(self.ray.t_min);
        if solid.holds(start) {
            return self.nearest(self.ray.t_min, start);
        }
        let triangles = BOX_TRIANGLES.map(|triangle| triangle.map(|corner| corners[corner]));
        let first = self.nearest_to_triangle(&triangles[0]);
        let others = triangles[1..].iter();
        others.fold(first, |best, one| {
            nearer(best, self.nearest_to_triangle(one))
        })
    }

    /// To what is around the other point at this distance.
    fn without_radius(&self, to_core: Nearest, radius: f64) -> Nearest {
        let distance = (to_core.distance - radius).max(0.0);
        let inward = to_core.on_other - to_core.on_ray;
        let on_other = match distance > 0.0 {
            true => to_core.on_ray + inward * (distance / to_core.distance),
            false => to_core.on_ray,
        };
        Nearest {
            distance,
            on_other,
            ..to_core
        }
    }
}

/// The nearer of two, of equals the first.
fn nearer(one: Nearest, other: Nearest) -> Nearest {
    if other.distance < one.distance {
        other
    } else {
        one
    }
}

/// The foot of a point on the triangle's plane, where that is in the triangle.
fn foot(point: DVec3, [a, b, c]: &[DVec3; 3]) -> Option<DVec3> {
    let normal = (b - a).cross(c - a);
    let square = normal.dot(normal);
    if square == 0.0 {
        return None;
    }
    let foot = point - normal * ((point - a).dot(normal) / square);
    let is_inside = |from: &DVec3, to: &DVec3| (to - from).cross(foot - from).dot(normal) >= 0.0;
    (is_inside(a, b) && is_inside(b, c) && is_inside(c, a)).then_some(foot)
}

/// The length of a vector, which may be long.
pub(super) fn length(v: DVec3) -> f64 {
    v.dot(v).sqrt()
}
