//! The segments of the rays of a wavefront, prepared eight at a time.
//!
//! `clip.rs` has the formulas. Here a vector holds one number of eight rays, and the numbers of a ray
//! are kept at its slot in rows.

use super::WAVEFRONT_SIZE;
use crate::Ray;
use crate::height_field::HeightField;
use crate::height_field::ray::clip::{COARSEST_ERRORS, Frame, Line, Part};
use crate::height_field::ray::descent::Descent;
use crate::height_field::ray::node_test::Lanes;
use crate::height_field::ray::progress::{ENTRY_LEVEL, Progress};
use crate::height_field::ray::segment::{Axis, Segment, flip_of};
use crate::height_field::storage::grid::Diagonal;
use crate::narrow_phase::ray_cast::ray_triangle::LANES;
use fearless_simd::{Simd, f32x8, f32x16, f64x8, mask32x8, mask64x8, prelude::*};

type Row<T> = [T; WAVEFRONT_SIZE];

/// Rays side by side in [`LaneAxes`].
const SIXTEEN: usize = 16;

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

/// The segments of a wavefront's rays, prepared for the tests of `node_test.rs`.
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
    exit_level: Row<f32>,
}

/// One coordinate of sixteen rays' segments, as [`Axis`] has them.
pub(super) struct LaneAxes<S: Simd> {
    pub(super) start: f32x16<S>,
    pub(super) travel: f32x16<S>,
    pub(super) per_travel: f32x16<S>,
    pub(super) error: f32x16<S>,
    pub(super) enter: f32x16<S>,
    pub(super) leave: f32x16<S>,
}

/// Which of eight rays have no segment, a bit each.
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
        t_start: [0.0; WAVEFRONT_SIZE],
        per_t: [0.0; WAVEFRONT_SIZE],
        direction_signs: [0; WAVEFRONT_SIZE],
        flip: [0; WAVEFRONT_SIZE],
        per_diagonal: [0.0; WAVEFRONT_SIZE],
        place_error: [0.0; WAVEFRONT_SIZE],
        entry: [[0.0; WAVEFRONT_SIZE]; 2],
        exit_level: [0.0; WAVEFRONT_SIZE],
    };

    /// Prepares the segments of these rays, each up to its limit, in the slots from `first` on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn prepare<S: Simd>(
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
        let x = Coordinate::new(wide(&x), frame, 0);
        let y = Coordinate::new(wide(&y), frame, 1);
        let z = Coordinate::new(wide(&z), frame, 2);
        let (t_min, t_max) = wide(&range);
        let begin = t_min.max(x.enter).max(y.enter).max(z.enter);
        let end = t_max.min(x.leave).min(y.leave).min(z.leave);
        let (x, x_is_fine) = x.between([begin, end], frame, 0);
        let (y, y_is_fine) = y.between([begin, end], frame, 1);
        let (z, z_is_fine) = z.between([begin, end], frame, 2);
        let columns = Lines::of(&x, field.grid.columns);
        let rows = Lines::of(&z, field.grid.rows);
        let top = field.ranges.top();
        let mut exit_level = f32x8::splat(simd, top as f32);
        for level in (ENTRY_LEVEL..top).rev() {
            let stays = columns.stay_in(level) & rows.stay_in(level);
            exit_level = stays.select(f32x8::splat(simd, level as f32), exit_level);
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
        self.x.store(first, &x);
        self.y.store(first, &y);
        self.z.store(first, &z);
        let slots = first..first + LANES;
        columns.entry.store_slice(&mut self.entry[0][slots.clone()]);
        rows.entry.store_slice(&mut self.entry[1][slots.clone()]);
        exit_level.store_slice(&mut self.exit_level[slots.clone()]);
        per_diagonal.store_slice(&mut self.per_diagonal[slots.clone()]);
        place_error.store_slice(&mut self.place_error[slots.clone()]);
        begin.store_slice(&mut self.t_start[slots.clone()]);
        per_t.store_slice(&mut self.per_t[slots]);
        SegmentMasks {
            nothing: begin.simd_gt(end).to_bitmask(),
            too_fine: (!(x_is_fine & y_is_fine & z_is_fine)).to_bitmask(),
        }
    }

    /// The ray before its first step, and its exit level.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "small whole numbers that are not negative"
    )]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn init(&self, field: &HeightField, slot: usize) -> (Progress, u16) {
        let [column, row] = [0, 1].map(|axis| self.entry[axis][slot] as u32);
        (
            Progress::at(field, column, row),
            self.exit_level[slot] as u16,
        )
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn segment(&self, slot: usize) -> Segment {
        Segment {
            x: self.x.at(slot),
            y: self.y.at(slot),
            z: self.z.at(slot),
            t_start: self.t_start[slot],
            per_t: self.per_t[slot],
            direction_signs: self.direction_signs[slot],
        }
    }

    /// [`Segment::flip`] of the ray's segment.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn flip(&self, slot: usize) -> u32 {
        u32::from(self.flip[slot])
    }

    /// Whether these of the sixteen rays from slot `first` on, a bit each, all go toward the same sides. If so,
    /// the slots of the others repeat one of them.
    pub(super) fn make_alike(&mut self, first: usize, rays: u16) -> bool {
        let one = first + rays.trailing_zeros() as usize;
        let signs = self.direction_signs[one];
        let has_ray = |slot: &usize| rays >> (slot - first) & 1 == 1;
        let slots = first..first + SIXTEEN;
        if slots
            .clone()
            .filter(has_ray)
            .any(|slot| self.direction_signs[slot] != signs)
        {
            return false;
        }
        for slot in slots.filter(|slot| !has_ray(slot)) {
            self.direction_signs[slot] = signs;
            self.flip[slot] = flip_of(signs);
            for axes in [&mut self.x, &mut self.y, &mut self.z] {
                axes.copy(one, slot);
            }
        }
        true
    }

    /// Whether a ray goes down along x (1), z (2) and y (4).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn direction_signs(&self, slot: usize) -> u8 {
        self.direction_signs[slot]
    }

    /// The segments of the sixteen rays from slot `first` on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn lanes<S: Simd>(&self, simd: S, first: usize) -> [LaneAxes<S>; 3] {
        [&self.x, &self.y, &self.z].map(
            #[cfg_attr(not(debug_assertions), inline(always))]
            |axes| axes.lanes(simd, first),
        )
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn descent<S: Simd>(&self, simd: S, slot: usize, diagonal: Diagonal) -> Descent<S> {
        let segment = self.segment(slot);
        let (place_error, per_diagonal) = (self.place_error[slot], self.per_diagonal[slot]);
        let lanes = Lanes::with(simd, &segment, diagonal, place_error, per_diagonal);
        Descent::with(segment, lanes)
    }
}

