//! Rays against triangles of placed meshes in arithmetic that rounds nothing.

use crate::whole_number::Whole;
use bevy_math::{Affine3A, DVec3, Vec3};
use bevy_shape::Ray3d;
use std::cmp::Ordering;

/// Whole numbers, all scaled by one power of two.
type Vector = [Whole; 3];

/// Where a ray hits a triangle: a fraction of its direction's length, with a positive denominator.
#[derive(Clone, Debug)]
pub(crate) struct Crossing {
    numerator: Whole,
    denominator: Whole,
}

impl Crossing {
    pub(crate) fn cmp(&self, other: &Self) -> Ordering {
        let [one, other] = [
            &self.numerator * &other.denominator,
            &other.numerator * &self.denominator,
        ];
        let difference = &one - &other;
        if difference.is_negative() {
            Ordering::Less
        } else if difference.is_positive() {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    }

    pub(crate) fn to_f64(&self) -> f64 {
        self.numerator.quotient(&self.denominator)
    }
}

fn vector(at: Vec3) -> Vector {
    at.to_array().map(Whole::of)
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|axis| &a[axis] - &b[axis])
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(one, other)| &(&a[one] * &b[other]) - &(&a[other] * &b[one]))
}

fn dot(a: &Vector, b: &Vector) -> Whole {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

/// Where a transform takes a point, scaled twice.
fn placed(affine: &Affine3A, at: Vec3) -> Vector {
    let axes = [affine.x_axis, affine.y_axis, affine.z_axis].map(|axis| vector(axis.into()));
    let translation = scaled_again(affine.translation.into());
    let at = vector(at);
    [0, 1, 2].map(|axis| {
        let along = [0, 1, 2].map(|from| &axes[from][axis] * &at[from]);
        let turned = &(&along[0] + &along[1]) + &along[2];
        &turned + &translation[axis]
    })
}

fn scaled_again(at: Vec3) -> Vector {
    vector(at).map(|number| &number * &Whole::unit())
}

/// A triangle of a mesh, in the mesh's own space.
pub(crate) type Corners = [Vec3; 3];

/// Where a ray hits the front of a placed triangle, its edges counting; `None` where it does not.
pub(crate) fn front_crossing(ray: &Ray3d, affine: &Affine3A, corners: Corners) -> Option<Crossing> {
    let [a, b, c] = corners.map(|corner| placed(affine, corner));
    let [origin, direction] = [ray.origin, *ray.direction].map(scaled_again);
    let [ab, ac, from_a] = [minus(&b, &a), minus(&c, &a), minus(&origin, &a)];
    let across = cross(&direction, &ac);
    let determinant = dot(&ab, &across);
    if !determinant.is_positive() {
        return None;
    }
    let along = cross(&from_a, &ab);
    // All multiplied by the determinant, which is positive.
    let [u, v, t] = [
        dot(&from_a, &across),
        dot(&direction, &along),
        dot(&ac, &along),
    ];
    let rest = &determinant - &(&u + &v);
    let is_inside = [&u, &v, &rest, &t]
        .iter()
        .all(|number| !number.is_negative());
    is_inside.then_some(Crossing {
        numerator: t,
        denominator: determinant,
    })
}

/// Whether a ray may come near a placed triangle at all: in f64, with room for its rounding many times over.
pub(crate) fn is_near(ray: &Ray3d, affine: &Affine3A, corners: Corners) -> bool {
    let wide = |at: Vec3| at.as_dvec3();
    let axes = [affine.x_axis, affine.y_axis, affine.z_axis].map(|axis| wide(axis.into()));
    let [a, b, c] = corners.map(|at| {
        let at = wide(at);
        axes[0] * at.x + axes[1] * at.y + axes[2] * at.z + wide(affine.translation.into())
    });
    let [origin, direction] = [wide(ray.origin), wide(*ray.direction)];
    let middle: DVec3 = (a + b + c) / 3.0;
    let reach = [a, b, c].map(|at| at.distance(middle));
    let reach = reach.into_iter().fold(0.0, f64::max);
    let along = (middle - origin).dot(direction) / direction.length_squared();
    (origin + direction * along).distance(middle) <= reach * 1.001
}
