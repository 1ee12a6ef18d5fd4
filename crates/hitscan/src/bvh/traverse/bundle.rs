//! Ray bundles: many rays that go about the same way, which traverse a tree over objects as one. At a
//! leaf each ray is tested by itself, so that an object is only tested with the rays that reach its box
//! (`bundle_cast.rs`).
//!
//! Source: Reshetov, Soupikov, Hurley, "Multi-Level Ray Tracing Algorithm", ACM Transactions on
//! Graphics 2005. Here directions may differ in sign: along such an axis the interval of directions
//! holds 0, and a box is entered from either side or never left.

use crate::bvh::node::{Node, WIDTH};
use crate::simd::{Width, dispatch_wide};
use crate::{Aabb, Ray};
use core::ops::RangeInclusive;
use fearless_simd::{Select, Simd, f32x8, f32x16, prelude::*};

/// The number of rays in a bundle.
pub(crate) const BUNDLE: usize = 128;

/// How many of them are tested side by side.
const LANES: usize = 16;

/// Relative widening of the times at which boxes are entered and left. A difference, a reciprocal, a
/// product and the widening itself round once each: 4u, of f32's roundoff u = 2^-24. Differences of boxes and
/// widened origins are formed first, so that no rounding is relative to a box's coordinates.
const WIDENING: f32 = 16.0 * f32::EPSILON;

/// What a sum or difference of a box's coordinate may round by, of that: it is added where a single box is
/// widened itself.
const ROUNDED: f32 = f32::EPSILON;

/// The margin of rays, relative to the largest coordinate of an origin: twice what the transform of a ray
/// into a part may displace it (`MARGIN`), which also covers that its sum with the origin rounds. Boxes are
/// as large already as transforms of what is in them need them to be.
const MARGIN: f32 = 1.0 / 524_288.0;

/// The smallest margin, metres, and relative to the tree's largest coordinate: so that a ray of a
/// direction below [`STILL`], which moves less on its whole way at the slowest of [`SPEEDS`], is as far
/// inside of a box as it needs to be.
const MIN_MARGIN: f32 = power_of_two(-26);
const MIN_RELATIVE_MARGIN: f32 = power_of_two(-86);

/// A component of a direction that counts as none, and its reciprocal.
const STILL: f32 = power_of_two(-110);
const STEEPEST: f32 = power_of_two(120);

/// The largest components of directions, and the coordinates of origins, whose products with the
/// others stay in f32's range.
const SPEEDS: RangeInclusive<f32> = power_of_two(-20)..=power_of_two(20);
const FARTHEST: f32 = power_of_two(60);

const fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits((exponent + 127).cast_unsigned() << 23)
}

/// One number of each ray.
type Row = [f32; BUNDLE];

/// Which rays of a bundle, as bits.
pub(crate) type RaySet = u128;

/// The rays of a bundle side by side, and the intervals that hold them.
pub(crate) struct RayBundle {
    /// The number of rays, rounded up to whole groups of lanes.
    count: usize,
    origin: [Row; 3],
    direction: [Row; 3],
    /// Of the direction; [`STEEPEST`] for a component of none.
    reciprocal: [Row; 3],
    t_min: Row,
    /// The t after which nothing matters to a ray.
    limit: Row,
    /// The ends of the origins.
    low: [f32; 3],
    high: [f32; 3],
    /// The reciprocals of the largest speed up, and down, each axis; [`STEEPEST`] for none.
    up: [f32; 3],
    down: [f32; 3],
    exits: [Exit; 3],
    /// The smallest t of any ray.
    earliest: f32,
    /// The largest limit of any ray.
    latest: f32,
    /// The largest coordinate of an origin.
    extent: f32,
}

/// Through which side of a box all rays leave it along an axis, with the largest reciprocal.
#[derive(Debug, Clone, Copy)]
enum Exit {
    Upper(f32),
    Lower(f32),
    /// Some may stay.
    None,
}

