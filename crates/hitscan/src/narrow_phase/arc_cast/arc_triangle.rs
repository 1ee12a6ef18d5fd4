//! An arc against a triangle.
//!
//! The arc intersects the triangle's plane at the roots of a quadratic; such a point is in the triangle where
//! three edge functions of the projection along one axis, each a quadratic too, have the sign of the
//! normal's component. Each sign is exact (`exact/quadratic_root.rs`), so that an arc never passes
//! between triangles that share an edge.

use super::arc::{BallisticArc, WideArc};
use super::search::ArcSearch;
use crate::exact::adaptive::{Approx, Formula, Number, sign};
use crate::exact::big_float::BigFloat;
use crate::exact::quadratic_root::{Quadratic, Root, roots_from};
use crate::shape::unit_vector::unit;
use crate::{RayCastSettings, RayHit, Side, Triangle, TriangleId};
use core::cmp::Ordering;
use glam::DVec3;

impl Triangle {
    /// The first hit of `arc` on the closed triangle.
    ///
    /// It is hit where the arc crosses it or only touches it; an arc that lies in its plane misses, and
    /// so does any arc a triangle without area. All decisions are exact, and t is the exact root
    /// rounded once.
    #[must_use]
    pub fn cast_arc(
        &self,
        arc: &BallisticArc,
        settings: impl Into<RayCastSettings>,
    ) -> Option<RayHit> {
        self.first_arc_hit(arc, settings.into())
    }

    fn first_arc_hit(&self, arc: &BallisticArc, settings: RayCastSettings) -> Option<RayHit> {
        if let Some(ray) = arc.as_ray() {
            return self.cast_ray(&ray, settings);
        }
        let mut search = ArcSearch::nearest(arc, settings);
        let id = TriangleId {
            part: 0,
            triangle: 0,
        };
        search.test_triangle(id, &self.wide(), Facing::Kept);
        search.into_best()
    }
}

/// Which way a triangle faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Facing {
    /// By its winding.
    Kept,
    /// Against its winding.
    Mirrored,
}

/// The arc's height over a triangle's plane, times the length of the normal.
struct PlaneHeight<'a> {
    arc: &'a WideArc,
    corners: &'a [DVec3; 3],
}

impl PlaneHeight<'_> {
    // Here and below without closures over axes, which the compiler does not inline: half of the time of
    // an arc that hits.
    #[inline]
    fn normal<N: Number>(&self) -> [N; 3] {
        let [a, b, c] = *self.corners;
        let [px, py, pz] = offset::<N>(a, b);
        let [qx, qy, qz] = offset::<N>(a, c);
        [
            py.times(&qz).minus(&pz.times(&qy)),
            pz.times(&qx).minus(&px.times(&qz)),
            px.times(&qy).minus(&py.times(&qx)),
        ]
    }

    #[inline]
    fn coefficients_along<N: Number>(&self, normal: &[N; 3]) -> [N; 3] {
        let Self { arc, corners } = self;
        let [x, y, z] = normal;
        let along = |[a, b, c]: [N; 3]| {
            let sum = x.times(&a).plus(&y.times(&b));
            sum.plus(&z.times(&c))
        };
        let given = |v: DVec3| [N::from_f64(v.x), N::from_f64(v.y), N::from_f64(v.z)];
        [
            along(offset(corners[0], arc.origin)),
            along(given(arc.velocity)),
            along(given(arc.half)),
        ]
    }
}

impl Quadratic for PlaneHeight<'_> {
    fn coefficients<N: Number>(&self) -> [N; 3] {
        self.coefficients_along(&self.normal::<N>())
    }
}

/// A component of the normal.
struct NormalComponent<'a>(&'a PlaneHeight<'a>, usize);

impl Formula for NormalComponent<'_> {
    fn value<N: Number>(&self) -> N {
        let [x, y, z] = self.0.normal::<N>();
        [x, y, z][self.1].clone()
    }
}

/// On which side of an edge the arc is, seen along an axis: twice the signed area of the triangle that
/// the edge makes with the arc's point.
struct EdgeFunction<'a> {
    arc: &'a WideArc,
    edge: [DVec3; 2],
    axis: usize,
}

impl Quadratic for EdgeFunction<'_> {
    #[inline]
    fn coefficients<N: Number>(&self) -> [N; 3] {
        let (arc, [p, q]) = (self.arc, self.edge);
        let [j, k] = [(self.axis + 1) % 3, (self.axis + 2) % 3];
        let edge = [N::difference(q[j], p[j]), N::difference(q[k], p[k])];
        let area = |a: &N, b: &N| edge[0].times(b).minus(&edge[1].times(a));
        let (along_j, along_k) = (
            arc.coefficients_from::<N>(p, j),
            arc.coefficients_from::<N>(p, k),
        );
        [
            area(&along_j[0], &along_k[0]),
            area(&along_j[1], &along_k[1]),
            area(&along_j[2], &along_k[2]),
        ]
    }
}

