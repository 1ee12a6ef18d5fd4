//! The model files of a scene, each read once, and the clips that tables choose.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hitscan::model::{Clip, Model, PosedCompound, PosedModel};
use hitscan::world::ObjectShape;

use super::entry::{ClipChoice, ColliderUse};
use super::location::Location;
use super::model_colliders::take_colliders;
use super::scene_model::SceneModel;
use crate::model_file::Remarks;
use crate::read_model::read_model_from;
use crate::scene_files::SceneFiles;
use crate::{Error, ModelOptions, UpAxis};

/// How a table refers to its model.
pub(super) struct ModelSource<'a> {
    pub(super) file: &'a Path,
    /// Where the file's name is.
    pub(super) location: Location,
    pub(super) scene: Option<usize>,
    pub(super) up: UpAxis,
    pub(super) colliders: ColliderUse,
}

/// A model as the tables that refer to it have it.
#[derive(Clone)]
pub(super) struct ReadModel {
    pub(super) model: Arc<Model>,
    /// Its colliders at rest, where they are hit.
    colliders: Option<PosedCompound>,
}

impl ReadModel {
    /// What an object of the model is, in a pose.
    pub(super) fn posed(&self, posed: PosedModel) -> Result<ObjectShape, hitscan::Error> {
        match &self.colliders {
            Some(colliders) => Ok(colliders.posed_as(posed)?.into()),
            None => Ok(posed.into()),
        }
    }
}

/// The models read so far, by file and how it is read.
#[derive(Default)]
pub(super) struct Models(BTreeMap<ModelKey, (SceneModel, ReadModel)>);

type ModelKey = (PathBuf, Option<usize>, bool, ColliderUse);

impl Models {
    /// The model that a table of the scene file at `path` refers to.
    pub(super) fn get(
        &mut self,
        files: &dyn SceneFiles,
        path: &Path,
        source: &ModelSource,
        remarks: &mut Remarks,
    ) -> Result<ReadModel, Error> {
        let is_turned = source.up == UpAxis::Z;
        let key = (
            source.file.to_owned(),
            source.scene,
            is_turned,
            source.colliders,
        );
        if let Some((_, read)) = self.0.get(&key) {
            return Ok(read.clone());
        }
        let options = ModelOptions {
            scene: source.scene,
            up: source.up,
            colliders: source.colliders != ColliderUse::Ignored,
        };
        let mut file = read_model_from(files, source.file, &options)
            .map_err(|error| error.referred(path, source.location, source.file))?;
        let solids = take_colliders(source.file, &mut file, source.colliders)
            .map_err(|error| error.referred(path, source.location, source.file))?;
        let shown = source.file.display();
        let line = |remark: &String| format!("{shown}: {remark}");
        remarks.notes.extend(file.notes.iter().map(line));
        remarks.warnings.extend(file.warnings.iter().map(line));
        let model = Model::new(file.data).map_err(|error| {
            let error = Error::refused(source.file, "the model", error);
            error.referred(path, source.location, source.file)
        })?;
        let model = Arc::new(model);
        let known = SceneModel {
            file: source.file.to_owned(),
            model: Arc::clone(&model),
            colors: file.colors,
        };
        let refused = |error| Error::refused(path, source.location, error);
        let colliders = solids.map(|solids| solids.at_rest(&model)).transpose();
        let read = ReadModel {
            model,
            colliders: colliders.map_err(refused)?,
        };
        self.0.insert(key, (known, read.clone()));
        Ok(read)
    }

    /// All of them.
    pub(super) fn into_vec(self) -> Vec<SceneModel> {
        self.0.into_values().map(|(known, _)| known).collect()
    }
}

/// The index of the clip that is chosen at `location` of the scene file at `path`.
pub(super) fn find_clip(
    path: &Path,
    location: Location,
    model: &Model,
    choice: &ClipChoice,
) -> Result<u32, Error> {
    let clips = model.clips();
    let (found, wanted) = match choice {
        ClipChoice::Index(index) => (Some(*index), index.to_string()),
        ClipChoice::Name(name) => (model.find_clip(name), name.clone()),
    };
    let found = found.filter(|index| *index < clips.len());
    found
        .and_then(|index| u32::try_from(index).ok())
        .ok_or_else(|| {
            let names: Vec<String> = (0..clips.len())
                .map(|index| shown_clip(model, index))
                .collect();
            let names = names.iter().map(String::as_str);
            Error::unknown(path, location, "clip", &wanted, names)
        })
}

/// A clip's name or, where it has none, its index.
fn shown_clip(model: &Model, index: usize) -> String {
    let name = model.clips().get(index).and_then(Clip::name);
    name.map_or_else(|| index.to_string(), str::to_owned)
}

/// What to say of a time that lies far past the end of a clip, where the last pose is held: by more
/// than the clip's own length and a second.
pub(super) fn late_time(model: &Model, clip: u32, time_secs: f64) -> Option<String> {
    let index = clip as usize;
    let clip = model.clips().get(index)?;
    let end = clip.end_secs();
    let length = end - clip.start_secs();
    if time_secs <= end + length.max(1.0) {
        return None;
    }
    let name = shown_clip(model, index);
    Some(format!(
        "the time {time_secs} s is far past the end of the clip `{name}`, whose last pose is held; \
         a time in it is at most `time = {end}`"
    ))
}
