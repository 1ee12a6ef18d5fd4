//! Parts: the primitives of the nodes that are shown, in the order of node, then primitive.
//!
//! Strips and fans are unrolled and names made unique here, as the contract says. How vertices
//! follow joints is in `influences.rs`.

use std::collections::HashSet;

use glam::Vec3;
use hitscan::model::PartData;

use super::Source;
use super::accessors::Accessors;
use super::document::{Node, Primitive};
use super::influences;
use super::layout::Shape;
use crate::Error;
use crate::model_file::{MAX_COORDINATE, Notes};

/// What `mode` says where it is absent.
const TRIANGLES: u32 = 4;

/// Reads the parts of all nodes that are shown.
pub(super) fn read(
    source: Source<'_>,
    accessors: Accessors<'_>,
    is_shown: &[bool],
    notes: &mut Notes,
) -> Result<Vec<PartData>, Error> {
    let document = source.document;
    let mut parts = Vec::new();
    let mut names = HashSet::new();
    let shown = document.nodes.iter().enumerate().zip(is_shown);
    for ((node_index, node), _) in shown.filter(|(_, is_shown)| **is_shown) {
        let Some(mesh_index) = node.mesh else {
            continue;
        };
        let primitives = &document.meshes[mesh_index].primitives;
        for (index, primitive) in primitives.iter().enumerate() {
            let reader = Reader {
                source,
                accessors,
                primitive,
                place: Place { mesh_index, index },
            };
            let name = part_name(source, node_index, index, &names);
            let bytes = size_of::<PartData>() + 2 * name.len();
            accessors.charge(bytes, || reader.place.to_string())?;
            if let Some(mut part) = reader.read(node, notes)? {
                names.insert(name.clone());
                part.name = name;
                part.node = node_index;
                parts.push(part);
            }
        }
    }
    Ok(parts)
}

/// The name of a primitive of a node: the node's, else its mesh's, else `node<index>`; which of
/// several primitives it is; and the node's index where that name stood before.
fn part_name(
    source: Source<'_>,
    node_index: usize,
    primitive: usize,
    names: &HashSet<String>,
) -> String {
    let document = source.document;
    let node = &document.nodes[node_index];
    let mesh = node.mesh.map(|mesh| &document.meshes[mesh]);
    let own = [Some(&node.name), mesh.map(|mesh| &mesh.name)];
    let own = own
        .into_iter()
        .flatten()
        .flatten()
        .find(|name| !name.is_empty());
    let mut name = own.map_or_else(|| format!("node{node_index}"), Clone::clone);
    if mesh.is_some_and(|mesh| mesh.primitives.len() > 1) {
        name.push_str(&format!(".{primitive}"));
    }
    while names.contains(&name) {
        name.push_str(&format!("#{node_index}"));
    }
    name
}

/// Which primitive is read, for messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    mesh_index: usize,
    index: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "meshes[{}].primitives[{}]", self.mesh_index, self.index)
    }
}

/// Reads one primitive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) source: Source<'a>,
    pub(super) accessors: Accessors<'a>,
    pub(super) primitive: &'a Primitive,
    pub(super) place: Place,
}

