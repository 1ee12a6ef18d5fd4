//! A world before a camera, ready to be painted tile by tile.
//!
//! Everything that a picture is made of is decided here once a view; what a tile shows depends on
//! nothing else, so that tiles may be painted by any number of threads, in any order, or skipped.

use crate::atmosphere::Atmosphere;
use crate::camera::PictureCamera;
use crate::land_cover::Detail;
use crate::options::{Light, PictureOptions, Shows};
use crate::outline::{Outline, Seen, SurfaceId};
use crate::pixel_rect::PixelRect;
use crate::sequence::place_in_pixel;
use crate::shade::Shader;
use crate::shot_marks::Stage;
use crate::tile::{Content, PaintedTile, Pass};
use crate::trace::{SampleId, Samples, direction_of};
use crate::view::{View, world_box};
use crate::viewshed::ViewshedTint;
use crate::world_scene::WorldScene;
use crate::{Error, Palette, Projection};
use glam::DVec3;
use hitscan::{Aabb, Ray, RayHit, Snapshot};
use std::sync::Arc;

/// The width and height of the tiles that [`Painter::tiles`] lists: as many rays as one thread casts
/// together, in a shape that lies well together.
const TILE: [u32; 2] = [64, 16];

/// How many pixels wide the finest patterns of the ground are made in a look, for one in a sample: a look
/// is soon gone, and patterns are half of what it costs beside its rays.
const LOOK_DETAIL: f64 = 4.0;

/// A world at one time before a camera, ready to be painted tile by tile.
///
/// It holds all that it needs: with colours of its own it may be sent to any thread and outlive the
/// world. The same options give the same bits, whichever tiles are painted by whichever threads.
///
/// ```
/// use hitscan::{Sphere, World};
/// use hitscan_picture::{Film, Painter, Pass, PictureOptions};
///
/// let mut world = World::new();
/// world.add(Sphere::new([0.0, 1.0, 0.0], 1.0)?);
/// world.update();
/// let painter = Painter::new(world.now(), &PictureOptions::new([64, 36]).softly_lit())?;
///
/// // A first look, one ray for each block of 2 x 2 pixels, in plain light.
/// let look = Pass::Look { step: 2 };
/// let mut film = Film::new(&painter, look);
/// for tile in painter.tiles(look) {
///     film.add(painter.paint(look, tile))?;
/// }
/// assert_eq!(film.image().width(), 32);
///
/// // Two samples of each pixel in soft light.
/// let mut film = Film::new(&painter, Pass::Sample(1));
/// for pass in [1, 2].map(Pass::Sample) {
///     for tile in painter.tiles(pass) {
///         film.add(painter.paint(pass, tile))?;
///     }
/// }
/// assert_eq!((film.image().width(), film.samples()), (64, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Painter<'a> {
    scene: WorldScene<'a>,
    camera: PictureCamera,
    view: View,
    air: Atmosphere,
    bounds: Aabb,
    scale: f64,
    light: Light,
    palette: Palette,
    ambient_occlusion: u32,
    outline: bool,
    shows: Shows,
    viewshed: Option<Arc<ViewshedTint>>,
}

impl<'a> Painter<'a> {
    /// Prepares to paint a world as it is in a snapshot.
    ///
    /// # Errors
    /// [`Error::Camera`] for a view, an angle or a size that cannot be used.
    pub fn new(snapshot: &Snapshot, options: &PictureOptions<'a>) -> Result<Self, Error> {
        let bounds = world_box(snapshot.bounds().as_ref())?;
        let (camera, view) =
            options
                .viewpoint
                .camera(bounds, options.projection, options.fov_y, options.size)?;
        let scale = (bounds.max().as_dvec3() - bounds.min().as_dvec3()).length();
        Ok(Self {
            scene: WorldScene::new(snapshot, options),
            camera,
            view,
            air: Atmosphere::afternoon(scale, view.distance_outside(&bounds)),
            bounds,
            scale,
            light: options.light,
            palette: options.palette,
            ambient_occlusion: options.ambient_occlusion,
            outline: options.outline,
            shows: options.shows,
            viewshed: options.viewshed.clone(),
        })
    }

