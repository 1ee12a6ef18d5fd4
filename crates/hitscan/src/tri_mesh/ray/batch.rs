//! Ray batches against a mesh: slices in, answers out in the same order, each that of the ray cast
//! alone.

use super::LeafTriangle;
use super::ray_stream::RayStream;
use super::wavefront::{MeshRay, Wavefront};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::LANES;
use crate::query::closest_hits::ClosestHits;
use crate::query::collector::{Any, Closest, Collector};
use crate::query::surface_queries::SurfaceQueries;
use crate::tri_mesh::TriMesh;
use crate::{Ray, RayHit, Sides, TriangleId};
use core::cell::Cell;

/// The number of rays of a stream: enough that the last of a wavefront, which leave slots empty, do not
/// count, and few enough that their answers stay in the second cache.
const STREAM: usize = 1 << 13;

/// The number of hits that are written together: a group of packets has as many rays.
const MANY_HITS: usize = 64;

/// Answers for each ray what [`TriMesh::cast_ray_any`] answers.
pub(in crate::tri_mesh) fn any_hits(
    wavefront: &mut Wavefront<Any>,
    (mesh, sides): (&TriMesh, Sides),
    rays: &[Ray],
    are_hits: &mut [bool],
) {
    let unlimited = (
        rays.len(),
        #[cfg_attr(not(debug_assertions), inline(always))]
        |number: usize| MeshRay {
            mesh,
            ray: LocalRay::from(&rays[number]),
            sides,
            t_max: f32::INFINITY,
        },
    );
    wavefront.run(unlimited, mesh.bvh.width(), &mut |ended| {
        for (number, collector, _) in ended {
            are_hits[number] = collector.is_hit();
        }
    });
}

/// Batches of rays at meshes, with buffers that are used again.
pub(in crate::tri_mesh) struct MeshBatch {
    stream: RayStream<Closest<LeafTriangle>>,
    closest: ClosestHits<LeafTriangle>,
}

impl MeshBatch {
    pub(in crate::tri_mesh) fn new() -> Self {
        Self {
            stream: RayStream::new(),
            closest: ClosestHits::new(),
        }
    }

    /// Answers for each ray what [`TriMesh::cast_ray`] answers.
    pub(in crate::tri_mesh) fn answer(
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
        TriangleId { part: 0, triangle }
    });
}
