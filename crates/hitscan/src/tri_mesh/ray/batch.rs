//! Ray batches against a mesh: slices in, answers out in the same order, each that of the ray cast
//! alone.

use super::LeafTriangle;
use super::ray_stream::RayStream;
use super::wavefront::Wavefront;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::LANES;
use crate::parallel::answer_queries;
use crate::query::closest_hits::ClosestHits;
use crate::query::collector::{Any, Closest, Collector};
use crate::tri_mesh::TriMesh;
use crate::{Ray, RayCastSettings, RayHit, Sides, TriangleId};
use core::cell::Cell;

/// The number of rays of a stream: enough that the last of a wavefront, which leave slots empty, do not
/// count, and few enough that their answers stay in the second cache.
const STREAM: usize = 1 << 13;

/// The number of hits that are written together: a group of packets has as many rays.
const MANY_HITS: usize = 64;

impl TriMesh {
    /// For each of `rays`, in their order, what [`TriMesh::cast_ray`] answers.
    ///
    /// ```
    /// use hitscan::{Ray, TriMesh};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()];
    /// let mesh = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let rays = [0.2, 0.9].map(|x| Ray::new([x, 0.2, 3.0], [0.0, 0.0, -1.0]).unwrap());
    /// let hits = mesh.cast_rays(&rays, ());
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
            MeshBatch::new().answer(self, rays, sides, hits);
        });
    }

    /// For each of `rays`, in their order, what [`TriMesh::cast_ray_any`] answers.
    ///
    /// ```
    /// use hitscan::{Ray, TriMesh};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()];
    /// let mesh = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let rays = [0.2, 0.9].map(|x| Ray::new([x, 0.2, 3.0], [0.0, 0.0, -1.0]).unwrap());
    /// assert_eq!(mesh.cast_rays_any(&rays, ()), [true, false]);
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
            any_hits(&mut Wavefront::new(), (self, sides), rays, are_hits);
        });
    }
}

/// Answers for each ray what [`TriMesh::cast_ray_any`] answers.
pub(super) fn any_hits(
    wavefront: &mut Wavefront<Any>,
    (mesh, sides): (&TriMesh, Sides),
    rays: &[Ray],
    are_hits: &mut [bool],
) {
    let unlimited = (
        rays.len(),
        #[cfg_attr(not(debug_assertions), inline(always))]
        |number: usize| (LocalRay::from(&rays[number]), f32::INFINITY),
    );
    wavefront.run(mesh, unlimited, sides, &mut |ended| {
        for (number, collector, _) in ended {
            are_hits[number] = collector.is_hit();
        }
    });
}

/// Batches of rays at meshes, with buffers that are used again.
pub(super) struct MeshBatch {
    stream: RayStream<Closest<LeafTriangle>>,
    closest: ClosestHits<LeafTriangle>,
}

impl MeshBatch {
    pub(super) fn new() -> Self {
        Self {
            stream: RayStream::new(),
            closest: ClosestHits::new(),
        }
    }

    /// Answers for each ray what [`TriMesh::cast_ray`] answers.
    pub(super) fn answer(
        &mut self,
        mesh: &TriMesh,
        rays: &[Ray],
        sides: Sides,
        hits: &mut [Option<RayHit>],
    ) {
        let Self { stream, closest } = self;
        for (rays, hits) in rays.chunks(STREAM).zip(hits.chunks_mut(STREAM)) {
            // When a ray ends, the memory of its answer is there.
            hits.fill(None);
            let hits = Cell::from_mut(hits).as_slice_of_cells();
            let left = stream.run(
                (mesh, sides),
                rays,
                #[cfg_attr(not(debug_assertions), inline(always))]
                |number, found, hit| {
                    closest.push(number, found.best(), hit);
                    if closest.len() >= MANY_HITS {
                        write_hits(mesh, closest, LANES, (rays, hits));
                    }
                },
            );
            for &number in left {
                hits[number].set(mesh.nearest_hit(&rays[number], sides));
            }
            write_hits(mesh, closest, 1, (rays, hits));
        }
    }
}

/// Takes hits out of a buffer while there are `min`, and writes those of their rays.
#[inline(never)]
fn write_hits(
    mesh: &TriMesh,
    closest: &mut ClosestHits<LeafTriangle>,
    min: usize,
    answers: (&[Ray], &[Cell<Option<RayHit>>]),
) {
    closest.write_hits(mesh.bvh.width(), min, answers, |triangle| {
        let triangle = mesh.triangle_at(triangle);
        (TriangleId { part: 0, triangle }, None)
    });
}
