//! Embree scenes: the settings that take part, the best for each kind of question.

use super::embree::{Mode, Named, Quality, Scene};
use crate::inputs::{Mesh, Terrain};
use crate::shape::{RayShape, RayShapes};
use crate::subject::{Subjects, build};

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

/// The first is robust, and speaks for Embree where answers are held together.
pub fn terrains(terrain: &Terrain) -> RayShapes {
    let modes = [Mode::Robust, Mode::NotRobust];
    let grid = |mode| {
        Box::new(Named {
            mode,
            name: "grid",
            scene: Scene::grid(terrain, mode, false),
            is_numbered: false,
            has_packets: mode == Mode::NotRobust,
        }) as Box<dyn RayShape>
    };
    let mut scenes: RayShapes = modes.map(grid).into();
    if terrain.size <= LARGEST_AS_TRIANGLES {
        let (positions, triangles) = triangles(terrain);
        let scene = |mode| Scene::triangles(&positions, &triangles, mode, false, Quality::Medium);
        let mesh = |mode| {
            Box::new(Named {
                mode,
                name: "triangles",
                scene: scene(mode),
                is_numbered: true,
                has_packets: mode == Mode::NotRobust,
            }) as Box<dyn RayShape>
        };
        scenes.extend(modes.map(mesh));
    }
    scenes
}

/// The first is robust, and speaks for Embree where answers are held together.
pub fn meshes(mesh: &Mesh) -> [Named; 4] {
    let scene = |(mode, name, quality)| Named {
        mode,
        name,
        scene: Scene::triangles(&mesh.positions, &mesh.triangles, mode, false, quality),
        is_numbered: true,
        has_packets: quality == Quality::Medium,
    };
    let scenes = [
        (Mode::Robust, "medium", Quality::Medium),
        (Mode::Robust, "high", Quality::High),
        (Mode::NotRobust, "medium", Quality::Medium),
        (Mode::NotRobust, "high", Quality::High),
    ];
    scenes.map(scene)
}

pub fn build_terrains(terrain: &Terrain) -> Subjects<'_, ()> {
    let label = |way| Mode::Robust.label(way);
    let grid = || Scene::grid(terrain, Mode::Robust, false);
    let mut builds: Subjects<()> = vec![build(label("grid"), grid, Scene::bytes)];
    if terrain.size <= LARGEST_AS_TRIANGLES {
        let (positions, triangles) = triangles(terrain);
        let run = move || {
            let (mode, quality) = (Mode::Robust, Quality::Medium);
            Scene::triangles(&positions, &triangles, mode, false, quality)
        };
        builds.push(build(label("triangles"), run, Scene::bytes));
    }
    builds
}

pub fn build_meshes(mesh: &Mesh) -> Subjects<'_, ()> {
    let ways = [
        (Mode::NotRobust, "low", false, Quality::Low),
        (Mode::NotRobust, "medium", false, Quality::Medium),
        (Mode::Robust, "medium", false, Quality::Medium),
        (Mode::Robust, "compact, medium", true, Quality::Medium),
        (Mode::NotRobust, "high", false, Quality::High),
    ];
    let subject = |(mode, way, is_compact, quality)| {
        let (positions, triangles) = (&mesh.positions, &mesh.triangles);
        let run = move || Scene::triangles(positions, triangles, mode, is_compact, quality);
        build(Mode::label(mode, way), run, Scene::bytes)
    };
    ways.map(subject).into()
}
