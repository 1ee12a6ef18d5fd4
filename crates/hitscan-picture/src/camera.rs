//! The rays of a picture: from one point, or side by side.

use crate::Error;
use crate::lanes::{Vec3Lanes, gather, map_lanes};
use crate::pixel_rect::PixelRect;
use crate::scene::unit_or_up;
use crate::vectorize::vectorize;
use glam::{DVec2, DVec3};
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

    /// Where the eye and the axes of the picture are, for places of the world.
    pub(crate) fn projector(&self) -> Projector {
        match self {
            Self::Perspective(camera) => {
                let eye = camera.eye().as_dvec3();
                let [right, up, forward] = axes(camera.target().as_dvec3() - eye);
                Projector {
                    eye,
                    right,
                    up,
                    forward,
                    pixel_size: self.pixel_size(),
                    size: camera.size(),
                }
            }
            Self::Orthographic {
                eye,
                middle,
                right,
                up,
                size,
            } => Projector {
                eye: *eye,
                right: unit_or_up(*right),
                up: unit_or_up(*up),
                forward: unit_or_up(middle.direction().as_dvec3()),
                pixel_size: self.pixel_size(),
                size: *size,
            },
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
    pub(crate) fn ray_of_block(&self, block: [u32; 2], step: u32, place: [f32; 2]) -> Ray {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "rounded to the nearest f32"
        )]
        let [x, y] = self.place_in_block(block, step, place).map(|at| at as f32);
        self.ray(x, y)
    }

    /// In pixels from the picture's upper left corner.
    fn place_in_block(&self, block: [u32; 2], step: u32, place: [f32; 2]) -> [f64; 2] {
        let size = self.size();
        [0, 1].map(|axis| {
            let start = f64::from(block[axis]) * f64::from(step);
            let end = (start + f64::from(step)).min(f64::from(size[axis]));
            start + f64::from(place[axis]) * (end - start)
        })
    }

    /// About the unit direction of each block's ray, row by row: for shading, which needs no more.
    pub(crate) fn directions(&self, rect: PixelRect, step: u32, place: [f32; 2]) -> Vec<DVec3> {
        let Projector {
            right,
            up,
            forward,
            pixel_size: [_, spread],
            size,
            ..
        } = self.projector();
        let middle = size.map(|side| f64::from(side) / 2.0);
        let at = |column, row| self.place_in_block([rect.x + column, rect.y + row], step, place);
        let across = (0..rect.width).map(|column| (at(column, 0)[0] - middle[0]) * spread);
        let across: Vec<f64> = across.collect();
        let mut directions = Vec::with_capacity(rect.count());
        for row in 0..rect.height {
            let start = forward + up * ((middle[1] - at(0, row)[1]) * spread);
            directions.extend_from_slice(&unit_vectors(start, right, &across));
        }
        directions
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

/// Finds the pixels that show places of the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Projector {
    pub(crate) eye: DVec3,
    /// Unit vectors.
    pub(crate) right: DVec3,
    pub(crate) up: DVec3,
    pub(crate) forward: DVec3,
    /// As of [`PictureCamera::pixel_size`].
    pixel_size: [f64; 2],
    size: [u32; 2],
}

impl Projector {
    /// How far ahead of the eye's plane a place is, metres.
    pub(crate) fn depth(&self, place: DVec3) -> f64 {
        (place - self.eye).dot(self.forward)
    }

    /// The width of a pixel at a place, metres, which is positive ahead of the eye.
    pub(crate) fn pixel_at(&self, place: DVec3) -> f64 {
        self.pixel_size[0] + self.pixel_size[1] * self.depth(place)
    }

    /// The pixel of a place ahead of the eye, from the picture's upper left corner.
    pub(crate) fn pixel(&self, place: DVec3) -> DVec2 {
        let offset = place - self.eye;
        let at = DVec2::new(offset.dot(self.right), -offset.dot(self.up));
        let [width, height] = self.size.map(f64::from);
        at / self.pixel_at(place) + DVec2::new(width, height) / 2.0
    }

    /// What of a segment is ahead of the eye.
    pub(crate) fn ahead(&self, [from, to]: [DVec3; 2]) -> Option<[DVec3; 2]> {
        let [a, b] = [from, to].map(|end| self.depth(end));
        // Perspective ends before the eye; parallel lines of sight may start anywhere behind it.
        let least = match self.pixel_size[0] > 0.0 {
            true => 0.0,
            false => 1e-6 * (to - from).length().max(1e-3),
        };
        let at_least = least - a;
        match (a >= least, b >= least) {
            (true, true) => Some([from, to]),
            (false, false) => None,
            (true, false) => Some([from, from.lerp(to, at_least / (b - a))]),
            (false, true) => Some([from.lerp(to, at_least / (b - a)), to]),
        }
    }

    /// Where lines of sight to a place begin.
    pub(crate) fn eye_for(&self, place: DVec3) -> DVec3 {
        match self.pixel_size[0] > 0.0 {
            true => place - self.forward * self.depth(place),
            false => self.eye,
        }
    }

    /// Where between two places ahead of the eye the place is that is seen at a part of the way
    /// between their pixels.
    pub(crate) fn between(&self, [from, to]: [DVec3; 2], part: f64) -> DVec3 {
        let [a, b] = [from, to].map(|end| self.pixel_at(end));
        from.lerp(to, part * a / (b + part * (a - b)))
    }
}

/// The unit vectors towards places on a line: from `start` so far `along`.
fn unit_vectors(start: DVec3, along: DVec3, places: &[f64]) -> Vec<DVec3> {
    vectorize!(simd => map_lanes(places, #[inline(always)] |places| {
        let places = gather(simd, places, |place| *place);
        let toward = Vec3Lanes::splat(simd, start) + Vec3Lanes::splat(simd, along) * places;
        toward * (1.0 / toward.length())
    }))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_projected_to_the_pixel_whose_ray_meets_it() {
        let (eye, target) = (DVec3::new(3.0, 4.0, 9.0), DVec3::new(-1.0, 1.0, 0.5));
        let perspective = Camera::new(eye.as_vec3(), target.as_vec3(), 0.9, [320, 180]).unwrap();
        for camera in [
            PictureCamera::Perspective(perspective),
            PictureCamera::orthographic(eye, target, 3.0, [320, 180]).unwrap(),
        ] {
            let projector = camera.projector();
            for (x, y) in [(0.5, 0.5), (160.0, 90.0), (300.25, 20.75)] {
                let ray = camera.ray(x, y);
                let place = ray.at(7.0).as_dvec3();
                let pixel = projector.pixel(place);
                let off = pixel - DVec2::new(f64::from(x), f64::from(y));
                assert!(off.length() < 1e-3, "{pixel} for {x}, {y}");
                let begin = projector.eye_for(place);
                assert!((begin - ray.origin().as_dvec3()).length() < 1e-4, "{begin}");
                let far = ray.at(20.0).as_dvec3() + projector.right;
                let middle = projector.between([place, far], 0.25);
                let expected = pixel.lerp(projector.pixel(far), 0.25);
                assert!((projector.pixel(middle) - expected).length() < 1e-6);
            }
            let behind = eye - projector.forward;
            let ahead = projector.ahead([behind, target]).unwrap();
            assert!(projector.depth(ahead[0]) >= 0.0 && ahead[1] == target);
            assert!(projector.ahead([behind, behind + projector.up]).is_none());
        }
    }
}
