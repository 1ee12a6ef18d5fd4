//! Many rays at the world together (`crate::query::wavefront`).
//!
//! Each walks the tree over the objects by itself and asks those that are quickly asked. Before a
//! terrain, or a mesh of many triangles that nothing deforms, it waits; when all rays wait or have
//! ended, those that stand before the same thing are taken through it in waves, each up to what it has
//! found so far, and go on with their walks. So every ray meets the same objects in the same order as
//! one that is asked alone (`ray.rs`), and answers the same.

use super::collector::{Aim, Asked, OnField, OnMesh, go_on};
use crate::bvh::Walker;
use crate::ray_cast::ray::LocalRay;
use crate::world::instance_transform::PlacedPart;
use crate::world::object::{Object, ObjectId, Shape};
use crate::world::{Filter, Moment};
use crate::{HeightField, Ray, TriMesh, height_field, tri_mesh};
use core::ops::ControlFlow;
use std::borrow::Cow;

/// How many rays go together: what they carry stays in the nearer caches, and enough of them wait
/// before one object where a world has many.
pub(in crate::world) const CROWD: usize = 512;

/// What has fewer triangles is asked at once, which costs less than waiting.
const MANY_TRIANGLES: usize = 1024;

/// Fewer rays before one thing are asked one after the other.
const FEW_RAYS: usize = 6;

/// How many crowds are asked one after the other when most rays of one were so few before what they
/// waited for. Then it is tried again.
const IMPATIENCE: usize = 7;

/// What is asked, by up to [`CROWD`] rays.
pub(in crate::world) struct Questions<'a> {
    pub(in crate::world) moment: &'a Moment<'a>,
    pub(in crate::world) rays: &'a [Ray],
    pub(in crate::world) filter: &'a Filter<'a>,
}

/// A ray, by its place in the crowd, that waits before a part of an object. Terrain is part 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    slot: u32,
    part: u32,
    place: u32,
}

/// Rays on their way through the world.
pub(in crate::world) struct Wave<A: Aim> {
    aims: Vec<A>,
    walkers: Vec<Walker>,
    waiting: Vec<Waiting>,
    /// Those who waited until now.
    waited: Vec<Waiting>,
    /// How many crowds to come are asked one after the other.
    impatient: usize,
    on_mesh: Option<Box<tri_mesh::Wave<A::OnMesh>>>,
    on_field: Option<Box<height_field::Wave<A::OnField>>>,
}

