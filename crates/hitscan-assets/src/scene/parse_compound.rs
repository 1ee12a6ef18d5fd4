//! The parser of the `[[compound]]` tables of a scene file, and of those of their parts, which are read
//! with the compound that precedes them.

use std::collections::BTreeMap;
use std::path::Path;

use hitscan::{Aabb, Capsule, Cylinder, Obb, Primitive, Sphere};

use super::hull_entry::{CompoundEntry, PartEntry, PartSolid};
use super::keys::{Keys, Source};
use super::location::Location;
use super::parse_hull::hull;
use super::parse_primitives::{aabb, capsule, cylinder, obb, sphere};
use super::rotation::rotation;
use super::shared_keys::{layers, node_choice, scale, translation};
use super::table::{Item, Table};
use crate::Error;
use crate::model_file::Notes;

/// The table of a part.
pub(super) const PART: &str = "compound.part";

pub(super) const COMPOUND_KEYS: [&str; 8] = [
    "name",
    "part",
    "model",
    "translation",
    "rotation",
    "euler_degrees",
    "scale",
    "layers",
];
/// The keys of parts of all shapes.
pub(super) const PART_KEYS: [&str; 17] = [
    "name",
    "shape",
    "node",
    "center",
    "radius",
    "min",
    "max",
    "half_size",
    "rotation",
    "euler_degrees",
    "a",
    "b",
    "points",
    "file",
    "max_corners",
    "translation",
    "scale",
];
/// The keys of a part of each shape: those of such an object, without its layers.
const SHAPES: [(&str, &[&str]); 7] = [
    ("sphere", &["name", "shape", "node", "center", "radius"]),
    ("box", &["name", "shape", "node", "min", "max"]),
    ("capsule", &["name", "shape", "node", "a", "b", "radius"]),
    ("cylinder", &["name", "shape", "node", "a", "b", "radius"]),
    ("obb", &OBB_KEYS),
    ("turned_box", &OBB_KEYS),
    (
        "hull",
        &[
            "name",
            "shape",
            "node",
            "points",
            "file",
            "radius",
            "max_corners",
            "translation",
            "rotation",
            "euler_degrees",
            "scale",
        ],
    ),
];
const OBB_KEYS: [&str; 7] = [
    "name",
    "shape",
    "node",
    "center",
    "half_size",
    "rotation",
    "euler_degrees",
];
/// What a shape may be, in messages.
const SHAPE_NAMES: &str =
    "\"sphere\", \"box\", \"capsule\", \"cylinder\", \"obb\", \"turned_box\" or \"hull\"";

/// A compound without its parts.
pub(super) fn compound(
    source: &Source,
    keys: &Keys,
    name: String,
    remarks: &mut Notes,
) -> CompoundEntry {
    CompoundEntry {
        location: keys.location(),
        keys: keys.locations(&COMPOUND_KEYS),
        layers: keys.kept(layers(keys)),
        parts: Vec::new(),
        model: keys.kept(model(source, keys)),
        translation: keys.kept(translation(keys)),
        rotation: keys.kept(rotation(source, keys, remarks)),
        scale: keys.kept(scale(keys)),
        name,
    }
}

/// The model that a compound is on, which then places it.
fn model(source: &Source, keys: &Keys) -> Result<Option<String>, Error> {
    let Some(value) = keys.get("model") else {
        return Ok(None);
    };
    let places = ["translation", "rotation", "euler_degrees", "scale"];
    if let Some(place) = places.into_iter().find_map(|key| keys.get(key)) {
        let expected = "either `model`, whose place the compound then has, or a place of its own";
        return Err(source.malformed(&place.span(), expected, "both"));
    }
    Ok(Some(value.string()?.to_owned()))
}

/// The compounds of a text: that whose parts are read.
#[derive(Default)]
pub(super) struct Compounds {
    last: Option<LastCompound>,
}

struct LastCompound {
    location: Location,
    /// Whether it is the last in the list, and not skipped.
    is_kept: bool,
    /// Whether its parts are in its own table.
    has_own_parts: bool,
    parts: PartNames,
}

/// The names of a compound's parts so far.
#[derive(Default)]
struct PartNames {
    /// How many parts there are, those with another's name too.
    count: usize,
    /// Where the first of each name is.
    locations: BTreeMap<String, Location>,
}

impl Compounds {
    /// Begins a compound, which is the last of those that are kept if it is kept, and reads the parts that its own
    /// table has.
    pub(super) fn begin(
        &mut self,
        source: &Source,
        table: &Table,
        (kept, is_kept): (&mut [CompoundEntry], bool),
        remarks: &mut Notes,
    ) {
        if let Err(fault) = self.end(source.path) {
            source.add_fault(fault);
        }
        // Keys that are unknown are faults already.
        let all: Vec<&str> = table
            .entries
            .iter()
            .map(|(key, _)| *key.get_ref())
            .collect();
        let keys = Keys::new(source, table, &all);
        let own_parts = keys.get("part");
        self.last = Some(LastCompound {
            location: keys.location(),
            is_kept,
            has_own_parts: false,
            parts: PartNames::default(),
        });
        let Some(own_parts) = own_parts else { return };
        match own_parts.tables() {
            Ok(tables) => tables
                .into_iter()
                .for_each(|table| self.read_part(source, table, kept, remarks)),
            Err(fault) => source.add_fault(fault),
        }
        if let Some(last) = &mut self.last {
            last.has_own_parts = true;
        }
    }

