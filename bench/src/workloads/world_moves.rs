//! WR2: frames of 10,000 bodies that move, with 10,000 rays each, and the update alone. WR3: frames
//! of 20,000 capsules, 20 for each of 1,000 characters, with 1,000 rays; K1 is the row of WR3 whose
//! characters are posed. WR7: a batch of rays in a world of 10,000 solids beside a loop.
//!
//! Times of WR2 and WR3 are those of a frame.

use super::context::Context;
use crate::inputs::world::{Body, Moving};
use crate::inputs::{Rays, world_queries};
use crate::label::Label;
use crate::peers;
use crate::subject::{Subject, Subjects};
use crate::subjects::hitscan_world_moves as own;
use std::rc::Rc;

/// Frames of one pass of a full and of a quick run.
const FRAMES: [usize; 2] = [30, 10];
/// Rays a frame.
const RAYS: usize = 10_000;
const SHOTS: usize = 1_000;
/// Rays of WR7.
const BATCH: usize = 1_000_000;
/// Distances up to 100 m.
const TOLERANCE: f32 = 1e-3;

pub fn run(context: &Context) {
    let frames = FRAMES[usize::from(context.is_quick)];
    if context.wants_any("WR2") {
        let moving = Rc::new(Moving::bodies(frames));
        for (name, casts) in [("WR2-frame", true), ("WR2-update", false)] {
            if context.wants(name) {
                race(context, name, &moving, RAYS, casts);
            }
        }
    }
    if context.wants("WR3-capsules") {
        let moving = Rc::new(Moving::capsules(frames));
        race(context, "WR3-capsules", &moving, SHOTS, true);
    }
    if context.wants("WR7-solids") {
        let moving = Moving::solids();
        let rays = world_queries::shots(&moving, context.queries(BATCH));
        let subjects = own::batch(&moving, &rays);
        let describe = |index: usize| format!("{:?}", rays[index]);
        context.race("WR7-solids", subjects, rays.len(), 0.0, &describe);
    }
}

fn race(context: &Context, name: &str, moving: &Rc<Moving>, rays: usize, casts: bool) {
    let rays = Rc::new(world_queries::shots(moving, rays));
    let frames = Frames {
        moving: Rc::clone(moving),
        rays: Rc::clone(&rays),
        casts,
    };
    let mut subjects = own::frames(&frames);
    subjects.extend(context.peers(|| peers::moving_worlds(&frames)));
    let describe = |index: usize| format!("{:?}", rays[index]);
    context.race(name, subjects, moving.timed().len(), TOLERANCE, &describe);
}

/// What a row's subjects run.
#[derive(Clone)]
pub struct Frames {
    pub moving: Rc<Moving>,
    pub rays: Rc<Rays>,
    /// Whether rays are cast in the timed frames; if not, they are cast behind them.
    pub casts: bool,
}

/// What keeps bodies that move, and answers rays.
pub trait Mover {
    /// A new world, before the clock starts.
    fn start(&mut self, moving: &Moving);
    /// All bodies have moved; brings everything up to date.
    fn step(&mut self, bodies: &[Body]);
    /// Answers all rays, which it got beforehand.
    fn cast(&mut self);
    /// How far each ray's hit was.
    fn answers(&self) -> Vec<Option<f32>>;
}

struct Running<M> {
    label: Label,
    mover: M,
    frames: Frames,
}

/// A subject whose pass is all frames; its answers are those of the last frame.
pub fn frames<'a>(
    label: Label,
    mover: impl Mover + 'a,
    frames: &Frames,
) -> Box<dyn Subject<Option<f32>> + 'a> {
    Box::new(Running {
        label,
        mover,
        frames: frames.clone(),
    })
}

pub type Runs<'a> = Subjects<'a, Option<f32>>;

impl<M: Mover> Subject<Option<f32>> for Running<M> {
    fn label(&self) -> &Label {
        &self.label
    }

    fn prepare(&mut self) {
        self.mover.start(&self.frames.moving);
    }

    fn pass(&mut self) {
        for bodies in self.frames.moving.timed() {
            self.mover.step(bodies);
            if self.frames.casts {
                self.mover.cast();
            }
        }
    }

    fn answers(&mut self) -> Vec<Option<f32>> {
        if !self.frames.casts {
            self.mover.cast();
        }
        self.mover.answers()
    }
}
