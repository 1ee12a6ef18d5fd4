//! What is in a model.

use super::facts::{Facts, count};
use crate::failure::Failure;
use crate::warnings;
use hitscan::glam::DAffine3;
use hitscan::{Model, World};
use hitscan_assets::{ModelOptions, read_model};
use std::path::Path;
use std::sync::Arc;

/// How many parts and clips are listed one by one.
const LISTED: usize = 24;

pub(super) fn about(path: &Path) -> Result<Facts, Failure> {
    let file = read_model(path, &ModelOptions::default())?;
    let refused = |source| hitscan_assets::Error::Refused {
        path: path.to_owned(),
        location: "model".to_owned(),
        source,
    };
    let mut facts = Facts::default();
    facts
        .heading(format!("{}: a model", path.display()))
        .fact("format", file.format);
    if let Some(generator) = &file.generator {
        facts.fact("made by", generator);
    }
    if !file.extensions.is_empty() {
        facts.fact("extensions", file.extensions.join(", "));
    }
    if let Some(scene) = file.scene {
        facts.fact("scene", format!("{scene} of {}", file.scenes));
    }
    let shown = path.display();
    let warnings = file.warnings.iter();
    let warnings: Vec<String> = warnings.map(|line| format!("{shown}: {line}")).collect();
    warnings::print(&warnings);
    let notes = file.notes;
    let model = Arc::new(Model::new(file.data).map_err(refused)?);
    let mut world = World::new();
    let object = world
        .add_model(&model, model.rest_pose(), DAffine3::IDENTITY)
        .map_err(refused)?;
    world.update();
    facts
        .fact("nodes", model.nodes().len())
        .fact("joints", model.joint_count())
        .fact("parts", model.parts().len())
        .fact("triangles", model.triangle_count())
        .fact("clips", model.clips().len())
        .bounds(world.now().object_bounds(object))
        .memory(model.memory_bytes());
    list_parts(&model, &mut facts);
    list_clips(&model, &mut facts);
    for note in notes {
        facts.fact("note", note);
    }
    Ok(facts)
}

fn list_parts(model: &Model, facts: &mut Facts) {
    if model.parts().is_empty() {
        return;
    }
    facts.heading("parts");
    for part in model.parts().iter().take(LISTED) {
        let mut line = format!(
            "{}: {}",
            part.name(),
            count(part.mesh().triangles().len(), "triangle")
        );
        if part.skin().is_some() {
            line.push_str(", skinned");
        }
        if part.morph_target_count() > 0 {
            line.push_str(", ");
            line.push_str(&count(part.morph_target_count(), "morph target"));
        }
        facts.text(line);
    }
    list_rest(model.parts().len(), facts);
}

fn list_clips(model: &Model, facts: &mut Facts) {
    if model.clips().is_empty() {
        return;
    }
    facts.heading("clips");
    for (index, clip) in model.clips().iter().take(LISTED).enumerate() {
        let name = clip
            .name()
            .map_or_else(|| format!("{index}"), |name| format!("{index} {name}"));
        let (start, end) = (clip.start_secs(), clip.end_secs());
        facts.text(format!(
            "{name}: {start} to {end} s, {}",
            count(clip.channel_count(), "channel")
        ));
    }
    list_rest(model.clips().len(), facts);
}

fn list_rest(all: usize, facts: &mut Facts) {
    if all > LISTED {
        facts.text(format!("and {} more", all - LISTED));
    }
}
