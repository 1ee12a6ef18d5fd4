//! A1: one box against 10,000 boxes. A2: moving and resting boxes. S1: one ray against 10,000
//! spheres.
//!
//! Times of A1 and S1 are those of one box or sphere, as those are what the loops cost.

use super::context::Context;
use crate::inputs::Question;
use crate::peers::{by_hand, parry_solids};
use crate::random::Random;
use crate::subjects;

const MANY: usize = 10_000;
/// How many boxes or rays are held against the many.
const QUERIES: usize = 1_000;
const PAIRS: usize = 1_000_000;
/// The side of the cube in which things lie, metres.
const ROOM: f64 = 100.0;
/// Times of impact are rounded to f32 by everybody.
const TIME_TOLERANCE: f32 = 1e-4;
/// Distances of up to 200 m, by a discriminant in f32 that cancels.
const SPHERE_TOLERANCE: f32 = 1e-2;

/// A box.
#[derive(Debug, Clone, Copy)]
pub struct Primitive {
    pub min: [f32; 3],
    pub max: [f32; 3],
}

/// A box that moves by `motion` while t goes from 0 to 1.
#[derive(Debug, Clone, Copy)]
pub struct BoxMove {
    pub start: Primitive,
    pub motion: [f32; 3],
}

/// A box that moves by `motion` while t goes from 0 to 1, and one that rests.
#[derive(Debug, Clone, Copy)]
pub struct BoxPair {
    pub moving: Primitive,
    pub motion: [f32; 3],
    pub resting: Primitive,
}

pub fn run(context: &Context) {
    let queries = context.expensive_queries(QUERIES, 1_000);
    if context.wants("A1") {
        let mut random = Random::new(8);
        let mut boxes = |count: usize, side: f64| -> Vec<Primitive> {
            (0..count).map(|_| solid(&mut random, ROOM, side)).collect()
        };
        let (many, query_boxes) = (boxes(MANY, 2.0), boxes(queries, 10.0));
        let mut subjects = subjects::touching_boxes(&many, &query_boxes);
        subjects.extend(context.peers(|| by_hand::touching_boxes(&many, &query_boxes)));
        subjects.extend(context.peers(|| parry_solids::touching_boxes(&many, &query_boxes)));
        let describe = |index: usize| format!("{:?}", query_boxes[index]);
        context.race("A1", subjects, query_boxes.len() * MANY, 0.0, &describe);
    }
    if context.wants("A2") {
        let pairs = pairs(context.queries(PAIRS));
        let mut subjects = subjects::moving_boxes(&pairs);
        subjects.extend(context.peers(|| by_hand::moving_boxes(&pairs)));
        subjects.extend(context.peers(|| parry_solids::moving_boxes(&pairs)));
        let describe = |index: usize| format!("{:?}", pairs[index]);
        context.race("A2", subjects, pairs.len(), TIME_TOLERANCE, &describe);
    }
    if context.wants("S1") {
        let mut random = Random::new(9);
        let spheres: Vec<_> = (0..MANY)
            .map(|_| {
                let radius = random.between(0.1, 0.5) as f32;
                (place(&mut random, ROOM), radius)
            })
            .collect();
        let rays: Vec<Question> = (0..queries).map(|_| ray(&mut random, ROOM)).collect();
        let mut subjects = subjects::ray_and_spheres(&spheres, &rays);
        subjects.extend(context.peers(|| by_hand::ray_and_spheres(&spheres, &rays)));
        subjects.extend(context.peers(|| parry_solids::ray_and_spheres(&spheres, &rays)));
        let describe = |index: usize| format!("{:?}", rays[index]);
        context.race(
            "S1",
            subjects,
            rays.len() * MANY,
            SPHERE_TOLERANCE,
            &describe,
        );
    }
}

/// Boxes of about 1 m that move by up to 10 m; about every second pair hits, none at t = 0.
fn pairs(count: usize) -> Vec<BoxPair> {
    let mut random = Random::new(10);
    let mut pair = || {
        let resting = solid(&mut random, ROOM, 2.0);
        let size = [(); 3].map(|()| random.between(0.2, 2.0));
        // From outside the resting box, towards somewhere near it.
        let away = random.direction().map(|x| x * random.between(5.0, 9.0));
        let middle = [0, 1, 2].map(|axis| 0.5 * f64::from(resting.min[axis] + resting.max[axis]));
        let start = [0, 1, 2].map(|axis| middle[axis] + away[axis]);
        let motion = away.map(|x| (random.between(-3.0, 3.0) - 1.2 * x) as f32);
        let corner =
            |sign: f64| [0, 1, 2].map(|axis| (start[axis] + sign * 0.5 * size[axis]) as f32);
        BoxPair {
            moving: Primitive {
                min: corner(-1.0),
                max: corner(1.0),
            },
            motion,
            resting,
        }
    };
    (0..count).map(|_| pair()).collect()
}

fn place(random: &mut Random, room: f64) -> [f32; 3] {
    [(); 3].map(|()| random.between(0.0, room) as f32)
}

/// A box with sides of 0.1 m to `side`.
pub fn solid(random: &mut Random, room: f64, side: f64) -> Primitive {
    let min = place(random, room);
    let max = min.map(|low| low + random.between(0.1, side) as f32);
    Primitive { min, max }
}

/// From anywhere in the room into any direction.
pub fn ray(random: &mut Random, room: f64) -> Question {
    Question {
        origin: place(random, room),
        direction: random.direction().map(|x| x as f32),
        t_max: f32::INFINITY,
    }
}
