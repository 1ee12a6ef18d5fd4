//! The directions that separate two cores that touch, exactly: faces of either, and pairs of edges.
//!
//! They span all directions that do, where the difference of the cores has a volume: each is one in which it has
//! a face through the point of contact, made of pieces of both that hold all of the contact.

use super::gap::{Seen, unit};
use super::screw::Screw;
use crate::exact::adaptive::{Formula, Number, between, cross, dot, rounded, rounded_vector, sign};
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::exact::extremes::max_abs;
use crate::narrow_phase::convex::{Closest, Core};
use crate::sorting::sort_by_rank;
use core::cmp::Ordering;
use glam::DVec3;

/// A direction from the obstacle to the shape in which nothing of the shape is lower than anything of the obstacle.
#[derive(Debug, Clone)]
pub(super) struct TouchingNormal {
    /// Of unit length.
    pub(super) direction: DVec3,
    /// How far the exact one may be from it.
    pub(super) error: f64,
    /// The corners of the shape and of the obstacle that are level with one of the other; none where
    /// there is room between.
    pub(super) level: [Vec<usize>; 2],
}

/// How far from the contact, by the largest coordinates, a face or an edge may be that is tried.
pub(super) const NEAR: f64 = 1e-6;

/// The cross product of two ways: a face's normal by two of its edges, or that of two edges.
#[derive(Debug, Clone, Copy)]
pub(super) struct Product {
    ways: [[DVec3; 2]; 2],
}

impl Product {
    fn value<N: Number>(&self) -> [N; 3] {
        let [first, second] = self.ways.map(|[from, to]| between(from, to));
        cross(&first, &second)
    }

    /// The product, rounded.
    pub(super) fn approximate(&self) -> DVec3 {
        let [first, second] = self.ways.map(|[from, to]| to - from);
        first.cross(second)
    }
}

/// The product of a normal with the way between two corners.
struct Height {
    normal: Product,
    way: [DVec3; 2],
}

impl Formula for Height {
    fn value<N: Number>(&self) -> N {
        let [from, to] = self.way;
        dot(&self.normal.value(), &between(from, to))
    }
}

/// All normals of faces and pairs of edges that separate shape and obstacle at the start, near to where they
/// are closest.
pub(super) fn touching_normals(
    screw: &Screw<'_>,
    seen: &Seen<'_>,
    closest: &Closest,
) -> Vec<TouchingNormal> {
    let (shape, obstacle) = (&screw.shape.core, &seen.convex.core);
    let contact = closest.on_obstacle + screw.pivot;
    let near = NEAR * seen.extent;
    let mut products = faces_at(obstacle, contact, near);
    products.extend(faces_at(shape, contact, near));
    let edges = edges_at(shape, contact, near);
    for first in edges_at(obstacle, contact, near) {
        products.extend(edges.iter().map(|second| Product {
            ways: [first, *second],
        }));
    }
    let found = products.iter().flat_map(|product| {
        let [[a, b], second] = product.ways;
        let flipped = Product {
            ways: [[b, a], second],
        };
        [
            separating(screw, seen, product),
            separating(screw, seen, &flipped),
        ]
    });
    found.flatten().collect()
}

pub(super) fn faces_at(core: &Core<'_>, contact: DVec3, near: f64) -> Vec<Product> {
    let mut found = Vec::new();
    for face in core.faces() {
        let [first, second] = face.next.map(|next| [face.corner, next]);
        let product = Product {
            ways: [first, second],
        };
        let (normal, _) = rounded(&product.value());
        let is_near =
            unit(normal).is_some_and(|normal| normal.dot(contact - face.corner).abs() <= near);
        if is_near {
            found.push(product);
        }
    }
    found
}

pub(super) fn edges_at(core: &Core<'_>, contact: DVec3, near: f64) -> Vec<[DVec3; 2]> {
    let is_near = |[from, to]: &[DVec3; 2]| {
        let (edge, offset) = (*to - *from, contact - *from);
        let share = offset.dot(edge) / edge.length_squared();
        // An edge without length is none; NaN is not near.
        max_abs(offset - edge * share.clamp(0.0, 1.0)) <= near
    };
    let edges = core.edges();
    edges.into_iter().filter(is_near).collect()
}

/// The normal, if it separates the two; decided exactly.
fn separating(screw: &Screw<'_>, seen: &Seen<'_>, product: &Product) -> Option<TouchingNormal> {
    let approx = product.value();
    let direction = unit(rounded_vector(&approx, || product.value()))?;
    // Rounded to 2^-40, and brought to unit length.
    let error = 1.0 / (1_u64 << 39) as f64;
    let (shape, obstacle) = (screw.shape.core.corners(), seen.convex.core.corners());
    let high = super::gap::highest(&seen.corners, direction);
    let heights = |corners: &[DVec3]| -> Vec<f64> {
        let place = |corner: &DVec3| (*corner - screw.pivot).dot(direction) - high;
        corners.iter().map(place).collect()
    };
    let (above, below) = (heights(shape), heights(obstacle));
    let low = above.iter().copied().fold(f64::INFINITY, f64::min);
    // A product with the exact direction may be off by three times its error, and by a few roundings.
    let bound = 2.0 * seen.extent * (3.0 * error + 16.0 * UNIT_ROUNDOFF);
    if low < -bound {
        return None;
    }
    let mut level = [Vec::new(), Vec::new()];
    for (i, height) in above.iter().enumerate() {
        for (j, depth) in below.iter().enumerate() {
            if height - depth > bound {
                continue;
            }
            let height = Height {
                normal: *product,
                way: [obstacle[j], shape[i]],
            };
            match sign(&height) {
                Ordering::Less => return None,
                Ordering::Equal => {
                    level[0].push(i);
                    level[1].push(j);
                }
                Ordering::Greater => {}
            }
        }
    }
    for indices in &mut level {
        sort_by_rank(indices, |index| [*index as u64, 0, 0]);
        indices.dedup();
    }
    Some(TouchingNormal {
        direction,
        error,
        level,
    })
}
