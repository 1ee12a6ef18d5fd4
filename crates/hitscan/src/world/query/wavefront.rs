//! Many rays against the world in wavefronts.
//!
//! Each ray traverses the tree over the objects by itself and tests those that are quickly tested. At a
//! terrain, or a mesh of many triangles that nothing deforms, it is deferred; when all rays are deferred
//! or have ended, those deferred at the same shape go through it in a wavefront
//! (`query/wavefront.rs`), each up to what it has found so far, and resume their traversals. So every
//! ray tests the same objects in the same order as one that is cast alone, with the same answer.

use super::collector::{ObjectCollector, OnField, QueryContext, limit_of};
use crate::bvh::Cursor;
use crate::query::closest_hits::ClosestHits;
use crate::query::collector::Collector;
use crate::query::filter::QueryFilter;
use crate::query::watch::Unwatched;
use crate::ray_cast::ray::LocalRay;
use crate::world::Snapshot;
use crate::world::instanced_part::InstancedPart;
use crate::world::object::{Object, Shape};
use crate::{HeightField, ObjectId, Ray, RayCastSettings, TriMesh, height_field, tri_mesh};
use core::ops::ControlFlow;
use std::borrow::Cow;

/// The number of rays in a batch: their state stays in the nearer caches, and enough of them are
/// deferred at one object where a world has many.
pub(in crate::world) const BATCH: usize = 512;

/// Meshes of fewer triangles are tested at once, which costs less than deferring.
const MANY_TRIANGLES: usize = 1024;

/// Fewer rays at one shape are cast one after the other.
const FEW_RAYS: usize = 6;

/// How many batches are cast one ray after the other when most rays of one were deferred with so few
/// others. Then it is tried again.
const BATCHES_ALONE: usize = 7;

/// Up to [`BATCH`] rays and what they are cast at.
pub(in crate::world) struct RayBatch<'a> {
    pub(in crate::world) snapshot: &'a Snapshot,
    pub(in crate::world) rays: &'a [Ray],
    pub(in crate::world) settings: RayCastSettings,
    pub(in crate::world) filter: &'a QueryFilter<'a>,
}

/// A ray, by its index in the batch, that is deferred at a part of an object. Terrain is part 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Deferred {
    slot: u32,
    part: u32,
    place: u32,
}

/// A wavefront of rays through a world.
pub(in crate::world) struct Wavefront<A: ObjectCollector> {
    collectors: Vec<A>,
    cursors: Vec<Cursor>,
    deferred: Vec<Deferred>,
    /// Those that resume.
    resumed: Vec<Deferred>,
    /// How many batches to come are cast one ray after the other.
    batches_alone: usize,
    on_mesh: Option<Box<tri_mesh::Wavefront<A::OnMesh>>>,
    on_field: Option<Box<height_field::Wavefront<A::OnField>>>,
}

impl<A: ObjectCollector> Wavefront<A> {
    pub(in crate::world) fn new() -> Self {
        Self {
            collectors: Vec::new(),
            cursors: Vec::new(),
            deferred: Vec::new(),
            resumed: Vec::new(),
            batches_alone: 0,
            on_mesh: None,
            on_field: None,
        }
    }

    /// Answers each ray as if it were cast alone.
    pub(in crate::world) fn answer(&mut self, batch: &RayBatch<'_>, answers: &mut [A::Answer]) {
        let RayBatch { snapshot, rays, .. } = batch;
        if self.batches_alone > 0 {
            self.batches_alone -= 1;
            for (ray, answer) in rays.iter().zip(answers) {
                *answer = snapshot
                    .search::<A, _>(ray, batch.settings, batch.filter, Unwatched)
                    .answer(snapshot, ray);
            }
            return;
        }
        self.init(batch);
        if self.is_scattered() {
            self.batches_alone = BATCHES_ALONE;
        }
        while !self.deferred.is_empty() {
            self.advance(batch);
        }
        for ((collector, ray), answer) in self.collectors.drain(..).zip(*rays).zip(answers) {
            *answer = collector.answer(snapshot, ray);
        }
    }

