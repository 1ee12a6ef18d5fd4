//! Facts about a scene: its models once each, and its objects.

use super::Detail;
use super::earth;
use super::facts::{self, Facts};
use super::model;
use crate::failure::{Failure, check_interrupt};
use crate::warnings::load_scene;
use hitscan::world::ObjectShape;
use hitscan::{Aabb, Model, ObjectId};
use hitscan_assets::Scene;
use hitscan_assets::baked::verify;
use hitscan_assets::heights::solid_triangle_count;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// How many objects are listed one by one.
const LISTED: usize = 64;
/// How many instances of a model are listed by name.
const NAMED: usize = 8;
/// Of how many instances boxes are computed: it takes time for each of their vertices.
const BOUNDED: usize = 10_000;

pub(super) fn about(
    path: &Path,
    detail: Detail,
    mut facts: Facts,
) -> Result<Option<Facts>, Failure> {
    facts
        .heading(format!("{}: a scene", path.display()))
        .value("kind", "scene");
    of_scene(path, detail, facts)
}

/// A baked scene, whose hashes are checked as well.
pub(super) fn about_baked(
    path: &Path,
    detail: Detail,
    mut facts: Facts,
) -> Result<Option<Facts>, Failure> {
    let summary = verify(path)?;
    let bytes = usize::try_from(summary.length).unwrap_or(usize::MAX);
    facts
        .heading(format!("{}: a baked scene", path.display()))
        .value("kind", "baked_scene")
        .fact_as("version", summary.version, summary.version)
        .fact("content_hash", format!("{:032x}", summary.content_hash))
        .fact_as("file_bytes", facts::memory(bytes), bytes);
    of_scene(path, detail, facts)
}

/// With all details the facts are printed: of many objects they are not kept.
fn of_scene(path: &Path, detail: Detail, mut facts: Facts) -> Result<Option<Facts>, Failure> {
    let scene = load_scene(path)?;
    let world = scene.world();
    facts.fact_as("objects", world.now().object_count(), Vec::<usize>::new());
    let models = Instances::of_all(&scene)?;
    if models.are_bounded {
        facts.bounds(world.now().bounds());
    } else {
        let words = format!("not computed for more than {BOUNDED} instances of models");
        facts.fact_as("bounds", words, serde_json::Value::Null);
    }
    facts.memory(world.memory_bytes());
    if let Some(frame) = scene.frame() {
        earth::of_frame(frame, &mut facts);
    }
    facts.notes(scene.notes());
    for (known, instances) in scene.models().iter().zip(&models.of_models) {
        let mut about = Facts::default();
        let file = known.file.display().to_string();
        let named = instances.named.join(", ");
        let words = match instances.count - instances.named.len() {
            0 => named,
            more => format!("{}: {named} and {more} more", instances.count),
        };
        about
            .value("file", file.as_str())
            .fact_as("instances", words, instances.count);
        if models.are_bounded {
            about.bounds(instances.bounds);
        }
        model::counts(&known.model, &mut about);
        model::lists(&known.model, &mut about);
        facts.section("models", &format!("{file}: a model"), about);
    }
    match detail {
        Detail::Short => {
            list_objects(&scene, &models, &mut facts)?;
            Ok(Some(facts))
        }
        Detail::All => {
            let mut objects = facts.print_json_with("objects")?;
            for object in world.now().objects() {
                check_interrupt()?;
                objects.add(about_object(&scene, &models, object))?;
            }
            objects.finish()?;
            Ok(None)
        }
    }
}

/// Lists objects one by one, without those whose model has several instances.
fn list_objects(scene: &Scene, models: &Instances, facts: &mut Facts) -> Result<(), Failure> {
    let (mut listed, mut more) = (0, 0_usize);
    for object in scene.world().now().objects() {
        check_interrupt()?;
        let model = models.model_of(scene, object);
        if model.is_some_and(|model| models.of_models[model].count > 1) {
            continue;
        }
        if listed == LISTED {
            more += 1;
            continue;
        }
        listed += 1;
        let name = scene.object_name(object).unwrap_or_default();
        facts.section("objects", name, about_object(scene, models, object));
    }
    if more > 0 {
        facts.heading(format!("and {more} objects more"));
    }
    Ok(())
}

fn about_object(scene: &Scene, models: &Instances, object: ObjectId) -> Facts {
    let snapshot = scene.world().now();
    let model = models.model_of(scene, object);
    let mut about = Facts::default();
    let name = scene.object_name(object).unwrap_or_default();
    about.value("name", name);
    if let Some(kind) = snapshot.kind(object) {
        about.fact("kind", kind.name());
    }
    if let Some(model) = model {
        about.value("model", model);
    }
    let shape = snapshot.shape(object);
    let triangles = match &shape {
        // Those over holes are none.
        Some(ObjectShape::HeightField(field)) => solid_triangle_count(field),
        _ => snapshot.triangle_count(object),
    };
    if triangles > 0 {
        about.count("triangles", triangles);
    }
    let names = snapshot.compound_parts(object);
    let names: Vec<&str> = names.map(|(_, part)| part.name()).collect();
    if !names.is_empty() {
        let more = names.len().saturating_sub(LISTED);
        let mut words = names[..names.len() - more].join(", ");
        if more > 0 {
            words.push_str(&format!(" and {more} more"));
        }
        about.fact_as("parts", words, names);
    }
    if model.is_none() || models.are_bounded {
        about.bounds(snapshot.object_bounds(object));
    }
    if let (Some(ObjectShape::HeightField(field)), Some(frame)) = (&shape, scene.frame()) {
        earth::of_terrain(field.grid(), frame, &mut about);
    }
    about
}

/// The instances of a scene's models.
struct Instances {
    /// The index of each model.
    indices: BTreeMap<*const Model, usize>,
    of_models: Vec<InstancesOfModel>,
    /// Whether they are few enough for boxes around them.
    are_bounded: bool,
}

/// The instances of one model.
#[derive(Default)]
struct InstancesOfModel {
    count: usize,
    /// The names of the first.
    named: Vec<String>,
    bounds: Option<Aabb>,
}

impl Instances {
    fn of_all(scene: &Scene) -> Result<Self, Failure> {
        let models = scene.models().iter().enumerate();
        let indices = models.map(|(index, known)| (Arc::as_ptr(&known.model), index));
        let mut all = Self {
            indices: indices.collect(),
            of_models: Vec::new(),
            are_bounded: true,
        };
        let none = InstancesOfModel::default;
        all.of_models.resize_with(scene.models().len(), none);
        let snapshot = scene.world().now();
        let instances = snapshot.objects();
        let instances = instances.filter(|object| snapshot.model(*object).is_some());
        all.are_bounded = instances.count() <= BOUNDED;
        for object in snapshot.objects() {
            check_interrupt()?;
            let Some(model) = all.model_of(scene, object) else {
                continue;
            };
            let bounds = all
                .are_bounded
                .then(|| snapshot.object_bounds(object))
                .flatten();
            let instances = &mut all.of_models[model];
            instances.count += 1;
            instances.bounds = match (instances.bounds, bounds) {
                (Some(one), Some(other)) => Some(one.union(&other)),
                (one, other) => one.or(other),
            };
            if instances.named.len() < NAMED {
                let name = scene.object_name(object).unwrap_or_default();
                instances.named.push(name.to_owned());
            }
        }
        Ok(all)
    }

    fn model_of(&self, scene: &Scene, object: ObjectId) -> Option<usize> {
        let model = scene.world().now().model(object)?;
        self.indices.get(&Arc::as_ptr(model)).copied()
    }
}