impl RayBundle {
    pub(crate) fn new() -> Self {
        Self {
            count: 0,
            origin: [[0.0; BUNDLE]; 3],
            direction: [[0.0; BUNDLE]; 3],
            reciprocal: [[0.0; BUNDLE]; 3],
            t_min: [0.0; BUNDLE],
            limit: [f32::MIN; BUNDLE],
            low: [0.0; 3],
            high: [0.0; 3],
            up: [STEEPEST; 3],
            down: [STEEPEST; 3],
            exits: [Exit::None; 3],
            earliest: 0.0,
            latest: f32::MIN,
            extent: 0.0,
        }
    }

    /// Whether these rays, up to [`BUNDLE`] of them, are such that culling in f32 loses nothing; then
    /// they start.
    pub(crate) fn init(&mut self, width: Width, rays: &[Ray]) -> bool {
        let Some(last) = rays.last().filter(|_| rays.len() <= BUNDLE) else {
            return false;
        };
        self.count = rays.len().next_multiple_of(LANES);
        for (place, ray) in rays.iter().enumerate() {
            self.set(place, ray, ray.t_max().next_up().min(f32::MAX));
        }
        // Lanes without a ray repeat the last, which is over.
        for place in rays.len()..self.count {
            self.set(place, last, f32::MIN);
        }
        dispatch_wide!(width, simd => self.find_intervals(simd))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn set(&mut self, place: usize, ray: &Ray, limit: f32) {
        let place = place % BUNDLE;
        let (origin, direction) = (ray.origin(), ray.direction());
        for axis in 0..3 {
            self.origin[axis][place] = origin[axis];
            self.direction[axis][place] = direction[axis];
        }
        self.t_min[place] = ray.t_min();
        self.limit[place] = limit;
    }

    /// Finds the intervals that hold all rays; whether all numbers are in range.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn find_intervals<S: Simd>(&mut self, simd: S) -> bool {
        let still = f32x16::splat(simd, STILL);
        let steepest = f32x16::splat(simd, STEEPEST);
        let mut speed = [f32x16::splat(simd, 0.0); BUNDLE / LANES];
        self.extent = 0.0;
        for axis in 0..3 {
            let start = f32x16::from_slice(simd, &self.origin[axis][..LANES]);
            let along = f32x16::from_slice(simd, &self.direction[axis][..LANES]);
            let (mut starts, mut alongs) = ([start; 2], [along; 2]);
            for (group, speed) in (0..self.count).step_by(LANES).zip(&mut speed) {
                let lanes = group..group + LANES;
                let start = f32x16::from_slice(simd, &self.origin[axis][lanes.clone()]);
                let along = f32x16::from_slice(simd, &self.direction[axis][lanes.clone()]);
                starts = [starts[0].min(start), starts[1].max(start)];
                alongs = [alongs[0].min(along), alongs[1].max(along)];
                *speed = speed.max(along.abs());
                let is_moving = along.abs().simd_gt(still);
                let reciprocal = is_moving.select(1.0 / along, steepest);
                reciprocal.store_slice(&mut self.reciprocal[axis][lanes]);
            }
            let (low, high) = (starts[0].reduce_min(), starts[1].reduce_max());
            self.extent = self.extent.max(low.abs()).max(high.abs());
            [self.low[axis], self.high[axis]] = [low, high];
            let [slowest, fastest] = [alongs[0].reduce_min(), alongs[1].reduce_max()];
            self.up[axis] = reciprocal_of(fastest);
            self.down[axis] = reciprocal_of(-slowest);
            self.exits[axis] = if slowest > STILL {
                Exit::Upper(1.0 / slowest)
            } else if fastest < -STILL {
                Exit::Lower(-1.0 / fastest)
            } else {
                Exit::None
            };
        }
        let [mut slowest, mut fastest] = [speed[0]; 2];
        let mut earliest = f32x16::from_slice(simd, &self.t_min[..LANES]);
        for (group, speed) in (0..self.count).step_by(LANES).zip(speed) {
            slowest = slowest.min(speed);
            fastest = fastest.max(speed);
            let t_min = f32x16::from_slice(simd, &self.t_min[group..group + LANES]);
            earliest = earliest.min(t_min);
        }
        self.earliest = earliest.reduce_min();
        SPEEDS.contains(&slowest.reduce_min())
            && SPEEDS.contains(&fastest.reduce_max())
            && self.earliest >= 0.0
            && self.extent <= FARTHEST
    }