    /// Reads a part of the compound that was read last.
    pub(super) fn read_part(
        &mut self,
        source: &Source,
        table: &Table,
        kept: &mut [CompoundEntry],
        remarks: &mut Notes,
    ) {
        let malformed =
            |expected, found| source.add_fault(source.malformed(&table.span, expected, found));
        let Some(last) = &mut self.last else {
            return malformed("a `[[compound]]` before its parts", "none");
        };
        if last.has_own_parts {
            return malformed("either `part = [...]` or `[[compound.part]]`", "both");
        }
        let part = part(source, table, &mut last.parts, remarks);
        if let Some(part) = part.filter(|_| last.is_kept)
            && let Some(compound) = kept.last_mut()
        {
            compound.parts.push(part);
        }
    }

    /// Ends the compound that was read last.
    ///
    /// # Errors
    /// Where it has no part.
    pub(super) fn end(&mut self, path: &Path) -> Result<(), Error> {
        match self.last.take() {
            Some(last) if last.parts.count == 0 && !last.has_own_parts => {
                let what = "a part, under `[[compound.part]]`";
                Err(Error::missing(path, last.location, what))
            }
            _ => Ok(()),
        }
    }
}

/// A part, if its table is sound; its name is added to those before.
fn part(
    source: &Source,
    table: &Table,
    parts: &mut PartNames,
    remarks: &mut Notes,
) -> Option<PartEntry> {
    let mut entries = table.entries.iter();
    let shape = entries.find(|(key, _)| *key.get_ref() == "shape");
    let shape = shape.and_then(|(_, shape)| match shape.get_ref() {
        Item::String(shape) => SHAPES.iter().find(|(known, _)| known == shape),
        _ => None,
    });
    let keys = &Keys::new(source, table, shape.map_or(&PART_KEYS, |(_, keys)| keys));
    let name = keys.kept(part_name(source, keys, parts));
    parts.count += 1;
    let locations = &mut parts.locations;
    locations.entry(name.clone()).or_insert(keys.location());
    let Some((shape, _)) = shape else {
        let given = keys.need("shape");
        keys.kept::<()>(given.and_then(|value| Err(value.wrong(SHAPE_NAMES))));
        return None;
    };
    let node = keys.kept(keys.get("node").as_ref().map(node_choice).transpose());
    let entry = |solid| {
        keys.is_sound().then(|| PartEntry {
            name: name.clone(),
            location: keys.location(),
            solid,
            node: node.clone(),
            keys: keys.locations(&["node"]),
        })
    };
    let unnamed = String::new();
    let solid = match *shape {
        "sphere" => {
            let entry = sphere(keys, unnamed);
            Sphere::new(entry.center, entry.radius).map(Primitive::from)
        }
        "box" => {
            let entry = aabb(keys, unnamed);
            Aabb::new(entry.min, entry.max).map(Primitive::from)
        }
        "capsule" => {
            let entry = capsule(keys, unnamed);
            Capsule::new(entry.a, entry.b, entry.radius).map(Primitive::from)
        }
        "cylinder" => {
            let entry = cylinder(keys, unnamed);
            Cylinder::new(entry.a, entry.b, entry.radius).map(Primitive::from)
        }
        "hull" => {
            return entry(PartSolid::Hull(hull(source, keys, unnamed, remarks)));
        }
        _ => {
            let entry = obb(source, keys, unnamed, remarks);
            Obb::new(entry.center, entry.half_size, entry.rotation).map(Primitive::from)
        }
    };
    // What the shape refuses is a fault already.
    entry(PartSolid::Primitive(solid.ok()?))
}

/// The name of a part, or its number.
fn part_name(source: &Source, keys: &Keys, parts: &PartNames) -> Result<String, Error> {
    let Some(value) = keys.get("name") else {
        return free_name(source, keys, parts, format!("part{}", parts.count));
    };
    let name = value.string()?;
    if name.is_empty() || name.contains(';') {
        return Err(value.wrong("a name that is not empty, without `;`,"));
    }
    free_name(source, keys, parts, name.to_owned())
}

fn free_name(
    source: &Source,
    keys: &Keys,
    parts: &PartNames,
    name: String,
) -> Result<String, Error> {
    let Some(other) = parts.locations.get(&name) else {
        return Ok(name);
    };
    let span = keys
        .get("name")
        .map_or_else(|| keys.span().clone(), |value| value.span());
    let found = format!("the name `{name}` again, which a part at {other} has");
    Err(source.malformed(&span, "a name of its own in the compound", found))
}
