//! Wavefront traversal of a world by a batch of rays (`query/wavefront.rs`).
//!
//! The rays traverse the tree over the objects step by step together, and each tests the objects that are
//! quickly tested. At a terrain, or a mesh of many triangles that nothing deforms, it is deferred; when all
//! rays are deferred or have ended, those deferred go through what they are deferred at together
//! (`together.rs`), each up to what it has found so far, and resume their traversals. So every ray tests the
//! same objects in the same order as one that is cast alone, with the same answer.

use super::collector::{ObjectCollector, QueryContext};
use super::together::{BatchCaster, PartRay, RayBatch};
use crate::bvh::Cursor;
use crate::query::watch::Unwatched;
use crate::query::wavefront;
use crate::tri_mesh::FEW_RAYS;
use crate::world::object::{Object, Shape};
use std::borrow::Cow;

/// The number of rays in a batch: their state stays in the second cache.
pub(crate) const BATCH: usize = 128;

type List = wavefront::List<BATCH>;

/// Meshes of fewer triangles are tested at once, which costs less than deferring.
const MANY_TRIANGLES: usize = 1024;

/// A ray, by its index in the batch, that is deferred at a part of an object. Terrain is part 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Deferred {
    slot: u32,
    part: u32,
    place: u32,
}

/// A wavefront of rays through a world.
pub(crate) struct Wavefront<A: ObjectCollector> {
    collectors: Vec<A>,
    cursors: Vec<Cursor>,
    /// The rays whose next step tests a node of the tree, or an object.
    nodes: List,
    objects: List,
    deferred: Vec<Deferred>,
    /// Those that resume.
    resumed: Vec<Deferred>,
    /// The places of those at one shape.
    places: Vec<u32>,
    caster: BatchCaster<A>,
}

impl<A: ObjectCollector> Wavefront<A> {
    pub(crate) fn new() -> Self {
        Self {
            collectors: Vec::new(),
            cursors: Vec::new(),
            nodes: List::EMPTY,
            objects: List::EMPTY,
            deferred: Vec::new(),
            resumed: Vec::new(),
            places: Vec::new(),
            caster: BatchCaster::new(),
        }
    }

    /// Answers each ray as if it were cast alone.
    pub(crate) fn answer(&mut self, batch: &RayBatch<'_>, answers: &mut [A::Answer]) {
        let RayBatch { snapshot, rays, .. } = batch;
        self.init(batch);
        self.walk(batch);
        while !self.deferred.is_empty() {
            self.advance(batch);
        }
        A::answer_all(&self.collectors, (snapshot, rays), answers);
    }

    /// Starts all rays that may touch anything.
    fn init(&mut self, batch: &RayBatch<'_>) {
        let RayBatch { snapshot, rays, .. } = batch;
        self.collectors.resize_with(rays.len(), A::new);
        self.collectors.iter_mut().for_each(A::restart);
        self.deferred.clear();
        if self.cursors.len() < rays.len() {
            self.cursors.resize_with(rays.len(), Cursor::new);
        }
        let cursors = &mut self.cursors[..rays.len()];
        let query_of = |place: usize| batch.context(place).query;
        (snapshot.tree()).init_all(cursors, &query_of, &mut self.nodes);
    }

    /// Traverses until all rays are deferred, or end.
    fn walk(&mut self, batch: &RayBatch<'_>) {
        let tree = batch.snapshot.tree();
        while !(self.nodes.is_empty() && self.objects.is_empty()) {
            let mut moving = self.nodes;
            tree.test_nodes(&mut self.cursors, &self.nodes);
            for place in self.objects.iter() {
                let (collector, cursor) = (&mut self.collectors[place], &mut self.cursors[place]);
                if let Some(limit) =
                    test(batch, place, cursor.leaf(), collector, &mut self.deferred)
                {
                    cursor.keep_before(limit);
                    moving.push_if(place, true);
                }
            }
            tree.move_on(
                &mut self.cursors,
                &moving,
                [&mut self.nodes, &mut self.objects],
            );
            for place in self.objects.iter() {
                batch.snapshot.fetch(self.cursors[place].leaf());
            }
        }
    }

