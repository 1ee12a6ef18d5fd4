//! Many rays at the world together (`crate::query::wavefront`).
//!
//! Each walks the tree over the objects by itself and asks those that are quickly asked. Before a
//! terrain, or a mesh of many triangles that nothing deforms, it waits; when all rays wait or have
//! ended, those that stand before the same thing are taken through it in waves, each up to what it has
//! found so far, and go on with their walks. So every ray meets the same objects in the same order as
//! one that is asked alone (`ray.rs`), and answers the same.

use super::collector::{Asked, Collector, OnField, OnMesh, advance};
use crate::bvh::Cursor;
use crate::query::filter::QueryFilter;
use crate::ray_cast::ray::LocalRay;
use crate::world::Snapshot;
use crate::world::instance_transform::InstancedPart;
use crate::world::object::{Object, Shape};
use crate::{HeightField, ObjectId, Ray, RayCastSettings, TriMesh, height_field, tri_mesh};
use core::ops::ControlFlow;
use std::borrow::Cow;

/// How many rays go together: what they carry stays in the nearer caches, and enough of them wait
/// before one object where a world has many.
pub(in crate::world) const BATCH: usize = 512;

/// What has fewer triangles is asked at once, which costs less than waiting.
const MANY_TRIANGLES: usize = 1024;

/// Fewer rays before one thing are asked one after the other.
const FEW_RAYS: usize = 6;

/// How many crowds are asked one after the other when most rays of one were so few before what they
/// waited for. Then it is tried again.
const IMPATIENCE: usize = 7;

/// What is asked, by up to [`BATCH`] rays.
pub(in crate::world) struct Questions<'a> {
    pub(in crate::world) moment: &'a Snapshot,
    pub(in crate::world) rays: &'a [Ray],
    pub(in crate::world) settings: RayCastSettings,
    pub(in crate::world) filter: &'a QueryFilter<'a>,
}

/// A ray, by its place in the crowd, that waits before a part of an object. Terrain is part 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    slot: u32,
    part: u32,
    place: u32,
}

/// Rays on their way through the world.
pub(in crate::world) struct Wave<A: Collector> {
    collectors: Vec<A>,
    cursors: Vec<Cursor>,
    waiting: Vec<Waiting>,
    /// Those who waited until now.
    waited: Vec<Waiting>,
    /// How many crowds to come are asked one after the other.
    impatient: usize,
    on_mesh: Option<Box<tri_mesh::Wave<A::OnMesh>>>,
    on_field: Option<Box<height_field::Wave<A::OnField>>>,
}

impl<A: Collector> Wave<A> {
    pub(in crate::world) fn new() -> Self {
        Self {
            collectors: Vec::new(),
            cursors: Vec::new(),
            waiting: Vec::new(),
            waited: Vec::new(),
            impatient: 0,
            on_mesh: None,
            on_field: None,
        }
    }

    /// Answers for each ray what it is answered alone.
    pub(in crate::world) fn answer(
        &mut self,
        questions: &Questions<'_>,
        answers: &mut [A::Answer],
    ) {
        let Questions { moment, rays, .. } = questions;
        if self.impatient > 0 {
            self.impatient -= 1;
            for (ray, answer) in rays.iter().zip(answers) {
                *answer = moment
                    .seek::<A>(ray, questions.settings, questions.filter)
                    .answer(moment, ray);
            }
            return;
        }
        self.init(questions);
        if self.is_scattered() {
            self.impatient = IMPATIENCE;
        }
        while !self.waiting.is_empty() {
            self.advance(questions);
        }
        for ((collector, ray), answer) in self.collectors.drain(..).zip(*rays).zip(answers) {
            *answer = collector.answer(moment, ray);
        }
    }

    /// Takes all rays to where they wait first, or end.
    fn init(&mut self, questions: &Questions<'_>) {
        let Questions { moment, rays, .. } = questions;
        self.collectors.clear();
        self.collectors.extend(rays.iter().map(|_| A::new()));
        if self.cursors.len() < rays.len() {
            self.cursors.resize_with(rays.len(), Cursor::new);
        }
        self.waiting.clear();
        for (place, cursor) in (0..).zip(&mut self.cursors[..rays.len()]) {
            let asked = questions.asked(place);
            if moment.tree().init(cursor, &asked.probe) {
                let collector = &mut self.collectors[place as usize];
                walk(
                    questions,
                    (place, &asked),
                    collector,
                    cursor,
                    &mut self.waiting,
                );
            }
        }
    }

    /// Whether most rays wait with few others.
    fn is_scattered(&mut self) -> bool {
        self.waiting.sort_unstable();
        let few = groups(&self.waiting).filter(|together| together.len() < FEW_RAYS);
        2 * few.map(<[_]>::len).sum::<usize>() > self.waiting.len()
    }

    /// Asks what the rays wait before, and takes them to where they wait next, or end.
    fn advance(&mut self, questions: &Questions<'_>) {
        let mut waited = core::mem::replace(&mut self.waiting, core::mem::take(&mut self.waited));
        waited.sort_unstable();
        for together in groups(&waited) {
            self.ask_together(questions, together);
        }
        waited.sort_unstable_by_key(|one| one.place);
        waited.dedup_by_key(|one| one.place);
        for Waiting { place, .. } in waited.drain(..) {
            let collector = &mut self.collectors[place as usize];
            let cursor = &mut self.cursors[place as usize];
            if let Some(limit) = collector.until()
                && cursor.leave(limit)
            {
                let asked = questions.asked(place);
                walk(
                    questions,
                    (place, &asked),
                    collector,
                    cursor,
                    &mut self.waiting,
                );
            }
        }
        self.waited = waited;
    }

