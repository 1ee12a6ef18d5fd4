//! A monotone piece of an arc along one axis of a grid, and the times at which it crosses the grid's
//! lines.

use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::height_field::storage::grid::Lines;
use crate::height_field::storage::pyramid::FAN_OUT;
use fearless_simd::{Select, Simd, f64x4, prelude::*};

/// By how much a t at which a line is passed is moved, relative to itself; see
/// `arc_cast/window.rs`.
const TIME_WIDENING: f64 = 16.0 * UNIT_ROUNDOFF;

/// Bound on the error of a discriminant in units of its terms; see `arc_cast/window.rs`.
const DISCRIMINANT_ERROR: f64 = 8.0 * UNIT_ROUNDOFF;

/// An arc along one axis, where it goes one way: before its apex there, or after.
#[derive(Debug, Clone, Copy)]
pub(super) struct MonotoneAxis {
    origin: f64,
    velocity: f64,
    half: f64,
    kind: Kind,
    pub(super) goes_down: bool,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// It does not move along the axis.
    Resting,
    /// At a constant speed; 1 / velocity.
    Even(f64),
    BeforeApex,
    AfterApex,
}

/// The t of an arc's apex along an axis, if it has one.
pub(super) fn apex(velocity: f64, half: f64) -> Option<f64> {
    (half != 0.0).then(|| -0.5 * velocity / half)
}

impl MonotoneAxis {
    /// The arc from `from` on, up to its apex if that comes later.
    pub(super) fn from(from: f64, [origin, velocity, half]: [f64; 3]) -> Self {
        let (kind, goes_down) = match apex(velocity, half) {
            None if velocity == 0.0 => (Kind::Resting, false),
            None => (Kind::Even(1.0 / velocity), velocity < 0.0),
            Some(apex) if from < apex => (Kind::BeforeApex, half > 0.0),
            Some(_) => (Kind::AfterApex, half < 0.0),
        };
        Self {
            origin,
            velocity,
            half,
            kind,
            goes_down,
        }
    }

    /// When the four columns or rows of a block's children are entered and left.
    ///
    /// Lines beyond the map are taken for its last: children there get an end of no width.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn child_times<S: Simd>(
        &self,
        simd: S,
        lines: &Lines,
        (block, cells_a_child): (usize, usize),
    ) -> [f64x4<S>; 2] {
        // Indices are whole numbers below 2^53, so their f64 and the lines made of it are exactly
        // those of `Lines::at`.
        let first = (block * FAN_OUT * cells_a_child) as f64;
        let (size, last) = (cells_a_child as f64, lines.last as f64);
        let (near, far) = if self.goes_down {
            (first + size, first)
        } else {
            (first, first + size)
        };
        // Without closures, which are not always compiled with the instructions of their surroundings.
        let steps = f64x4::load_array(simd, [0.0, 1.0, 2.0, 3.0]) * size;
        let near = (steps + near).min(last) * lines.spacing + lines.origin;
        let far = (steps + far).min(last) * lines.spacing + lines.origin;
        let (enter, leave) = match self.kind {
            Kind::Even(reciprocal) => (
                (near - self.origin) * reciprocal,
                (far - self.origin) * reciprocal,
            ),
            Kind::Resting => {
                let is_in = near.simd_le(self.origin) & far.simd_ge(self.origin);
                let forever = f64x4::splat(simd, f64::INFINITY);
                let end = is_in.select(forever, -forever);
                return [-end, end];
            }
            Kind::BeforeApex | Kind::AfterApex => {
                let enter = self.passings(near.to_array(), 0);
                let leave = self.passings(far.to_array(), 1);
                (
                    f64x4::load_array(simd, enter),
                    f64x4::load_array(simd, leave),
                )
            }
        };
        [
            enter - enter.abs() * TIME_WIDENING,
            leave + leave.abs() * TIME_WIDENING,
        ]
    }

    /// The smallest t at which lines may be passed, or, with `end` 1, the largest.
    #[inline(never)]
    fn passings(&self, lines: [f64; FAN_OUT], end: usize) -> [f64; FAN_OUT] {
        lines.map(|line| self.passing(line)[end])
    }

    /// When a cell's column or row is entered and left.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn span(&self, lines: &Lines, cell: usize) -> [f64; 2] {
        let [low, high] = [lines.at(cell), lines.at(cell + 1)];
        let (near, far) = if self.goes_down {
            (high, low)
        } else {
            (low, high)
        };
        match self.kind {
            Kind::Even(reciprocal) => [
                earlier((near - self.origin) * reciprocal),
                later((far - self.origin) * reciprocal),
            ],
            Kind::Resting => [f64::NEG_INFINITY, f64::INFINITY],
            Kind::BeforeApex | Kind::AfterApex => {
                [earlier(self.passing(near)[0]), later(self.passing(far)[1])]
            }
        }
    }

    /// The smallest and the largest t at which a line may be passed. Lines beyond the apex are never
    /// reached before it, and were always passed after it.
    #[inline(never)]
    fn passing(&self, line: f64) -> [f64; 2] {
        let Self {
            origin,
            velocity,
            half,
            ..
        } = *self;
        let c = origin - line;
        let (square, product) = (velocity * velocity, 4.0 * half * c);
        let discriminant = square - product;
        let error = DISCRIMINANT_ERROR * (square + product.abs());
        let is_before = matches!(self.kind, Kind::BeforeApex);
        // Which of the two roots it is: the first before the apex, the second after.
        let root = |root: f64| {
            let q = -0.5 * (velocity + root.copysign(velocity));
            let is_far_first = velocity.is_sign_negative() == half.is_sign_negative();
            if is_far_first == is_before || q == 0.0 {
                q / half
            } else {
                c / q
            }
        };
        let (low, high) = (discriminant - error, discriminant + error);
        let beyond = if is_before {
            f64::INFINITY
        } else {
            f64::NEG_INFINITY
        };
        if high < 0.0 {
            return [beyond; 2];
        }
        let wide = root(high.sqrt());
        let narrow = if low < 0.0 { beyond } else { root(low.sqrt()) };
        [wide.min(narrow), wide.max(narrow)]
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn earlier(t: f64) -> f64 {
    t - t.abs() * TIME_WIDENING
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn later(t: f64) -> f64 {
    t + t.abs() * TIME_WIDENING
}
