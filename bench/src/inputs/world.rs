//! Rows WR: a world of terrain, instances of meshes and solids, and how such bodies move.

use super::{Mesh, Terrain};
use crate::random::Random;

/// Samples a side of the terrain.
const TERRAIN: usize = 1025;
const MESHES: usize = 20;
const INSTANCES: usize = 2_000;
const SOLIDS: usize = 5_000;
/// The sizes of instances, metres: few, because rapier scales a mesh by copying it.
const SCALES: [f32; 3] = [1.5, 3.0, 6.0];
/// Half sizes and radii of solids, metres.
const HALF: [f64; 2] = [0.3, 1.5];
/// How far the middles of bodies are from the map's border, and above the ground at most, metres.
const MARGIN: f64 = 10.0;
const ABOVE: f64 = 40.0;
/// How far bodies that move go in a frame along each axis at most, metres, and turn, radians.
const STEP: f64 = 0.05;
const TURN: f64 = 0.05;
/// The side of the room of WR2 and WR7, metres.
const ROOM: f64 = 300.0;
/// WR3's characters: how many, of how many capsules, how far apart, and how large, metres.
const CHARACTERS: usize = 1_000;
const CAPSULES: usize = 20;
const APART: f64 = 2.0;
const TALL: f64 = 1.8;
/// Radii and half lengths of their capsules, metres.
const LIMB_RADIUS: [f64; 2] = [0.04, 0.15];
const LIMB_HALF: [f64; 2] = [0.1, 0.25];
/// Of the frames of a row that moves: the first is what is built before the clock starts.
const START: usize = 1;

/// What a body is; C peers read it as it is: `native/world.h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Form {
    /// `size[0]` is the radius.
    Sphere = 0,
    /// Its half sizes; it does not turn.
    AlignedBox = 1,
    /// Its half sizes.
    TurnedBox = 2,
    /// `size[0]` is the radius, `size[1]` half of the segment's length along the body's y.
    Capsule = 3,
    /// `size` is the scale, thrice.
    Mesh = 4,
}

/// A body of a world. C peers read it as it is: `native/world.h`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Body {
    pub form: Form,
    /// The number of its mesh.
    pub mesh: u32,
    pub position: [f32; 3],
    /// x, y, z, w; of unit length.
    pub rotation: [f32; 4],
    pub size: [f32; 3],
}

impl Body {
    /// The radius of a sphere around the body's position that holds it.
    pub fn radius(&self) -> f64 {
        let [x, y, z] = self.size.map(f64::from);
        match self.form {
            Form::Sphere => x,
            Form::AlignedBox | Form::TurnedBox => (x * x + y * y + z * z).sqrt(),
            Form::Capsule => x + y,
            // Displaced spheres: `mesh.rs`.
            Form::Mesh => 1.25 * x,
        }
    }
}

/// What all libraries build.
pub struct Inventory {
    /// Rows that move have none.
    pub terrain: Option<Terrain>,
    pub meshes: Vec<Mesh>,
    pub bodies: Vec<Body>,
}

impl Inventory {
    /// WR1, WR4, WR5, WR6: 2,000 instances of 20 meshes and 5,000 solids over terrain of 1025².
    pub fn world() -> Self {
        let terrain = Terrain::new(TERRAIN);
        let mut random = Random::new(31);
        let place = |random: &mut Random| {
            let mut along = || random.between(MARGIN, terrain.length() - MARGIN);
            let (x, z) = (along(), along());
            [x, terrain.height(x, z) + random.between(0.0, ABOVE), z]
        };
        let instances = (0..INSTANCES).map(|_| Form::Mesh);
        let forms = instances.chain((0..SOLIDS).map(solid));
        let forms: Vec<Form> = forms.collect();
        let mut body = |form| {
            let at = place(&mut random);
            body(form, at, &mut random)
        };
        let bodies = forms.into_iter().map(&mut body).collect();
        Self {
            bodies,
            meshes: meshes(),
            terrain: Some(terrain),
        }
    }
}

/// Bodies in a room that move, frame by frame.
pub struct Moving {
    pub inventory: Inventory,
    /// The bodies as each frame leaves them; the first is the inventory's.
    pub frames: Vec<Vec<Body>>,
    /// The sides of the room, metres.
    pub room: [f64; 3],
}

impl Moving {
    /// WR2: 10,000 bodies, 2,000 of them instances of meshes, in a room of 300 m.
    pub fn bodies(frames: usize) -> Self {
        let forms = (0..10_000).map(|index| {
            if index % 5 == 0 {
                Form::Mesh
            } else {
                solid(index)
            }
        });
        Self::in_room(forms, frames)
    }

