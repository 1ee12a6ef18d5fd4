//! hitscan's world of moving boxes, and its pairs.

use super::hitscan::{aabb, alone, label};
use crate::inputs::Question;
use crate::inputs::crowd::{Crowd, Queries};
use crate::subject::Subjects;
use crate::workloads::boxes::Primitive;
use crate::workloads::crowd::{self, Mover};
use hitscan::broad_phase::{self, AabbCast};
use hitscan::{Aabb, ObjectId, Ray, World};
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

    fn query(solid: &Primitive) -> Aabb {
        aabb(solid)
    }

    fn start(&mut self, boxes: &[Primitive]) {
        self.world = World::new();
        let add = |solid| self.world.add(aabb(solid));
        self.objects = boxes.iter().map(add).collect();
        alone().install(|| self.world.update());
    }

    fn step(&mut self, boxes: &[Primitive]) {
        for (object, solid) in self.objects.iter().zip(boxes) {
            let moved = self.world.set_primitive(*object, aabb(solid));
            moved.expect("the object is there");
        }
        alone().install(|| self.world.update());
    }

    fn nearest(&self, ray: &Ray) -> Option<f32> {
        Some(self.world.now().cast_ray(ray, ())?.t)
    }

    fn touching(&self, query: &Aabb) -> u32 {
        self.world.now().objects_in(query, ()).len() as u32
    }
}

pub fn frames<'a>(crowd: &Rc<Crowd>, queries: &Queries) -> Subjects<'a, Option<f32>> {
    vec![crowd::frames(label(""), Moving::default(), crowd, queries)]
}

pub fn broad_phase_pairs<'a>(boxes: &[Primitive]) -> Subjects<'a, u32> {
    let boxes: Vec<Aabb> = boxes.iter().map(aabb).collect();
    let count = boxes.len();
    let find = move || alone().install(|| broad_phase::broad_phase_pairs(&boxes));
    crowd::partners(label(""), count, find)
}

pub fn impacts_of<'a>(boxes: &[Primitive], motions: &[[f32; 3]]) -> Subjects<'a, Option<f32>> {
    let moving = |(solid, motion): (&Primitive, &[f32; 3])| {
        AabbCast::new(aabb(solid), *motion).expect("motions are finite")
    };
    let boxes: Vec<AabbCast> = boxes.iter().zip(motions).map(moving).collect();
    let count = boxes.len();
    let find = move || {
        let impacts = alone().install(|| broad_phase::impacts(&boxes));
        let pairs = impacts
            .iter()
            .map(|impact| (impact.t, [impact.a, impact.b]));
        pairs.collect()
    };
    crowd::first_impacts(label(""), count, find)
}
