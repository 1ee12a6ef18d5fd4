//! A moving shape over a map, in f32, and when it passes the lines of the grid.
//!
//! A shape is near a block or a triangle while it overlaps a slab around it, for each of some directions.
//! This only leaves out what the shape does not touch, and tells how early it might; what it touches is
//! decided elsewhere.
//!
//! # Rounding
//! Lengths along x and z are in cells, so that a triangle's normal is (-p, 1, -q) where p and q are its
//! rises. Along a direction the magnitudes of all terms of an offset, a reach and a motion sum up to M.
//! Their roundings, and those of what is divided by the speed, are like an offset that is off by less
//! than 25u M, u being 2^-24. A speed below 8u M is replaced by that, which displaces by 16u M at most
//! for t from 0 to 1. So nothing is lost where each reach is extended by 64u M.

use crate::exact::expansion::nearest_f32;
use crate::height_field::HeightField;
use crate::height_field::storage::grid::{Diagonal, Lines};
use crate::height_field::storage::pyramid::FAN_OUT;
use crate::narrow_phase::contact::triangle_source::MovingBox;
use crate::narrow_phase::convex::Outline;
use glam::DVec3;

/// By how much of M a reach is extended, and below how much of it a speed is none.
pub(in crate::height_field) const SLACK: f32 = 64.0 / 16_777_216.0;
pub(in crate::height_field) const LEAST_SPEED: f32 = 8.0 / 16_777_216.0;

/// What M is at least, so that no speed is 0.
const LEAST: f32 = 1e-20;

/// How far a line of the grid, a height or the shape's place may be off, as a part of the greatest
/// coordinate: a few roundings in f64.
const PLACE_ERROR: f64 = 32.0 * f64::EPSILON;

/// What all lengths may be, in metres and in cells; and a cell no less than its reciprocal. No product of
/// up to four of them and no quotient leaves f32.
const GREATEST: f64 = (1_u64 << 30) as f64;

/// A moving shape over a map; what has an x, y and z is in cells along x and z.
pub(in crate::height_field) struct MovingShape {
    /// Where it starts, in the world.
    middle: DVec3,
    pub(in crate::height_field) motion: [f32; 3],
    /// Its half edges, of which there are up to three.
    pub(in crate::height_field) halves: [[f32; 3]; 3],
    pub(in crate::height_field) edges: usize,
    pub(in crate::height_field) radius: f32,
    /// The squares of how many cells a metre has.
    pub(in crate::height_field) density: [f32; 2],
    /// How far it reaches from its middle.
    pub(in crate::height_field) reach: [f32; 3],
    /// Which way the cells' diagonals run, and how far it reaches across: the direction (1, `turn`).
    pub(in crate::height_field) diagonal: Diagonal,
    pub(in crate::height_field) turn: f32,
    pub(in crate::height_field) reach_across: f32,
    /// How far the map may be from where it is thought.
    pub(in crate::height_field) place_error: [f32; 3],
    /// When it is at heights.
    pub(in crate::height_field) y: Passing,
    lines: [Lines; 2],
    /// The y of the heights of 0.
    ground: f64,
    inv_spacing: [f64; 2],
}

/// When something that moves passes places k = 0, 1, ... along an axis: it is within reach of them
/// from `half` before `middle` + k `step` to `half` after.
#[derive(Clone, Copy)]
pub(in crate::height_field) struct Passing {
    pub(in crate::height_field) step: f32,
    pub(in crate::height_field) middle: f32,
    pub(in crate::height_field) half: f32,
}

impl Passing {
    /// The first place is `first` ahead, the others are `step` apart, each reaches `reach` to both sides
    /// together with what moves. `most` is M.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn new(
        motion: f32,
        [first, step]: [f32; 2],
        reach: f32,
        most: f32,
    ) -> Self {
        let speed = motion.abs().max(most * LEAST_SPEED).copysign(motion);
        let pace = 1.0 / speed;
        Self {
            step: step * pace,
            middle: first * pace,
            half: (reach + most * SLACK) * pace.abs(),
        }
    }
}

/// The moving shape over a block.
pub(in crate::height_field) struct Over {
    /// From the block's first lines, along x and z.
    pub(in crate::height_field) place: [f32; 2],
    /// M along x and z.
    pub(in crate::height_field) most: [f32; 2],
    /// When it passes the columns and rows of children.
    pub(in crate::height_field) passing: [Passing; 2],
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
        let greatest = farthest * scale.max_element().max(1.0);
        if !sizes.iter().all(|size| *size <= GREATEST) || greatest > GREATEST {
            return None;
        }
        let place_error = in_f32(scale * (farthest * PLACE_ERROR));
        let reach = in_f32(around * scale);
        let reach = [0, 1, 2].map(|axis| reach[axis] + place_error[axis]);
        let [motion, first, second, third] =
            [swept.motion, halves[0], halves[1], halves[2]].map(|along| in_f32(along * scale));
        let y = nearest_f32(middle.y - ground);
        let most = y.abs() + motion[1].abs() + reach[1] + nearest_f32(height) + LEAST;
        let turn = match grid.diagonal {
            Diagonal::Anti => 1.0,
            Diagonal::Main => -1.0,
        };
        let across = |half: [f32; 3]| (half[0] + turn * half[2]).abs();
        let density = [inv[0] * inv[0], inv[1] * inv[1]].map(nearest_f32);
        let radius = nearest_f32(radius);
        Some(Self {
            middle,
            motion,
            halves: [first, second, third],
            edges: outline.edges(),
            radius,
            density,
            reach,
            diagonal: grid.diagonal,
            turn,
            reach_across: across(first)
                + across(second)
                + across(third)
                + radius * (density[0] + density[1]).sqrt()
                + place_error[0]
                + place_error[2],
            place_error,
            y: Passing::new(motion[1], [-y, 1.0], reach[1], most),
            lines,
            ground,
            inv_spacing: inv,
        })
    }

    /// Over a block, whose children have `size` cells a side.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn over(&self, block: [usize; 2], size: usize) -> Over {
        let at = |axis: usize, world: f64| {
            let first = self.lines[axis].at(block[axis] * FAN_OUT * size);
            nearest_f32((world - first) * self.inv_spacing[axis])
        };
        let place = [at(0, self.middle.x), at(1, self.middle.z)];
        let size = size as f32;
        let of = |axis: usize| {
            let (motion, reach) = (self.motion[2 * axis], self.reach[2 * axis]);
            let most = place[axis].abs() + motion.abs() + reach + FAN_OUT as f32 * size;
            let first = 0.5 * size - place[axis];
            (
                most,
                Passing::new(motion, [first, size], reach + 0.5 * size, most),
            )
        };
        let ((x_most, x), (z_most, z)) = (of(0), of(1));
        Over {
            place,
            most: [x_most, z_most],
            passing: [x, z],
        }
    }

    /// How far it starts above a height.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn above(&self, height: f32) -> f32 {
        nearest_f32(self.middle.y - (self.ground + f64::from(height)))
    }

    /// M along y, for a start `above` heights that differ by `range`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::height_field) fn most_along_y(&self, above: f32, range: f32) -> f32 {
        above.abs() + self.motion[1].abs() + self.reach[1] + range + LEAST
    }
}

fn in_f32(along: DVec3) -> [f32; 3] {
    along.as_vec3().to_array()
}
