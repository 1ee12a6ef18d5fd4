//! The numbers by which the ray-triangle predicate decides, and whether it had to compute them exactly;
//! for explanations.

use super::filter::{edge_functions, is_rounded_alike_in_range, plane_parameter, sure_signs};
use super::hit::{sum, weights};
use super::lanes::Vectors;
use super::{exact, normal};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::simd::dispatch_baseline;
use glam::DVec3;

/// How a line lies to a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Diagnosis {
    pub(crate) passing: Passing,
    /// When the line is in the triangle's plane, finite; `None` where it is parallel to it.
    pub(crate) t: Option<f64>,
    /// Whether rounding left open on which side of an edge the line passes, or the t of a hit, so
    /// that exact arithmetic decides.
    pub(crate) is_exact: bool,
}

/// Where a line passes a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Passing {
    /// Through the closed triangle.
    Through,
    /// Outside of the edge opposite this corner; of several such edges that of the smallest weight.
    Outside { corner: usize, weight: f64 },
    /// In its plane, or parallel to it.
    InPlane,
    /// The triangle has no area.
    WithoutArea,
}

/// How the line of `ray` lies to the triangle.
pub(crate) fn diagnose(ray: &LocalRay, corners: &[DVec3; 3]) -> Diagnosis {
    let (mut edges, bounds) = dispatch_baseline!(simd => edge_functions(simd, ray, corners));
    let [is_above, is_below] = sure_signs(&edges, &bounds);
    let is_sure_miss = is_above.any() && is_below.any();
    let are_edges_exact = !is_sure_miss && !is_above.all() && !is_below.all();
    if are_edges_exact {
        for k in 0..3 {
            if edges[k].abs() <= bounds[k] {
                edges[k] = exact::edge_function(ray, corners[(k + 1) % 3], corners[(k + 2) % 3]);
            }
        }
    }
    let normal = normal(corners);
    let (t, is_t_exact) = t_at_plane(ray, corners, normal);
    let passing = if normal == DVec3::ZERO {
        Passing::WithoutArea
    } else if t.is_none() || sum(&edges) == 0.0 {
        Passing::InPlane
    } else if edges.iter().any(|edge| *edge > 0.0) && edges.iter().any(|edge| *edge < 0.0) {
        outside(&edges)
    } else {
        Passing::Through
    };
    Diagnosis {
        passing,
        t,
        is_exact: are_edges_exact || passing == Passing::Through && is_t_exact,
    }
}

fn outside(edges: &[f64; 3]) -> Passing {
    let [second, third] = weights(edges);
    let all = [edges[0] / sum(edges), second, third];
    let min = all.iter().copied().enumerate();
    let min = min.min_by(|(_, one), (_, other)| one.total_cmp(other));
    let (corner, weight) = min.unwrap_or((0, 0.0));
    Passing::Outside { corner, weight }
}

/// When the line is in the plane, and whether the predicate computes that exactly.
fn t_at_plane(ray: &LocalRay, corners: &[DVec3; 3], normal: DVec3) -> (Option<f64>, bool) {
    let max_abs = |v: DVec3| Vectors::from(v).max_abs();
    let (p, q) = (corners[1] - corners[0], corners[2] - corners[0]);
    let to_corner = corners[0] - ray.origin;
    let plane = plane_parameter(
        Vectors::from(ray.direction),
        (Vectors::from(p.cross(q)), [max_abs(p), max_abs(q)]),
        (Vectors::from(to_corner), max_abs(to_corner)),
    );
    let (t, error) = (plane.t, plane.error);
    let is_out = t + error < ray.t_min || t - error > ray.t_max;
    if plane.is_bounded && (is_out || is_rounded_alike_in_range(ray, t, error)) {
        return (Some(t), false);
    }
    let t = normal.dot(to_corner) / normal.dot(ray.direction);
    (Some(t).filter(|t| t.is_finite()), true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ray;

    const CORNERS: [DVec3; 3] = [
        DVec3::new(0.0, 0.0, 0.0),
        DVec3::new(4.0, 0.0, 0.0),
        DVec3::new(0.0, 4.0, 0.0),
    ];

    fn diagnosis(origin: [f32; 3], direction: [f32; 3]) -> Diagnosis {
        let ray = Ray::new(origin, direction).unwrap();
        diagnose(&LocalRay::from(&ray), &CORNERS)
    }

    /// ```text
    ///   v2
    ///   |\      a: through, b: outside of v0-v1 by a quarter, c: outside of v1-v2 by a half,
    ///   | \  c  e: on an edge
    ///   |a e
    ///   v0--v1
    ///     b
    /// ```
    #[test]
    fn a_line_is_diagnosed() {
        let down = [0.0, 0.0, -2.0];
        let through = diagnosis([1.0, 1.0, 3.0], down);
        assert_eq!(through.passing, Passing::Through);
        assert_eq!((through.t, through.is_exact), (Some(1.5), false));
        let below = diagnosis([2.0, -1.0, 3.0], down).passing;
        let (corner, weight) = (2, -0.25);
        assert_eq!(below, Passing::Outside { corner, weight });
        let beyond = diagnosis([3.0, 3.0, 3.0], down).passing;
        let (corner, weight) = (0, -0.5);
        assert_eq!(beyond, Passing::Outside { corner, weight });
        let on_edge = diagnosis([2.0, 2.0, 3.0], down);
        assert_eq!(
            (on_edge.passing, on_edge.is_exact),
            (Passing::Through, true)
        );
        let parallel = diagnosis([1.0, 1.0, 3.0], [1.0, 0.0, 0.0]);
        assert_eq!((parallel.passing, parallel.t), (Passing::InPlane, None));
    }

    #[test]
    fn a_triangle_without_area_is_named() {
        let ray = Ray::new([1.0, 1.0, 3.0], [0.0, 0.0, -1.0]).unwrap();
        let [a, b, _] = CORNERS;
        let diagnosis = diagnose(&LocalRay::from(&ray), &[a, b, a]);
        assert_eq!(diagnosis.passing, Passing::WithoutArea);
    }
}
