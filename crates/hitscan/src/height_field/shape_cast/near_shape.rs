//! A moving shape over a map, in f32, and the times at which it overlaps slabs of the grid.
//!
//! A block is bounded by slabs across x, y and z, a triangle also by slabs across its cell's diagonal and
//! along its normal. A shape may touch it while it overlaps all of its slabs. This only culls, and gives a
//! lower bound on the time of a touch; hits are decided elsewhere.
//!
//! ```text
//!      x  0   1   2        from above, `Diagonal::Anti`: slabs across x, one a column; across z, one a
//!   z  0  +---+---+        row; and across x + z, where the first triangle of a cell fills [0, 1] from the
//!         |0 /|0 /|        cell's corner and the second [1, 2]. With `Diagonal::Main` the diagonals run
//!         | / | / |        the other way, and the slabs are across x - z.
//!         |/ 1|/ 1|
//!      1  +---+---+        from the side: a slab across y from the minimum to the maximum height, and for
//!         |0 /|0 /|        a triangle one along its normal, its plane, which has no thickness.
//! ```
//!
//! # Rounding
//! Lengths along x and z are in cells, so that a triangle's normal is (-p, 1, -q) where p and q are its
//! rises. The magnitude M of a direction bounds the sum of the magnitudes of all terms of an offset, an
//! extent and a motion along it. Their roundings, and those of the divisions by the speed, are like an
//! offset that is off by less than 25u M, u being 2^-24. A speed below 8u M is replaced by that, which
//! displaces by 16u M at most for t from 0 to 1. So the test is conservative where each extent is enlarged
//! by 64u M.

use crate::exact::expansion::nearest_f32;
use crate::height_field::HeightField;
use crate::height_field::storage::grid::{Diagonal, Lines};
use crate::height_field::storage::pyramid::FAN_OUT;
use crate::narrow_phase::contact::triangle_source::MovingBox;
use crate::narrow_phase::convex::Outline;
use glam::DVec3;

/// The enlargement of extents, and the smallest speed, both relative to the magnitude M.
pub(in crate::height_field) const SLACK: f32 = 64.0 / 16_777_216.0;
pub(in crate::height_field) const MIN_SPEED: f32 = 8.0 / 16_777_216.0;

/// The minimum of M, so that no speed is 0.
const MIN_MAGNITUDE: f32 = 1e-20;

/// Bound on the error of a line of the grid, a height or the shape's position, relative to the largest
/// coordinate: a few roundings in f64.
const PLACE_ERROR: f64 = 32.0 * f64::EPSILON;

/// The maximum of all lengths, in metres and in cells; no cell is smaller than its reciprocal. No product
/// of up to four of them and no quotient leaves f32.
const MAX_LENGTH: f64 = (1_u64 << 30) as f64;

/// A moving shape over a map; vectors are in cells along x and z, in metres along y.
pub(in crate::height_field) struct MovingShape {
    /// Its middle at the start, in the world.
    middle: DVec3,
    pub(in crate::height_field) motion: [f32; 3],
    /// Its half edges, up to three of them.
    pub(in crate::height_field) halves: [[f32; 3]; 3],
    pub(in crate::height_field) edges: usize,
    pub(in crate::height_field) radius: f32,
    /// The squares of the number of cells a metre.
    pub(in crate::height_field) density: [f32; 2],
    /// Its half extents.
    pub(in crate::height_field) extent: [f32; 3],
    /// The cells' diagonals, and the half extent across them: along the direction (1, `diagonal_sign`).
    pub(in crate::height_field) diagonal: Diagonal,
    pub(in crate::height_field) diagonal_sign: f32,
    pub(in crate::height_field) extent_across: f32,
    /// Bound on the error of positions on the map.
    pub(in crate::height_field) place_error: [f32; 3],
    /// The times at which it overlaps slabs of heights.
    pub(in crate::height_field) y: SlabTimes,
    lines: [Lines; 2],
    /// The y of the heights of 0.
    ground: f64,
    inv_spacing: [f64; 2],
}

/// The times at which a moving interval overlaps slabs k = 0, 1, ... along an axis: from `half` before
/// `middle` + k `step` to `half` after.
#[derive(Clone, Copy)]
pub(in crate::height_field) struct SlabTimes {
    pub(in crate::height_field) step: f32,
    pub(in crate::height_field) middle: f32,
    pub(in crate::height_field) half: f32,
}

impl SlabTimes {
    /// The middle of the first slab is `first` ahead, the others are `step` apart; `extent` is half the
    /// width of a slab and of the interval together. `magnitude` is M.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn new(
        motion: f32,
        [first, step]: [f32; 2],
        extent: f32,
        magnitude: f32,
    ) -> Self {
        let speed = motion.abs().max(magnitude * MIN_SPEED).copysign(motion);
        let inv_speed = 1.0 / speed;
        Self {
            step: step * inv_speed,
            middle: first * inv_speed,
            half: (extent + magnitude * SLACK) * inv_speed.abs(),
        }
    }
}

