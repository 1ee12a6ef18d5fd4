//! A rectangle of a camera's picture: which of its pixels have a ray, and through which place each goes.

use crate::exact::expansion::nearest_f32;
use crate::{Camera, Error, Ray};
use core::ops::Range;
use glam::DVec3;

/// A rectangle of a [`Camera`]'s picture, with a ray for each pixel or for each block of pixels.
///
/// A picture is cast as one tile, or as many by as many threads: a pixel's ray is the same in each.
///
/// ```
/// use hitscan::{Camera, CameraTile, Sphere, World};
/// let mut world = World::new();
/// world.add(Sphere::new([0.0, 0.0, -5.0], 1.0)?);
/// world.update();
/// let camera = Camera::new([0.0; 3], [0.0, 0.0, -1.0], 1.0, [64, 48])?;
/// let tile = CameraTile::new(&camera, 16..48, 12..36)?;
/// let hits = world.now().cast_camera(&camera, &tile, ());
/// assert_eq!(hits.len(), 32 * 24);
/// let alone = world.now().cast_ray(&camera.ray(32.5, 24.5), ());
/// assert_eq!(hits[12 * 32 + 16], alone);
/// // One ray for each block of 4 x 4 pixels.
/// let coarse = tile.with_step(4)?;
/// assert_eq!(coarse.size(), [8, 6]);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraTile {
    first: [u32; 2],
    end: [u32; 2],
    within: [f32; 2],
    step: u32,
}

impl CameraTile {
    /// The pixels in these columns and rows, counted from the picture's upper left corner; a ray
    /// through the middle of each.
    ///
    /// # Errors
    /// [`Error::BadRange`] where a range is empty or ends outside of the camera's picture.
    pub fn new(camera: &Camera, columns: Range<u32>, rows: Range<u32>) -> Result<Self, Error> {
        let [width, height] = camera.size();
        let whats = ["columns of a camera's tile", "rows of a camera's tile"];
        for (what, (range, size)) in whats.into_iter().zip([(&columns, width), (&rows, height)]) {
            if range.is_empty() || range.end > size {
                return Err(Error::BadRange {
                    what,
                    start: range.start,
                    end: range.end,
                    size,
                });
            }
        }
        Ok(Self {
            first: [columns.start, rows.start],
            end: [columns.end, rows.end],
            ..Self::whole(camera)
        })
    }

    /// All pixels of the camera's picture.
    #[must_use]
    pub fn whole(camera: &Camera) -> Self {
        Self {
            first: [0; 2],
            end: camera.size(),
            within: [0.5; 2],
            step: 1,
        }
    }

    /// The same pixels with the rays through this place of each, or of each block: in widths and
    /// heights from its upper left corner, [0.5, 0.5] is the middle.
    ///
    /// # Errors
    /// [`Error::BadValue`] for a place that is not within 0 to 1.
    pub fn with_place(self, within: [f32; 2]) -> Result<Self, Error> {
        for found in within {
            if !(0.0..=1.0).contains(&found) {
                let (what, expected) = ("place in a pixel", "within 0 to 1");
                return Err(Error::BadValue {
                    what,
                    expected,
                    found: found.into(),
                });
            }
        }
        Ok(Self { within, ..self })
    }

    /// The same pixels with one ray for each block of `step` x `step` of them, from the tile's upper
    /// left corner on. Blocks that the tile's right and lower edges cut have their rays where they
    /// would be without the edge: a tile whose corner lies on the blocks of a larger one has its rays.
    ///
    /// # Errors
    /// [`Error::BadValue`] for 0.
    pub fn with_step(self, step: u32) -> Result<Self, Error> {
        if step == 0 {
            let (what, expected) = ("step between rays", "at least 1 pixel");
            return Err(Error::BadValue {
                what,
                expected,
                found: 0.0,
            });
        }
        Ok(Self { step, ..self })
    }

    /// The columns of pixels.
    #[must_use]
    pub fn columns(&self) -> Range<u32> {
        self.first[0]..self.end[0]
    }

    /// The rows of pixels.
    #[must_use]
    pub fn rows(&self) -> Range<u32> {
        self.first[1]..self.end[1]
    }

