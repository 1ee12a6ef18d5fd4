//! N1: boxes and capsules that turn by a right angle while they move 3 m over terrain.

use super::context::Context;
use crate::inputs::moves::{Kind, Solid};
use crate::inputs::{Terrain, convex};
use crate::peers;
use crate::subjects::hitscan_convex as own;

const TURNS: usize = 10_000;
/// How near hitscan comes, metres; parry stops within 1e-3.
const NEAR: f64 = 1e-3;
/// A hundredth of the way: where shapes graze the ground, a millimetre takes long.
const TOLERANCE: f32 = 1e-2;

pub fn run(context: &Context) {
    let terrain = Terrain::new(1025);
    for (name, kind) in [("N1-box", Kind::Cube), ("N1-capsule", Kind::Capsule)] {
        if context.wants(name) {
            let solid = Solid::over_terrain(kind);
            let turns = convex::turns_over_terrain(&terrain, context.expensive_queries(TURNS, 50));
            let mut subjects = own::turns_over_terrain(&terrain, solid, &turns, NEAR);
            subjects.extend(context.peers(|| peers::turns_over_terrain(&terrain, solid, &turns)));
            let describe = |index: usize| format!("{:?}", turns[index]);
            context.race(name, subjects, turns.len(), TOLERANCE, &describe);
        }
    }
}
