//! A world as a camera sees it.

use crate::atmosphere::Atmosphere;
use crate::camera::PictureCamera;
use crate::pixels::draw;
use crate::shade::Shader;
use crate::view::Bounds;
use crate::world_scene::{SurfaceColor, WorldScene};
use crate::{Error, Image, Projection, View, Viewpoint};
use glam::DVec3;
use hitscan::{QueryFilter, RayHit, Sides, World};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// How a picture is drawn. See the crate's documentation for an example.
#[derive(Clone, Copy)]
pub struct RenderOptions<'a> {
    /// Where the camera is.
    pub viewpoint: Viewpoint,
    /// How the world is projected.
    pub projection: Projection,
    /// The angle between the picture's lower and upper edge, radians, between 0 and pi.
    pub fov_y: f64,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The colours of surfaces that are no terrain.
    pub color: SurfaceColor<'a>,
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
            viewpoint: Viewpoint::Overview,
            projection: Projection::Perspective,
            color: &|_| None,
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
            .field("viewpoint", &self.viewpoint)
            .field("projection", &self.projection)
            .field("fov_y", &self.fov_y)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

/// Draws a world as it was last updated, on a sunny afternoon.
///
/// Terrain is coloured by height and slope, other objects in the colours of the
/// options, or else by their number and part. The picture has
/// the same bits on any number of threads.
///
/// # Errors
/// [`Error::Camera`] for a view, an angle or a size that cannot be used; [`Error::Cancelled`].
pub fn render(world: &World, options: &RenderOptions<'_>) -> Result<Image, Error> {
    let scene = WorldScene::new(world, options.color);
    let bounds = bounds(world);
    let (camera, view) = options.camera(bounds)?;
    let scale = (bounds.1 - bounds.0).length();
    let shader = Shader {
        scene: &scene,
        air: Atmosphere::afternoon(scale, view.distance_outside(bounds)),
        scale,
    };
    let rows = AtomicU32::new(0);
    draw(&shader, &camera, options.cancel, &|| {
        let done = rows.fetch_add(1, Ordering::Relaxed) + 1;
        (options.progress)(f64::from(done) / (2.0 * f64::from(options.size[1])));
    })
}

/// What the picture that [`render`] draws with the same options shows in the middle of the pixel
/// (x, y), counted from the upper left one; `None` is the sky.
///
/// # Errors
/// [`Error::Camera`] as of [`render`].
#[expect(clippy::cast_precision_loss, reason = "no picture is 2^24 pixels wide")]
pub fn pick(
    world: &World,
    options: &RenderOptions<'_>,
    [x, y]: [u32; 2],
) -> Result<Option<RayHit>, Error> {
    let (camera, _) = options.camera(bounds(world))?;
    let ray = camera.ray(x as f32 + 0.5, y as f32 + 0.5);
    Ok(world.now().cast_ray(&ray, Sides::Both, QueryFilter::new()))
}

impl RenderOptions<'_> {
    fn camera(&self, bounds: Bounds) -> Result<(PictureCamera, View), Error> {
        self.viewpoint
            .camera(bounds, self.projection, self.fov_y, self.size)
    }
}

/// The box around a world; around the origin where nothing is in it.
fn bounds(world: &World) -> Bounds {
    world
        .now()
        .bounds()
        .map_or((DVec3::NEG_ONE, DVec3::ONE), |bounds| {
            (bounds.min().as_dvec3(), bounds.max().as_dvec3())
        })
}
