//! A point that two cores share, one of them a polytope: proposed in f64, and taken only where a bound of
//! all rounding proves it.
//!
//! Where they touch along a direction, the corners of each that are furthest along it are polygons of one
//! plane, and what is common to these is their clip. Where they overlap, an edge of one has points inside the
//! other, or all of it does.
//!
//! Source: Sutherland, Hodgman, "Reentrant Polygon Clipping", Communications of the ACM 17, 1974.

use super::Core;
use super::separating_axes::CorePair;
use crate::exact::extremes::max_abs;
use crate::shape::unit_vector::wide_unit;
use crate::sorting::{ordered_bits, sort_by_rank};
use glam::DVec3;

/// What rounding takes from a place, relative to the extent of both, is less: normals are off by less than
/// 2^-40, and the rest is a few roundings.
const ROUNDING: f64 = 1.0 / (1_u64 << 38) as f64;

/// A point of what two cores touch with along a direction in which the shape lies, the shape being moved by
/// `shift`; `None` where f64 does not prove one.
pub(super) fn between_supports(pair: &CorePair<'_>, shift: DVec3, normal: DVec3) -> Option<DVec3> {
    let origin = pair.obstacle.corners()[0];
    let obstacle = seen(&pair.obstacle, -origin);
    let shape = seen(&pair.shape, shift - origin);
    let tolerance = tolerance(&obstacle, &shape);
    let normal = wide_unit(normal);
    let lower = furthest(&obstacle, normal, tolerance);
    let upper = furthest(&shape, -normal, tolerance);
    if let ([corner], _) | (_, [corner]) = (&lower[..], &upper[..]) {
        return Some(*corner + origin);
    }
    let (lower, upper) = (ring(lower, normal), ring(upper, normal));
    let common = clip(&lower, &upper, normal);
    let middle = mean(&common)?;
    let is_inside = |ring: &[DVec3]| {
        let [from, to] = [ring[0], ring[ring.len() - 1]];
        match ring.len() {
            // On an edge it lies but for rounding, if it is between the ends.
            2 => (to - from).dot(middle - from) >= 0.0 && (to - from).dot(to - middle) >= 0.0,
            _ => sides(ring, normal).all(|(inward, from)| inward.dot(middle - from) > tolerance),
        }
    };
    (is_inside(&lower) && is_inside(&upper)).then_some(middle + origin)
}

/// A point of one core that is clearly inside the other one.
pub(super) fn inside(pair: &CorePair<'_>, shift: DVec3) -> Option<DVec3> {
    let origin = pair.obstacle.corners()[0];
    let found = inside_of(&pair.shape, shift - origin, &pair.obstacle, -origin)
        .or_else(|| inside_of(&pair.obstacle, -origin, &pair.shape, shift - origin));
    found.map(|point| point + origin)
}

/// A point of `set` clearly inside `body`, each of them moved.
fn inside_of(
    set: &Core<'_>,
    set_shift: DVec3,
    body: &Core<'_>,
    body_shift: DVec3,
) -> Option<DVec3> {
    let corners = seen(set, set_shift);
    let planes = half_spaces(body, body_shift)?;
    let tolerance = tolerance(&corners, &seen(body, body_shift));
    let is_inside = |point: &DVec3| {
        planes
            .iter()
            .all(|(inward, from)| inward.dot(*point - *from) > tolerance)
    };
    let ends = set
        .edges()
        .into_iter()
        .map(|[from, to]| [from + set_shift, to + set_shift]);
    let on_edges = ends.filter_map(|[from, to]| {
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (inward, at) in &planes {
            let (start, end) = (inward.dot(from - *at), inward.dot(to - *at));
            if start < 0.0 && end < 0.0 {
                return None;
            }
            let fraction = start / (start - end);
            if start < 0.0 {
                enter = enter.max(fraction);
            } else if end < 0.0 {
                leave = leave.min(fraction);
            }
        }
        (enter <= leave).then(|| from + (to - from) * f64::midpoint(enter, leave))
    });
    let mut all = mean(&corners).into_iter().chain(on_edges);
    all.find(is_inside)
}

