//! Peers' worlds of bodies that move: WR2 and WR3.

use super::rapier_world::{self, Update};
use crate::answer::Met;
use crate::inputs::world::{Body, Inventory, Moving};
use crate::workloads::world_moves::{Frames, Mover, Runs, frames as running};
use parry3d::query::Ray;
use std::hint::black_box;

#[cfg(any(jolt, box3d, embree))]
use super::native::{Raw as _, RawMet};
#[cfg(any(jolt, box3d))]
use super::native_world;
#[cfg(any(jolt, box3d, embree))]
use crate::inputs::Question;

struct Rapier {
    update: Update,
    world: rapier_world::World,
    rays: Vec<(Ray, f32)>,
    answers: Vec<Option<Met>>,
}

impl Mover for Rapier {
    fn start(&mut self, moving: &Moving) {
        self.world = rapier_world::World::new(&moving.inventory);
    }

    fn step(&mut self, bodies: &[Body]) {
        self.world.step(bodies, self.update);
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

pub fn rapier<'a>(frames: &Frames) -> Runs<'a> {
    let nothing = Inventory {
        terrain: None,
        meshes: Vec::new(),
        bodies: Vec::new(),
    };
    let subject = |(way, update)| {
        let mover = Rapier {
            update,
            world: rapier_world::World::new(&nothing),
            rays: frames.rays.iter().map(rapier_world::ray).collect(),
            answers: vec![None; frames.rays.len()],
        };
        running(
            rapier_world::label(&format!("QueryPipeline, {way}")),
            mover,
            frames,
        )
    };
    Update::ALL.map(subject).into()
}

/// A world in C or C++: how it is made, brought up to date and queried.
#[cfg(any(jolt, box3d, embree))]
struct Native<W, M, S, C> {
    world: Option<W>,
    make: M,
    step: S,
    cast: C,
    rays: Vec<Question>,
    raw: Vec<RawMet>,
}

#[cfg(any(jolt, box3d, embree))]
impl<W, M, S, C> Mover for Native<W, M, S, C>
where
    M: Fn(&Inventory) -> W,
    S: Fn(&mut W, &[Body]),
    C: Fn(&W, &[Question], &mut [RawMet]),
{
    fn start(&mut self, moving: &Moving) {
        // The old one goes first.
        self.world = None;
        self.world = Some((self.make)(&moving.inventory));
    }

    fn step(&mut self, bodies: &[Body]) {
        (self.step)(self.world.as_mut().expect("it was started"), bodies);
    }

    fn cast(&mut self) {
        let world = self.world.as_ref().expect("it was started");
        (self.cast)(world, &self.rays, &mut self.raw);
        black_box(&self.raw);
    }

    fn answers(&self) -> Vec<Option<f32>> {
        self.raw.iter().map(|raw| Some(raw.read()?.t)).collect()
    }
}

#[cfg(any(jolt, box3d, embree))]
fn native<'a, W: 'a>(
    label: crate::label::Label,
    frames: &Frames,
    make: impl Fn(&Inventory) -> W + 'a,
    step: impl Fn(&mut W, &[Body]) + 'a,
    cast: impl Fn(&W, &[Question], &mut [RawMet]) + 'a,
) -> Runs<'a> {
    let mover = Native {
        world: None,
        make,
        step,
        cast,
        rays: frames.rays.to_vec(),
        raw: vec![RawMet::default(); frames.rays.len()],
    };
    vec![running(label, mover, frames)]
}

#[cfg(any(jolt, box3d))]
pub fn engine<'a>(ways: impl IntoIterator<Item = native_world::Way>, frames: &Frames) -> Runs<'a> {
    use native_world::World;
    let subject = |(label, make)| native(label, frames, make, World::step, World::cast);
    ways.into_iter().flat_map(subject).collect()
}

#[cfg(embree)]
pub fn embree<'a>(frames: &Frames) -> Runs<'a> {
    use super::embree_world::{Moving as Way, MovingScene};
    let subject = |way: Way| {
        let label = way.mode.label(&way.name());
        let cast = |world: &MovingScene, rays: &[Question], raw: &mut [RawMet]| {
            world.scene.nearest(rays, raw);
        };
        let make = move |inventory: &Inventory| way.start(inventory);
        native(label, frames, make, MovingScene::step, cast)
    };
    Way::ALL.into_iter().flat_map(subject).collect()
}
