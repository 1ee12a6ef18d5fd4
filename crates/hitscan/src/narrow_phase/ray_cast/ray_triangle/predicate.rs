//! The exact predicate of one ray and one triangle: the filter with a bound for each edge, and behind
//! it the exact fallback.

use super::filter::{edge_functions, is_rounded_alike_in_range, plane_parameter, sure_signs};
use super::hit::{CandidateHit, TriangleHit, feature, side, sum, weights};
use super::lanes::Vectors;
use super::{bounds, exact};
use crate::exact::expansion::nearest_f32;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::simd::dispatch_baseline;
use fearless_simd::Simd;
use glam::DVec3;

/// The hit of `ray` on the closed triangle, if it lies within the ray's range.
///
/// A ray in the triangle's plane misses, and so does any ray a triangle without area.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn candidate_hit<S: Simd>(
    simd: S,
    ray: &LocalRay,
    corners: &[DVec3; 3],
) -> Option<CandidateHit> {
    let (values, bounds) = edge_functions(simd, ray, corners);
    let [is_above, is_below] = sure_signs(&values, &bounds);
    if is_above.any() && is_below.any() {
        return None;
    }
    let is_sure = is_above.all() || is_below.all();
    let edges = if is_sure {
        values
    } else {
        // References make the compiler keep values in memory: copies let the rest stay in registers.
        let (ray, corners) = (*ray, *corners);
        exact::edge_functions(&ray, &corners).filter(|edges| *edges != exact::IN_PLANE)?
    };
    let (p, q) = (corners[1] - corners[0], corners[2] - corners[0]);
    let normal = p.cross(q);
    let (t, t_wide) = parameter(ray, corners, (p, q), normal)?;
    Some(CandidateHit {
        t,
        normal,
        side: side(sum(&edges)),
        t_wide,
        edges,
        is_precise: !is_sure || bounds::are_precise(bounds, sum(&edges)),
    })
}

impl CandidateHit {
    /// The whole hit; the ray and the corners are those of the candidate.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn triangle_hit(&self, ray: &LocalRay, corners: &[DVec3; 3]) -> TriangleHit {
        let edges = if self.is_precise {
            self.edges
        } else {
            // References make the compiler keep values in memory: copies let the rest stay in
            // registers.
            let (ray, corners) = (*ray, *corners);
            exact::edge_functions(&ray, &corners).unwrap_or(self.edges)
        };
        TriangleHit {
            t: self.t,
            t_wide: self.t_wide,
            weights: weights(&edges),
            normal: precise_normal(self.normal, corners),
            side: self.side,
            feature: feature(&edges),
        }
    }
}

/// The hit of `ray` on the closed triangle, if it lies within the ray's range.
///
/// A ray in the triangle's plane misses, and so does any ray a triangle without area.
pub(crate) fn intersect(ray: &LocalRay, corners: &[DVec3; 3]) -> Option<TriangleHit> {
    dispatch_baseline!(simd => candidate_hit(simd, ray, corners))
        .map(|candidate| candidate.triangle_hit(ray, corners))
}

/// [`intersect`] where the filter of a lane fails.
#[cold]
#[inline(never)]
pub(crate) fn intersect_exactly(ray: &LocalRay, corners: &[DVec3; 3]) -> Option<TriangleHit> {
    if exact::level_axis(ray, corners).is_some() {
        return None;
    }
    intersect(ray, corners)
}

/// The normal by the winding, `(b - a) × (c - a)`, with components of small relative error even
/// for slivers. Zero only for a triangle without area.
pub(crate) fn normal(corners: &[DVec3; 3]) -> DVec3 {
    let (p, q) = (corners[1] - corners[0], corners[2] - corners[0]);
    precise_normal(p.cross(q), corners)
}

/// The normal as computed in f64, or exactly where too much cancelled in it.
#[cfg_attr(not(debug_assertions), inline(always))]
fn precise_normal(normal: DVec3, corners: &[DVec3; 3]) -> DVec3 {
    let (p, q) = (corners[1] - corners[0], corners[2] - corners[0]);
    if bounds::is_normal_precise(max_abs(normal), [max_abs(p), max_abs(q)]) {
        return normal;
    }
    exact::rounded_normal(*corners)
}

/// t at the triangle's plane, as the nearest f32 and in f64, if it lies in the ray's range.
#[cfg_attr(not(debug_assertions), inline(always))]
fn parameter(
    ray: &LocalRay,
    corners: &[DVec3; 3],
    (p, q): (DVec3, DVec3),
    normal: DVec3,
) -> Option<(f32, f64)> {
    let to_corner = corners[0] - ray.origin;
    let plane = plane_parameter(
        Vectors::from(ray.direction),
        (Vectors::from(normal), [max_abs(p), max_abs(q)]),
        (Vectors::from(to_corner), max_abs(to_corner)),
    );
    if plane.is_bounded {
        let (t, error) = (plane.t, plane.error);
        if t + error < ray.t_min || t - error > ray.t_max {
            return None;
        }
        if is_rounded_alike_in_range(ray, t, error) {
            return Some((nearest_f32(t), t));
        }
    }
    let (ray, corners) = (*ray, *corners);
    exact::parameter(&ray, &corners)
}

/// The largest magnitude of a component.
#[cfg_attr(not(debug_assertions), inline(always))]
fn max_abs(v: DVec3) -> f64 {
    Vectors::from(v).max_abs()
}