/// The frame of a block of terrain, and the shape's times in it.
pub(in crate::height_field) struct BlockFrame {
    /// The shape's middle, from the block's first lines, along x and z.
    pub(in crate::height_field) place: [f32; 2],
    /// M along x and z.
    pub(in crate::height_field) magnitude: [f32; 2],
    /// The times at which the shape overlaps columns and rows of children.
    pub(in crate::height_field) slab_times: [SlabTimes; 2],
}

impl MovingShape {
    /// `None` where numbers could leave f32's range.
    pub(in crate::height_field) fn new(
        field: &HeightField,
        swept: &MovingBox,
        outline: &Outline,
    ) -> Option<Self> {
        let grid = &field.grid;
        let lines = [grid.x_lines(), grid.z_lines()];
        let root = field.ranges.root();
        let height = f64::from(root.min.abs().max(root.max.abs()));
        let (middle, halves, radius) = (outline.middle(), outline.halves(), outline.radius());
        let inv = field.inv_spacing;
        let scale = DVec3::new(inv[0], 1.0, inv[1]);
        let around = halves[0].abs() + halves[1].abs() + halves[2].abs() + radius;
        let ends = lines.map(|lines| lines.first().abs().max(lines.end().abs()));
        let ground = grid.origin[1];
        let farthest = (ends[0].max(ends[1]).max(ground.abs() + height))
            .max((middle.abs() + around + swept.motion.abs()).max_element());
        let sizes = [inv[0], inv[1], inv[0].recip(), inv[1].recip()];
        let longest = farthest * scale.max_element().max(1.0);
        if !sizes.iter().all(|size| *size <= MAX_LENGTH) || longest > MAX_LENGTH {
            return None;
        }
        let place_error = in_f32(scale * (farthest * PLACE_ERROR));
        let extent = in_f32(around * scale);
        let extent = [0, 1, 2].map(|axis| extent[axis] + place_error[axis]);
        let [motion, first, second, third] =
            [swept.motion, halves[0], halves[1], halves[2]].map(|along| in_f32(along * scale));
        let y = nearest_f32(middle.y - ground);
        let magnitude = y.abs() + motion[1].abs() + extent[1] + nearest_f32(height) + MIN_MAGNITUDE;
        let diagonal_sign = match grid.diagonal {
            Diagonal::Anti => 1.0,
            Diagonal::Main => -1.0,
        };
        let across = |half: [f32; 3]| (half[0] + diagonal_sign * half[2]).abs();
        let density = [inv[0] * inv[0], inv[1] * inv[1]].map(nearest_f32);
        let radius = nearest_f32(radius);
        Some(Self {
            middle,
            motion,
            halves: [first, second, third],
            edges: outline.edges(),
            radius,
            density,
            extent,
            diagonal: grid.diagonal,
            diagonal_sign,
            extent_across: across(first)
                + across(second)
                + across(third)
                + radius * (density[0] + density[1]).sqrt()
                + place_error[0]
                + place_error[2],
            place_error,
            y: SlabTimes::new(motion[1], [-y, 1.0], extent[1], magnitude),
            lines,
            ground,
            inv_spacing: inv,
        })
    }

    /// The frame of a block, whose children have `size` cells a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn block_frame(
        &self,
        block: [usize; 2],
        size: usize,
    ) -> BlockFrame {
        let at = |axis: usize, world: f64| {
            let first = self.lines[axis].at(block[axis] * FAN_OUT * size);
            nearest_f32((world - first) * self.inv_spacing[axis])
        };
        let place = [at(0, self.middle.x), at(1, self.middle.z)];
        let size = size as f32;
        let of = |axis: usize| {
            let (motion, extent) = (self.motion[2 * axis], self.extent[2 * axis]);
            let magnitude = place[axis].abs() + motion.abs() + extent + FAN_OUT as f32 * size;
            let first = 0.5 * size - place[axis];
            (
                magnitude,
                SlabTimes::new(motion, [first, size], extent + 0.5 * size, magnitude),
            )
        };
        let ((x_magnitude, x), (z_magnitude, z)) = (of(0), of(1));
        BlockFrame {
            place,
            magnitude: [x_magnitude, z_magnitude],
            slab_times: [x, z],
        }
    }

    /// How far it starts above a height.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn above(&self, height: f32) -> f32 {
        nearest_f32(self.middle.y - (self.ground + f64::from(height)))
    }

    /// M along y, for a start `above` heights that differ by `range`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn magnitude_along_y(&self, above: f32, range: f32) -> f32 {
        above.abs() + self.motion[1].abs() + self.extent[1] + range + MIN_MAGNITUDE
    }
}

fn in_f32(along: DVec3) -> [f32; 3] {
    along.as_vec3().to_array()
}
