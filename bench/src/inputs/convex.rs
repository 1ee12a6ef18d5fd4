//! Convex hulls and cylinders, rays at them, hulls that move at one another, and shapes that turn.

use super::moves::Move;
use super::{Question, Terrain};
use crate::random::Random;

/// How many corners the hulls have that move.
pub const MOVING_CORNERS: usize = 32;

/// Points on a sphere around 0, as even as a spiral makes them, with a little noise: all are corners.
pub fn hull(count: usize, radius: f64) -> Vec<[f32; 3]> {
    let mut random = Random::new(30);
    let turn = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let point = |index: usize| {
        let y = 1.0 - 2.0 * (index as f64 + 0.5) / count as f64;
        let (sin, cos) = libm::sincos(turn * index as f64);
        let flat = (1.0 - y * y).sqrt();
        let rough = [flat * cos, y, flat * sin].map(|x| x + random.between(-0.02, 0.02));
        let length = rough.iter().map(|x| x * x).sum::<f64>().sqrt();
        rough.map(|x| (x / length * radius) as f32)
    };
    (0..count).map(point).collect()
}

/// H4: points in a ball of 1 m.
pub fn points_in_a_ball(count: usize) -> Vec<[f32; 3]> {
    let mut random = Random::new(31);
    let mut one = || {
        let radius = libm::cbrt(random.unit());
        random.direction().map(|x| (x * radius) as f32)
    };
    (0..count).map(|_| one()).collect()
}

/// Rays from 3 m away at what lies within 1 m of 0; some three quarters hit a ball of 1 m.
pub fn rays(count: usize) -> Vec<Question> {
    let mut random = Random::new(32);
    let mut one = || {
        let origin = random.direction().map(|x| 3.0 * x);
        let radius = 1.15 * random.unit().sqrt();
        let target = random.direction().map(|x| radius * x);
        Question {
            origin: origin.map(|x| x as f32),
            direction: [0, 1, 2].map(|axis| (target[axis] - origin[axis]) as f32),
            t_max: f32::INFINITY,
        }
    };
    (0..count).map(|_| one()).collect()
}

/// H3: moves of a hull of 1 m that starts 2.2 to 4 m from another, towards somewhere near it.
pub fn moves_at_hull(count: usize) -> Vec<Move> {
    let mut random = Random::new(33);
    let mut one = || {
        let away = random.between(2.2, 4.0);
        let middle = random.direction().map(|x| away * x);
        let past = random.direction().map(|x| 2.0 * x * random.unit());
        let motion = [0, 1, 2].map(|axis| (past[axis] - 1.2 * middle[axis]) as f32);
        Move::new(middle.map(|x| x as f32), motion)
    };
    (0..count).map(|_| one()).collect()
}

/// A move of `own` in which the shape also turns by a right angle about `axis`, of unit length, through
/// its middle.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    pub own: Move,
    pub axis: [f32; 3],
}

/// N1: from 1 to 4 m above the ground, 3 m far in any direction.
pub fn turns_over_terrain(terrain: &Terrain, count: usize) -> Vec<Turn> {
    let mut random = Random::new(34);
    let mut one = || {
        let mut place = || random.between(25.0, terrain.length() - 25.0);
        let (x, z) = (place(), place());
        let middle = [x, terrain.height(x, z) + random.between(1.0, 4.0) + 1.0, z];
        let motion = random.direction().map(|x| (3.0 * x) as f32);
        Turn {
            own: Move::new(middle.map(|x| x as f32), motion),
            axis: random.direction().map(|x| x as f32),
        }
    };
    (0..count).map(|_| one()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_has_as_many_corners_as_asked() {
        for count in [16, 32, 64, 256] {
            let hull = hitscan::ConvexHull::new(hull(count, 1.0)).unwrap();
            assert_eq!(hull.corners().len(), count);
        }
    }

    #[test]
    fn hulls_start_apart() {
        for own in moves_at_hull(1000) {
            let squares: f32 = own.middle.iter().map(|x| x * x).sum();
            assert!(squares > 4.0);
        }
    }
}
