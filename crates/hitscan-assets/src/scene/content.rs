//! A scene as it was loaded: the world, and what is in it object by object.
//!
//! It is made in `load.rs`.

use std::path::PathBuf;
use std::sync::Arc;

use glam::DAffine3;
use hitscan::height_field::HeightField;
use hitscan::model::Model;
use hitscan::{Aabb, Capsule, Obb, Sphere};
use hitscan::{ObjectId, RayHit, World};

use crate::PartColors;

/// A world and the names of what is in it.
#[derive(Debug)]
pub struct Scene {
    world: World,
    objects: Vec<SceneObject>,
    notes: Vec<String>,
    files: Vec<PathBuf>,
}

/// An object of a scene.
#[derive(Debug, Clone)]
pub struct SceneObject {
    /// Its unique name.
    pub name: String,
    /// The location of its table in the scene file, for errors.
    pub location: String,
    /// The layers that it is in, a bit each.
    pub layers: u32,
    /// Its shape and transform.
    pub shape: SceneShape,
}

/// What an object of a scene is.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum SceneShape {
    /// Terrain.
    Terrain(Arc<HeightField>),
    /// A model, or a member of a crowd.
    Model(ModelInstance),
    /// A sphere.
    Sphere(Sphere),
    /// A box.
    Box(Aabb),
    /// A capsule.
    Capsule(Capsule),
    /// An oriented box.
    Obb(Obb),
}

/// An instance of a model: its transform and its pose. Instances of one file share the model.
#[derive(Debug, Clone)]
pub struct ModelInstance {
    /// The model in its rest pose; the world has it posed.
    pub model: Arc<Model>,
    /// The colours of its parts; empty where the file's format has none.
    pub colors: Arc<[PartColors]>,
    /// Its transform.
    pub world_from_model: DAffine3,
    /// Its animation; `None` is the pose at rest.
    pub clip: Option<ClipTime>,
}

/// A time in an animation of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClipTime {
    /// The clip's index in the model.
    pub clip: usize,
    /// Seconds on the clip's own timeline.
    pub time_secs: f64,
}

impl Scene {
    pub(super) fn new(
        world: World,
        objects: Vec<SceneObject>,
        notes: Vec<String>,
        files: Vec<PathBuf>,
    ) -> Self {
        Self {
            world,
            objects,
            notes,
            files,
        }
    }

    /// The world, up to date. Its object `k` is object `k` here.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The objects, in the order in which the world numbers them.
    #[must_use]
    pub fn objects(&self) -> &[SceneObject] {
        &self.objects
    }

    /// What the files left out or do oddly, one sentence each.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The files that the scene names: height maps, models and tables of places, in its order.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The name of an object; `None` for a handle that is not of this scene's world.
    #[must_use]
    pub fn object_name(&self, object: ObjectId) -> Option<&str> {
        let object = self.objects.get(object.index())?;
        Some(&object.name)
    }

    /// The colour that a model's file gives the surface that a ray hit, linear light from 0 to 1.
    #[must_use]
    pub fn surface_color(&self, hit: &RayHit) -> Option<[f32; 3]> {
        let SceneShape::Model(instance) = &self.objects.get(hit.object?.index())?.shape else {
            return None;
        };
        let id = hit.triangle?;
        let part = usize::try_from(id.part).ok()?;
        let triangle = usize::try_from(id.triangle).ok()?;
        let triangles = instance.model.parts().get(part)?.mesh().triangles();
        let colors = instance.colors.get(part)?;
        colors.at(*triangles.get(triangle)?, hit.barycentrics)
    }

    /// The name of a part of a model; `None` for other objects.
    #[must_use]
    pub fn part_name(&self, object: ObjectId, part: u32) -> Option<&str> {
        match &self.objects.get(object.index())?.shape {
            SceneShape::Model(instance) => {
                let part = instance.model.parts().get(part as usize)?;
                Some(part.name())
            }
            _ => None,
        }
    }
}