    /// Traverses with all rays until they are first deferred, or end.
    fn init(&mut self, batch: &RayBatch<'_>) {
        let RayBatch { snapshot, rays, .. } = batch;
        self.collectors.clear();
        self.collectors
            .extend(rays.iter().map(|_| A::new(f32::INFINITY)));
        if self.cursors.len() < rays.len() {
            self.cursors.resize_with(rays.len(), Cursor::new);
        }
        self.deferred.clear();
        for (place, cursor) in (0..).zip(&mut self.cursors[..rays.len()]) {
            let context = batch.context(place);
            if snapshot.tree().init(cursor, &context.query) {
                let collector = &mut self.collectors[place as usize];
                walk(
                    batch,
                    (place, &context),
                    collector,
                    cursor,
                    &mut self.deferred,
                );
            }
        }
    }

    /// Whether most rays are deferred with few others.
    fn is_scattered(&mut self) -> bool {
        self.deferred.sort_unstable();
        let few = groups(&self.deferred).filter(|together| together.len() < FEW_RAYS);
        2 * few.map(<[_]>::len).sum::<usize>() > self.deferred.len()
    }

    /// Tests what the rays are deferred at, and resumes them until they are deferred again, or end.
    fn advance(&mut self, batch: &RayBatch<'_>) {
        let mut resumed =
            core::mem::replace(&mut self.deferred, core::mem::take(&mut self.resumed));
        resumed.sort_unstable();
        for together in groups(&resumed) {
            self.test_together(batch, together);
        }
        resumed.sort_unstable_by_key(|one| one.place);
        resumed.dedup_by_key(|one| one.place);
        for Deferred { place, .. } in resumed.drain(..) {
            let collector = &mut self.collectors[place as usize];
            let cursor = &mut self.cursors[place as usize];
            if let Some(limit) = collector.t_max()
                && cursor.leave(limit)
            {
                let context = batch.context(place);
                walk(
                    batch,
                    (place, &context),
                    collector,
                    cursor,
                    &mut self.deferred,
                );
            }
        }
        self.resumed = resumed;
    }

    /// Tests what all these rays are deferred at.
    fn test_together(&mut self, batch: &RayBatch<'_>, together: &[Deferred]) {
        let [Deferred { slot, part, .. }, ..] = *together else {
            return;
        };
        let object = batch.snapshot.seen(slot, batch.filter);
        let Some(object) = object else { return };
        match &object.shape {
            Shape::HeightField(field) => self.cast_at_field(batch, (object.id, field), together),
            Shape::Instance(instance) => {
                if let Some(placed) = instance.part(part)
                    && let Some(mesh) = placed.mesh_at_hand()
                {
                    self.cast_at_part(batch, object.id, (part, placed, mesh), together);
                }
            }
            Shape::Primitive(_) => {}
        }
    }

    fn cast_at_field(
        &mut self,
        batch: &RayBatch<'_>,
        (id, field): (ObjectId, &HeightField),
        together: &[Deferred],
    ) {
        if together.len() < FEW_RAYS {
            for one in together {
                let collector = &mut self.collectors[one.place as usize];
                collector.test_field(id, field, &batch.context(one.place), Unwatched);
            }
            return;
        }
        let wavefront = self
            .on_field
            .get_or_insert_with(height_field::Wavefront::new);
        let mut rays = Vec::with_capacity(height_field::WAVEFRONT_SIZE);
        let mut limits = Vec::with_capacity(height_field::WAVEFRONT_SIZE);
        let mut found: Vec<OnField<A>> = vec![Default::default(); height_field::WAVEFRONT_SIZE];
        for together in together.chunks(height_field::WAVEFRONT_SIZE) {
            rays.clear();
            limits.clear();
            for one in together {
                rays.push(batch.rays[one.place as usize]);
                limits.push(limit_of(&self.collectors[one.place as usize]));
            }
            let found = &mut found[..together.len()];
            wavefront.answer(field, (&rays, &limits), batch.settings.sides, found);
            for (one, found) in together.iter().zip(found) {
                self.collectors[one.place as usize].consider_field(id, *found);
            }
        }
    }

