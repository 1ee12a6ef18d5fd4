//! Many rays against terrain: slices in, answers out in the same order.
//!
//! Reading the samples of a group of rays before walking any of them was slower than walking one
//! after the other: their state costs more to keep than the waits for memory.

use super::HeightField;
use crate::{Hit, Ray, Sides};

/// How many rays a thread takes at once.
#[cfg(feature = "parallel")]
const CHUNK: usize = 1 << 8;

impl HeightField {
    /// [`HeightField::cast_ray`] for each ray, in order; on the threads of rayon's current pool
    /// where the feature `parallel` is on.
    #[must_use]
    pub fn cast_rays(&self, rays: &[Ray], sides: Sides) -> Vec<Option<Hit>> {
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            if rays.len() > CHUNK && rayon::current_num_threads() > 1 {
                return rays
                    .par_iter()
                    .with_min_len(CHUNK)
                    .map(|ray| self.cast_ray(ray, sides))
                    .collect();
            }
        }
        rays.iter().map(|ray| self.cast_ray(ray, sides)).collect()
    }
}
