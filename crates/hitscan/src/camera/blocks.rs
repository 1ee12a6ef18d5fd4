//! A tile's rays in small blocks: rays of a block are neighbours in space, as packets want them, while
//! answers are row by row.

use crate::narrow_phase::ray_cast::ray_triangle::{LANES, by_lane};
use crate::parallel::fill_chunks;
use crate::simd::{Width, dispatch};
use crate::{Camera, CameraTile, Ray};
use fearless_simd::Simd;
use glam::DVec3;

/// The number of rays of a block across and down. Before terrain, rays of a row end at about the same time,
/// so that wavefronts of flat blocks are faster.
const BLOCK: [usize; 2] = [32, 4];

/// The number of rays of a block at most.
pub(crate) const BLOCK_RAYS: usize = BLOCK[0] * BLOCK[1];

/// Within a block rays are in the order of squares of so many a side, of one packet each.
const SQUARE: usize = 4;

/// Fewer rays stay on the calling thread.
const MIN_RAYS: usize = 1 << 12;

/// The answers for a tile's rays, row by row. Threads share the work: each starts with `start`, and
/// has `answer` answer the rays of blocks, up to [`BLOCK_RAYS`].
pub(crate) fn answer_tile<W, A: Copy + Default + Send>(
    view: (&Camera, &CameraTile),
    width: Width,
    start: impl Fn() -> W + Sync,
    answer: impl Fn(&mut W, &[Ray], &mut [A]) + Sync,
) -> Vec<A> {
    let mut answers = vec![A::default(); view.1.ray_count()];
    fill_tile(view, width, &mut answers, start, answer);
    answers
}

/// As [`answer_tile`], into a slice.
///
/// # Panics
/// If there are not as many answers as rays.
pub(crate) fn fill_tile<W, A: Copy + Default + Send>(
    (camera, tile): (&Camera, &CameraTile),
    width: Width,
    answers: &mut [A],
    start: impl Fn() -> W + Sync,
    answer: impl Fn(&mut W, &[Ray], &mut [A]) + Sync,
) {
    assert_eq!(
        tile.ray_count(),
        answers.len(),
        "there is a slot for each answer"
    );
    let across = tile.size()[0] as usize;
    // Whole rows of blocks.
    let rows = BLOCK[1] * MIN_RAYS.div_ceil(across.saturating_mul(BLOCK[1]));
    let columns = tile.toward_columns(camera);
    fill_chunks(answers, across.saturating_mul(rows), |first, answers| {
        let mut state = start();
        let mut rays = RayBlock::new(camera);
        let mut found = [A::default(); BLOCK_RAYS];
        let rows = answers.len() / across;
        let toward_rows = tile.down_to_rows(camera, first / across, rows);
        for row in (0..rows).step_by(BLOCK[1]) {
            let size_down = BLOCK[1].min(rows - row);
            for column in (0..across).step_by(BLOCK[0]) {
                let size = [BLOCK[0].min(across - column), size_down];
                let toward = (&columns[column..], &toward_rows[row..]);
                dispatch!(width, simd => rays.fill(simd, toward, size));
                let found = &mut found[..rays.count];
                answer(&mut state, &rays.rays[..rays.count], found);
                for (number, found) in found.iter().enumerate() {
                    let [x, y] = rays.places[number].map(usize::from);
                    answers[(row + y) * across + column + x] = *found;
                }
            }
        }
    });
}

/// The rays of a block, and the column and row of each.
struct RayBlock<'a> {
    camera: &'a Camera,
    rays: [Ray; BLOCK_RAYS],
    places: [[u8; 2]; BLOCK_RAYS],
    count: usize,
    size: [usize; 2],
}

impl<'a> RayBlock<'a> {
    fn new(camera: &'a Camera) -> Self {
        Self {
            camera,
            rays: [camera.ray(0.0, 0.0); BLOCK_RAYS],
            places: [[0; 2]; BLOCK_RAYS],
            count: 0,
            size: [0; 2],
        }
    }

    /// The rays toward the first columns and rows.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fill<S: Simd>(&mut self, simd: S, (columns, rows): (&[DVec3], &[DVec3]), size: [usize; 2]) {
        if self.size != size {
            self.arrange(size);
        }
        for first in (0..self.count).step_by(LANES) {
            let eight = by_lane(|lane| {
                let [x, y] = self.places[(first + lane) % BLOCK_RAYS].map(usize::from);
                // Places after the last are those of another block.
                (&columns[x % size[0]], &rows[y % size[1]])
            });
            let eight = self.camera.rays(simd, eight);
            self.rays[first..first + LANES].copy_from_slice(&eight);
        }
    }

    /// Finds the places of a block of this size, square by square.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a block's size is a small number"
    )]
    fn arrange(&mut self, size: [usize; 2]) {
        let [across, down] = size.map(|size| size as u8);
        let square = SQUARE as u8;
        self.count = 0;
        for top in (0..down).step_by(SQUARE) {
            for left in (0..across).step_by(SQUARE) {
                for y in top..down.min(top + square) {
                    for x in left..across.min(left + square) {
                        self.places[self.count] = [x, y];
                        self.count += 1;
                    }
                }
            }
        }
        self.size = size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rays themselves, as answers.
    fn rays_of(camera: &Camera, tile: &CameraTile, width: Width) -> Vec<Option<Ray>> {
        let copy = |(): &mut (), rays: &[Ray], answers: &mut [Option<Ray>]| {
            for (ray, answer) in rays.iter().zip(answers) {
                *answer = Some(*ray);
            }
        };
        answer_tile((camera, tile), width, || (), copy)
    }

    #[test]
    fn every_ray_is_in_its_place_and_has_its_bits() {
        let camera = Camera::new([0.3, 2.0, -7.0], [1.0, 0.5, 3.0], 0.8, [333, 217]);
        let camera = camera.expect("a good camera");
        let picture = CameraTile::whole(&camera);
        let part = CameraTile::new(&camera, 5..26, 200..217).expect("a good tile");
        let line = CameraTile::new(&camera, 7..8, 0..217).expect("a good tile");
        for tile in [picture, part, line] {
            for step in [1, 2, 3, 4, 50] {
                for place in [[0.5; 2], [0.0, 1.0], [0.3, 0.8]] {
                    let tile = tile.with_step(step).and_then(|tile| tile.with_place(place));
                    let tile = tile.expect("a good tile");
                    let [across, down] = tile.size();
                    let places = (0..down).flat_map(|row| (0..across).map(move |x| (x, row)));
                    let expected: Vec<_> = places
                        .map(|(column, row)| Some(tile.ray(&camera, column, row)))
                        .collect();
                    for width in Width::available() {
                        assert!(rays_of(&camera, &tile, width) == expected, "{tile:?}");
                    }
                }
            }
        }
    }
}
