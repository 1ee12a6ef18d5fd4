//! hitscan's world of moving boxes, and its pairs.

use super::hitscan::{aabb, alone, label};
use crate::inputs::Question;
use crate::inputs::crowd::{Asked, Crowd};
use crate::subject::Subjects;
use crate::workloads::boxes::Solid;
use crate::workloads::crowd::{self, Mover};
use hitscan::{Aabb, ObjectId, Ray, Sides, World, overlap, sweep};
use std::rc::Rc;

#[derive(Default)]
struct Moving {
    world: World,
    objects: Vec<ObjectId>,
}

impl Mover for Moving {
    type Ray = Ray;
    type Query = Aabb;

    fn ray(question: &Question) -> Ray {
        Ray::new(question.origin, question.direction).expect("inputs are finite")
    }

    fn query(solid: &Solid) -> Aabb {
        aabb(solid)
    }

    fn start(&mut self, boxes: &[Solid]) {
        self.world = World::new();
        let add = |solid| self.world.add_aabb(aabb(solid));
        self.objects = boxes.iter().map(add).collect();
        alone().install(|| self.world.update());
    }

    fn step(&mut self, boxes: &[Solid]) {
        for (object, solid) in self.objects.iter().zip(boxes) {
            let moved = self.world.set_solid(*object, aabb(solid));
            moved.expect("the object is there");
        }
        alone().install(|| self.world.update());
    }

    fn nearest(&self, ray: &Ray) -> Option<f32> {
        Some(self.world.cast_ray(ray, Sides::Both)?.hit.t)
    }

    fn touching(&self, query: &Aabb) -> u32 {
        self.world.objects_in(query, Sides::Both).len() as u32
    }
}

pub fn frames<'a>(crowd: &Rc<Crowd>, asked: &Asked) -> Subjects<'a, Option<f32>> {
    vec![crowd::frames(label(""), Moving::default(), crowd, asked)]
}

pub fn touching_pairs<'a>(boxes: &[Solid]) -> Subjects<'a, u32> {
    let boxes: Vec<Aabb> = boxes.iter().map(aabb).collect();
    let count = boxes.len();
    let find = move || alone().install(|| overlap::touching_pairs(&boxes));
    crowd::partners(label(""), count, find)
}

pub fn meeting_pairs<'a>(boxes: &[Solid], motions: &[[f32; 3]]) -> Subjects<'a, Option<f32>> {
    let moving = |(solid, motion): (&Solid, &[f32; 3])| {
        sweep::BoxMotion::new(aabb(solid), *motion).expect("motions are finite")
    };
    let boxes: Vec<sweep::BoxMotion> = boxes.iter().zip(motions).map(moving).collect();
    let count = boxes.len();
    let find = move || {
        let meetings = alone().install(|| sweep::meeting_pairs(&boxes));
        let told = meetings
            .iter()
            .map(|meeting| (meeting.contact.t, [meeting.a, meeting.b]));
        told.collect()
    };
    crowd::first_meetings(label(""), count, find)
}
