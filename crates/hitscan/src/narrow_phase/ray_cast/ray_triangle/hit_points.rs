//! The points, distances and unit normals of eight hits, side by side.

use super::hit::TriangleHit;
use super::lanes::{LANES, Vectors, nearest};
use crate::narrow_phase::ray_cast::hit::{MAX_HIT_COORDINATE, RayHit, TriangleId};
use fearless_simd::{Simd, f32x8, f64x8, prelude::*};
use glam::Vec3;

/// What answers need beside the triangle's hit, a lane each: as [`RayHit::new`] and [`unit`] have it.
///
/// [`unit`]: crate::shape::unit_vector::unit
pub(crate) struct HitPoints {
    /// Of each lane the distance, the point, the normal, and nothing.
    lanes: [[f32; LANES]; LANES],
}

impl HitPoints {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new<S: Simd>(
        origin: Vectors<f64x8<S>>,
        direction: Vectors<f64x8<S>>,
        (t, normal): (f64x8<S>, Vectors<f64x8<S>>),
    ) -> Self {
        let length = direction.dot(direction).sqrt();
        let size = normal.max_abs();
        let scaled = Vectors {
            x: normal.x / size,
            y: normal.y / size,
            z: normal.z / size,
        };
        let unit = scaled.dot(scaled).sqrt();
        // As `nearest_f32`, without -0.
        let rounded = |x: f64x8<S>| nearest(x) + 0.0;
        let distance = rounded(
            (t * length)
                .min(MAX_HIT_COORDINATE)
                .max(-MAX_HIT_COORDINATE),
        );
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

    /// The hit of a lane whose triangle's hit is known.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn hit(&self, lane: usize, triangle: TriangleId, hit: &TriangleHit) -> RayHit {
        let [distance, x, y, z, normal_x, normal_y, normal_z, _] = self.lanes[lane];
        RayHit {
            t: hit.t,
            distance,
            point: Vec3::new(x, y, z),
            normal: Vec3::new(normal_x, normal_y, normal_z),
            side: hit.side,
            object: None,
            user_data: 0,
            triangle: Some(triangle),
            barycentrics: hit.barycentrics(),
        }
    }
}

/// The first lanes of all rows, then the second ones, and so on: each of three rounds interleaves the
/// rows that are four apart.
#[cfg_attr(not(debug_assertions), inline(always))]
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
