//! The closest points of two cores by their corners furthest along a direction, in f64: a guess that
//! certificates check.
//!
//! Source: Gilbert, Johnson, Keerthi, "A Fast Procedure for Computing the Distance Between Complex Objects in
//! Three-Dimensional Space", IEEE Journal of Robotics and Automation 4, 1988; the closest points of triangles
//! and tetrahedra as in Ericson, "Real-Time Collision Detection", 2005, sections 5.1.5 and 5.1.6.

use super::closest_segments::{Closest, Feature};
use super::core::Core;
use super::cylinder::CylinderCore;
use glam::DVec3;

/// How often a corner is added: more than polytopes of thousands of corners need.
const STEPS: usize = 64;

/// The part of the squared distance by which a corner must be nearer: as far as f64 goes, and where on round shapes
/// the direction between the points is good to some 2^-20.
pub(super) const EXACT: f64 = 2.0 * f64::EPSILON;
pub(super) const ROUGH: f64 = 1.0 / (1_u64 << 40) as f64;

/// A corner of the difference, and the two corners that it is made of.
#[derive(Debug, Clone, Copy)]
struct Vertex {
    place: DVec3,
    on_obstacle: DVec3,
    on_shape: DVec3,
    /// Where the searches on large polytopes begin the next time.
    starts: [u16; 2],
}

/// Corners of the difference, with the weights that make the point of their hull nearest to the origin.
#[derive(Debug, Clone, Copy)]
struct Simplex {
    vertices: [Vertex; 4],
    weights: [f64; 4],
    count: usize,
}

/// The closest points of two cores, the second one shifted; of two that meet, any point of both.
pub(super) fn by_supports(obstacle: &Core<'_>, shape: &Core<'_>, shift: DVec3) -> Closest {
    by_vertices((DVec3::X, EXACT, 0.0), |along, starts| {
        vertex(obstacle, shape, shift, along, starts)
    })
}

/// The same, searched from a first direction: the nearer that is to the way from the obstacle to the shape, the fewer
/// steps it takes. It ends where a corner brings less than a part of the squared distance.
pub(super) fn by_supports_from(
    obstacle: &Core<'_>,
    shape: &Core<'_>,
    shift: DVec3,
    (first, precision): (DVec3, f64),
) -> Closest {
    by_vertices((first, precision, 0.0), |along, starts| {
        vertex(obstacle, shape, shift, along, starts)
    })
}

/// The same, good to some 2^-20 on round shapes, or any two points that are no farther apart than that is enough.
pub(super) fn by_supports_until(
    obstacle: &Core<'_>,
    shape: &Core<'_>,
    shift: DVec3,
    (first, enough): (DVec3, f64),
) -> Closest {
    by_vertices((first, ROUGH, enough * enough), |along, starts| {
        vertex(obstacle, shape, shift, along, starts)
    })
}

/// A convex set by its furthest points.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Supports<'a> {
    /// The convex hull of corners.
    Corners(&'a [DVec3]),
    Cylinder(&'a CylinderCore),
}

impl Supports<'_> {
    fn furthest(self, along: DVec3) -> DVec3 {
        match self {
            Self::Corners(corners) => furthest_of(corners.iter().copied(), along),
            Self::Cylinder(cylinder) => cylinder.furthest(along),
        }
    }
}

/// The closest points of two sets, the second one shifted, searched from a first direction; of two that meet, any
/// point of both.
pub(crate) fn closest_by_supports(
    obstacle: Supports<'_>,
    shape: Supports<'_>,
    shift: DVec3,
    first: DVec3,
) -> Closest {
    by_vertices((first, EXACT, 0.0), |along, starts| {
        let on_obstacle = obstacle.furthest(along);
        let on_shape = shape.furthest(-along) + shift;
        Vertex {
            place: on_obstacle - on_shape,
            on_obstacle,
            on_shape,
            starts,
        }
    })
}

/// The closest points, by the corner of the difference that is furthest along a direction. What brings less than a
/// part of the squared distance ends the search, and so does a squared distance that is enough.
fn by_vertices(
    (first, precision, enough): (DVec3, f64, f64),
    mut vertex: impl FnMut(DVec3, [u16; 2]) -> Vertex,
) -> Closest {
    let first = vertex(first, [0; 2]);
    let mut simplex = Simplex {
        vertices: [first; 4],
        weights: [1.0, 0.0, 0.0, 0.0],
        count: 1,
    };
    for _ in 0..STEPS {
        let nearest = simplex.nearest();
        let squared = nearest.length_squared();
        if simplex.count == 4 || squared <= enough {
            break;
        }
        let starts = simplex.vertices[simplex.count - 1].starts;
        let next = vertex(-nearest, starts);
        // Nothing lies further against the way to the nearest point: that is the nearest of all.
        let gain = squared - nearest.dot(next.place);
        let is_known = simplex.vertices[..simplex.count]
            .iter()
            .any(|known| known.on_obstacle == next.on_obstacle && known.on_shape == next.on_shape);
        if gain <= precision * squared || is_known {
            break;
        }
        if !simplex.add(next, squared) {
            break;
        }
    }
    simplex.closest()
}

