//! A camera's picture against a mesh.

use super::batch::{MeshBatch, any_hits};
use super::wavefront::Wavefront;
use crate::camera::blocks::answer_tile;
use crate::tri_mesh::TriMesh;
use crate::{Camera, CameraTile, RayCastSettings, RayHit, Sides};

impl TriMesh {
    /// What [`TriMesh::cast_ray`] answers for each of the tile's rays, as
    /// [`Snapshot::cast_camera`](crate::Snapshot::cast_camera).
    ///
    /// ```
    /// use hitscan::{Camera, CameraTile, TriMesh};
    /// let positions = vec![[0.0, 0.0, 0.0].into(), [4.0, 0.0, 0.0].into(), [0.0, 4.0, 0.0].into()];
    /// let mesh = TriMesh::new(positions, vec![[0, 1, 2]])?;
    /// let camera = Camera::new([1.0, 1.0, 3.0], [1.0, 1.0, 0.0], 0.5, [9, 7])?;
    /// let hits = mesh.cast_camera(&camera, &CameraTile::whole(&camera), ());
    /// assert_eq!(hits[3 * 9 + 4].map(|hit| hit.t), Some(3.0));
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

    /// What [`TriMesh::cast_ray_any`] answers for each of the tile's rays, as
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
        let width = self.bvh.width();
        answer_tile(view, width, MeshBatch::new, |batch, rays, hits| {
            batch.answer(self, rays, sides, hits);
        })
    }

    fn camera_any(&self, view: (&Camera, &CameraTile), sides: Sides) -> Vec<bool> {
        let width = self.bvh.width();
        answer_tile(view, width, Wavefront::new, |wavefront, rays, are_hits| {
            any_hits(wavefront, (self, sides), rays, are_hits);
        })
    }
}