/// The inward unit normals of a solid core's faces, and a point of each; `None` of a flat one.
fn half_spaces(core: &Core<'_>, shift: DVec3) -> Option<Vec<(DVec3, DVec3)>> {
    let inward = |normal: DVec3| -wide_unit(normal);
    match core {
        Core::Hull(hull) if !hull.is_flat() => {
            let faces = hull.faces().iter().zip(0..);
            let plane = |(face, place): (&crate::shape::polytope::Face, usize)| {
                (inward(face.normal), hull.face_span(place)[0] + shift)
            };
            Some(faces.map(plane).collect())
        }
        Core::Box(hull) => {
            let mut planes = Vec::new();
            for axis in 0..3 {
                let [x, y, z]: [f64; 3] = hull.normal(axis);
                let normal = inward(DVec3::new(x, y, z));
                planes.push((-normal, hull.corners[0] + shift));
                planes.push((normal, hull.corners[7] + shift));
            }
            Some(planes)
        }
        _ => None,
    }
}

fn seen(core: &Core<'_>, shift: DVec3) -> Vec<DVec3> {
    core.corners()
        .iter()
        .map(|corner| *corner + shift)
        .collect()
}

fn tolerance(one: &[DVec3], other: &[DVec3]) -> f64 {
    let all = one.iter().chain(other);
    ROUNDING * all.fold(0.0, |max, corner| f64::max(max, max_abs(*corner)))
}

fn mean(points: &[DVec3]) -> Option<DVec3> {
    let sum: DVec3 = points.iter().sum();
    (!points.is_empty()).then(|| sum / points.len() as f64)
}

/// The corners that may lie furthest along a unit direction, each place once.
fn furthest(corners: &[DVec3], direction: DVec3, tolerance: f64) -> Vec<DVec3> {
    let top = corners
        .iter()
        .map(|corner| direction.dot(*corner))
        .fold(f64::NEG_INFINITY, f64::max);
    let mut found: Vec<DVec3> = Vec::new();
    for corner in corners {
        if direction.dot(*corner) >= top - 2.0 * tolerance && !found.contains(corner) {
            found.push(*corner);
        }
    }
    found
}

/// Corners of a convex polygon in turn, counter-clockwise seen against the normal.
fn ring(mut corners: Vec<DVec3>, normal: DVec3) -> Vec<DVec3> {
    let Some(middle) = mean(&corners).filter(|_| corners.len() > 2) else {
        return corners;
    };
    let first = corners[0] - middle;
    let side = normal.cross(first);
    // The diamond angle rises with the angle.
    let angle = |corner: DVec3| {
        let way = corner - middle;
        let (x, y) = (way.dot(first), way.dot(side));
        let part = y / (x.abs() + y.abs());
        if x >= 0.0 { part } else { 2.0 - part }
    };
    sort_by_rank(&mut corners, |corner| [ordered_bits(angle(*corner)), 0, 0]);
    corners
}

/// The inward directions of unit length of a polygon's sides, and where each begins.
fn sides(ring: &[DVec3], normal: DVec3) -> impl Iterator<Item = (DVec3, DVec3)> + '_ {
    (0..ring.len()).map(move |place| {
        let (from, to) = (ring[place], ring[(place + 1) % ring.len()]);
        (normal.cross(to - from).normalize_or_zero(), from)
    })
}

/// The common part of two polygons or segments of one plane.
fn clip(one: &[DVec3], other: &[DVec3], normal: DVec3) -> Vec<DVec3> {
    if one.len() < 3 && other.len() < 3 {
        return crossing(one, other);
    }
    let (mut left, ring) = if other.len() > 2 {
        (one.to_vec(), other)
    } else {
        (other.to_vec(), one)
    };
    for (inward, from) in sides(ring, normal) {
        let count = left.len();
        let mut kept = Vec::new();
        for place in 0..count {
            let (start, end) = (left[place], left[(place + 1) % count]);
            let (before, after) = (inward.dot(start - from), inward.dot(end - from));
            if before >= 0.0 {
                kept.push(start);
            }
            if (before > 0.0 && after < 0.0) || (before < 0.0 && after > 0.0) {
                kept.push(start + (end - start) * (before / (before - after)));
            }
        }
        left = kept;
    }
    left
}

/// Where two segments cross or nearly do, unless they are nearly parallel.
fn crossing(one: &[DVec3], other: &[DVec3]) -> Vec<DVec3> {
    /// The least sine at which a crossing is certain enough.
    const FLAT: f64 = 1.0 / (1_u64 << 10) as f64;
    let ([p, q], [r, s]) = (one, other) else {
        return Vec::new();
    };
    let (u, v, w) = (*q - *p, *s - *r, *r - *p);
    let normal = u.cross(v);
    let squared = normal.length_squared();
    if squared <= FLAT * FLAT * u.length_squared() * v.length_squared() {
        return Vec::new();
    }
    let fraction = w.cross(v).dot(normal) / squared;
    vec![*p + u * fraction.clamp(0.0, 1.0)]
}
