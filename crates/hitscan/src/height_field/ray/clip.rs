//! Clipping rays to the map's box: the formulas and their bounds, for the coordinates of one ray
//! (`segment.rs`) or one coordinate of eight rays (`wavefront/segments.rs`) in a vector.
//!
//! The part of a ray in the box is counted from the point at which the ray enters it, in units of the
//! grid and in f32, so that f32 is precise where it matters, however far away the ray starts.

use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::height_field::storage::grid::Grid;
use crate::height_field::storage::height_range::Range;
use fearless_simd::{Select, Simd, SimdFloat};

/// Bound on the error of a coordinate of the ray in units of the grid, before it becomes f32, in
/// units of `(|ray origin| + |largest line|) / spacing`.
///
/// A point of the ray at t costs 2u of its terms, one of which is at most origin plus line and the
/// other at most the line; its distance from the grid's origin u, the division 2u of that. The
/// lines themselves are rounded, 2u. 16u leaves room for u².
const PLACE_ERROR: f64 = 16.0 * UNIT_ROUNDOFF;

/// Bound on what f32 loses in `start`, `travel` and the time at which a line is passed, as a
/// distance, in units of the map's extent from the grid's origin.
///
/// With v = 2^-24, the start loses v, the travel v. In `node_test.rs` the time of a line is
/// `lane * (size * step) + (first * step + enter)`, with `lane` from 0 to 4, where `enter` is
/// `-start * step` but for the widening: the reciprocal v and the products v each, of numbers of at
/// most the extent, 2v + 2v + 2v; the sums 4v of at most twice the extent. These are 16v; the bound
/// is twice that.
const SINGLE_ERROR: f64 = 32.0 * (f32::EPSILON as f64) / 2.0;

/// The smallest error that is counted, so that its reciprocal stays in f32.
const SMALLEST_ERROR: f64 = 1e-30;

/// The largest error of a position, in cells, with which culling pays.
const COARSEST: f64 = 0.25;

/// The largest error of a height, in metres, whose reciprocal and products stay in f32.
const COARSEST_HEIGHT: f64 = 1e30;

/// The largest errors of x, y and z with which culling pays; the fourth lane is unused.
pub(super) const COARSEST_ERRORS: [f64; 4] = [COARSEST, COARSEST_HEIGHT, COARSEST, f64::MAX];

/// By how much the box is grown, in units of `|ray origin| + |largest coordinate|`: the difference of
/// a plane and the origin, the reciprocal and the product round once each, 3u.
const BOX_PADDING: f64 = 8.0 * UNIT_ROUNDOFF;

/// The sum of the errors of `start`, `travel` and the lines, in units of a place's error: once for the ray,
/// once for what it is compared with.
const ERRORS_ADDED: f64 = 2.0;

/// What a ray needs of the map's box, computed once a map. Lanes are x, y, z and nothing.
#[derive(Debug, Clone, Copy)]
pub(in crate::height_field) struct Frame {
    /// The box around the map's triangles in the world's units.
    pub(super) low: [f64; 4],
    pub(super) high: [f64; 4],
    /// The largest magnitude of a coordinate in the world.
    pub(super) max_abs: [f64; 4],
    pub(super) origin: [f64; 4],
    /// Grid units in one of the world's: 1 / spacing, and 1 for y.
    pub(super) scale: [f64; 4],
    /// The error of a place in units of the grid: what it is for a ray from the world's origin,
    /// and how it grows with a coordinate of the ray's.
    pub(super) error: [f64; 4],
    pub(super) error_growth: [f64; 4],
}

impl Frame {
    /// The frame of a map whose heights lie in `range`.
    pub(in crate::height_field) fn new(grid: &Grid, range: Range) -> Self {
        let (x, z) = (grid.x_lines(), grid.z_lines());
        let low = [x.first(), grid.y(range.min), z.first(), 0.0];
        let high = [x.end(), grid.y(range.max), z.end(), 0.0];
        let max_abs: [f64; 4] = core::array::from_fn(|k| low[k].abs().max(high[k].abs()));
        let scale = [1.0 / grid.spacing[0], 1.0, 1.0 / grid.spacing[1], 0.0];
        let tallest = f64::from(range.min.abs().max(range.max.abs()));
        let extent = [x.last as f64, tallest, z.last as f64, 1.0];
        let error_growth = scale.map(|scale| 4.0 * PLACE_ERROR * scale);
        Self {
            low,
            high,
            max_abs,
            origin: [grid.origin[0], grid.origin[1], grid.origin[2], 0.0],
            scale,
            error: core::array::from_fn(|k| {
                error_growth[k] * max_abs[k] + SINGLE_ERROR * extent[k] + SMALLEST_ERROR
            }),
            error_growth,
        }
    }
}

