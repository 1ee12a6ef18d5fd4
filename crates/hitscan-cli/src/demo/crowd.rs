//! The demo's crowd: a thousand robots in the valley, each at its own moment of its walk; a picture
//! of them, and what a frame of them costs.

use super::stage::height;
use super::valley;
use super::walk::WALK_SECS;
use crate::picture::view::View;
use glam::DVec3;
use hitscan::world::{ObjectId, World};
use hitscan::{HeightField, QueryFilter, Ray};
use std::time::{Duration, Instant};

/// How many robots there are.
const ROBOTS: usize = 1000;
/// Where they stand: x and z of two corners, metres.
const AREA: [[f64; 2]; 2] = [[-58.0, -58.0], [58.0, 66.0]];
/// How many rays are sent through them in a frame.
const RAYS: usize = 1000;
/// How many frames are timed; the median is told.
const FRAMES: usize = 41;

/// The scene file of the crowd.
pub(crate) fn toml() -> String {
    let [low, high] = valley::RANGE;
    let (spacing, corner) = (valley::SPACING, valley::CORNER);
    let [[x0, z0], [x1, z1]] = AREA;
    format!(
        "# Made by `hitscan demo`: a thousand robots in the valley.\n\
         \n[[terrain]]\nname = \"valley\"\nheights = \"valley.png\"\nspacing = {spacing:?}\n\
         range = [{low:?}, {high:?}]\norigin = [{corner:?}, 0.0, {corner:?}]\n\
         \n[[crowd]]\nname = \"robot\"\nfile = \"robot.glb\"\nclip = \"Walk\"\ncount = {ROBOTS}\n\
         seed = 3\narea = [[{x0:?}, {z0:?}], [{x1:?}, {z1:?}]]\n"
    )
}

/// Over the near ones' heads, down the valley.
pub(crate) fn view(ground: &HeightField) -> View {
    let (x, z) = (valley::river_x(74.0), 74.0);
    let eye_height = height(ground, x, z) + 9.0;
    View {
        eye: DVec3::new(x, eye_height, z),
        look: DVec3::new(valley::river_x(30.0), 1.5, 30.0),
    }
}

/// What a frame costs: new moments for all robots, and rays through them.
pub(crate) struct FrameCost {
    robots: usize,
    triangles: usize,
    update: Duration,
    rays: Duration,
    hits: usize,
}

/// Times frames of the world; every robot's walk goes on a sixtieth of a second in each.
///
/// # Errors
/// What the world refuses, which for the demo's is nothing.
pub(crate) fn time_frames(world: &World) -> Result<FrameCost, hitscan::Error> {
    let mut world = world.clone();
    let robots: Vec<ObjectId> = world
        .objects()
        .filter(|object| world.model(*object).is_some())
        .collect();
    let triangles = robots.iter().map(|one| world.triangle_count(*one)).sum();
    let rays = shots(&world, &robots)?;
    let (mut updates, mut asks) = (Vec::new(), Vec::new());
    let mut hits = 0;
    for frame in 0..FRAMES {
        let begin = Instant::now();
        for (number, robot) in robots.iter().enumerate() {
            let secs = frame as f64 / 60.0 + 0.037 * number as f64;
            world.set_pose_at(*robot, 0, secs % WALK_SECS)?;
        }
        world.update();
        updates.push(begin.elapsed());
        let begin = Instant::now();
        let filter = QueryFilter::new();
        let met = rays.iter().filter(|ray| {
            let met = world.cast_ray(ray, filter);
            met.is_some_and(|met| world.model(met.object).is_some())
        });
        hits = met.count();
        asks.push(begin.elapsed());
    }
    Ok(FrameCost {
        robots: robots.len(),
        triangles,
        update: median(&mut updates),
        rays: median(&mut asks),
        hits,
    })
}

impl FrameCost {
    /// The cost in a sentence.
    pub(crate) fn sentence(&self) -> String {
        let millis = |time: Duration| time.as_secs_f64() * 1e3;
        format!(
            "A frame of the crowd ({} robots, {} triangles, one thread): {:.2} ms for new poses of all,\n\
             {:.2} ms for {RAYS} rays, of which {} met a robot.\n",
            self.robots,
            self.triangles,
            millis(self.update),
            millis(self.rays),
            self.hits
        )
    }
}

/// From each of some robots' breasts to that of another.
fn shots(world: &World, robots: &[ObjectId]) -> Result<Vec<Ray>, hitscan::Error> {
    let breasts: Vec<_> = robots
        .iter()
        .filter_map(|robot| {
            let bounds = world.object_bounds(*robot)?;
            let (min, max) = (bounds.min(), bounds.max());
            Some((min + max) / 2.0 + 0.15 * (max - min).y * glam::Vec3::Y)
        })
        .collect();
    let count = breasts.len();
    let pairs = (0..RAYS).filter_map(|shot| {
        let other = (shot * 389 + 131) % count.max(1);
        Some((*breasts.get(shot % count.max(1))?, *breasts.get(other)?))
    });
    pairs
        .filter(|(from, to)| from != to)
        .map(|(from, to)| {
            // From outside the shooter's own body.
            let aside = (to - from).normalize_or_zero();
            Ray::between(from + 0.8 * aside, to)
        })
        .collect()
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
