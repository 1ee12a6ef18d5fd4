//! The space that sixteen coherent rays pass through over terrain, and which children of a block it touches.
//!
//! Of rays as lines over one axis of the grid, the lowest place across it is a concave function, and so at
//! least the chord between its values at two places; the highest is at most such a chord. So are heights.
//! Two places around all rays and four chords hold them.
//!
//! Source: bounding shafts and frusta of packets: Dmitriev, Havran, Seidel, "Faster Ray Tracing with SIMD
//! Shaft Culling", Max-Planck-Institut research report, 2004; here of pieces of height-field rays.

use super::segments::LaneAxes;
use crate::height_field::ray::node_test::{CHILDREN, COLUMNS, ROWS};
use crate::height_field::storage::pyramid::Node;
use fearless_simd::{Simd, f32x16, mask32x16, prelude::*};

/// Bound on what f32 loses of a place, in units of the largest magnitude of such places.
///
/// With v = 2^-24: a ray's place is `start + (x - start_x) * (travel * per_travel)`, where the difference
/// loses v, the slope 2v with the reciprocal, the product v and the sum v; the product is at most twice the
/// largest magnitude: 9v. A chord's slope and its place lose as much again, of differences of at most twice
/// that magnitude: 2 (v + v + v + v) + v = 9v. These are 18v.
const ROUNDED: f32 = 32.0 * (f32::EPSILON / 2.0);

/// How wide a shaft may be, in cells and as a part of its length: wider ones touch much that no ray does.
const MAX_WIDTH: f32 = 6.0;
const MAX_SPREAD: f32 = 1.0 / 16.0;

/// The largest magnitude of a place and the largest slope of a unit with which all products stay in f32.
const FARTHEST: f32 = 1e15;
const STEEPEST: f32 = 1e15;

/// `start + slope * x` with x counted from the shaft's first place.
#[derive(Debug, Clone, Copy)]
struct Chord {
    start: f32,
    slope: f32,
}

/// The lower and the upper chord of a coordinate.
#[derive(Debug, Clone, Copy)]
struct Chords {
    lower: Chord,
    upper: Chord,
    width: f32,
}

/// Rays over an axis of the grid, between two chords across it and two chords of heights.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shaft {
    /// Whether the axis is z, and not x.
    is_along_z: bool,
    /// The place that chords are counted from, and how far along rays still matter after it: from, to.
    base: f32,
    part: [f32; 2],
    error: f32,
    across: Chords,
    heights: Chords,
}

impl Shaft {
    /// Not touched by anything.
    pub(super) const NONE: Self = {
        let chord = Chord {
            start: 0.0,
            slope: 0.0,
        };
        let chords = Chords {
            lower: chord,
            upper: chord,
            width: 0.0,
        };
        Self {
            is_along_z: false,
            base: 0.0,
            part: [0.0; 2],
            error: 0.0,
            across: chords,
            heights: chords,
        }
    };

    /// The shaft of the rays in these lanes, unless they are too far from each other. Every lane holds a ray.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new<S: Simd>(axes: &[LaneAxes<S>; 3]) -> Option<Self> {
        let [x, y, z] = axes;
        let slowest = |axis: &LaneAxes<S>| axis.travel.abs().reduce_min();
        let is_along_z = slowest(z) > slowest(x);
        let (along, across) = if is_along_z { (z, x) } else { (x, z) };
        let end = along.start + along.travel;
        let low = along.start.min(end).reduce_min();
        let high = along.start.max(end).reduce_max();
        let error = along.error.reduce_max() * 2.0 + low.abs().max(high.abs()) * ROUNDED;
        let across = Chords::new(along, across, [low, high])?;
        let length = high - low;
        if across.width > MAX_WIDTH + length * MAX_SPREAD {
            return None;
        }
        Some(Self {
            is_along_z,
            base: low,
            part: [0.0, length],
            error,
            across,
            heights: Chords::new(along, y, [low, high])?,
        })
    }

    /// Shortens the shaft to what these rays cover up to their limits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn shorten<S: Simd>(&mut self, [x, _, z]: &[LaneAxes<S>; 3], limits: f32x16<S>) {
        let along = if self.is_along_z { z } else { x };
        let end = limits.max(0.0).mul_add(along.travel, along.start) - self.base;
        if along.travel.reduce_max() > 0.0 {
            self.part[1] = end.reduce_max().min(self.part[1]);
        } else {
            self.part[0] = end.reduce_min().max(self.part[0]);
        }
    }

    /// The children of a block that the shaft touches, a lane each. The block's first cell is `first`, a
    /// child has `size` cells a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn touched<S: Simd>(&self, simd: S, node: &Node, first: [f32; 2], size: f32) -> u64 {
        let lines =
            |lines: &[f32; CHILDREN], first: f32| f32x16::from_slice(simd, lines) * size + first;
        let (columns, rows) = (lines(&COLUMNS, first[0]), lines(&ROWS, first[1]));
        let (along, across) = if self.is_along_z {
            (rows, columns)
        } else {
            (columns, rows)
        };
        let near = along - (self.base + self.error);
        let from = near.max(self.part[0]);
        let to = (near + (size + 2.0 * self.error)).min(self.part[1]);
        let min = f32x16::from_slice(simd, &node.min);
        let max = f32x16::from_slice(simd, &node.max);
        let touched = from.simd_le(to)
            & self.across.overlap([from, to], [across, across + size])
            & self.heights.overlap([from, to], [min, max]);
        touched.to_bitmask()
    }
}

impl Chords {
    /// The chords of a coordinate of rays between two places along an axis.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new<S: Simd>(along: &LaneAxes<S>, axis: &LaneAxes<S>, ends: [f32; 2]) -> Option<Self> {
        let slope = axis.travel * along.per_travel;
        let at = |end: f32| {
            let places = (end - along.start).mul_add(slope, axis.start);
            [places.reduce_min(), places.reduce_max()]
        };
        let ([low, high], [low_end, high_end]) = (at(ends[0]), at(ends[1]));
        let start = axis.start.abs().reduce_max();
        let places = [low, high, low_end, high_end];
        let max_abs = places.iter().fold(start, |max, place| max.max(place.abs()));
        let error = axis.error.reduce_max() * 2.0 + max_abs * ROUNDED;
        let per_length = 1.0 / (ends[1] - ends[0]);
        let chord = |start: f32, end: f32, error: f32| Chord {
            start: start + error,
            slope: (end - start) * per_length,
        };
        let chords = Self {
            lower: chord(low, low_end, -error),
            upper: chord(high, high_end, error),
            width: (high - low).max(high_end - low_end),
        };
        let is_in_range = max_abs <= FARTHEST && per_length <= STEEPEST;
        (is_in_range && slope.abs().reduce_max() <= STEEPEST).then_some(chords)
    }

    /// Where what lies between the chords over a part of the axis overlaps a range, lane by lane.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn overlap<S: Simd>(
        &self,
        [from, to]: [f32x16<S>; 2],
        [min, max]: [f32x16<S>; 2],
    ) -> mask32x16<S> {
        let at = |chord: Chord, place: f32x16<S>| place * chord.slope + chord.start;
        let lowest = at(self.lower, from).min(at(self.lower, to));
        let highest = at(self.upper, from).max(at(self.upper, to));
        lowest.simd_le(max) & highest.simd_ge(min)
    }
}