    fn cast_at_part(
        &mut self,
        batch: &RayBatch<'_>,
        id: ObjectId,
        (index, part, mesh): (u32, &InstancedPart, &TriMesh),
        together: &[Deferred],
    ) {
        if together.len() < FEW_RAYS {
            for one in together {
                let collector = &mut self.collectors[one.place as usize];
                collector.test_part(id, (index, part), &batch.context(one.place), Unwatched);
            }
            return;
        }
        let wavefront = (self.on_mesh).get_or_insert_with(|| Box::new(tri_mesh::Wavefront::new()));
        let sides = part.mesh_sides(batch.settings.sides);
        let ray = |one: &Deferred| {
            let wide = LocalRay::from(&batch.rays[one.place as usize]);
            let limit = limit_of(&self.collectors[one.place as usize]);
            (part.local_ray(&wide), limit)
        };
        let rays: Vec<_> = together.iter().map(ray).collect();
        let (collectors, mut closest) = (&mut self.collectors, ClosestHits::new());
        wavefront.run(
            mesh,
            (rays.len(), |number| rays[number]),
            sides,
            &mut |ended| {
                for (number, found, hit) in ended {
                    if found.t_max().is_none() {
                        collectors[together[number].place as usize].prove();
                    }
                    closest.push(number, found.best(), hit);
                }
            },
        );
        closest.drain(|number, triangle, hit| {
            let collector = &mut collectors[together[number].place as usize];
            let rank = (id, index, mesh.triangle_at(triangle));
            collector.consider_triangle(rank, *hit, Unwatched);
        });
    }
}

/// Those deferred at the same shape together; they are in order.
fn groups(deferred: &[Deferred]) -> impl Iterator<Item = &[Deferred]> {
    deferred.chunk_by(|one, other| (one.slot, one.part) == (other.slot, other.part))
}

impl RayBatch<'_> {
    fn context(&self, place: u32) -> QueryContext<'_> {
        QueryContext::new(&self.rays[place as usize], self.settings)
    }
}

/// Resumes traversal until the ray is deferred or ends.
fn walk<A: ObjectCollector>(
    batch: &RayBatch<'_>,
    (place, context): (u32, &QueryContext<'_>),
    collector: &mut A,
    cursor: &mut Cursor,
    deferred: &mut Vec<Deferred>,
) {
    let RayBatch {
        snapshot, filter, ..
    } = batch;
    // The collector and the list of the deferred hold how the traversal ended.
    let _ = snapshot.tree().walk_on(cursor, &mut |slot| {
        let resumed = deferred.len();
        match snapshot.seen(slot, filter) {
            None => {}
            Some(Cow::Borrowed(object)) => {
                defer_or_test(object, (slot, place, context), collector, deferred);
            }
            // An object interpolated for this ray alone is not kept until it resumes.
            Some(Cow::Owned(object)) => collector.test_object(&object, context, Unwatched),
        }
        if deferred.len() > resumed {
            ControlFlow::Break(())
        } else {
            collector.flow()
        }
    });
}

/// Defers the ray at what is worth it, and tests all else of the object.
fn defer_or_test<A: ObjectCollector>(
    object: &Object,
    (slot, place, context): (u32, u32, &QueryContext<'_>),
    collector: &mut A,
    deferred: &mut Vec<Deferred>,
) {
    let mut defer = |part| deferred.push(Deferred { slot, part, place });
    match &object.shape {
        Shape::HeightField(field) if field.triangle_count() >= MANY_TRIANGLES => defer(0),
        Shape::Instance(instance) if instance.has_few_parts() => {
            for (index, part) in instance.parts() {
                let mesh = part.mesh_at_hand();
                if mesh.is_some_and(|mesh| mesh.triangles().len() >= MANY_TRIANGLES) {
                    defer(index);
                } else {
                    collector.test_part(object.id, (index, part), context, Unwatched);
                }
            }
        }
        _ => collector.test_object(object, context, Unwatched),
    }
}