    /// Nothing that a ray hits at a t that rounds to more than `limit` matters to it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn keep_before(&mut self, place: usize, limit: f32) {
        self.limit[place] = self.limit[place].min(limit.next_up());
    }

    /// The margin of rays in a tree whose largest coordinate is `max_abs`, metres.
    pub(super) fn margin(&self, max_abs: f32) -> f32 {
        self.extent * MARGIN + (self.extent + max_abs) * MIN_RELATIVE_MARGIN + MIN_MARGIN
    }

    /// The t after which nothing matters to any ray.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn latest(&self) -> f32 {
        self.latest
    }

    /// Finds the largest limit anew.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn find_latest<S: Simd>(&mut self, simd: S) {
        let mut latest = f32x16::splat(simd, f32::MIN);
        for limits in self.limit[..self.count].chunks_exact(LANES) {
            latest = latest.max(f32x16::from_slice(simd, limits));
        }
        self.latest = latest.reduce_max();
    }

    /// Which children of the node may be touched, and when they are entered at the earliest.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn test<S: Simd>(&self, simd: S, node: &Node, margin: f32) -> (u64, [f32; WIDTH]) {
        let mut enter = f32x8::splat(simd, self.earliest);
        let mut leave = f32x8::splat(simd, f32::MAX);
        for axis in 0..3 {
            let [low, high] = &node.bounds[axis];
            let low = f32x8::load_array_ref(simd, low);
            let high = f32x8::load_array_ref(simd, high);
            let to_low = low - (self.high[axis] + margin);
            let to_high = high - (self.low[axis] - margin);
            enter = enter.max(to_low * self.up[axis]);
            enter = enter.max(to_high * -self.down[axis]);
            match self.exits[axis] {
                Exit::Upper(reciprocal) => leave = leave.min(to_high * reciprocal),
                Exit::Lower(reciprocal) => leave = leave.min(to_low * -reciprocal),
                Exit::None => {}
            }
        }
        enter *= 1.0 - WIDENING;
        leave = (leave * (1.0 + WIDENING)).min(self.latest);
        (enter.simd_le(leave).to_bitmask(), enter.to_array())
    }

    /// Which rays, widened by the margin, may touch the box before their limits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn touching<S: Simd>(&self, simd: S, bounds: &Aabb, margin: f32) -> RaySet {
        let (min, max) = (bounds.min(), bounds.max());
        let low = min - (min.abs() * ROUNDED + margin);
        let high = max + (max.abs() * ROUNDED + margin);
        let mut touching = 0;
        for first in (0..self.count).step_by(LANES) {
            let row = |row: &Row| f32x16::from_slice(simd, &row[first..first + LANES]);
            let mut enter = row(&self.t_min);
            let mut leave = f32x16::splat(simd, f32::MAX);
            for axis in 0..3 {
                let (origin, reciprocal) = (row(&self.origin[axis]), row(&self.reciprocal[axis]));
                let below = (f32x16::splat(simd, low[axis]) - origin) * reciprocal;
                let above = (f32x16::splat(simd, high[axis]) - origin) * reciprocal;
                enter = enter.max(below.min(above));
                leave = leave.min(below.max(above));
            }
            let leave = (leave * (1.0 + WIDENING)).min(row(&self.limit));
            let touched = (enter * (1.0 - WIDENING)).simd_le(leave).to_bitmask();
            touching |= RaySet::from(touched) << first;
        }
        touching
    }
}

/// The reciprocal of a speed up or down an axis.
fn reciprocal_of(speed: f32) -> f32 {
    if speed > STILL { 1.0 / speed } else { STEEPEST }
}
