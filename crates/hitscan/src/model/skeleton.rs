//! The node hierarchy: a forest in topological order, and its nodes' transforms into the model.
//!
//! Transforms are only chained here; which one a node has at some time is a pose's.

use super::animation::quaternion::matrix;
use super::check::{affine, at, check_count, check_exists, check_transform};
use super::joint_matrix::{JointMatrices, JointMatrix, fill_with_identities};
use super::{NodeData, NodeTransform};
use crate::exact::expansion::Expansion;
use crate::{Error, ModelPlace, Side, Sides};
use core::cmp::Ordering;
use fearless_simd::Simd;
use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};

/// A node of a model: its name and the node above it. Its transform is in a [`super::Pose`].
///
/// ```
/// use hitscan::model::{Model, ModelData, NodeData};
/// let arm = NodeData { name: Some("arm".into()), ..NodeData::default() };
/// let hand = NodeData { parent: Some(0), ..NodeData::default() };
/// let model = Model::new(ModelData { nodes: vec![arm, hand], ..ModelData::default() })?;
/// assert_eq!(model.nodes()[0].name(), Some("arm"));
/// assert_eq!(model.nodes()[1].parent(), Some(0));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Node {
    name: Option<String>,
    parent: Option<usize>,
}

impl Node {
    /// The node's name in the file.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The node above, or `None` for a root.
    #[must_use]
    pub fn parent(&self) -> Option<usize> {
        self.parent
    }
}

/// Whether a transform keeps the order of a triangle's corners as seen from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Winding {
    /// Counter-clockwise corners are seen from the front.
    Kept,
    /// The transform mirrors: in the outer space counter-clockwise corners are seen from the back.
    Mirrored,
}

impl Winding {
    /// The winding after one more mirroring.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Kept => Self::Mirrored,
            Self::Mirrored => Self::Kept,
        }
    }

    /// A side of the mesh as the side of the surface that the outer space sees, and the other way
    /// round.
    pub(crate) fn turned(self, side: Side) -> Side {
        match (self, side) {
            (Self::Mirrored, Side::Front) => Side::Back,
            (Self::Mirrored, Side::Back) => Side::Front,
            (_, side) => side,
        }
    }

    /// The sides of the mesh that are `sides` of the surface as the outer space sees it.
    pub(crate) fn mesh_sides(self, sides: Sides) -> Sides {
        match (self, sides) {
            (Self::Mirrored, Sides::Front) => Sides::Back,
            (Self::Mirrored, Sides::Back) => Sides::Front,
            (_, sides) => sides,
        }
    }
}

/// The nodes, and an order in which each parent comes before its children.
#[derive(Debug)]
pub(super) struct Skeleton {
    nodes: Vec<Node>,
    parents_first: Vec<usize>,
    rest: Vec<RestNode>,
}

/// What is computed once of a node at rest.
#[derive(Debug)]
struct RestNode {
    parent_from_node: JointMatrix,
    orientation: Ordering,
}

impl Skeleton {
    /// Refuses parents that do not exist, a hierarchy that is no forest, and transforms that are not
    /// finite.
    pub(super) fn new(nodes: &[NodeData]) -> Result<Self, Error> {
        check_count("nodes", nodes.len())?;
        for (index, node) in nodes.iter().enumerate() {
            let place = at(ModelPlace::Node(index));
            if let Some(parent) = node.parent {
                check_exists("parent", parent, nodes.len()).map_err(&place)?;
            }
            check_transform(&node.local).map_err(&place)?;
        }
        Ok(Self {
            parents_first: parents_first(nodes)?,
            rest: nodes
                .iter()
                .map(|node| RestNode {
                    parent_from_node: parent_from_node(&node.local),
                    orientation: orientation(&node.local),
                })
                .collect(),
            nodes: nodes
                .iter()
                .map(|node| Node {
                    name: node.name.clone(),
                    parent: node.parent,
                })
                .collect(),
        })
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All nodes, parents before their children.
    pub(super) fn parents_first(&self) -> &[usize] {
        &self.parents_first
    }

    /// These nodes and those above them, parents before their children.
    pub(super) fn with_ancestors(&self, nodes: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut is_needed = vec![false; self.nodes.len()];
        for node in nodes {
            let mut above = Some(node);
            while let Some(node) = above.filter(|node| !is_needed[*node]) {
                is_needed[node] = true;
                above = self.nodes[node].parent;
            }
        }
        let order = self.parents_first.iter().copied();
        order.filter(|node| is_needed[*node]).collect()
    }

    /// Fills an empty list with, for each node of `order`, in which parents come before their children, what
    /// takes its own space to the model's; nothing of use for other nodes. In place, as lists are long.
    ///
    /// Not checked: absurd scales may overflow to infinity or NaN, which only matters to what hangs
    /// on those nodes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn model_from_nodes<S: Simd>(
        &self,
        simd: S,
        order: &[usize],
        parent_from_node: impl Fn(usize) -> JointMatrix,
        model_from_nodes: &mut JointMatrices,
    ) {
        fill_with_identities(model_from_nodes, self.nodes.len());
        for &node in order {
            let local = parent_from_node(node);
            model_from_nodes[node] = match self.nodes[node].parent {
                Some(parent) => model_from_nodes[parent].after(simd, &local),
                None => local,
            };
        }
    }

