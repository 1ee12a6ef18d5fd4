//! Reads the text of a scene file into [`SceneFile`].
//!
//! Every fault is reported with its line and column. No other file is opened here; that is `load.rs`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use glam::{DQuat, DVec3, Vec3};
use hitscan::height_field::Diagonal;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::entry::{
    BoxEntry, CapsuleEntry, ModelEntry, ObbEntry, SceneFile, SphereEntry, TerrainEntry,
};
use super::keys::{Keys, Source, Value};
use super::parse_crowd::{CROWD_KEYS, crowd};
use super::shared_keys::{clip_choice, file, layers, rotation, scale, up};
use crate::Error;

const TABLES: [&str; 8] = [
    "world",
    "terrain",
    "model",
    "sphere",
    "box",
    "capsule",
    "turned_box",
    "crowd",
];
const WORLD_KEYS: [&str; 1] = ["origin"];
const TERRAIN_KEYS: [&str; 10] = [
    "name",
    "heights",
    "spacing",
    "range",
    "height_scale",
    "origin",
    "georeferenced",
    "diagonal",
    "size",
    "layers",
];
const MODEL_KEYS: [&str; 12] = [
    "name",
    "file",
    "translation",
    "on_ground",
    "y_above",
    "rotation",
    "scale",
    "up",
    "scene",
    "clip",
    "time",
    "layers",
];
const SPHERE_KEYS: [&str; 4] = ["name", "center", "radius", "layers"];
const BOX_KEYS: [&str; 4] = ["name", "min", "max", "layers"];
const CAPSULE_KEYS: [&str; 5] = ["name", "a", "b", "radius", "layers"];
const TURNED_BOX_KEYS: [&str; 5] = ["name", "center", "half_size", "rotation", "layers"];

impl SceneFile {
    /// Reads the text of the scene file at `path`; paths in it are relative to that file's folder.
    ///
    /// # Errors
    /// For text that is no TOML, unknown tables and keys, values of the wrong type or not finite,
    /// names that are not unique: with line and column.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Error> {
        let source = &Source::new(path, text);
        let root = DeTable::parse(text).map_err(|error| {
            let location = source.location(&error.span().unwrap_or_default());
            Error::undecodable(
                path,
                location,
                "a scene in TOML",
                error.message().to_owned(),
            )
        })?;
        let root = root.get_ref();
        let mut keys: Vec<_> = root.keys().collect();
        keys.sort_by_key(|key| key.span().start);
        if let Some(key) = keys
            .iter()
            .find(|key| !TABLES.contains(&key.get_ref().as_ref()))
        {
            return Err(source.unknown("table", key, &TABLES));
        }

        let mut names = Names::new(source);
        Ok(Self {
            world_origin: world_origin(source, root)?,
            terrains: each(source, root, "terrain", &TERRAIN_KEYS, |keys, index| {
                terrain(source, keys, names.of(keys, "terrain", index)?)
            })?,
            models: each(source, root, "model", &MODEL_KEYS, |keys, index| {
                model(source, keys, names.of(keys, "model", index)?)
            })?,
            spheres: each(source, root, "sphere", &SPHERE_KEYS, |keys, index| {
                let name = names.of(keys, "sphere", index)?;
                Ok(SphereEntry {
                    location: keys.location(),
                    layers: layers(keys)?,
                    center: Vec3::from(keys.need("center")?.numbers_f32()?),
                    radius: keys.need("radius")?.number()?,
                    name,
                })
            })?,
            boxes: each(source, root, "box", &BOX_KEYS, |keys, index| {
                let name = names.of(keys, "box", index)?;
                Ok(BoxEntry {
                    location: keys.location(),
                    layers: layers(keys)?,
                    min: Vec3::from(keys.need("min")?.numbers_f32()?),
                    max: Vec3::from(keys.need("max")?.numbers_f32()?),
                    name,
                })
            })?,
            capsules: each(source, root, "capsule", &CAPSULE_KEYS, |keys, index| {
                let name = names.of(keys, "capsule", index)?;
                Ok(CapsuleEntry {
                    location: keys.location(),
                    layers: layers(keys)?,
                    a: Vec3::from(keys.need("a")?.numbers_f32()?),
                    b: Vec3::from(keys.need("b")?.numbers_f32()?),
                    radius: keys.need("radius")?.number()?,
                    name,
                })
            })?,
            obbs: each(
                source,
                root,
                "turned_box",
                &TURNED_BOX_KEYS,
                |keys, index| {
                    let name = names.of(keys, "turned_box", index)?;
                    Ok(ObbEntry {
                        location: keys.location(),
                        layers: layers(keys)?,
                        center: Vec3::from(keys.need("center")?.numbers_f32()?),
                        half_size: Vec3::from(keys.need("half_size")?.numbers_f32()?),
                        rotation: keys
                            .get("rotation")
                            .map_or(Ok(DQuat::IDENTITY), |value| rotation(&value))?,
                        name,
                    })
                },
            )?,
            crowds: each(source, root, "crowd", &CROWD_KEYS, |keys, index| {
                crowd(source, keys, names.of(keys, "crowd", index)?)
            })?,
        })
    }
}

/// The origin that the table `[world]` gives.
fn world_origin<'a>(
    source: &'a Source<'a>,
    root: &'a DeTable<'a>,
) -> Result<Option<[f64; 3]>, Error> {
    let Some((key, value)) = root.iter().find(|(key, _)| key.get_ref() == "world") else {
        return Ok(None);
    };
    let DeValue::Table(table) = value.get_ref() else {
        let found = value.get_ref().type_str();
        return Err(source.malformed(&key.span(), "one table, under `[world]`", found));
    };
    let keys = Keys::new(source, table, value.span(), &WORLD_KEYS)?;
    keys.get("origin").map(|value| value.numbers()).transpose()
}

