//! Which of Embree's many settings take part: the best for each kind of question.

use super::embree::{Named, Quality, Scene};
use crate::inputs::{Mesh, Terrain};
use crate::shape::RayShapes;
use crate::subject::{Family, Label, Subjects, build};

/// Terrain as triangles takes 170 bytes each; beyond this side only grids take part.
const LARGEST_AS_TRIANGLES: usize = 2049;

/// The terrain's triangles, two a cell, numbered as hitscan numbers them.
fn triangles(terrain: &Terrain) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let size = terrain.size;
    let position = |index: usize| {
        let (column, row) = (index % size, index / size);
        [column as f32, terrain.heights[index], row as f32]
    };
    let mut triangles = Vec::with_capacity(2 * (size - 1) * (size - 1));
    for row in 0..size - 1 {
        for column in 0..size - 1 {
            let at = |i: usize, j: usize| ((row + j) * size + column + i) as u32;
            triangles.push([at(0, 0), at(0, 1), at(1, 0)]);
            triangles.push([at(1, 0), at(0, 1), at(1, 1)]);
        }
    }
    ((0..size * size).map(position).collect(), triangles)
}

fn named(name: &str, scene: Scene, is_numbered: bool, has_packets: bool) -> Named {
    Named {
        name: name.to_owned(),
        scene,
        is_numbered,
        has_packets,
    }
}

/// The first is robust, and speaks for Embree where answers are held together.
pub fn terrains(terrain: &Terrain) -> RayShapes {
    let grid = |is_robust| Scene::grid(terrain, is_robust, false);
    let mut scenes = vec![
        named("grid, robust", grid(true), false, false),
        named("grid, not robust", grid(false), false, true),
    ];
    if terrain.size <= LARGEST_AS_TRIANGLES {
        let (positions, triangles) = triangles(terrain);
        let scene =
            |is_robust| Scene::triangles(&positions, &triangles, is_robust, false, Quality::Medium);
        scenes.push(named("triangles, robust", scene(true), true, false));
        scenes.push(named("triangles, not robust", scene(false), true, true));
    }
    scenes
        .into_iter()
        .map(|scene| Box::new(scene) as _)
        .collect()
}

/// The first is robust, and speaks for Embree where answers are held together.
pub fn meshes(mesh: &Mesh) -> RayShapes {
    let scene = |is_robust, quality| {
        Scene::triangles(&mesh.positions, &mesh.triangles, is_robust, false, quality)
    };
    let scenes = [
        named("robust", scene(true, Quality::Medium), true, true),
        named("robust, high", scene(true, Quality::High), true, false),
        named("not robust", scene(false, Quality::Medium), true, true),
        named("not robust, high", scene(false, Quality::High), true, false),
    ];
    scenes
        .into_iter()
        .map(|scene| Box::new(scene) as _)
        .collect()
}

fn label(way: &str) -> Label {
    Label::new(Family::Embree, format!("embree {way}"))
}

pub fn build_terrains(terrain: &Terrain) -> Subjects<'_, ()> {
    let grid = || Scene::grid(terrain, true, false);
    let mut builds: Subjects<()> = vec![build(label("grid, robust"), grid, Scene::bytes)];
    if terrain.size <= LARGEST_AS_TRIANGLES {
        let (positions, triangles) = triangles(terrain);
        let run = move || Scene::triangles(&positions, &triangles, true, false, Quality::Medium);
        builds.push(build(label("triangles, robust"), run, Scene::bytes));
    }
    builds
}

pub fn build_meshes(mesh: &Mesh) -> Subjects<'_, ()> {
    let ways = [
        ("low", false, false, Quality::Low),
        ("medium", false, false, Quality::Medium),
        ("robust, medium", true, false, Quality::Medium),
        ("robust, compact, medium", true, true, Quality::Medium),
        ("high", false, false, Quality::High),
    ];
    let mut builds: Subjects<()> = Vec::new();
    for (way, is_robust, is_compact, quality) in ways {
        let run = move || {
            Scene::triangles(
                &mesh.positions,
                &mesh.triangles,
                is_robust,
                is_compact,
                quality,
            )
        };
        builds.push(build(label(way), run, Scene::bytes));
    }
    builds
}
