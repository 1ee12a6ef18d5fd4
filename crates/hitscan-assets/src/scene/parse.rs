//! Reads the text of a scene file into [`SceneFile`].
//!
//! Every fault is reported with its line and column. No other file is opened here; that is `load.rs`.

use std::ops::Range;
use std::path::Path;

use glam::DVec3;
use hitscan::height_field::Diagonal;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::entry::{ModelEntry, SceneFile, TerrainEntry};
use super::keys::{Keys, Source, Value};
use super::location::Location;
use super::names::Names;
use super::parse_crowd::{CROWD_KEYS, crowd};
use super::parse_primitives::{
    BOX_KEYS, CAPSULE_KEYS, OBB_KEYS, SPHERE_KEYS, aabb, capsule, obb, sphere,
};
use super::pieces::{Piece, Pieces};
use super::rotation::rotation;
use super::shared_keys::{clip_choice, file, layers, scale, up};
use crate::Error;
use crate::model_file::Notes;

/// The tables of a scene file, and the keys of each.
///
/// ```
/// use hitscan_assets::scene::TABLE_KEYS;
/// let spheres = TABLE_KEYS.iter().find(|(table, _)| *table == "sphere");
/// assert_eq!(spheres.unwrap().1, ["name", "center", "radius", "layers"]);
/// ```
pub const TABLE_KEYS: [(&str, &[&str]); 9] = [
    ("world", &WORLD_KEYS),
    ("terrain", &TERRAIN_KEYS),
    ("model", &MODEL_KEYS),
    ("sphere", &SPHERE_KEYS),
    ("box", &BOX_KEYS),
    ("capsule", &CAPSULE_KEYS),
    ("obb", &OBB_KEYS),
    // The alias of `obb` that scene files had first.
    ("turned_box", &OBB_KEYS),
    ("crowd", &CROWD_KEYS),
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
const MODEL_KEYS: [&str; 13] = [
    "name",
    "file",
    "translation",
    "on_ground",
    "y_above",
    "rotation",
    "euler_degrees",
    "scale",
    "up",
    "scene",
    "clip",
    "time",
    "layers",
];
impl SceneFile {
    /// Reads the text of the scene file at `path`; paths in it are relative to that file's folder.
    ///
    /// # Errors
    /// For text that is no TOML, unknown tables and keys, values of the wrong type, not finite, or
    /// not those of a shape, and names that are not unique: with line and column.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Error> {
        let mut parser = Parser::default();
        for piece in Pieces::new(text) {
            parser.read_piece(path, piece)?;
        }
        let mut file = parser.file;
        file.warnings = parser.remarks.into_remarks().warnings;
        Ok(file)
    }
}

/// What was read so far.
#[derive(Default)]
struct Parser {
    file: SceneFile,
    remarks: Notes,
    names: Names,
    /// Where each name was given.
    name_locations: Vec<Location>,
    /// The kinds that are arrays in one piece, such as `box = [...]`.
    arrays: Vec<&'static str>,
    has_world: bool,
}

