//! Many rays against terrain: slices in, answers out in the same order.
//!
//! Reading the samples of a group of rays before walking any of them was slower than walking one
//! after the other: their state costs more to keep than the waits for memory.

use super::HeightField;
use super::wave::{WAVE, Wave};
use crate::{Hit, Ray, Sides};
use fearless_simd::dispatch;

/// How many rays a thread takes at once.
#[cfg(feature = "parallel")]
const CHUNK: usize = 1 << 10;

impl HeightField {
    /// [`HeightField::cast_ray`] for each ray, in order; on the threads of rayon's current pool
    /// where the feature `parallel` is on.
    #[must_use]
    pub fn cast_rays(&self, rays: &[Ray], sides: Sides) -> Vec<Option<Hit>> {
        let mut hits = vec![None; rays.len()];
        self.cast_rays_into(rays, sides, &mut hits);
        hits
    }

    /// As [`HeightField::cast_rays`], into memory that is used again.
    ///
    /// # Panics
    /// If there are not as many places as rays.
    pub fn cast_rays_into(&self, rays: &[Ray], sides: Sides, hits: &mut [Option<Hit>]) {
        assert_eq!(
            rays.len(),
            hits.len(),
            "there is a place for each answer"
        );
        #[cfg(feature = "parallel")]
        if rays.len() > CHUNK && rayon::current_num_threads() > 1 {
            use rayon::prelude::*;
            rays.par_chunks(CHUNK)
                .zip(hits.par_chunks_mut(CHUNK))
                .for_each(|(rays, hits)| self.fill_hits(rays, sides, hits));
            return;
        }
        self.fill_hits(rays, sides, hits);
    }

    fn fill_hits(&self, rays: &[Ray], sides: Sides, hits: &mut [Option<Hit>]) {
        let mut wave = Wave::new();
        dispatch!(self.width.level(), simd => {
            for (rays, hits) in rays.chunks(WAVE).zip(hits.chunks_mut(WAVE)) {
                wave.answer(simd, self, rays, sides, hits);
            }
        });
    }
}
