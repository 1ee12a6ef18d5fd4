//! Facts about a model: those of its file, and those of any model in a scene.

use super::facts::{Facts, count, plain};
use crate::failure::Failure;
use crate::warnings;
use hitscan::glam::DAffine3;
use hitscan::{Model, World};
use hitscan_assets::{ModelOptions, read_model};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// How many joints, parts and clips are listed one by one.
const LISTED: usize = 24;

pub(super) fn about(path: &Path, mut facts: Facts) -> Result<Facts, Failure> {
    let file = read_model(path, &ModelOptions::default())?;
    let refused = |source| hitscan_assets::Error::Refused {
        path: path.to_owned(),
        location: "model".to_owned(),
        source,
    };
    facts
        .heading(format!("{}: a model", path.display()))
        .value("kind", "model")
        .fact("format", file.format);
    if let Some(generator) = &file.generator {
        facts.fact("made by", generator);
    }
    if !file.extensions.is_empty() {
        facts.fact_as("extensions", file.extensions.join(", "), file.extensions);
    }
    if let Some(scene) = file.scene {
        facts
            .fact_as("scene", format!("{scene} of {}", file.scenes), scene)
            .value("scenes", file.scenes);
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
    let bounds = world.now().object_bounds(object);
    counts(&model, &mut facts).bounds(bounds).notes(&notes);
    lists(&model, &mut facts);
    Ok(facts)
}

/// How much of everything there is in a model.
pub(super) fn counts<'f>(model: &Model, facts: &'f mut Facts) -> &'f mut Facts {
    facts.count("nodes", model.nodes().len());
    for (name, number) in [
        ("joints", model.joint_count()),
        ("parts", model.parts().len()),
        ("clips", model.clips().len()),
    ] {
        // As values they are lists.
        facts.fact_as(name, number, Value::Null);
    }
    facts
        .count("triangles", model.triangle_count())
        .memory(model.memory_bytes())
}

/// The joints, parts and clips of a model.
pub(super) fn lists(model: &Model, facts: &mut Facts) {
    let joints: Vec<String> = model
        .joints()
        .into_iter()
        .map(|node| joint(model, node))
        .collect();
    if !joints.is_empty() {
        facts.heading("joints");
        facts.text(joints[..joints.len().min(LISTED)].join(", "));
        rest(joints.len(), facts);
    }
    facts.value("joints", joints);
    parts(model, facts);
    clips(model, facts);
}

/// A joint's name, as `hitscan ray --bind` answers it.
fn joint(model: &Model, node: usize) -> String {
    let name = model.nodes().get(node).and_then(|node| node.name());
    name.map_or_else(|| format!("node{node}"), str::to_owned)
}

fn parts(model: &Model, facts: &mut Facts) {
    let mut values = Vec::new();
    if !model.parts().is_empty() {
        facts.heading("parts");
    }
    for (index, part) in model.parts().iter().enumerate() {
        let triangles = part.mesh().triangles().len();
        let mut line = format!("{}: {}", part.name(), count(triangles, "triangle"));
        if part.skin().is_some() {
            line.push_str(", skinned");
        }
        if part.morph_target_count() > 0 {
            line.push_str(", ");
            line.push_str(&count(part.morph_target_count(), "morph target"));
        }
        if index < LISTED {
            facts.text(line);
        }
        values.push(json!({
            "name": part.name(),
            "triangles": triangles,
            "skinned": part.skin().is_some(),
            "morph_targets": part.morph_target_count(),
        }));
    }
    rest(model.parts().len(), facts);
    facts.value("parts", values);
}

fn clips(model: &Model, facts: &mut Facts) {
    let mut values = Vec::new();
    if !model.clips().is_empty() {
        facts.heading("clips");
    }
    for (index, clip) in model.clips().iter().enumerate() {
        let name = clip
            .name()
            .map_or_else(|| format!("{index}"), |name| format!("{index} {name}"));
        let (start, end) = (plain(clip.start_secs()), plain(clip.end_secs()));
        let channels = clip.channel_count();
        if index < LISTED {
            let channels = count(channels, "channel");
            facts.text(format!("{name}: {start} to {end} s, {channels}"));
        }
        values.push(json!({
            "index": index,
            "name": clip.name(),
            "start": start,
            "end": end,
            "channels": channels,
        }));
    }
    rest(model.clips().len(), facts);
    facts.value("clips", values);
}

fn rest(all: usize, facts: &mut Facts) {
    if all > LISTED {
        facts.text(format!("and {} more", all - LISTED));
    }
}
