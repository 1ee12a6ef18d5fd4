//! A scene that is being built: models and crowds in their poses, names, remarks.
//!
//! Objects are added in the order of `load.rs`. Models are read in `models.rs`, crowds placed in
//! `crowd.rs`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DAffine3, DVec3};
use hitscan::height_field::HeightField;
use hitscan::model::PosedModel;
use hitscan::{ObjectId, World};

use super::camera::SceneCamera;
use super::content::{ClipTime, Scene};
use super::crowd::place_members;
use super::entry::{CrowdEntry, ModelEntry, SceneFile};
use super::ground::Ground;
use super::location::Location;
use super::models::{ModelSource, Models, ReadModel, find_clip, late_time};
use super::names::Names;
use super::precision::{Placements, coarse_warning};
use super::shared_keys::FIRST_LAYER;
use super::surfaces::{SceneSurfaces, SurfaceName};
use crate::Error;
use crate::georeference::MapFrame;
use crate::model_file::Remarks;
use crate::scene_files::SceneFiles;

/// A scene that is being built.
pub(super) struct Builder<'a> {
    files: &'a dyn SceneFiles,
    path: &'a Path,
    pub(super) world: World,
    names: Names,
    /// The tables that the names are from, where there are crowds.
    locations: Vec<Location>,
    /// Whether a name may be another object's too: single names were compared when the text was read, but
    /// a crowd makes more of them.
    has_crowds: bool,
    clips: Vec<(u32, ClipTime)>,
    /// The models that compounds name, once they are there.
    pub(super) asked_models: BTreeMap<String, Option<ObjectId>>,
    surfaces: SceneSurfaces,
    pub(super) terrains: Vec<Arc<HeightField>>,
    /// Whether no terrain was skipped.
    pub(super) is_ground_known: bool,
    models: Models,
    pub(super) remarks: Remarks,
    pub(super) paths: Vec<PathBuf>,
    pub(super) frame: Option<MapFrame>,
    camera: Option<SceneCamera>,
    pub(super) placements: Placements,
}

/// A file may state more objects than there is memory for; beyond so many names memory grows as they come.
const MOST_NAMES: usize = 1 << 20;

impl<'a> Builder<'a> {
    /// Nothing yet, and memory for the names of the file's objects.
    pub(super) fn new(files: &'a dyn SceneFiles, path: &'a Path, file: &SceneFile) -> Self {
        Self {
            files,
            path,
            world: World::new(),
            names: Names::with_capacity(file.object_count().min(MOST_NAMES)),
            locations: Vec::new(),
            has_crowds: !file.crowds.is_empty(),
            clips: Vec::new(),
            asked_models: file
                .compounds
                .iter()
                .filter_map(|entry| Some((entry.model.clone()?, None)))
                .collect(),
            surfaces: SceneSurfaces::default(),
            terrains: Vec::new(),
            is_ground_known: true,
            models: Models::default(),
            remarks: Remarks::default(),
            paths: Vec::new(),
            frame: None,
            camera: file.camera,
            placements: Placements::default(),
        }
    }