impl Parser {
    fn read_piece(&mut self, path: &Path, piece: Piece) -> Result<(), Error> {
        let has_header = piece.has_header();
        let source = &Source::new(path, piece);
        let root = DeTable::parse(source.text()).map_err(|error| {
            let location = source.location(&error.span().unwrap_or_default());
            let hint = source.path_hint(error.span());
            let message = format!("{}{hint}", error.message());
            Error::undecodable(path, location, "a scene in TOML", message)
        })?;
        let mut entries: Vec<_> = root.get_ref().iter().collect();
        // In the text's order, so that the first fault is the one that is reported.
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let mut kinds = TABLE_KEYS.iter().map(|(kind, _)| kind);
            let Some(kind) = kinds.find(|kind| *kind == key.get_ref()) else {
                let known = TABLE_KEYS.map(|(kind, _)| kind);
                return Err(source.unknown("table", key, &known));
            };
            if *kind == "world" {
                self.read_world(source, key, value)?;
                continue;
            }
            if !has_header {
                self.arrays.push(kind);
            } else if self.arrays.contains(kind) {
                let expected = format!("`[[{kind}]]` or `{kind} = [...]`");
                return Err(source.malformed(&key.span(), expected, "both"));
            }
            for (table, span) in tables(source, kind, key, value)? {
                self.read_table(source, kind, table, span)?;
            }
        }
        Ok(())
    }

    fn read_world(
        &mut self,
        source: &Source,
        key: &Spanned<impl AsRef<str>>,
        value: &Spanned<DeValue>,
    ) -> Result<(), Error> {
        let one = |found| source.malformed(&key.span(), "one table, under `[world]`", found);
        let DeValue::Table(table) = value.get_ref() else {
            return Err(one(value.get_ref().type_str()));
        };
        // Each piece of the text is parsed by itself, which does not see a second one.
        if std::mem::replace(&mut self.has_world, true) {
            return Err(one("a second one"));
        }
        let keys = Keys::new(source, table, value.span(), &WORLD_KEYS)?;
        let origin = keys.get("origin");
        let origin = origin.map(|value| value.numbers("[easting, height, northing]"));
        self.file.world_origin = origin.transpose()?;
        Ok(())
    }

    fn read_table(
        &mut self,
        source: &Source,
        kind: &str,
        table: &DeTable,
        span: Range<usize>,
    ) -> Result<(), Error> {
        macro_rules! read {
            ($list:ident, $known:expr, |$keys:ident, $name:ident| $entry:expr) => {{
                let $keys = &Keys::new(source, table, span, &$known)?;
                let $name = self.name(source, $keys, kind, self.file.$list.len())?;
                let entry = $entry?;
                self.file.$list.push(entry);
            }};
        }
        match kind {
            "terrain" => read!(terrains, TERRAIN_KEYS, |keys, name| terrain(
                source, keys, name
            )),
            "model" => read!(models, MODEL_KEYS, |keys, name| model(
                source,
                keys,
                name,
                &mut self.remarks
            )),
            "sphere" => read!(spheres, SPHERE_KEYS, |keys, name| sphere(keys, name)),
            "box" => read!(boxes, BOX_KEYS, |keys, name| aabb(keys, name)),
            "capsule" => read!(capsules, CAPSULE_KEYS, |keys, name| capsule(keys, name)),
            "obb" | "turned_box" => read!(obbs, OBB_KEYS, |keys, name| obb(
                source,
                keys,
                name,
                &mut self.remarks
            )),
            _ => read!(crowds, CROWD_KEYS, |keys, name| crowd(source, keys, name)),
        }
        Ok(())
    }

    /// A table's name, or its kind and index.
    fn name(
        &mut self,
        source: &Source,
        keys: &Keys,
        kind: &str,
        index: usize,
    ) -> Result<String, Error> {
        let (name, span) = match keys.get("name") {
            Some(value) => (value.string()?.to_owned(), value.span()),
            None => (format!("{kind}{index}"), keys.span().clone()),
        };
        if name.is_empty() {
            return Err(source.malformed(&span, "a name that is not empty", "\"\""));
        }
        if let Err(other) = self.names.add(&name) {
            let location = self.name_locations.get(other).copied().unwrap_or_default();
            let found = format!("the name `{name}` again, which is at {location}");
            return Err(source.malformed(&span, "a name of its own", found));
        }
        self.name_locations.push(source.location(&span));
        Ok(name)
    }
}

/// The tables of one kind that a piece has under `key`.
fn tables<'a>(
    source: &Source,
    kind: &str,
    key: &Spanned<impl AsRef<str>>,
    value: &'a Spanned<DeValue<'a>>,
) -> Result<Vec<(&'a DeTable<'a>, Range<usize>)>, Error> {
    let not_tables = |span: &Range<usize>, found: &str| {
        let expected = format!("an array of tables, each under `[[{kind}]]`");
        source.malformed(span, expected, found)
    };
    let DeValue::Array(items) = value.get_ref() else {
        return Err(not_tables(&key.span(), value.get_ref().type_str()));
    };
    let table = |item: &'a Spanned<DeValue<'a>>| match item.get_ref() {
        DeValue::Table(table) => Ok((table, item.span())),
        other => Err(not_tables(&item.span(), other.type_str())),
    };
    items.iter().map(table).collect()
}

fn terrain(source: &Source, keys: &Keys, name: String) -> Result<TerrainEntry, Error> {
    let spacing = keys.get("spacing").map(|value| {
        let spacing = value.number_or_numbers::<2>("metres [x, z]")?;
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
    Ok(TerrainEntry {
        location: keys.location(),
        keys: keys.locations(&TERRAIN_KEYS),
        layers: layers(keys)?,
        heights: file(source, &keys.need("heights")?)?,
        spacing: spacing.transpose()?,
        range: keys
            .get("range")
            .map(|value| value.numbers("metres [of code 0, of the highest code]"))
            .transpose()?,
        height_scale: keys
            .get("height_scale")
            .map(|value| value.number())
            .transpose()?,
        origin: keys
            .get("origin")
            .map(|value| value.numbers("metres [x, y, z]"))
            .transpose()?,
        georeferenced,
        diagonal: diagonal.unwrap_or(Ok(Diagonal::Anti))?,
        size: keys
            .get("size")
            .map(|value| value.indices("[columns, rows]"))
            .transpose()?,
        name,
    })
}

fn model(
    source: &Source,
    keys: &Keys,
    name: String,
    remarks: &mut Notes,
) -> Result<ModelEntry, Error> {
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
        .map_or(Ok([0.0; 3]), |value| value.numbers("metres [x, y, z]"))?;
    Ok(ModelEntry {
        location: keys.location(),
        keys: keys.locations(&MODEL_KEYS),
        layers: layers(keys)?,
        file: file(source, &keys.need("file")?)?,
        translation: DVec3::from(translation),
        above_ground: above_ground(source, keys)?,
        rotation: rotation(source, keys, remarks)?,
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
