//! Flat things, on which whole surfaces tie, each beside a rough one of the same size.

use super::noise::space;
use super::{Mesh, Question, Rays, Terrain};
use crate::random::Random;
use crate::workloads::boxes::{BoxMove, Primitive};

const SEED: u64 = 0x71E5;
/// How far boxes start from what they come down on, and half of how far they go, metres: on flat
/// things they touch down at t = 1/2.
const DROP: f32 = 256.0;
/// Cells a side of the wall, two triangles each.
const WALL: usize = 200;
/// Cells in line of the strip, two triangles each.
const STRIP: usize = 50_000;
/// Lattice points of the roughness lie so many cells apart.
const LATTICE: f64 = 64.0;
/// How high the strip's roughness goes, metres.
const ROUGHNESS: f64 = 8.0;

/// Whether a shape is flat, or rough for the usual query beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Relief {
    Flat,
    Rough,
}

/// A square map of cells of 1 m; the rough one as steep as the terrain of 1,024 cells.
pub fn ground(cells: usize, relief: Relief) -> Terrain {
    let mut terrain = Terrain::new(cells + 1);
    let stretch = match relief {
        Relief::Flat => 0.0,
        Relief::Rough => cells as f32 / 1024.0,
    };
    for height in &mut terrain.heights {
        *height *= stretch;
    }
    terrain
}

/// How large boxes are beside what they come down on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// A little smaller than all of it.
    Whole,
    /// A crate of 2 m, somewhere.
    Crate,
}

/// Boxes that fall on a ground.
pub fn falling_boxes(cells: usize, size: Size, count: usize) -> Vec<BoxMove> {
    let falls = |[x, z]: [[f32; 2]; 2]| BoxMove {
        start: Primitive {
            min: [x[0], DROP, z[0]],
            max: [x[1], DROP + 2.0, z[1]],
        },
        motion: [0.0, -2.0 * DROP, 0.0],
    };
    sides(cells, size, count).map(falls).collect()
}

/// A wall of 80,000 triangles across the x axis.
pub fn wall(relief: Relief) -> Mesh {
    let position = |index: usize| {
        let (z, y) = (index % (WALL + 1), index / (WALL + 1));
        let x = match relief {
            Relief::Flat => 0.0,
            Relief::Rough => space(SEED, [z as f64 / LATTICE, y as f64 / LATTICE, 0.0]),
        };
        [x as f32, y as f32, z as f32]
    };
    sheet(WALL, WALL, position)
}

/// Boxes that run against the wall.
pub fn running_boxes(size: Size, count: usize) -> Vec<BoxMove> {
    let runs = |[y, z]: [[f32; 2]; 2]| BoxMove {
        start: Primitive {
            min: [-DROP - 2.0, y[0], z[0]],
            max: [-DROP, y[1], z[1]],
        },
        motion: [2.0 * DROP, 0.0, 0.0],
    };
    sides(WALL, size, count).map(runs).collect()
}

/// The near and the far side of boxes, along both axes of a square of so many cells.
fn sides(cells: usize, size: Size, count: usize) -> impl Iterator<Item = [[f32; 2]; 2]> {
    let mut random = Random::new(SEED);
    let mut side = move || match size {
        Size::Whole => {
            let near = random.between(0.0, 0.25) as f32;
            [near, cells as f32 - near]
        }
        Size::Crate => {
            let near = random.between(0.0, cells as f64 - 2.0) as f32;
            [near, near + 2.0]
        }
    };
    (0..count).map(move |_| [side(), side()])
}

/// Rays in the plane of a flat ground, across it.
pub fn rays_in_floor(cells: usize, count: usize) -> Rays {
    let mut random = Random::new(SEED);
    let mut ray = || Question {
        origin: [-1.0, 0.0, random.between(0.25, 0.75) as f32 * cells as f32],
        direction: [1.0, 0.0, random.between(-0.25, 0.25) as f32],
        t_max: f32::INFINITY,
    };
    Rays::incoherent((0..count).map(|_| ray()))
}

/// A strip of 100,000 triangles along the x axis.
pub fn strip(relief: Relief) -> Mesh {
    let position = |index: usize| {
        let (x, z) = (index % (STRIP + 1), index / (STRIP + 1));
        let y = match relief {
            Relief::Flat => 0.0,
            Relief::Rough => ROUGHNESS * space(SEED, [x as f64 / LATTICE, 0.0, 0.0]),
        };
        [x as f32, y as f32, z as f32]
    };
    sheet(STRIP, 1, position)
}

/// Rays along the strip: in the plane of the flat one; along the rough one from above it to below
/// it.
pub fn rays_along_strip(relief: Relief, count: usize) -> Rays {
    let mut random = Random::new(SEED);
    let mut ray = || {
        let z = random.between(0.25, 0.75) as f32;
        let (above, down) = match relief {
            Relief::Flat => (0.0, 0.0),
            Relief::Rough => (2.0 * ROUGHNESS, -3.0 * ROUGHNESS / STRIP as f64),
        };
        Question {
            origin: [-1.0, above as f32, z],
            direction: [1.0, down as f32, 0.0],
            t_max: f32::INFINITY,
        }
    };
    Rays::incoherent((0..count).map(|_| ray()))
}

/// Cells of two triangles, `columns` by `rows`; vertices row by row.
pub fn sheet(columns: usize, rows: usize, position: impl Fn(usize) -> [f32; 3]) -> Mesh {
    let mut triangles = Vec::with_capacity(2 * columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            let at = |i: usize, j: usize| ((row + j) * (columns + 1) + column + i) as u32;
            triangles.push([at(0, 0), at(0, 1), at(1, 0)]);
            triangles.push([at(1, 0), at(0, 1), at(1, 1)]);
        }
    }
    let vertices = (columns + 1) * (rows + 1);
    Mesh {
        positions: (0..vertices).map(position).collect(),
        triangles,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_have_the_triangles_that_their_names_say() {
        assert_eq!(wall(Relief::Flat).triangles.len(), 80_000);
        assert_eq!(strip(Relief::Flat).triangles.len(), 100_000);
        let [low, high] = wall(Relief::Flat).bounds();
        assert_eq!((low, high), ([0.0; 3], [0.0, 200.0, 200.0]));
        let [low, high] = strip(Relief::Rough).bounds();
        assert!(low[1] >= 0.0 && high[1] <= 8.0 && high[1] - low[1] > 4.0);
    }
}
