//! A camera's picture against terrain.

use super::wavefront::{TerrainCollector, WAVEFRONT_SIZE, Wavefront};
use crate::camera::blocks::{BLOCK_RAYS, answer_tile};
use crate::height_field::HeightField;
use crate::query::collector::{Any, Closest};
use crate::{Camera, CameraTile, RayCastSettings, RayHit, Sides};

const _: () = assert!(BLOCK_RAYS <= WAVEFRONT_SIZE, "a block is one wavefront");

impl HeightField {
    /// What [`HeightField::cast_ray`] answers for each of the tile's rays, as
    /// [`Snapshot::cast_camera`](crate::Snapshot::cast_camera).
    ///
    /// ```
    /// use hitscan::height_field::Grid;
    /// use hitscan::{Camera, CameraTile, HeightField};
    /// let field = HeightField::new(Grid::new(2, 2, [8.0, 8.0]), vec![1.0; 4])?;
    /// let camera = Camera::new([4.0, 3.0, 4.0], [4.0, 0.0, 4.0], 0.5, [9, 7])?;
    /// let hits = field.cast_camera(&camera, &CameraTile::whole(&camera), ());
    /// assert_eq!(hits[3 * 9 + 4].map(|hit| hit.t), Some(2.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn cast_camera(
        &self,
        camera: &Camera,
        tile: &CameraTile,
        settings: impl Into<RayCastSettings>,
    ) -> Vec<Option<RayHit>> {
        self.camera_hits((camera, tile), settings.into().sides)
    }

    /// What [`HeightField::cast_ray_any`] answers for each of the tile's rays, as
    /// [`Snapshot::cast_camera`](crate::Snapshot::cast_camera).
    #[must_use]
    #[inline]
    pub fn cast_camera_any(
        &self,
        camera: &Camera,
        tile: &CameraTile,
        settings: impl Into<RayCastSettings>,
    ) -> Vec<bool> {
        self.camera_any((camera, tile), settings.into().sides)
    }

    fn camera_hits(&self, view: (&Camera, &CameraTile), sides: Sides) -> Vec<Option<RayHit>> {
        self.answer_camera::<Closest<u32>>(view, sides)
    }

    fn camera_any(&self, view: (&Camera, &CameraTile), sides: Sides) -> Vec<bool> {
        self.answer_camera::<Any>(view, sides)
    }

    fn answer_camera<C: TerrainCollector<Answer: Send>>(
        &self,
        view: (&Camera, &CameraTile),
        sides: Sides,
    ) -> Vec<C::Answer> {
        answer_tile(
            view,
            self.width,
            Wavefront::<C>::new,
            |wavefront, rays, answers| {
                let unlimited = &[f32::INFINITY; WAVEFRONT_SIZE][..rays.len()];
                wavefront.answer(self, (rays, unlimited), sides, answers);
            },
        )
    }
}