    /// WR3: 20,000 capsules, 20 for each of 1,000 characters 2 m apart.
    pub fn capsules(frames: usize) -> Self {
        let mut random = Random::new(37);
        let side = (CHARACTERS as f64).sqrt().ceil() as usize;
        let limb = |index: usize| {
            let character = index / CAPSULES;
            let (x, z) = ((character % side) as f64, (character / side) as f64);
            let mut aside = || random.between(-0.4, 0.4);
            let at = [APART * x + aside(), 0.0, APART * z + aside()];
            let mut limb = body(Form::Capsule, at, &mut random);
            limb.position[1] = random.between(0.1, TALL) as f32;
            let mut between = |[low, high]: [f64; 2]| random.between(low, high) as f32;
            limb.size = [between(LIMB_RADIUS), between(LIMB_HALF), 0.0];
            limb
        };
        let first = (0..CHARACTERS * CAPSULES).map(limb).collect();
        let long = APART * side as f64;
        Self::new(first, [long, TALL, long], frames)
    }

    /// WR7: 10,000 solids in a room of 300 m, at rest.
    pub fn solids() -> Self {
        Self::in_room((0..10_000).map(solid), 0)
    }

    fn in_room(forms: impl Iterator<Item = Form>, frames: usize) -> Self {
        let mut random = Random::new(32);
        let first = |form| {
            let at = [(); 3].map(|()| random.between(0.0, ROOM));
            body(form, at, &mut random)
        };
        Self::new(forms.map(first).collect(), [ROOM; 3], frames)
    }

    fn new(first: Vec<Body>, room: [f64; 3], frames: usize) -> Self {
        let mut random = Random::new(38);
        let meshes = if first.iter().any(|body| body.form == Form::Mesh) {
            meshes()
        } else {
            Vec::new()
        };
        let mut all = vec![first.clone()];
        for _ in 0..frames {
            let last = &all[all.len() - 1];
            all.push(last.iter().map(|body| moved(body, &mut random)).collect());
        }
        Self {
            inventory: Inventory {
                terrain: None,
                meshes,
                bodies: first,
            },
            frames: all,
            room,
        }
    }

    /// The frames that are timed.
    pub fn timed(&self) -> &[Vec<Body>] {
        &self.frames[START..]
    }

    /// The bodies as the last frame leaves them.
    pub fn last(&self) -> &[Body] {
        &self.frames[self.frames.len() - 1]
    }
}

/// Meshes of 5,120, 20,480 and 81,920 triangles in turns; those of one size are stretched otherwise.
fn meshes() -> Vec<Mesh> {
    let mesh = |number: usize| {
        let mut mesh = Mesh::displaced_sphere(4 + (number % 3) as u32);
        let axis = number / 3 % 3;
        // A multiple of 1/64: no coordinate is stretched to more than f32 holds.
        let stretch = 1.0 - (number / 9) as f32 * 0.25;
        for position in &mut mesh.positions {
            position[axis] *= stretch;
        }
        mesh
    };
    (0..MESHES).map(mesh).collect()
}

fn solid(index: usize) -> Form {
    let forms = [
        Form::Sphere,
        Form::AlignedBox,
        Form::TurnedBox,
        Form::Capsule,
    ];
    forms[index % forms.len()]
}

fn body(form: Form, position: [f64; 3], random: &mut Random) -> Body {
    let mut half = || random.between(HALF[0], HALF[1]) as f32;
    let halves = [half(), half(), half()];
    let size = match form {
        Form::Mesh => [SCALES[random.below(SCALES.len())]; 3],
        _ => halves,
    };
    let angle = random.between(0.0, std::f64::consts::PI);
    let rotation = match form {
        Form::AlignedBox | Form::Sphere => [0.0, 0.0, 0.0, 1.0],
        _ => turn(random.direction(), angle),
    };
    Body {
        form,
        mesh: random.below(MESHES) as u32,
        position: position.map(|x| x as f32),
        rotation: rotation.map(|x| x as f32),
        size,
    }
}

fn moved(body: &Body, random: &mut Random) -> Body {
    let mut step = || random.between(-STEP, STEP) as f32;
    let position = body.position.map(|x| x + step());
    let rotation = match body.form {
        Form::Sphere | Form::AlignedBox => body.rotation,
        _ => {
            let angle = random.between(-TURN, TURN);
            let turned = product(
                turn(random.direction(), angle),
                body.rotation.map(f64::from),
            );
            let length = turned.iter().map(|x| x * x).sum::<f64>().sqrt();
            turned.map(|x| (x / length) as f32)
        }
    };
    Body {
        position,
        rotation,
        ..*body
    }
}

/// The quaternion of a turn about a unit axis.
fn turn(axis: [f64; 3], angle: f64) -> [f64; 4] {
    let (sin, cos) = libm::sincos(0.5 * angle);
    [axis[0] * sin, axis[1] * sin, axis[2] * sin, cos]
}

/// The turn `b`, then the turn `a`.
fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_moves_everything_a_little() {
        let moving = Moving::capsules(2);
        assert_eq!((moving.frames.len(), moving.timed().len()), (3, 2));
        for (before, after) in moving.frames[0].iter().zip(moving.last()) {
            let length: f32 = after.rotation.iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-6);
            for axis in 0..3 {
                assert!((before.position[axis] - after.position[axis]).abs() < 0.11);
            }
        }
    }
}
