//! Performance cliffs, inputs that cost far more than their size: equal triangles, a giant among small
//! ones, level ground.

use super::ties::sheet;
use super::{Mesh, Question, Rays};
use crate::random::Random;

const SEED: u64 = 0xC11F;
/// Triangles that lie on each other.
const EQUAL: usize = 20_000;
/// Cells a side of the fine sheet, two triangles each, and their size, metres.
const FINE: usize = 500;
const FINE_CELL: f32 = 0.1;

/// Triangles over the same points: all at one height, or each a little above the one before.
pub fn pile(step: f32) -> Mesh {
    let corners = |index: usize| {
        let y = index as f32 * step;
        [[-1.0, y, -1.0], [-1.0, y, 2.0], [2.0, y, -1.0]]
    };
    Mesh {
        positions: (0..EQUAL).flat_map(corners).collect(),
        triangles: (0..EQUAL as u32)
            .map(|index| [3 * index, 3 * index + 1, 3 * index + 2])
            .collect(),
    }
}

/// Rays down through a pile.
pub fn rays_through_pile(count: usize) -> Rays {
    let mut random = Random::new(SEED);
    let mut ray = || Question {
        origin: [
            random.between(-0.9, 0.4) as f32,
            1e6,
            random.between(-0.9, 0.4) as f32,
        ],
        direction: [0.0, -1.0, 0.0],
        t_max: f32::INFINITY,
    };
    Rays::incoherent((0..count).map(|_| ray()))
}

/// How many triangles a ray through a pile hits.
pub fn pile_height() -> f32 {
    EQUAL as f32
}

/// 500,000 triangles of 0.1 m on waves, and, where one is given, a triangle of that size far below them.
pub fn waves(giant: Option<f32>) -> Mesh {
    let position = |index: usize| {
        let (x, z) = (index % (FINE + 1), index / (FINE + 1));
        let [x, z] = [x as f32 * FINE_CELL, z as f32 * FINE_CELL];
        [x, (0.7 * x).sin() + (0.9 * z).cos(), z]
    };
    let mut mesh = sheet(FINE, FINE, position);
    if let Some(size) = giant {
        let first = mesh.positions.len() as u32;
        let y = -0.25 * size;
        mesh.positions
            .extend([[-size, y, -size], [-size, y, size], [size, y, -size]]);
        mesh.triangles.push([first, first + 1, first + 2]);
    }
    mesh
}

/// Rays from above the waves onto them.
pub fn rays_at_waves(count: usize) -> Rays {
    let mut random = Random::new(SEED);
    let side = f64::from(FINE as f32 * FINE_CELL);
    let mut ray = || {
        let mut within = || random.between(0.1, 0.9) * side;
        let [x, z, to_x, to_z] = [(); 4].map(|()| within() as f32);
        Question {
            origin: [x, 8.0, z],
            direction: [to_x - x, -8.0, to_z - z],
            t_max: f32::INFINITY,
        }
    };
    Rays::incoherent((0..count).map(|_| ray()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_have_the_triangles_that_their_names_say() {
        assert_eq!(pile(0.0).triangles.len(), 20_000);
        assert_eq!(waves(None).triangles.len(), 500_000);
        let [low, high] = waves(Some(1_000.0)).bounds();
        assert_eq!((low[0], high[2]), (-1_000.0, 1_000.0));
    }
}
