//! TIE, continued: queries that once cost far more than their size: equal triangles, a giant among small
//! ones, shapes that rest in level ground, eyes on it, numbers far apart.
//!
//! Each runs beside a usual query, which is its peer; what is right is known.

use super::context::Context;
use crate::inputs::cliffs;
use crate::inputs::ties::{Relief, ground, sheet};
use crate::subject::Subjects;
use crate::subjects::hitscan_cliffs::{self as own, Dipped, Grounds};

/// Cells a side of the grounds.
const CELLS: usize = 512;
const RAYS: usize = 2_000;
const QUERIES: usize = 16;
const QUICK: usize = 8;

pub fn run(context: &Context) {
    let quick = |full: usize| {
        if context.is_quick {
            (full / QUICK).max(2)
        } else {
            full
        }
    };
    if context.wants("TIE-equal-all") {
        let rays = cliffs::rays_through_pile(quick(QUERIES));
        let piles = [0.0, 0.25].map(cliffs::pile);
        let subjects = own::all_hits_of_pile(&piles, &rays);
        let truth = vec![Some(cliffs::pile_height()); rays.len()];
        race(context, "TIE-equal-all", subjects, truth);
    }
    for (name, size) in [("TIE-giant-1km", 1e3), ("TIE-giant-1000km", 1e6)] {
        if context.wants(name) {
            let rays = cliffs::rays_at_waves(quick(RAYS));
            let meshes = [Some(size), None].map(cliffs::waves);
            let subjects = own::rays_at_waves(&meshes, &rays);
            let describe = |index: usize| format!("{:?}", rays[index]);
            context.race(name, subjects, rays.len(), 0.0, &describe);
        }
    }
    if context.wants_any("TIE-level") {
        run_on_grounds(context, quick(QUERIES));
    }
    if context.wants("TIE-far-apart") {
        let queries = quick(QUERIES);
        let subjects = own::far_apart(queries);
        race(context, "TIE-far-apart", subjects, vec![Some(1.0); queries]);
    }
}

fn run_on_grounds(context: &Context, queries: usize) {
    let [level, rough] = [Relief::Flat, Relief::Rough].map(|relief| ground(CELLS, relief));
    let flat = sheet(CELLS, CELLS, |index| {
        let (x, z) = (index % (CELLS + 1), index / (CELLS + 1));
        [x as f32, 0.0, z as f32]
    });
    let grounds = Grounds::new(&level, &rough, &flat);
    let hits = || vec![Some(1.0); queries];
    let half = 64.0;
    if context.wants("TIE-level-contacts") {
        let subjects = grounds.deepest(Dipped::Box(half), queries);
        race(context, "TIE-level-contacts", subjects, hits());
    }
    if context.wants("TIE-level-leave") {
        let subjects = grounds.leave(Dipped::Box(half), queries);
        // Nothing is hit on the way out, nor later than at the start.
        race(
            context,
            "TIE-level-leave",
            subjects,
            vec![Some(0.0); queries],
        );
    }
    if context.wants("TIE-level-each") {
        let subjects = grounds.each_triangle(Dipped::Box(half), queries);
        race(context, "TIE-level-each", subjects, hits());
    }
    if context.wants("TIE-level-tilted") {
        let subjects = grounds.come_down(half, queries);
        race(context, "TIE-level-tilted", subjects, hits());
    }
    if context.wants("TIE-level-viewshed") {
        race(
            context,
            "TIE-level-viewshed",
            grounds.viewshed(),
            vec![Some(1.0)],
        );
    }
}

fn race(
    context: &Context,
    name: &str,
    subjects: Subjects<'_, Option<f32>>,
    truth: Vec<Option<f32>>,
) {
    let describe = |index: usize| format!("{name}, query {index}");
    context.race_for_truth(name, subjects, (truth, 0.0), &describe);
}