    /// The picture's width and height, pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.camera.size()
    }

    /// Where the camera is and what it looks at.
    #[must_use]
    pub fn view(&self) -> View {
        self.view
    }

    /// How the world is projected.
    #[must_use]
    pub fn projection(&self) -> Projection {
        self.camera.projection()
    }

    /// What a pixel's colour says.
    #[must_use]
    pub fn shows(&self) -> Shows {
        self.shows
    }

    /// Tiles that cover a pass, row by row from the upper left.
    #[must_use]
    pub fn tiles(&self, pass: Pass) -> Vec<PixelRect> {
        PixelRect::tiles(pass.size(self.size()), TILE)
    }

    /// The very ray that is cast for a pixel of a pass, counted from the upper left in blocks of the
    /// pass; `None` outside of the picture.
    #[must_use]
    pub fn ray(&self, pass: Pass, pixel: [u32; 2]) -> Option<Ray> {
        let [width, height] = pass.size(self.size());
        let is_inside = pixel[0] < width && pixel[1] < height;
        is_inside.then(|| self.camera.ray_of_block(pixel, pass.step(), place(pass)))
    }

    /// Paints what of a rectangle of a pass, in its blocks, is within the picture.
    #[must_use]
    pub fn paint(&self, pass: Pass, rect: PixelRect) -> PaintedTile {
        let rect = rect.within(pass.size(self.size()));
        match self.shows {
            Shows::Picture => self.paint_light(pass, rect),
            Shows::Cost => self.paint_cost(pass, rect),
        }
    }

    fn paint_light(&self, pass: Pass, rect: PixelRect) -> PaintedTile {
        let (step, place) = (pass.step(), place(pass));
        let hits = self.cast(rect, step, place);
        let directions = self.camera.directions(rect, step, place);
        let (light, finest) = match pass {
            Pass::Look { step } => (Light::Plain, LOOK_DETAIL * f64::from(step.max(1))),
            Pass::Sample(_) => (self.light, 1.0),
        };
        let pixel = self.camera.pixel_size().map(|size| size * finest);
        let number = pass.number().saturating_sub(1);
        let ids = rect.pixels().map(|pixel| SampleId { pixel, number });
        let ids: Vec<SampleId> = ids.collect();
        let shader = self.shader(light, pixel);
        let lit = self.tinted(shader.samples(&directions, &hits, &ids), &hits);
        let colors = lit.colors.iter().map(|color| color.as_vec3()).collect();
        let seen = lit.surfaces.iter().zip(&hits);
        PaintedTile {
            pass,
            rect,
            content: Content::Colors(colors),
            seen: match self.outline {
                true => seen.map(|(surface, hit)| seen_by(*surface, hit)).collect(),
                false => Vec::new(),
            },
            rays: lit.rays + hits.len() as u64,
        }
    }

    fn paint_cost(&self, pass: Pass, rect: PixelRect) -> PaintedTile {
        let count = |block: [u32; 2]| {
            let ray = self.camera.ray_of_block(block, pass.step(), place(pass));
            self.scene.cost(&ray)
        };
        PaintedTile {
            pass,
            rect,
            content: Content::Counts(rect.pixels().map(count).collect()),
            seen: Vec::new(),
            rays: rect.count() as u64,
        }
    }

    /// Where what is drawn over the picture is projected.
    pub(crate) fn stage(&self) -> Stage {
        Stage {
            projector: self.camera.projector(),
            bounds: [self.bounds.min(), self.bounds.max()].map(|end| end.as_dvec3()),
        }
    }

    /// Whether each line of sight is blocked by what is shown.
    pub(crate) fn are_hidden(&self, sights: &[Ray]) -> Vec<bool> {
        self.scene.any(sights)
    }

    /// What draws the outlines of a pass, where they are drawn.
    pub(crate) fn outline_of(&self, pass: Pass) -> Option<Outline> {
        let is_drawn = self.outline && self.shows == Shows::Picture;
        is_drawn.then(|| Outline::new(&self.camera, pass.step()))
    }

    /// What a ray hits of what is shown.
    #[must_use]
    pub fn hit(&self, ray: &Ray) -> Option<RayHit> {
        let hits = self.scene.nearest(std::slice::from_ref(ray));
        hits.into_iter().next().flatten()
    }

    /// The samples of rays through these places of these pixels, in the light of the options.
    pub(crate) fn samples_at(&self, places: &[([u32; 2], [f32; 2])]) -> Samples {
        let rays = places.iter();
        let rays = rays.map(|(pixel, within)| self.camera.ray_of_block(*pixel, 1, *within));
        let rays: Vec<Ray> = rays.collect();
        let hits = self.scene.nearest(&rays);
        let ids = places.iter();
        let ids = ids.map(|(pixel, _)| SampleId {
            pixel: *pixel,
            number: 0,
        });
        let ids: Vec<SampleId> = ids.collect();
        let shader = self.shader(self.light, [0.0; 2]);
        let directions: Vec<DVec3> = rays.iter().map(direction_of).collect();
        self.tinted(shader.samples(&directions, &hits, &ids), &hits)
    }

    /// The same samples with the tint of what is seen over ground.
    fn tinted(&self, mut samples: Samples, hits: &[Option<RayHit>]) -> Samples {
        let Some(viewshed) = &self.viewshed else {
            return samples;
        };
        for (color, hit) in samples.colors.iter_mut().zip(hits) {
            if let Some(hit) = hit {
                *color = viewshed.over(*color, hit);
            }
        }
        samples
    }

    /// How what rays hit is shaded in this light, without patterns finer than a pixel of this size.
    fn shader(&self, light: Light, pixel: [f64; 2]) -> Shader<'_, 'a> {
        Shader {
            scene: &self.scene,
            air: self.air,
            detail: Detail {
                scale: self.scale,
                pixel,
            },
            light,
            palette: self.palette,
            ambient_occlusion: self.ambient_occlusion,
        }
    }

    /// What the rays of blocks hit.
    fn cast(&self, rect: PixelRect, step: u32, place: [f32; 2]) -> Vec<Option<RayHit>> {
        if let Some((camera, tile)) = self.camera.tile_of_blocks(rect, step, place) {
            return self.scene.nearest_of_camera(camera, &tile);
        }
        let rays = rect.pixels();
        let rays = rays.map(|block| self.camera.ray_of_block(block, step, place));
        self.scene.nearest(&rays.collect::<Vec<_>>())
    }
}

/// What of a ray outlines are drawn by.
fn seen_by(surface: Option<SurfaceId>, hit: &Option<RayHit>) -> Seen {
    hit.as_ref().map_or(Seen::SKY, |hit| Seen {
        surface,
        point: hit.point,
        normal: hit.normal,
        distance: hit.distance,
    })
}

/// Where in a block the rays of a pass go.
fn place(pass: Pass) -> [f32; 2] {
    match pass {
        Pass::Look { .. } => [0.5; 2],
        Pass::Sample(number) => place_in_pixel(number),
    }
}
