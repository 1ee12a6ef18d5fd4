//! The maximum displacement of a model from its origin in any pose between two: its bounds where a
//! world is interpolated between two ticks.
//!
//! A node's way from the model's origin is at most the sum, down the chain, of how far each node is moved
//! times how much those above stretch it; both are bounded by their greater end, because blends
//! (`blend.rs`) mix translations and scales linearly and turn by rotations, which keep lengths.

use super::animation::path_length::frobenius_norm;
use super::animation::quaternion::stretch;
use super::{Model, NodeTransform, Pose};
use crate::Error;
use crate::exact::expansion::UNIT_ROUNDOFF;
use crate::model::joint_matrix::JointMatrix;
use crate::model::skeleton::parent_from_node;
use glam::DAffine3;

impl Model {
    /// A bound on the distance from the model's origin of any point of its triangles, metres, in either
    /// pose and in any that [`Pose::blended`] makes of the two; 0 without triangles, and infinite where
    /// that leaves f64.
    ///
    /// ```
    /// use hitscan::model::{Model, ModelData, NodeData, PartData};
    /// let part = PartData {
    ///     positions: vec![[0.0, 0.0, 0.0].into(), [3.0, 4.0, 0.0].into(), [0.0, 4.0, 0.0].into()],
    ///     triangles: vec![[0, 1, 2]],
    ///     ..PartData::default()
    /// };
    /// let nodes = vec![NodeData::default()];
    /// let model = Model::new(ModelData { nodes, parts: vec![part], ..ModelData::default() })?;
    /// let bound = model.max_displacement(model.rest_pose(), model.rest_pose())?;
    /// assert!(bound >= 5.0 && bound < 5.001);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongLength`] for the pose of another model.
    pub fn max_displacement(&self, one: &Pose, other: &Pose) -> Result<f64, Error> {
        self.check_pose(one)?;
        self.check_pose(other)?;
        let nodes = self.extents_of(&self.needed_nodes, (one, other));
        let mut bound = 0.0f64;
        for part in self.parts() {
            let weights = (one.weights_of(part.node()), other.weights_of(part.node()));
            let morph_boxes = part.extent.morph_bounds(weights);
            let of_part = match &part.skin {
                Some(skin) => {
                    let skin = &self.skins[skin.skin()];
                    let radii = part
                        .extent
                        .radii(morph_boxes, |joint| &skin.joint_from_bind()[joint]);
                    farthest(radii.map(|(joint, radius)| (nodes[skin.joints()[joint]], radius)))
                }
                None => {
                    let radii = part.extent.radii(morph_boxes, |_| &JointMatrix::IDENTITY);
                    farthest(radii.map(|(_, radius)| (nodes[part.node()], radius)))
                }
            };
            bound = greater(bound, of_part);
        }
        Ok(self.with_losses(bound))
    }

    /// The same bound of what lies within radii around nodes, `(node, radius)` each, and moves with them.
    pub(super) fn max_displacement_around(
        &self,
        radii: &[(usize, f64)],
        poses: (&Pose, &Pose),
    ) -> f64 {
        let order = self
            .skeleton
            .with_ancestors(radii.iter().map(|(node, _)| *node));
        let nodes = self.extents_of(&order, poses);
        let radii = radii.iter().map(|(node, radius)| (nodes[*node], *radius));
        self.with_losses(farthest(radii))
    }

    /// The bounds of the nodes of `order`, in which parents come before their children, between two poses;
    /// nothing of use for other nodes.
    fn extents_of(&self, order: &[usize], (one, other): (&Pose, &Pose)) -> Vec<NodeExtent> {
        let mut nodes = vec![NodeExtent::ORIGIN; self.nodes().len()];
        for &node in order {
            let above = self.nodes()[node].parent();
            let above = above.map_or(NodeExtent::ORIGIN, |parent| nodes[parent]);
            nodes[node] = above.then(&one.locals()[node], &other.locals()[node]);
        }
        nodes
    }

    /// A bound with what is lost in computing it.
    fn with_losses(&self, bound: f64) -> f64 {
        // Vertices are rounded to f32. In f64, sums and products of numbers that are not negative lose
        // less than 16 units of roundoff a node, and rotations stretch by less than as many.
        let lost = f64::from(f32::EPSILON) + 16.0 * self.nodes().len() as f64 * UNIT_ROUNDOFF;
        let bound = bound * (1.0 + lost);
        if bound.is_nan() { f64::INFINITY } else { bound }
    }
}

/// The maximum distance of a node from the model's origin, and the maximum stretch of its descendants.
#[derive(Debug, Clone, Copy)]
struct NodeExtent {
    distance: f64,
    stretch: f64,
}

impl NodeExtent {
    const ORIGIN: Self = Self {
        distance: 0.0,
        stretch: 1.0,
    };

    /// The bound of a node below, between two of its transforms.
    fn then(self, one: &NodeTransform, other: &NodeTransform) -> Self {
        let (translation, stretch) = match (one, other) {
            (
                NodeTransform::Trs {
                    translation,
                    rotation,
                    scale,
                },
                NodeTransform::Trs {
                    translation: other_translation,
                    rotation: other_rotation,
                    scale: other_scale,
                },
            ) => {
                let scale = scale.abs().max(other_scale.abs()).max_element();
                // As they are at the ends; in between they have unit length.
                let turn = stretch(*rotation).max(stretch(*other_rotation));
                let far = translation.length().max(other_translation.length());
                (far, scale * turn)
            }
            _ => {
                let transforms = [one, other].map(|local| DAffine3::from(&parent_from_node(local)));
                let [one, other] = transforms;
                let far = one.translation.length().max(other.translation.length());
                (
                    far,
                    frobenius_norm(&one.matrix3).max(frobenius_norm(&other.matrix3)),
                )
            }
        };
        Self {
            distance: self.distance + self.stretch * translation,
            stretch: self.stretch * stretch,
        }
    }
}

/// The largest distance of what lies within a radius around a node.
fn farthest(radii: impl Iterator<Item = (NodeExtent, f64)>) -> f64 {
    radii.fold(0.0, |farthest, (node, radius)| {
        greater(farthest, node.distance + node.stretch * radius)
    })
}

/// The greater of two numbers; NaN if one is.
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a.is_nan() || a >= b { a } else { b }
}
