//! A3: 100,000 boxes that all move, queried by rays and boxes each frame. A4: all pairs of boxes
//! that touch. A5: all pairs of moving boxes that hit each other within a frame, in order of time.

use super::context::Context;
use crate::inputs::Question;
use crate::inputs::crowd::{Crowd, Queries};
use crate::label::Label;
use crate::peers::{box3d_frames, obvhs_crowd, pairs_by_hand, parry_crowd};
use crate::subject::{Subject, Subjects};
use crate::subjects::hitscan_crowd;
use crate::workloads::boxes::Primitive;
use std::hint::black_box;
use std::rc::Rc;

const MANY: usize = 100_000;
/// How many rays, and how many boxes, a frame is queried with.
const QUERIES: usize = 10_000;
/// The side of A3's room, metres: a box is 2.2 m from the next.
const ROOM: f64 = 100.0;
/// How far boxes go in a frame along each axis at most: 3 m/s at 60 frames a second.
const STEP: f64 = 0.05;
/// Frames of one pass of a full and of a quick run.
const FRAMES: [usize; 2] = [30, 10];
/// Distances up to 170 m, and whole counts.
const TOLERANCE: f32 = 1e-3;
/// How far boxes of A5 go within the frame along each axis at most.
const FLIGHT: f64 = 1.0;
/// Times of impact are rounded to f32 by everybody.
const TIME_TOLERANCE: f32 = 1e-4;

pub fn run(context: &Context) {
    if context.wants("A3") {
        let frames = FRAMES[usize::from(context.is_quick)];
        let crowd = Rc::new(Crowd::new(MANY, ROOM, STEP, frames + 1));
        let queries = Rc::new(Queries::new(QUERIES, ROOM));
        let mut subjects = hitscan_crowd::frames(&crowd, &queries);
        subjects.extend(context.peers(|| parry_crowd::frames(&crowd, &queries)));
        subjects.extend(context.peers(|| obvhs_crowd::frames(&crowd, &queries)));
        subjects.extend(context.peers(|| box3d_frames(&crowd, &queries)));
        let describe = |index: usize| match queries.rays.get(index) {
            Some(ray) => format!("{ray:?}"),
            None => format!("{:?}", queries.boxes[index - QUERIES]),
        };
        context.race("A3", subjects, frames, TOLERANCE, &describe);
    }
    for (name, count) in [("A4-10k", 10_000), ("A4-100k", MANY)] {
        if context.wants(name) {
            let crowd = Crowd::new(count, room_of_pairs(count), 0.0, 1);
            let boxes = &crowd.frames[0];
            let mut subjects = hitscan_crowd::broad_phase_pairs(boxes);
            subjects.extend(context.peers(|| pairs_by_hand::broad_phase_pairs(boxes)));
            subjects.extend(context.peers(|| parry_crowd::broad_phase_pairs(boxes)));
            let describe = |index: usize| format!("{:?}", boxes[index]);
            context.race(name, subjects, 1, 0.0, &describe);
        }
    }
    if context.wants("A5") {
        let crowd = Crowd::new(MANY, room_of_pairs(MANY), FLIGHT, 1);
        let (boxes, motions) = (&crowd.frames[0], &crowd.motions);
        let mut subjects = hitscan_crowd::impacts_of(boxes, motions);
        subjects.extend(context.peers(|| pairs_by_hand::impacts_of(boxes, motions)));
        subjects.extend(context.peers(|| parry_crowd::impacts_of(boxes, motions)));
        let describe = |index: usize| format!("{:?} {:?}", boxes[index], motions[index]);
        context.race("A5", subjects, 1, TIME_TOLERANCE, &describe);
    }
}

/// The side of a room in which each box touches about four others, metres.
fn room_of_pairs(count: usize) -> f64 {
    libm::cbrt(2.2 * count as f64)
}

/// What keeps boxes that move, and answers rays and boxes.
pub trait Mover {
    type Ray;
    type Query;
    fn ray(question: &Question) -> Self::Ray;
    fn query(solid: &Primitive) -> Self::Query;
    /// A new crowd.
    fn start(&mut self, boxes: &[Primitive]);
    /// All boxes have moved; brings everything up to date.
    fn step(&mut self, boxes: &[Primitive]);
    /// How far the nearest box on the ray is.
    fn nearest(&self, ray: &Self::Ray) -> Option<f32>;
    /// How many boxes touch.
    fn touching(&self, query: &Self::Query) -> u32;
}

