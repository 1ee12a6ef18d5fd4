//! The floating-point filter: the formulas of the test in f64, each written once, and the filter of
//! one ray and one triangle a lane. `predicate.rs` has that of one ray and its fallback.
//!
//! What makes an answer (edge functions, normal, t) is the same operations in the same order in both,
//! so an answer has the same bits from either. The filter of a lane is sure of less: its bounds are
//! never below those of the predicate, since they are the same functions of greater sizes
//! (`bounds.rs`). Where the filter fails, the caller falls back on the predicate.

use super::bounds;
use super::hit::{Feature, TriangleHit, side};
use super::lanes::{Direction, Lanes, Vectors};
use crate::exact::expansion::nearest_f32;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use fearless_simd::{Simd, f64x4, prelude::*};
use glam::{BVec3, DVec3};

/// The edge function of the edge that starts at `from`, seen from the ray's origin, and goes `along`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn edge_function<V: Lanes>(direction: impl Direction<V>, from: Vectors<V>, along: Vectors<V>) -> V {
    direction.dot(from.cross(along))
}

/// The edge functions of a triangle, and bounds on their errors. Function k belongs to the edge
/// opposite corner k.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn edge_functions<S: Simd>(
    simd: S,
    ray: &LocalRay,
    corners: &[DVec3; 3],
) -> ([f64; 3], [f64; 3]) {
    let [a, b, c] = corners;
    // One edge a lane, from p to q; the fourth repeats the first.
    let start = Vectors {
        x: f64x4::load_array(simd, [b.x, c.x, a.x, b.x]),
        y: f64x4::load_array(simd, [b.y, c.y, a.y, b.y]),
        z: f64x4::load_array(simd, [b.z, c.z, a.z, b.z]),
    };
    let end = Vectors {
        x: start.x.slide::<1>(start.x),
        y: start.y.slide::<1>(start.y),
        z: start.z.slide::<1>(start.z),
    };
    let along = end - start;
    let from = start - Vectors::splat(simd, ray.origin);
    let values = edge_function(Vectors::splat(simd, ray.direction), from, along);
    let direction = f64x4::splat(simd, Vectors::from(ray.direction).max_abs());
    let bounds = bounds::edge_bound(direction, from.max_abs(), along.max_abs());
    let ([p, q, r, _], [s, t, u, _]) = (values.to_array(), bounds.to_array());
    ([p, q, r], [s, t, u])
}

/// t where rays hit the planes of triangles.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlaneParameter<V: Lanes> {
    pub(super) t: V,
    /// Bound on the error of t,
    pub(super) error: V,
    /// where this is set.
    pub(super) is_bounded: V::Mask,
}

/// t at the planes with these normals through the corners, whose sides have these sizes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn plane_parameter<V: Lanes>(
    direction: impl Direction<V>,
    (normal, sides): (Vectors<V>, [V; 2]),
    (to_corner, size): (Vectors<V>, V),
) -> PlaneParameter<V> {
    let denominator = direction.dot(normal);
    let t = normal.dot(to_corner) / denominator;
    let errors = bounds::volume_bounds(sides, size, direction.max_abs());
    PlaneParameter {
        t,
        error: bounds::quotient_bound(t, denominator, errors),
        is_bounded: bounds::is_quotient_bounded(denominator, errors[1]),
    }
}

/// The filter's classification of a ray and a triangle.
pub(crate) enum Filtered {
    Miss,
    TriangleHit(TriangleHit),
    /// The filter fails: [`intersect`](super::intersect).
    Uncertain,
}

/// Rays and triangles side by side, one of each a lane, filtered.
pub(crate) struct FilteredBatch<V> {
    edges: [V; 3],
    sum: V,
    pub(crate) normal: Vectors<V>,
    pub(crate) t: V,
    /// Bound on the error of t.
    error: V,
    /// The lanes that miss, as bits.
    is_miss: u64,
    /// The lanes whose line hits the inside, where the rounded numbers make the answer.
    is_hit: u64,
}

/// A triangle as seen from a ray's origin.
pub(crate) struct RelativeTriangle<V> {
    /// The corners.
    from: [Vectors<V>; 3],
    /// The edges opposite the corners.
    along: [Vectors<V>; 3],
    /// From the first corner to the third.
    side: Vectors<V>,
}

/// The sizes on which bounds depend; greater ones give greater bounds.
pub(crate) struct Sizes<V> {
    first_corner: V,
    any_corner: V,
    any_edge: V,
    /// The edges from the first corner to the second and the third.
    sides: [V; 2],
}

