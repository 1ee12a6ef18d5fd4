//! TE: raising a 32 x 32 rectangle of the 1025 map and querying the map again.

use super::context::Context;
use crate::inputs::{Question, Terrain};
use crate::peers;
use crate::random::Random;
use crate::subjects;

/// Samples a side.
const SIZE: usize = 32;
const EDITS: usize = 50;
/// A quick run's; peers take up to a fifth of a second for each.
const QUICK_EDITS: usize = 5;
const TOLERANCE: f32 = 1e-2;

/// New heights for a rectangle, and a ray at its middle.
pub struct Edit {
    pub column: usize,
    pub row: usize,
    pub size: usize,
    /// Row by row, metres.
    pub heights: Vec<f32>,
    pub question: Question,
}

impl Edit {
    /// Writes the new heights into a map of plain samples.
    pub fn apply(&self, map: &mut Terrain) {
        for (line, heights) in self.heights.chunks_exact(self.size).enumerate() {
            let first = (self.row + line) * map.size + self.column;
            map.heights[first..first + self.size].copy_from_slice(heights);
        }
    }
}

pub fn run(context: &Context) {
    let terrain = Terrain::new(1025);
    let edits = edits(&terrain, if context.is_quick { QUICK_EDITS } else { EDITS });
    let mut subjects = vec![subjects::edit_terrain(&terrain, &edits)];
    subjects.extend(context.peers(|| peers::edit_terrain(&terrain, &edits)));
    let describe = |index: usize| {
        let edit = &edits[index];
        format!(
            "edit {index} at ({}, {}): {:?}",
            edit.column, edit.row, edit.question
        )
    };
    context.race("TE", subjects, edits.len(), TOLERANCE, &describe);
}

/// Rectangles at random places, raised by 1 to 5 m above what the map had there at first.
fn edits(terrain: &Terrain, count: usize) -> Vec<Edit> {
    let mut random = Random::new(7);
    let mut edit = || {
        let mut place = || random.below(terrain.size - SIZE);
        let (column, row) = (place(), place());
        let raised = random.between(1.0, 5.0) as f32;
        let samples = (0..SIZE * SIZE)
            .map(|index| raised + terrain.sample(column + index % SIZE, row + index / SIZE));
        let middle = |first: usize| (first + SIZE / 2) as f32 + 0.25;
        Edit {
            column,
            row,
            size: SIZE,
            heights: samples.collect(),
            question: Question {
                origin: [middle(column), 500.0, middle(row)],
                direction: [0.25, -1.0, 0.125],
                t_max: 1000.0,
            },
        }
    };
    (0..count).map(|_| edit()).collect()
}