    /// Asks what all these rays wait before.
    fn ask_together(&mut self, questions: &Questions<'_>, together: &[Waiting]) {
        let [Waiting { slot, part, .. }, ..] = *together else {
            return;
        };
        let object = questions.moment.seen(slot, questions.filter);
        let Some(object) = object else { return };
        match &object.shape {
            Shape::HeightField(field) => self.cross_field(questions, (object.id, field), together),
            Shape::Instance(instance) => {
                if let Some(placed) = instance.part(part)
                    && let Some(mesh) = placed.mesh_at_hand()
                {
                    self.cross_part(questions, object.id, (part, placed, mesh), together);
                }
            }
            Shape::Primitive(_) => {}
        }
    }

    fn cross_field(
        &mut self,
        questions: &Questions<'_>,
        (id, field): (ObjectId, &HeightField),
        together: &[Waiting],
    ) {
        if together.len() < FEW_RAYS {
            for one in together {
                let collector = &mut self.collectors[one.place as usize];
                collector.ask_field(id, field, &questions.asked(one.place));
            }
            return;
        }
        let wave = self.on_field.get_or_insert_with(height_field::Wave::new);
        let mut rays = Vec::with_capacity(height_field::WAVE);
        let mut limits = Vec::with_capacity(height_field::WAVE);
        let mut found: Vec<OnField<A>> = vec![Default::default(); height_field::WAVE];
        for together in together.chunks(height_field::WAVE) {
            rays.clear();
            limits.clear();
            for one in together {
                rays.push(questions.rays[one.place as usize]);
                limits.push(limit_of(&self.collectors[one.place as usize]));
            }
            let found = &mut found[..together.len()];
            wave.answer(field, (&rays, &limits), questions.settings.sides, found);
            for (one, found) in together.iter().zip(found) {
                self.collectors[one.place as usize].take_from_field(id, *found);
            }
        }
    }

    fn cross_part(
        &mut self,
        questions: &Questions<'_>,
        id: ObjectId,
        (index, part, mesh): (u32, &InstancedPart, &TriMesh),
        together: &[Waiting],
    ) {
        if together.len() < FEW_RAYS {
            for one in together {
                let collector = &mut self.collectors[one.place as usize];
                collector.ask_part(id, (index, part), &questions.asked(one.place));
            }
            return;
        }
        let wave = (self.on_mesh).get_or_insert_with(|| Box::new(tri_mesh::Wave::new()));
        let sides = part.mesh_sides(questions.settings.sides);
        let ray = |one: &Waiting| {
            let wide = LocalRay::from(&questions.rays[one.place as usize]);
            let limit = limit_of(&self.collectors[one.place as usize]);
            (part.local_ray(&wide), limit)
        };
        let rays: Vec<_> = together.iter().map(ray).collect();
        let mut found: Vec<OnMesh<A>> = vec![Default::default(); rays.len()];
        wave.answer(mesh, &rays, sides, &mut found);
        for (one, found) in together.iter().zip(found) {
            self.collectors[one.place as usize].take_from_mesh(id, index, found);
        }
    }
}

/// Those who wait before the same thing together; they are in order.
fn groups(waiting: &[Waiting]) -> impl Iterator<Item = &[Waiting]> {
    waiting.chunk_by(|one, other| (one.slot, one.part) == (other.slot, other.part))
}

impl Questions<'_> {
    fn asked(&self, place: u32) -> Asked<'_> {
        Asked::new(&self.rays[place as usize], self.settings)
    }
}

/// Up to which t things still matter; for one that has found all it looks for, none do.
fn limit_of(collector: &impl Collector) -> f32 {
    collector.until().unwrap_or(f32::NEG_INFINITY)
}

/// Walks on until the ray waits or ends.
fn walk<A: Collector>(
    questions: &Questions<'_>,
    (place, asked): (u32, &Asked<'_>),
    collector: &mut A,
    cursor: &mut Cursor,
    waiting: &mut Vec<Waiting>,
) {
    let Questions { moment, filter, .. } = questions;
    // How the walk ends is known by the aim, and by those who wait.
    let _ = moment.tree().walk_on(cursor, &mut |slot| {
        let waited = waiting.len();
        match moment.seen(slot, filter) {
            None => {}
            Some(Cow::Borrowed(object)) => {
                wait_or_ask(object, (slot, place, asked), collector, waiting);
            }
            // What was made for this ray alone is not there when it comes back.
            Some(Cow::Owned(object)) => collector.ask(&object, asked),
        }
        if waiting.len() > waited {
            ControlFlow::Break(())
        } else {
            advance(collector)
        }
    });
}

/// Waits before what is worth it, and asks all else of the object.
fn wait_or_ask<A: Collector>(
    object: &Object,
    (slot, place, asked): (u32, u32, &Asked<'_>),
    collector: &mut A,
    waiting: &mut Vec<Waiting>,
) {
    let mut wait = |part| waiting.push(Waiting { slot, part, place });
    match &object.shape {
        Shape::HeightField(field) if field.triangle_count() >= MANY_TRIANGLES => wait(0),
        Shape::Instance(instance) if instance.has_few_parts() => {
            for (index, part) in instance.parts() {
                let mesh = part.mesh_at_hand();
                if mesh.is_some_and(|mesh| mesh.triangles().len() >= MANY_TRIANGLES) {
                    wait(index);
                } else {
                    collector.ask_part(object.id, (index, part), asked);
                }
            }
        }
        _ => collector.ask(object, asked),
    }
}
