//! hitscan where much ties, each beside a usual query of the same extent.
//!
//! Of each pair of shapes the first is flat, the second rough.

use super::hitscan::{aabb, height_field, label, met, ray, rays, tri_mesh};
use crate::answer::Met;
use crate::inputs::{self, Question, Rays};
use crate::label::{Family, Label};
use crate::subject::{Subjects, each};
use crate::workloads::boxes::BoxMove;
use glam::DAffine3;
use hitscan::{Ray, ShapeCast, Sphere, World};
use std::sync::Arc;

pub fn usual(way: &str) -> Label {
    Label::new(Family::Usual, format!("usual: {way}"))
}

fn motion(moved: &BoxMove) -> ShapeCast {
    ShapeCast::new(aabb(&moved.start), moved.motion).expect("motions are finite")
}

fn world_of_mesh(mesh: &inputs::Mesh) -> World {
    let mut world = World::new();
    let added = world.add_at(Arc::new(tri_mesh(mesh)), DAffine3::IDENTITY);
    added.expect("the identity is in range");
    world.update();
    world
}

fn world_of_ground(terrain: &inputs::Terrain) -> World {
    let mut world = World::new();
    world.add(Arc::new(height_field(terrain)));
    world.update();
    world
}

/// Boxes as large as the shape at the flat one; they, and crates, at the rough one.
fn boxes<'a>(
    [flat, rough]: [World; 2],
    [whole, crates]: &[Vec<BoxMove>; 2],
    rough_shape: &str,
) -> Subjects<'a, Option<Met>> {
    let rough = Arc::new(rough);
    let same = usual(rough_shape);
    let smaller = usual(&format!("{rough_shape}, a crate of 2 m"));
    let subject = |world: Arc<World>, moves: &[BoxMove], label: Label| {
        let motions = moves.iter().map(motion).collect();
        let cast = move |moving: &ShapeCast| {
            let met = world.now().cast_shape(moving, ())?;
            Some(Met {
                t: met.t,
                primitive: met.triangle?.triangle,
            })
        };
        each(label, motions, None, cast)
    };
    vec![
        subject(Arc::new(flat), whole, label("")),
        subject(Arc::clone(&rough), whole, same),
        subject(rough, crates, smaller),
    ]
}

pub fn boxes_on_ground<'a>(
    grounds: &[inputs::Terrain; 2],
    moves: &[Vec<BoxMove>; 2],
) -> Subjects<'a, Option<Met>> {
    boxes(
        grounds.each_ref().map(world_of_ground),
        moves,
        "rough ground",
    )
}

pub fn boxes_at_wall<'a>(
    walls: &[inputs::Mesh; 2],
    moves: &[Vec<BoxMove>; 2],
) -> Subjects<'a, Option<Met>> {
    boxes(walls.each_ref().map(world_of_mesh), moves, "a rough wall")
}

pub fn rays_at_ground<'a>(
    grounds: &[inputs::Terrain; 2],
    questions: &[Rays; 2],
) -> Subjects<'a, Option<Met>> {
    let [flat, rough] = grounds.each_ref().map(height_field);
    let [in_plane, grazing] = questions.each_ref().map(|questions| rays(questions));
    let cast = move |ray: &Ray| met(flat.cast_ray(ray, ()));
    let cast_usual = move |ray: &Ray| met(rough.cast_ray(ray, ()));
    vec![
        each(label(""), in_plane, None, cast),
        each(usual("rough ground, grazing"), grazing, None, cast_usual),
    ]
}

pub fn rays_at_strip<'a>(
    strips: &[inputs::Mesh; 2],
    questions: &[Rays; 2],
) -> Subjects<'a, Option<Met>> {
    let [flat, rough] = strips.each_ref().map(tri_mesh);
    let [in_plane, along] = questions.each_ref().map(|questions| rays(questions));
    let cast = move |ray: &Ray| met(flat.cast_ray(ray, ()));
    let cast_usual = move |ray: &Ray| met(rough.cast_ray(ray, ()));
    vec![
        each(label(""), in_plane, None, cast),
        each(usual("a rough strip"), along, None, cast_usual),
    ]
}

/// How many hits each ray has.
pub fn all_hits_of_strip<'a>(
    strips: &[inputs::Mesh; 2],
    questions: &[Rays; 2],
) -> Subjects<'a, u32> {
    let [flat, rough] = strips.each_ref().map(world_of_mesh);
    let [in_plane, along] = questions.each_ref().map(|questions| rays(questions));
    let count = |world: &World, ray: &Ray| world.now().cast_ray_all(ray, ()).len() as u32;
    let cast = move |ray: &Ray| count(&flat, ray);
    let cast_usual = move |ray: &Ray| count(&rough, ray);
    vec![
        each(label("cast_ray_all"), in_plane, None, cast),
        each(usual("a rough strip"), along, None, cast_usual),
    ]
}

/// The highest point of the box around a world of spheres, and the nearest of them on a ray.
pub fn bounds_of_spheres<'a>(
    spheres: &[([f32; 3], f32)],
    questions: &[Question],
) -> Subjects<'a, Option<f32>> {
    let mut world = World::new();
    for (center, radius) in spheres {
        let sphere = Sphere::new(*center, f64::from(*radius)).expect("spheres are finite");
        world.add(sphere);
    }
    world.update();
    let world = Arc::new(world);
    let same = Arc::clone(&world);
    let rays: Vec<Ray> = questions.iter().map(ray).collect();
    let bounds = move |_: &Ray| Some(world.now().bounds()?.max().y);
    let nearest = move |ray: &Ray| Some(same.now().cast_ray(ray, ())?.t);
    vec![
        each(label("World::bounds"), rays.clone(), None, bounds),
        each(usual("a ray at the world"), rays, None, nearest),
    ]
}