impl<A: Aim> Wave<A> {
    pub(in crate::world) fn new() -> Self {
        Self {
            aims: Vec::new(),
            walkers: Vec::new(),
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
                *answer = moment.seek::<A>(ray, questions.filter).answer(moment, ray);
            }
            return;
        }
        self.set_out(questions);
        if self.is_scattered() {
            self.impatient = IMPATIENCE;
        }
        while !self.waiting.is_empty() {
            self.go_on(questions);
        }
        for ((aim, ray), answer) in self.aims.drain(..).zip(*rays).zip(answers) {
            *answer = aim.answer(moment, ray);
        }
    }

    /// Takes all rays to where they wait first, or end.
    fn set_out(&mut self, questions: &Questions<'_>) {
        let Questions { moment, rays, .. } = questions;
        self.aims.clear();
        self.aims.extend(rays.iter().map(|_| A::new()));
        if self.walkers.len() < rays.len() {
            self.walkers.resize_with(rays.len(), Walker::new);
        }
        self.waiting.clear();
        for (place, walker) in (0..).zip(&mut self.walkers[..rays.len()]) {
            let asked = questions.asked(place);
            if moment.tree().set_out(walker, &asked.probe) {
                let aim = &mut self.aims[place as usize];
                walk(questions, (place, &asked), aim, walker, &mut self.waiting);
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
    fn go_on(&mut self, questions: &Questions<'_>) {
        let mut waited = core::mem::replace(&mut self.waiting, core::mem::take(&mut self.waited));
        waited.sort_unstable();
        for together in groups(&waited) {
            self.ask_together(questions, together);
        }
        waited.sort_unstable_by_key(|one| one.place);
        waited.dedup_by_key(|one| one.place);
        for Waiting { place, .. } in waited.drain(..) {
            let aim = &mut self.aims[place as usize];
            let walker = &mut self.walkers[place as usize];
            if let Some(limit) = aim.until()
                && walker.leave(limit)
            {
                let asked = questions.asked(place);
                walk(questions, (place, &asked), aim, walker, &mut self.waiting);
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
            Shape::Figure(figure) => {
                if let Some(placed) = figure.part(part)
                    && let Some(mesh) = placed.mesh_at_hand()
                {
                    self.cross_part(questions, object.id, (part, placed, mesh), together);
                }
            }
            Shape::Solid(_) => {}
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
                let aim = &mut self.aims[one.place as usize];
                aim.ask_field(id, field, &questions.asked(one.place));
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
                limits.push(limit_of(&self.aims[one.place as usize]));
            }
            let found = &mut found[..together.len()];
            wave.answer(field, (&rays, &limits), questions.filter.sides(), found);
            for (one, found) in together.iter().zip(found) {
                self.aims[one.place as usize].take_from_field(id, *found);
            }
        }
    }

    fn cross_part(
        &mut self,
        questions: &Questions<'_>,
        id: ObjectId,
        (index, part, mesh): (u32, &PlacedPart, &TriMesh),
        together: &[Waiting],
    ) {
        if together.len() < FEW_RAYS {
            for one in together {
                let aim = &mut self.aims[one.place as usize];
                aim.ask_part(id, (index, part), &questions.asked(one.place));
            }
            return;
        }
        let wave = (self.on_mesh).get_or_insert_with(|| Box::new(tri_mesh::Wave::new()));
        let sides = part.mesh_sides(questions.filter.sides());
        let ray = |one: &Waiting| {
            let wide = LocalRay::from(&questions.rays[one.place as usize]);
            let limit = limit_of(&self.aims[one.place as usize]);
            (part.local_ray(&wide), limit)
        };
        let rays: Vec<_> = together.iter().map(ray).collect();
        let mut found: Vec<OnMesh<A>> = vec![Default::default(); rays.len()];
        wave.answer(mesh, &rays, sides, &mut found);
        for (one, found) in together.iter().zip(found) {
            self.aims[one.place as usize].take_from_mesh(id, index, found);
        }
    }
}

/// Those who wait before the same thing together; they are in order.
fn groups(waiting: &[Waiting]) -> impl Iterator<Item = &[Waiting]> {
    waiting.chunk_by(|one, other| (one.slot, one.part) == (other.slot, other.part))
}

impl Questions<'_> {
    fn asked(&self, place: u32) -> Asked<'_> {
        Asked::new(&self.rays[place as usize], self.filter.sides())
    }
}

/// Up to which t things still matter; for one that has found all it looks for, none do.
fn limit_of(aim: &impl Aim) -> f32 {
    aim.until().unwrap_or(f32::NEG_INFINITY)
}

/// Walks on until the ray waits or ends.
fn walk<A: Aim>(
    questions: &Questions<'_>,
    (place, asked): (u32, &Asked<'_>),
    aim: &mut A,
    walker: &mut Walker,
    waiting: &mut Vec<Waiting>,
) {
    let Questions { moment, filter, .. } = questions;
    // How the walk ends is known by the aim, and by those who wait.
    let _ = moment.tree().walk_on(walker, &mut |slot| {
        let waited = waiting.len();
        match moment.seen(slot, filter) {
            None => {}
            Some(Cow::Borrowed(object)) => {
                wait_or_ask(object, (slot, place, asked), aim, waiting);
            }
            // What was made for this ray alone is not there when it comes back.
            Some(Cow::Owned(object)) => aim.ask(&object, asked),
        }
        if waiting.len() > waited {
            ControlFlow::Break(())
        } else {
            go_on(aim)
        }
    });
}

/// Waits before what is worth it, and asks all else of the object.
fn wait_or_ask<A: Aim>(
    object: &Object,
    (slot, place, asked): (u32, u32, &Asked<'_>),
    aim: &mut A,
    waiting: &mut Vec<Waiting>,
) {
    let mut wait = |part| waiting.push(Waiting { slot, part, place });
    match &object.shape {
        Shape::HeightField(field) if field.triangle_count() >= MANY_TRIANGLES => wait(0),
        Shape::Figure(figure) if figure.has_few_parts() => {
            for (index, part) in figure.parts() {
                let mesh = part.mesh_at_hand();
                if mesh.is_some_and(|mesh| mesh.triangles().len() >= MANY_TRIANGLES) {
                    wait(index);
                } else {
                    aim.ask_part(object.id, (index, part), asked);
                }
            }
        }
        _ => aim.ask(object, asked),
    }
}
