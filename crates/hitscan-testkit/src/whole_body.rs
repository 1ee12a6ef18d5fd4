//! Convex bodies in whole numbers: corners, edges, faces, axes and distances by brute force.
//!
//! Slow and plain on purpose; it shares neither code nor method with the library. Nothing here moves.

use core::cmp::Ordering;
use glam::DVec3;
use hitscan::Primitive;
use hitscan::convex::examined::ExaminedShape;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

/// A point or a vector.
pub type Vector = [BigInt; 3];

/// All lengths are whole multiples of 2^-SHIFT.
pub const SHIFT: u32 = 220;

/// A length in whole numbers.
///
/// # Panics
/// For what is not a multiple of the finest step.
#[must_use]
pub fn whole(x: f64) -> BigInt {
    let scaled = BigRational::from_float(x).expect("finite") * (BigInt::from(1) << SHIFT);
    assert!(scaled.is_integer(), "{x}");
    scaled.to_integer()
}

/// A vector in whole numbers.
///
/// # Panics
/// For what is not a multiple of the finest step.
#[must_use]
pub fn whole_vector(v: DVec3) -> Vector {
    v.to_array().map(whole)
}

/// `a - b`.
#[must_use]
pub fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|i: usize| &a[i] - &b[i])
}

/// `a · b`.
#[must_use]
pub fn dot(a: &Vector, b: &Vector) -> BigInt {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

/// `a × b`.
#[must_use]
pub fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j): (usize, usize)| &a[i] * &b[j] - &a[j] * &b[i])
}

fn is_zero(a: &Vector) -> bool {
    a.iter().all(Zero::is_zero)
}

/// A squared length as a fraction, with a vector along it.
#[derive(Clone, Debug)]
pub struct Squared {
    /// Not negative.
    pub numerator: BigInt,
    /// Positive.
    pub denominator: BigInt,
    /// Of any length.
    pub along: Vector,
}

impl Squared {
    /// How two squared lengths compare.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }

    fn least(all: Vec<Self>) -> Self {
        let mut all = all.into_iter();
        let first = all.next().expect("cores have corners");
        all.fold(first, |least, next| {
            if next.compare(&least).is_lt() {
                next
            } else {
                least
            }
        })
    }
}

/// A core: its corners, edges, faces as triangles, and the directions that make axes.
pub struct Body {
    /// The corners of the core.
    pub corners: Vec<Vector>,
    /// Edges, by their corners.
    pub edges: Vec<[usize; 2]>,
    /// Faces as triangles, by their corners.
    pub triangles: Vec<[usize; 3]>,
    /// The normals of the faces, in order.
    pub normals: Vec<Vector>,
    /// The directions of the edges, in order.
    pub directions: Vec<Vector>,
    /// How far the shape reaches from its core.
    pub radius: BigInt,
}

impl Body {
    /// The body of a shape; turned boxes must not be flat.
    ///
    /// # Panics
    /// For coordinates that are no multiples of the finest step.
    #[must_use]
    pub fn new(shape: &ExaminedShape) -> Self {
        let of = |corners: &[DVec3], radius: f64| Self {
            corners: corners.iter().map(|corner| whole_vector(*corner)).collect(),
            edges: Vec::new(),
            triangles: Vec::new(),
            normals: Vec::new(),
            directions: Vec::new(),
            radius: whole(radius),
        };
        match shape {
            ExaminedShape::Triangle(corners) => {
                let mut body = of(corners, 0.0);
                body.edges = vec![[0, 1], [1, 2], [2, 0]];
                body.triangles = vec![[0, 1, 2]];
                body.directions = (0..3).map(|i| body.way([i, (i + 1) % 3])).collect();
                body.normals = vec![cross(&body.directions[0], &body.directions[1])];
                body
            }
            ExaminedShape::Solid(Primitive::Sphere(sphere)) => {
                of(&[sphere.center().as_dvec3()], sphere.radius())
            }
            ExaminedShape::Solid(Primitive::Capsule(capsule)) => {
                let (a, b) = (capsule.a().as_dvec3(), capsule.b().as_dvec3());
                if a == b {
                    return of(&[a], capsule.radius());
                }
                let mut body = of(&[a, b], capsule.radius());
                body.edges = vec![[0, 1]];
                body.directions = vec![body.way([0, 1])];
                body
            }
            ExaminedShape::Solid(Primitive::Aabb(aabb)) => {
                let (min, max) = (aabb.min().as_dvec3(), aabb.max().as_dvec3());
                let pick = |k: usize, i: usize| if k >> i & 1 == 1 { max[i] } else { min[i] };
                let corners: Vec<DVec3> = (0..8)
                    .map(|k| DVec3::new(pick(k, 0), pick(k, 1), pick(k, 2)))
                    .collect();
                of(&corners, 0.0).into_box(&DVec3::AXES)
            }
            ExaminedShape::Solid(Primitive::Obb(obb)) => {
                let corners = obb.corners();
                let edges = [1, 2, 4].map(|k: usize| corners[k] - corners[0]);
                assert!(
                    edges.iter().all(|edge| *edge != DVec3::ZERO),
                    "flat ones are upright here"
                );
                of(&corners, 0.0).into_box(&edges)
            }
            ExaminedShape::Solid(_) => panic!("a hull or a cylinder"),
        }
    }

