//! Rays of a batch at one shape: in packets where they are coherent, else in a wavefront, each up to what
//! it has found so far.

use super::collector::{ObjectCollector, OnField, QueryContext, limit_of};
use crate::model::PlacedPart;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use crate::query::closest_hits::ClosestHits;
use crate::query::collector::Collector;
use crate::query::filter::QueryFilter;
use crate::query::watch::Unwatched;
use crate::tri_mesh::{LeafTriangle, PACKET, PacketGroup, seem_coherent};
use crate::world::Snapshot;
use crate::{HeightField, ObjectId, Ray, RayCastSettings, Sides, TriMesh, height_field, tri_mesh};

/// Fewer rays at one shape are cast one after the other.
pub(super) const FEW_RAYS: usize = 6;

/// Rays and what they are cast at.
pub(crate) struct RayBatch<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) rays: &'a [Ray],
    pub(crate) settings: RayCastSettings,
    pub(crate) filter: &'a QueryFilter<'a>,
}

impl RayBatch<'_> {
    #[inline]
    pub(super) fn context(&self, place: u32) -> QueryContext<'_> {
        QueryContext::new(&self.rays[place as usize], self.settings)
    }
}

/// Casts batches of rays at one shape at a time, with buffers that are used again.
pub(super) struct BatchCaster<A: ObjectCollector> {
    at_mesh: Option<Box<AtMesh<A::OnMesh>>>,
    on_field: Option<Box<height_field::Wavefront<A::OnField>>>,
}

struct AtMesh<C> {
    packets: PacketGroup<C>,
    wavefront: tri_mesh::Wavefront<C>,
    /// For each ray after which t hits do not matter.
    limits: Vec<f32>,
    /// The numbers of those that belong to no packet.
    incoherent: Vec<usize>,
    closest: ClosestHits<LeafTriangle>,
}

impl<A: ObjectCollector> BatchCaster<A> {
    pub(super) fn new() -> Self {
        Self {
            at_mesh: None,
            on_field: None,
        }
    }

    /// Casts the rays of these places at a terrain.
    pub(super) fn cast_at_field(
        &mut self,
        batch: &RayBatch<'_>,
        (id, field): (ObjectId, &HeightField),
        (places, collectors): (&[u32], &mut [A]),
    ) {
        if places.len() < FEW_RAYS {
            for &place in places {
                collectors[place as usize].test_field(id, field, &batch.context(place), Unwatched);
            }
            return;
        }
        let wavefront = self
            .on_field
            .get_or_insert_with(height_field::Wavefront::new);
        let mut rays = Vec::with_capacity(height_field::WAVEFRONT_SIZE);
        let mut limits = Vec::with_capacity(height_field::WAVEFRONT_SIZE);
        let mut found: Vec<OnField<A>> = vec![Default::default(); height_field::WAVEFRONT_SIZE];
        for together in places.chunks(height_field::WAVEFRONT_SIZE) {
            rays.clear();
            limits.clear();
            for &place in together {
                rays.push(batch.rays[place as usize]);
                limits.push(limit_of(&collectors[place as usize]));
            }
            let found = &mut found[..together.len()];
            wavefront.answer(field, (&rays, &limits), batch.settings.sides, found);
            for (&place, found) in together.iter().zip(found) {
                collectors[place as usize].consider_field(id, found);
            }
        }
    }

