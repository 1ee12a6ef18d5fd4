//! The peers: one file a library, each with that library's best settings.

mod native;
#[cfg(any(jolt, box3d, embree))]
mod native_world;
mod heap;
mod gdal;
pub mod by_hand;
pub mod parry;
pub mod parry_moves;
mod parry_convex;
pub mod parry_solids;
pub mod parry_crowd;
pub mod parry_characters;
mod rapier_world;
mod obvhs;
pub mod obvhs_crowd;
pub mod pairs_by_hand;
mod bvh;
#[cfg(tinybvh)]
mod tinybvh;
#[cfg(jolt)]
mod jolt;
#[cfg(jolt)]
mod jolt_moves;
#[cfg(jolt)]
mod jolt_world;
#[cfg(box3d)]
mod box3d;
#[cfg(box3d)]
mod box3d_crowd;
#[cfg(box3d)]
mod box3d_world;
#[cfg(embree)]
mod embree;
#[cfg(embree)]
mod embree_edit;
#[cfg(embree)]
mod embree_points;
#[cfg(embree)]
mod embree_scenes;
#[cfg(embree)]
mod embree_world;
#[cfg(embree)]
mod embree_library;
mod moving_worlds;
mod worlds;

pub use worlds::{build_worlds, moving_worlds, ray_worlds, worlds};

use crate::answer::Met;
use crate::inputs::convex::Turn;
use crate::inputs::moves::Solid;
use crate::inputs::{Mesh, Rays, Terrain, crowd};
use crate::label::Family;
use crate::shape::{Obstacles, RayShapes, Viewshed};
use crate::subject::Subjects;
use crate::workloads::edit::Edit;
use std::rc::Rc;

/// The peers' terrains.
pub fn terrains(terrain: &Terrain) -> RayShapes {
    let mut shapes: RayShapes = vec![Box::new(parry::Terrain::new(terrain))];
    #[cfg(jolt)]
    shapes.extend(jolt::terrains(terrain).map(|built| Box::new(built) as _));
    #[cfg(box3d)]
    shapes.push(Box::new(box3d::Built::terrain(terrain)));
    #[cfg(embree)]
    if embree_library::is_open() {
        shapes.extend(embree_scenes::terrains(terrain));
    }
    shapes
}

/// The peers' meshes.
pub fn meshes(mesh: &Mesh) -> RayShapes {
    let mut shapes: RayShapes = vec![Box::new(parry::Mesh::new(mesh))];
    shapes.extend(obvhs::meshes(mesh));
    shapes.push(Box::new(bvh::Mesh::new(mesh)));
    #[cfg(tinybvh)]
    shapes.extend(tinybvh::meshes(mesh));
    #[cfg(jolt)]
    shapes.extend(jolt::meshes(mesh).map(|built| Box::new(built) as _));
    #[cfg(box3d)]
    shapes.push(Box::new(box3d::Built::mesh(mesh)));
    #[cfg(embree)]
    if embree_library::is_open() {
        let scenes = embree_scenes::meshes(mesh).into_iter();
        shapes.extend(scenes.map(|named| Box::new(named) as _));
    }
    shapes
}

/// The meshes of peers that have no back faces, turned inside out.
pub fn meshes_inside_out(mesh: &Mesh) -> RayShapes {
    #[cfg(box3d)]
    return vec![Box::new(box3d::Built::inside_out(mesh))];
    #[cfg(not(box3d))]
    {
        let _ = mesh;
        Vec::new()
    }
}

/// The peers' terrains that shapes move over.
pub fn move_terrains(terrain: &Terrain) -> Obstacles {
    let mut shapes: Obstacles = vec![Box::new(parry::Terrain::new(terrain))];
    #[cfg(jolt)]
    shapes.extend(jolt::terrains(terrain).map(|built| Box::new(built) as _));
    #[cfg(box3d)]
    shapes.push(Box::new(box3d::Built::terrain(terrain)));
    shapes
}