    fn way(&self, [from, to]: [usize; 2]) -> Vector {
        minus(&self.corners[to], &self.corners[from])
    }

    fn into_box(mut self, directions: &[DVec3; 3]) -> Self {
        for axis in 0..3 {
            let [j, k] = [1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)];
            for at in [0, 1 << axis] {
                self.triangles.push([at, at | j, at | k]);
                self.triangles.push([at | j, at | k, at | j | k]);
            }
            let lower = (0..8).filter(|k| k >> axis & 1 == 0);
            self.edges.extend(lower.map(|k| [k, k | 1 << axis]));
        }
        self.directions = directions.map(whole_vector).to_vec();
        let [x, y, z] = directions.map(whole_vector);
        self.normals = vec![cross(&y, &z), cross(&z, &x), cross(&x, &y)];
        self
    }

    /// The maximum height along an axis.
    ///
    /// # Panics
    /// For a body without corners.
    #[must_use]
    pub fn highest(&self, axis: &Vector) -> BigInt {
        self.corners
            .iter()
            .map(|corner| dot(axis, corner))
            .max()
            .expect("corners")
    }

    /// The least height along an axis.
    ///
    /// # Panics
    /// For a body without corners.
    #[must_use]
    pub fn lowest(&self, axis: &Vector) -> BigInt {
        self.corners
            .iter()
            .map(|corner| dot(axis, corner))
            .min()
            .expect("corners")
    }

    /// Whether a box holds a point, its surface included.
    fn holds(&self, point: &Vector) -> bool {
        self.corners.len() == 8
            && self.normals.iter().all(|normal| {
                let height = dot(normal, point);
                self.lowest(normal) <= height && height <= self.highest(normal)
            })
    }
}

fn point_point(a: &Vector, p: &Vector) -> Squared {
    let along = minus(p, a);
    Squared {
        numerator: dot(&along, &along),
        denominator: BigInt::from(1),
        along,
    }
}

/// From the segment to the point.
fn segment_point([a, b]: [&Vector; 2], p: &Vector) -> Squared {
    let (edge, way) = (minus(b, a), minus(p, a));
    let (along, whole) = (dot(&edge, &way), dot(&edge, &edge));
    if !along.is_positive() {
        return point_point(a, p);
    }
    if along >= whole {
        return point_point(b, p);
    }
    let moment = cross(&way, &edge);
    Squared {
        numerator: dot(&moment, &moment),
        denominator: whole,
        along: cross(&edge, &moment),
    }
}

fn plane(normal: &Vector, way: &Vector) -> Squared {
    let height = dot(normal, way);
    let along = if height.is_negative() {
        normal.clone().map(|x| -x)
    } else {
        normal.clone()
    };
    Squared {
        numerator: &height * &height,
        denominator: dot(normal, normal),
        along,
    }
}

/// From the triangle to the point.
fn triangle_point([a, b, c]: [&Vector; 3], p: &Vector) -> Squared {
    let (ab, ac, ap) = (minus(b, a), minus(c, a), minus(p, a));
    let normal = cross(&ab, &ac);
    let of_b = dot(&cross(&ap, &ac), &normal);
    let of_c = dot(&cross(&ab, &ap), &normal);
    let whole = dot(&normal, &normal);
    let is_inside = !of_b.is_negative() && !of_c.is_negative() && &of_b + &of_c <= whole;
    if is_inside && whole.is_positive() {
        return plane(&normal, &ap);
    }
    Squared::least(
        [[a, b], [b, c], [c, a]]
            .map(|edge| segment_point(edge, p))
            .to_vec(),
    )
}

