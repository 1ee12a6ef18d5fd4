//! hitscan's world of bodies that move, by rays one by one and all at once; batches beside loops.

use super::hitscan::{label, rays as prepared};
use super::hitscan_world::{Moving, read};
use crate::answer::Met;
use crate::inputs::Rays;
use crate::inputs::world::{self, Body};
use crate::label::{Family, Label};
use crate::subject::{Subjects, each, filled};
use crate::workloads::world_moves::{Frames, Mover, Runs, frames as running};
use hitscan::{Ray, RayHit};
use std::hint::black_box;
use std::sync::Arc;

struct OneByOne {
    world: Moving,
    rays: Vec<Ray>,
    answers: Vec<Option<Met>>,
}

impl Mover for OneByOne {
    fn start(&mut self, moving: &world::Moving) {
        self.world = Moving::start(&moving.inventory);
    }

    fn step(&mut self, bodies: &[Body]) {
        self.world.step(bodies);
    }

    fn cast(&mut self) {
        for (answer, ray) in self.answers.iter_mut().zip(&self.rays) {
            *answer = self.world.cast(ray);
        }
        black_box(&self.answers);
    }

    fn answers(&self) -> Vec<Option<f32>> {
        self.answers.iter().map(|met| Some((*met)?.t)).collect()
    }
}

struct AllAtOnce {
    world: Moving,
    rays: Vec<Ray>,
    hits: Vec<Option<RayHit>>,
}

impl Mover for AllAtOnce {
    fn start(&mut self, moving: &world::Moving) {
        self.world = Moving::start(&moving.inventory);
    }

    fn step(&mut self, bodies: &[Body]) {
        self.world.step(bodies);
    }

    fn cast(&mut self) {
        self.world.cast_all(&self.rays, &mut self.hits);
        black_box(&self.hits);
    }

    fn answers(&self) -> Vec<Option<f32>> {
        self.hits.iter().map(|hit| Some((*hit)?.t)).collect()
    }
}

pub fn frames<'a>(frames: &Frames) -> Runs<'a> {
    let (rays, count) = (prepared(&frames.rays), frames.rays.len());
    let all = AllAtOnce {
        world: Moving::default(),
        rays: rays.clone(),
        hits: vec![None; count],
    };
    let one_by_one = OneByOne {
        world: Moving::default(),
        rays,
        answers: vec![None; count],
    };
    let mut runs = vec![running(label(""), one_by_one, frames)];
    if frames.casts {
        runs.push(running(label("cast_rays").of_many(), all, frames));
    }
    runs
}

/// A batch, and the same rays one by one, which are its peer; each way of asking.
pub fn batch<'a>(moving: &world::Moving, questions: &Rays) -> Subjects<'a, Option<Met>> {
    let world = Arc::new(Moving::start(&moving.inventory));
    let again = Arc::clone(&world);
    let rays = prepared(questions);
    let all = rays.clone();
    let fill = move |hits: &mut Vec<Option<RayHit>>| again.cast_all(&all, hits);
    let ask = move |ray: &Ray| world.cast(ray);
    let hits = vec![None; questions.len()];
    let one_by_one = Label::new(Family::HitscanOtherwise, "the same rays one by one");
    vec![
        filled(label("cast_rays").of_many(), hits, fill, read),
        each(one_by_one, rays, None, ask),
    ]
}