impl Reader<'_> {
    /// The part, still without name and node, or `None` where the primitive has no surface.
    fn read(&self, node: &Node, notes: &mut Notes) -> Result<Option<PartData>, Error> {
        let mode = self.primitive.mode.unwrap_or(TRIANGLES);
        let place = || self.place.to_string();
        if mode < TRIANGLES {
            notes.add(
                "is of points or lines, which nothing can hit, and left out",
                place,
            );
            return Ok(None);
        }
        let Some(&positions) = self.primitive.attributes.get("POSITION") else {
            notes.add("has no positions and is left out", place);
            return Ok(None);
        };
        self.require_uncompressed(positions)?;
        let positions = self.vectors(positions)?;
        let triangles = self.triangles(mode, positions.len())?;
        let morph_targets = self.morph_targets(positions.len())?;
        let skin = match node.skin {
            Some(skin) => influences::read(self, skin, positions.len(), notes)?,
            None => None,
        };
        Ok(Some(PartData {
            positions,
            triangles,
            morph_targets,
            skin,
            ..PartData::default()
        }))
    }

    /// Refuses a primitive whose only content is compressed by Draco; what stands beside the
    /// compressed form for those who lack it is read.
    fn require_uncompressed(&self, positions: usize) -> Result<(), Error> {
        let accessors = [Some(positions), self.primitive.indices];
        let mut accessors = accessors.into_iter().flatten();
        if self.primitive.extensions.draco.is_none()
            || accessors.all(|accessor| self.accessors.has_content(accessor))
        {
            return Ok(());
        }
        let what = "the extension KHR_draco_mesh_compression";
        Err(Error::unsupported(
            self.source.path,
            self.place.to_string(),
            what,
        ))
    }

    /// An accessor's elements as positions or displacements.
    fn vectors(&self, accessor: usize) -> Result<Vec<Vec3>, Error> {
        let values = self.accessors.floats(accessor, Shape::Vec3)?;
        if let Some(at) = values.iter().position(|v| v.abs() > MAX_COORDINATE) {
            let place = self.accessors.element(accessor, at / 3);
            let expected = format!("a coordinate within ±{MAX_COORDINATE:e}");
            return Err(self
                .source
                .malformed(place, expected, values[at].to_string()));
        }
        let (vectors, _) = values.as_chunks::<3>();
        Ok(vectors.iter().copied().map(Vec3::from_array).collect())
    }

    fn triangles(&self, mode: u32, vertices: usize) -> Result<Vec<[u32; 3]>, Error> {
        let corners = match self.primitive.indices {
            Some(accessor) => self.indices(accessor, vertices)?,
            None => {
                let place = || format!("{}.attributes.POSITION", self.place);
                self.accessors.charge(vertices.saturating_mul(4), place)?;
                let end = u32::try_from(vertices).map_err(|_| {
                    let expected = "at most 4294967295 positions";
                    self.source
                        .malformed(place(), expected, vertices.to_string())
                })?;
                (0..end).collect()
            }
        };
        // At most one triangle starts at each corner.
        let bytes = corners.len().saturating_mul(size_of::<[u32; 3]>());
        self.accessors.charge(bytes, || self.place.to_string())?;
        unroll(mode, &corners).ok_or_else(|| {
            let place = format!("{}.mode", self.place);
            self.source.malformed(place, "0 to 6", mode.to_string())
        })
    }

    fn indices(&self, accessor: usize, vertices: usize) -> Result<Vec<u32>, Error> {
        let indices = self.accessors.integers(accessor, Shape::Scalar)?;
        let is_outside = |&index: &u32| usize::try_from(index).is_ok_and(|i| i >= vertices);
        if let Some(at) = indices.iter().position(is_outside) {
            let place = self.accessors.element(accessor, at);
            let expected = format!("the index of one of {vertices} positions");
            return Err(self
                .source
                .malformed(place, expected, indices[at].to_string()));
        }
        Ok(indices)
    }

    /// The displacements of each morph target; a target without positions displaces nothing.
    fn morph_targets(&self, vertices: usize) -> Result<Vec<Vec<Vec3>>, Error> {
        let mesh = &self.source.document.meshes[self.place.mesh_index];
        let count = super::nodes::target_count(mesh);
        let targets = &self.primitive.targets;
        if targets.len() != count {
            let place = format!("{}.targets", self.place);
            let expected = format!("{count} morph targets, as its mesh's first primitive has");
            return Err(self
                .source
                .malformed(place, expected, targets.len().to_string()));
        }
        let read = |(at, target): (usize, &super::document::Attributes)| {
            let place = || format!("{}.targets[{at}]", self.place);
            let Some(&accessor) = target.get("POSITION") else {
                let bytes = vertices.saturating_mul(size_of::<Vec3>());
                self.accessors.charge(bytes, place)?;
                return Ok(vec![Vec3::ZERO; vertices]);
            };
            self.require_count(accessor, vertices, place)?;
            self.vectors(accessor)
        };
        targets.iter().enumerate().map(read).collect()
    }

    /// Checks that `accessor` has an element for each position.
    pub(super) fn require_count(
        &self,
        accessor: usize,
        vertices: usize,
        place: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        let found = self.accessors.count(accessor);
        if found == vertices {
            return Ok(());
        }
        let expected = format!("one element for each of {vertices} positions");
        Err(self.source.malformed(place(), expected, found.to_string()))
    }
}

/// The triangles between corners, as glTF 2.0, 3.7.2.1 orders them, or `None` for another mode.
fn unroll(mode: u32, corners: &[u32]) -> Option<Vec<[u32; 3]>> {
    match mode {
        TRIANGLES => {
            let (triangles, _) = corners.as_chunks::<3>();
            Some(triangles.to_vec())
        }
        5 => {
            let strip = corners.windows(3).enumerate();
            let triangle = |(at, corners): (usize, &[u32])| match at % 2 {
                0 => [corners[0], corners[1], corners[2]],
                _ => [corners[0], corners[2], corners[1]],
            };
            Some(strip.map(triangle).collect())
        }
        6 => {
            let (&hub, rim) = corners.split_first()?;
            Some(rim.windows(2).map(|edge| [edge[0], edge[1], hub]).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_fans_are_unrolled_in_the_specified_corner_order() {
        // A strip 0-1-2-3-4 and a fan around 0:
        //
        //     1---3         2---3
        //    / \ / \       / \ / \
        //   0---2---4     1---0---4
        let corners = [0, 1, 2, 3, 4];
        let cases: [(u32, &[[u32; 3]]); 3] = [
            (4, &[[0, 1, 2]]),
            (5, &[[0, 1, 2], [1, 3, 2], [2, 3, 4]]),
            (6, &[[1, 2, 0], [2, 3, 0], [3, 4, 0]]),
        ];
        for (mode, triangles) in cases {
            assert_eq!(unroll(mode, &corners).as_deref(), Some(triangles), "{mode}");
            assert_eq!(
                unroll(mode, &corners[..2]).as_deref(),
                Some(&[][..]),
                "{mode}"
            );
        }
        assert_eq!(unroll(7, &corners), None);
    }
}
