//! The bench's inputs as files: `NAME.npy`. Of rays it prints how far they reach.

use crate::Result;
use crate::inputs::{self, Mesh, Question, Rays, Terrain};
use crate::npy;
use std::path::Path;

/// How often the icosahedron's triangles are cut for meshes of 81,920 and 1,310,720.
const SMALL: u32 = 6;
const BIG: u32 = 8;

/// Writes an input, of whose rays or places there are `count`.
pub fn run(input: &str, count: usize, folder: &Path) -> Result<()> {
    let small = || Mesh::displaced_sphere(SMALL);
    match input {
        "mesh-small" => mesh(folder, input, &small()),
        "mesh-big" => mesh(folder, input, &Mesh::displaced_sphere(BIG)),
        "terrain-1025" => terrain(folder, input, 1025),
        "terrain-8193" => terrain(folder, input, 8193),
        "rays-mesh-small" => rays(folder, input, &inputs::around(&small(), count)),
        "rays-mesh-big" => {
            let big = Mesh::displaced_sphere(BIG);
            rays(folder, input, &inputs::around(&big, count))
        }
        "rays-inside" => rays(folder, input, &inputs::from_inside(&small(), count)),
        "rays-terrain-1025" => rays(folder, input, &inputs::uniform(&Terrain::new(1025), count)),
        "places-1025" => {
            let places = inputs::places(&Terrain::new(1025), count);
            let file = folder.join(format!("{input}.npy"));
            npy::write(&file, 2, flat(&places).into_iter())
        }
        _ => Err(format!("there is no input {input}").into()),
    }
}

fn mesh(folder: &Path, name: &str, mesh: &Mesh) -> Result<()> {
    let file = |what: &str| folder.join(format!("{name}-{what}.npy"));
    npy::write(&file("vertices"), 3, flat(&mesh.positions).into_iter())?;
    npy::write(&file("triangles"), 3, flat(&mesh.triangles).into_iter())
}

/// Heights row by row: the first is the northernmost, at z = 0.
fn terrain(folder: &Path, name: &str, size: usize) -> Result<()> {
    let file = folder.join(format!("{name}.npy"));
    npy::write(&file, size, Terrain::new(size).heights.into_iter())
}

/// Origin and direction a row. All rays of an input have the same range.
fn rays(folder: &Path, name: &str, rays: &Rays) -> Result<()> {
    let row = |ray: &Question| {
        let ([x, y, z], [dx, dy, dz]) = (ray.origin, ray.direction);
        [x, y, z, dx, dy, dz]
    };
    let rows: Vec<[f32; 6]> = rays.iter().map(row).collect();
    println!("{}", rays.first().ok_or("an input has rays")?.t_max);
    let file = folder.join(format!("{name}.npy"));
    npy::write(&file, 6, flat(&rows).into_iter())
}

fn flat<V: Copy, const N: usize>(rows: &[[V; N]]) -> Vec<V> {
    rows.as_flattened().to_vec()
}
