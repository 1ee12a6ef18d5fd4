//! The library's batch call on arrays of numbers, as a Rust program makes it: rays are made and checked row by
//! row, then `cast_rays` answers them.
//!
//! A line on standard input requests one pass, and a line on standard output reports its end; the caller
//! measures. The first line reports that the shape is built. `times` writes the times of the last pass's hits
//! to a file, as the bits of f32.

use crate::Result;
use crate::npy;
use hitscan::height_field::Grid;
use hitscan::{HeightField, Ray, RayHit, TriMesh};
use rayon::ThreadPoolBuilder;
use std::io::{BufRead as _, Write as _};
use std::path::Path;

enum Shape {
    Mesh(TriMesh),
    Terrain(HeightField),
}

/// Answers lines until there are no more.
pub fn run(shape: &str, t_max: f32, folder: &Path) -> Result<()> {
    let values =
        |name: &str, columns| npy::read::<f32>(&folder.join(format!("{name}.npy")), columns);
    let built = match shape {
        "mesh-small" => Shape::Mesh(mesh(folder, shape)?),
        "terrain-1025" => {
            let grid = Grid::new(1025, 1025, [1.0, 1.0]);
            Shape::Terrain(HeightField::new(grid, values(shape, 1025)?)?)
        }
        _ => return Err(format!("there is no shape {shape}").into()),
    };
    let rows = values(&format!("rays-{shape}"), 6)?;
    let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut hits = Vec::new();
    let mut out = std::io::stdout().lock();
    writeln!(out, "built")?;
    for line in std::io::stdin().lock().lines() {
        match line?.as_str() {
            "cast" => {
                hits = pool.install(|| cast(&built, &rows, t_max))?;
            }
            "times" => {
                let times = hits
                    .iter()
                    .map(|hit: &Option<RayHit>| hit.map_or(f32::INFINITY, |hit| hit.t));
                npy::write(&folder.join("times.npy"), 1, times)?;
            }
            other => return Err(format!("there is no question {other}").into()),
        }
        writeln!(out, "done")?;
        out.flush()?;
    }
    Ok(())
}

fn mesh(folder: &Path, name: &str) -> Result<TriMesh> {
    let file = |what: &str| folder.join(format!("{name}-{what}.npy"));
    let vertices = npy::read::<f32>(&file("vertices"), 3)?;
    let triangles = npy::read::<u32>(&file("triangles"), 3)?;
    let vertices = vertices.as_chunks::<3>().0.iter();
    let vertices = vertices.map(|vertex| (*vertex).into()).collect();
    Ok(TriMesh::new(
        vertices,
        triangles.as_chunks::<3>().0.to_vec(),
    )?)
}

/// Makes the rays and casts them. What it returns is allocated anew each time, as Python's answers are.
fn cast(
    shape: &Shape,
    rows: &[f32],
    t_max: f32,
) -> std::result::Result<Vec<Option<RayHit>>, hitscan::Error> {
    let rows = rows.as_chunks::<6>().0.iter();
    let rays = rows
        .map(|&[x, y, z, dx, dy, dz]| Ray::new([x, y, z], [dx, dy, dz])?.with_range(0.0, t_max));
    let rays = rays.collect::<std::result::Result<Vec<Ray>, _>>()?;
    Ok(match shape {
        Shape::Mesh(mesh) => mesh.cast_rays(&rays, ()),
        Shape::Terrain(field) => field.cast_rays(&rays, ()),
    })
}
