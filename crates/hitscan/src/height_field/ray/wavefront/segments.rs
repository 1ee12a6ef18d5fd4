//! What the rays of a wave need on their way through the pyramid, worked out eight at a time.
//!
//! The formulas and bounds are those of `segment.rs` and `lanes.rs` for one ray; here a vector holds
//! one number of eight rays, and the numbers of a ray stand at its place in rows.

use super::WAVE;
use crate::Ray;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::height_field::HeightField;
use crate::height_field::grid::Diagonal;
use crate::height_field::ray::descent::{Descent, ENTRY_LEVEL, Progress};
use crate::height_field::ray::node_test::Lanes;
use crate::height_field::ray::segment::{Axis, COARSEST, COARSEST_HEIGHT, Frame, Segment, flip_of};
use crate::ray_cast::ray_triangle::LANES;
use fearless_simd::{Simd, f32x8, f32x16, f64x8, mask32x8, mask64x8, prelude::*};

type Row<T> = [T; WAVE];

/// One coordinate of each ray's segment.
#[derive(Debug, Clone)]
struct Axes {
    start: Row<f32>,
    travel: Row<f32>,
    per_travel: Row<f32>,
    error: Row<f32>,
    enter: Row<f32>,
    leave: Row<f32>,
}

/// The segments of a wave's rays, made ready for the tests of `lanes.rs`.
#[derive(Debug, Clone)]
pub(super) struct PreparedSegments {
    x: Axes,
    y: Axes,
    z: Axes,
    t_start: Row<f64>,
    per_t: Row<f64>,
    direction_signs: Row<u8>,
    flip: Row<u8>,
    per_diagonal: Row<f32>,
    place_error: Row<f32>,
    /// The column and row of the cell in which each ray enters the map: a guess that costs nothing
    /// where it is wrong.
    entry: [Row<f32>; 2],
    /// The level of the smallest block around the entry that holds the whole segment.
    summit: Row<f32>,
}

/// What became of eight rays, a bit each.
pub(super) struct SegmentMasks {
    /// Rays that pass the map's box by.
    pub(super) nothing: u64,
    /// Rays whose numbers are too far apart for f32.
    pub(super) too_fine: u64,
}

impl PreparedSegments {
    pub(super) const EMPTY: Self = Self {
        x: Axes::EMPTY,
        y: Axes::EMPTY,
        z: Axes::EMPTY,
        t_start: [0.0; WAVE],
        per_t: [0.0; WAVE],
        direction_signs: [0; WAVE],
        flip: [0; WAVE],
        per_diagonal: [0.0; WAVE],
        place_error: [0.0; WAVE],
        entry: [[0.0; WAVE]; 2],
        summit: [0.0; WAVE],
    };

