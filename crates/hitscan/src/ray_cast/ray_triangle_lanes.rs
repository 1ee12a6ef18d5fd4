//! Rays and triangles side by side, one of each a lane: the plain case of the exact test, in line.
//!
//! `ray_triangle.rs` decides, and this answers the same bits: it does the operations of the exact
//! test that make an answer, and where a coarser bound than there shows that none of its careful
//! branches would be taken, the answer stands. Else the asker asks there.

use super::hit::{GREATEST, RayHit, Side, TriangleId};
use super::ray::LocalRay;
use super::ray_triangle::{Feature, TriangleHit};
use crate::exact::expansion::{UNIT_ROUNDOFF, nearest_f32};
use core::ops::Sub;
use fearless_simd::{Simd, f32x8, f64x8, prelude::*};
use glam::{DVec3, Vec3};

/// How many stand side by side in batches.
pub(crate) const LANES: usize = 8;

/// More than the bound of `ray_triangle.rs` on the error of an edge function, in the same units, by
/// a margin for the roundings here.
pub(crate) const EDGE_ERROR: f64 = 50.0 * UNIT_ROUNDOFF;

/// More than the bound of `ray_triangle.rs` on the error of a volume, in the same units, by a margin
/// for the roundings here.
pub(crate) const VOLUME_ERROR: f64 = 66.0 * UNIT_ROUNDOFF;

pub(crate) enum Filtered {
    Miss,
    TriangleHit(TriangleHit),
    Uncertain,
}

/// Triangles side by side, and what the exact test works out of them.
pub(crate) struct FilteredBatch<V> {
    edges: [V; 3],
    sum: V,
    pub(crate) normal: Vectors<V>,
    pub(crate) t: V,
    /// How far t may be off.
    error: V,
    is_miss: u64,
    /// Whether all but t is as plain arithmetic has it.
    is_plain: u64,
}

impl<V> FilteredBatch<V> {
    /// One ray and one triangle a lane.
    #[inline(always)]
    pub(crate) fn of<S: Simd>(
        origin: Vectors<V>,
        direction: Vectors<V>,
        [a, b, c]: [Vectors<V>; 3],
    ) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        let along = [c - b, a - c, b - a];
        let (p, q) = (b - a, c - a);
        let [a, b, c] = [a - origin, b - origin, c - origin];
        let edges = [
            direction.dot(b.cross(along[0])),
            direction.dot(c.cross(along[1])),
            direction.dot(a.cross(along[2])),
        ];
        let direction_size = direction.abs().greatest();
        let reach = a.abs().max(b.abs()).max(c.abs()).greatest();
        let (side_p, side_q) = (along[2].abs().greatest(), along[1].abs().greatest());
        // No edge is longer than the two others together.
        let bound = direction_size * reach * (side_p + side_q) * EDGE_ERROR;
        let most = edges[0].max(edges[1]).max(edges[2]);
        let least = edges[0].min(edges[1]).min(edges[2]);
        let is_miss = most.simd_gt(bound) & least.simd_lt(-bound);
        let sum = edges[0] + edges[1] + edges[2];
        let is_clear = least.simd_gt(bound) | most.simd_lt(-bound);
        let is_precise = (bound * 3.5).simd_lt(sum.abs() * (1.0 / f64::from(1 << 30)));
        let normal = p.cross(q);
        let denominator = normal.dot(direction);
        let t = normal.dot(a) / denominator;
        let sides = side_p * side_q;
        let error = sides * (VOLUME_ERROR * 1.02) / denominator.abs()
            * (reach + direction_size * t.abs())
            + t.abs() * (8.0 * UNIT_ROUNDOFF);
        let is_thick = normal.abs().greatest().simd_gt(sides * 1.1e-6);
        let is_plain = is_clear & is_precise & is_thick & error.simd_lt(t.abs() * 0.9e-3);
        Self {
            edges,
            sum,
            normal,
            t,
            error,
            is_miss: is_miss.to_bitmask(),
            is_plain: is_plain.to_bitmask(),
        }
    }

    /// What the lane says of its ray.
    #[inline(always)]
    pub(crate) fn filter<S: Simd>(&self, ray: &LocalRay, half: usize) -> Filtered
    where
        V: SimdFloat<S, Element = f64>,
    {
        if self.is_miss >> half & 1 == 1 {
            return Filtered::Miss;
        }
        let (t, error) = (self.t[half], self.error[half]);
        let (low, high) = (t - error, t + error);
        let is_plain = self.is_plain >> half & 1 == 1
            && low > ray.t_min
            && high < ray.t_max
            && nearest_f32(low) == nearest_f32(high);
        if !is_plain {
            return Filtered::Uncertain;
        }
        let sum = self.sum[half];
        Filtered::TriangleHit(TriangleHit {
            t: nearest_f32(t),
            t_wide: t,
            weights: [self.edges[1][half] / sum, self.edges[2][half] / sum],
            normal: DVec3::new(
                self.normal.x[half],
                self.normal.y[half],
                self.normal.z[half],
            ),
            side: if sum < 0.0 { Side::Front } else { Side::Back },
            feature: Feature::Face,
        })
    }
}