    /// Casts the rays of these places at a part whose mesh is at hand.
    pub(super) fn cast_at_part(
        &mut self,
        batch: &RayBatch<'_>,
        id: ObjectId,
        (part, mesh): (PlacedPart<'_>, &TriMesh),
        (places, collectors): (&[u32], &mut [A]),
    ) {
        if places.len() < FEW_RAYS {
            cast_each(batch, id, part, (places, collectors));
            return;
        }
        let AtMesh {
            packets,
            wavefront,
            limits,
            incoherent,
            closest,
        } = &mut **(self.at_mesh).get_or_insert_with(|| Box::new(AtMesh::new()));
        let of_place = |&place: &u32| limit_of(&collectors[place as usize]);
        limits.clear();
        limits.extend(places.iter().map(of_place));
        let rays = PartRays {
            part,
            rays: batch.rays,
            places,
            limits,
        };
        let sides = part.mesh_sides(batch.settings.sides);
        run_packets(
            packets,
            (mesh, sides),
            &rays,
            incoherent,
            |number, found, hit| {
                let collector = &mut collectors[places[number] as usize];
                if let Some(triangle) = found.best() {
                    let rank = (id, part.index, mesh.triangle_at(triangle));
                    collector.consider_triangle(rank, hit);
                } else if found.t_max().is_none() {
                    collector.record_certain_hit();
                }
            },
        );
        if incoherent.len() < FEW_RAYS {
            for &number in &*incoherent {
                let place = places[number];
                let context = batch.context(place);
                collectors[place as usize].test_part(id, part, &context, Unwatched);
            }
            return;
        }
        let ray_of = |number: usize| rays.ray(incoherent[number]);
        wavefront.run(mesh, (incoherent.len(), ray_of), sides, &mut |ended| {
            for (number, found, hit) in ended {
                let number = incoherent[number];
                if found.t_max().is_none() {
                    collectors[places[number] as usize].record_certain_hit();
                }
                closest.push(number, found.best(), hit);
            }
        });
        closest.drain(|number, triangle, hit| {
            let collector = &mut collectors[places[number] as usize];
            collector.consider_triangle((id, part.index, mesh.triangle_at(triangle)), hit);
        });
    }
}

impl<C: Collector<LeafTriangle> + Copy> AtMesh<C> {
    fn new() -> Self {
        Self {
            packets: PacketGroup::new(),
            wavefront: tri_mesh::Wavefront::new(),
            limits: Vec::new(),
            incoherent: Vec::new(),
            closest: ClosestHits::new(),
        }
    }
}

/// Rays of a batch, by number, in the space of a part.
struct PartRays<'a> {
    part: PlacedPart<'a>,
    rays: &'a [Ray],
    places: &'a [u32],
    /// For each after which t hits do not matter.
    limits: &'a [f32],
}

impl PartRays<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn in_world(&self, number: usize) -> &Ray {
        &self.rays[self.places[number] as usize]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ray(&self, number: usize) -> (LocalRay, f32) {
        let local = self.part.local_ray(&LocalRay::from(self.in_world(number)));
        (local, self.limits[number])
    }

    /// As [`Self::ray`]; numbers after the last are rays that are over from the start.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ray_or_none(&self, number: usize) -> (LocalRay, f32) {
        let last = self.places.len() - 1;
        let (ray, limit) = self.ray(number.min(last));
        (
            ray,
            if number > last {
                f32::NEG_INFINITY
            } else {
                limit
            },
        )
    }
}

/// Takes what is coherent of the rays through the mesh, passes on what each has found, and lists the
/// numbers of the others.
fn run_packets<C: Collector<LeafTriangle> + Copy>(
    packets: &mut PacketGroup<C>,
    (mesh, sides): (&TriMesh, Sides),
    rays: &PartRays<'_>,
    incoherent: &mut Vec<usize>,
    mut pass_on: impl FnMut(usize, &C, &TriangleHit),
) {
    let count = rays.places.len();
    // A packet that is not full ends with rays that are none.
    let mut pass_on = |number, found: &C, hit: &TriangleHit| {
        if number < count {
            pass_on(number, found, hit);
        }
    };
    incoherent.clear();
    for first in (0..count).step_by(PACKET) {
        let end = count.min(first + PACKET);
        let direction = |place: usize| rays.in_world((first + place).min(end - 1)).direction();
        let is_packet = end - first >= FEW_RAYS
            && seem_coherent(direction)
            && packets.try_add(
                mesh,
                first,
                #[cfg_attr(not(debug_assertions), inline(always))]
                |number| rays.ray_or_none(number),
            );
        if !is_packet {
            incoherent.extend(first..end);
        }
        if packets.are_full() {
            packets.run(mesh, sides, &mut pass_on);
        }
    }
    packets.run(mesh, sides, &mut pass_on);
}

/// Casts the rays of these places at a part one after the other.
pub(super) fn cast_each<A: ObjectCollector>(
    batch: &RayBatch<'_>,
    id: ObjectId,
    part: PlacedPart<'_>,
    (places, collectors): (&[u32], &mut [A]),
) {
    for &place in places {
        collectors[place as usize].test_part(id, part, &batch.context(place), Unwatched);
    }
}
