//! The meshes: displaced spheres, closed, seen from everywhere.
//!
//! An icosahedron whose triangles are cut into four, over and over, its vertices pushed to radius 1
//! plus five octaves of value noise (0.25 in all), and rounded to 2^-20, so that rays can be aimed
//! at vertices and edges without rounding. The mesh stays star-shaped around the origin.

use super::noise::space;
use super::on_grid;
use std::collections::HashMap;

const SEED: u64 = 0x5_9EE4E;
const OCTAVES: u32 = 5;
/// Lattice points of the first octave a radius.
const COARSEST: f64 = 2.0;
/// What all octaves together displace at most, radii.
const RELIEF: f64 = 0.25;
/// Coordinates are multiples of one part of so many a radius.
const PARTS: f64 = 1_048_576.0;

pub struct Mesh {
    pub positions: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// A displaced sphere of `20 * 4^cuts` triangles: 81,920 of 6 cuts, 1,310,720 of 8.
    pub fn displaced_sphere(cuts: u32) -> Self {
        let (mut directions, mut triangles) = icosahedron();
        for _ in 0..cuts {
            triangles = cut(&mut directions, &triangles);
        }
        let positions = directions
            .iter()
            .map(|direction| displaced(*direction))
            .collect();
        Self {
            positions,
            triangles,
        }
    }

    pub fn corners(&self, triangle: usize) -> [[f32; 3]; 3] {
        self.triangles[triangle].map(|corner| self.positions[corner as usize])
    }

    /// The corners of the box around the mesh.
    pub fn bounds(&self) -> [[f32; 3]; 2] {
        let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for position in &self.positions {
            for axis in 0..3 {
                bounds[0][axis] = bounds[0][axis].min(position[axis]);
                bounds[1][axis] = bounds[1][axis].max(position[axis]);
            }
        }
        bounds
    }
}

fn icosahedron() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let long = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = Vec::new();
    for (a, b) in [(-1.0, long), (1.0, long), (-1.0, -long), (1.0, -long)] {
        corners.push([a, b, 0.0]);
    }
    for (a, b) in [(-1.0, long), (1.0, long), (-1.0, -long), (1.0, -long)] {
        corners.push([0.0, a, b]);
    }
    for (a, b) in [(long, -1.0), (long, 1.0), (-long, -1.0), (-long, 1.0)] {
        corners.push([a, 0.0, b]);
    }
    let triangles = [
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    (corners.into_iter().map(unit).collect(), triangles.to_vec())
}

/// Each triangle becomes four, the new corners being the middles of its edges on the sphere.
fn cut(directions: &mut Vec<[f64; 3]>, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            let [from, to] = [a, b].map(|corner| directions[corner as usize]);
            directions.push(unit([0, 1, 2].map(|axis| from[axis] + to[axis])));
            (directions.len() - 1) as u32
        })
    };
    let mut finer = Vec::with_capacity(4 * triangles.len());
    for &[a, b, c] in triangles {
        let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
        finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
    }
    finer
}

fn displaced(direction: [f64; 3]) -> [f32; 3] {
    let mut sum = 0.0;
    for octave in 0..OCTAVES {
        let scale = f64::from(1_u32 << octave);
        let place = direction.map(|x| x * COARSEST * scale);
        sum += space(SEED + u64::from(octave), place) / scale;
    }
    // The amplitudes 1, 1/2, 1/4, ... come to less than 2.
    let radius = 1.0 + RELIEF * 0.5 * sum;
    direction.map(|x| on_grid(x * radius, PARTS) as f32)
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sphere_is_closed_and_faces_outwards() {
        let mesh = Mesh::displaced_sphere(3);
        assert_eq!(mesh.triangles.len(), 1280);
        let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
        for &[a, b, c] in &mesh.triangles {
            for edge in [(a, b), (b, c), (c, a)] {
                *edges.entry(edge).or_default() += 1;
            }
        }
        assert!(
            edges
                .iter()
                .all(|((a, b), count)| *count == 1 && edges.contains_key(&(*b, *a)))
        );
        for triangle in 0..mesh.triangles.len() {
            let [a, b, c] = mesh.corners(triangle).map(glam::Vec3::from_array);
            assert!((b - a).cross(c - a).dot(a) > 0.0);
        }
    }
}
