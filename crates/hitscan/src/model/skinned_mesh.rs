//! A skinned mesh as engines keep it, as a model: flat arrays, inverse bind matrices, and no clips.
//!
//! Such a model is posed by joint matrices (`posed/by_joints.rs`).

use super::check::{at, check_count, check_exists, check_length, check_matrix};
use super::{Model, ModelData, NodeData, NodeTransform, PartData, PartSkin, SkinData};
use crate::{Error, ModelPlace};
use glam::{DAffine3, DMat4, Mat4, Vec3};

/// A skinned mesh as an engine hands it over: not yet checked.
///
/// A mesh without joints, `joint_count` 0, may still have morph targets; it moves with its object's transform.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SkinnedMeshData {
    /// The name of the model's only part.
    pub name: String,
    /// The corner positions, metres, in bind space.
    pub positions: Vec<Vec3>,
    /// Three corners a triangle, counter-clockwise seen from the front.
    pub indices: Vec<u32>,
    /// The number of joints that move each vertex.
    pub influences: usize,
    /// Indices of joints, `influences` for each position.
    pub joints: Vec<u16>,
    /// Weights, as many as `joints`. They are divided by their sum for each vertex; where that is zero the vertex's
    /// first joint has all.
    pub weights: Vec<f32>,
    /// Displacements of morph targets, target after target, one for each position.
    pub morph_displacements: Vec<Vec3>,
    /// The number of joints.
    pub joint_count: usize,
    /// For each joint, from bind space to the joint's space; empty: all identity.
    pub inverse_bind: Vec<Mat4>,
    /// For each joint the one above, in whose space it is interpolated between ticks of the history; empty: all are
    /// interpolated in the world's.
    pub parents: Vec<Option<usize>>,
}

impl Model {
    /// A model of one skinned mesh: node i is its joint i, and a last node has the weights of its morph targets, 0 at
    /// rest. At rest the joints are where the inverses of `inverse_bind` have them, so that the mesh is as in bind
    /// space, to rounding.
    ///
    /// ```
    /// use hitscan::glam::Vec3;
    /// use hitscan::model::{Model, SkinnedMeshData};
    /// let model = Model::from_skinned_mesh(SkinnedMeshData {
    ///     positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
    ///     indices: vec![0, 1, 2],
    ///     influences: 2,
    ///     joints: vec![0, 1, 0, 1, 0, 1],
    ///     weights: vec![1.0, 0.0, 0.5, 0.5, 0.0, 1.0],
    ///     joint_count: 2,
    ///     parents: vec![None, Some(0)],
    ///     ..SkinnedMeshData::default()
    /// })?;
    /// assert_eq!((model.joints(), model.triangle_count()), (vec![0, 1], 1));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InModel`] names the joint, the part or the skin and says what is wrong with it, as [`Model::new`] does;
    /// [`Error::WrongLength`] for indices that are no whole triangles, displacements that are no whole targets, and
    /// parents or inverse bind matrices of another number than the joints; [`Error::NotAForest`] for a joint that is
    /// its own ancestor.
    pub fn from_skinned_mesh(mesh: SkinnedMeshData) -> Result<Self, Error> {
        check_count("joints", mesh.joint_count)?;
        check_whole("corners of triangles", mesh.indices.len(), 3)?;
        let vertices = mesh.positions.len();
        check_whole(
            "morph displacements",
            mesh.morph_displacements.len(),
            vertices,
        )?;
        let targets = (mesh.morph_displacements.len())
            .checked_div(vertices)
            .unwrap_or(0);
        if !mesh.parents.is_empty() {
            check_length("parents of joints", mesh.joint_count, mesh.parents.len())?;
        }
        if !mesh.inverse_bind.is_empty() {
            let (expected, found) = (mesh.joint_count, mesh.inverse_bind.len());
            check_length("inverse bind matrices", expected, found)?;
        }
        let inverse_bind: Vec<DMat4> = mesh.inverse_bind.iter().map(Mat4::as_dmat4).collect();
        let mut nodes = joints_at_rest(mesh.joint_count, &mesh.parents, &inverse_bind)?;
        nodes.push(NodeData {
            morph_weights: vec![0.0; targets],
            ..NodeData::default()
        });
        let is_skinned = mesh.joint_count > 0;
        if !is_skinned {
            check_length("joints of vertices without a joint", 0, mesh.joints.len())?;
            check_length("weights of vertices without a joint", 0, mesh.weights.len())?;
        }
        let corners = mesh.indices.chunks_exact(3);
        let displacements = mesh.morph_displacements.chunks_exact(vertices.max(1));
        let part = PartData {
            name: mesh.name,
            node: mesh.joint_count,
            triangles: corners
                .map(|corners| [corners[0], corners[1], corners[2]])
                .collect(),
            morph_targets: displacements.map(<[Vec3]>::to_vec).collect(),
            positions: mesh.positions,
            skin: is_skinned.then_some(PartSkin {
                skin: 0,
                influences: mesh.influences,
                joints: mesh.joints,
                weights: mesh.weights,
            }),
            mesh_of: None,
        };
        let skin = is_skinned.then(|| SkinData {
            joints: (0..mesh.joint_count).collect(),
            inverse_bind,
        });
        Self::new(ModelData {
            nodes,
            skins: skin.into_iter().collect(),
            parts: vec![part],
            clips: Vec::new(),
        })
    }
}

/// Refuses a list that is no whole number of pieces of `size`.
fn check_whole(what: &'static str, found: usize, size: usize) -> Result<(), Error> {
    let expected = found.checked_div(size).map_or(0, |pieces| pieces * size);
    check_length(what, expected, found)
}

/// The nodes that are joints, where bind space has them: each in its parent's space, if that has an inverse.
fn joints_at_rest(
    count: usize,
    parents: &[Option<usize>],
    inverse_bind: &[DMat4],
) -> Result<Vec<NodeData>, Error> {
    for (joint, matrix) in inverse_bind.iter().enumerate() {
        check_matrix("inverse bind matrix", 0, matrix).map_err(at(ModelPlace::Joint(joint)))?;
    }
    for (joint, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            check_exists("parent", *parent, count).map_err(at(ModelPlace::Joint(joint)))?;
        }
    }
    let joint_from_bind = |joint: usize| {
        let matrix = inverse_bind.get(joint);
        matrix.map_or(DAffine3::IDENTITY, |matrix| DAffine3::from_mat4(*matrix))
    };
    let nodes = (0..count).map(|joint| {
        let parent = parents.get(joint).copied().flatten();
        let parent_from_bind = parent.map_or(DAffine3::IDENTITY, joint_from_bind);
        let local = parent_from_bind * joint_from_bind(joint).inverse();
        let local = match local.is_finite() {
            true => NodeTransform::Matrix(DMat4::from(local)),
            false => NodeTransform::default(),
        };
        NodeData {
            parent,
            local,
            ..NodeData::default()
        }
    });
    Ok(nodes.collect())
}
