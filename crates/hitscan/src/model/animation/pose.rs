//! A pose: the transform of every node of a model, as a value.
//!
//! Poses come from [`crate::model::Model::rest_pose`] and [`crate::model::Model::pose_at`], and can be
//! set node by node. The skinned vertices of a pose are in `posed/`.

use crate::model::check::{at, check_exists, check_finite, check_length, check_transform};
use crate::model::{NodeData, NodeTransform};
use crate::{Error, ModelPlace};
use core::ops::Range;
use std::sync::Arc;

/// The local transform and the morph weights of each node of a model.
///
/// ```
/// use hitscan::glam::{DQuat, DVec3};
/// use hitscan::model::{Model, ModelData, NodeData, NodeTransform};
/// let nodes = vec![NodeData::default()];
/// let model = Model::new(ModelData { nodes, ..ModelData::default() })?;
/// let mut pose = model.rest_pose().clone();
/// let lifted = NodeTransform::Trs {
///     translation: DVec3::Y,
///     rotation: DQuat::IDENTITY,
///     scale: DVec3::ONE,
/// };
/// pose.set_local(0, lifted)?;
/// assert_eq!(pose.local(0), Some(&lifted));
/// assert!(pose.set_local(1, lifted).is_err());
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    locals: Vec<NodeTransform>,
    /// The morph weights of all nodes, one node's after another's.
    weights: Vec<f64>,
    /// Node i has the weights `weight_starts[i]..weight_starts[i + 1]`. Shared by all poses of a
    /// model.
    weight_starts: Arc<[usize]>,
}

impl Pose {
    /// The pose of nodes at rest, whose transforms are already checked.
    ///
    /// Refuses morph weights that are not finite.
    pub(in crate::model) fn at_rest(nodes: &[NodeData]) -> Result<Self, Error> {
        let mut weights = Vec::new();
        let mut weight_starts = vec![0];
        for (index, node) in nodes.iter().enumerate() {
            weights.extend(node.morph_weights.iter().copied().map(f64::from));
            weight_starts.push(weights.len());
            check_finite(
                "morph weight",
                weights[weight_starts[index]..].iter().copied(),
            )
            .map_err(at(ModelPlace::Node(index)))?;
        }
        Ok(Self {
            locals: nodes.iter().map(|node| node.local).collect(),
            weights,
            weight_starts: weight_starts.into(),
        })
    }

    /// The number of nodes of the pose.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.locals.len()
    }

    /// The transform of a node from its own space to its parent's, or `None` for no such node.
    #[must_use]
    pub fn local(&self, node: usize) -> Option<&NodeTransform> {
        self.locals.get(node)
    }

    /// The weights of a node's morph targets, or `None` for no such node.
    #[must_use]
    pub fn morph_weights(&self, node: usize) -> Option<&[f64]> {
        (node < self.locals.len()).then(|| self.weights_of(node))
    }

    /// Gives a node the transform `local` in its parent's space. A rotation should have unit length: it is
    /// used as it is.
    ///
    /// # Errors
    /// [`Error::NoSuch`] for no such node, [`Error::BadElement`] for a number that is not
    /// finite or a matrix that is not affine. The pose then stays as it was.
    pub fn set_local(&mut self, node: usize, local: NodeTransform) -> Result<(), Error> {
        check_exists("node", node, self.locals.len())?;
        check_transform(&local)?;
        self.locals[node] = local;
        Ok(())
    }

    /// Sets the weights of a node's morph targets.
    ///
    /// # Errors
    /// [`Error::NoSuch`] for no such node, [`Error::WrongLength`] for another number of
    /// weights than the node has, [`Error::BadElement`] for a weight that is not finite. The pose
    /// then stays as it was.
    pub fn set_morph_weights(&mut self, node: usize, weights: &[f64]) -> Result<(), Error> {
        check_exists("node", node, self.locals.len())?;
        check_length("morph weights", self.weights_of(node).len(), weights.len())?;
        check_finite("morph weight", weights.iter().copied())?;
        self.weights_mut(node).copy_from_slice(weights);
        Ok(())
    }

    /// Whether `other` has as many nodes, with as many weights each.
    pub(in crate::model) fn has_the_nodes_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.weight_starts, &other.weight_starts)
            || self.weight_starts == other.weight_starts
    }

    /// Changes every transform and every weight by those of another pose of the same model.
    pub(in crate::model) fn mix(
        &mut self,
        other: &Self,
        local: impl Fn(&NodeTransform, &NodeTransform) -> NodeTransform,
        weight: impl Fn(f64, f64) -> f64,
    ) {
        for (own, other) in self.locals.iter_mut().zip(&other.locals) {
            *own = local(own, other);
        }
        for (own, other) in self.weights.iter_mut().zip(&other.weights) {
            *own = weight(*own, *other);
        }
    }

    pub(in crate::model) fn locals(&self) -> &[NodeTransform] {
        &self.locals
    }

    pub(in crate::model) fn local_mut(&mut self, node: usize) -> &mut NodeTransform {
        &mut self.locals[node]
    }

    /// The weights of a node that exists.
    pub(in crate::model) fn weights_of(&self, node: usize) -> &[f64] {
        &self.weights[self.weight_range(node)]
    }

    /// The morph weights of all nodes, one node's after another's.
    pub(in crate::model) fn all_weights(&self) -> &[f64] {
        &self.weights
    }

    /// The same pose with other weights of all nodes, which are checked.
    pub(in crate::model) fn with_all_weights(&self, weights: &[f64]) -> Self {
        Self {
            weights: weights.to_vec(),
            ..self.clone()
        }
    }

    /// Which of all weights are those of a node that exists.
    pub(in crate::model) fn weight_range(&self, node: usize) -> Range<usize> {
        self.weight_starts[node]..self.weight_starts[node + 1]
    }

    pub(in crate::model) fn weights_mut(&mut self, node: usize) -> &mut [f64] {
        let range = self.weight_range(node);
        &mut self.weights[range]
    }

    /// The bytes that the pose takes on the heap, without what it shares with its model.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        size_of_val(self.locals.as_slice()) + size_of_val(self.weights.as_slice())
    }
}
