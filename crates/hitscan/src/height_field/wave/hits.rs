//! Eight hits side by side: the arithmetic of `hit.rs`, operation for operation.

use super::super::prism::{Crossed, Vectors};
use super::courses::LANES;
use crate::Hit;
use crate::ray_triangle::Crossing;
use fearless_simd::{Simd, f32x8, f64x8, prelude::*};
use glam::Vec3;

/// What answers need beside the crossing, a lane each.
pub(crate) struct Points {
    distance: [f32; LANES],
    point: [[f32; LANES]; 3],
    normal: [[f32; LANES]; 3],
}

impl Points {
    #[inline(always)]
    pub(super) fn of<S: Simd>(
        origin: Vectors<f64x8<S>>,
        direction: Vectors<f64x8<S>>,
        crossed: &Crossed<f64x8<S>>,
    ) -> Self {
        let (t, normal) = (crossed.t, crossed.normal);
        let length = direction.dot(direction).sqrt();
        let size = normal.abs().greatest();
        let scaled = Vectors {
            x: normal.x / size,
            y: normal.y / size,
            z: normal.z / size,
        };
        let unit = scaled.dot(scaled).sqrt();
        // As `nearest_f32`, without -0.
        let rounded = |x: f64x8<S>| -> [f32; LANES] { (nearest(x) + 0.0).into() };
        let point =
            |from: f64x8<S>, along: f64x8<S>| -> [f32; LANES] { nearest(from + along * t).into() };
        Self {
            distance: rounded(t * length),
            point: [
                point(origin.x, direction.x),
                point(origin.y, direction.y),
                point(origin.z, direction.z),
            ],
            normal: [
                rounded(scaled.x / unit),
                rounded(scaled.y / unit),
                rounded(scaled.z / unit),
            ],
        }
    }

    /// The hit of a lane whose crossing is known.
    #[inline(always)]
    pub(super) fn hit(&self, lane: usize, triangle: u32, crossing: Crossing) -> Hit {
        let vector = |[x, y, z]: &[[f32; LANES]; 3]| Vec3::new(x[lane], y[lane], z[lane]);
        Hit {
            t: crossing.t,
            distance: self.distance[lane],
            point: vector(&self.point),
            normal: vector(&self.normal),
            side: crossing.side,
            triangle: Some(crossing.on(0, triangle)),
        }
    }
}

#[inline(always)]
fn nearest<S: Simd>(x: f64x8<S>) -> f32x8<S> {
    x.narrow(x).split().0
}
