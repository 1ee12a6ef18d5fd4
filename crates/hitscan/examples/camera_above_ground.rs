//! A camera that follows a path over hills and stays above the ground.
//!
//! A game needs two heights a frame: a walker's eyes follow the exact ground under them,
//! and a fast chase camera by the highest sample around it, which lifts it in time for every ridge.

use hitscan::glam::Vec3;
use hitscan::height_field::Grid;
use hitscan::{Error, HeightField, Ray};

/// How far eyes are above the ground, metres.
const EYE_HEIGHT: f32 = 1.7;
/// How far the chase camera is above the highest sample around it, metres.
const CLEARANCE: f32 = 3.0;
/// How far the path goes in a frame, metres.
const STEP: f32 = 6.0;
/// How far around it the chase camera looks: a step and a cell's diagonal, so that the highest
/// corner of each cell on the way to the next frame counts.
const RADIUS: f64 = 9.0;

/// A map of 64 m by 16 m, a sample each 2 m, with two ridges along z.
fn hills() -> Result<HeightField, Error> {
    let grid = Grid::new(33, 9, [2.0, 2.0]);
    let ridge = |height: f32, metres_aside: f32| height / (1.0 + metres_aside * metres_aside / 9.0);
    let row = (0..33_u8).map(|column| {
        let x = 2.0 * f32::from(column);
        ridge(12.0, x - 20.0) + ridge(8.0, x - 46.0)
    });
    let samples = grid.columns * grid.rows;
    HeightField::new(grid, row.cycle().take(samples).collect())
}

/// A walker's eyes, or `None` where there is nothing to stand on.
fn walking_eye(hills: &HeightField, x: f32, z: f32) -> Option<Vec3> {
    let ground = hills.elevation([x, z])?;
    Some(Vec3::new(x, ground + EYE_HEIGHT, z))
}

/// The chase camera, or `None` where no ground is near.
fn chase_camera(hills: &HeightField, x: f32, z: f32) -> Option<Vec3> {
    let highest = hills.max_height([x, z], RADIUS).ok()?;
    Some(Vec3::new(x, highest.height + CLEARANCE, z))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hills = hills()?;
    let z = 8.0;
    let mut path = Vec::new();
    println!("    x   walking eye   chase camera");
    for frame in 0..10_u8 {
        let x = 5.0 + STEP * f32::from(frame);
        let eye = walking_eye(&hills, x, z).ok_or("the path leaves the map")?;
        let camera = chase_camera(&hills, x, z).ok_or("the path leaves the map")?;
        println!("{x:5.1} {:13.2} {:14.2}", eye.y, camera.y);
        path.push((eye, camera));
    }

    // At this speed the eyes pass through both ridges, and the chase camera never does.
    let (mut cut_by_eyes, mut cut_by_camera) = (0, 0);
    for step in path.windows(2) {
        let [(eye, camera), (next_eye, next_camera)] = [step[0], step[1]];
        let cuts = |way: Ray| usize::from(hills.cast_ray(&way, ()).is_some());
        cut_by_eyes += cuts(Ray::between(eye, next_eye)?);
        cut_by_camera += cuts(Ray::between(camera, next_camera)?);
    }
    println!("steps through the ground: {cut_by_eyes} by the eyes, {cut_by_camera} by the camera");
    assert_eq!((cut_by_eyes, cut_by_camera), (2, 0));

    // Beyond the map there is no ground: a game keeps the height it had, or turns back.
    assert_eq!(walking_eye(&hills, 64.5, z), None);
    Ok(())
}
