//! Rows WR: rays, moving shapes and resting shapes in a world. None starts in a body, as libraries
//! answer that each in their own way.

use super::moves::{Move, Solid};
use super::world::{Body, Form, Inventory, Moving};
use super::{Question, Rays, Terrain};
use crate::random::Random;
use std::collections::HashMap;

/// How far queries start from the map's border, metres.
const MARGIN: f64 = 12.0;
/// Above the ground where rays start, metres: T1's.
const RAYS_ABOVE: [f64; 2] = [1.0, 60.0];
/// How far rays go, metres: T1's.
const RAY: f32 = 1000.0;
/// Above the ground where moves start, and their length, metres.
const MOVES_ABOVE: [f64; 2] = [1.0, 40.0];
const MOVE: [f64; 2] = [1.0, 20.0];
/// Above the ground where shapes rest, metres; below it nothing is said to overlap by all.
const REST_ABOVE: [f64; 2] = [-0.4, 20.0];
/// How far rays go in rooms, metres.
const SHOT: f32 = 100.0;

/// The bodies by cells of space, so that what is near is found quickly.
struct Near<'a> {
    bodies: &'a [Body],
    cells: HashMap<[i32; 3], Vec<u32>>,
}

/// The side of a cell, metres.
const CELL: f64 = 16.0;

impl<'a> Near<'a> {
    /// Each body is in all cells that a sphere around it touches that is so much larger than it.
    fn new(bodies: &'a [Body], more: f64) -> Self {
        let mut cells: HashMap<[i32; 3], Vec<u32>> = HashMap::new();
        for (number, body) in bodies.iter().enumerate() {
            let reach = body.radius() + more;
            let [low, high] = [-reach, reach].map(|reach| {
                body.position
                    .map(|x| ((f64::from(x) + reach) / CELL).floor() as i32)
            });
            for x in low[0]..=high[0] {
                for y in low[1]..=high[1] {
                    for z in low[2]..=high[2] {
                        cells.entry([x, y, z]).or_default().push(number as u32);
                    }
                }
            }
        }
        Self { bodies, cells }
    }

    /// Whether `is_close` holds of a body near the place and its distance from it.
    fn any(&self, place: [f64; 3], is_close: impl Fn(&Body, f64) -> bool) -> bool {
        let cell = place.map(|x| (x / CELL).floor() as i32);
        let near = self.cells.get(&cell).into_iter().flatten();
        near.map(|number| &self.bodies[*number as usize])
            .any(|body| {
                let apart = [0, 1, 2].map(|axis| place[axis] - f64::from(body.position[axis]));
                is_close(body, apart.iter().map(|x| x * x).sum::<f64>().sqrt())
            })
    }

    /// Whether a sphere there may touch a body.
    fn touches(&self, place: [f64; 3], radius: f64) -> bool {
        self.any(place, |body, apart| apart < body.radius() + radius)
    }

    /// Whether a shape that a sphere there holds may lie wholly within a mesh, which is a surface.
    fn is_within(&self, place: [f64; 3], radius: f64) -> bool {
        self.any(place, |body, apart| {
            body.form == Form::Mesh && apart < body.radius() - radius
        })
    }
}

/// A place over the map, so high above the ground.
fn above(terrain: &Terrain, random: &mut Random, [low, high]: [f64; 2]) -> [f64; 3] {
    let mut along = || random.between(MARGIN, terrain.length() - MARGIN);
    let (x, z) = (along(), along());
    [x, terrain.height(x, z) + random.between(low, high), z]
}

fn ground(inventory: &Inventory) -> &Terrain {
    inventory.terrain.as_ref().expect("this world has terrain")
}

/// WR1: T1's rays, none from within a body.
pub fn rays(inventory: &Inventory, count: usize) -> Rays {
    let (terrain, mut random) = (ground(inventory), Random::new(33));
    let near = Near::new(&inventory.bodies, 0.1);
    let mut one = || loop {
        let origin = above(terrain, &mut random, RAYS_ABOVE);
        let direction = random.direction();
        if !near.touches(origin, 0.1) {
            return Question {
                origin: origin.map(|x| x as f32),
                direction: direction.map(|x| x as f32),
                t_max: RAY,
            };
        }
    };
    Rays::incoherent((0..count).map(|_| one()))
}

/// WR2, WR3, WR7: rays from anywhere in a room towards anywhere, none from within a body of the last
/// frame, by which answers are compared.
pub fn shots(moving: &Moving, count: usize) -> Rays {
    let mut random = Random::new(34);
    let near = Near::new(moving.last(), 0.1);
    let mut one = || loop {
        let [origin, target] = [(); 2].map(|()| moving.room.map(|side| random.between(0.0, side)));
        let way = [0, 1, 2].map(|axis| target[axis] - origin[axis]);
        let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        let direction = way.map(|x| x / length);
        if length > 1.0 && !near.touches(origin, 0.1) {
            return Question {
                origin: origin.map(|x| x as f32),
                direction: direction.map(|x| x as f32),
                t_max: SHOT,
            };
        }
    };
    Rays::incoherent((0..count).map(|_| one()))
}

/// WR4: moves in any direction, of a shape that is free at first.
pub fn moves(inventory: &Inventory, solid: Solid, count: usize) -> Vec<Move> {
    let (terrain, mut random) = (ground(inventory), Random::new(35));
    let radius = 2.0 * f64::from(solid.half);
    let near = Near::new(&inventory.bodies, radius);
    let mut one = || loop {
        let mut middle = above(terrain, &mut random, MOVES_ABOVE);
        middle[1] += radius;
        let length = random.between(MOVE[0], MOVE[1]);
        let motion = random.direction().map(|x| (x * length) as f32);
        if !near.touches(middle, radius) {
            return Move::new(middle.map(|x| x as f32), motion);
        }
    };
    (0..count).map(|_| one()).collect()
}

/// WR4: places of shapes that rest there, near the ground or above it; half of them at bodies.
pub fn rests(inventory: &Inventory, solid: Solid, count: usize) -> Vec<[f32; 3]> {
    let (terrain, mut random) = (ground(inventory), Random::new(36));
    let radius = 2.0 * f64::from(solid.half);
    let near = Near::new(&inventory.bodies, radius);
    let mut one = |index: usize| loop {
        let place = if index.is_multiple_of(2) {
            above(terrain, &mut random, REST_ABOVE)
        } else {
            let body = inventory.bodies[random.below(inventory.bodies.len())];
            let (aside, far) = (random.direction(), random.between(0.5, 1.2));
            let far = far * (body.radius() + radius);
            [0, 1, 2].map(|axis| f64::from(body.position[axis]) + far * aside[axis])
        };
        let is_inside = [place[0], place[2]]
            .iter()
            .all(|x| (MARGIN..terrain.length() - MARGIN).contains(x));
        let low = || terrain.height(place[0], place[2]) + REST_ABOVE[0];
        if is_inside && place[1] >= low() && !near.is_within(place, radius) {
            return place.map(|x| x as f32);
        }
    };
    (0..count).map(&mut one).collect()
}
