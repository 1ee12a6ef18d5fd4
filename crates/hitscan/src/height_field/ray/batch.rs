//! Ray batches and cameras' pictures against terrain: in wavefronts, each answer that of the ray cast alone.

use super::wavefront::{TerrainCollector, WAVEFRONT_SIZE, Wavefront};
use crate::camera::blocks::{BLOCK_RAYS, answer_tile};
use crate::height_field::HeightField;
use crate::parallel::answer_queries;
use crate::{Camera, CameraTile, Ray, Sides};

const _: () = assert!(BLOCK_RAYS <= WAVEFRONT_SIZE, "a block is one wavefront");

impl HeightField {
    /// Writes the answer of each ray.
    pub(in crate::height_field) fn answer_rays<C: TerrainCollector<Answer: Send>>(
        &self,
        rays: &[Ray],
        sides: Sides,
        answers: &mut [C::Answer],
    ) {
        answer_queries(rays, answers, |rays, answers| {
            let mut wavefront = Wavefront::<C>::new();
            for (rays, answers) in rays
                .chunks(WAVEFRONT_SIZE)
                .zip(answers.chunks_mut(WAVEFRONT_SIZE))
            {
                let unlimited = &[f32::INFINITY; WAVEFRONT_SIZE][..rays.len()];
                wavefront.answer(self, (rays, unlimited), sides, answers);
            }
        });
    }

    /// The answer of each of a tile's rays.
    pub(in crate::height_field) fn answer_camera<C: TerrainCollector<Answer: Send>>(
        &self,
        view: (&Camera, &CameraTile),
        sides: Sides,
    ) -> Vec<C::Answer> {
        answer_tile(
            view,
            self.width,
            Wavefront::<C>::new,
            |wavefront, rays, answers| {
                let unlimited = &[f32::INFINITY; WAVEFRONT_SIZE][..rays.len()];
                wavefront.answer(self, (rays, unlimited), sides, answers);
            },
        )
    }
}
