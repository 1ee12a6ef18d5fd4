//! The world that a scene's objects make.

use std::path::Path;
use std::sync::Arc;

use hitscan::{ObjectId, World};

use super::content::{ModelInstance, SceneObject, SceneShape};
use crate::Error;

/// A world of these objects, numbered in their order, up to date. `path` is the scene file, for
/// errors.
pub(super) fn world_of(path: &Path, objects: &[SceneObject]) -> Result<World, Error> {
    let mut world = World::new();
    for object in objects {
        let id = match &object.shape {
            SceneShape::Terrain(field) => world.add_height_field(Arc::clone(field)),
            SceneShape::Model(instance) => add_model(&mut world, instance)
                .map_err(|source| Error::refused(path, &object.location, source))?,
            SceneShape::Sphere(sphere) => world.add_sphere(*sphere),
            SceneShape::Box(aabb) => world.add_aabb(*aabb),
            SceneShape::Capsule(capsule) => world.add_primitive(*capsule),
            SceneShape::Obb(obb) => world.add_primitive(*obb),
        };
        world
            .set_layers(id, object.layers)
            .map_err(|source| Error::refused(path, &object.location, source))?;
    }
    world.update();
    Ok(world)
}

fn add_model(world: &mut World, instance: &ModelInstance) -> Result<ObjectId, hitscan::Error> {
    let model = &instance.model;
    let id = world.add_model(model, model.rest_pose(), instance.world_from_model)?;
    if let Some(time) = instance.clip {
        world.set_pose_at(id, time.clip, time.time_secs)?;
    }
    Ok(id)
}
