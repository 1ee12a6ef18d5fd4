//! Every query on every kind of object, run on a world and compared with rational arithmetic over
//! all its triangles: one count a cell, printed as lines `cell: question | object | count`.
//!
//! Coordinates are anything here; nastiness is in the oracles of single pairs.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod objects;
mod checks;

use checks::{check_closest, check_contact, check_crossing, check_move};
use hitscan::glam::Vec3;
use hitscan::{BallisticArc, QueryFilter, Ray};
use hitscan_testkit::{Rng, has_usual_numbers, rounds};
use objects::{Object, compound, mesh, model, point, random_solid, slab, terrain};

const ALL: QueryFilter<'static> = QueryFilter::new();

/// How many worlds each object is put into.
const WORLDS: usize = 2;

/// Runs every query on worlds with one object, and prints the number of each.
fn ask_all(seed: u64, make: impl Fn(&mut Rng) -> Object) {
    println!("seed {seed:#x}");
    let mut rng = Rng::new(seed);
    let mut cells: Vec<(&str, usize, usize)> = Vec::new();
    let mut name = "";
    for _ in 0..rounds(WORLDS) {
        let object = make(&mut rng);
        name = object.name;
        let mut add = |question, [asked, met]: [usize; 2]| match cells
            .iter_mut()
            .find(|cell| cell.0 == question)
        {
            Some(cell) => (cell.1, cell.2) = (cell.1 + asked, cell.2 + met),
            None => cells.push((question, asked, met)),
        };
        add("ray", rays(&object, &mut rng));
        add("ballistic arc", arcs(&object, &mut rng));
        for _ in 0..8 {
            check_closest(&object, point(&mut rng, 4.0));
        }
        add("closest point", [8, 8]);
        for (kind, shape) in SHAPES.into_iter().enumerate() {
            // Boxes have many pieces, and rational arithmetic tries all pairs.
            let count = if kind % 3 == 0 { 6 } else { 1 };
            let [moving, resting] = shape;
            add(moving, moves(&object, kind, count, &mut rng));
            add(resting, rests(&object, kind, count, &mut rng));
        }
    }
    for (question, asked, met) in cells {
        println!("cell: {question} | {name} | {asked}");
        let is_rare = asked < 12 || !has_usual_numbers();
        assert!(met > 0 || is_rare, "{question} {name}");
    }
}

/// In the order of `random_solid`.
const SHAPES: [[&str; 2]; 4] = [
    ["moving sphere", "resting sphere"],
    ["moving box", "resting box"],
    ["moving turned box", "resting turned box"],
    ["moving capsule", "resting capsule"],
];

/// The number of queries, and of those that hit something.
fn rays(object: &Object, rng: &mut Rng) -> [usize; 2] {
    let now = object.world.now();
    let mut met = 0;
    for _ in 0..8 {
        let (from, toward) = (point(rng, 5.0), target(object, rng));
        let ray = Ray::new(from, toward - from).unwrap();
        let ray = ray.with_max_distance(20.0).unwrap();
        let line = BallisticArc::new(from, ray.direction(), Vec3::ZERO).unwrap();
        let line = line.with_range(ray.t_min(), ray.t_max()).unwrap();
        let hit = now.cast_ray(&ray, ALL);
        assert_eq!(now.cast_ray_any(&ray, ALL), hit.is_some());
        met += usize::from(hit.is_some());
        check_crossing(object, &line, hit.map(|hit| hit.t), true);
    }
    [8, met]
}

/// A point near one of the object's corners.
fn target(object: &Object, rng: &mut Rng) -> Vec3 {
    let corners = &object.pieces[rng.below(object.pieces.len())].corners;
    corners[rng.below(corners.len())].as_vec3() + point(rng, 0.25)
}

fn arcs(object: &Object, rng: &mut Rng) -> [usize; 2] {
    let now = object.world.now();
    let mut met = 0;
    for _ in 0..8 {
        let (from, toward) = (point(rng, 5.0), target(object, rng));
        let gravity = Vec3::NEG_Y * 2.0;
        let arc = BallisticArc::new(from, toward - from - 0.5 * gravity, gravity).unwrap();
        let arc = arc.with_range(0.0, 4.0).unwrap();
        let hit = now.cast_arc(&arc, ALL);
        assert_eq!(now.cast_arc_any(&arc, ALL), hit.is_some());
        met += usize::from(hit.is_some());
        check_crossing(object, &arc, hit.map(|hit| hit.t), false);
    }
    [8, met]
}

fn moves(object: &Object, kind: usize, count: usize, rng: &mut Rng) -> [usize; 2] {
    let mut met = 0;
    for _ in 0..count {
        let solid = random_solid(rng, kind, 4.0);
        let motion = point(rng, 1.0) - solid.bounds().center();
        met += usize::from(check_move(object, &solid, motion));
    }
    [count, met]
}

fn rests(object: &Object, kind: usize, count: usize, rng: &mut Rng) -> [usize; 2] {
    let mut met = 0;
    for _ in 0..count {
        let solid = random_solid(rng, kind, 2.5);
        met += usize::from(check_contact(object, &solid));
    }
    [count, met]
}

macro_rules! asked {
    ($($name:ident: $seed:literal $make:expr;)*) => {$(
        #[test]
        fn $name() {
            ask_all($seed, $make);
        }
    )*};
}

asked! {
    terrain_is_asked_everything: 0xCE11 terrain;
    a_mesh_is_asked_everything: 0xCE12 mesh;
    a_slab_is_asked_everything: 0xCE18 slab;
    a_posed_model_is_asked_everything: 0xCE13 model;
    a_sphere_is_asked_everything: 0xCE14 |rng: &mut Rng| Object::solid("sphere", random_solid(rng, 0, 1.0));
    a_box_is_asked_everything: 0xCE15 |rng: &mut Rng| Object::solid("box", random_solid(rng, 1, 1.0));
    a_turned_box_is_asked_everything: 0xCE16 |rng: &mut Rng| Object::solid("turned box", random_solid(rng, 2, 1.0));
    a_capsule_is_asked_everything: 0xCE17 |rng: &mut Rng| Object::solid("capsule", random_solid(rng, 3, 1.0));
    a_compound_is_asked_everything: 0xCE19 compound;
}
