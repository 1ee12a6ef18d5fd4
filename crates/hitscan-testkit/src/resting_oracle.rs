//! Oracle of two resting bodies in whole numbers: the distance as the minimum over all corners, edges
//! and faces, the depth as the minimum over all axes.

use crate::whole_body::{Body, Squared, Vector, axes, distance, dot};
use core::cmp::Ordering;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// How far the shape must go along an axis, times the axis's length.
#[must_use]
pub fn depth_along(obstacle: &Body, shape: &Body, axis: &Vector) -> BigInt {
    obstacle.highest(axis) - shape.lowest(axis)
}

/// The least squared depth, and its way out; `None` without an axis.
fn depth(obstacle: &Body, shape: &Body) -> Option<Squared> {
    let mut least: Option<Squared> = None;
    for axis in axes(obstacle, shape) {
        for along in [axis.clone(), axis.map(|x| -x)] {
            let depth = depth_along(obstacle, shape, &along);
            assert!(!depth.is_negative(), "cores that meet");
            let found = Squared {
                numerator: &depth * &depth,
                denominator: dot(&along, &along),
                along,
            };
            if least
                .as_ref()
                .is_none_or(|least| found.compare(least).is_lt())
            {
                least = Some(found);
            }
        }
    }
    least
}

/// What is expected of a pair.
pub struct Expected {
    /// Whether the squared root below counts as negative.
    pub is_depth: bool,
    /// The squared distance or depth, and the way out; `None` where no axis is left.
    pub squared: Option<Squared>,
    /// Both radii.
    pub radius: BigInt,
    /// Whether they overlap, touch or are apart.
    pub status: Ordering,
}

impl Expected {
    /// Their relative placement.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn new(obstacle: &Body, shape: &Body) -> Self {
        let radius = &obstacle.radius + &shape.radius;
        let apart = distance(obstacle, shape);
        let is_depth = apart.numerator.is_zero();
        let status = if !is_depth {
            apart
                .numerator
                .cmp(&(&radius * &radius * &apart.denominator))
        } else if radius.is_positive() {
            Ordering::Less
        } else {
            let is_open = axes(obstacle, shape).iter().all(|axis| {
                obstacle.lowest(axis) < shape.highest(axis)
                    && shape.lowest(axis) < obstacle.highest(axis)
            });
            if is_open {
                Ordering::Less
            } else {
                Ordering::Equal
            }
        };
        let squared = if is_depth {
            depth(obstacle, shape)
        } else {
            Some(apart)
        };
        Self {
            is_depth,
            squared,
            radius,
            status,
        }
    }

    /// How the exact separation compares with a length.
    #[must_use]
    pub fn compare(&self, limit: &BigInt) -> Ordering {
        let limit = limit + &self.radius;
        let Some(squared) = &self.squared else {
            return BigInt::zero().cmp(&limit);
        };
        if squared.numerator.is_zero() {
            return BigInt::zero().cmp(&limit);
        }
        let magnitude = squared
            .numerator
            .cmp(&(&limit * &limit * &squared.denominator));
        match (self.is_depth, limit.is_negative()) {
            (false, true) => Ordering::Greater,
            (false, false) => magnitude,
            (true, true) => magnitude.reverse(),
            (true, false) => Ordering::Less,
        }
    }
}
