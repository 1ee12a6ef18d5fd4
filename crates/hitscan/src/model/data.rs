//! A model as an importer hands it over: plain data, not yet checked.
//!
//! [`super::Model::new`] checks it. Conventions are glTF 2.0's.

use glam::{DMat4, DQuat, DVec3, Vec3};

/// An animated model: a forest of nodes, their parts, skins and clips.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ModelData {
    /// The nodes, in the file's order. Parents may come after their children.
    pub nodes: Vec<NodeData>,
    /// The skins that parts refer to.
    pub skins: Vec<SkinData>,
    /// The animation clips.
    pub clips: Vec<ClipData>,
    /// The parts, in the order in which answers number them.
    pub parts: Vec<PartData>,
}

/// One node of the hierarchy.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeData {
    /// The node's name in the file.
    pub name: Option<String>,
    /// The node above, if any.
    pub parent: Option<usize>,
    /// The node's transform at rest, from its own space to its parent's.
    pub local: NodeTransform,
    /// The weights of its mesh's morph targets at rest (the node's own, else its mesh's, else 0).
    pub morph_weights: Vec<f32>,
}

/// A node's transform from its own space to its parent's.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NodeTransform {
    /// Scale, then rotate, then translate. The rotation should be of unit length; it is used as it
    /// is, so that one that is not scales as well, as it does in renderers.
    Trs {
        /// Metres.
        translation: DVec3,
        /// `x, y, z, w`.
        rotation: DQuat,
        /// One factor an axis; may be negative or zero.
        scale: DVec3,
    },
    /// An affine matrix; it cannot be animated. Its last row is taken as `0 0 0 1`.
    Matrix(DMat4),
}

impl Default for NodeTransform {
    fn default() -> Self {
        Self::Trs {
            translation: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            scale: DVec3::ONE,
        }
    }
}

/// One primitive of one node's mesh.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartData {
    /// The part's unique name.
    pub name: String,
    /// Its node.
    pub node: usize,
    /// The corner positions, metres, in the node's space (a skinned part: in bind space).
    pub positions: Vec<Vec3>,
    /// Corner indices into `positions`, counter-clockwise seen from the front.
    pub triangles: Vec<[u32; 3]>,
    /// One displacement for each position, for each morph target; at most as many targets as the
    /// node has weights.
    pub morph_targets: Vec<Vec<Vec3>>,
    /// How the positions follow joints, for a skinned part.
    pub skin: Option<PartSkin>,
    /// An earlier part, neither skinned nor with morph targets, whose mesh this part has as well: the
    /// mesh is kept once. Positions, triangles, morph targets and skin of this one are empty.
    #[cfg_attr(feature = "serde", serde(default))]
    pub mesh_of: Option<usize>,
}

/// Which joints move a part's vertices.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartSkin {
    /// The index of the skin.
    pub skin: usize,
    /// The number of joints of each vertex: 4 for each joint set of the file.
    pub influences: usize,
    /// Indices into the skin's joints, `influences` for each position.
    pub joints: Vec<u16>,
    /// Weights, as many as `joints`; not yet divided by their sum.
    pub weights: Vec<f32>,
}

/// A skin: joints and their bind pose.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SkinData {
    /// The nodes that are joints.
    pub joints: Vec<usize>,
    /// For each joint, from bind space to the joint's space; empty: all identity.
    pub inverse_bind: Vec<DMat4>,
}

/// An animation clip.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClipData {
    /// The clip's name in the file.
    pub name: Option<String>,
    /// What it moves.
    pub channels: Vec<ChannelData>,
}

/// One animated property of one node.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ChannelData {
    /// The node that is moved.
    pub node: usize,
    /// What of it is moved.
    pub property: Property,
    /// How values between keys are made.
    pub interpolation: Interpolation,
    /// Key times, seconds, strictly increasing.
    pub times: Vec<f32>,
    /// Values in the file's layout: for each key 3 (translation, scale), 4 (rotation) or one for
    /// each morph target; three times as many (in-tangent, value, out-tangent) for cubic splines.
    pub values: Vec<f32>,
}

/// What a channel moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Property {
    /// Metres.
    Translation,
    /// A quaternion `x, y, z, w`.
    Rotation,
    /// One factor an axis.
    Scale,
    /// The weights of morph targets.
    Weights,
}

/// How values between keys are made (glTF 2.0, appendix C).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Interpolation {
    /// The value of the key before.
    Step,
    /// Linear; rotations by spherical linear interpolation along the shorter arc.
    Linear,
    /// Cubic Hermite splines with the file's tangents.
    CubicSpline,
}
