//! A crowd of characters on a plane, each with its own time in the clip, and the queries on it.

use super::Question;
use super::character::character;
use crate::random::Random;
use hitscan::glam::{DAffine3, DMat3, DVec3};
use hitscan::model::{Model, Pose};
use std::sync::Arc;

const FRAMES_A_SEC: f64 = 60.0;
/// How far one is from the next, about, metres.
const APART: f64 = 2.0;
/// Where rays begin and end, metres above the ground.
const CHEST: f64 = 1.3;
/// From a chest to the muzzle, metres.
const MUZZLE: f64 = 0.5;

/// Instances of one model.
pub struct Characters {
    pub model: Arc<Model>,
    pub places: Vec<Place>,
    /// Each instance's time in the clip at frame 0, seconds.
    starts: Vec<f64>,
    clip_secs: f64,
    pub rays: Vec<Question>,
    /// For each ray how many ticks back it is cast, where it is cast into the past.
    pub ages: Vec<u64>,
}

/// An instance's place on the plane y = 0, and its angle about y.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub x: f64,
    pub z: f64,
    pub angle: f64,
}

impl Place {
    pub fn world_from_model(self) -> DAffine3 {
        let (sin, cos) = libm::sincos(self.angle);
        let turn = DMat3::from_cols_array(&[cos, 0.0, -sin, 0.0, 1.0, 0.0, sin, 0.0, cos]);
        DAffine3::from_mat3_translation(turn, DVec3::new(self.x, 0.0, self.z))
    }
}

impl Characters {
    /// `count` instances in rows, `rays` from the chest of one towards that of another, each at most
    /// `ticks - 1` ticks old.
    pub fn crowd(count: usize, rays: usize, ticks: u64) -> Self {
        let mut random = Random::new(21);
        let side = (count as f64).sqrt().ceil() as usize;
        let mut place = |index: usize| Place {
            x: APART * (index % side) as f64 + random.between(-0.3, 0.3),
            z: APART * (index / side) as f64 + random.between(-0.3, 0.3),
            angle: random.between(0.0, std::f64::consts::TAU),
        };
        let places: Vec<Place> = (0..count).map(&mut place).collect();
        let mut shot = || loop {
            let [from, to] = [(); 2].map(|()| places[random.below(count)]);
            let mut chest = |place: Place| {
                let mut off = || random.between(-0.2, 0.2);
                DVec3::new(place.x + off(), CHEST + off(), place.z + off())
            };
            let (from, to) = (chest(from), chest(to));
            // One does not aim at oneself.
            if from.distance(to) > 2.0 * MUZZLE {
                break question(from, to);
            }
        };
        let rays: Vec<Question> = (0..rays).map(|_| shot()).collect();
        let ages = rays.iter().map(|_| random.below(ticks as usize) as u64);
        let ages = ages.collect();
        Self::new(places, rays, ages, &mut random)
    }

    /// One instance at the origin, and rays from 3 m around it to what it may fill.
    pub fn alone(rays: usize) -> Self {
        let mut random = Random::new(22);
        let place = Place {
            x: 0.0,
            z: 0.0,
            angle: 0.0,
        };
        let mut ray = || {
            let from = DVec3::Y + 3.0 * DVec3::from_array(random.direction());
            let to = DVec3::new(
                random.between(-0.6, 0.6),
                random.between(0.0, 1.8),
                random.between(-0.3, 0.3),
            );
            question(from, to)
        };
        let rays: Vec<Question> = (0..rays).map(|_| ray()).collect();
        let ages = vec![0; rays.len()];
        Self::new(vec![place], rays, ages, &mut random)
    }

    fn new(places: Vec<Place>, rays: Vec<Question>, ages: Vec<u64>, random: &mut Random) -> Self {
        let model = Model::new(character()).expect("the character is in range");
        let clip_secs = model.clips()[0].end_secs();
        let starts = places.iter().map(|_| random.between(0.0, clip_secs));
        Self {
            starts: starts.collect(),
            model: Arc::new(model),
            places,
            clip_secs,
            rays,
            ages,
        }
    }

    /// Each instance's time in the clip, seconds.
    pub fn times(&self, frame: u64) -> impl Iterator<Item = f64> {
        let passed = frame as f64 / FRAMES_A_SEC;
        let starts = self.starts.iter();
        starts.map(move |start| (start + passed) % self.clip_secs)
    }

    /// Each instance's pose.
    pub fn poses(&self, frame: u64) -> impl Iterator<Item = Pose> {
        let pose = |secs| self.model.pose_at(0, secs).expect("the clip is there");
        self.times(frame).map(pose)
    }
}

/// From in front of one place towards another, with t in metres.
fn question(from: DVec3, to: DVec3) -> Question {
    let direction = (to - from) / (to - from).length();
    Question {
        origin: (from + direction * MUZZLE).as_vec3().to_array(),
        direction: direction.as_vec3().to_array(),
        t_max: f32::INFINITY,
    }
}