fn vertex(
    obstacle: &Core<'_>,
    shape: &Core<'_>,
    shift: DVec3,
    along: DVec3,
    starts: [u16; 2],
) -> Vertex {
    let (on_obstacle, first) = furthest(obstacle, along, starts[0]);
    let (on_shape, second) = furthest(shape, -along, starts[1]);
    let on_shape = on_shape + shift;
    Vertex {
        place: on_obstacle - on_shape,
        on_obstacle,
        on_shape,
        starts: [first, second],
    }
}

fn furthest(core: &Core<'_>, along: DVec3, start: u16) -> (DVec3, u16) {
    if let Core::Hull(hull) = core {
        let corner = hull.about_furthest(along, start);
        return (hull.corner(corner), corner);
    }
    if let Core::Cylinder(cylinder) = core {
        return (cylinder.furthest(along), 0);
    }
    (furthest_of(core.corners().iter().copied(), along), 0)
}

fn furthest_of(corners: impl Iterator<Item = DVec3>, along: DVec3) -> DVec3 {
    let further = |best: DVec3, next: DVec3| {
        if along.dot(next) > along.dot(best) {
            next
        } else {
            best
        }
    };
    corners.reduce(further).unwrap_or_default()
}

impl Simplex {
    /// The point of the simplex that is nearest to the origin.
    fn nearest(&self) -> DVec3 {
        self.weighted(|vertex| vertex.place)
    }

    fn weighted(&self, of: impl Fn(&Vertex) -> DVec3) -> DVec3 {
        let vertices = self.vertices[..self.count].iter().zip(&self.weights);
        vertices.fold(DVec3::ZERO, |sum, (vertex, weight)| {
            sum + of(vertex) * *weight
        })
    }

    fn closest(&self) -> Closest {
        let [a, b, c, _] = self.vertices.map(|vertex| vertex.place);
        let on_obstacle = self.weighted(|vertex| vertex.on_obstacle);
        let feature = match self.count {
            2 => Feature::Edge(b - a),
            3 => Feature::Face((b - a).cross(c - a)),
            _ => Feature::Corner,
        };
        Closest {
            on_obstacle,
            on_shape: if self.count == 4 {
                on_obstacle
            } else {
                self.weighted(|vertex| vertex.on_shape)
            },
            feature,
        }
    }

    /// Adds a vertex and leaves those of the face, edge or corner that is nearest to the origin. Does nothing where
    /// that is no nearer than this squared distance: rounding may hide the gain.
    fn add(&mut self, next: Vertex, squared: f64) -> bool {
        let mut places = [next.place; 4];
        for (place, vertex) in places.iter_mut().zip(&self.vertices[..self.count]) {
            *place = vertex.place;
        }
        let weights = match self.count {
            1 => of_segment([places[0], places[1]]),
            2 => of_triangle([places[0], places[1], places[2]]),
            _ => of_tetrahedron(places),
        };
        let (mut nearest, mut count) = (DVec3::ZERO, 0);
        for (place, weight) in places.iter().zip(weights) {
            if weight > 0.0 {
                nearest += place * weight;
                count += 1;
            }
        }
        if count == 0 || count < 4 && nearest.length_squared() >= squared {
            return false;
        }
        self.vertices[self.count] = next;
        self.count = 0;
        for (vertex, weight) in weights.into_iter().enumerate() {
            if weight > 0.0 {
                self.vertices[self.count] = self.vertices[vertex];
                self.weights[self.count] = weight;
                self.count += 1;
            }
        }
        true
    }
}

/// Weights of the corners in the point that is nearest to the origin, of an edge; 0 of one that has no part.
#[inline]
fn of_segment([a, b]: [DVec3; 2]) -> [f64; 4] {
    let edge = b - a;
    let (along, squared) = (-a.dot(edge), edge.length_squared());
    if along <= 0.0 {
        [1.0, 0.0, 0.0, 0.0]
    } else if along >= squared {
        [0.0, 1.0, 0.0, 0.0]
    } else {
        let weight = along / squared;
        [1.0 - weight, weight, 0.0, 0.0]
    }
}

/// The same of a triangle of which the first edge has nothing nearer than its last corner.
fn of_triangle([a, b, c]: [DVec3; 3]) -> [f64; 4] {
    if let Some(inner) = inside_triangle([a, b, c]) {
        return inner;
    }
    let [bc, ca] = [[b, c], [c, a]].map(of_segment);
    let edges = [[0.0, bc[0], bc[1], 0.0], [ca[1], 0.0, ca[0], 0.0]];
    nearest_of(&edges, [a, b, c, DVec3::ZERO])
}

