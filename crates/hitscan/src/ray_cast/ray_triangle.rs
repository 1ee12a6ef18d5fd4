//! Where a ray crosses a triangle, decided exactly.
//!
//! Terrain, meshes and posed models all ask this one function, so they are tight in the same way.
//! No trees and no transforms stand here; read `triangle.rs` next for the public value.
//!
//! Method: the three edge functions `direction · ((p - origin) × (q - origin))` tell on which side
//! of the ray's line each edge passes (the scalar triple products of Segura and Feito, "Algorithms
//! to Test Ray-Triangle Intersection", WSCG 2001). Each is worked out in f64 with a bound on its
//! error, and exactly where the bound cannot tell its sign. An edge that two triangles share
//! has exactly opposite functions in them, so no ray passes between; an edge that the ray meets
//! belongs to both. There is no tolerance, and the arithmetic of one triangle never matters to its
//! neighbour, so any conservative test (of any vector width) may stand before this one.

use super::hit::Side;
use super::ray::LocalRay;
use crate::exact::expansion::{
    Expansion, UNIT_ROUNDOFF, compare_quotient, nearest_f32, nearest_f32_quotient,
};
use crate::exact::vector::{cross_product, difference, dot, triple_product_without_rounding};
use crate::simd::dispatch_baseline;
use core::cmp::Ordering;
use fearless_simd::{Simd, f64x4, prelude::*};
use glam::{BVec3, DVec3};

/// Bound on the error of an edge function, in units of `|direction| |p - origin| |q - p|`
/// (greatest components).
///
/// The differences carry one rounding each, a product of two of them three, their difference one
/// more of at most two such products: 8u. The product with the direction makes it 10u each, 30u
/// for three, and the two sums of at most 6 such products add 12u. The rest covers u².
const EDGE_ERROR: f64 = 48.0 * UNIT_ROUNDOFF;

/// Bound on the error of `normal · v`, in units of `|q - p| |r - p| |v|` (greatest components).
///
/// A component of the normal is off by 8u as above; the product with v by 12u of at most 2 such
/// products, three of them and their sums by 48u at most.
const VOLUME_ERROR: f64 = 64.0 * UNIT_ROUNDOFF;

/// Which part of the closed triangle the ray's line meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feature {
    /// The inside.
    Face,
    /// The edge opposite the corner with this number, without its ends.
    Edge(usize),
    /// The corner with this number.
    Corner(usize),
}

/// A ray's crossing of a triangle, in the triangle's space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TriangleHit {
    /// The exact t rounded to the nearest f32, never -0.
    pub(crate) t: f32,
    /// t in f64, for making points from it.
    pub(crate) t_wide: f64,
    /// The barycentric weights of the second and third corner.
    pub(crate) weights: [f64; 2],
    /// The normal by the triangle's winding, not of unit length, never zero.
    pub(crate) normal: DVec3,
    pub(crate) side: Side,
    pub(crate) feature: Feature,
}

impl TriangleHit {
    /// The barycentric weights of the second and third corner, rounded.
    #[inline(always)]
    pub(crate) fn barycentrics(&self) -> [f32; 2] {
        [nearest_f32(self.weights[0]), nearest_f32(self.weights[1])]
    }
}

/// That a ray crosses a triangle, when and from which side: what decides between two crossings. What
/// only the winner of many needs is worked out from it later.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CandidateHit {
    /// The exact t rounded to the nearest f32, never -0.
    pub(crate) t: f32,
    pub(crate) side: Side,
    t_wide: f64,
    /// The normal by the winding in plain f64.
    normal: DVec3,
    edges: [f64; 3],
    /// Whether the edge functions have their exact signs and make good weights.
    is_precise: bool,
}

