//! A ray at terrain and at a mesh, as in `cost/hitscan`.

use parry3d::math::Vector;
use parry3d::query::{Ray, RayCast as _};
use parry3d::shape::{HeightField, TriMesh};
use parry3d::utils::Array2;

const SIZE: usize = 65;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let across: f32 = std::env::args().nth(1).unwrap_or_default().parse()?;
    let mut heights = Array2::repeat(SIZE, SIZE, 0.0);
    for sample in 0..SIZE * SIZE {
        heights[(sample / SIZE, sample % SIZE)] = (sample % 7) as f32;
    }
    let terrain = HeightField::new(heights, Vector::new(64.0, 1.0, 64.0));
    let corners = [[0.0, 0.0, 0.0], [64.0, 0.0, 0.0], [0.0, 0.0, 64.0]];
    let corners = corners.map(|[x, y, z]| Vector::new(x, y, z));
    let mesh = TriMesh::new(corners.into(), vec![[0, 2, 1]])?;
    let ray = Ray::new(
        Vector::new(across, 100.0, 10.0),
        Vector::new(0.1, -1.0, 0.1),
    );
    println!("{:?}", terrain.cast_local_ray(&ray, f32::MAX, true));
    println!("{:?}", mesh.cast_local_ray(&ray, f32::MAX, true));
    Ok(())
}
