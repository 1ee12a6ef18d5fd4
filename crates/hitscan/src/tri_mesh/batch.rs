//! Many rays against a mesh at once: on all threads, and in an order in which neighbours meet the
//! same triangles, so that what one ray fetched serves the next.
//!
//! The order never shows: answers stand where their rays stand, and each is what `ray.rs` gives.

use super::TriMesh;
use crate::{Aabb, Hit, Ray, Sides};
use glam::Vec3;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// How many rays are put in order together at most: enough that neighbours are near each other, and few
/// enough that rays and answers stay within reach of the caches.
const SPAN: usize = 1 << 18;

/// Fewer rays than this are asked as they come.
const WORTH_SORTING: usize = 1 << 10;

/// Meshes whose tree takes fewer bytes are asked as rays come: what one ray fetched is still near
/// for the next, whichever it is.
const LARGE: usize = 16 << 20;

/// How many steps from a ray to the next are looked at to tell whether rays are scattered.
const SAMPLES: usize = 64;

impl TriMesh {
    /// For each of `rays`, in their order, what [`TriMesh::cast_ray`] answers.
    ///
    /// ```
    /// use hitscan::{Ray, Sides, TriMesh};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()];
    /// let mesh = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let rays = [0.2, 0.9].map(|x| Ray::new([x, 0.2, 3.0], [0.0, 0.0, -1.0]).unwrap());
    /// let hits = mesh.cast_rays(&rays, Sides::Both);
    /// assert_eq!(hits[0].map(|hit| hit.t), Some(3.0));
    /// assert!(hits[1].is_none());
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Threads
    /// With the feature `parallel` the threads of rayon's current pool share the work.
    #[must_use]
    pub fn cast_rays(&self, rays: &[Ray], sides: Sides) -> Vec<Option<Hit>> {
        let mut hits = vec![None; rays.len()];
        self.cast_rays_into(rays, sides, &mut hits);
        hits
    }

    /// As [`TriMesh::cast_rays`], into a slice that is used again: fresh memory for a million
    /// answers costs about as much as a third of them.
    ///
    /// # Panics
    /// If there are not as many places as rays.
    pub fn cast_rays_into(&self, rays: &[Ray], sides: Sides, hits: &mut [Option<Hit>]) {
        assert_eq!(rays.len(), hits.len(), "there is a place for each answer");
        let answer_span = |(rays, hits): (&[Ray], &mut [Option<Hit>])| {
            self.answer_span(rays, sides, hits);
        };
        #[cfg(feature = "parallel")]
        {
            let share = rays.len().div_ceil(rayon::current_num_threads());
            let span = share.clamp(WORTH_SORTING, SPAN);
            rays.par_chunks(span)
                .zip(hits.par_chunks_mut(span))
                .for_each(answer_span);
        }
        #[cfg(not(feature = "parallel"))]
        rays.chunks(SPAN)
            .zip(hits.chunks_mut(SPAN))
            .for_each(answer_span);
    }

    /// Each ray chooses the width anew: one compiled walk for all was a fifth slower than many.
    fn answer_span(&self, rays: &[Ray], sides: Sides, hits: &mut [Option<Hit>]) {
        let is_large = self.bvh.memory_bytes() > LARGE;
        let bounds = self.bounds().filter(|_| is_large);
        match bounds.and_then(|bounds| order(rays, &bounds)) {
            None => {
                for (ray, hit) in rays.iter().zip(hits) {
                    *hit = self.cast_ray(ray, sides);
                }
            }
            Some(order) => {
                // Rays and answers move in loops of their own, in which many of their cache misses
                // wait at once, where within the walk each would wait alone.
                let sorted: Vec<Ray> = order.iter().map(|place| rays[*place as usize]).collect();
                let answers: Vec<_> = sorted.iter().map(|ray| self.cast_ray(ray, sides)).collect();
                for (place, answer) in order.into_iter().zip(answers) {
                    hits[place as usize] = answer;
                }
            }
        }
    }
}

/// An order in which rays that pass the bounds alike follow each other, or `None` where the order in
/// which they come serves as well.
fn order(rays: &[Ray], bounds: &Aabb) -> Option<Vec<u32>> {
    if rays.len() < WORTH_SORTING {
        return None;
    }
    let size = bounds.max() - bounds.min();
    let cells_a_metre = Vec3::splat(f32::from(CELLS)) / size.max(Vec3::splat(f32::MIN_POSITIVE));
    let key = |ray: &Ray| passage_key(ray, bounds, cells_a_metre);
    // Keys that agree in their upper half pass through the same eighths of the bounds.
    let is_step = |pair: &&[Ray]| (key(&pair[0]) ^ key(&pair[1])) >> 18 != 0;
    let pairs = rays.windows(2).step_by(rays.len() / SAMPLES);
    if pairs.filter(is_step).count() < SAMPLES / 4 {
        return None;
    }
    let mut places: Vec<u64> = Vec::with_capacity(rays.len());
    places.extend(
        rays.iter()
            .zip(0u64..)
            .map(|(ray, place)| u64::from(key(ray)) << 32 | place),
    );
    places.sort_unstable();
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the lower half is a place in a slice"
    )]
    Some(places.into_iter().map(|place| place as u32).collect())
}

/// How many cells the bounds have along each axis.
const CELLS: u8 = 32;

/// For each cell its number with its bits six places apart.
const SPREAD: [u32; CELLS as usize] = {
    let mut spread = [0; CELLS as usize];
    let mut cell: u32 = 0;
    while cell < CELLS as u32 {
        let mut bit = 0;
        while bit < 5 {
            spread[cell as usize] |= (cell >> bit & 1) << (6 * bit);
            bit += 1;
        }
        cell += 1;
    }
    spread
};

/// Where the ray enters and leaves the bounds, roughly: 5 bits for each coordinate, interleaved with
/// the highest first. It only orders rays, so its rounding does not matter.
#[inline(always)]
fn passage_key(ray: &Ray, bounds: &Aabb, cells_a_metre: Vec3) -> u32 {
    let (origin, direction) = (ray.origin(), ray.direction());
    let below = (bounds.min() - origin) / direction;
    let above = (bounds.max() - origin) / direction;
    let enter = below.min(above).max_element().max(ray.t_min());
    let leave = below.max(above).min_element().min(ray.t_max());
    spread_cell((origin + direction * enter - bounds.min()) * cells_a_metre) << 3
        | spread_cell((origin + direction * leave - bounds.min()) * cells_a_metre)
}

#[inline(always)]
fn spread_cell(place: Vec3) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cast saturates, and makes 0 of what is not a number"
    )]
    let cell = |coordinate: f32| SPREAD[(coordinate as usize).min(SPREAD.len() - 1)];
    cell(place.x) << 2 | cell(place.y) << 1 | cell(place.z)
}
