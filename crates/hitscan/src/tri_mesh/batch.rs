//! Many rays against a mesh at once: on all threads, and in waves (`wave.rs`), which is what makes
//! many of them fast. Each answer is that of the ray asked alone (`ray.rs`).

use super::TriMesh;
use super::packet::PACKET;
use super::packets::Packets;
use super::wave::Wave;
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
        wave::share(rays, hits, |rays, hits| {
            let mut packets = Packets::new();
            let mut wave = Wave::new();
            // From here on rays go apart, and are answered together.
            let mut apart = 0;
            let mut first = 0;
            while first < rays.len() {
                let next = rays.len().min(first + PACKET);
                if packets.take_in(self, rays, first) {
                    wave.answer(self, &rays[apart..first], sides, &mut hits[apart..first]);
                    apart = next;
                }
                if packets.are_full() {
                    packets.answer(self, rays, sides, hits);
                }
                first = next;
            }
            packets.answer(self, rays, sides, hits);
            wave.answer(self, &rays[apart..], sides, &mut hits[apart..]);
        });
    }
}
