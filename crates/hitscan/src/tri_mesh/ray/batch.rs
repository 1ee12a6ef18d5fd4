//! Many rays against a mesh: slices in, answers out in the same order, each that of the ray cast alone.
//! Coherent rays go in packets (`packet.rs`), others in a wavefront (`wavefront.rs`).

use super::LeafTriangle;
use super::packet::PACKET;
use super::packet_group::PacketGroup;
use super::wavefront::Wavefront;
use crate::parallel::answer_queries;
use crate::query::closest_hits::ClosestHits;
use crate::query::collector::{Any, Closest, Collector};
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle::LANES;
use crate::tri_mesh::TriMesh;
use crate::{Ray, RayCastSettings, RayHit, Sides};
use core::cell::Cell;
use core::ops::Range;

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
    #[inline]
    pub fn cast_rays(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
    ) -> Vec<Option<RayHit>> {
        let mut hits = vec![None; rays.len()];
        self.cast_rays_into(rays, settings, &mut hits);
        hits
    }

    /// As [`TriMesh::cast_rays`], into a slice that is used again: fresh memory for many answers takes
    /// its time.
    ///
    /// # Panics
    /// If there are not as many answers as rays.
    #[inline]
    pub fn cast_rays_into(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
        hits: &mut [Option<RayHit>],
    ) {
        self.nearest_hits(rays, settings.into().sides, hits);
    }

    fn nearest_hits(&self, rays: &[Ray], sides: Sides, hits: &mut [Option<RayHit>]) {
        answer_queries(rays, hits, |rays, hits| {
            let hits = Cell::from_mut(hits).as_slice_of_cells();
            let mut packets = PacketGroup::new();
            let mut incoherent = IncoherentBatch::new();
            // The first of the rays that belong to no packet and are not answered yet.
            let mut first_incoherent = 0;
            let mut first = 0;
            while first < rays.len() {
                let next = rays.len().min(first + PACKET);
                if packets.try_add(self, rays, first, hits) {
                    incoherent.answer(self, rays, first_incoherent..first, sides, hits);
                    first_incoherent = next;
                }
                if packets.are_full() {
                    packets.answer(self, rays, sides, hits);
                }
                first = next;
            }
            packets.answer(self, rays, sides, hits);
            incoherent.answer(self, rays, first_incoherent..rays.len(), sides, hits);
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
    #[inline]
    pub fn cast_rays_any(&self, rays: &[Ray], settings: impl Into<RayCastSettings>) -> Vec<bool> {
        let mut are_hits = vec![false; rays.len()];
        self.cast_rays_any_into(rays, settings, &mut are_hits);
        are_hits
    }

    /// As [`TriMesh::cast_rays_any`], into a slice that is used again.
    ///
    /// # Panics
    /// If there are not as many answers as rays.
    #[inline]
    pub fn cast_rays_any_into(
        &self,
        rays: &[Ray],
        settings: impl Into<RayCastSettings>,
        are_hits: &mut [bool],
    ) {
        self.any_hits(rays, settings.into().sides, are_hits);
    }

    fn any_hits(&self, rays: &[Ray], sides: Sides, are_hits: &mut [bool]) {
        answer_queries(rays, are_hits, |rays, are_hits| {
            let unlimited = (
                rays.len(),
                #[inline(always)]
                |number: usize| (LocalRay::from(&rays[number]), f32::INFINITY),
            );
            Wavefront::<Any>::new().run(self, unlimited, sides, &mut |ended| {
                for (number, collector, _) in ended {
                    are_hits[number] = collector.is_hit();
                }
            });
        });
    }
}

impl TriMesh {
    /// Removes hits from a buffer while there are `least`, and writes those of their rays.
    pub(super) fn write_hits(
        &self,
        closest: &mut ClosestHits<LeafTriangle>,
        least: usize,
        rays: &[Ray],
        hits: &[Cell<Option<RayHit>>],
    ) {
        closest.write_hits(self.bvh.width(), least, rays, hits, |triangle| {
            self.triangle_at(triangle)
        });
    }
}

/// Rays that belong to no packet.
struct IncoherentBatch {
    wavefront: Wavefront<Closest<LeafTriangle>>,
    buffer: ClosestHits<LeafTriangle>,
}

impl IncoherentBatch {
    fn new() -> Self {
        Self {
            wavefront: Wavefront::new(),
            buffer: ClosestHits::new(),
        }
    }

    /// Answers those of the rays that have these numbers.
    fn answer(
        &mut self,
        mesh: &TriMesh,
        rays: &[Ray],
        numbers: Range<usize>,
        sides: Sides,
        hits: &[Cell<Option<RayHit>>],
    ) {
        if numbers.is_empty() {
            return;
        }
        let (rays, hits) = (&rays[numbers.clone()], &hits[numbers]);
        let Self { wavefront, buffer } = self;
        let unlimited = (
            rays.len(),
            #[inline(always)]
            |number: usize| {
                // When the ray ends, the memory of its answer is there.
                hits[number].set(None);
                (LocalRay::from(&rays[number]), f32::INFINITY)
            },
        );
        wavefront.run(mesh, unlimited, sides, &mut |ended| {
            for (number, collector, hit) in ended {
                buffer.push(number, collector.best(), hit);
            }
            mesh.write_hits(buffer, LANES, rays, hits);
        });
        mesh.write_hits(buffer, 1, rays, hits);
    }
}
