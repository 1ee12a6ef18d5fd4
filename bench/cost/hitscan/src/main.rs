//! A ray at terrain and at a mesh, as in `cost/parry`.

use hitscan::height_field::Grid;
use hitscan::{HeightField, Ray, TriMesh};

const SIZE: usize = 65;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let across: f32 = std::env::args().nth(1).unwrap_or_default().parse()?;
    let heights = (0..SIZE * SIZE).map(|sample| (sample % 7) as f32).collect();
    let terrain = HeightField::new(Grid::new(SIZE, SIZE, [1.0, 1.0]), heights)?;
    let corners = [[0.0, 0.0, 0.0], [64.0, 0.0, 0.0], [0.0, 0.0, 64.0]];
    let mesh = TriMesh::new(corners.map(Into::into).into(), vec![[0, 2, 1]])?;
    let ray = Ray::new([across, 100.0, 10.0], [0.1, -1.0, 0.1])?;
    println!("{:?}", terrain.cast_ray(&ray, ()).map(|hit| hit.t));
    println!("{:?}", mesh.cast_ray(&ray, ()).map(|hit| hit.t));
    Ok(())
}
