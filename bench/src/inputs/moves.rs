//! Shapes that move over terrain and at meshes, shapes that rest there, and floors that are flat.

use super::{Mesh, Terrain};
use crate::random::Random;

/// How far moves start from the map's border, metres.
const MARGIN: f64 = 25.0;
/// Above the ground where a move over terrain starts, and its length, metres.
const ABOVE_GROUND: [f64; 2] = [1.0, 15.0];
const GROUND_MOVE: [f64; 2] = [1.0, 20.0];
/// The same at a mesh, and half of a shape's size, as parts of the mesh's width.
const ABOVE_MESH: [f64; 2] = [0.02, 0.15];
const MESH_MOVE: [f64; 2] = [0.01, 0.20];
const MESH_HALF: f64 = 0.005;

/// What moves or rests; shapes of one workload differ only in place. C peers read it as it is:
/// `native/questions.h`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Solid {
    pub kind: Kind,
    /// A sphere's, a capsule's and a cylinder's radius, half a box's side.
    pub half: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Kind {
    Sphere = 0,
    Cube = 1,
    /// Upright, `half` up and down from the middle to the ends of its segment.
    Capsule = 2,
    /// [`super::convex::hull`] of [`super::convex::MOVING_CORNERS`] corners on a sphere of `half`.
    Hull = 3,
    /// Upright, `half` up and down from the middle to its ends.
    Cylinder = 4,
}

pub const KINDS: [Kind; 3] = [Kind::Sphere, Kind::Cube, Kind::Capsule];

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Cube => "box",
            Self::Capsule => "capsule",
            Self::Hull => "hull",
            Self::Cylinder => "cylinder",
        }
    }
}

impl Solid {
    /// A sphere of radius 0.5 m, a box of 1 m, a capsule of radius 0.5 m and 1 m between its ends.
    pub fn over_terrain(kind: Kind) -> Self {
        Self { kind, half: 0.5 }
    }

    pub fn at_mesh(kind: Kind, mesh: &Mesh) -> Self {
        let half = (MESH_HALF * width(mesh)) as f32;
        Self { kind, half }
    }

    /// How far the shape reaches from its middle along a unit direction.
    pub fn reach(self, direction: [f64; 3]) -> f64 {
        let half = f64::from(self.half);
        match self.kind {
            // A hull reaches no farther than the sphere around it.
            Kind::Sphere | Kind::Hull => half,
            Kind::Cube => half * direction.iter().map(|x| x.abs()).sum::<f64>(),
            Kind::Capsule => half * (1.0 + direction[1].abs()),
            Kind::Cylinder => {
                let aside = direction[0].hypot(direction[2]);
                half * (direction[1].abs() + aside)
            }
        }
    }
}

/// Moves by `motion` while t goes from 0 to 1. C peers read it as it is: `native/questions.h`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Move {
    pub middle: [f32; 3],
    pub motion: [f32; 3],
    /// Of the motion, by which peers' and our times become metres.
    pub length: f32,
}

impl Move {
    pub fn new(middle: [f32; 3], motion: [f32; 3]) -> Self {
        let squares = motion.map(|x| f64::from(x) * f64::from(x));
        Self {
            middle,
            motion,
            length: squares.iter().sum::<f64>().sqrt() as f32,
        }
    }
}

/// W at terrain: from 1 to 15 m above the ground, in any direction, 1 to 20 m far.
pub fn moves_over_terrain(terrain: &Terrain, solid: Solid, count: usize) -> Vec<Move> {
    let mut random = Random::new(14);
    let mut one = || {
        let mut place = || random.between(MARGIN, terrain.length() - MARGIN);
        let (x, z) = (place(), place());
        let low = terrain.height(x, z) + random.between(ABOVE_GROUND[0], ABOVE_GROUND[1]);
        let middle = [x, low + solid.reach([0.0, 1.0, 0.0]), z];
        any_way(&mut random, middle, GROUND_MOVE)
    };
    (0..count).map(|_| one()).collect()
}

/// W at a mesh: from 2 to 15 % of its width above it, in any direction, 1 to 20 % of its width far.
pub fn moves_at_mesh(mesh: &Mesh, solid: Solid, count: usize) -> Vec<Move> {
    let mut random = Random::new(15);
    let width = width(mesh);
    let mut one = || {
        let (place, up) = on_surface(mesh, &mut random);
        let above = random.between(ABOVE_MESH[0], ABOVE_MESH[1]) * width + solid.reach(up);
        let middle = [0, 1, 2].map(|axis| place[axis] + up[axis] * above);
        any_way(&mut random, middle, MESH_MOVE.map(|part| part * width))
    };
    (0..count).map(|_| one()).collect()
}

fn any_way(random: &mut Random, middle: [f64; 3], [low, high]: [f64; 2]) -> Move {
    let length = random.between(low, high);
    moved(middle, random.direction().map(|x| x * length))
}

fn moved(middle: [f64; 3], motion: [f64; 3]) -> Move {
    Move::new(middle.map(|x| x as f32), motion.map(|x| x as f32))
}

/// O1: middles of shapes at a mesh: the even ones reach into the surface, by up to their half size,
/// the odd ones are as far off it.
pub fn resting_at_mesh(mesh: &Mesh, solid: Solid, count: usize) -> Vec<[f32; 3]> {
    let mut random = Random::new(16);
    let mut one = |index: usize| {
        let (place, up) = on_surface(mesh, &mut random);
        let apart = f64::from(solid.half) * random.between(0.1, 1.0);
        let above = solid.reach(up)
            + if index.is_multiple_of(2) {
                -apart
            } else {
                apart
            };
        [0, 1, 2].map(|axis| (place[axis] + up[axis] * above) as f32)
    };
    (0..count).map(&mut one).collect()
}

