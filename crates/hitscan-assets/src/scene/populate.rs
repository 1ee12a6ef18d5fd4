//! The world that a scene's objects make.

use std::path::Path;
use std::sync::Arc;

use hitscan::world::World;

use super::content::{PlacedModel, SceneObject, SceneShape};
use crate::Error;

/// A world of these objects, numbered in their order, up to date. `path` is the scene file, for
/// errors.
pub(super) fn world_of(path: &Path, objects: &[SceneObject]) -> Result<World, Error> {
    let mut world = World::new();
    for object in objects {
        match &object.shape {
            SceneShape::Terrain(field) => {
                world.add_height_field(Arc::clone(field));
            }
            SceneShape::Model(placed) => {
                add_model(&mut world, placed)
                    .map_err(|source| Error::refused(path, &object.place, source))?;
            }
            SceneShape::Sphere(sphere) => {
                world.add_sphere(*sphere);
            }
            SceneShape::Box(aabb) => {
                world.add_aabb(*aabb);
            }
            SceneShape::Capsule(_) => {
                return Err(Error::unsupported(
                    path,
                    &object.place,
                    "a capsule in a world",
                ));
            }
            SceneShape::TurnedBox(_) => {
                return Err(Error::unsupported(
                    path,
                    &object.place,
                    "a turned box in a world",
                ));
            }
        }
    }
    world.update();
    Ok(world)
}

fn add_model(world: &mut World, placed: &PlacedModel) -> Result<(), hitscan::Error> {
    let model = &placed.model;
    let posed;
    let pose = match placed.clip {
        None => model.rest_pose(),
        Some(time) => {
            posed = model.pose_at(time.clip, time.time_secs)?;
            &posed
        }
    };
    world.add_model(model, pose, placed.world_from_model)?;
    Ok(())
}
