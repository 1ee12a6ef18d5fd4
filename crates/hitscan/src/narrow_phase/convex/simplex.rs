//! Corners of the difference of two cores, at most four, and the point of their hull that is nearest to the origin.
//!
//! Source: Ericson, "Real-Time Collision Detection", 2005, sections 5.1.5 and 5.1.6, for the closest points of triangles
//! and tetrahedra.

use super::closest_segments::{Closest, Feature};
use glam::DVec3;

/// A corner of the difference, and the two corners that it is made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex {
    pub(super) place: DVec3,
    pub(super) on_obstacle: DVec3,
    /// Before the shape is shifted.
    pub(super) on_shape: DVec3,
    /// Where the searches on large polytopes begin the next time.
    pub(super) starts: [u16; 2],
}

impl Vertex {
    pub(super) fn new([on_obstacle, on_shape]: [DVec3; 2], shift: DVec3, starts: [u16; 2]) -> Self {
        Self {
            place: on_obstacle - (on_shape + shift),
            on_obstacle,
            on_shape,
            starts,
        }
    }
}

/// Corners of the difference, with the weights that make the point of their hull nearest to the origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Simplex {
    vertices: [Vertex; 4],
    weights: [f64; 4],
    /// 0 before a search.
    count: usize,
    /// Along which the search begins.
    first: DVec3,
}

impl Simplex {
    /// None yet: the nearer that the direction is to the way from the obstacle to the shape, the fewer steps the
    /// search takes.
    pub(super) fn toward(first: DVec3) -> Self {
        Self {
            vertices: [Vertex::new([DVec3::ZERO; 2], DVec3::ZERO, [0; 2]); 4],
            weights: [0.0; 4],
            count: 0,
            first,
        }
    }

    /// Along which its first corner is the furthest, while it has none.
    pub(super) fn first(&self) -> Option<DVec3> {
        (self.count == 0).then_some(self.first)
    }

    pub(super) fn begin(&mut self, first: Vertex) {
        self.vertices[0] = first;
        self.keep([1.0, 0.0, 0.0, 0.0]);
    }

    /// Whether it is a tetrahedron around the origin.
    pub(super) fn holds_origin(&self) -> bool {
        self.count == 4
    }

    /// Where the searches on large polytopes go on.
    pub(super) fn starts(&self) -> [u16; 2] {
        self.vertices[self.count - 1].starts
    }

    pub(super) fn has(&self, next: &Vertex) -> bool {
        let vertices = &self.vertices[..self.count];
        let is_next = |known: &Vertex| {
            known.on_obstacle == next.on_obstacle && known.on_shape == next.on_shape
        };
        vertices.iter().any(is_next)
    }

    /// Leaves what of it is nearest to the origin with the shape shifted otherwise, nothing where it held the origin.
    pub(super) fn shift(&mut self, shift: DVec3) {
        for vertex in &mut self.vertices[..self.count] {
            let Vertex {
                on_obstacle,
                on_shape,
                starts,
                ..
            } = *vertex;
            *vertex = Vertex::new([on_obstacle, on_shape], shift, starts);
        }
        let [a, b, c, _] = self.vertices.map(|vertex| vertex.place);
        self.keep(match self.count {
            1 => [1.0, 0.0, 0.0, 0.0],
            2 => of_segment([a, b]),
            3 => {
                let [of_a, of_b, ..] = of_segment([a, b]);
                let others = of_triangle([a, b, c]);
                nearest_of(&[others, [of_a, of_b, 0.0, 0.0]], [a, b, c, DVec3::ZERO])
            }
            _ => [0.0; 4],
        });
    }

    /// The point of the simplex that is nearest to the origin.
    pub(super) fn nearest(&self) -> DVec3 {
        self.weighted(|vertex| vertex.place)
    }

    fn weighted(&self, of: impl Fn(&Vertex) -> DVec3) -> DVec3 {
        let vertices = self.vertices[..self.count].iter().zip(&self.weights);
        vertices.fold(DVec3::ZERO, |sum, (vertex, weight)| {
            sum + of(vertex) * *weight
        })
    }

    pub(super) fn closest(&self, shift: DVec3) -> Closest {
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
                self.weighted(|vertex| vertex.on_shape + shift)
            },
            feature,
        }
    }

    /// Adds a vertex and leaves those of the face, edge or corner that is nearest to the origin. Does nothing where
    /// that is no nearer than this squared distance: rounding may hide the gain.
    pub(super) fn add(&mut self, next: Vertex, squared: f64) -> bool {
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
        self.keep(weights);
        true
    }

    /// Leaves the vertices that have a weight.
    fn keep(&mut self, weights: [f64; 4]) {
        self.count = 0;
        for (vertex, weight) in weights.into_iter().enumerate() {
            if weight > 0.0 {
                self.vertices[self.count] = self.vertices[vertex];
                self.weights[self.count] = weight;
                self.count += 1;
            }
        }
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

/// The same of a triangle whose first edge is no nearer than its last corner.
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

/// The same of a tetrahedron whose first face is no nearer than its last corner.
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