fn reversed(squared: Squared) -> Squared {
    Squared {
        along: squared.along.map(|x| -x),
        ..squared
    }
}

/// From the first segment to the second.
fn segment_segment([p, q]: [&Vector; 2], [r, s]: [&Vector; 2]) -> Squared {
    let (u, v, w) = (minus(q, p), minus(s, r), minus(r, p));
    let normal = cross(&u, &v);
    let whole = dot(&normal, &normal);
    let (of_u, of_v) = (dot(&cross(&w, &v), &normal), dot(&cross(&w, &u), &normal));
    let is_part = |along: &BigInt| !along.is_negative() && *along <= whole;
    if whole.is_positive() && is_part(&of_u) && is_part(&of_v) {
        return plane(&normal, &w);
    }
    Squared::least(vec![
        segment_point([p, q], r),
        segment_point([p, q], s),
        reversed(segment_point([r, s], p)),
        reversed(segment_point([r, s], q)),
    ])
}

/// The squared distance of two cores, from the first to the second; 0 where they meet.
///
/// # Panics
/// For bodies without corners.
#[must_use]
pub fn distance(a: &Body, b: &Body) -> Squared {
    let mut all = Vec::new();
    for p in &a.corners {
        for q in &b.corners {
            all.push(point_point(p, q));
        }
    }
    let from = |all: &mut Vec<Squared>, a: &Body, b: &Body, is_reversed: bool| {
        let mut add = |found| all.push(if is_reversed { reversed(found) } else { found });
        for p in &b.corners {
            for triangle in &a.triangles {
                add(triangle_point(triangle.map(|i| &a.corners[i]), p));
            }
            for edge in &a.edges {
                add(segment_point(edge.map(|i| &a.corners[i]), p));
            }
        }
    };
    from(&mut all, a, b, false);
    from(&mut all, b, a, true);
    for edge in &a.edges {
        for other in &b.edges {
            let (edge, other) = (edge.map(|i| &a.corners[i]), other.map(|i| &b.corners[i]));
            all.push(segment_segment(edge, other));
        }
    }
    // An edge may pass a triangle inside, far from its edges and corners.
    let passes = |a: &Body, b: &Body| {
        b.edges.iter().any(|edge| {
            a.triangles.iter().any(|triangle| {
                let [o, p, q] = triangle.map(|i| &a.corners[i]);
                let normal = cross(&minus(p, o), &minus(q, o));
                let [start, end] = edge.map(|i| dot(&normal, &minus(&b.corners[i], o)));
                if !(start.is_negative() && end.is_positive()
                    || start.is_positive() && end.is_negative())
                {
                    return false;
                }
                let way = b.way(*edge);
                let sides = [[o, p], [p, q], [q, o]].map(|[from, to]| {
                    dot(
                        &cross(&minus(to, from), &minus(&b.corners[edge[0]], from)),
                        &way,
                    )
                });
                sides.iter().all(|side| !side.is_negative())
                    || sides.iter().all(|side| !side.is_positive())
            })
        })
    };
    let mut least = Squared::least(all);
    if passes(a, b) || passes(b, a) || a.holds(&b.corners[0]) || b.holds(&a.corners[0]) {
        least.numerator = BigInt::zero();
    }
    least
}

/// The axes of two cores in order, without zero vectors.
#[must_use]
pub fn axes(obstacle: &Body, shape: &Body) -> Vec<Vector> {
    let mut axes: Vec<Vector> = obstacle
        .normals
        .iter()
        .chain(&shape.normals)
        .cloned()
        .collect();
    for a in &obstacle.directions {
        for b in &shape.directions {
            axes.push(cross(a, b));
        }
    }
    axes.retain(|axis| !is_zero(axis));
    axes
}

/// A vector in f64 at unit length.
///
/// # Panics
/// For a vector of zero.
#[must_use]
pub fn unit(along: &Vector) -> DVec3 {
    let most = along.iter().map(Signed::abs).max().expect("three");
    let scaled = along.clone().map(|x| {
        BigRational::new(x, most.clone())
            .to_f64()
            .expect("at most 1")
    });
    let scaled = DVec3::from_array(scaled);
    scaled / scaled.length()
}
