//! A part of a model: its mesh at rest, and what moves its vertices.
//!
//! Where its vertices are in a pose is in `posed.rs`.

use super::check::{at, check_exists};
use super::extent::Extent;
use super::joint_bounds::JointBounds;
use super::morph::MorphTargets;
use super::skin::{Skin, VertexWeights};
use super::weld::weld_ids;
use super::{NodeData, PartData};
use crate::{Error, ModelPlace, TriMesh};
use std::sync::Arc;

/// A part of a model, as answers number it: one primitive of one node's mesh.
///
/// ```
/// use hitscan::model::{Model, ModelData, NodeData, PartData};
/// let blade = PartData {
///     name: "blade".into(),
///     positions: vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()],
///     triangles: vec![[0, 1, 2]],
///     ..PartData::default()
/// };
/// let nodes = vec![NodeData::default()];
/// let model = Model::new(ModelData { nodes, parts: vec![blade], ..ModelData::default() })?;
/// let part = &model.parts()[0];
/// assert_eq!((part.name(), part.node(), part.mesh().triangles().len()), ("blade", 0, 1));
/// # Ok::<(), hitscan::Error>(())
/// ```
pub struct Part {
    name: String,
    node: usize,
    mesh: Arc<TriMesh>,
    pub(super) morph: MorphTargets,
    pub(super) skin: Option<VertexWeights>,
    /// How far its vertices extend from what moves them.
    pub(super) extent: Extent,
    /// For a part that may be deformed, the boxes that bound it wherever it is taken.
    pub(super) joint_bounds: Option<JointBounds>,
}

impl Part {
    pub(super) fn new(
        index: usize,
        data: PartData,
        nodes: &[NodeData],
        skins: &[Skin],
    ) -> Result<Self, Error> {
        Self::checked(data, nodes, skins).map_err(at(ModelPlace::Part(index)))
    }

    fn checked(data: PartData, nodes: &[NodeData], skins: &[Skin]) -> Result<Self, Error> {
        check_exists("node", data.node, nodes.len())?;
        let vertex_count = data.positions.len();
        let weight_count = nodes[data.node].morph_weights.len();
        let skin = data.skin.as_ref();
        let skin = skin.map(|skin| VertexWeights::new(skin, vertex_count, skins));
        let skin = skin.transpose()?;
        let morph = MorphTargets::new(data.morph_targets, vertex_count, weight_count)?;
        let mesh = if skin.is_none() && morph.count() == 0 {
            TriMesh::new(data.positions, data.triangles)?
        } else {
            let weld_ids = weld_ids(&data.positions, &morph, skin.as_ref());
            TriMesh::deformable(data.positions, data.triangles, &weld_ids)?
        };
        Ok(Self {
            extent: Extent::new(&mesh, &morph, skin.as_ref()),
            joint_bounds: JointBounds::new(&mesh, &morph, skin.as_ref()),
            skin,
            morph,
            mesh: Arc::new(mesh),
            name: data.name,
            node: data.node,
        })
    }

    /// The part's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The part's node.
    #[must_use]
    pub fn node(&self) -> usize {
        self.node
    }

    /// The part's triangles before any pose: in the node's space, or in bind space where the part is
    /// skinned.
    #[must_use]
    pub fn mesh(&self) -> &Arc<TriMesh> {
        &self.mesh
    }

    /// The index of the skin whose joints move the part, if any.
    #[must_use]
    pub fn skin(&self) -> Option<usize> {
        self.skin.as_ref().map(VertexWeights::skin)
    }

    /// How many morph targets the part has.
    #[must_use]
    pub fn morph_target_count(&self) -> usize {
        self.morph.count()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.name.len()
            + self.mesh.memory_bytes()
            + self.morph.memory_bytes()
            + self.skin.as_ref().map_or(0, VertexWeights::memory_bytes)
            + self.extent.memory_bytes()
            + self
                .joint_bounds
                .as_ref()
                .map_or(0, JointBounds::memory_bytes)
    }
}