    /// Where in a pixel, or in a block, its ray passes.
    #[must_use]
    pub fn place(&self) -> [f32; 2] {
        self.within
    }

    /// The number of pixels of a block each way.
    #[must_use]
    pub fn step(&self) -> u32 {
        self.step
    }

    /// The number of rays across and down.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        [0, 1].map(|axis| (self.end[axis] - self.first[axis]).div_ceil(self.step))
    }

    /// The number of rays.
    #[must_use]
    pub fn ray_count(&self) -> usize {
        let [across, down] = self.size();
        (across as usize).saturating_mul(down as usize)
    }

    /// The ray in this column and row of the tile's rays: that of [`Camera::ray`] at the place.
    ///
    /// ```
    /// use hitscan::{Camera, CameraTile};
    /// let camera = Camera::new([0.0; 3], [0.0, 0.0, -1.0], 1.0, [64, 48])?;
    /// let tile = CameraTile::new(&camera, 8..64, 4..48)?.with_step(2)?;
    /// assert_eq!(tile.ray(&camera, 3, 5), camera.ray(15.0, 15.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn ray(&self, camera: &Camera, column: u32, row: u32) -> Ray {
        camera.ray(self.at(0, column), self.at(1, row))
    }

    /// Where the rays of a column, or of a row, are in the picture.
    fn at(&self, axis: usize, number: u32) -> f32 {
        let step = f64::from(self.step);
        let start = f64::from(self.first[axis]) + f64::from(number) * step;
        nearest_f32(start + f64::from(self.within[axis]) * step)
    }

    /// [`Camera::column`] of each column of rays.
    pub(crate) fn toward_columns(&self, camera: &Camera) -> Vec<DVec3> {
        let columns = 0..self.size()[0];
        columns
            .map(|number| camera.column(self.at(0, number)))
            .collect()
    }

    /// [`Camera::row`] of so many rows of rays.
    pub(crate) fn down_to_rows(&self, camera: &Camera, first: usize, count: usize) -> Vec<DVec3> {
        let rows = (0..self.size()[1]).skip(first).take(count);
        rows.map(|number| camera.row(self.at(1, number))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera() -> Camera {
        Camera::new([0.0, 3.0, 0.0], [1.0, 0.0, -4.0], 1.0, [37, 23]).expect("a good camera")
    }

    #[test]
    fn what_is_empty_or_outside_is_refused() {
        let camera = camera();
        for (columns, rows) in [
            (0..0, 0..1),
            (5..5, 0..1),
            (0..38, 0..1),
            (0..1, 7..7),
            (0..1, 0..24),
            (37..38, 0..1),
        ] {
            let tile = CameraTile::new(&camera, columns, rows);
            assert!(matches!(tile, Err(Error::BadRange { .. })), "{tile:?}");
        }
        let whole = CameraTile::whole(&camera);
        assert_eq!(CameraTile::new(&camera, 0..37, 0..23), Ok(whole));
        assert!(whole.with_step(0).is_err());
        for within in [[f32::NAN, 0.5], [0.5, -0.1], [1.5, 0.0]] {
            assert!(whole.with_place(within).is_err());
        }
    }

    #[test]
    fn blocks_at_the_edges_count() {
        let tile = CameraTile::new(&camera(), 3..37, 2..23).expect("a good tile");
        for (step, size) in [(1, [34, 21]), (2, [17, 11]), (3, [12, 7]), (40, [1, 1])] {
            let tile = tile.with_step(step).expect("a good step");
            assert_eq!(tile.size(), size);
            assert_eq!(tile.ray_count(), (size[0] * size[1]) as usize);
        }
    }

    #[test]
    fn a_ray_passes_its_place_of_the_picture() {
        let camera = camera();
        let tile = CameraTile::new(&camera, 4..37, 5..23).expect("a good tile");
        assert_eq!(tile.ray(&camera, 0, 0), camera.ray(4.5, 5.5));
        let tile = tile.with_place([0.25, 0.75]).expect("a good place");
        assert_eq!(tile.ray(&camera, 2, 3), camera.ray(6.25, 8.75));
        let tile = tile.with_step(4).expect("a good step");
        assert_eq!(tile.ray(&camera, 2, 3), camera.ray(13.0, 20.0));
    }
}
