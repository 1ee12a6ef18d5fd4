//! Reads the text of a scene file into [`SceneFile`].
//!
//! Every fault is reported with its line and column. No other file is opened here; that is `load.rs`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::entry::{ModelEntry, SceneFile};
use super::faults::Faults;
use super::keys::{Keys, Source, Value};
use super::location::Location;
use super::names::Names;
use super::parse_camera::{CAMERA_KEYS, camera};
use super::parse_compound::{COMPOUND_KEYS, Compounds, PART, PART_KEYS, compound};
use super::parse_crowd::{CROWD_KEYS, crowd};
use super::parse_hull::{HULL_KEYS, hull};
use super::parse_primitives::{
    BOX_KEYS, CAPSULE_KEYS, CYLINDER_KEYS, OBB_KEYS, SPHERE_KEYS, aabb, capsule, cylinder, obb,
    sphere,
};
use super::parse_terrain::{TERRAIN_KEYS, terrain};
use super::parse_world::{WORLD_KEYS, world};
use super::pieces::Pieces;
use super::plain_table::plain_table;
use super::rotation::rotation;
use super::shared_keys::{clip_choice, colliders, file, layers, scale, surface, translation, up};
use super::table::Table;
use crate::Error;
use crate::model_file::Notes;

/// The tables of a scene file, and the keys of each.
///
/// ```
/// use hitscan_assets::scene::TABLE_KEYS;
/// let spheres = TABLE_KEYS.iter().find(|(table, _)| *table == "sphere");
/// assert_eq!(spheres.unwrap().1, ["name", "center", "radius", "layers"]);
/// ```
pub const TABLE_KEYS: [(&str, &[&str]); 14] = [
    ("world", &WORLD_KEYS),
    ("camera", &CAMERA_KEYS),
    ("terrain", &TERRAIN_KEYS),
    ("model", &MODEL_KEYS),
    ("sphere", &SPHERE_KEYS),
    ("box", &BOX_KEYS),
    ("capsule", &CAPSULE_KEYS),
    ("obb", &OBB_KEYS),
    // The alias of `obb` that scene files had first.
    ("turned_box", &OBB_KEYS),
    ("crowd", &CROWD_KEYS),
    ("hull", &HULL_KEYS),
    ("cylinder", &CYLINDER_KEYS),
    ("compound", &COMPOUND_KEYS),
    (PART, &PART_KEYS),
];
/// Tables that a scene has at most once.
const SINGLE: [&str; 2] = ["world", "camera"];
const MODEL_KEYS: [&str; 15] = [
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
    "colliders",
    "layers",
    "surface",
];
impl SceneFile {
    /// Reads the text of the scene file at `path`; paths in it are relative to that file's folder.
    ///
    /// # Errors
    /// For text that is no TOML, unknown tables and keys, values of the wrong type, not finite, or
    /// not those of a shape, and names that are not unique: with line and column.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Error> {
        Self::parse_with(path, text, &mut Faults::end_at_first())
    }

    /// As [`SceneFile::parse`]; tables with collected faults are skipped.
    pub(super) fn parse_with(path: &Path, text: &str, faults: &mut Faults) -> Result<Self, Error> {
        let pieces = Pieces::new(text);
        let mut parser = Parser {
            names: Names::with_capacity(pieces.estimate()),
            ..Parser::default()
        };
        for piece in pieces {
            let source = Source::new(path, piece);
            parser.read_piece(&source);
            for fault in source.into_faults() {
                faults.keep::<()>(Err(fault))?;
            }
        }
        faults.keep(parser.compounds.end(path))?;
        if parser.hides_terrain || parser.left_out.contains_key("terrains") {
            faults.hide_ground();
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
    /// The tables of [`SINGLE`] so far.
    singles: Vec<&'static str>,
    compounds: Compounds,
    /// The lists whose tables were skipped, and how many.
    left_out: BTreeMap<&'static str, usize>,
    /// Whether a piece was skipped that may be a terrain.
    hides_terrain: bool,
}

impl Parser {
    fn read_piece(&mut self, source: &Source) {
        if let Some((kind, table)) = plain_table(source.text())
            && let Some((kind, _)) = TABLE_KEYS.iter().find(|(known, _)| *known == kind)
            && !SINGLE.contains(kind)
            && !self.arrays.contains(&array_of(kind))
        {
            return self.read_table(source, kind, &table);
        }
        let has_header = source.has_header();
        let root = match DeTable::parse(source.text()) {
            Ok(root) => root,
            Err(error) => {
                let location = source.location(&error.span().unwrap_or_default());
                let hint = source.path_hint(error.span());
                let message = format!("{}{hint}", error.message());
                let fault = Error::undecodable(source.path, location, "a scene in TOML", message);
                self.hides_terrain = true;
                return source.add_fault(fault);
            }
        };
        let mut entries: Vec<_> = root.get_ref().iter().collect();
        // In the text's order, so that the first fault is the one that is reported.
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let mut kinds = TABLE_KEYS.iter().map(|(kind, _)| kind);
            let Some(kind) = kinds.find(|kind| *kind == key.get_ref() && **kind != PART) else {
                let known = TABLE_KEYS.map(|(kind, _)| kind);
                source.add_fault(source.unknown("table", key, &known));
                // It may have been meant for terrain.
                self.hides_terrain = true;
                continue;
            };
            if SINGLE.contains(kind) {
                self.read_single(source, kind, key, value);
                continue;
            }
            let is_array = self.arrays.contains(kind);
            if has_header
                && !is_array
                && let Some((key, value)) = parts_alone(kind, value)
            {
                match tables(source, PART, key, value) {
                    Ok(tables) => tables.into_iter().for_each(|(table, span)| {
                        self.read_table(source, PART, &Table::of(table, span));
                    }),
                    Err(fault) => source.add_fault(fault),
                }
                continue;
            }
            if !has_header {
                self.arrays.push(kind);
            } else if is_array {
                let expected = format!("`[[{kind}]]` or `{kind} = [...]`");
                source.add_fault(source.malformed(&key.span(), expected, "both"));
                self.hides_terrain |= *kind == "terrain";
                continue;
            }
            match tables(source, kind, key, value) {
                Ok(tables) => tables.into_iter().for_each(|(table, span)| {
                    self.read_table(source, kind, &Table::of(table, span));
                }),
                Err(fault) => {
                    source.add_fault(fault);
                    self.hides_terrain |= *kind == "terrain";
                }
            }
        }
    }

    fn read_single(
        &mut self,
        source: &Source,
        kind: &'static str,
        key: &Spanned<impl AsRef<str>>,
        value: &Spanned<DeValue>,
    ) {
        let expected = || format!("one table, under `[{kind}]`");
        let one = |found| source.malformed(&key.span(), expected(), found);
        let DeValue::Table(table) = value.get_ref() else {
            return source.add_fault(one(value.get_ref().type_str()));
        };
        // Each piece of the text is parsed by itself, which does not see a second one.
        if self.singles.contains(&kind) {
            return source.add_fault(one("a second one"));
        }
        self.singles.push(kind);
        let table = Table::of(table, value.span());
        if kind == "camera" {
            self.file.camera = Some(camera(&Keys::new(source, &table, &CAMERA_KEYS)));
            return;
        }
        world(&Keys::new(source, &table, &WORLD_KEYS), &mut self.file);
    }

    fn read_table(&mut self, source: &Source, kind: &str, table: &Table) {
        macro_rules! read {
            ($list:ident, $known:expr, |$keys:ident, $name:ident| $entry:expr) => {{
                const LIST: &str = stringify!($list);
                let $keys = &Keys::new(source, table, &$known);
                let left_out = self.left_out.get(LIST).copied();
                let index = self.file.$list.len() + left_out.unwrap_or(0);
                let $name = $keys.kept(self.name(source, $keys, kind, index));
                let entry = $entry;
                match $keys.is_sound() {
                    true => self.file.$list.push(entry),
                    false => *self.left_out.entry(LIST).or_default() += 1,
                }
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
            "hull" => read!(hulls, HULL_KEYS, |keys, name| hull(
                source,
                keys,
                name,
                &mut self.remarks
            )),
            "cylinder" => read!(cylinders, CYLINDER_KEYS, |keys, name| cylinder(keys, name)),
            "compound" => {
                let before = self.file.compounds.len();
                read!(compounds, COMPOUND_KEYS, |keys, name| compound(
                    source,
                    keys,
                    name,
                    &mut self.remarks
                ));
                let is_kept = self.file.compounds.len() > before;
                let kept = (&mut self.file.compounds[..], is_kept);
                (self.compounds).begin(source, table, kept, &mut self.remarks);
            }
            PART => {
                let kept = &mut self.file.compounds[..];
                (self.compounds).read_part(source, table, kept, &mut self.remarks);
            }
            _ => read!(crowds, CROWD_KEYS, |keys, name| crowd(source, keys, name)),
        }
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

/// The kind that is an array where this one is.
fn array_of(kind: &'static str) -> &'static str {
    if kind == PART { "compound" } else { kind }
}

/// The key and the value of the parts in a piece that begins with their header.
fn parts_alone<'a>(
    kind: &str,
    value: &'a Spanned<DeValue<'a>>,
) -> Option<(&'a Spanned<DeString<'a>>, &'a Spanned<DeValue<'a>>)> {
    let DeValue::Table(table) = value.get_ref() else {
        return None;
    };
    let is_alone = kind == "compound" && table.len() == 1;
    table
        .iter()
        .next()
        .filter(|(key, _)| is_alone && key.get_ref() == "part")
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

fn model(source: &Source, keys: &Keys, name: String, remarks: &mut Notes) -> ModelEntry {
    let time = keys.get("time");
    let clip = match (keys.get("clip"), &time) {
        (Some(clip), time) => {
            let secs = keys.kept(time.as_ref().map_or(Ok(0.0), Value::number));
            keys.kept(clip_choice(&clip).map(|clip| Some((clip, secs))))
        }
        (None, Some(time)) => {
            let found = "`time` without a `clip`";
            let expected = "a `clip` that the time belongs to";
            source.add_fault(source.malformed(&time.span(), expected, found));
            None
        }
        (None, None) => None,
    };
    ModelEntry {
        translation: keys.kept(translation(keys)),
        location: keys.location(),
        keys: keys.locations(&MODEL_KEYS),
        layers: keys.kept(layers(keys)),
        surface: keys.kept(surface(keys)),
        file: keys.kept(keys.need("file").and_then(|value| file(source, &value))),
        above_ground: keys.kept(above_ground(source, keys)),
        rotation: keys.kept(rotation(source, keys, remarks)),
        scale: keys.kept(scale(keys)),
        up: keys.kept(up(keys)),
        scene: keys.kept(keys.get("scene").map(|value| value.index()).transpose()),
        clip,
        colliders: keys.kept(colliders(keys)),
        name,
    }
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