    /// The files that the scene names.
    pub(super) fn files(&self) -> &'a dyn SceneFiles {
        self.files
    }

    /// The scene's own path.
    pub(super) fn path(&self) -> &'a Path {
        self.path
    }

    pub(super) fn finish(mut self) -> Scene {
        drop(self.locations);
        self.world.update();
        let lone = self.surfaces.warnings();
        let lone = lone.map(|warning| format!("{}: {warning}", self.path.display()));
        self.remarks.warnings.extend(lone);
        if self.frame.is_none()
            && let Some(warning) = coarse_warning(self.placements.bounds())
        {
            let line = format!("{}: {warning}", self.path.display());
            self.remarks.warnings.push(line);
        }
        Scene::new(
            self.world,
            self.names,
            self.clips,
            self.models.into_vec(),
            self.remarks,
            self.paths,
            self.frame,
        )
        .seen_by(self.camera)
    }

    /// Names the object that was just added.
    pub(super) fn name(
        &mut self,
        id: ObjectId,
        name: &str,
        location: Location,
        layers: u32,
    ) -> Result<(), Error> {
        if let Err(other) = self.names.add(name) {
            let other = self.locations.get(other).copied().unwrap_or_default();
            let found = format!("the name `{name}` again, which an object at {other} has");
            let expected = "a name of its own";
            return Err(Error::malformed(self.path, location, expected, found));
        }
        if self.has_crowds {
            self.locations.push(location);
        }
        if let Some(asked) = self.asked_models.get_mut(name) {
            *asked = Some(id);
        }
        // That of a new object.
        if layers == FIRST_LAYER {
            return Ok(());
        }
        let layered = self.world.set_layers(id, layers);
        layered.map_err(|source| Error::refused(self.path, location, source))
    }

    /// Makes the object that was just added, by the table at `location`, a piece of a surface.
    pub(super) fn put_on_surface(
        &mut self,
        id: ObjectId,
        name: SurfaceName<'_>,
        location: Location,
    ) -> Result<(), Error> {
        let surface = self.surfaces.named(name);
        let put = self.world.set_surface(id, surface);
        put.map_err(|source| Error::refused(self.path, location, source))
    }

    pub(super) fn add_model(&mut self, entry: &ModelEntry) -> Result<(), Error> {
        let source = ModelSource {
            location: entry.locate("file"),
            file: &entry.file,
            scene: entry.scene,
            up: entry.up,
            colliders: entry.colliders,
        };
        let read = self
            .models
            .get(self.files, self.path, &source, &mut self.remarks)?;
        let model = &read.model;
        let mut clip_time = None;
        if let Some((choice, time_secs)) = &entry.clip {
            let clip = find_clip(self.path, entry.locate("clip"), model, choice)?;
            if let Some(warning) = late_time(model, clip, *time_secs) {
                self.warn(entry.locate("time"), &warning);
            }
            clip_time = Some(ClipTime {
                clip,
                time_secs: *time_secs,
            });
        }
        let transform = DAffine3::from_scale_rotation_translation(
            entry.scale,
            entry.rotation,
            self.translation(entry)?,
        );
        self.placements.add(transform.translation);
        let id = self.pose(&read, transform, clip_time);
        let id = id.map_err(|source| {
            let key = match source {
                hitscan::Error::OutOfRange { .. } => "translation",
                _ => "scale",
            };
            Error::refused(self.path, entry.locate(key), source)
        })?;
        self.name(id, &entry.name, entry.location, entry.layers)?;
        match &entry.surface {
            Some(surface) => self.put_on_surface(id, Some(surface), entry.location),
            None => Ok(()),
        }
    }

    /// Where a model is: at its translation, or above the highest ground there.
    fn translation(&self, entry: &ModelEntry) -> Result<DVec3, Error> {
        let Some(metres) = entry.above_ground.filter(|_| self.is_ground_known) else {
            return Ok(entry.translation);
        };
        let DVec3 { x, z, .. } = entry.translation;
        let ground = Ground(&self.terrains).point(x, z).ok_or_else(|| {
            let expected = format!("ground under `{}`, for `on_ground = true`", entry.name);
            let found = format!("none at x = {x}, z = {z}: off every terrain, or over a hole");
            Error::malformed(self.path, entry.locate("on_ground"), expected, found)
        })?;
        Ok(ground + DVec3::Y * metres)
    }

    pub(super) fn add_crowd(&mut self, entry: &CrowdEntry) -> Result<(), Error> {
        let source = ModelSource {
            location: entry.locate("file"),
            file: &entry.file,
            scene: entry.scene,
            up: entry.up,
            colliders: entry.colliders,
        };
        let read = self
            .models
            .get(self.files, self.path, &source, &mut self.remarks)?;
        let model = &read.model;
        let clip = match &entry.clip {
            Some(choice) => Some(find_clip(self.path, entry.locate("clip"), model, choice)?),
            None => None,
        };
        let ground = Ground(&self.terrains);
        let warnings = &mut self.remarks.warnings;
        let members = place_members(self.files, self.path, entry, model, clip, ground, warnings)?;
        let refused = |source| Error::refused(self.path, entry.location, source);
        // Members at rest are all in one pose, which is kept once.
        let at_rest = PosedModel::new(model, model.rest_pose());
        let at_rest = at_rest.and_then(|posed| read.posed(posed));
        let at_rest = at_rest.map_err(refused)?;
        for (index, member) in members.into_iter().enumerate() {
            let transform = member.transform(entry.scale);
            let time_secs = member.time_secs;
            self.placements.add(transform.translation);
            let id = match clip {
                Some(clip) => self.pose(&read, transform, Some(ClipTime { clip, time_secs })),
                None => self.world.add_at(at_rest.clone(), transform),
            };
            let id = id.map_err(refused)?;
            let name = format!("{}{index}", entry.name);
            self.name(id, &name, entry.location, entry.layers)?;
            if let Some(surface) = &entry.surface {
                self.put_on_surface(id, Some(surface), entry.location)?;
            }
        }
        Ok(())
    }

    /// Adds a model to the world.
    fn pose(
        &mut self,
        read: &ReadModel,
        world_from_model: DAffine3,
        clip_time: Option<ClipTime>,
    ) -> Result<ObjectId, hitscan::Error> {
        let model = &read.model;
        let Some(time) = clip_time else {
            let posed = PosedModel::new(model, model.rest_pose())?;
            return self.world.add_at(read.posed(posed)?, world_from_model);
        };
        let posed = PosedModel::at_clip(model, time.clip as usize, time.time_secs)?;
        let id = self.world.add_at(read.posed(posed)?, world_from_model)?;
        self.add_clip(id, time);
        Ok(id)
    }

    /// Notes the clip time of the object that was just added.
    pub(super) fn add_clip(&mut self, id: ObjectId, time: ClipTime) {
        self.clips.push((clip_key(id), time));
    }

    /// The clip time of an object.
    pub(super) fn clip_time(&self, id: ObjectId) -> Option<ClipTime> {
        let place = self
            .clips
            .binary_search_by_key(&clip_key(id), |(number, _)| *number);
        Some(self.clips[place.ok()?].1)
    }

    fn warn(&mut self, location: Location, warning: &str) {
        let line = format!("{}: {location}: {warning}", self.path.display());
        self.remarks.warnings.push(line);
    }
}

/// An object's number in the list of clips: names are numbered in 32 bits, and so are objects.
fn clip_key(id: ObjectId) -> u32 {
    u32::try_from(id.index()).unwrap_or(u32::MAX)
}