    /// Works out the courses of these rays, each up to its limit, which stand in the wave from `first`
    /// on.
    #[inline(always)]
    pub(super) fn plot<S: Simd>(
        &mut self,
        simd: S,
        field: &HeightField,
        (rays, limits): (&[Ray; LANES], &[f32; LANES]),
        first: usize,
    ) -> SegmentMasks {
        let mut x = [0.0; 2 * LANES];
        let mut y = [0.0; 2 * LANES];
        let mut z = [0.0; 2 * LANES];
        let mut range = [0.0; 2 * LANES];
        for (lane, ray) in rays.iter().enumerate() {
            let (origin, direction) = (ray.origin(), ray.direction());
            (x[lane], x[lane + LANES]) = (origin.x, direction.x);
            (y[lane], y[lane + LANES]) = (origin.y, direction.y);
            (z[lane], z[lane + LANES]) = (origin.z, direction.z);
            // What rounds to the limit itself may tie.
            let t_max = ray.t_max().min(limits[lane].next_up());
            (range[lane], range[lane + LANES]) = (ray.t_min(), t_max);
        }
        let wide = |lanes: &[f32; 2 * LANES]| f32x16::from_slice(simd, lanes).widen();
        let frame = &field.frame;
        let x = Line::new(wide(&x), frame, 0);
        let y = Line::new(wide(&y), frame, 1);
        let z = Line::new(wide(&z), frame, 2);
        let (t_min, t_max) = wide(&range);
        let begin = t_min.max(x.enter).max(y.enter).max(z.enter);
        let end = t_max.min(x.leave).min(y.leave).min(z.leave);
        let (x, x_is_fine) = x.between(begin, end, frame, 0);
        let (y, y_is_fine) = y.between(begin, end, frame, 1);
        let (z, z_is_fine) = z.between(begin, end, frame, 2);
        let columns = Lines::of(&x, field.grid.columns);
        let rows = Lines::of(&z, field.grid.rows);
        let top = field.ranges.top();
        let mut summit = f32x8::splat(simd, top as f32);
        for level in (ENTRY_LEVEL..top).rev() {
            let stays = columns.stay_in(level) & rows.stay_in(level);
            summit = stays.select(f32x8::splat(simd, level as f32), summit);
        }
        let place_error = x.error.max(z.error) * 2.0;
        let travel_x = match field.grid.diagonal {
            Diagonal::Anti => x.travel,
            Diagonal::Main => -x.travel,
        };
        let across = travel_x + z.travel;
        let is_along = across.abs().simd_lt(place_error);
        let across = is_along.select(place_error, across);
        let per_diagonal = f32x8::splat(simd, 1.0) / across;
        let per_t = f64x8::splat(simd, 1.0) / (end - begin);
        let goes_down = [&x, &z, &y].map(|part| part.travel.simd_lt(0.0).to_bitmask());
        for lane in 0..LANES {
            let direction_signs = goes_down.map(|lanes| u8::from(lanes >> lane & 1 == 1));
            let direction_signs =
                direction_signs[0] + 2 * direction_signs[1] + 4 * direction_signs[2];
            self.direction_signs[first + lane] = direction_signs;
            self.flip[first + lane] = flip_of(direction_signs);
        }
        x.store(&mut self.x, first);
        y.store(&mut self.y, first);
        z.store(&mut self.z, first);
        let places = first..first + LANES;
        columns
            .entry
            .store_slice(&mut self.entry[0][places.clone()]);
        rows.entry.store_slice(&mut self.entry[1][places.clone()]);
        summit.store_slice(&mut self.summit[places.clone()]);
        per_diagonal.store_slice(&mut self.per_diagonal[places.clone()]);
        place_error.store_slice(&mut self.place_error[places.clone()]);
        begin.store_slice(&mut self.t_start[places.clone()]);
        per_t.store_slice(&mut self.per_t[places]);
        SegmentMasks {
            nothing: begin.simd_gt(end).to_bitmask(),
            too_fine: (!(x_is_fine & y_is_fine & z_is_fine)).to_bitmask(),
        }
    }

    /// The ray before its first step, and the level to which it climbs at most.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "small whole numbers that are not negative"
    )]
    #[inline(always)]
    pub(super) fn init(&self, field: &HeightField, place: usize) -> (Progress, u16) {
        let [column, row] = [0, 1].map(|axis| self.entry[axis][place] as u32);
        (Progress::at(field, column, row), self.summit[place] as u16)
    }

    #[inline(always)]
    pub(super) fn segment(&self, place: usize) -> Segment {
        Segment {
            x: self.x.at(place),
            y: self.y.at(place),
            z: self.z.at(place),
            t_start: self.t_start[place],
            per_t: self.per_t[place],
            direction_signs: self.direction_signs[place],
        }
    }

    /// What [`Segment::flip`] says of the ray's segment.
    #[inline(always)]
    pub(super) fn flip(&self, place: usize) -> u32 {
        u32::from(self.flip[place])
    }

    #[inline(always)]
    pub(super) fn descent<S: Simd>(&self, simd: S, place: usize, diagonal: Diagonal) -> Descent<S> {
        let segment = self.segment(place);
        let (place_error, per_diagonal) = (self.place_error[place], self.per_diagonal[place]);
        let lanes = Lanes::with(simd, &segment, diagonal, place_error, per_diagonal);
        Descent::with(segment, lanes)
    }
}

impl Axes {
    const EMPTY: Self = Self {
        start: [0.0; WAVE],
        travel: [0.0; WAVE],
        per_travel: [0.0; WAVE],
        error: [0.0; WAVE],
        enter: [0.0; WAVE],
        leave: [0.0; WAVE],
    };

    #[inline(always)]
    fn at(&self, place: usize) -> Axis {
        Axis {
            start: self.start[place],
            travel: self.travel[place],
            per_travel: self.per_travel[place],
            error: self.error[place],
            enter: self.enter[place],
            leave: self.leave[place],
        }
    }
}

