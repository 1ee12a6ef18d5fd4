//! Many rays against a mesh at once: on all threads, and in waves (`wave/`), which is what makes
//! many of them fast. Each answer is that of the ray asked alone (`ray.rs`).

use super::TriMesh;
use super::ray::hit_of;
use super::wave::{Aim, Any, Nearest, WAVE, Wave};
use crate::ray::LocalRay;
use crate::wave;
use crate::{Hit, Ray, Sides};

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
        self.share::<Nearest, _>(rays, sides, hits, |ray, nearest| {
            nearest.map(|nearest| hit_of(ray, &nearest))
        });
    }

    /// For each of `rays`, in their order, what [`TriMesh::cast_ray_any`] answers.
    ///
    /// ```
    /// use hitscan::{Ray, Sides, TriMesh};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()];
    /// let mesh = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let rays = [0.2, 0.9].map(|x| Ray::new([x, 0.2, 3.0], [0.0, 0.0, -1.0]).unwrap());
    /// assert_eq!(mesh.cast_rays_any(&rays, Sides::Both), [true, false]);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Threads
    /// As [`TriMesh::cast_rays`].
    #[must_use]
    pub fn cast_rays_any(&self, rays: &[Ray], sides: Sides) -> Vec<bool> {
        let mut are_hits = vec![false; rays.len()];
        self.cast_rays_any_into(rays, sides, &mut are_hits);
        are_hits
    }

    /// As [`TriMesh::cast_rays_any`], into a slice that is used again.
    ///
    /// # Panics
    /// If there are not as many places as rays.
    pub fn cast_rays_any_into(&self, rays: &[Ray], sides: Sides, are_hits: &mut [bool]) {
        self.share::<Any, _>(rays, sides, are_hits, |_, is_hit| is_hit);
    }

    /// Takes all rays through the mesh, and answers what `finish` makes of what each finds.
    fn share<A: Aim, T: Send>(
        &self,
        rays: &[Ray],
        sides: Sides,
        answers: &mut [T],
        finish: impl Fn(&Ray, A::Answer) -> T + Sync,
    ) {
        wave::share(rays, answers, |rays, answers| {
            let mut wave = Wave::<A>::new();
            for (rays, answers) in rays.chunks(WAVE).zip(answers.chunks_mut(WAVE)) {
                let unlimited = rays.iter().map(|ray| (LocalRay::from(ray), f32::INFINITY));
                wave.run(self, unlimited, sides);
                for ((ray, answer), found) in rays.iter().zip(answers).zip(wave.answers(self)) {
                    *answer = finish(ray, found);
                }
            }
        });
    }
}
