//! WR1: rays at a whole world. WR4: moving and resting shapes in it. WR5: a camera before it. WR6:
//! building it, and its memory.

use super::context::Context;
use crate::answer::{Met, Touch};
use crate::inputs::moves::{Kind, Solid};
use crate::inputs::world::Inventory;
use crate::inputs::{Rays, world_queries};
use crate::peers;
use crate::shape::WholeWorlds;
use crate::subject::Subjects;
use crate::subjects::hitscan_view::{self, View};
use crate::subjects::hitscan_world as own;

const RAYS: usize = 1_000_000;
const SHAPES: usize = 100_000;
/// Distances up to 1000 m, as those of rows T.
const TOLERANCE: f32 = 1e-2;
/// The side of the picture, pixels, in a full and in a quick run.
const PICTURE: [u32; 2] = [1024, 320];

pub fn run(context: &Context) {
    let inventory = Inventory::world();
    if context.wants("WR6-build") {
        let mut builds = own::builds(&inventory);
        builds.extend(context.peers(|| peers::build_worlds(&inventory)));
        context.race("WR6-build", builds, 1, 0.0, &|_| String::new());
    }
    let of_queries = ["WR1", "WR4", "WR5"];
    if !of_queries.iter().any(|row| context.wants_any(row)) {
        return;
    }
    let mut worlds: WholeWorlds = vec![Box::new(own::Whole::new(&inventory))];
    worlds.extend(context.peers(|| peers::worlds(&inventory)));
    if context.wants_any("WR1") {
        rays(context, &inventory, &worlds);
    }
    for kind in [Kind::Sphere, Kind::Capsule] {
        let name = format!("WR4-cast-{}", kind.name());
        if context.wants(&name) {
            casts(
                context,
                &name,
                Solid::over_terrain(kind),
                &inventory,
                &worlds,
            );
        }
        let name = format!("WR4-overlap-{}", kind.name());
        if context.wants(&name) {
            overlaps(
                context,
                &name,
                Solid::over_terrain(kind),
                &inventory,
                &worlds,
            );
        }
    }
    if context.wants("WR5-camera") {
        camera(context, &inventory);
    }
}

fn rays(context: &Context, inventory: &Inventory, worlds: &WholeWorlds) {
    let rays = world_queries::rays(inventory, context.queries(RAYS));
    let describe = |index: usize| format!("{:?}", rays[index]);
    if context.wants("WR1-nearest") {
        let subjects = worlds.iter().flat_map(|world| world.nearest(&rays, None));
        let subjects: Subjects<'_, Option<Met>> = subjects.collect();
        context.race("WR1-nearest", subjects, rays.len(), TOLERANCE, &describe);
    }
    if context.wants("WR1-any") {
        let subjects = worlds.iter().flat_map(|world| world.any(&rays));
        context.race("WR1-any", subjects.collect(), rays.len(), 0.0, &describe);
    }
}

fn casts(context: &Context, name: &str, solid: Solid, inventory: &Inventory, worlds: &WholeWorlds) {
    let moves = world_queries::moves(inventory, solid, context.expensive_queries(SHAPES, 5));
    let subjects = worlds.iter();
    let subjects = subjects.flat_map(|world| world.first_contacts(solid, &moves));
    let subjects: Subjects<'_, Option<Touch>> = subjects.collect();
    let describe = |index: usize| format!("{solid:?} {:?}", moves[index]);
    context.race(name, subjects, moves.len(), TOLERANCE, &describe);
}

fn overlaps(
    context: &Context,
    name: &str,
    solid: Solid,
    inventory: &Inventory,
    worlds: &WholeWorlds,
) {
    let middles = world_queries::rests(inventory, solid, context.expensive_queries(SHAPES, 5));
    let subjects = worlds.iter();
    let subjects = subjects.flat_map(|world| world.overlaps(solid, &middles));
    let describe = |index: usize| format!("{solid:?} at {:?}", middles[index]);
    context.race(name, subjects.collect(), middles.len(), 0.0, &describe);
}

/// The same rays of the same camera for all; peers get them in squares of 4 x 4.
fn camera(context: &Context, inventory: &Inventory) {
    let side = PICTURE[usize::from(context.is_quick)];
    // view-frame-terrain's.
    let view = View::new([100.0, 160.0, 60.0], [512.0, 40.0, 512.0], 60.0, side);
    let world = own::Whole::new(inventory).into_world();
    let worlds = context.peers(|| peers::ray_worlds(inventory));
    let mut subjects = hitscan_view::camera(world, &view);
    let rays = Rays::coherent(view.questions().into_iter());
    let cast = worlds.iter().flat_map(|world| world.nearest(&rays, None));
    subjects.extend(cast.map(|subject| view.by_pixel(subject)));
    let describe = |pixel: usize| view.describe(pixel);
    context.race("WR5-camera", subjects, view.pixels(), TOLERANCE, &describe);
}