/// The peers' meshes that shapes move at.
pub fn move_meshes(mesh: &Mesh) -> Obstacles {
    let mut shapes: Obstacles = vec![Box::new(parry::Mesh::new(mesh))];
    #[cfg(jolt)]
    shapes.extend(jolt::meshes(mesh).map(|built| Box::new(built) as _));
    #[cfg(box3d)]
    shapes.push(Box::new(box3d::Built::mesh(mesh)));
    shapes
}

/// The peers on shapes that rest at a mesh.
pub fn separations<'a>(
    mesh: &Mesh,
    solid: Solid,
    middles: &[[f32; 3]],
    margin: f32,
) -> Subjects<'a, Option<f32>> {
    let mut subjects = vec![parry_moves::separations(mesh, solid, middles, margin)];
    #[cfg(jolt)]
    subjects.extend(
        jolt::meshes(mesh).map(|built| jolt_moves::separations(built, solid, middles, margin)),
    );
    subjects
}

/// The peers on the points nearest to others.
pub fn distances<'a>(mesh: &Mesh, points: &[[f32; 3]]) -> Subjects<'a, Option<Met>> {
    let mut subjects = vec![parry_moves::distances(mesh, points)];
    #[cfg(embree)]
    if embree_library::is_open() {
        let scenes = embree_scenes::meshes(mesh).into_iter();
        subjects.extend(scenes.map(|named| embree_points::distances(named, points)));
    }
    subjects
}

pub fn build_terrains(terrain: &Terrain) -> Subjects<'_, ()> {
    let mut builds = parry::build_terrain(terrain);
    #[cfg(jolt)]
    builds.extend(jolt::build_terrain(terrain));
    #[cfg(box3d)]
    builds.extend(box3d::build_terrain(terrain));
    #[cfg(embree)]
    if embree_library::is_open() {
        builds.extend(embree_scenes::build_terrains(terrain));
    }
    builds
}

pub fn build_meshes(mesh: &Mesh) -> Subjects<'_, ()> {
    let mut builds = parry::build_meshes(mesh);
    builds.extend(obvhs::build_meshes(mesh));
    builds.extend(bvh::build_mesh(mesh));
    #[cfg(tinybvh)]
    builds.extend(tinybvh::build_meshes(mesh));
    #[cfg(jolt)]
    builds.extend(jolt::build_mesh(mesh));
    #[cfg(box3d)]
    builds.extend(box3d::build_mesh(mesh));
    #[cfg(embree)]
    if embree_library::is_open() {
        builds.extend(embree_scenes::build_meshes(mesh));
    }
    builds
}

/// The peers on rays at a hull.
pub fn rays_at_hull<'a>(points: &[[f32; 3]], rays: &Rays) -> Subjects<'a, Option<Met>> {
    let mut subjects = parry_convex::rays_at_hull(points, rays);
    #[cfg(jolt)]
    subjects.extend(jolt_moves::rays_at(jolt::Built::hull(points), rays));
    subjects
}

/// The peers on rays at an upright cylinder around 0.
pub fn rays_at_cylinder<'a>(half: f32, radius: f32, rays: &Rays) -> Subjects<'a, Option<Met>> {
    let mut subjects = parry_convex::rays_at_cylinder(half, radius, rays);
    #[cfg(jolt)]
    subjects.extend(jolt_moves::rays_at(
        jolt::Built::cylinder(half, radius),
        rays,
    ));
    subjects
}

/// The peers' hulls that others move at.
pub fn move_hulls(points: &[[f32; 3]]) -> Obstacles {
    let mut shapes: Obstacles = vec![Box::new(parry_convex::Hull::new(points))];
    #[cfg(jolt)]
    shapes.push(Box::new(jolt::Built::hull(points)));
    shapes
}

