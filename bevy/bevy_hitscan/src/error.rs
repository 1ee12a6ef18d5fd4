//! The reasons for which an entity is out of the world.

use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;

/// Why an entity that should be in the world is not.
///
/// The plugin inserts it beside the [`Mesh3d`](bevy_mesh::Mesh3d) or collider that it cannot use, warns once for
/// each entity and cause, and removes it when the entity is well again. Other entities are not affected.
#[derive(Component, Reflect, Clone, Debug, PartialEq, thiserror::Error)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[non_exhaustive]
pub enum HitscanError {
    /// The mesh's data has been moved to the render world before the plugin saw it.
    #[error(
        "the data of its mesh is in the render world alone: load it with RenderAssetUsages::MAIN_WORLD"
    )]
    MeshDataGone,
    /// The mesh has no positions.
    #[error("its mesh has no attribute {attribute}")]
    MissingAttribute {
        /// The attribute's name.
        attribute: String,
    },
    /// An attribute of the mesh has a format that the renderer does not draw either.
    #[error("the attribute {attribute} of its mesh has the format {format}, which is not read")]
    AttributeFormat {
        /// The attribute's name.
        attribute: String,
        /// Its format.
        format: String,
    },
    /// The mesh was refused: an index past the end, or a number that is not finite; the reason names which.
    #[error("its mesh was refused: {reason}")]
    MeshRefused {
        /// What was refused, where, and the limit.
        reason: String,
    },
    /// A vertex of a skinned mesh is moved by a joint that the entity does not have.
    #[error(
        "vertex {vertex} of its mesh is moved by joint {joint}, and it has {joints} joints with inverse bind matrices"
    )]
    TooFewJoints {
        /// The vertex.
        vertex: usize,
        /// The number of the joint, from 0.
        joint: usize,
        /// How many joints have an entity and an inverse bind matrix.
        joints: usize,
    },
    /// A joint of a skinned mesh is despawned, or has no
    /// [`GlobalTransform`](bevy_transform::components::GlobalTransform).
    #[error("its joint {number}, {joint}, is despawned or has no GlobalTransform")]
    JointMissing {
        /// The number of the joint, from 0.
        number: usize,
        /// The entity that it was.
        joint: Entity,
    },
    /// A number of a joint's transform is NaN or infinite.
    #[error("the transform of its joint {number}, {joint}, is not finite")]
    JointNotFinite {
        /// The number of the joint, from 0.
        number: usize,
        /// The joint.
        joint: Entity,
    },
    /// The inverse bind matrices of a skinned mesh are not loaded, or not any longer.
    #[error("its inverse bind matrices are not loaded")]
    InverseBindposesMissing,
    /// The weight of a morph target is NaN or infinite.
    #[error("the weight of its morph target {target} is not finite")]
    MorphWeightNotFinite {
        /// The number of the target, from 0.
        target: usize,
    },
    /// The entity whose weights of morph targets count is despawned, or has none.
    #[error("{entity}, whose weights its morph targets have, is despawned or has no MorphWeights")]
    MorphWeightsMissing {
        /// The entity that was referred to.
        entity: Entity,
    },
    /// A number of the entity's transform is NaN or infinite.
    #[error("its transform is not finite")]
    TransformNotFinite,
    /// The transform scales an axis to nothing.
    #[error("its transform is singular: it scales an axis to nothing")]
    TransformSingular,
    /// The transform carries something beyond the range of coordinates.
    #[error("its transform was refused: {reason}")]
    TransformRefused {
        /// What was refused, and the limit.
        reason: String,
    },
    /// A collider's shape was refused: a radius that is not positive, points that are no hull.
    #[error("its collider was refused: {reason}")]
    ColliderRefused {
        /// What was refused, and the limit.
        reason: String,
    },
    /// A round collider is scaled unequally, which would make an ellipsoid of it.
    #[error("its {shape} is scaled unequally, by {scale:?}")]
    UnequalScale {
        /// The kind of shape.
        shape: String,
        /// The scale along the axes.
        scale: bevy_math::Vec3,
    },
    /// The image of a height field has no data in the main world.
    #[error(
        "the data of its image is in the render world alone: load it with RenderAssetUsages::MAIN_WORLD"
    )]
    ImageDataGone,
    /// The image of a height field has a format that is no height map's.
    #[error("its image has the format {format}, of which no heights are read")]
    ImageFormat {
        /// The format.
        format: String,
    },
    /// A height field is turned, sheared or mirrored, which a grid along x and z cannot be.
    #[error(
        "its height field is turned, sheared or mirrored: only a translation and a positive scale are possible"
    )]
    HeightFieldTurned,
}

impl HitscanError {
    /// The cause without its particulars: a warning is given once for each.
    pub(crate) fn cause(&self) -> core::mem::Discriminant<Self> {
        core::mem::discriminant(self)
    }

    pub(crate) fn mesh(error: &hitscan::Error) -> Self {
        Self::MeshRefused {
            reason: error.to_string(),
        }
    }

    pub(crate) fn transform(error: &hitscan::Error) -> Self {
        match error {
            hitscan::Error::BadValue { .. } => Self::TransformSingular,
            other => Self::TransformRefused {
                reason: other.to_string(),
            },
        }
    }

    pub(crate) fn collider(error: &hitscan::Error) -> Self {
        Self::ColliderRefused {
            reason: error.to_string(),
        }
    }
}