/// Reads all tables of one kind, in the file's order.
fn each<'a, T>(
    source: &'a Source<'a>,
    root: &'a DeTable<'a>,
    kind: &str,
    known: &[&str],
    mut read: impl FnMut(&Keys<'a>, usize) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let Some((key, value)) = root.iter().find(|(key, _)| key.get_ref() == kind) else {
        return Ok(Vec::new());
    };
    let not_tables = |span: &Range<usize>, found: &str| {
        let expected = format!("an array of tables, each under `[[{kind}]]`");
        source.malformed(span, expected, found)
    };
    let DeValue::Array(tables) = value.get_ref() else {
        return Err(not_tables(&key.span(), value.get_ref().type_str()));
    };
    let table = |(index, item): (usize, &'a Spanned<DeValue<'a>>)| {
        let DeValue::Table(table) = item.get_ref() else {
            return Err(not_tables(&item.span(), item.get_ref().type_str()));
        };
        read(&Keys::new(source, table, item.span(), known)?, index)
    };
    tables.iter().enumerate().map(table).collect()
}

/// The names given so far, with the locations where they were given.
struct Names<'a> {
    source: &'a Source<'a>,
    taken: BTreeMap<String, String>,
}

impl<'a> Names<'a> {
    fn new(source: &'a Source<'a>) -> Self {
        Self {
            source,
            taken: BTreeMap::new(),
        }
    }

    /// A table's name, or its kind and index.
    fn of(&mut self, keys: &Keys, kind: &str, index: usize) -> Result<String, Error> {
        let (name, span) = match keys.get("name") {
            Some(value) => (value.string()?.to_owned(), value.span()),
            None => (format!("{kind}{index}"), keys.span().clone()),
        };
        if name.is_empty() {
            return Err(self
                .source
                .malformed(&span, "a name that is not empty", "\"\""));
        }
        if let Some(location) = self.taken.get(&name) {
            let found = format!("the name `{name}` again, which is at {location}");
            return Err(self.source.malformed(&span, "a name of its own", found));
        }
        self.taken.insert(name.clone(), self.source.location(&span));
        Ok(name)
    }
}

fn terrain(source: &Source, keys: &Keys, name: String) -> Result<TerrainEntry, Error> {
    let spacing = keys.get("spacing").map(|value| {
        let spacing = value.number_or_numbers::<2>()?;
        let is_positive = spacing.iter().all(|&metres| metres > 0.0);
        is_positive
            .then_some(spacing)
            .ok_or_else(|| value.wrong("metres, more than zero,"))
    });
    let diagonal = keys.get("diagonal").map(|value| match value.as_string() {
        Some("anti") => Ok(Diagonal::Anti),
        Some("main") => Ok(Diagonal::Main),
        _ => Err(value.wrong("\"anti\" or \"main\"")),
    });
    let georeferenced = keys.get("georeferenced");
    let georeferenced = georeferenced.map_or(Ok(false), |value| value.truth())?;
    if let Some(origin) = keys.get("origin").filter(|_| georeferenced) {
        let expected =
            "either `origin` or `georeferenced = true`, which places the terrain by its file";
        return Err(source.malformed(&origin.span(), expected, "both"));
    }
    Ok(TerrainEntry {
        location: keys.location(),
        layers: layers(keys)?,
        heights: file(source, &keys.need("heights")?)?,
        spacing: spacing.transpose()?,
        range: keys.get("range").map(|value| value.numbers()).transpose()?,
        height_scale: keys
            .get("height_scale")
            .map(|value| value.number())
            .transpose()?,
        origin: keys
            .get("origin")
            .map_or(Ok([0.0; 3]), |value| value.numbers())?,
        georeferenced,
        diagonal: diagonal.unwrap_or(Ok(Diagonal::Anti))?,
        size: keys.get("size").map(|value| value.indices()).transpose()?,
        name,
    })
}

fn model(source: &Source, keys: &Keys, name: String) -> Result<ModelEntry, Error> {
    let time = keys.get("time");
    let clip = match (keys.get("clip"), &time) {
        (Some(clip), time) => {
            let secs = time.as_ref().map_or(Ok(0.0), Value::number)?;
            Some((clip_choice(&clip)?, secs))
        }
        (None, Some(time)) => {
            let found = "`time` without a `clip`";
            return Err(source.malformed(&time.span(), "a `clip` that the time belongs to", found));
        }
        (None, None) => None,
    };
    let translation = keys
        .get("translation")
        .map_or(Ok([0.0; 3]), |value| value.numbers())?;
    Ok(ModelEntry {
        location: keys.location(),
        layers: layers(keys)?,
        file: file(source, &keys.need("file")?)?,
        translation: DVec3::from(translation),
        above_ground: above_ground(source, keys)?,
        rotation: keys
            .get("rotation")
            .map_or(Ok(DQuat::IDENTITY), |value| rotation(&value))?,
        scale: scale(keys)?,
        up: up(keys)?,
        scene: keys.get("scene").map(|value| value.index()).transpose()?,
        clip,
        name,
    })
}

/// Metres above the ground, for a model that is placed on it.
fn above_ground(source: &Source, keys: &Keys) -> Result<Option<f64>, Error> {
    let on_ground = keys
        .get("on_ground")
        .map_or(Ok(false), |value| value.truth())?;
    let y_above = keys.get("y_above");
    if let Some(value) = y_above.as_ref().filter(|_| !on_ground) {
        let expected = "`on_ground = true`, which `y_above` belongs to";
        return Err(source.malformed(&value.span(), expected, "`y_above` without it"));
    }
    let metres = y_above.map_or(Ok(0.0), |value| value.number())?;
    Ok(on_ground.then_some(metres))
}
