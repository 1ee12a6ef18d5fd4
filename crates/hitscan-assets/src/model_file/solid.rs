//! A model that does not move: what the readers of OBJ, STL and PLY build.
//!
//! One node at rest holds all parts. Reading text and bytes is the formats' own business.

use std::collections::HashSet;
use std::path::Path;

use glam::Vec3;
use hitscan::model::{ModelData, NodeData, PartData};

use super::{Notes, Remarks};
use crate::Error;

/// The largest magnitude of a coordinate that shapes are made of, metres.
pub(crate) const MAX_COORDINATE: f32 = 1e18;

/// Parts on one node.
#[derive(Debug)]
pub(crate) struct Solid {
    name: String,
    parts: Vec<PartData>,
    names: HashSet<String>,
    pub(crate) notes: Notes,
}

impl Solid {
    /// A model without parts, named after its file.
    pub(crate) fn new(path: &Path) -> Self {
        let stem = path.file_stem().unwrap_or_default();
        Self {
            name: stem.to_string_lossy().into_owned(),
            parts: Vec::new(),
            names: HashSet::new(),
            notes: Notes::default(),
        }
    }

    /// Appends a part called `name`, or after the file; a name that is taken gets `#<part>`.
    pub(crate) fn push(
        &mut self,
        name: Option<String>,
        positions: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
    ) {
        let mut name = name.unwrap_or_else(|| self.name.clone());
        while !self.names.insert(name.clone()) {
            name.push_str(&format!("#{}", self.parts.len()));
        }
        self.parts.push(PartData {
            name,
            positions,
            triangles,
            ..PartData::default()
        });
    }

    /// The parts so far.
    #[cfg(test)]
    pub(crate) fn parts(&self) -> &[PartData] {
        &self.parts
    }

    /// The data, and what was noted.
    pub(crate) fn into_data(self) -> (ModelData, Remarks) {
        let data = ModelData {
            nodes: vec![NodeData {
                name: Some(self.name),
                ..NodeData::default()
            }],
            parts: self.parts,
            ..ModelData::default()
        };
        (data, self.notes.into_remarks())
    }
}

/// Checks that `value` can be a coordinate.
pub(crate) fn coordinate(
    path: &Path,
    value: f32,
    location: impl FnOnce() -> String,
) -> Result<f32, Error> {
    // NaN is not below any limit.
    if value.abs() <= MAX_COORDINATE {
        return Ok(value);
    }
    let expected = format!("a coordinate within ±{MAX_COORDINATE:e}");
    Err(Error::malformed(
        path,
        location(),
        expected,
        value.to_string(),
    ))
}
