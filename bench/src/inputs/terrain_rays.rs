//! Rays and places over the terrain.

use super::{Question, Rays, Terrain, on_grid};
use crate::random::Random;

/// How far rays start from the map's border, metres.
const MARGIN: f64 = 1.0;
/// Straight-down rays start here, metres.
const SKY: f32 = 500.0;

/// T1: from 1 to 60 m above the ground in uniform directions, up to 1000 m.
pub fn uniform(terrain: &Terrain, count: usize) -> Rays {
    let mut random = Random::new(1);
    let mut ray = || {
        let origin = above(terrain, &mut random, 1.0, 60.0);
        Question {
            origin,
            direction: random.direction().map(|x| x as f32),
            t_max: 1000.0,
        }
    };
    Rays::incoherent((0..count).map(|_| ray()))
}

/// T2: from 2 m above the ground, within 3 degrees of horizontal, up to 2000 m.
pub fn grazing(terrain: &Terrain, count: usize) -> Rays {
    let mut random = Random::new(2);
    let mut ray = || {
        let origin = above(terrain, &mut random, 2.0, 2.0);
        let angle = random.between(-3.0, 3.0).to_radians();
        let (up, flat) = libm::sincos(angle);
        let (sin, cos) = libm::sincos(random.between(0.0, std::f64::consts::TAU));
        Question {
            origin,
            direction: [flat * cos, up, flat * sin].map(|x| x as f32),
            t_max: 2000.0,
        }
    };
    Rays::incoherent((0..count).map(|_| ray()))
}

/// A point from `low` to `high` metres above the ground.
fn above(terrain: &Terrain, random: &mut Random, low: f64, high: f64) -> [f32; 3] {
    let mut place = || random.between(MARGIN, terrain.length() - MARGIN) as f32;
    let (x, z) = (place(), place());
    let ground = terrain.height(f64::from(x), f64::from(z));
    [x, (ground + random.between(low, high)) as f32, z]
}

/// TH: random places on the map.
pub fn places(terrain: &Terrain, count: usize) -> Vec<[f32; 2]> {
    let mut random = Random::new(3);
    let mut place = || random.between(0.0, terrain.length()) as f32;
    (0..count).map(|_| [place(), place()]).collect()
}

/// THc: places line by line, as many a line as there are lines.
pub fn places_in_lines(terrain: &Terrain, count: usize) -> Vec<[f32; 2]> {
    let lines = (count as f64).sqrt() as usize;
    let at = |place: usize| ((place as f64 + 0.5) * terrain.length() / lines as f64) as f32;
    (0..lines * lines)
        .map(|index| [at(index % lines), at(index / lines)])
        .collect()
}

/// T3: straight down at random places.
pub fn down(terrain: &Terrain, count: usize) -> Rays {
    Rays::incoherent(places(terrain, count).into_iter().map(straight_down))
}

/// T3c: straight down, line by line.
pub fn down_in_lines(terrain: &Terrain, count: usize) -> Rays {
    let places = places_in_lines(terrain, count);
    Rays::coherent(places.into_iter().map(straight_down))
}

fn straight_down([x, z]: [f32; 2]) -> Question {
    Question {
        origin: [x, SKY, z],
        direction: [0.0, -1.0, 0.0],
        t_max: 2.0 * SKY,
    }
}

/// L1: slanted rays aimed exactly at samples (the first half) and at the middles of edges; all
/// hit their target at t = 1 if nothing before.
///
/// Aims are multiples of 1/2048 m, offsets of 1/8 m, so that neither their sums nor the directions
/// are rounded. The origins lie above the highest sample.
pub fn slanted(terrain: &Terrain, count: usize) -> Rays {
    let mut random = Random::new(4);
    let mut ray = |index: usize| {
        let mut inner = || 1 + random.below(terrain.size - 3);
        let (column, row) = (inner(), inner());
        let at = |i: usize, j: usize| {
            let (i, j) = (column + i, row + j);
            [i as f64, f64::from(terrain.sample(i, j)), j as f64]
        };
        let target = if index < count / 2 {
            at(0, 0)
        } else {
            let [from, to] = match random.below(3) {
                0 => [at(0, 0), at(1, 0)],
                1 => [at(0, 0), at(0, 1)],
                _ => [at(1, 0), at(0, 1)],
            };
            [0, 1, 2].map(|axis| 0.5 * (from[axis] + to[axis]))
        };
        let mut aside = || on_grid(random.between(-150.0, 150.0), 8.0);
        let offset = [aside(), 128.0, aside()];
        Question {
            origin: [0, 1, 2].map(|axis| (target[axis] + offset[axis]) as f32),
            direction: offset.map(|x| -x as f32),
            t_max: 4.0,
        }
    };
    Rays::incoherent((0..count).map(&mut ray))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slanted_rays_hit_their_target_without_rounding() {
        let terrain = Terrain::new(129);
        for ray in slanted(&terrain, 1000).iter() {
            let end =
                [0, 1, 2].map(|axis| f64::from(ray.origin[axis]) + f64::from(ray.direction[axis]));
            assert_eq!(terrain.height(end[0], end[2]), end[1]);
        }
    }
}
