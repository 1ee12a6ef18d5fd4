//! Copies of meshes, taken at once, to be baked later.

use super::attributes::{gone, joint_indices, joint_weights, morph_displacements, positions};
use super::posing::Posing;
use super::topology::triangles;
use crate::HitscanError;
use bevy_math::{Mat4, Vec3};
use bevy_mesh::Mesh;
use hitscan::model::SkinnedMeshData;
use hitscan::{Model, TriMesh};
use std::sync::Arc;

/// A copy of a mesh's triangles, and of what moves its vertices.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    influences: Option<Influences>,
    /// Target after target, one for each position.
    displacements: Vec<Vec3>,
}

/// The joints that move each vertex, and their weights.
#[derive(Clone, Debug)]
struct Influences {
    joints: Vec<[u16; 4]>,
    weights: Vec<[f32; 4]>,
}

/// What can move the vertices of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moved {
    pub(crate) by_joints: bool,
    pub(crate) by_morph_targets: bool,
}

/// A mesh with its tree: at rest, or as it can be posed.
#[derive(Clone)]
pub(crate) enum Baked {
    Mesh(Arc<TriMesh>),
    Model(Arc<Model>),
}

impl Geometry {
    /// The triangles of a mesh; `None` of lines and points.
    pub(super) fn of(mesh: &Mesh) -> Result<Option<Self>, HitscanError> {
        let indices = mesh.try_indices_option().map_err(|error| gone(&error))?;
        // Lines may have any positions.
        let topology = mesh.primitive_topology();
        if triangles(topology, None, 0).is_none() {
            return Ok(None);
        }
        let positions = positions(mesh)?;
        let Some(triangles) = triangles(topology, indices, positions.len()) else {
            return Ok(None);
        };
        let influences = match (joint_indices(mesh)?, joint_weights(mesh)?) {
            (Some(joints), Some(weights)) => Some(Influences { joints, weights }),
            _ => None,
        };
        Ok(Some(Self {
            positions,
            triangles,
            influences,
            displacements: morph_displacements(mesh),
        }))
    }

    pub(super) fn moved(&self) -> Moved {
        Moved {
            by_joints: self.influences.is_some(),
            by_morph_targets: !self.displacements.is_empty(),
        }
    }

    /// How far the sum of a vertex's weights is from 1 at most, and at which vertex; `None` of a mesh that is not
    /// skinned.
    pub(super) fn worst_weight_sum(&self) -> Option<(usize, f32)> {
        let weights = self.influences.as_ref()?.weights.iter();
        let sums = weights.map(|weights| weights.iter().sum::<f32>());
        sums.enumerate()
            .max_by(|(_, one), (_, other)| (one - 1.0).abs().total_cmp(&(other - 1.0).abs()))
    }

    /// The triangles with their tree, as they are to be posed; `inverse_bind` are the matrices of the joints.
    pub(super) fn bake(
        &self,
        posing: &Posing,
        inverse_bind: &[Mat4],
    ) -> Result<Baked, HitscanError> {
        let (influences, parents) = match (posing, &self.influences) {
            (Posing::Rigid, _) => {
                let mesh = TriMesh::new(self.positions.clone(), self.triangles.clone());
                return mesh
                    .map(|mesh| Baked::Mesh(Arc::new(mesh)))
                    .map_err(|error| HitscanError::mesh(&error));
            }
            (Posing::Skinned { parents, .. }, Some(influences)) => {
                (Some(influences), parents.clone())
            }
            _ => (None, Vec::new()),
        };
        let mut data = SkinnedMeshData {
            positions: self.positions.clone(),
            indices: self.triangles.as_flattened().to_vec(),
            morph_displacements: self.displacements.clone(),
            ..SkinnedMeshData::default()
        };
        if let Some(influences) = influences {
            data.influences = 4;
            data.joints = influences.joints_within(parents.len())?;
            data.weights = influences.weights.as_flattened().to_vec();
            data.joint_count = parents.len();
            data.inverse_bind = inverse_bind[..parents.len()].to_vec();
            data.parents = parents;
        }
        Model::from_skinned_mesh(data)
            .map(|model| Baked::Model(Arc::new(model)))
            .map_err(|error| HitscanError::mesh(&error))
    }
}

impl Influences {
    /// The joints of all vertices, those without weight changed to one that exists.
    fn joints_within(&self, joint_count: usize) -> Result<Vec<u16>, HitscanError> {
        let mut joints = self.joints.as_flattened().to_vec();
        let weights = self.weights.as_flattened();
        for (place, joint) in joints.iter_mut().enumerate() {
            if usize::from(*joint) < joint_count {
                continue;
            }
            if weights.get(place) != Some(&0.0) || joint_count == 0 {
                return Err(HitscanError::TooFewJoints {
                    vertex: place / 4,
                    joint: usize::from(*joint),
                    joints: joint_count,
                });
            }
            *joint = 0;
        }
        Ok(joints)
    }
}