    /// Whether the chain of transforms from `node` to the model mirrors, where `orientation` gives the
    /// sign of a node's determinant.
    ///
    /// Decided by the signs along the chain, so that no rounding of their product can turn it. A
    /// chain that flattens has no orientation and counts as not mirrored.
    pub(super) fn winding(&self, node: usize, orientation: impl Fn(usize) -> Ordering) -> Winding {
        let mut winding = Winding::Kept;
        let mut above = Some(node);
        while let Some(node) = above {
            winding = match orientation(node) {
                Ordering::Less => winding.reversed(),
                Ordering::Greater => winding,
                Ordering::Equal => return Winding::Kept,
            };
            above = self.nodes[node].parent;
        }
        winding
    }

    /// A node's transform in its parent's space at rest.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn at_rest(&self, node: usize) -> JointMatrix {
        self.rest[node].parent_from_node
    }

    /// The sign of a node's determinant at rest.
    pub(super) fn orientation_at_rest(&self, node: usize) -> Ordering {
        self.rest[node].orientation
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let names = self.nodes.iter().filter_map(|node| node.name.as_ref());
        names.map(String::len).sum::<usize>()
            + size_of_val(self.nodes.as_slice())
            + size_of_val(self.parents_first.as_slice())
            + size_of_val(self.rest.as_slice())
    }
}

/// The nodes with parents before children, or the first node found to be its own ancestor.
fn parents_first(nodes: &[NodeData]) -> Result<Vec<usize>, Error> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Unseen,
        OnPath,
        Placed,
    }
    let mut states = vec![State::Unseen; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    let mut path = Vec::new();
    for start in 0..nodes.len() {
        let mut above = Some(start);
        while let Some(node) = above.filter(|node| states[*node] != State::Placed) {
            if states[node] == State::OnPath {
                return Err(Error::NotAForest { node });
            }
            states[node] = State::OnPath;
            path.push(node);
            above = nodes[node].parent;
        }
        while let Some(node) = path.pop() {
            states[node] = State::Placed;
            order.push(node);
        }
    }
    Ok(order)
}

/// From a node's space to its parent's.
pub(super) fn parent_from_node(local: &NodeTransform) -> JointMatrix {
    match local {
        NodeTransform::Trs {
            translation,
            rotation,
            scale,
        } => scaled_turned_moved(*scale, *rotation, *translation),
        NodeTransform::Matrix(matrix) => JointMatrix::from(&affine(matrix)),
    }
}

/// The transform that scales, then rotates, then translates.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn scaled_turned_moved(
    scale: DVec3,
    rotation: DQuat,
    translation: DVec3,
) -> JointMatrix {
    let turn = matrix(rotation);
    JointMatrix::from(&DAffine3 {
        matrix3: DMat3::from_cols(
            turn.x_axis * scale.x,
            turn.y_axis * scale.y,
            turn.z_axis * scale.z,
        ),
        translation,
    })
}

/// The sign of the transform's determinant.
///
/// A quaternion (v, w) never mirrors, whatever its length: the determinant of its matrix is
/// `(1 - 2 v·v)² + 4 w² v·v`. So a TRS mirrors as its scale does.
pub(super) fn orientation(local: &NodeTransform) -> Ordering {
    match local {
        NodeTransform::Trs { scale, .. } => orientation_of_scale(*scale),
        NodeTransform::Matrix(matrix) => determinant_sign(matrix),
    }
}

pub(super) fn orientation_of_scale(scale: DVec3) -> Ordering {
    let is_flat = scale.to_array().contains(&0.0);
    let negative = scale.to_array().into_iter().filter(|x| *x < 0.0).count();
    match (is_flat, negative % 2) {
        (true, _) => Ordering::Equal,
        (false, 0) => Ordering::Greater,
        (false, _) => Ordering::Less,
    }
}

/// Exact for entries between 1e-90 and 1e90, which holds all of f32.
fn determinant_sign(matrix: &DMat4) -> Ordering {
    let [a, b, c] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate());
    let cofactor = |p: DVec3, q: DVec3, i: usize, j: usize| {
        let product = |x, y| Expansion::from_f64(x).times(&Expansion::from_f64(y));
        product(p[i], q[j]).minus(&product(p[j], q[i]))
    };
    Expansion::from_f64(a.x)
        .times(&cofactor(b, c, 1, 2))
        .plus(&Expansion::from_f64(a.y).times(&cofactor(b, c, 2, 0)))
        .plus(&Expansion::from_f64(a.z).times(&cofactor(b, c, 0, 1)))
        .sign()
}
