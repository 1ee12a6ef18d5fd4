//! The node hierarchy: transforms, parents, and which nodes a scene shows.
//!
//! Nodes keep the file's indices whatever scene is chosen; only parts are omitted (`parts.rs`).

use glam::{DMat4, DQuat, DVec3, DVec4};
use hitscan::model::{NodeData, NodeTransform};

use super::Source;
use super::accessors::Accessors;
use super::document::{Mesh, Node};
use crate::Error;
use crate::model_file::Notes;

/// The scene to be read: the one chosen, else the file's default, else its first, else `None`.
pub(super) fn choose_scene(
    source: Source<'_>,
    wanted: Option<usize>,
) -> Result<Option<usize>, Error> {
    let document = source.document;
    let count = document.scenes.len();
    match wanted {
        Some(scene) if scene >= count => {
            let expected = format!("the index of one of {count} scenes");
            Err(source.malformed("scenes", expected, scene.to_string()))
        }
        Some(scene) => Ok(Some(scene)),
        None => Ok(document.scene.or((count > 0).then_some(0))),
    }
}

/// Reads all nodes; they form a forest.
pub(super) fn read(
    source: Source<'_>,
    accessors: Accessors<'_>,
    notes: &mut Notes,
) -> Result<Vec<NodeData>, Error> {
    let document = source.document;
    let mut nodes = Vec::with_capacity(document.nodes.len());
    for (index, node) in document.nodes.iter().enumerate() {
        // The weights of a mesh are repeated for each of its nodes.
        let targets = node
            .mesh
            .map_or(0, |mesh| target_count(&document.meshes[mesh]));
        let bytes = targets.saturating_mul(size_of::<f32>());
        accessors.charge(bytes, || format!("nodes[{index}].weights"))?;
        nodes.push(NodeData {
            name: node.name.clone(),
            parent: None,
            local: transform(source, index, node, notes)?,
            morph_weights: morph_weights(source, index, node)?,
        });
    }
    for (index, node) in document.nodes.iter().enumerate() {
        for (at, &child) in node.children.iter().enumerate() {
            if let Some(other) = nodes[child].parent.replace(index) {
                let location = format!("nodes[{index}].children[{at}]");
                let found = format!("{child}, which is a child of node {other}");
                return Err(source.malformed(location, "a node without another parent", found));
            }
        }
    }
    // With one parent each, the nodes that no root reaches are those on or below a cycle.
    let roots = (0..nodes.len()).filter(|&node| nodes[node].parent.is_none());
    let is_reached = reachable(source, roots);
    if let Some(node) = is_reached.iter().position(|&is_reached| !is_reached) {
        let found = "one that is its own ancestor";
        return Err(source.malformed(format!("nodes[{node}]"), "a node below a root", found));
    }
    Ok(nodes)
}

/// For each node, whether `scene` shows it; without a scene all are shown.
///
/// A scene should name roots only, but files in use name others: such a node is shown where its
/// ancestors put it, and they themselves are not.
pub(super) fn shown(
    source: Source<'_>,
    scene: Option<usize>,
    nodes: &[NodeData],
    notes: &mut Notes,
) -> Vec<bool> {
    let Some(scene) = scene else {
        return vec![true; nodes.len()];
    };
    let roots = &source.document.scenes[scene].nodes;
    for (at, &root) in roots.iter().enumerate() {
        if nodes[root].parent.is_some() {
            notes.add(
                "names a node that is no root; its ancestors still move it",
                || format!("scenes[{scene}].nodes[{at}]"),
            );
        }
    }
    reachable(source, roots.iter().copied())
}

/// For each node, whether it is one of `roots` or below.
fn reachable(source: Source<'_>, roots: impl Iterator<Item = usize>) -> Vec<bool> {
    let nodes = &source.document.nodes;
    let mut is_reached = vec![false; nodes.len()];
    let mut open: Vec<usize> = roots.collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut is_reached[node], true) {
            open.extend(&nodes[node].children);
        }
    }
    is_reached
}

fn transform(
    source: Source<'_>,
    index: usize,
    node: &Node,
    notes: &mut Notes,
) -> Result<NodeTransform, Error> {
    let location = |name: &str| format!("nodes[{index}].{name}");
    let Some(matrix) = &node.matrix else {
        let rotation = DQuat::from_array(node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]));
        if rotation == DQuat::from_array([0.0; 4]) {
            return Err(source.malformed(location("rotation"), "a quaternion", "zeros"));
        }
        return Ok(NodeTransform::Trs {
            translation: DVec3::from_array(node.translation.unwrap_or([0.0; 3])),
            rotation,
            scale: DVec3::from_array(node.scale.unwrap_or([1.0; 3])),
        });
    };
    if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
        let expected = "no translation, rotation or scale beside it";
        return Err(source.malformed(location("matrix"), expected, "one"));
    }
    let matrix = DMat4::from_cols_array(matrix);
    let matrix = with_affine_row(matrix, notes, || location("matrix"));
    Ok(NodeTransform::Matrix(matrix))
}

/// The matrix with a fourth row of 0 0 0 1, which is the only one that a transform can have.
///
/// Exporters that invert matrices in f32 leave noise there, which renderers ignore; a row that says
/// more is ignored too, with a warning.
pub(super) fn with_affine_row(
    mut matrix: DMat4,
    notes: &mut Notes,
    location: impl FnOnce() -> String,
) -> DMat4 {
    const MAX_NOISE: f64 = 1e-4;
    let row = matrix.row(3);
    if row == DVec4::W {
        return matrix;
    }
    let kind = "has a fourth row other than 0 0 0 1, which is ignored";
    if row.abs_diff_eq(DVec4::W, MAX_NOISE) {
        notes.add(kind, location);
    } else {
        notes.warn(kind, location);
    }
    matrix.x_axis.w = 0.0;
    matrix.y_axis.w = 0.0;
    matrix.z_axis.w = 0.0;
    matrix.w_axis.w = 1.0;
    matrix
}

/// How many morph targets each primitive of `mesh` has.
pub(super) fn target_count(mesh: &Mesh) -> usize {
    mesh.primitives.first().map_or(0, |p| p.targets.len())
}

/// The node's own weights, else its mesh's, else zeros.
fn morph_weights(source: Source<'_>, index: usize, node: &Node) -> Result<Vec<f32>, Error> {
    let Some(mesh_index) = node.mesh else {
        return Ok(Vec::new());
    };
    let mesh = &source.document.meshes[mesh_index];
    let count = target_count(mesh);
    let (weights, location) = match (&node.weights, &mesh.weights) {
        (Some(weights), _) => (weights, format!("nodes[{index}].weights")),
        (None, Some(weights)) => (weights, format!("meshes[{mesh_index}].weights")),
        (None, None) => return Ok(vec![0.0; count]),
    };
    if weights.len() != count {
        let expected = format!("one for each of {count} morph targets");
        return Err(source.malformed(location, expected, weights.len().to_string()));
    }
    if let Some(at) = weights.iter().position(|weight| !weight.is_finite()) {
        let found = weights[at].to_string();
        return Err(source.malformed(format!("{location}[{at}]"), "a finite number", found));
    }
    Ok(weights.clone())
}