/// The same, where the point is none of an edge.
#[inline]
fn inside_triangle([a, b, c]: [DVec3; 3]) -> Option<[f64; 4]> {
    let (u, v) = (b - a, c - a);
    let normal = u.cross(v);
    let squared = normal.length_squared();
    let of_b = (-a).cross(v).dot(normal);
    let of_c = u.cross(-a).dot(normal);
    let of_a = squared - of_b - of_c;
    let is_inside = squared > 0.0 && of_a > 0.0 && of_b > 0.0 && of_c > 0.0;
    is_inside.then(|| [of_a / squared, of_b / squared, of_c / squared, 0.0])
}

/// The same of a tetrahedron of which the first face has nothing nearer than its last corner.
fn of_tetrahedron(corners: [DVec3; 4]) -> [f64; 4] {
    let [a, b, c, d] = corners;
    // How far the origin is inside each face, times the volume.
    let volume = (b - a).cross(c - a).dot(d - a);
    let beside = |p: DVec3, q: DVec3, r: DVec3, inner: DVec3| {
        let normal = (q - p).cross(r - p);
        normal.dot(-p) / normal.dot(inner - p)
    };
    let weights = [
        beside(b, c, d, a),
        beside(a, c, d, b),
        beside(a, b, d, c),
        beside(a, b, c, d),
    ];
    let is_inside = volume != 0.0 && weights.iter().all(|weight| *weight > 0.0);
    let [ad, bd, cd] = [a, b, c].map(|corner| of_segment([corner, d]));
    let mut all = [
        [ad[0], 0.0, 0.0, ad[1]],
        [0.0, bd[0], 0.0, bd[1]],
        [0.0, 0.0, cd[0], cd[1]],
        [0.0; 4],
        [0.0; 4],
        [0.0; 4],
        [0.0; 4],
    ];
    let mut count = 3;
    let mut add = |weights: Option<[f64; 4]>| {
        if let Some(weights) = weights {
            all[count] = weights;
            count += 1;
        }
    };
    add(inside_triangle([a, b, d]).map(|[of_a, of_b, of_d, _]| [of_a, of_b, 0.0, of_d]));
    add(inside_triangle([a, c, d]).map(|[of_a, of_c, of_d, _]| [of_a, 0.0, of_c, of_d]));
    add(inside_triangle([b, c, d]).map(|[of_b, of_c, of_d, _]| [0.0, of_b, of_c, of_d]));
    if is_inside {
        add(inside_triangle([a, b, c]));
    }
    let nearest = nearest_of(&all[..count], corners);
    if !is_inside {
        return nearest;
    }
    // What is inside is no farther from all faces than the tetrahedron is high: beside a flat one, as the points of
    // round shapes make them, rounding may say so of what is far outside.
    let areas = [[a, b, c], [a, b, d], [a, c, d], [b, c, d]].map(|[p, q, r]| {
        let product = (q - p).cross(r - p);
        product.length_squared()
    });
    let largest = areas.into_iter().fold(0.0, f64::max).sqrt();
    if at(corners, &nearest).length() * largest > 4.0 * volume.abs() {
        return nearest;
    }
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

fn at([a, b, c, d]: [DVec3; 4], weights: &[f64; 4]) -> DVec3 {
    a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3]
}

/// The weights of the nearest point, of equally near ones the first.
#[inline]
fn nearest_of(all: &[[f64; 4]], corners: [DVec3; 4]) -> [f64; 4] {
    let mut nearest = ([1.0, 0.0, 0.0, 0.0], f64::INFINITY);
    for weights in all {
        let squared = at(corners, weights).length_squared();
        if squared < nearest.1 {
            nearest = (*weights, squared);
        }
    }
    nearest.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow_phase::convex::closest::closest;
    use crate::test_rng::Rng;

    #[test]
    fn distances_are_those_of_the_closed_formulas() {
        let mut rng = Rng(5);
        for _ in 0..4000 {
            let mut point = || {
                DVec3::new(
                    rng.signed().into(),
                    rng.signed().into(),
                    rng.signed().into(),
                )
            };
            let triangle = Core::Triangle([point(), point(), point()]);
            let segment = Core::Segment([point() * 2.0, point() * 2.0]);
            let shift = point();
            for (obstacle, shape) in [
                (&triangle, &segment),
                (&segment, &triangle),
                (&segment, &segment),
            ] {
                let found = by_supports(obstacle, shape, shift);
                let expected = closest(obstacle, shape, shift);
                let [found, expected] = [found, expected].map(|closest| closest.squared().sqrt());
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{found} {expected} {obstacle:?} {shape:?}"
                );
            }
        }
    }
}
