//! The rays of a picture: from one point, or side by side.

use crate::Error;
use crate::pixel_rect::PixelRect;
use glam::DVec3;
use hitscan::{Camera, CameraTile, Ray};

/// How the world is projected onto a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Projection {
    /// What is farther is smaller, as in a photograph.
    #[default]
    Perspective,
    /// Parallel lines stay parallel, as on a map: rays start side by side in the plane of the eye.
    ///
    /// Of a given view, what is at its target is as large as in perspective.
    Orthographic,
}

/// A camera of either projection.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PictureCamera {
    Perspective(Camera),
    Orthographic {
        eye: DVec3,
        /// The ray through the middle of the picture.
        middle: Ray,
        /// From the middle of the picture to its right edge.
        right: DVec3,
        /// From the middle of the picture to its upper edge.
        up: DVec3,
        size: [u32; 2],
    },
}

impl PictureCamera {
    /// A camera at `eye` that looks at `target`, with a picture twice `half_height` metres high.
    pub(crate) fn orthographic(
        eye: DVec3,
        target: DVec3,
        half_height: f64,
        size: [u32; 2],
    ) -> Result<Self, Error> {
        let [right, up, forward] = axes(target - eye);
        let half_width = half_height * f64::from(size[0]) / f64::from(size[1]);
        let middle = Ray::new(eye.as_vec3(), forward.as_vec3()).map_err(Error::Camera)?;
        Ok(Self::Orthographic {
            eye,
            middle,
            right: right * half_width,
            up: up * half_height,
            size,
        })
    }

    /// The picture's width and height, pixels.
    pub(crate) fn size(&self) -> [u32; 2] {
        match self {
            Self::Perspective(camera) => camera.size(),
            Self::Orthographic { size, .. } => *size,
        }
    }

    /// How the world is projected.
    pub(crate) fn projection(&self) -> Projection {
        match self {
            Self::Perspective(_) => Projection::Perspective,
            Self::Orthographic { .. } => Projection::Orthographic,
        }
    }

    /// The width of a pixel at no distance, metres, and how much wider it is for each metre ahead.
    pub(crate) fn pixel_size(&self) -> [f64; 2] {
        match self {
            Self::Perspective(camera) => {
                let half_height = libm::tan(camera.fov_y() / 2.0);
                [0.0, 2.0 * half_height / f64::from(camera.size()[1])]
            }
            Self::Orthographic { up, size, .. } => [2.0 * up.length() / f64::from(size[1]), 0.0],
        }
    }

    /// The ray of a block of `step` x `step` pixels, counted in blocks: through this place of what of
    /// the block is within the picture, in its widths and heights.
    pub(crate) fn ray_of_block(&self, x: u32, y: u32, step: u32, place: [f32; 2]) -> Ray {
        let size = self.size();
        let at = |axis: usize, block: u32| {
            let start = f64::from(block) * f64::from(step);
            let end = (start + f64::from(step)).min(f64::from(size[axis]));
            let at = start + f64::from(place[axis]) * (end - start);
            #[expect(
                clippy::cast_possible_truncation,
                reason = "rounded to the nearest f32"
            )]
            let at = at as f32;
            at
        };
        self.ray(at(0, x), at(1, y))
    }

    /// The library's tile with the rays of [`Self::ray_of_block`] for a rectangle of blocks; `None` where
    /// the picture's edge cuts them off, and for parallel lines of sight.
    pub(crate) fn tile_of_blocks(
        &self,
        rect: PixelRect,
        step: u32,
        place: [f32; 2],
    ) -> Option<(&Camera, CameraTile)> {
        let Self::Perspective(camera) = self else {
            return None;
        };
        let pixels = |start: u32, count: u32| {
            let start = start.checked_mul(step)?;
            Some(start..start.checked_add(count.checked_mul(step)?)?)
        };
        let columns = pixels(rect.x, rect.width)?;
        // A range that ends outside of the picture is refused.
        let tile = CameraTile::new(camera, columns, pixels(rect.y, rect.height)?);
        let tile = tile.and_then(|tile| tile.with_step(step)?.with_place(place));
        Some((camera, tile.ok()?))
    }

    /// The ray through a place of the picture, in pixels from its upper left corner.
    pub(crate) fn ray(&self, x: f32, y: f32) -> Ray {
        match self {
            Self::Perspective(camera) => camera.ray(x, y),
            Self::Orthographic {
                eye,
                middle,
                right,
                up,
                size,
            } => {
                let across = 2.0 * f64::from(x) / f64::from(size[0]) - 1.0;
                let down = 2.0 * f64::from(y) / f64::from(size[1]) - 1.0;
                let origin = *eye + *right * across - *up * down;
                // A place beyond the range of f32 shows what the middle does.
                Ray::new(origin.as_vec3(), middle.direction()).unwrap_or(*middle)
            }
        }
    }
}

/// Right, up and forward of a camera that looks along `direction`, unit vectors, with +Y up in the
/// picture; where it looks straight up or down, -Z or +Z is up, as [`Camera`] has it.
pub(crate) fn axes(direction: DVec3) -> [DVec3; 3] {
    let forward = direction.try_normalize().unwrap_or(DVec3::NEG_Z);
    let picture_up = DVec3::new(0.0, 0.0, if forward.y < 0.0 { -1.0 } else { 1.0 });
    let right = forward.cross(DVec3::Y).try_normalize();
    let right = right.or_else(|| forward.cross(picture_up).try_normalize());
    let right = right.unwrap_or(DVec3::X);
    [right, right.cross(forward), forward]
}
