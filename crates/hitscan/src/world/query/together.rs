//! Rays of a batch at one shape, together, each up to what it has found so far.

use super::collector::{ObjectCollector, OnField, QueryContext, limit_of};
use crate::model::PlacedPart;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use crate::query::collector::Collector;
use crate::query::filter::QueryFilter;
use crate::query::watch::Unwatched;
use crate::tri_mesh::{FEW_RAYS, MeshRay, RayStream, StreamRays};
use crate::world::Snapshot;
use crate::{HeightField, ObjectId, Ray, RayCastSettings, TriMesh, height_field};
use glam::Vec3;

/// Rays and what they are cast at.
pub(crate) struct RayBatch<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) rays: &'a [Ray],
    pub(crate) settings: RayCastSettings,
    pub(crate) filter: &'a QueryFilter<'a>,
}

impl RayBatch<'_> {
    #[inline]
    pub(super) fn context(&self, place: usize) -> QueryContext<'_> {
        QueryContext::new(&self.rays[place], self.settings, self.filter)
    }
}

/// Casts batches of rays at one shape at a time, with buffers that are used again.
pub(super) struct BatchCaster<A: ObjectCollector> {
    at_mesh: RayStream<A::OnMesh>,
    /// For each ray at a mesh after which t hits do not matter.
    limits: Vec<f32>,
    on_field: Option<Box<height_field::Wavefront<A::OnField>>>,
}

impl<A: ObjectCollector> BatchCaster<A> {
    pub(super) fn new() -> Self {
        Self {
            at_mesh: RayStream::new(),
            limits: Vec::new(),
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
                collectors[place as usize].test_field(
                    id,
                    field,
                    &batch.context(place as usize),
                    Unwatched,
                );
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
            cast_each(batch, id, part, (places.iter().copied(), collectors));
            return;
        }
        let of_place = |&place: &u32| limit_of(&collectors[place as usize]);
        self.limits.clear();
        self.limits.extend(places.iter().map(of_place));
        let rays = PartRays {
            part,
            rays: batch.rays,
            places,
            limits: &self.limits,
        };
        let sides = part.mesh_sides(batch.settings.sides);
        let left = self.at_mesh.run(
            (mesh, sides),
            &rays,
            #[cfg_attr(not(debug_assertions), inline(always))]
            |number, found, hit| {
                let collector = &mut collectors[places[number] as usize];
                consider_part(collector, (id, part.index, mesh), (found, hit));
            },
        );
        let left = left.iter().map(|&number| places[number]);
        cast_each(batch, id, part, (left, collectors));
    }

    /// Casts rays at any parts.
    pub(super) fn cast_scattered(
        &mut self,
        batch: &RayBatch<'_>,
        rays: &[PartRay<'_>],
        collectors: &mut [A],
    ) {
        if rays.len() < FEW_RAYS {
            for &PartRay {
                place, id, part, ..
            } in rays
            {
                cast_each(batch, id, part, (core::iter::once(place), &mut *collectors));
            }
            return;
        }
        let places = rays.iter().map(|ray| ray.place);
        self.limits.clear();
        self.limits
            .extend(places.map(|place| limit_of(&collectors[place as usize])));
        let limits = &*self.limits;
        let ray_of = |number: usize| {
            let PartRay { place, part, .. } = &rays[number];
            MeshRay {
                mesh: rays[number].mesh,
                ray: part.local_ray(&LocalRay::from(&batch.rays[*place as usize])),
                sides: part.mesh_sides(batch.settings.sides),
                t_max: limits[number],
            }
        };
        let width = batch.snapshot.tree().width();
        let rays_of = (rays.len(), ray_of);
        self.at_mesh
            .run_scattered(rays_of, width, |number, found, hit| {
                let PartRay {
                    place,
                    id,
                    part,
                    mesh,
                } = rays[number];
                consider_part(
                    &mut collectors[place as usize],
                    (id, part.index, mesh),
                    (found, hit),
                );
            });
    }
}

/// A ray of a batch, by its place, at a part whose mesh is at hand.
pub(super) struct PartRay<'a> {
    pub(super) place: u32,
    pub(super) id: ObjectId,
    pub(super) part: PlacedPart<'a>,
    pub(super) mesh: &'a TriMesh,
}

/// Has a collector consider what a ray found in a part's mesh.
#[cfg_attr(not(debug_assertions), inline(always))]
fn consider_part<A: ObjectCollector>(
    collector: &mut A,
    (id, part, mesh): (ObjectId, u32, &TriMesh),
    (found, hit): (&A::OnMesh, &TriangleHit),
) {
    if let Some(triangle) = found.best() {
        collector.consider_triangle((id, part, mesh.triangle_at(triangle)), hit);
    } else if found.t_max().is_none() {
        collector.record_certain_hit();
    }
}

/// Rays of a batch in the space of a part.
struct PartRays<'a> {
    part: PlacedPart<'a>,
    rays: &'a [Ray],
    places: &'a [u32],
    limits: &'a [f32],
}

impl PartRays<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn in_world(&self, number: usize) -> &Ray {
        &self.rays[self.places[number] as usize]
    }
}

impl StreamRays for PartRays<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn count(&self) -> usize {
        self.places.len()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn direction(&self, number: usize) -> Vec3 {
        self.in_world(number).direction()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ray(&self, number: usize) -> (LocalRay, f32) {
        let ray = LocalRay::from(self.in_world(number));
        (self.part.local_ray(&ray), self.limits[number])
    }
}

/// Casts the rays of these places at a part one after the other.
fn cast_each<A: ObjectCollector>(
    batch: &RayBatch<'_>,
    id: ObjectId,
    part: PlacedPart<'_>,
    (places, collectors): (impl Iterator<Item = u32>, &mut [A]),
) {
    for place in places {
        collectors[place as usize].test_part(id, part, &batch.context(place as usize), Unwatched);
    }
}
