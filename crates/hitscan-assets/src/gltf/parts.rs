//! Parts: the primitives of the nodes that are shown, in the order of node, then primitive.
//!
//! Names are made unique here. What one primitive holds is read in
//! `primitive.rs`, how vertices follow joints in `influences.rs`.

use std::collections::HashSet;

use hitscan::model::PartData;

use super::Source;
use super::accessors::Accessors;
use super::colors::{self, Materials};
use super::document::Node;
use super::influences;
use super::primitive::{Location, Reader, TRIANGLES};
use crate::model_file::Notes;
use crate::{Error, PartColors};

/// Reads the parts of all nodes that are shown, and their colours.
pub(super) fn read(
    source: Source<'_>,
    accessors: Accessors<'_>,
    is_shown: &[bool],
    notes: &mut Notes,
) -> Result<(Vec<PartData>, Vec<PartColors>), Error> {
    let document = source.document;
    let materials = Materials::new(source);
    let (mut parts, mut all_colors) = (Vec::new(), Vec::new());
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
                location: Location { mesh_index, index },
            };
            let name = part_name(source, node_index, index, &names);
            let bytes = size_of::<PartData>() + 2 * name.len();
            accessors.charge(bytes, || reader.location.to_string())?;
            if let Some(mut part) = read_primitive(&reader, node, notes)? {
                names.insert(name.clone());
                part.name = name;
                part.node = node_index;
                let vertices = part.positions.len();
                parts.push(part);
                all_colors.push(colors::read(
                    source, accessors, &materials, primitive, vertices,
                ));
            }
        }
    }
    Ok((parts, all_colors))
}

/// The name of a primitive of a node: the node's, else its mesh's, else `node<index>`; which of
/// several primitives it is; and the node's index where that name is taken.
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

/// The part, still without name and node, or `None` where the primitive has no surface.
fn read_primitive(
    reader: &Reader<'_>,
    node: &Node,
    notes: &mut Notes,
) -> Result<Option<PartData>, Error> {
    let mode = reader.primitive.mode.unwrap_or(TRIANGLES);
    let location = || reader.location.to_string();
    if mode < TRIANGLES {
        notes.add(
            "is of points or lines, which nothing can hit, and left out",
            location,
        );
        return Ok(None);
    }
    let Some(&positions) = reader.primitive.attributes.get("POSITION") else {
        notes.add("has no positions and is left out", location);
        return Ok(None);
    };
    reader.require_uncompressed(positions)?;
    let positions = reader.vectors(positions)?;
    let triangles = reader.triangles(mode, positions.len())?;
    let morph_targets = reader.morph_targets(positions.len())?;
    let skin = match node.skin {
        Some(skin) => influences::read(reader, skin, positions.len(), notes)?,
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
