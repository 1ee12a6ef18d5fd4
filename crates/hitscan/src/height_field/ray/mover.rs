//! A point or a box that moves on a straight line, and when it passes planes across the axes.

use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::height_field::storage::pyramid::FAN_OUT;
use glam::DVec3;

/// By how much a t at which a plane is passed is moved, relative to itself.
///
/// The plane's coordinate, the mover's and its direction are exact in f64. Their difference, the
/// reciprocal and the product round once each: 3u. Moving t rounds twice more, once by u of t and
/// once by u of the move. 8u covers these and u².
const TIME_WIDENING: f64 = 8.0 * UNIT_ROUNDOFF;

/// A moving point or box, along one axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slab {
    /// The side that reaches a plane first, where there is motion; else the greater side.
    front: f64,
    /// The side that leaves a plane last, where there is motion; else the lesser side.
    back: f64,
    /// 1 / direction, or 0 without motion.
    reciprocal: f64,
}

impl Slab {
    #[inline]
    fn new(min: f64, max: f64, direction: f64) -> Self {
        let (front, back) = if direction < 0.0 {
            (min, max)
        } else {
            (max, min)
        };
        let reciprocal = if direction == 0.0 {
            0.0
        } else {
            1.0 / direction
        };
        Self {
            front,
            back,
            reciprocal,
        }
    }

    #[inline]
    pub(super) fn goes_down(&self) -> bool {
        self.reciprocal < 0.0
    }

    #[inline]
    pub(super) fn is_moving(&self) -> bool {
        self.reciprocal != 0.0
    }

    /// A t not later than that at which the mover reaches what lies beyond `plane`.
    #[inline]
    pub(super) fn enter_moving(&self, plane: f64) -> f64 {
        let t = (plane - self.front) * self.reciprocal;
        t - t.abs() * TIME_WIDENING
    }

    /// A t not earlier than that at which the mover has left what lies before `plane`.
    #[inline]
    pub(super) fn leave_moving(&self, plane: f64) -> f64 {
        let t = (plane - self.back) * self.reciprocal;
        t + t.abs() * TIME_WIDENING
    }

    /// When the mover, which does not move along this axis, touches what lies from `low` to `high`:
    /// always, or never.
    #[inline]
    pub(super) fn span_resting(&self, low: f64, high: f64) -> [f64; 2] {
        if low <= self.front && self.back <= high {
            [f64::NEG_INFINITY, f64::INFINITY]
        } else {
            [f64::INFINITY, f64::NEG_INFINITY]
        }
    }

    /// The part of the t between `from` and `to` in which the mover may touch what lies from
    /// `low` to `high`.
    #[inline]
    pub(super) fn clip(&self, from: f64, to: f64, low: f64, high: f64) -> Option<[f64; 2]> {
        let [enter, leave] = if self.is_moving() {
            let (first, second) = if self.goes_down() {
                (high, low)
            } else {
                (low, high)
            };
            [self.enter_moving(first), self.leave_moving(second)]
        } else {
            self.span_resting(low, high)
        };
        let (from, to) = (later(from, enter), earlier(to, leave));
        (from <= to).then_some([from, to])
    }
}

/// A moving point or box, from `t_min` on.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct Mover {
    pub(super) x: Slab,
    pub(super) y: Slab,
    pub(super) z: Slab,
    pub(super) t_min: f64,
    /// What turns the number of a child in travel order into its number in the node: as both axes
    /// have four children, bits are flipped where the mover goes down an axis.
    pub(super) flip: usize,
    /// Whether it is a ray that misses level ground in its plane.
    pub(super) misses_level_ground: bool,
}

impl Mover {
    /// The box from `min` to `max` at t = 0, which moves by `direction` a unit of t.
    pub(in crate::height_field) fn new(
        min: DVec3,
        max: DVec3,
        direction: DVec3,
        t_min: f64,
    ) -> Self {
        let slab = |axis: usize| Slab::new(min[axis], max[axis], direction[axis]);
        let (x, y, z) = (slab(0), slab(1), slab(2));
        let flip = if x.goes_down() { FAN_OUT - 1 } else { 0 }
            + if z.goes_down() {
                FAN_OUT * (FAN_OUT - 1)
            } else {
                0
            };
        Self {
            x,
            y,
            z,
            t_min,
            flip,
            misses_level_ground: false,
        }
    }

    /// A ray without motion along y, which misses the ground wherever that is level.
    pub(in crate::height_field) fn missing_level_ground(self) -> Self {
        debug_assert!(!self.y.is_moving(), "the ray is level");
        Self {
            misses_level_ground: true,
            ..self
        }
    }
}

/// The greater of two numbers, neither NaN: one instruction, unlike `f64::max`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::height_field) fn later(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller of two numbers, neither NaN.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(in crate::height_field) fn earlier(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
