//! Boxes that move about a room, frame by frame, and the queries on them.

use super::Question;
use crate::random::Random;
use crate::workloads::boxes::{Primitive, ray, solid};

/// The boxes of each frame.
pub struct Crowd {
    pub frames: Vec<Vec<Primitive>>,
    /// How far each goes in a frame, at first; at the walls they turn back.
    pub motions: Vec<[f32; 3]>,
}

impl Crowd {
    /// `count` boxes with sides of 0.1 m to 2 m in a room with sides of `room` metres, each with a
    /// motion of its own of at most `step` metres a frame along each axis.
    pub fn new(count: usize, room: f64, step: f64, frames: usize) -> Self {
        let mut random = Random::new(11);
        let mut boxes: Vec<Primitive> = (0..count).map(|_| solid(&mut random, room, 2.0)).collect();
        let mut motion = || [(); 3].map(|()| random.between(-step, step) as f32);
        let motions: Vec<[f32; 3]> = (0..count).map(|_| motion()).collect();
        let mut turning = motions.clone();
        let mut next = || {
            let frame = boxes.clone();
            for (own, motion) in boxes.iter_mut().zip(&mut turning) {
                for axis in 0..3 {
                    if own.min[axis] < 0.0 {
                        motion[axis] = motion[axis].abs();
                    } else if f64::from(own.max[axis]) > room {
                        motion[axis] = -motion[axis].abs();
                    }
                    own.min[axis] += motion[axis];
                    own.max[axis] += motion[axis];
                }
            }
            frame
        };
        let frames = (0..frames).map(|_| next()).collect();
        Self { frames, motions }
    }
}

/// The queries of each frame: rays, and boxes of 1 m to 5 m.
pub struct Queries {
    pub rays: Vec<Question>,
    pub boxes: Vec<Primitive>,
}

impl Queries {
    pub fn new(count: usize, room: f64) -> Self {
        let mut random = Random::new(12);
        let rays = (0..count).map(|_| ray(&mut random, room)).collect();
        let mut query = || {
            let side = random.between(1.0, 5.0) as f32;
            let min = [(); 3].map(|()| random.between(0.0, room) as f32);
            let max = min.map(|low| low + side);
            Primitive { min, max }
        };
        let boxes = (0..count).map(|_| query()).collect();
        Self { rays, boxes }
    }
}