impl<V: Lanes> RelativeTriangle<V> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(origin: Vectors<V>, [a, b, c]: [Vectors<V>; 3]) -> Self {
        Self {
            from: [a - origin, b - origin, c - origin],
            along: [c - b, a - c, b - a],
            side: c - a,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sizes(&self) -> Sizes<V> {
        let [a, b, c] = &self.from;
        let (a, b, c) = (a.max_abs(), b.max_abs(), c.max_abs());
        let [opposite, q, p] = &self.along;
        let (opposite, q, p) = (opposite.max_abs(), q.max_abs(), p.max_abs());
        Sizes {
            first_corner: a,
            any_corner: a.max(b).max(c),
            any_edge: opposite.max(q).max(p),
            sides: [p, q],
        }
    }

    /// As [`Self::sizes`], or greater, where no x or z is greater than `across`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn sizes_in_column(&self, across: V) -> Sizes<V> {
        let [a, b, c] = &self.from;
        let corner = a.y.abs().max(b.y.abs()).max(c.y.abs().max(across));
        let [opposite, q, p] = &self.along;
        let (q, p) = (q.y.abs().max(across), p.y.abs().max(across));
        Sizes {
            first_corner: corner,
            any_corner: corner,
            any_edge: opposite.y.abs().max(q).max(p),
            sides: [p, q],
        }
    }
}

impl<V: Lanes> FilteredBatch<V> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(
        origin: Vectors<V>,
        direction: impl Direction<V>,
        corners: [Vectors<V>; 3],
    ) -> Self {
        let triangle = RelativeTriangle::new(origin, corners);
        let sizes = triangle.sizes();
        Self::with_sizes(direction, triangle, sizes)
    }

    /// As [`Self::new`], with sizes that may be greater.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn with_sizes(
        direction: impl Direction<V>,
        RelativeTriangle { from, along, side }: RelativeTriangle<V>,
        sizes: Sizes<V>,
    ) -> Self {
        let edges = [
            edge_function(direction, from[1], along[0]),
            edge_function(direction, from[2], along[1]),
            edge_function(direction, from[0], along[2]),
        ];
        let sum = edges[0] + edges[1] + edges[2];
        // One bound for all edges.
        let bound = bounds::edge_bound(direction.max_abs(), sizes.any_corner, sizes.any_edge);
        let max = edges[0].max(edges[1]).max(edges[2]);
        let min = edges[0].min(edges[1]).min(edges[2]);
        let is_miss = max.is_greater(bound) & min.is_less(-bound);
        let is_inside = min.is_greater(bound) | max.is_less(-bound);
        let normal = along[2].cross(side);
        let to_corner = (from[0], sizes.first_corner);
        let plane = plane_parameter(direction, (normal, sizes.sides), to_corner);
        let is_hit = is_inside
            & bounds::are_precise([bound; 3], sum)
            & bounds::is_normal_precise(normal.max_abs(), sizes.sides)
            & plane.is_bounded;
        Self {
            edges,
            sum,
            normal,
            t: plane.t,
            error: plane.error,
            is_miss: V::to_bits(is_miss),
            is_hit: V::to_bits(is_hit),
        }
    }

    /// The classification of the lane's ray.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn filter(&self, ray: &LocalRay, lane: usize) -> Filtered {
        if self.is_miss >> lane & 1 == 1 {
            return Filtered::Miss;
        }
        let t = self.t.lane(lane);
        let is_hit = self.is_hit >> lane & 1 == 1
            && is_rounded_alike_in_range(ray, t, self.error.lane(lane));
        if !is_hit {
            return Filtered::Uncertain;
        }
        let sum = self.sum.lane(lane);
        let Vectors { x, y, z } = self.normal;
        Filtered::TriangleHit(TriangleHit {
            t: nearest_f32(t),
            t_wide: t,
            weights: [
                self.edges[1].lane(lane) / sum,
                self.edges[2].lane(lane) / sum,
            ],
            normal: DVec3::new(x.lane(lane), y.lane(lane), z.lane(lane)),
            side: side(sum),
            feature: Feature::Face,
        })
    }
}

/// Whether all that t may be lies in the ray's range and rounds to the same f32.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn is_rounded_alike_in_range(ray: &LocalRay, t: f64, error: f64) -> bool {
    let (low, high) = (t - error, t + error);
    low > ray.t_min && high < ray.t_max && nearest_f32(low) == nearest_f32(high)
}
/// Which of the values are surely above zero, and which surely below.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn sure_signs(values: &[f64; 3], bounds: &[f64; 3]) -> [BVec3; 2] {
    let (values, bounds) = (DVec3::from_array(*values), DVec3::from_array(*bounds));
    [values.cmpgt(bounds), values.cmplt(-bounds)]
}
