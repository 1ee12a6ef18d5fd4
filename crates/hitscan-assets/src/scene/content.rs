//! A scene as it was loaded: the world, and what is in it object by object.
//!
//! How it comes about stands in `load.rs`.

use std::sync::Arc;

use glam::DAffine3;
use hitscan::height_field::HeightField;
use hitscan::model::Model;
use hitscan::{Aabb, Capsule, Obb, Sphere};
use hitscan::{ObjectId, World};

/// A world and the names of what is in it.
#[derive(Debug)]
pub struct Scene {
    world: World,
    objects: Vec<SceneObject>,
    notes: Vec<String>,
}

/// An object of a scene.
#[derive(Debug, Clone)]
pub struct SceneObject {
    /// Its unique name.
    pub name: String,
    /// Where its table stands in the scene file, for errors.
    pub place: String,
    /// The layers that it is in, a bit each.
    pub layers: u32,
    /// What it is, and where it stands.
    pub shape: SceneShape,
}

/// What an object of a scene is.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum SceneShape {
    /// Terrain.
    Terrain(Arc<HeightField>),
    /// A model, or a member of a crowd.
    Model(PlacedModel),
    /// A sphere.
    Sphere(Sphere),
    /// A box.
    Box(Aabb),
    /// A capsule.
    Capsule(Capsule),
    /// A turned box.
    TurnedBox(Obb),
}

/// A model, its place and its pose. Models of one file are one, however many stand in the scene.
#[derive(Debug, Clone)]
pub struct PlacedModel {
    /// The model, before it is posed and placed; the world has it as it stands.
    pub model: Arc<Model>,
    /// Where it stands.
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
    pub(super) fn new(world: World, objects: Vec<SceneObject>, notes: Vec<String>) -> Self {
        Self {
            world,
            objects,
            notes,
        }
    }

    /// The world, up to date and ready to be asked. Its object `k` is object `k` here.
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

    /// The name of an object; `None` for a handle that is not of this scene's world.
    #[must_use]
    pub fn object_name(&self, object: ObjectId) -> Option<&str> {
        let object = self.objects.get(object.index())?;
        Some(&object.name)
    }

    /// The name of a part of a model; `None` for other objects.
    #[must_use]
    pub fn part_name(&self, object: ObjectId, part: u32) -> Option<&str> {
        match &self.objects.get(object.index())?.shape {
            SceneShape::Model(placed) => {
                let part = placed.model.parts().get(part as usize)?;
                Some(part.name())
            }
            _ => None,
        }
    }
}
