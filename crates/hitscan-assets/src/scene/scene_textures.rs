//! The textures of a scene's models, read when the first picture wants them.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::path::PathBuf;
use std::sync::Arc;

use hitscan::RayHit;

use super::recorded_files::RecordedFiles;
use super::scene_model::SceneModel;
use crate::Error;
use crate::gltf;
use crate::read_file::MAX_FILE_BYTES;
use crate::scene_files::SceneFiles;
use crate::texture::{Allowance, PartTexture};

/// The textures of a scene.
#[derive(Debug, Default)]
pub(super) struct SceneTextures {
    /// Of the parts of each model.
    models: Vec<Vec<Option<Arc<PartTexture>>>>,
    /// What could not be read, one line each.
    pub(super) warnings: Vec<String>,
    /// The files that were read for them alone.
    pub(super) files: Vec<PathBuf>,
}

impl SceneTextures {
    /// Reads those of all models; `known` are the files that were read for the scene.
    pub(super) fn read(files: &dyn SceneFiles, models: &[SceneModel], known: &[PathBuf]) -> Self {
        let recorded = RecordedFiles::new(files);
        let allowance = Allowance::default();
        let mut textures = Self::default();
        for model in models {
            let parts = textures.read_model(&recorded, model, &allowance);
            textures.models.push(parts);
        }
        textures.files = recorded.beside(known);
        textures
    }

    /// The textures of a model's parts.
    fn read_model(
        &mut self,
        files: &dyn SceneFiles,
        model: &SceneModel,
        allowance: &Allowance,
    ) -> Vec<Option<Arc<PartTexture>>> {
        let textured = model.colors.iter().map(|colors| colors.textured);
        if textured.clone().all(|primitive| primitive.is_none()) {
            return Vec::new();
        }
        let path = &model.file;
        let read = files.read(path, MAX_FILE_BYTES).and_then(|bytes| {
            gltf::textures::read(files, path, &bytes, textured.clone().flatten(), allowance)
        });
        let (found, errors, what) = match read {
            Ok(read) => (read.of_primitives, read.warnings, "that texture"),
            Err(error) => (BTreeMap::new(), vec![error], "its textures"),
        };
        let warnings = errors.iter().map(|error| warning(error, what));
        self.warnings.extend(warnings);
        textured
            .map(|primitive| found.get(&primitive?).cloned())
            .collect()
    }

    /// The colour of the surface of model `model` that a ray hit, where that has a texture.
    pub(super) fn color(&self, model: usize, known: &SceneModel, hit: &RayHit) -> Option<[f32; 3]> {
        let id = hit.triangle?;
        let part = usize::try_from(id.part).ok()?;
        let texture = self.models.get(model)?.get(part)?.as_ref()?;
        let corners = known.corners(id)?;
        let base = texture.color(corners, hit.barycentrics)?;
        Some(
            known
                .colors
                .get(part)?
                .over(base, corners, hit.barycentrics),
        )
    }
}

/// What is drawn without `what`: an error with its causes, without those whose text it already contains, on one line.
fn warning(error: &Error, what: &str) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let words = inner.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        cause = inner.source();
    }
    format!("{text}; drawn without {what}")
}