/// Coordinates of rays. What lanes need of a [`Frame`] is loaded where it is used, by `load`, from its
/// numbers of x, y, z and nothing.
#[derive(Clone, Copy)]
pub(super) struct Line<V> {
    pub(super) origin: V,
    pub(super) direction: V,
}

impl<V> Line<V> {
    /// When the map's box is entered and left, along the axis of each lane.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn span<S: Simd>(&self, frame: &Frame, load: impl Fn(&[f64; 4]) -> V) -> [V; 2]
    where
        V: SimdFloat<S, Element = f64>,
    {
        let Self { origin, direction } = *self;
        // What is added last keeps a plane from passing through the origin, so that 0 / 0 does not
        // occur.
        let padding = (origin.abs() + load(&frame.max_abs)) * BOX_PADDING + f64::MIN_POSITIVE;
        let reciprocal = V::splat(origin.token(), 1.0) / direction;
        let low = (load(&frame.low) - padding - origin) * reciprocal;
        let high = (load(&frame.high) + padding - origin) * reciprocal;
        [low.min(high), low.max(high)]
    }

    /// Where the rays are at t, in units of the grid.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn place<S: Simd>(&self, frame: &Frame, load: impl Fn(&[f64; 4]) -> V, t: V) -> V
    where
        V: SimdFloat<S, Element = f64>,
    {
        (self.origin + self.direction * t - load(&frame.origin)) * load(&frame.scale)
    }

    /// The part from `begin` to `end`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn between<S: Simd>(
        &self,
        frame: &Frame,
        load: impl Fn(&[f64; 4]) -> V,
        [begin, end]: [V; 2],
    ) -> Part<V>
    where
        V: SimdFloat<S, Element = f64>,
        V::Mask: Select<V>,
    {
        let start = self.place(frame, &load, begin);
        let to = self.place(frame, &load, end);
        let error = self.origin.abs() * load(&frame.error_growth) + load(&frame.error);
        // A ray that hardly moves along an axis is taken to move by the error: that much is allowed for.
        let travel = to - start;
        let hardly_moves = travel.abs().simd_lt(error);
        Part {
            start,
            travel: hardly_moves.select(error.copysign(travel), travel),
            error,
        }
    }
}

/// Coordinates of a ray's part in the box, in units of the grid: `start + s * travel`, s from 0 to 1.
#[derive(Clone, Copy)]
pub(super) struct Part<V> {
    pub(super) start: V,
    /// Never so near to 0 that its reciprocal would leave f32; `error` covers what that changes.
    pub(super) travel: V,
    /// Bound on the error of the coordinates.
    pub(super) error: V,
}

impl<V> Part<V> {
    /// The part in f32, as `narrow` rounds two vectors; its error is also that of the lines which it is
    /// compared with.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn rounded<S: Simd, F>(self, narrow: impl Fn(V, V) -> (F, F)) -> Part<F>
    where
        V: SimdFloat<S, Element = f64>,
    {
        let (start, travel) = narrow(self.start, self.travel);
        let (error, _) = narrow(self.error * ERRORS_ADDED, self.error);
        Part {
            start,
            travel,
            error,
        }
    }

    /// The reciprocal of the travel, and when the line with the coordinate 0 is passed: early enough for
    /// entering what lies beyond any line, and late enough for leaving what lies before it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn passes<S: Simd>(&self) -> [V; 3]
    where
        V: SimdFloat<S, Element = f32>,
    {
        let per_travel = V::splat(self.start.token(), 1.0) / self.travel;
        let at_start = self.start * per_travel;
        let widening = self.error * per_travel.abs();
        [per_travel, -at_start - widening, widening - at_start]
    }
}