/// C1: points from 2 to 15 % of a mesh's width above it.
pub fn points_at_mesh(mesh: &Mesh, count: usize) -> Vec<[f32; 3]> {
    let mut random = Random::new(17);
    let width = width(mesh);
    let mut one = || {
        let (place, up) = on_surface(mesh, &mut random);
        let above = random.between(ABOVE_MESH[0], ABOVE_MESH[1]) * width;
        [0, 1, 2].map(|axis| (place[axis] + up[axis] * above) as f32)
    };
    (0..count).map(|_| one()).collect()
}

/// The longest side of the mesh's box.
fn width(mesh: &Mesh) -> f64 {
    let [min, max] = mesh.bounds();
    let side = |axis: usize| f64::from(max[axis]) - f64::from(min[axis]);
    side(0).max(side(1)).max(side(2))
}

/// A random point of a random triangle, and the direction to it from the middle of the mesh, which
/// is star-shaped around it.
fn on_surface(mesh: &Mesh, random: &mut Random) -> ([f64; 3], [f64; 3]) {
    let corners = mesh.corners(random.below(mesh.triangles.len()));
    let (mut u, mut v) = (random.unit(), random.unit());
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let place = [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * u + (c[axis] - a[axis]) * v);
    let length = place.iter().map(|x| x * x).sum::<f64>().sqrt();
    (place, place.map(|x| x / length))
}

/// Cells a side of a flat floor of two triangles each: 8,192.
const FLOOR: usize = 64;
/// The slopes of the floors along x and z: exact in f32 at every lattice point.
pub const SLOPES: [[f64; 2]; 4] = [[0.0, 0.0], [0.25, 0.0], [0.5, 0.25], [-0.375, 0.5]];
/// How far shapes start and end from a floor's border, metres.
const FLOOR_MARGIN: f64 = 4.0;
/// Above the floor where a slide starts, and below where it would end, metres.
const HOVER: [f64; 2] = [1e-3, 1e-2];

/// A flat floor and shapes that come down on it or slide along it.
pub struct Floor {
    pub mesh: Mesh,
    pub moves: Vec<Move>,
    /// Its unit normal, upwards.
    pub normal: [f64; 3],
}

/// FLAT: floors of 8,192 triangles, level and sloping, with cells of 1 m. The even moves land: from
/// up to 10 m above in any direction downwards. The odd ones slide: from a few millimetres above,
/// up to 20 m along the floor and a few millimetres into it.
pub fn floors(solid: Solid, count: usize) -> Vec<Floor> {
    let each = count / SLOPES.len();
    let seeds = 18..;
    let floors = SLOPES.into_iter().zip(seeds);
    floors
        .map(|(slope, seed)| floor(slope, solid, each, &mut Random::new(seed)))
        .collect()
}

fn floor([along_x, along_z]: [f64; 2], solid: Solid, count: usize, random: &mut Random) -> Floor {
    let side = FLOOR as f64;
    let height = |x: f64, z: f64| along_x * x + along_z * z;
    let mesh = super::ties::sheet(FLOOR, FLOOR, |index| {
        let (x, z) = ((index % (FLOOR + 1)) as f64, (index / (FLOOR + 1)) as f64);
        [x, height(x, z), z].map(|x| x as f32)
    });
    let length = (1.0 + along_x * along_x + along_z * along_z).sqrt();
    let normal = [-along_x, 1.0, -along_z].map(|x| x / length);
    let mut one = |index: usize| {
        let mut inside = || random.between(FLOOR_MARGIN, side - FLOOR_MARGIN);
        let [from, to] = [(); 2].map(|()| {
            let (x, z) = (inside(), inside());
            [x, height(x, z), z]
        });
        let is_landing = index.is_multiple_of(2);
        let [above, below] = if is_landing {
            [random.between(0.5, 10.0), random.between(0.5, 10.0)]
        } else {
            [(); 2].map(|()| random.between(HOVER[0], HOVER[1]))
        };
        // No further than 20 m.
        let squares = [0, 1, 2].map(|axis| (to[axis] - from[axis]) * (to[axis] - from[axis]));
        let part = (20.0 / squares.iter().sum::<f64>().sqrt()).min(1.0);
        let reach = solid.reach(normal);
        let middle = [0, 1, 2].map(|axis| from[axis] + normal[axis] * (reach + above));
        let motion =
            [0, 1, 2].map(|axis| (to[axis] - from[axis]) * part - normal[axis] * (above + below));
        moved(middle, motion)
    };
    let moves = (0..count).map(&mut one).collect();
    Floor {
        mesh,
        moves,
        normal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_floor_is_flat_and_moves_stay_on_it() {
        let solid = Solid::over_terrain(Kind::Capsule);
        for floor in floors(solid, 400) {
            assert_eq!(floor.mesh.triangles.len(), 8192);
            let along = |v: [f32; 3]| {
                let products = (0..3).map(|axis| f64::from(v[axis]) * floor.normal[axis]);
                products.sum::<f64>()
            };
            for position in &floor.mesh.positions {
                assert!(along(*position).abs() < 1e-12);
            }
            for own in &floor.moves {
                let start = along(own.middle) - solid.reach(floor.normal);
                let end = start + along(own.motion);
                assert!(start > 0.0 && end < 0.0, "{own:?}");
            }
        }
    }

    #[test]
    fn moves_are_as_long_as_they_say() {
        let terrain = Terrain::new(65);
        for own in moves_over_terrain(&terrain, Solid::over_terrain(Kind::Sphere), 100) {
            assert!(own.length >= 0.999 && own.length <= 20.001);
        }
    }
}
