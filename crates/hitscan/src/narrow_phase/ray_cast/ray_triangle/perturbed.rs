//! Simulation of simplicity, for all hits: the ray perturbed by an infinitesimal, and the ray in a
//! triangle's plane.
//!
//! Source: Edelsbrunner, Mücke, "Simulation of Simplicity", ACM Transactions on Graphics 9, 1990.

use super::exact::{IN_PLANE, edge_functions, level_axis};
use super::filter::sure_signs;
use super::{bounds, filter};
use crate::exact::expansion::Expansion;
use crate::exact::vector::{cross_product, difference};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::simd::dispatch_baseline;
use core::cmp::Ordering;
use glam::DVec3;

/// Whether the ray's line, perturbed by a fixed infinitesimal, hits the triangle.
///
/// The line is moved by (ε, ε², ε³). An edge function is linear in the origin, and its change is
/// `move · ((p - q) × direction)`: where the function is 0, the first component of that product
/// that is not 0 gives the sign.
pub(crate) fn hits_perturbed(ray: &LocalRay, corners: &[DVec3; 3]) -> bool {
    let Some(edges) = edge_functions(ray, corners) else {
        return false;
    };
    let mut signs = [Ordering::Equal; 3];
    for (k, sign) in signs.iter_mut().enumerate() {
        let (p, q) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
        *sign = match edges[k].partial_cmp(&0.0) {
            Some(Ordering::Equal) | None => perturbed_sign(ray.direction, p, q),
            Some(sign) => sign,
        };
    }
    signs[0] == signs[1] && signs[1] == signs[2] && signs[0].is_ne()
}

/// The sign of an edge function that is 0, once the line is moved.
fn perturbed_sign(direction: DVec3, p: DVec3, q: DVec3) -> Ordering {
    let along = difference(p, q);
    for axis in 0..3 {
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let component = along[j]
            .times(&Expansion::from_f64(direction[k]))
            .minus(&along[k].times(&Expansion::from_f64(direction[j])));
        if component.sign().is_ne() {
            return component.sign();
        }
    }
    Ordering::Equal
}

/// Whether [`sides_in_plane`] may find the ray in the triangle's plane; cheap, and rarely wrong.
pub(crate) fn may_be_in_plane(ray: &LocalRay, corners: &[DVec3; 3]) -> bool {
    if level_axis(ray, corners).is_some() {
        return true;
    }
    let (values, bounds) = dispatch_baseline!(simd => filter::edge_functions(simd, ray, corners));
    let [is_above, is_below] = sure_signs(&values, &bounds);
    !(is_above | is_below).any()
}

/// On which side of the ray's line each corner of a triangle in whose plane it lies is, seen from one
/// side of the plane. `None` for any other triangle.
///
/// A triangle without area has such a plane as soon as the line intersects its own line.
pub(crate) fn sides_in_plane(ray: &LocalRay, corners: &[DVec3; 3]) -> Option<[Ordering; 3]> {
    if let Some(axis) = level_axis(ray, corners) {
        return Some(corners.map(|corner| side_in_level_plane(ray, corner, axis)));
    }
    edge_functions(ray, corners).filter(|edges| *edges == IN_PLANE)?;
    // The products `direction × (corner - origin)` are all parallel, so that any axis on which one
    // of them is not 0 gives their signs.
    let direction = ray.direction.to_array().map(Expansion::from_f64);
    let products = corners.map(|corner| cross_product(&direction, &difference(corner, ray.origin)));
    (0..3)
        .map(|axis| [0, 1, 2].map(|k| products[k][axis].sign()))
        .find(|signs| signs.iter().any(|sign| sign.is_ne()))
        .or(Some([Ordering::Equal; 3]))
}

/// The sign of the one component of `direction × (corner - origin)` that is not 0 where both vectors
/// have none along `axis`.
fn side_in_level_plane(ray: &LocalRay, corner: DVec3, axis: usize) -> Ordering {
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let (d, o, c) = (ray.direction, ray.origin, corner);
    let (left, right) = (d[j] * (c[k] - o[k]), d[k] * (c[j] - o[j]));
    let value = left - right;
    if value.abs() > bounds::area_bound(left, right) {
        return value.total_cmp(&0.0);
    }
    let product = |a: f64, (p, q): (f64, f64)| {
        Expansion::from_difference(p, q).times(&Expansion::from_f64(a))
    };
    product(d[j], (c[k], o[k]))
        .minus(&product(d[k], (c[j], o[j])))
        .sign()
}
