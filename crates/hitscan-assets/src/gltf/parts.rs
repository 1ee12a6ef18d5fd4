//! Parts: the primitives of the nodes that are shown, in the order of node, instance, primitive.
//!
//! Names are made unique here; those of instances end in `[0]`, `[1]` and so on. What one primitive holds is read in
//! `primitive.rs`, how vertices follow joints in `influences.rs`.

use std::collections::HashSet;
use std::sync::Arc;

use glam::Vec3;
use hitscan::model::PartData;

use super::Source;
use super::accessors::Accessors;
use super::colors::{self, Materials};
use super::document::Node;
use super::influences;
use super::instances::Instances;
use super::primitive::{Location, Reader, TRIANGLES};
use crate::model_file::Notes;
use crate::{Error, PartColors, PrimitiveIndex};

/// Reads the parts of all nodes that are shown, and their colours.
pub(super) fn read(
    source: Source<'_>,
    accessors: Accessors<'_>,
    is_shown: &[bool],
    instances: &Instances,
    notes: &mut Notes,
) -> Result<(Vec<PartData>, Vec<Arc<PartColors>>), Error> {
    let document = source.document;
    let materials = Materials::new(source);
    let mut list = List::default();
    let shown = document.nodes.iter().enumerate().zip(is_shown);
    for ((node_index, node), _) in shown.filter(|(_, is_shown)| **is_shown) {
        let Some(mesh_index) = node.mesh else {
            continue;
        };
        let primitives = document.meshes[mesh_index].primitives.iter().enumerate();
        let mut surfaces = Vec::new();
        for (index, primitive) in primitives {
            let reader = Reader {
                source,
                accessors,
                primitive,
                location: Location { mesh_index, index },
            };
            let name = primitive_name(source, node_index, index);
            let bytes = size_of::<PartData>() + 2 * name.len();
            accessors.charge(bytes, || reader.location.to_string())?;
            if let Some(part) = read_primitive(&reader, node, notes)? {
                let vertices = part.positions.len();
                let place = PrimitiveIndex {
                    mesh: mesh_index,
                    primitive: index,
                };
                let primitive = (primitive, place);
                let colors = colors::read(source, accessors, &materials, primitive, vertices);
                surfaces.push(Surface {
                    name,
                    part,
                    colors: Arc::new(colors),
                });
            }
        }
        match instances[node_index] {
            None => {
                for surface in surfaces {
                    list.push(
                        surface.name,
                        node_index,
                        node_index,
                        surface.part,
                        surface.colors,
                    );
                }
            }
            Some(nodes) => push_instances(accessors, &mut list, node_index, nodes, surfaces)?,
        }
    }
    Ok((list.parts, list.colors))
}

/// A primitive as it was read.
struct Surface {
    name: String,
    part: PartData,
    colors: Arc<PartColors>,
}

/// The parts so far, their colours and names.
#[derive(Default)]
struct List {
    parts: Vec<PartData>,
    colors: Vec<Arc<PartColors>>,
    names: HashSet<String>,
}

impl List {
    /// Appends a part of `node`. Where its name is taken it gets the index of the file's node.
    fn push(
        &mut self,
        mut name: String,
        file_node: usize,
        node: usize,
        part: PartData,
        colors: Arc<PartColors>,
    ) {
        while !self.names.insert(name.clone()) {
            name.push_str(&format!("#{file_node}"));
        }
        self.parts.push(PartData { name, node, ..part });
        self.colors.push(colors);
    }
}

/// Appends the parts of all instances of a node: for each instance one of each primitive, which all
/// share the primitive's mesh unless morph targets deform it.
fn push_instances(
    accessors: Accessors<'_>,
    list: &mut List,
    file_node: usize,
    [first, count]: [usize; 2],
    surfaces: Vec<Surface>,
) -> Result<(), Error> {
    let owners = list.parts.len();
    let mut surfaces = surfaces;
    for instance in 0..count {
        for (index, surface) in surfaces.iter_mut().enumerate() {
            let name = format!("{}[{instance}]", surface.name);
            let colors = Arc::clone(&surface.colors);
            let surface = &mut surface.part;
            let part = if !surface.morph_targets.is_empty() {
                let vectors = surface.positions.len() * (1 + surface.morph_targets.len());
                let bytes = size_of::<Vec3>() * vectors + 12 * surface.triangles.len();
                accessors.charge(bytes, || format!("nodes[{file_node}]"))?;
                surface.clone()
            } else if instance == 0 {
                std::mem::take(surface)
            } else {
                PartData {
                    mesh_of: Some(owners + index),
                    ..PartData::default()
                }
            };
            list.push(name, file_node, first + instance, part, colors);
        }
    }
    Ok(())
}

/// The name of a primitive of a node: the node's, else its mesh's, else `node<index>`; and which of
/// several primitives it is.
fn primitive_name(source: Source<'_>, node_index: usize, primitive: usize) -> String {
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
