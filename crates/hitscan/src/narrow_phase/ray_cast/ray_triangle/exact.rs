//! The exact fallback of the predicate where the filter fails: integers, or expansions where numbers are
//! too long for them. It is rare, so it is compiled once and out of line.

use super::filter;
use super::filter::sure_signs;
use super::integer::IntegerTriangle;
use super::{bounds, hit};
use crate::exact::expansion::{Expansion, compare_quotient, nearest_f32_quotient};
use crate::exact::vector::{cross_product, difference, dot, triple_product_without_rounding};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::simd::dispatch_baseline;
use glam::DVec3;

/// The edge functions of a line in the triangle's plane, or of any line that intersects the line of a
/// triangle without area.
pub(super) const IN_PLANE: [f64; 3] = [0.0; 3];

/// The edge functions with their exact signs, or `None` where the line misses the closed triangle
/// and does not lie in its plane. Function k belongs to the edge opposite corner k.
#[inline(never)]
pub(super) fn edge_functions(ray: &LocalRay, corners: &[DVec3; 3]) -> Option<[f64; 3]> {
    // A ray along level ground hits many triangles in its plane: nothing to compute there.
    if level_axis(ray, corners).is_some() {
        return Some(IN_PLANE);
    }
    let (mut values, bounds) =
        dispatch_baseline!(simd => filter::edge_functions(simd, ray, corners));
    let [is_above, is_below] = sure_signs(&values, &bounds);
    if is_above.any() && is_below.any() {
        return None;
    }
    let is_precise = bounds::are_precise(bounds, hit::sum(&values));
    let integers = IntegerTriangle::new(ray, corners);
    for k in 0..3 {
        if !is_precise || values[k].abs() <= bounds[k] {
            values[k] = match &integers {
                Some(integers) => integers.edge_function(k),
                None => edge_function(ray, corners[(k + 1) % 3], corners[(k + 2) % 3]),
            };
        }
    }
    let is_above = values.iter().any(|value| *value > 0.0);
    let is_below = values.iter().any(|value| *value < 0.0);
    (!(is_above && is_below)).then_some(values)
}

/// The axis across which the ray and the triangle lie in the same plane.
#[inline]
pub(super) fn level_axis(ray: &LocalRay, corners: &[DVec3; 3]) -> Option<usize> {
    (0..3).find(|&axis| {
        let is_at = |corner: &DVec3| corner[axis] == ray.origin[axis];
        ray.direction[axis] == 0.0 && corners.iter().all(is_at)
    })
}

/// `direction · ((p - origin) × (q - origin))` with its exact sign, rounded.
pub(super) fn edge_function(ray: &LocalRay, p: DVec3, q: DVec3) -> f64 {
    if let Some(product) = triple_product_without_rounding(ray.direction, ray.origin, [p, q]) {
        return product;
    }
    let (p, q) = (difference(p, ray.origin), difference(q, ray.origin));
    let direction = ray.direction.to_array().map(Expansion::from_f64);
    dot(&cross_product(&p, &q), &direction).to_f64()
}

/// t at the triangle's plane, as the nearest f32 and in f64, if it lies in the ray's range.
#[cold]
#[inline(never)]
pub(super) fn parameter(ray: &LocalRay, corners: &[DVec3; 3]) -> Option<(f32, f64)> {
    let normal = normal(corners);
    let numerator = dot(&normal, &difference(corners[0], ray.origin));
    let denominator = dot(&normal, &ray.direction.to_array().map(Expansion::from_f64));
    if denominator.sign().is_eq()
        || compare_quotient(&numerator, &denominator, ray.t_min).is_lt()
        || compare_quotient(&numerator, &denominator, ray.t_max).is_gt()
    {
        return None;
    }
    let t = nearest_f32_quotient(&numerator, &denominator);
    Some((t, numerator.to_f64() / denominator.to_f64()))
}

/// The exact normal by the winding, rounded.
#[cold]
#[inline(never)]
pub(super) fn rounded_normal(corners: [DVec3; 3]) -> DVec3 {
    let [x, y, z] = normal(&corners);
    DVec3::new(x.to_f64(), y.to_f64(), z.to_f64())
}

fn normal(corners: &[DVec3; 3]) -> [Expansion; 3] {
    cross_product(
        &difference(corners[1], corners[0]),
        &difference(corners[2], corners[0]),
    )
}