/// One coordinate of eight rays.
struct Line<S: Simd> {
    origin: f64x8<S>,
    direction: f64x8<S>,
    /// When the map's box is entered and left along this axis.
    enter: f64x8<S>,
    leave: f64x8<S>,
}

impl<S: Simd> Line<S> {
    #[inline(always)]
    fn new((origin, direction): (f64x8<S>, f64x8<S>), frame: &Frame, axis: usize) -> Self {
        let splat = |value: f64| f64x8::splat(origin.token(), value);
        let padding =
            (origin.abs() + frame.reach[axis]) * (8.0 * UNIT_ROUNDOFF) + f64::MIN_POSITIVE;
        let reciprocal = splat(1.0) / direction;
        let low = (splat(frame.low[axis]) - padding - origin) * reciprocal;
        let high = (splat(frame.high[axis]) + padding - origin) * reciprocal;
        Self {
            origin,
            direction,
            enter: low.min(high),
            leave: low.max(high),
        }
    }

    /// The part between two t, and which rays' numbers are near enough to each other for f32.
    #[inline(always)]
    fn between(
        &self,
        begin: f64x8<S>,
        end: f64x8<S>,
        frame: &Frame,
        axis: usize,
    ) -> (Part<S>, mask64x8<S>) {
        let place = |t: f64x8<S>| {
            (self.origin + self.direction * t - frame.origin[axis]) * frame.scale[axis]
        };
        let (from, to) = (place(begin), place(end));
        let error = self.origin.abs() * frame.error_growth[axis] + frame.error[axis];
        let coarsest = if axis == 1 { COARSEST_HEIGHT } else { COARSEST };
        let is_fine = error.simd_le(coarsest);
        let travel = to - from;
        let hardly_moves = travel.abs().simd_lt(error);
        let travel = hardly_moves.select(error.copysign(travel), travel);
        let (start, travel) = from.narrow(travel).split();
        let (error, _) = (error * 2.0).narrow(error).split();
        let part = Part {
            start,
            travel,
            error,
        };
        (part, is_fine)
    }
}

/// One coordinate of eight segments, in units of the grid.
struct Part<S: Simd> {
    start: f32x8<S>,
    travel: f32x8<S>,
    error: f32x8<S>,
}

impl<S: Simd> Part<S> {
    #[inline(always)]
    fn store(&self, axes: &mut Axes, first: usize) {
        let simd = self.start.token();
        let per_travel = f32x8::splat(simd, 1.0) / self.travel;
        let at_start = self.start * per_travel;
        let widening = self.error * per_travel.abs();
        let places = first..first + LANES;
        self.start.store_slice(&mut axes.start[places.clone()]);
        self.travel.store_slice(&mut axes.travel[places.clone()]);
        self.error.store_slice(&mut axes.error[places.clone()]);
        per_travel.store_slice(&mut axes.per_travel[places.clone()]);
        (-at_start - widening).store_slice(&mut axes.enter[places.clone()]);
        (widening - at_start).store_slice(&mut axes.leave[places]);
    }
}

/// The lines of the map along one axis, and where eight segments lie among them.
struct Lines<S: Simd> {
    low: f32x8<S>,
    high: f32x8<S>,
    entry: f32x8<S>,
    last: f32,
}

impl<S: Simd> Lines<S> {
    #[inline(always)]
    fn of(part: &Part<S>, lines: usize) -> Self {
        let end = part.start + part.travel;
        Self {
            low: part.start.min(end) - part.error,
            high: part.start.max(end) + part.error,
            entry: part.start.min((lines - 2) as f32).max(0.0).floor(),
            last: (lines - 1) as f32,
        }
    }

    /// Which segments surely lie within the columns or rows of the block of this level in which
    /// they begin. There is nothing beyond the map's borders.
    #[inline(always)]
    fn stay_in(&self, level: usize) -> mask32x8<S> {
        let size = (1u64 << (2 * level)) as f32;
        let first = (self.entry * (1.0 / size)).floor() * size;
        let last = first + size;
        (first.simd_le(0.0) | self.low.simd_gt(first))
            & (last.simd_ge(self.last) | self.high.simd_lt(last))
    }
}