/// A vector in each lane. Its operations are those of [`DVec3`], in the same order.
#[derive(Clone, Copy)]
pub(crate) struct Vectors<V> {
    pub(crate) x: V,
    pub(crate) y: V,
    pub(crate) z: V,
}

impl<V> Vectors<V> {
    /// The components by the number of their axis.
    #[inline(always)]
    pub(crate) fn by_axis(component: impl Fn(usize) -> V) -> Self {
        Self {
            x: component(0),
            y: component(1),
            z: component(2),
        }
    }

    #[inline(always)]
    pub(crate) fn splat<S: Simd>(simd: S, v: DVec3) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        Self {
            x: V::splat(simd, v.x),
            y: V::splat(simd, v.y),
            z: V::splat(simd, v.z),
        }
    }

    #[inline(always)]
    pub(crate) fn load<S: Simd>(simd: S, [x, y, z]: [&[f64]; 3]) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        Self {
            x: V::from_slice(simd, x),
            y: V::from_slice(simd, y),
            z: V::from_slice(simd, z),
        }
    }

    #[inline(always)]
    pub(crate) fn dot<S: Simd>(self, other: Self) -> V
    where
        V: SimdFloat<S, Element = f64>,
    {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    fn cross<S: Simd>(self, other: Self) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        Self {
            x: self.y * other.z - other.y * self.z,
            y: self.z * other.x - other.z * self.x,
            z: self.x * other.y - other.x * self.y,
        }
    }

    #[inline(always)]
    pub(crate) fn abs<S: Simd>(self) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        Self {
            x: self.x.abs(),
            y: self.y.abs(),
            z: self.z.abs(),
        }
    }

    #[inline(always)]
    fn max<S: Simd>(self, other: Self) -> Self
    where
        V: SimdFloat<S, Element = f64>,
    {
        Self {
            x: self.x.max(other.x),
            y: self.y.max(other.y),
            z: self.z.max(other.z),
        }
    }

    #[inline(always)]
    pub(crate) fn greatest<S: Simd>(self) -> V
    where
        V: SimdFloat<S, Element = f64>,
    {
        self.x.max(self.y).max(self.z)
    }
}

impl<V: Sub<Output = V>> Sub for Vectors<V> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}

/// What answers need beside the crossing, a lane each: as [`RayHit::new`] and [`unit`] have it.
///
/// [`unit`]: super::hit::unit
pub(crate) struct Points {
    /// Of each lane the distance, the point, the normal, and nothing.
    lanes: [[f32; LANES]; LANES],
}

impl Points {
    #[inline(always)]
    pub(crate) fn of<S: Simd>(
        origin: Vectors<f64x8<S>>,
        direction: Vectors<f64x8<S>>,
        (t, normal): (f64x8<S>, Vectors<f64x8<S>>),
    ) -> Self {
        let length = direction.dot(direction).sqrt();
        let size = normal.abs().greatest();
        let scaled = Vectors {
            x: normal.x / size,
            y: normal.y / size,
            z: normal.z / size,
        };
        let unit = scaled.dot(scaled).sqrt();
        // As `nearest_f32`, without -0.
        let rounded = |x: f64x8<S>| nearest(x) + 0.0;
        let distance = rounded((t * length).min(GREATEST));
        let rows = [
            distance,
            nearest(origin.x + direction.x * t),
            nearest(origin.y + direction.y * t),
            nearest(origin.z + direction.z * t),
            rounded(scaled.x / unit),
            rounded(scaled.y / unit),
            rounded(scaled.z / unit),
            distance,
        ];
        Self {
            lanes: transposed(rows).map(|lane| lane.to_array()),
        }
    }

    /// The hit of a lane whose crossing is known.
    #[inline(always)]
    pub(crate) fn hit(&self, lane: usize, triangle: u32, crossing: TriangleHit) -> RayHit {
        let [distance, x, y, z, normal_x, normal_y, normal_z, _] = self.lanes[lane];
        RayHit {
            t: crossing.t,
            distance,
            point: Vec3::new(x, y, z),
            normal: Vec3::new(normal_x, normal_y, normal_z),
            side: crossing.side,
            object: None,
            triangle: Some(TriangleId { part: 0, triangle }),
            barycentrics: crossing.barycentrics(),
        }
    }
}

#[inline(always)]
fn nearest<S: Simd>(x: f64x8<S>) -> f32x8<S> {
    x.narrow(x).split().0
}

/// Eight lanes of f32, each as f64.
#[inline(always)]
pub(crate) fn widened<S: Simd>(simd: S, lanes: [f32; LANES]) -> f64x8<S> {
    let (low, high) = f32x8::load_array(simd, lanes).widen();
    low.combine(high)
}

/// The first lanes of all rows, then the second ones, and so on: each round of three puts together
/// what lies four rows apart.
#[inline(always)]
fn transposed<S: Simd>(mut rows: [f32x8<S>; LANES]) -> [f32x8<S>; LANES] {
    for _ in 0..LANES.ilog2() {
        let [a, b, c, d, e, f, g, h] = rows;
        rows = [
            a.zip_low(e),
            a.zip_high(e),
            b.zip_low(f),
            b.zip_high(f),
            c.zip_low(g),
            c.zip_high(g),
            d.zip_low(h),
            d.zip_high(h),
        ];
    }
    rows
}
