//! Picture options: the view, the colours, the light.

use crate::viewshed::ViewshedTint;
use crate::{Palette, Projection, Viewpoint};
use glam::DVec3;
use hitscan::{ObjectId, RayHit};
use std::fmt;
use std::sync::Arc;

/// The colour of a surface where a ray hit it, linear light from 0 to 1; `None` leaves the choice of
/// one to the picture.
pub type SurfaceColor<'a> = Arc<dyn Fn(&RayHit) -> Option<DVec3> + Send + Sync + 'a>;

/// How surfaces are lit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Light {
    /// By the sun and the sky as surfaces face them, without shadows: no ray but the camera's.
    Plain,
    /// With the sun's sharp shadows and the reflections of water. Ambient occlusion has a short range here:
    /// contact shadows.
    #[default]
    Sun,
    /// By a sun with a disc, so that shadows are softer the farther what throws them is; meant to be
    /// averaged over many samples.
    Soft,
}

/// What a pixel's colour says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Shows {
    /// How the surface looks.
    #[default]
    Picture,
    /// How many boxes and triangles were tested for the pixel's ray.
    Cost,
}

/// What a picture shows. See [`Painter`](crate::Painter) for an example.
#[derive(Clone)]
pub struct PictureOptions<'a> {
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
    /// The colours of objects that have none of their own.
    pub palette: Palette,
    /// How surfaces are lit.
    pub light: Light,
    /// How many rays of each sample look for what hides the sky from the place that it shows. In plain
    /// light there are none.
    pub ambient_occlusion: u32,
    /// Whether the edges of objects, of their parts and of creases are drawn.
    pub outline: bool,
    /// What a pixel's colour says.
    pub shows: Shows,
    /// The layers that rays hit, a bit each.
    pub layers: u32,
    /// Objects that no ray hits.
    pub hidden: Vec<ObjectId>,
    /// What an eye sees of a terrain, over its colours; pictures of costs have no tint.
    pub viewshed: Option<Arc<ViewshedTint>>,
}

impl PictureOptions<'_> {
    /// A view of the whole world, 50 degrees high, in the sun.
    #[must_use]
    pub fn new(size: [u32; 2]) -> Self {
        Self {
            viewpoint: Viewpoint::Overview,
            projection: Projection::Perspective,
            fov_y: 50_f64.to_radians(),
            size,
            color: Arc::new(|_| None),
            palette: Palette::Vivid,
            light: Light::Sun,
            ambient_occlusion: 0,
            outline: false,
            shows: Shows::Picture,
            layers: u32::MAX,
            hidden: Vec::new(),
            viewshed: None,
        }
    }

    /// The same picture in soft light with one ray of ambient occlusion a sample, in colours for all
    /// eyes: how the viewer shows a world at rest.
    #[must_use]
    pub fn softly_lit(self) -> Self {
        Self {
            light: Light::Soft,
            palette: Palette::ForAllEyes,
            ambient_occlusion: 1,
            ..self
        }
    }
}

impl fmt::Debug for PictureOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PictureOptions")
            .field("viewpoint", &self.viewpoint)
            .field("projection", &self.projection)
            .field("fov_y", &self.fov_y)
            .field("size", &self.size)
            .field("palette", &self.palette)
            .field("light", &self.light)
            .field("ambient_occlusion", &self.ambient_occlusion)
            .field("outline", &self.outline)
            .field("shows", &self.shows)
            .field("layers", &self.layers)
            .field("hidden", &self.hidden)
            .field("has_viewshed", &self.viewshed.is_some())
            .finish_non_exhaustive()
    }
}
