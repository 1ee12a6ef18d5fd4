//! Ballistic arcs over terrain, and the chains of segments by which ray casters answer them.

use super::flight::Flight;
use super::{Question, Terrain};
use crate::random::Random;

/// Metres a second squared.
pub const GRAVITY: f64 = 9.81;
/// How far away an arc is back at the height of its start, metres.
const RANGE: f64 = 300.0;
/// How steep arcs start, degrees.
const ELEVATION: [f64; 2] = [10.0, 60.0];
/// Above the ground where they start, metres.
const EYE: f64 = 2.0;
/// How far they start from the map's border, metres.
const MARGIN: f64 = 1.0;
/// The segments of a chain.
pub const CHAIN: usize = 32;

/// An arc from t = 0 to `t_max`, seconds.
#[derive(Debug, Clone, Copy)]
pub struct Arc {
    pub origin: [f32; 3],
    pub velocity: [f32; 3],
    pub t_max: f32,
}

/// G1: from 2 m above the ground, as fast as reaches 300 m on level ground, until there.
pub fn arcs(terrain: &Terrain, count: usize) -> Vec<Arc> {
    let mut random = Random::new(22);
    let mut arc = || {
        let mut place = || random.between(MARGIN, terrain.length() - MARGIN) as f32;
        let (x, z) = (place(), place());
        let ground = terrain.height(f64::from(x), f64::from(z));
        let (up, flat) = libm::sincos(random.between(ELEVATION[0], ELEVATION[1]).to_radians());
        let (sin, cos) = libm::sincos(random.between(0.0, std::f64::consts::TAU));
        let speed = (RANGE * GRAVITY / (2.0 * up * flat)).sqrt();
        Arc {
            origin: [x, (ground + EYE) as f32, z],
            velocity: [flat * cos, up, flat * sin].map(|x| (speed * x) as f32),
            t_max: (RANGE / (speed * flat)) as f32,
        }
    };
    (0..count).map(|_| arc()).collect()
}

impl Arc {
    pub fn flight(&self) -> Flight {
        Flight {
            from: self.origin.map(f64::from),
            velocity: self.velocity.map(f64::from),
            gravity: GRAVITY,
        }
    }

    /// Metres flown until `t`.
    pub fn flown(&self, t: f64) -> f32 {
        self.flight().flown(t) as f32
    }

    /// Metres flown until the arc comes down to the ground, in f64.
    pub fn landing(&self, terrain: &Terrain) -> Option<f32> {
        let t = self.flight().landing(terrain, f64::from(self.t_max))?;
        Some(self.flown(t))
    }

    /// The arc's time at a place on its chain: 1.5 is half way along the second segment.
    pub fn time_on_chain(&self, place: f32) -> f64 {
        f64::from(place) * f64::from(self.t_max) / CHAIN as f64
    }

    /// Segments of equal duration between points of the arc, each from t = 0 to 1.
    pub fn chain(&self) -> impl Iterator<Item = Question> {
        let flight = self.flight();
        let point = move |link: usize| {
            let t = self.time_on_chain(link as f32);
            let mut point = [0, 1, 2].map(|axis| flight.from[axis] + flight.velocity[axis] * t);
            point[1] -= 0.5 * flight.gravity * t * t;
            point.map(|x| x as f32)
        };
        (0..CHAIN).map(move |link| {
            let (from, to) = (point(link), point(link + 1));
            Question {
                origin: from,
                direction: [0, 1, 2].map(|axis| to[axis] - from[axis]),
                t_max: 1.0,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_follows_its_arc() {
        let terrain = Terrain::new(129);
        for arc in arcs(&terrain, 100) {
            let last = arc.chain().last().expect("a chain has segments");
            let end = [0, 1, 2].map(|axis| last.origin[axis] + last.direction[axis]);
            let away = [0, 2].map(|axis| f64::from(end[axis]) - f64::from(arc.origin[axis]));
            assert!((away[0].hypot(away[1]) - RANGE).abs() < 1e-2);
            assert!((end[1] - arc.origin[1]).abs() < 1e-2);
            assert!(f64::from(arc.flown(f64::from(arc.t_max))) > RANGE);
        }
    }
}