struct Frames<M: Mover> {
    label: Label,
    mover: M,
    crowd: Rc<Crowd>,
    rays: Vec<M::Ray>,
    queries: Vec<M::Query>,
    answers: Vec<Option<f32>>,
}

/// A subject whose pass is all frames of a crowd; its answers are those of the last frame.
pub fn frames<'a, M: Mover + 'a>(
    label: Label,
    mover: M,
    crowd: &Rc<Crowd>,
    queries: &Queries,
) -> Box<dyn Subject<Option<f32>> + 'a>
where
    M::Ray: 'a,
    M::Query: 'a,
{
    Box::new(Frames {
        label,
        mover,
        crowd: Rc::clone(crowd),
        rays: queries.rays.iter().map(M::ray).collect(),
        queries: queries.boxes.iter().map(M::query).collect(),
        answers: vec![None; queries.rays.len() + queries.boxes.len()],
    })
}

impl<M: Mover> Subject<Option<f32>> for Frames<M> {
    fn label(&self) -> &Label {
        &self.label
    }

    fn prepare(&mut self) {
        self.mover.start(&self.crowd.frames[0]);
    }

    fn pass(&mut self) {
        for boxes in &self.crowd.frames[1..] {
            self.mover.step(boxes);
            let (of_rays, of_boxes) = self.answers.split_at_mut(self.rays.len());
            for (answer, ray) in of_rays.iter_mut().zip(&self.rays) {
                *answer = self.mover.nearest(ray);
            }
            for (answer, query) in of_boxes.iter_mut().zip(&self.queries) {
                *answer = Some(self.mover.touching(query) as f32);
            }
            black_box(&self.answers);
        }
    }

    fn answers(&mut self) -> Vec<Option<f32>> {
        self.answers.clone()
    }
}

/// All pairs of something, found by one call.
struct Pairs<P, F, R> {
    label: Label,
    count: usize,
    pairs: Vec<P>,
    find: F,
    read: R,
}

/// How many partners each box has.
pub fn partners<'a>(
    label: Label,
    count: usize,
    find: impl FnMut() -> Vec<[u32; 2]> + 'a,
) -> Subjects<'a, u32> {
    let read = |pairs: &[[u32; 2]], answers: &mut [u32]| {
        for number in pairs.iter().flatten() {
            answers[*number as usize] += 1;
        }
    };
    pairs(label, count, find, read)
}

/// When each box first hits another; each pair has its time.
pub fn first_impacts<'a>(
    label: Label,
    count: usize,
    find: impl FnMut() -> Vec<(f32, [u32; 2])> + 'a,
) -> Subjects<'a, Option<f32>> {
    let read = |pairs: &[(f32, [u32; 2])], answers: &mut [Option<f32>]| {
        assert!(pairs.is_sorted_by(|a, b| a.0 <= b.0), "in order of time");
        for (t, pair) in pairs.iter().rev() {
            for number in pair {
                answers[*number as usize] = Some(*t);
            }
        }
    };
    pairs(label, count, find, read)
}

fn pairs<'a, P: 'a, A: Default + Clone + 'a>(
    label: Label,
    count: usize,
    find: impl FnMut() -> Vec<P> + 'a,
    read: impl Fn(&[P], &mut [A]) + 'a,
) -> Subjects<'a, A> {
    vec![Box::new(Pairs {
        label,
        count,
        pairs: Vec::new(),
        find,
        read,
    })]
}

impl<P, F, A, R> Subject<A> for Pairs<P, F, R>
where
    F: FnMut() -> Vec<P>,
    A: Default + Clone,
    R: Fn(&[P], &mut [A]),
{
    fn label(&self) -> &Label {
        &self.label
    }

    fn prepare(&mut self) {
        self.pairs = Vec::new();
    }

    fn pass(&mut self) {
        self.pairs = black_box((self.find)());
    }

    fn answers(&mut self) -> Vec<A> {
        let mut answers = vec![A::default(); self.count];
        (self.read)(&self.pairs, &mut answers);
        answers
    }
}
