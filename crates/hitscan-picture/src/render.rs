//! A world as a camera sees it.

use crate::atmosphere::Atmosphere;
use crate::pixels::draw;
use crate::shade::Shader;
use crate::world_scene::WorldScene;
use crate::{Error, Image, View};
use glam::DVec3;
use hitscan::Camera;
use hitscan::World;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// How a picture is drawn. See the crate's documentation for an example.
#[derive(Clone, Copy)]
pub struct RenderOptions<'a> {
    /// Where the camera is; `None` chooses a view of the whole world.
    pub view: Option<View>,
    /// The angle between the picture's lower and upper edge, radians, between 0 and pi.
    pub fov_y: f64,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Ends the drawing with [`Error::Cancelled`] soon after it is set.
    pub cancel: &'a AtomicBool,
    /// Is called with the fraction that is done, from 0 to 1, from any thread.
    pub progress: &'a (dyn Fn(f64) + Sync),
}

impl<'a> RenderOptions<'a> {
    /// A view of the whole world, 50 degrees high, without progress reports.
    #[must_use]
    pub fn new(size: [u32; 2], cancel: &'a AtomicBool) -> Self {
        Self {
            view: None,
            fov_y: 50_f64.to_radians(),
            size,
            cancel,
            progress: &|_| {},
        }
    }
}

impl fmt::Debug for RenderOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RenderOptions")
            .field("view", &self.view)
            .field("fov_y", &self.fov_y)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

/// Draws a world as it was last updated, on a sunny afternoon.
///
/// Terrain is coloured by height and slope, other objects by their number and part. The picture has
/// the same bits on any number of threads.
///
/// # Errors
/// [`Error::Camera`] for a view, an angle or a size that cannot be used; [`Error::Cancelled`].
pub fn render(world: &World, options: &RenderOptions<'_>) -> Result<Image, Error> {
    let scene = WorldScene::new(world);
    let (min, max) = world
        .now()
        .bounds()
        .map_or((DVec3::NEG_ONE, DVec3::ONE), |bounds| {
            (bounds.min().as_dvec3(), bounds.max().as_dvec3())
        });
    let view = options
        .view
        .unwrap_or_else(|| View::of_bounds(&scene, min, max, options.fov_y));
    let camera = Camera::new(
        view.eye.as_vec3(),
        view.target.as_vec3(),
        options.fov_y,
        options.size,
    )
    .map_err(Error::Camera)?;
    let scale = (max - min).length();
    let shader = Shader {
        scene: &scene,
        air: Atmosphere::afternoon(scale, view.distance_outside(min, max)),
        scale,
    };
    let rows = AtomicU32::new(0);
    draw(&shader, &camera, options.cancel, &|| {
        let done = rows.fetch_add(1, Ordering::Relaxed) + 1;
        (options.progress)(f64::from(done) / (2.0 * f64::from(options.size[1])));
    })
}