/// The passing of `ray` through the closed triangle, if it lies within the ray's range.
///
/// A ray in the triangle's plane misses, and so does any ray a triangle without area.
#[inline(always)]
pub(crate) fn pass<S: Simd>(simd: S, ray: &LocalRay, corners: &[DVec3; 3]) -> Option<CandidateHit> {
    let (values, bounds) = approximate_edge_functions(simd, ray, corners);
    let [is_above, is_below] = sure_signs(&values, &bounds);
    if is_above.any() && is_below.any() {
        return None;
    }
    let is_sure = is_above.all() || is_below.all();
    let edges = if is_sure {
        values
    } else {
        // What a call refers to must stand in memory: copies let the rest stay in registers.
        let (ray, corners) = (*ray, *corners);
        edge_functions(&ray, &corners).filter(|edges| *edges != IN_PLANE)?
    };
    let sum = edges[0] + edges[1] + edges[2];
    let (p, q) = (corners[1] - corners[0], corners[2] - corners[0]);
    let normal = p.cross(q);
    let (t, t_wide) = parameter(ray, corners, (p, q), normal)?;
    Some(CandidateHit {
        t,
        normal,
        side: if sum < 0.0 { Side::Front } else { Side::Back },
        t_wide,
        edges,
        is_precise: !is_sure || are_precise(&edges, &bounds),
    })
}

/// The crossing of `ray` with the closed triangle, if it lies within the ray's range.
///
/// A ray in the triangle's plane misses, and so does any ray a triangle without area.
pub(crate) fn cross(ray: &LocalRay, corners: &[DVec3; 3]) -> Option<TriangleHit> {
    dispatch_baseline!(simd => pass(simd, ray, corners))
        .map(|candidate| candidate.crossing(ray, corners))
}

impl CandidateHit {
    /// The whole crossing; the ray and the corners are those of the passing.
    #[inline(always)]
    pub(crate) fn crossing(&self, ray: &LocalRay, corners: &[DVec3; 3]) -> TriangleHit {
        let edges = if self.is_precise {
            self.edges
        } else {
            let (ray, corners) = (*ray, *corners);
            edge_functions(&ray, &corners).unwrap_or(self.edges)
        };
        let feature = match (edges[0] == 0.0, edges[1] == 0.0, edges[2] == 0.0) {
            (true, true, _) => Feature::Corner(2),
            (true, _, true) => Feature::Corner(1),
            (_, true, true) => Feature::Corner(0),
            (true, _, _) => Feature::Edge(0),
            (_, true, _) => Feature::Edge(1),
            (_, _, true) => Feature::Edge(2),
            _ => Feature::Face,
        };
        let sum = edges[0] + edges[1] + edges[2];
        TriangleHit {
            t: self.t,
            t_wide: self.t_wide,
            weights: [edges[1] / sum, edges[2] / sum],
            normal: sound_normal(self.normal, corners),
            side: self.side,
            feature,
        }
    }
}

/// Whether the ray's line, moved aside by a fixed infinitesimal, passes through the triangle.
///
/// The line is moved by (ε, ε², ε³). An edge function is linear in the origin, and its change is
/// `move · ((p - q) × direction)`: where the function is 0, the first component of that product
/// that is not 0 gives the sign (Edelsbrunner, Mücke, "Simulation of Simplicity", 1990).
pub(crate) fn hits_perturbed(ray: &LocalRay, corners: &[DVec3; 3]) -> bool {
    let Some(edges) = edge_functions(ray, corners) else {
        return false;
    };
    let mut signs = [Ordering::Equal; 3];
    for (k, sign) in signs.iter_mut().enumerate() {
        let (p, q) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
        *sign = match edges[k].partial_cmp(&0.0) {
            Some(Ordering::Equal) | None => sign_moved_aside(ray.direction, p, q),
            Some(sign) => sign,
        };
    }
    signs[0] == signs[1] && signs[1] == signs[2] && signs[0].is_ne()
}

/// Where the ray's line passes the corners of a triangle in whose plane it lies: for each corner
/// the side of the line, seen from one side of the plane. `None` for any other triangle.
///
/// A triangle without area has such a plane as soon as the line meets its own line.
pub(crate) fn sides_in_plane(ray: &LocalRay, corners: &[DVec3; 3]) -> Option<[Ordering; 3]> {
    edge_functions(ray, corners).filter(|edges| *edges == IN_PLANE)?;
    // The products `direction × (corner - origin)` are all parallel, so that any axis on which one
    // of them is not 0 tells their signs.
    let direction = ray.direction.to_array().map(Expansion::from_f64);
    let products = corners.map(|corner| cross_product(&direction, &difference(corner, ray.origin)));
    (0..3)
        .map(|axis| [0, 1, 2].map(|k| products[k][axis].sign()))
        .find(|signs| signs.iter().any(|sign| sign.is_ne()))
        .or(Some([Ordering::Equal; 3]))
}

