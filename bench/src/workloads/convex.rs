//! H1: rays at hulls. H3: hulls that move at a hull. H4: building hulls. Y1: rays at a cylinder. D1: how
//! far two meshes are apart. E1: a mesh that moves at another.

use super::context::Context;
use crate::answer::{Met, Touch};
use crate::inputs::convex::{self, MOVING_CORNERS};
use crate::inputs::moves::{Kind, Move, Solid};
use crate::inputs::{Mesh, Rays};
use crate::peers;
use crate::random::Random;
use crate::shape::Obstacles;
use crate::subjects::hitscan_convex as own;

const RAYS: usize = 1_000_000;
const PAIRS: usize = 1_000_000;
/// Hulls and cylinders of 1 m, 3 m away.
const TOLERANCE: f32 = 1e-4;
/// Metres along the way; peers' iterations end at 1e-4.
const MOVE_TOLERANCE: f32 = 1e-3;
/// Places of the second mesh of D1, moves of E1.
const PLACES: usize = 16;
const MOVES: usize = 32;
/// Of D1's meshes, of some 2.4 m, how far the second is from the first at least, metres.
const APART: f64 = 0.025;

pub fn run(context: &Context) {
    let rays = || Rays::incoherent(convex::rays(context.queries(RAYS)).into_iter());
    for corners in [16, 64, 256] {
        let name = format!("H1-{corners}");
        if context.wants(&name) {
            let (points, rays) = (convex::hull(corners, 1.0), rays());
            let mut subjects = own::rays_at_hull(&points, &rays);
            subjects.extend(context.peers(|| peers::rays_at_hull(&points, &rays)));
            let describe = |index: usize| format!("{:?}", rays[index]);
            context.race::<Option<Met>>(&name, subjects, rays.len(), TOLERANCE, &describe);
        }
    }
    if context.wants("H3") {
        let moves = convex::moves_at_hull(context.queries(PAIRS));
        let points = convex::hull(MOVING_CORNERS, 1.0);
        let mut shapes: Obstacles = vec![Box::new(own::Hull::new(&points))];
        shapes.extend(context.peers(|| peers::move_hulls(&points)));
        let solid = Solid {
            kind: Kind::Hull,
            half: 1.0,
        };
        let subjects = shapes
            .iter()
            .flat_map(|shape| shape.first_contacts(solid, &moves));
        let describe = |index: usize| format!("{:?}", moves[index]);
        let subjects = subjects.collect();
        context.race::<Option<Touch>>("H3", subjects, moves.len(), MOVE_TOLERANCE, &describe);
    }
    // Jolt's hulls have at most 256 corners: of 1,000 points on a sphere it makes none.
    for (name, points) in [
        ("H4-1000", convex::hull(1000, 1.0)),
        ("H4-100k", convex::points_in_a_ball(100_000)),
    ] {
        if context.wants(name) {
            let mut builds = own::build_hull(&points);
            builds.extend(context.peers(|| peers::build_hulls(&points)));
            context.race(name, builds, 1, 0.0, &|_| String::new());
        }
    }
    if context.wants("Y1-rays") {
        let (half, radius, rays) = (0.75, 0.65, rays());
        let mut subjects = own::rays_at_cylinder(half, radius, &rays);
        subjects.extend(context.peers(|| peers::rays_at_cylinder(half, radius, &rays)));
        let describe = |index: usize| format!("{:?}", rays[index]);
        context.race::<Option<Met>>("Y1-rays", subjects, rays.len(), TOLERANCE, &describe);
    }
    let mesh = super::mesh::sphere("small");
    if context.wants("D1") {
        let places = places(&mesh);
        let mut subjects = own::mesh_distances(&mesh, &places);
        subjects.extend(context.peers(|| peers::mesh_distances(&mesh, &places)));
        let describe = |index: usize| format!("{:?}", places[index]);
        context.race("D1", subjects, places.len(), TOLERANCE, &describe);
    }
    if context.wants("E1") {
        let small = scaled(Mesh::displaced_sphere(4), 0.05);
        let moves = moves_of_meshes();
        let subjects = own::moved_meshes(&mesh, &small, &moves);
        let describe = |index: usize| format!("{:?}", moves[index]);
        context.race("E1", subjects, moves.len(), MOVE_TOLERANCE, &describe);
    }
}

/// Places at which a mesh is hardly apart from itself: its boxes are.
fn places(mesh: &Mesh) -> Vec<[f32; 3]> {
    let [min, max] = mesh.bounds();
    let mut random = Random::new(35);
    let mut one = |index: usize| {
        let axis = index % 3;
        let mut place = [(); 3].map(|()| random.between(-0.3, 0.3));
        place[axis] = f64::from(max[axis] - min[axis]) + APART;
        place.map(|x| x as f32)
    };
    (0..PLACES).map(&mut one).collect()
}

fn scaled(mut mesh: Mesh, factor: f32) -> Mesh {
    for position in &mut mesh.positions {
        *position = position.map(|x| x * factor);
    }
    mesh
}

/// From 1.6 m around the middle of a mesh of some 1.2 m, towards somewhere in it or past it.
fn moves_of_meshes() -> Vec<Move> {
    let mut random = Random::new(36);
    let mut one = || {
        let middle = random.direction().map(|x| 1.6 * x);
        let target = random.direction().map(|x| 1.2 * random.unit() * x);
        let motion = [0, 1, 2].map(|axis| (target[axis] - middle[axis]) as f32);
        Move::new(middle.map(|x| x as f32), motion)
    };
    (0..MOVES).map(|_| one()).collect()
}
