//! The demo's crowd: a thousand robots in the valley, each at its own time of its walk, and rays
//! through them.

use crate::Error;
use crate::camera_table::{camera_table, to_centimetres};
use crate::valley::{self, ground_height};
use crate::walk::WALK_SECS;
use glam::{DVec3, Vec3};
use hitscan::{HeightField, ObjectId, QueryFilter, Ray, World};
use hitscan_picture::View;

/// How many robots there are.
const ROBOTS: usize = 1000;
/// Where they are: x and z of two corners, metres.
const AREA: [[f64; 2]; 2] = [[-58.0, -58.0], [58.0, 66.0]];
/// How many rays are cast through them in a frame.
const RAYS: usize = 1000;

/// The scene file of the crowd.
pub(crate) fn toml(ground: &HeightField) -> String {
    let [low, high] = valley::RANGE;
    let (spacing, corner) = (valley::SPACING, valley::CORNER);
    let [[x0, z0], [x1, z1]] = AREA;
    format!(
        "# Made by `hitscan demo`: a thousand robots in the valley.\n\
         \n[[terrain]]\nname = \"valley\"\nheights = \"valley.png\"\nspacing = {spacing:?}\n\
         range = [{low:?}, {high:?}]\norigin = [{corner:?}, 0.0, {corner:?}]\n\
         \n[[crowd]]\nname = \"robot\"\nfile = \"robot.glb\"\nclip = \"Walk\"\ncount = {ROBOTS}\n\
         seed = 3\narea = [[{x0:?}, {z0:?}], [{x1:?}, {z1:?}]]\n{}",
        camera_table(view(ground))
    )
}

/// Over the near robots' heads, down the valley. Whole centimetres, so that it can be typed.
pub(crate) fn view(ground: &HeightField) -> View {
    let (x, z) = (valley::river_x(74.0), 74.0);
    let eye_height = ground_height(ground, x, z) + 9.0;
    View {
        eye: to_centimetres(DVec3::new(x, eye_height, z)),
        target: to_centimetres(DVec3::new(valley::river_x(30.0), 1.5, 30.0)),
    }
}

/// A crowd that walks frame by frame, with rays from robot to robot: what a game does with it.
///
/// ```
/// use hitscan::World;
/// use hitscan_demo::CrowdFrames;
/// // Of a world that has read the demo's `crowd.toml` it takes a thousand robots.
/// let mut frames = CrowdFrames::new(&World::new())?;
/// frames.pose(0)?;
/// assert_eq!((frames.robot_count(), frames.cast_rays()), (0, 0));
/// # Ok::<(), hitscan_demo::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct CrowdFrames {
    world: World,
    robots: Vec<ObjectId>,
    rays: Vec<Ray>,
}

impl CrowdFrames {
    /// Takes the models of a world as robots.
    ///
    /// # Errors
    /// [`Error::Refused`] where two robots are so far apart that no ray goes from one to the other.
    pub fn new(world: &World) -> Result<Self, Error> {
        let world = world.clone();
        let robots: Vec<ObjectId> = world
            .now()
            .objects()
            .filter(|object| world.now().model(*object).is_some())
            .collect();
        let rays = rays_between(&world, &robots)?;
        Ok(Self {
            world,
            robots,
            rays,
        })
    }

    /// How many robots walk.
    #[must_use]
    pub fn robot_count(&self) -> usize {
        self.robots.len()
    }

    /// How many triangles they have together.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        let triangles = |robot: &ObjectId| self.world.now().triangle_count(*robot);
        self.robots.iter().map(triangles).sum()
    }

    /// How many rays [`CrowdFrames::cast_rays`] casts.
    #[must_use]
    pub fn ray_count(&self) -> usize {
        self.rays.len()
    }

    /// Gives each robot its pose in a frame, a sixtieth of a second after the one before, and updates
    /// the world.
    ///
    /// # Errors
    /// [`Error::Refused`] where a robot has no clip.
    pub fn pose(&mut self, frame: u32) -> Result<(), Error> {
        for (number, robot) in self.robots.iter().enumerate() {
            let secs = f64::from(frame) / 60.0 + 0.037 * number as f64;
            self.world.set_pose_at(*robot, 0, secs % WALK_SECS)?;
        }
        self.world.update();
        Ok(())
    }

    /// Casts each ray by itself, and counts those that hit a robot.
    #[must_use]
    pub fn cast_rays(&self) -> usize {
        let filter = QueryFilter::new();
        let hits_robot = |ray: &&Ray| {
            let hit = self.world.now().cast_ray(ray, filter);
            let object = hit.and_then(|hit| hit.object);
            object.is_some_and(|object| self.world.now().model(object).is_some())
        };
        self.rays.iter().filter(hits_robot).count()
    }
}

/// Rays from the chests of some robots to those of others.
fn rays_between(world: &World, robots: &[ObjectId]) -> Result<Vec<Ray>, hitscan::Error> {
    let chests: Vec<Vec3> = robots
        .iter()
        .filter_map(|robot| {
            let bounds = world.now().object_bounds(*robot)?;
            let (min, max) = (bounds.min(), bounds.max());
            Some((min + max) / 2.0 + 0.15 * (max - min).y * Vec3::Y)
        })
        .collect();
    let count = chests.len();
    let pairs = (0..RAYS).filter_map(|ray| {
        let other = (ray * 389 + 131) % count.max(1);
        Some((*chests.get(ray % count.max(1))?, *chests.get(other)?))
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
