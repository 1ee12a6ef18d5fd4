//! The closest-hit buffer: rays whose closest triangle is found, and their hits, made eight at a time.

use crate::narrow_phase::ray_cast::hit::Side;
use crate::narrow_phase::ray_cast::ray_triangle::{
    Feature, HitPoints, LANES, TriangleHit, Vectors, by_lane, widened,
};
use crate::simd::{Width, dispatch};
use crate::{Ray, RayHit, TriangleId};
use core::cell::Cell;
use fearless_simd::{Simd, f64x8, prelude::*};
use glam::DVec3;

/// For how many there is room at first.
const ROOM: usize = 128 + LANES;

/// In place of a hit that is not there.
pub(crate) const NO_HIT: TriangleHit = TriangleHit {
    t: 0.0,
    t_wide: 0.0,
    weights: [0.0; 2],
    normal: DVec3::X,
    side: Side::Front,
    feature: Feature::Face,
};

/// The hit of `ray` on a triangle of a shape of one part.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn hit_of(ray: &Ray, (triangle, hit): &(u32, TriangleHit)) -> RayHit {
    let id = TriangleId {
        part: 0,
        triangle: *triangle,
    };
    RayHit::on_triangle(ray, id, hit)
}

/// Rays that have hit, and what. A key `K` says which triangle that is.
pub(crate) struct ClosestHits<K> {
    /// The first of these; the rest is room.
    hits: Vec<ClosestHit<K>>,
    count: usize,
}

#[derive(Clone)]
struct ClosestHit<K> {
    /// The ray's number.
    ray: usize,
    key: K,
    hit: TriangleHit,
}

impl<K: Copy + Default> ClosestHits<K> {
    pub(crate) fn new() -> Self {
        Self {
            hits: vec![Self::none(); ROOM],
            count: 0,
        }
    }

    fn none() -> ClosestHit<K> {
        ClosestHit {
            ray: 0,
            key: K::default(),
            hit: NO_HIT,
        }
    }

    /// Puts in a ray by its number, if it has hit anything.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn push(&mut self, ray: usize, key: Option<K>, hit: &TriangleHit) {
        if self.count == self.hits.len() {
            self.make_room();
        }
        // Written in any case: a branch would be mispredicted.
        self.hits[self.count] = ClosestHit {
            ray,
            key: key.unwrap_or_default(),
            hit: *hit,
        };
        self.count += usize::from(key.is_some());
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.hits.resize(2 * self.count, Self::none());
    }

    /// Takes the last few out while there are `min`, and writes the hits of their rays, with the
    /// triangle of each.
    pub(crate) fn write_hits(
        &mut self,
        width: Width,
        min: usize,
        answers: (&[Ray], &[Cell<Option<RayHit>>]),
        triangle_of: impl Fn(K) -> TriangleId,
    ) {
        while self.count >= min.max(1) {
            dispatch!(width, simd => self.write_some(simd, answers, &triangle_of));
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write_some<S: Simd>(
        &mut self,
        simd: S,
        (rays, hits): (&[Ray], &[Cell<Option<RayHit>>]),
        triangle_of: &impl Fn(K) -> TriangleId,
    ) {
        let first = self.count.saturating_sub(LANES);
        let closest = &self.hits[first..self.count];
        // Lanes without one repeat the last.
        let last = closest.len() - 1;
        let eight: [&ClosestHit<K>; LANES] = by_lane(|lane| &closest[lane.min(last)]);
        let points = points(simd, eight, by_lane(|lane| &rays[eight[lane].ray]));
        for (lane, one) in closest.iter().enumerate() {
            let hit = points.hit(lane % LANES, triangle_of(one.key), &one.hit);
            hits[one.ray].set(Some(hit));
        }
        self.count = first;
    }
}

/// What the hits hold beside the triangles'. The lanes are put together in registers: a load of what
/// was just stored in other pieces waits until the store is done (a store-to-load forwarding stall).
#[cfg_attr(not(debug_assertions), inline(always))]
fn points<S: Simd, K>(simd: S, closest: [&ClosestHit<K>; LANES], rays: [&Ray; LANES]) -> HitPoints {
    let origin = |axis: usize| widened(simd, by_lane(|lane| rays[lane].origin()[axis]));
    let direction = |axis: usize| widened(simd, by_lane(|lane| rays[lane].direction()[axis]));
    let normal =
        |axis: usize| f64x8::load_array(simd, by_lane(|lane| closest[lane].hit.normal[axis]));
    let t = f64x8::load_array(simd, by_lane(|lane| closest[lane].hit.t_wide));
    let [origin, direction] = [Vectors::by_axis(origin), Vectors::by_axis(direction)];
    HitPoints::new(origin, direction, (t, Vectors::by_axis(normal)))
}