/// The peers on building a hull.
pub fn build_hulls(points: &[[f32; 3]]) -> Subjects<'_, ()> {
    let mut builds = parry_convex::build_hull(points);
    #[cfg(jolt)]
    builds.push(jolt::build_hull(points));
    builds
}

/// The peers on how far two meshes are apart, the second moved.
pub fn mesh_distances<'a>(mesh: &Mesh, places: &[[f32; 3]]) -> Subjects<'a, Option<f32>> {
    parry_convex::mesh_distances(mesh, places)
}

/// The peers on shapes that turn over terrain.
pub fn turns_over_terrain<'a>(
    terrain: &Terrain,
    solid: Solid,
    turns: &[Turn],
) -> Subjects<'a, Option<f32>> {
    parry_convex::turns_over_terrain(terrain, solid, turns)
}

/// The peers on edited terrain.
pub fn edit_terrain<'a>(terrain: &'a Terrain, edits: &'a [Edit]) -> Subjects<'a, Option<Met>> {
    let mut subjects = vec![parry_solids::edit_terrain(terrain, edits)];
    #[cfg(embree)]
    if embree_library::is_open() {
        subjects.push(embree_edit::edit_terrain(terrain, edits));
    }
    subjects
}

/// Box3D's frames of boxes that move, where it is there.
pub fn box3d_frames<'a>(
    crowd: &Rc<crowd::Crowd>,
    queries: &crowd::Queries,
) -> Subjects<'a, Option<f32>> {
    #[cfg(box3d)]
    return box3d_crowd::frames(crowd, queries);
    #[cfg(not(box3d))]
    {
        let _ = (crowd, queries);
        Vec::new()
    }
}

/// The peers on what is seen from above the sample (eye, eye).
pub fn viewsheds(terrain: &Terrain, eye: usize, above: f64) -> Vec<Box<dyn Viewshed>> {
    gdal::viewshed(terrain, eye, above).into_iter().collect()
}

/// tinybvh's version, or why it was not built.
pub const TINYBVH: &str = env!("HITSCAN_BENCH_TINYBVH");
/// Jolt's version, or why it was not built.
pub const JOLT: &str = env!("HITSCAN_BENCH_JOLT");

/// Box3D's version, or why it was not built.
pub const BOX3D: &str = env!("HITSCAN_BENCH_BOX3D");

/// Embree's version, or why it takes no part.
pub fn embree() -> Result<&'static str, &'static str> {
    #[cfg(embree)]
    return embree_library::version();
    #[cfg(not(embree))]
    return Err(env!("HITSCAN_BENCH_EMBREE"));
}

/// GDAL's version, or why it takes no part.
pub fn gdal() -> Result<&'static str, &'static str> {
    gdal::version()
}

/// The libraries that may be absent, each with the reason where it is.
fn optional() -> [(Family, Result<(), &'static str>); 5] {
    let built = |is_built: bool, reason| is_built.then_some(()).ok_or(reason);
    [
        (Family::Embree, embree().map(|_| ())),
        (Family::Jolt, built(cfg!(jolt), JOLT)),
        (Family::Box3d, built(cfg!(box3d), BOX3D)),
        (Family::TinyBvh, built(cfg!(tinybvh), TINYBVH)),
        (Family::Gdal, gdal().map(|_| ())),
    ]
}

/// The peers that do not run, each with its reason.
pub fn absent() -> Vec<String> {
    let absent = optional().into_iter().filter_map(|(family, state)| {
        let reason = state.err()?;
        Some(format!("not raced: {family:?}: {reason}"))
    });
    absent.collect()
}

/// The libraries that run, with their versions.
pub fn titles() -> Vec<String> {
    let optional = optional().into_iter();
    let present = optional.filter_map(|(family, state)| state.ok().map(|()| family));
    let always = [Family::Parry, Family::Rapier, Family::Obvhs, Family::Bvh].into_iter();
    always.chain(present).map(Family::title).collect()
}
