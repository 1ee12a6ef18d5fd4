//! The `[[hull]]` and `[[compound]]` tables of a scene file as plain values.

use std::path::PathBuf;

use glam::{DQuat, DVec3, Vec3};
use hitscan::Primitive;

use super::location::{KeyLocations, Location};

/// A `[[hull]]` table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct HullEntry {
    /// The object's name.
    pub name: String,
    /// The location of the table in the file, for messages.
    pub location: Location,
    /// The layers that the object is in, a bit each.
    pub layers: u32,
    /// What it is the hull of.
    pub points: HullPoints,
    /// All within it of the hull is solid, metres, before the scale.
    pub radius: f64,
    /// At most so many corners, with all points inside.
    pub max_corners: Option<usize>,
    /// Metres.
    pub translation: DVec3,
    /// Of unit length.
    pub rotation: DQuat,
    /// One factor an axis, none of them zero.
    pub scale: DVec3,
    /// Where the values are, for messages.
    pub(super) keys: KeyLocations,
}

/// What a hull is of.
#[derive(Debug, Clone, PartialEq)]
pub enum HullPoints {
    /// Points, metres, the nearest f32 to the numbers in the file.
    Given(Vec<Vec3>),
    /// A table of points, or a model.
    File(PathBuf),
}

impl HullEntry {
    /// Where the value of `key` is, or the table.
    pub(super) fn locate(&self, key: &str) -> Location {
        self.keys.of(key).unwrap_or(self.location)
    }
}

/// A `[[compound]]` table, with those of its parts.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CompoundEntry {
    /// The object's name.
    pub name: String,
    /// The location of the table in the file, for messages.
    pub location: Location,
    /// The layers that the object is in, a bit each.
    pub layers: u32,
    /// One at least, in the file's order.
    pub parts: Vec<PartEntry>,
    /// The name of the model whose place and pose it has; then translation, rotation and scale are those of nothing.
    pub model: Option<String>,
    /// Metres.
    pub translation: DVec3,
    /// Of unit length.
    pub rotation: DQuat,
    /// One factor an axis, none of them zero.
    pub scale: DVec3,
    /// Where the values are, for messages.
    pub(super) keys: KeyLocations,
}

/// A `[[compound.part]]` table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PartEntry {
    /// The part's name, its compound's alone.
    pub name: String,
    /// The location of the table in the file, for messages.
    pub location: Location,
    /// What it is, in the compound's own space, or its node's.
    pub solid: PartSolid,
    /// The node of the compound's model that it moves with.
    pub node: Option<NodeChoice>,
    /// Where the values are, for messages.
    pub(super) keys: KeyLocations,
}

/// Which node of a model.
#[derive(Debug, Clone, PartialEq)]
pub enum NodeChoice {
    /// The first node of this name.
    Name(String),
    /// The node of this index in the file.
    Index(usize),
}

/// What a part of a compound is.
#[derive(Debug, Clone, PartialEq)]
pub enum PartSolid {
    /// A sphere, a box, an oriented box, a capsule or a cylinder.
    Primitive(Primitive),
    /// A convex hull; its name and its layers are those of no object.
    Hull(HullEntry),
}

impl CompoundEntry {
    /// Where the value of `key` is, or the table.
    pub(super) fn locate(&self, key: &str) -> Location {
        self.keys.of(key).unwrap_or(self.location)
    }
}

impl PartEntry {
    /// Where the value of `key` is, or the table.
    pub(super) fn locate(&self, key: &str) -> Location {
        self.keys.of(key).unwrap_or(self.location)
    }
}
