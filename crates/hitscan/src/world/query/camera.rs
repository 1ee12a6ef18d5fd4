//! A camera's picture against the whole world: the ray of each pixel in a rectangle.

use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::{Camera, CameraTile, Ray, RayCastSettings, RayHit};

impl Snapshot {
    /// What [`Snapshot::cast_ray`] answers for each of the tile's rays ([`CameraTile::ray`]), row by row
    /// from its upper left corner.
    #[must_use]
    pub fn cast_camera(
        &self,
        camera: &Camera,
        tile: &CameraTile,
        settings: impl Into<RayCastSettings>,
        filter: QueryFilter<'_>,
    ) -> Vec<Option<RayHit>> {
        self.cast_rays(&rays(camera, tile), settings, filter)
    }

    /// What [`Snapshot::cast_ray_any`] answers for each of the tile's rays, as
    /// [`Snapshot::cast_camera`].
    #[must_use]
    pub fn cast_camera_any(
        &self,
        camera: &Camera,
        tile: &CameraTile,
        settings: impl Into<RayCastSettings>,
        filter: QueryFilter<'_>,
    ) -> Vec<bool> {
        self.cast_rays_any(&rays(camera, tile), settings, filter)
    }
}

fn rays(camera: &Camera, tile: &CameraTile) -> Vec<Ray> {
    let [across, down] = tile.size();
    let ray = |row, column| tile.ray(camera, column, row);
    (0..down)
        .flat_map(|row| (0..across).map(move |column| ray(row, column)))
        .collect()
}
