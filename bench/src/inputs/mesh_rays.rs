//! Rays at the meshes.

use super::{Mesh, Question, Rays, on_grid};
use crate::random::Random;

/// The camera's distance, radii.
const EYE: [f64; 3] = [1.2, 0.9, 2.2];
/// Half the picture's height, one unit ahead: 45 degrees from edge to edge.
const HALF_HEIGHT: f64 = 0.414_213_562_373_095_03;
/// Pixels are cast tile by tile, so many a side, as packets want them.
const TILE: usize = 4;

/// M1: from 2 to 3 radii away to random points of the mesh's box; directions of unit length.
pub fn around(mesh: &Mesh, count: usize) -> Rays {
    let mut random = Random::new(5);
    let [min, max] = mesh.bounds();
    let mut ray = || {
        let distance = random.between(2.0, 3.0);
        let from = random.direction().map(|x| x * distance);
        let to = [0, 1, 2].map(|axis| random.between(f64::from(min[axis]), f64::from(max[axis])));
        ray(from, [0, 1, 2].map(|axis| to[axis] - from[axis]))
    };
    Rays::incoherent((0..count).map(|_| ray()))
}

/// M3: the rays of a picture of `side` x `side` pixels that the mesh fills, tile by tile.
pub fn camera(side: usize) -> Rays {
    assert!(
        side.is_multiple_of(TILE),
        "a picture is made of whole tiles"
    );
    let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let unit = |v: [f64; 3]| v.map(|x| x / length(v));
    let forward = unit(EYE.map(|x| -x));
    let right = unit([-forward[2], 0.0, forward[0]]);
    let up = [
        right[1] * forward[2] - right[2] * forward[1],
        right[2] * forward[0] - right[0] * forward[2],
        right[0] * forward[1] - right[1] * forward[0],
    ];
    let through = |x: usize, y: usize| {
        let place = |pixel: usize| (2.0 * (pixel as f64 + 0.5) / side as f64 - 1.0) * HALF_HEIGHT;
        let (across, down) = (place(x), place(y));
        ray(
            EYE,
            [0, 1, 2].map(|axis| forward[axis] + right[axis] * across - up[axis] * down),
        )
    };
    let tiles = side / TILE;
    Rays::coherent((0..side * side).map(|index| {
        let (tile, pixel) = (index / (TILE * TILE), index % (TILE * TILE));
        let x = tile % tiles * TILE + pixel % TILE;
        let y = tile / tiles * TILE + pixel / TILE;
        through(x, y)
    }))
}

fn ray(from: [f64; 3], along: [f64; 3]) -> Question {
    let length = along.iter().map(|x| x * x).sum::<f64>().sqrt();
    Question {
        origin: from.map(|x| x as f32),
        direction: along.map(|x| (x / length) as f32),
        t_max: f32::INFINITY,
    }
}

/// L1: from inside, aimed exactly at vertices (the first half) and at the middles of edges; all
/// hit their target at t = 1 if nothing before.
///
/// Vertices are multiples of 2^-20, origins of 2^-10 near the middle, so directions are not
/// rounded.
pub fn from_inside(mesh: &Mesh, count: usize) -> Rays {
    let mut random = Random::new(6);
    let mut ray = |index: usize| {
        let triangle = random.below(mesh.triangles.len());
        let first = random.below(3);
        let corners = mesh.corners(triangle).map(|corner| corner.map(f64::from));
        let (from, to) = (corners[first], corners[(first + 1) % 3]);
        let target = if index < count / 2 {
            from
        } else {
            [0, 1, 2].map(|axis| 0.5 * (from[axis] + to[axis]))
        };
        let origin = [(); 3].map(|()| on_grid(random.between(-0.25, 0.25), 1024.0));
        Question {
            origin: origin.map(|x| x as f32),
            direction: [0, 1, 2].map(|axis| (target[axis] - origin[axis]) as f32),
            t_max: f32::INFINITY,
        }
    };
    Rays::incoherent((0..count).map(&mut ray))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_from_inside_end_at_vertices_without_rounding() {
        let mesh = Mesh::displaced_sphere(3);
        for ray in from_inside(&mesh, 1000).iter().take(500) {
            let end =
                [0, 1, 2].map(|axis| f64::from(ray.origin[axis]) + f64::from(ray.direction[axis]));
            assert!(
                mesh.positions
                    .iter()
                    .any(|position| position.map(f64::from) == end)
            );
        }
    }

    #[test]
    fn tiles_cover_the_picture_once() {
        let rays = camera(16);
        let mut directions: Vec<_> = rays
            .iter()
            .map(|ray| ray.direction.map(f32::to_bits))
            .collect();
        directions.sort_unstable();
        directions.dedup();
        assert_eq!(directions.len(), 256);
    }
}
