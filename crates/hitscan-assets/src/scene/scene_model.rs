//! A model that objects of a scene show, with its file and its colours.

use std::path::PathBuf;
use std::sync::Arc;

use hitscan::RayHit;
use hitscan::TriangleId;
use hitscan::model::Model;

use crate::PartColors;

/// A model of a scene, which may have many instances.
#[derive(Debug, Clone)]
pub struct SceneModel {
    /// Its file.
    pub file: PathBuf,
    /// The model, which its instances share.
    pub model: Arc<Model>,
    /// The colours of its parts; empty where the file's format has none.
    pub colors: Vec<Arc<PartColors>>,
}

impl SceneModel {
    /// The colour that the model's file gives its surface where a ray hit it, linear light from 0 to 1.
    #[must_use]
    pub fn surface_color(&self, hit: &RayHit) -> Option<[f32; 3]> {
        let id = hit.triangle?;
        let colors = self.colors.get(usize::try_from(id.part).ok()?)?;
        colors.at(self.corners(id)?, hit.barycentrics)
    }

    /// The vertices of a triangle.
    pub(super) fn corners(&self, id: TriangleId) -> Option<[u32; 3]> {
        let part = usize::try_from(id.part).ok()?;
        let triangle = usize::try_from(id.triangle).ok()?;
        let triangles = self.model.parts().get(part)?.mesh().triangles();
        triangles.get(triangle).copied()
    }
}
