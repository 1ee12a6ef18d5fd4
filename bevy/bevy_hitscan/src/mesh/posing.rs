//! The ways in which an entity's mesh is posed.

use bevy_asset::AssetId;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;

/// How an entity's mesh is posed, as far as it is part of what is baked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Posing {
    /// It only moves as a whole.
    Rigid,
    /// By weights of morph targets.
    Morphed,
    /// By joints, and weights of morph targets if it has any.
    Skinned {
        inverse_bind: AssetId<SkinnedMeshInverseBindposes>,
        /// For each joint the one above it in the hierarchy.
        parents: Vec<Option<usize>>,
    },
}
