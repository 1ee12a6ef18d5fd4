//! Rays against triangles of placed meshes in rational arithmetic, which rounds nothing.

use bevy_math::{Affine3A, DVec3, Vec3};
use bevy_shape::Ray3d;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

pub(crate) type Exact = BigRational;

type Vector = [Exact; 3];

pub(crate) fn exact(number: f64) -> Exact {
    BigRational::from_float(number).expect("a finite number")
}

fn vector(at: Vec3) -> Vector {
    at.to_array().map(|number| exact(f64::from(number)))
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|axis| &a[axis] - &b[axis])
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(one, other)| &a[one] * &b[other] - &a[other] * &b[one])
}

fn dot(a: &Vector, b: &Vector) -> Exact {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

/// Where a transform takes a point.
fn placed(affine: &Affine3A, at: Vec3) -> Vector {
    let axes = [affine.x_axis, affine.y_axis, affine.z_axis].map(|axis| vector(axis.into()));
    let translation = vector(affine.translation.into());
    let at = vector(at);
    [0, 1, 2].map(|axis| {
        let turned: Exact = (0..3).map(|from| &axes[from][axis] * &at[from]).sum();
        turned + &translation[axis]
    })
}

/// A triangle of a mesh, in the mesh's own space.
pub(crate) type Corners = [Vec3; 3];

/// How many times its direction's length a ray meets the front of a placed triangle; `None` where it does not.
pub(crate) fn front_crossing(ray: &Ray3d, affine: &Affine3A, corners: Corners) -> Option<Exact> {
    let [a, b, c] = corners.map(|corner| placed(affine, corner));
    let [origin, direction] = [vector(ray.origin), vector(*ray.direction)];
    let [ab, ac, from_a] = [minus(&b, &a), minus(&c, &a), minus(&origin, &a)];
    let across = cross(&direction, &ac);
    let determinant = dot(&ab, &across);
    if !determinant.is_positive() {
        return None;
    }
    let along = cross(&from_a, &ab);
    // All by the determinant, which is positive.
    let [u, v, t] = [
        dot(&from_a, &across),
        dot(&direction, &along),
        dot(&ac, &along),
    ];
    let is_inside = !u.is_negative() && !v.is_negative() && &u + &v <= determinant;
    (is_inside && !t.is_negative() && !determinant.is_zero()).then(|| t / determinant)
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
