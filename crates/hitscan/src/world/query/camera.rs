//! A camera's picture against the whole world: the ray of each pixel in a rectangle.

use super::batch::BatchCast;
use super::closest_object::ClosestObject;
use super::collector::ObjectCollector;
use super::together::RayBatch;
use crate::camera::blocks::fill_tile;
use crate::query::collector::Any;
use crate::query::options::QueryOptions;
use crate::world::Snapshot;
use crate::{Camera, CameraTile, RayHit};

impl Snapshot {
    /// What [`Snapshot::cast_ray`] answers for each of the tile's rays ([`CameraTile::ray`]), row by row
    /// from its upper left corner; in a third of the time of rays one by one, or less.
    ///
    /// On the threads of rayon's current pool where the feature `parallel` is on. Up to 4,096 rays stay
    /// on the calling thread, so a caller may cast many tiles at once.
    ///
    /// [`CameraTile`] has an example.
    #[must_use]
    #[inline]
    pub fn cast_camera<'f>(
        &self,
        camera: &Camera,
        tile: &CameraTile,
        options: impl Into<QueryOptions<'f>>,
    ) -> Vec<Option<RayHit>> {
        let mut hits = vec![None; tile.ray_count()];
        self.cast_camera_into(camera, tile, options, &mut hits);
        hits
    }

    /// As [`Snapshot::cast_camera`], into a slice.
    ///
    /// # Panics
    /// If the slice has not one element for each of the tile's rays.
    pub fn cast_camera_into<'f>(
        &self,
        camera: &Camera,
        tile: &CameraTile,
        options: impl Into<QueryOptions<'f>>,
        hits: &mut [Option<RayHit>],
    ) {
        let options = options.into();
        self.camera_hits((camera, tile), &options, hits);
    }

    /// What [`Snapshot::cast_ray_any`] answers for each of the tile's rays, as
    /// [`Snapshot::cast_camera`].
    #[must_use]
    #[inline]
    pub fn cast_camera_any<'f>(
        &self,
        camera: &Camera,
        tile: &CameraTile,
        options: impl Into<QueryOptions<'f>>,
    ) -> Vec<bool> {
        let mut are_hits = vec![false; tile.ray_count()];
        self.cast_camera_any_into(camera, tile, options, &mut are_hits);
        are_hits
    }

    /// As [`Snapshot::cast_camera_any`], into a slice.
    ///
    /// # Panics
    /// If the slice has not one element for each of the tile's rays.
    pub fn cast_camera_any_into<'f>(
        &self,
        camera: &Camera,
        tile: &CameraTile,
        options: impl Into<QueryOptions<'f>>,
        are_hits: &mut [bool],
    ) {
        let options = options.into();
        self.camera_any((camera, tile), &options, are_hits);
    }

    fn camera_hits(
        &self,
        view: (&Camera, &CameraTile),
        options: &QueryOptions<'_>,
        hits: &mut [Option<RayHit>],
    ) {
        self.answer_camera::<ClosestObject>(view, options, hits);
    }

    fn camera_any(
        &self,
        view: (&Camera, &CameraTile),
        options: &QueryOptions<'_>,
        are_hits: &mut [bool],
    ) {
        self.answer_camera::<Any>(view, options, are_hits);
    }

    fn answer_camera<A: ObjectCollector<Answer: Copy + Default + Send>>(
        &self,
        view: (&Camera, &CameraTile),
        options: &QueryOptions<'_>,
        answers: &mut [A::Answer],
    ) {
        let width = self.tree().width();
        fill_tile(
            view,
            width,
            answers,
            BatchCast::<A>::new,
            |cast, rays, answers| {
                let batch = RayBatch {
                    snapshot: self,
                    rays,
                    settings: options.settings,
                    filter: &options.filter,
                };
                cast.answer_bundle(&batch, answers);
            },
        );
    }
}