impl Axes {
    const EMPTY: Self = Self {
        start: [0.0; WAVEFRONT_SIZE],
        travel: [0.0; WAVEFRONT_SIZE],
        per_travel: [0.0; WAVEFRONT_SIZE],
        error: [0.0; WAVEFRONT_SIZE],
        enter: [0.0; WAVEFRONT_SIZE],
        leave: [0.0; WAVEFRONT_SIZE],
    };

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn store<S: Simd>(&mut self, first: usize, part: &Part<f32x8<S>>) {
        let [per_travel, enter, leave] = part.passes();
        let slots = first..first + LANES;
        part.start.store_slice(&mut self.start[slots.clone()]);
        part.travel.store_slice(&mut self.travel[slots.clone()]);
        part.error.store_slice(&mut self.error[slots.clone()]);
        per_travel.store_slice(&mut self.per_travel[slots.clone()]);
        enter.store_slice(&mut self.enter[slots.clone()]);
        leave.store_slice(&mut self.leave[slots]);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lanes<S: Simd>(&self, simd: S, first: usize) -> LaneAxes<S> {
        let row = |row: &Row<f32>| f32x16::from_slice(simd, &row[first..first + SIXTEEN]);
        LaneAxes {
            start: row(&self.start),
            travel: row(&self.travel),
            per_travel: row(&self.per_travel),
            error: row(&self.error),
            enter: row(&self.enter),
            leave: row(&self.leave),
        }
    }

    fn copy(&mut self, from: usize, to: usize) {
        let Self {
            start,
            travel,
            per_travel,
            error,
            enter,
            leave,
        } = self;
        for row in [start, travel, per_travel, error, enter, leave] {
            row[to] = row[from];
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn at(&self, slot: usize) -> Axis {
        Axis {
            start: self.start[slot],
            travel: self.travel[slot],
            per_travel: self.per_travel[slot],
            error: self.error[slot],
            enter: self.enter[slot],
            leave: self.leave[slot],
        }
    }
}

/// One coordinate of eight rays.
struct Coordinate<S: Simd> {
    line: Line<f64x8<S>>,
    /// When the map's box is entered and left along this axis.
    enter: f64x8<S>,
    leave: f64x8<S>,
}

impl<S: Simd> Coordinate<S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new((origin, direction): (f64x8<S>, f64x8<S>), frame: &Frame, axis: usize) -> Self {
        let line = Line { origin, direction };
        let [enter, leave] = line.span(
            frame,
            #[cfg_attr(not(debug_assertions), inline(always))]
            |numbers| f64x8::splat(origin.token(), numbers[axis]),
        );
        Self { line, enter, leave }
    }

    /// The part between two t, and which rays' numbers are near enough to each other for f32.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn between(
        &self,
        ends: [f64x8<S>; 2],
        frame: &Frame,
        axis: usize,
    ) -> (Part<f32x8<S>>, mask64x8<S>) {
        let part = self.line.between(
            frame,
            #[cfg_attr(not(debug_assertions), inline(always))]
            |numbers| f64x8::splat(self.enter.token(), numbers[axis]),
            ends,
        );
        let is_fine = part.error.simd_le(COARSEST_ERRORS[axis]);
        let rounded = part.rounded(
            #[cfg_attr(not(debug_assertions), inline(always))]
            |low, high| low.narrow(high).split(),
        );
        (rounded, is_fine)
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of(part: &Part<f32x8<S>>, lines: usize) -> Self {
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn stay_in(&self, level: usize) -> mask32x8<S> {
        let size = (1u64 << (2 * level)) as f32;
        let first = (self.entry * (1.0 / size)).floor() * size;
        let last = first + size;
        (first.simd_le(0.0) | self.low.simd_gt(first))
            & (last.simd_ge(self.last) | self.high.simd_lt(last))
    }
}
