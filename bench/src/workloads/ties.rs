//! TIE: queries on which thousands of triangles or objects tie, ordinary in games: a box that comes
//! down on flat ground or runs against a flat wall, a ray that lies in the plane of a floor or of a
//! strip, the box around a world.
//!
//! Each runs beside a usual query of the same extent, which is its peer; what is right is
//! known.

use super::boxes::{BoxMove, ray};
use super::context::Context;
use crate::answer::Met;
use crate::inputs::ties::{self, Relief, Size};
use crate::inputs::{self, Question};
use crate::random::Random;
use crate::subject::Subjects;
use crate::subjects::hitscan_ties as own;

/// The grounds' cells a side and how many boxes fall on them.
const GROUNDS: [(usize, usize); 3] = [(64, 256), (256, 64), (2048, 8)];
const BOXES: usize = 64;
const RAYS: usize = 64;
/// Rays whose hits are all wanted.
const ALL_HITS: usize = 16;
/// Cells a side of the floor.
const FLOOR: usize = 2049;
const SPHERES: usize = 65_537;
/// The side of the spheres' room, metres.
const ROOM: f64 = 1000.0;
/// A quick run has so many times fewer queries.
const QUICK: usize = 8;

pub fn run(context: &Context) {
    let quick = |full: usize| {
        if context.is_quick {
            (full / QUICK).max(2)
        } else {
            full
        }
    };
    let sizes = [Size::Whole, Size::Crate];
    for (cells, full) in GROUNDS {
        let name = format!("TIE-box-{cells}");
        if context.wants(&name) {
            let moves = sizes.map(|size| ties::falling_boxes(cells, size, quick(full)));
            let grounds = [Relief::Flat, Relief::Rough].map(|relief| ties::ground(cells, relief));
            race_boxes(
                context,
                &name,
                own::boxes_on_ground(&grounds, &moves),
                &moves[0],
            );
        }
    }
    if context.wants("TIE-box-wall") {
        let moves = sizes.map(|size| ties::running_boxes(size, quick(BOXES)));
        let walls = [Relief::Flat, Relief::Rough].map(ties::wall);
        race_boxes(
            context,
            "TIE-box-wall",
            own::boxes_at_wall(&walls, &moves),
            &moves[0],
        );
    }
    if context.wants("TIE-ray-floor") {
        let grounds = [Relief::Flat, Relief::Rough].map(|relief| ties::ground(FLOOR, relief));
        let count = quick(RAYS);
        let usual = inputs::grazing(&grounds[1], count);
        let rays = [ties::rays_in_floor(FLOOR, count), usual];
        let subjects = own::rays_at_ground(&grounds, &rays);
        race_misses(context, "TIE-ray-floor", subjects, &rays[0]);
    }
    let strips = || [Relief::Flat, Relief::Rough].map(ties::strip);
    let along = |count| [Relief::Flat, Relief::Rough].map(|way| ties::rays_along_strip(way, count));
    if context.wants("TIE-ray-strip") {
        let rays = along(quick(RAYS));
        let subjects = own::rays_at_strip(&strips(), &rays);
        race_misses(context, "TIE-ray-strip", subjects, &rays[0]);
    }
    if context.wants("TIE-ray-strip-all") {
        let rays = along(quick(ALL_HITS));
        let truth = vec![Some(0.0); rays[0].len()];
        let subjects = own::all_hits_of_strip(&strips(), &rays);
        let describe = |index: usize| format!("{:?}", rays[0][index]);
        context.race_for_truth("TIE-ray-strip-all", subjects, (truth, 0.0), &describe);
    }
    if context.wants("TIE-bounds") {
        race_bounds(context, quick(RAYS));
    }
}

/// Every box touches down half way.
fn race_boxes(
    context: &Context,
    name: &str,
    subjects: Subjects<'_, Option<Met>>,
    moves: &[BoxMove],
) {
    let truth = vec![Some(0.5); moves.len()];
    let describe = |index: usize| format!("{:?}", moves[index]);
    context.race_for_truth(name, subjects, (truth, 0.0), &describe);
}

/// A ray that lies in a triangle's plane misses it.
fn race_misses(
    context: &Context,
    name: &str,
    subjects: Subjects<'_, Option<Met>>,
    rays: &[Question],
) {
    let truth = vec![None; rays.len()];
    let describe = |index: usize| format!("{:?}", rays[index]);
    context.race_for_truth(name, subjects, (truth, 0.0), &describe);
}

/// The box around a world of spheres, checked by its highest point.
fn race_bounds(context: &Context, count: usize) {
    let mut random = Random::new(13);
    let mut sphere = || {
        let center = [(); 3].map(|()| random.between(0.0, ROOM) as f32);
        (center, random.between(0.1, 0.5) as f32)
    };
    let spheres: Vec<_> = (0..SPHERES).map(|_| sphere()).collect();
    let rays: Vec<Question> = (0..count).map(|_| ray(&mut random, ROOM)).collect();
    let tops = spheres.iter().map(|(center, radius)| center[1] + radius);
    let truth = vec![tops.max_by(f32::total_cmp); count];
    // The sum above is rounded, the world's box rounded outwards.
    let tolerance = 1e-3;
    let subjects = own::bounds_of_spheres(&spheres, &rays);
    let describe = |_| "the box around everything".to_owned();
    context.race_for_truth("TIE-bounds", subjects, (truth, tolerance), &describe);
}