fn sign_moved_aside(direction: DVec3, p: DVec3, q: DVec3) -> Ordering {
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

/// The normal by the winding, `(b - a) × (c - a)`, with components of small relative error even
/// for slivers. Zero only for a triangle without area.
pub(crate) fn normal(corners: &[DVec3; 3]) -> DVec3 {
    let (p, q) = (corners[1] - corners[0], corners[2] - corners[0]);
    sound_normal(p.cross(q), corners)
}

/// The normal as worked out in plain f64, or exactly where too much cancelled in it.
#[inline(always)]
fn sound_normal(normal: DVec3, corners: &[DVec3; 3]) -> DVec3 {
    let (p, q) = (corners[1] - corners[0], corners[2] - corners[0]);
    if greatest(normal) > 1e-6 * greatest(p) * greatest(q) {
        return normal;
    }
    rounded_exact_normal(*corners)
}

#[cold]
#[inline(never)]
fn rounded_exact_normal(corners: [DVec3; 3]) -> DVec3 {
    let [x, y, z] = exact_normal(&corners);
    DVec3::new(x.to_f64(), y.to_f64(), z.to_f64())
}

/// The edge functions of a line in the triangle's plane, or of any line that meets the line of a
/// triangle without area.
const IN_PLANE: [f64; 3] = [0.0; 3];

/// The edge functions in f64, and bounds on their errors.
///
/// They stand side by side in a vector, the fourth lane repeating the first. Each lane does what
/// `direction · ((p - origin) × (q - p))` says, in f64 and in this order, whatever the width.
#[inline(always)]
fn approximate_edge_functions<S: Simd>(
    simd: S,
    ray: &LocalRay,
    corners: &[DVec3; 3],
) -> ([f64; 3], [f64; 3]) {
    let [a, b, c] = corners;
    let LocalRay {
        origin, direction, ..
    } = ray;
    // The edges opposite to a, b and c, from p to q.
    let (px, py, pz) = (
        f64x4::load_array(simd, [b.x, c.x, a.x, b.x]),
        f64x4::load_array(simd, [b.y, c.y, a.y, b.y]),
        f64x4::load_array(simd, [b.z, c.z, a.z, b.z]),
    );
    let along_x = px.slide::<1>(px) - px;
    let along_y = py.slide::<1>(py) - py;
    let along_z = pz.slide::<1>(pz) - pz;
    let (px, py, pz) = (px - origin.x, py - origin.y, pz - origin.z);
    let values = (py * along_z - along_y * pz) * direction.x
        + (pz * along_x - along_z * px) * direction.y
        + (px * along_y - along_x * py) * direction.z;
    let unit = EDGE_ERROR * greatest(*direction);
    let size = px.abs().max(py.abs()).max(pz.abs());
    let along = along_x.abs().max(along_y.abs()).max(along_z.abs());
    let bounds = size * unit * along;
    let ([p, q, r, _], [s, t, u, _]) = (values.to_array(), bounds.to_array());
    ([p, q, r], [s, t, u])
}

/// The greater of two numbers, neither NaN: one instruction, unlike `f64::max`.
#[inline(always)]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Which of the values are surely above zero, and which surely below.
#[inline(always)]
fn sure_signs(values: &[f64; 3], bounds: &[f64; 3]) -> [BVec3; 2] {
    let (values, bounds) = (DVec3::from_array(*values), DVec3::from_array(*bounds));
    [values.cmpgt(bounds), values.cmplt(-bounds)]
}

/// Whether weights made of the values are good to 2^-30: the bounds are that small beside their sum.
#[inline(always)]
fn are_precise(values: &[f64; 3], bounds: &[f64; 3]) -> bool {
    let sum = values[0] + values[1] + values[2];
    bounds[0] + bounds[1] + bounds[2] < sum.abs() / f64::from(1 << 30)
}

/// The edge functions with their exact signs, or `None` where the line misses the closed triangle
/// and does not lie in its plane. Function k belongs to the edge opposite corner k.
#[inline(never)]
fn edge_functions(ray: &LocalRay, corners: &[DVec3; 3]) -> Option<[f64; 3]> {
    let (mut values, bounds) = dispatch_baseline!(simd => approximate_edge_functions(simd, ray, corners)
    );
    let [is_above, is_below] = sure_signs(&values, &bounds);
    if is_above.any() && is_below.any() {
        return None;
    }
    // A ray along level ground meets many triangles in its plane: nothing to work out there.
    let is_level = (0..3).any(|axis| {
        let is_at = |corner: &DVec3| corner[axis] == ray.origin[axis];
        ray.direction[axis] == 0.0 && corners.iter().all(is_at)
    });
    if is_level {
        return Some(IN_PLANE);
    }
    let is_precise = are_precise(&values, &bounds);
    for k in 0..3 {
        if !is_precise || values[k].abs() <= bounds[k] {
            values[k] = exact_edge_function(ray, corners[(k + 1) % 3], corners[(k + 2) % 3]);
        }
    }
    let is_above = values.iter().any(|value| *value > 0.0);
    let is_below = values.iter().any(|value| *value < 0.0);
    (!(is_above && is_below)).then_some(values)
}

/// `direction · ((p - origin) × (q - origin))` with its exact sign, rounded.
fn exact_edge_function(ray: &LocalRay, p: DVec3, q: DVec3) -> f64 {
    if let Some(plain) = triple_product_without_rounding(ray.direction, ray.origin, [p, q]) {
        return plain;
    }
    let (p, q) = (difference(p, ray.origin), difference(q, ray.origin));
    let direction = ray.direction.to_array().map(Expansion::from_f64);
    dot(&cross_product(&p, &q), &direction).to_f64()
}

/// t at the triangle's plane, as the nearest f32 and in f64, if it lies in the ray's range.
#[inline(always)]
fn parameter(
    ray: &LocalRay,
    corners: &[DVec3; 3],
    (p, q): (DVec3, DVec3),
    normal: DVec3,
) -> Option<(f32, f64)> {
    let to_corner = corners[0] - ray.origin;
    let (numerator, denominator) = (normal.dot(to_corner), normal.dot(ray.direction));
    let unit = VOLUME_ERROR * greatest(p) * greatest(q);
    let errors = [unit * greatest(to_corner), unit * greatest(ray.direction)];
    // Off by less than a thousandth, the denominator is far from zero, and errors of a second
    // order are less than a thousandth of the first.
    if errors[1] < 1e-3 * denominator.abs() {
        let t = numerator / denominator;
        let error = 1.01 * (errors[0] + t.abs() * errors[1]) / denominator.abs()
            + 4.0 * UNIT_ROUNDOFF * t.abs();
        let (low, high) = (t - error, t + error);
        if high < ray.t_min || low > ray.t_max {
            return None;
        }
        if low > ray.t_min && high < ray.t_max && nearest_f32(low) == nearest_f32(high) {
            return Some((nearest_f32(t), t));
        }
    }
    let (ray, corners) = (*ray, *corners);
    exact_parameter(&ray, &corners)
}

#[cold]
fn exact_parameter(ray: &LocalRay, corners: &[DVec3; 3]) -> Option<(f32, f64)> {
    let normal = exact_normal(corners);
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

fn exact_normal(corners: &[DVec3; 3]) -> [Expansion; 3] {
    cross_product(
        &difference(corners[1], corners[0]),
        &difference(corners[2], corners[0]),
    )
}

/// The greatest magnitude of a component.
#[inline(always)]
fn greatest(v: DVec3) -> f64 {
    larger(larger(v.x.abs(), v.y.abs()), v.z.abs())
}
