//! The world that a scene's objects make.

use std::path::Path;
use std::sync::Arc;

use hitscan::{ObjectId, World};

use super::content::{PlacedModel, SceneObject, SceneShape};
use crate::Error;

/// A world of these objects, numbered in their order, up to date. `path` is the scene file, for
/// errors.
pub(super) fn world_of(path: &Path, objects: &[SceneObject]) -> Result<World, Error> {
    let mut world = World::new();
    for object in objects {
        let id = match &object.shape {
            SceneShape::Terrain(field) => world.add_height_field(Arc::clone(field)),
            SceneShape::Model(placed) => add_model(&mut world, placed)
                .map_err(|source| Error::refused(path, &object.place, source))?,
            SceneShape::Sphere(sphere) => world.add_sphere(*sphere),
            SceneShape::Box(aabb) => world.add_aabb(*aabb),
            SceneShape::Capsule(capsule) => world.add_primitive(*capsule),
            SceneShape::TurnedBox(obb) => world.add_primitive(*obb),
        };
        world
            .set_layers(id, object.layers)
            .map_err(|source| Error::refused(path, &object.place, source))?;
    }
    world.update();
    Ok(world)
}

fn add_model(world: &mut World, placed: &PlacedModel) -> Result<ObjectId, hitscan::Error> {
    let model = &placed.model;
    let id = world.add_model(model, model.rest_pose(), placed.world_from_model)?;
    if let Some(time) = placed.clip {
        world.set_pose_at(id, time.clip, time.time_secs)?;
    }
    Ok(id)
}
