//! What is in a scene.

use super::earth;
use super::facts::Facts;
use crate::failure::Failure;
use crate::warnings::load_scene;
use hitscan::world::ObjectShape;
use std::path::Path;

/// How many objects are listed one by one.
const LISTED: usize = 64;

pub(super) fn about(path: &Path) -> Result<Facts, Failure> {
    let scene = load_scene(path)?;
    let world = scene.world();
    let mut facts = Facts::default();
    facts
        .heading(format!("{}: a scene", path.display()))
        .fact("objects", world.now().object_count())
        .bounds(world.now().bounds())
        .memory(world.memory_bytes());
    if let Some(frame) = scene.frame() {
        earth::of_frame(frame, &mut facts);
    }
    for note in scene.notes() {
        facts.fact("note", note);
    }
    for object in world.now().objects().take(LISTED) {
        facts.heading(scene.object_name(object).unwrap_or_default());
        if let Some(kind) = world.now().kind(object) {
            facts.fact("kind", kind.name());
        }
        let triangles = world.now().triangle_count(object);
        if triangles > 0 {
            facts.fact("triangles", triangles);
        }
        let parts: Vec<&str> = (0..)
            .map_while(|part| scene.part_name(object, part))
            .collect();
        if !parts.is_empty() {
            facts.fact("parts", parts.join(", "));
        }
        facts.bounds(world.now().object_bounds(object));
        if let (Some(ObjectShape::HeightField(field)), Some(frame)) =
            (world.now().shape(object), scene.frame())
        {
            earth::of_terrain(field.grid(), frame, &mut facts);
        }
    }
    if let Some(more) = world
        .now()
        .object_count()
        .checked_sub(LISTED)
        .filter(|more| *more > 0)
    {
        facts.heading(format!("and {more} objects more"));
    }
    Ok(facts)
}