/// The vector from `from` to `to`.
#[inline]
fn offset<N: Number>(from: DVec3, to: DVec3) -> [N; 3] {
    [
        N::difference(to.x, from.x),
        N::difference(to.y, from.y),
        N::difference(to.z, from.z),
    ]
}

impl ArcSearch {
    /// Considers the arc's first hit on a triangle from a side that counts.
    #[inline]
    pub(crate) fn test_triangle(&mut self, id: TriangleId, corners: &[DVec3; 3], facing: Facing) {
        if let Some(hit) = self.triangle_hit(id, corners, facing) {
            self.consider(hit);
        }
    }

    fn triangle_hit(&self, id: TriangleId, corners: &[DVec3; 3], facing: Facing) -> Option<RayHit> {
        let arc = &self.arc;
        let plane = PlaneHeight { arc, corners };
        let normal = plane.normal::<Approx>();
        let roots = roots_from(&plane.coefficients_along(&normal), &plane);
        let mut axis = None;
        for root in roots.into_iter().flatten() {
            if root.compare_f64(&plane, arc.t_min).is_lt() {
                continue;
            }
            if root.compare_f64(&plane, self.limit()).is_gt() {
                return None;
            }
            let side = side(root.slope(), facing);
            if !self.settings.admits(side) {
                continue;
            }
            let (axis, area) = match axis {
                Some(known) => known,
                None => *axis.insert(projection(&plane, &normal)?),
            };
            let Some(weights) = weights(&plane, root, axis, area) else {
                continue;
            };
            let t = (root.nearest_f32(&plane), root.to_f64());
            let normal = match facing {
                Facing::Kept => unit_normal(&plane, &normal),
                Facing::Mirrored => -unit_normal(&plane, &normal) + glam::Vec3::ZERO,
            };
            return Some(arc.hit_on(t, (normal, side), (id, weights)));
        }
        None
    }
}

/// The side of a hit, by the sign of the velocity along the normal.
fn side(slope: Ordering, facing: Facing) -> Side {
    let against = match facing {
        Facing::Kept => Ordering::Less,
        Facing::Mirrored => Ordering::Greater,
    };
    if slope == against {
        Side::Front
    } else {
        Side::Back
    }
}

/// An axis along which the triangle's projection has area, and that area's sign; `None` for a triangle
/// without area.
#[inline]
fn projection(plane: &PlaneHeight<'_>, normal: &[Approx; 3]) -> Option<(usize, Ordering)> {
    let mut best = 0;
    for axis in 1..3 {
        if normal[axis].value.abs() > normal[best].value.abs() {
            best = axis;
        }
    }
    match normal[best].sign() {
        Some(area) if area.is_ne() => Some((best, area)),
        _ => (0..3).find_map(|axis| {
            let area = sign(&NormalComponent(plane, axis));
            area.is_ne().then_some((axis, area))
        }),
    }
}

/// The barycentric weights of the second and third corner, where the root's point is in the closed
/// triangle.
#[inline]
fn weights(plane: &PlaneHeight<'_>, root: Root, axis: usize, area: Ordering) -> Option<[f64; 2]> {
    let PlaneHeight { arc, corners } = *plane;
    let mut weights = [0.0; 3];
    for (k, weight) in weights.iter_mut().enumerate() {
        let edge = [corners[(k + 1) % 3], corners[(k + 2) % 3]];
        let function = EdgeFunction { arc, edge, axis };
        let (sign, value) = root.sign_and_value(plane, &function);
        if sign == area.reverse() && sign.is_ne() {
            return None;
        }
        if sign.is_ne() {
            *weight = value.abs();
        }
    }
    let sum = weights[0] + weights[1] + weights[2];
    Some([weights[1] / sum, weights[2] / sum].map(|weight| if sum > 0.0 { weight } else { 0.0 }))
}

/// The normal by the winding at unit length, with components of small relative error.
fn unit_normal(plane: &PlaneHeight<'_>, normal: &[Approx; 3]) -> glam::Vec3 {
    let [x, y, z] = [0, 1, 2].map(|axis: usize| normal[axis].value);
    let max = x.abs().max(y.abs()).max(z.abs());
    let error = normal.iter().fold(0.0, |max: f64, one| max.max(one.error));
    if error <= 1e-10 * max {
        return unit(DVec3::new(x, y, z));
    }
    let parts = plane.normal::<BigFloat>().map(|one| one.to_parts());
    let top = parts.iter().filter(|(mantissa, _)| *mantissa != 0.0);
    let top = top.map(|(_, power)| *power).max().unwrap_or(0);
    let [x, y, z] = parts.map(|(mantissa, power)| {
        let power = i32::try_from((power - top).max(-2000)).unwrap_or(0);
        libm::ldexp(mantissa, power)
    });
    unit(DVec3::new(x, y, z))
}
