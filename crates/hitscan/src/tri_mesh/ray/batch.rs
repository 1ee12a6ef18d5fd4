//! Ray batches against a mesh: slices in, answers out in the same order, each that of the ray cast
//! alone. Coherent rays go in packets (`packet.rs`), others in a wavefront (`wavefront.rs`).

use super::LeafTriangle;
use super::packet::{PACKET, seem_coherent};
use super::packet_group::PacketGroup;
use super::wavefront::Wavefront;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::LANES;
use crate::query::closest_hits::ClosestHits;
use crate::query::collector::{Any, Closest, Collector};
use crate::tri_mesh::TriMesh;
use crate::{Ray, RayHit, Sides, TriangleId};
use core::cell::Cell;
use core::ops::Range;

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
        |number: usize| (LocalRay::from(&rays[number]), f32::INFINITY),
    );
    wavefront.run(mesh, unlimited, sides, &mut |ended| {
        for (number, collector, _) in ended {
            are_hits[number] = collector.is_hit();
        }
    });
}

/// Coherent rays in packets, others in a wavefront.
pub(in crate::tri_mesh) struct MeshBatch {
    packets: PacketGroup<Closest<LeafTriangle>>,
    wavefront: Wavefront<Closest<LeafTriangle>>,
    /// The hits of packets, and of the wavefront.
    buffers: [ClosestHits<LeafTriangle>; 2],
}

impl MeshBatch {
    pub(in crate::tri_mesh) fn new() -> Self {
        Self {
            packets: PacketGroup::new(),
            wavefront: Wavefront::new(),
            buffers: [ClosestHits::new(), ClosestHits::new()],
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
        let hits = Cell::from_mut(hits).as_slice_of_cells();
        // The first of the rays that belong to no packet and are not answered yet.
        let mut first_incoherent = 0;
        let mut first = 0;
        while first < rays.len() {
            let next = rays.len().min(first + PACKET);
            if self.try_add(mesh, rays, first, hits) {
                self.answer_incoherent(mesh, rays, first_incoherent..first, sides, hits);
                first_incoherent = next;
            }
            if self.packets.are_full() {
                self.answer_packets(mesh, rays, sides, hits);
            }
            first = next;
        }
        self.answer_packets(mesh, rays, sides, hits);
        self.answer_incoherent(mesh, rays, first_incoherent..rays.len(), sides, hits);
    }

    /// Adds a packet of the rays from number `first` on, if these are coherent enough; then none of them
    /// has hit yet.
    fn try_add(
        &mut self,
        mesh: &TriMesh,
        rays: &[Ray],
        first: usize,
        hits: &[Cell<Option<RayHit>>],
    ) -> bool {
        let Some(packet) = rays[first..].first_chunk::<PACKET>() else {
            return false;
        };
        let is_packet = seem_coherent(|place| packet[place].direction())
            && self.packets.try_add(
                mesh,
                first,
                #[cfg_attr(not(debug_assertions), inline(always))]
                |number| (LocalRay::from(&rays[number]), f32::INFINITY),
            );
        if is_packet {
            for hit in &hits[first..first + PACKET] {
                hit.set(None);
            }
        }
        is_packet
    }

    fn answer_packets(
        &mut self,
        mesh: &TriMesh,
        rays: &[Ray],
        sides: Sides,
        hits: &[Cell<Option<RayHit>>],
    ) {
        let [buffer, _] = &mut self.buffers;
        self.packets.run(
            mesh,
            sides,
            #[cfg_attr(not(debug_assertions), inline(always))]
            |number, closest, hit| buffer.push(number, closest.best(), hit),
        );
        write_hits(mesh, buffer, 1, (rays, hits));
    }

    /// Answers those of the rays that have these numbers, which belong to no packet.
    fn answer_incoherent(
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
        let [_, buffer] = &mut self.buffers;
        let unlimited = (
            rays.len(),
            #[cfg_attr(not(debug_assertions), inline(always))]
            |number: usize| {
                // When the ray ends, the memory of its answer is there.
                hits[number].set(None);
                (LocalRay::from(&rays[number]), f32::INFINITY)
            },
        );
        self.wavefront.run(mesh, unlimited, sides, &mut |ended| {
            for (number, collector, hit) in ended {
                buffer.push(number, collector.best(), hit);
            }
            write_hits(mesh, buffer, LANES, (rays, hits));
        });
        write_hits(mesh, buffer, 1, (rays, hits));
    }
}

/// Takes hits out of a buffer while there are `min`, and writes those of their rays.
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