    /// Tests what the rays are deferred at, and resumes them until they are deferred again, or end.
    fn advance(&mut self, batch: &RayBatch<'_>) {
        let mut resumed =
            core::mem::replace(&mut self.deferred, core::mem::take(&mut self.resumed));
        resumed.sort_unstable();
        let mut scattered = Vec::new();
        for together in groups(&resumed) {
            self.test_together(batch, together, &mut scattered);
        }
        let collectors = &mut self.collectors;
        self.caster.cast_scattered(batch, &scattered, collectors);
        resumed.sort_unstable_by_key(|one| one.place);
        resumed.dedup_by_key(|one| one.place);
        let mut moving = List::EMPTY;
        for Deferred { place, .. } in resumed.drain(..) {
            let place = place as usize;
            if let Some(limit) = self.collectors[place].t_max() {
                self.cursors[place].keep_before(limit);
                moving.push_if(place, true);
            }
        }
        self.resumed = resumed;
        let lists = [&mut self.nodes, &mut self.objects];
        batch
            .snapshot
            .tree()
            .move_on(&mut self.cursors, &moving, lists);
        self.walk(batch);
    }

    /// Tests what all these rays are deferred at; where they are few at a mesh, they are listed.
    fn test_together<'a>(
        &mut self,
        batch: &RayBatch<'a>,
        together: &[Deferred],
        scattered: &mut Vec<PartRay<'a>>,
    ) {
        let [Deferred { slot, part, .. }, ..] = *together else {
            return;
        };
        let object = batch.snapshot.seen(slot, batch.filter);
        // Rays are not deferred at others.
        let Some(Cow::Borrowed(object)) = object else {
            return;
        };
        let (places, collectors) = (&mut self.places, &mut self.collectors);
        places.clear();
        places.extend(together.iter().map(|one| one.place));
        match &object.shape {
            Shape::HeightField(field) => {
                let field = (object.id, &**field);
                (self.caster).cast_at_field(batch, field, (places, collectors));
            }
            Shape::Instance(instance) => {
                if let Some(part) = instance.parts().part(part)
                    && let Some(mesh) = part.mesh_at_hand()
                {
                    let id = object.id;
                    if places.len() < FEW_RAYS {
                        scattered.extend(places.iter().map(|&place| PartRay {
                            place,
                            id,
                            part,
                            mesh,
                        }));
                    } else {
                        let part = (part, mesh);
                        (self.caster).cast_at_part(batch, id, part, (places, collectors));
                    }
                }
            }
            Shape::Primitive(_) | Shape::Compound(_) => {}
        }
    }
}

/// Those deferred at the same shape together; they are in order.
fn groups(deferred: &[Deferred]) -> impl Iterator<Item = &[Deferred]> {
    deferred.chunk_by(|one, other| (one.slot, one.part) == (other.slot, other.part))
}

/// Tests the object of a slot with the ray at a place, or defers it there. The answer is up to which t others
/// matter, unless none does or the ray is deferred.
#[cfg_attr(not(debug_assertions), inline(always))]
fn test<A: ObjectCollector>(
    batch: &RayBatch<'_>,
    place: usize,
    slot: u32,
    collector: &mut A,
    deferred: &mut Vec<Deferred>,
) -> Option<f32> {
    let before = deferred.len();
    match batch.snapshot.seen(slot, batch.filter) {
        None => {}
        Some(Cow::Borrowed(object)) => {
            defer_or_test(
                object,
                (slot, place, &batch.context(place)),
                collector,
                deferred,
            );
        }
        // An object interpolated for this ray alone is not kept until it resumes.
        Some(Cow::Owned(object)) => {
            collector.test_object(&object, &batch.context(place), Unwatched)
        }
    }
    if deferred.len() > before {
        return None;
    }
    collector.t_max()
}

/// Defers the ray at terrain and large meshes, and tests all else of the object.
fn defer_or_test<A: ObjectCollector>(
    object: &Object,
    (slot, place, context): (u32, usize, &QueryContext<'_>),
    collector: &mut A,
    deferred: &mut Vec<Deferred>,
) {
    #[expect(clippy::cast_possible_truncation, reason = "a place in a batch")]
    let place = place as u32;
    let mut defer = |part| deferred.push(Deferred { slot, part, place });
    match &object.shape {
        Shape::HeightField(field) if field.triangle_count() >= MANY_TRIANGLES => defer(0),
        Shape::Instance(instance) if instance.parts().tree().is_none() => {
            for part in instance.parts().all() {
                let mesh = part.mesh_at_hand();
                if mesh.is_some_and(|mesh| mesh.triangles().len() >= MANY_TRIANGLES) {
                    defer(part.index);
                } else {
                    collector.test_part(object.id, part, context, Unwatched);
                }
            }
        }
        _ => collector.test_object(object, context, Unwatched),
    }
}
