//! A part of a model: its mesh at rest, and what moves its vertices.
//!
//! Its vertices in a pose are in `posed/`.

use super::check::{at, check_exists, check_length};
use super::skinning::extent::Extent;
use super::skinning::joint_bounds::JointBounds;
use super::skinning::morph::MorphTargets;
use super::skinning::skin::{Skin, VertexWeights};
use super::skinning::weld::weld_ids;
use super::{NodeData, PartData};
use crate::baked::{Reader, Writer};
use crate::{Error, ModelPlace, TriMesh};
use glam::Vec3;
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
    /// Whether an earlier part counts the mesh's bytes.
    shares_mesh: bool,
}

impl Part {
    pub(super) fn new(
        index: usize,
        data: PartData,
        nodes: &[NodeData],
        skins: &[Skin],
        earlier: &[Self],
    ) -> Result<Self, Error> {
        let part = match data.mesh_of {
            None => Self::checked(data, nodes, skins),
            Some(owner) => Self::sharing(owner, data, nodes, earlier),
        };
        part.map_err(at(ModelPlace::Part(index)))
    }

    /// A part with the mesh of an earlier one.
    fn sharing(
        owner: usize,
        data: PartData,
        nodes: &[NodeData],
        earlier: &[Self],
    ) -> Result<Self, Error> {
        check_exists("earlier part", owner, earlier.len())?;
        check_exists("node", data.node, nodes.len())?;
        let owner = &earlier[owner];
        let own = data.positions.len() + data.triangles.len() + data.morph_targets.len();
        check_length("content of a part that shares a mesh", 0, own)?;
        let moving = owner.morph.count() + usize::from(owner.skin.is_some() || data.skin.is_some());
        check_length("skins and morph targets of a shared mesh", 0, moving)?;
        Ok(Self {
            name: data.name,
            node: data.node,
            mesh: Arc::clone(&owner.mesh),
            morph: MorphTargets::new(Vec::new(), 0, 0)?,
            skin: None,
            extent: owner.extent.clone(),
            joint_bounds: None,
            shares_mesh: true,
        })
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
        Ok(Self::of(data.name, data.node, mesh, morph, skin))
    }

    /// A part of pieces that are checked.
    fn of(
        name: String,
        node: usize,
        mesh: TriMesh,
        morph: MorphTargets,
        skin: Option<VertexWeights>,
    ) -> Self {
        Self {
            extent: Extent::new(&mesh, &morph, skin.as_ref()),
            joint_bounds: JointBounds::new(&mesh, &morph, skin.as_ref()),
            skin,
            morph,
            mesh: Arc::new(mesh),
            shares_mesh: false,
            name,
            node,
        }
    }

    /// Bakes the part, which comes after the `earlier` ones.
    pub(super) fn bake<'a>(&'a self, earlier: &[Self], writer: &mut Writer<'a>) {
        writer.text(&self.name);
        writer.size(self.node);
        let has_mesh = |other: &Self| Arc::ptr_eq(&other.mesh, &self.mesh);
        let owner = earlier.iter().position(has_mesh);
        writer.u64_or_none(owner.map(|owner| owner as u64));
        if owner.is_some() {
            return;
        }
        self.mesh.bake(writer);
        writer.size(self.morph.count());
        for target in self.morph.all() {
            writer.array(bytemuck::cast_slice(target));
        }
        writer.bool(self.skin.is_some());
        if let Some(skin) = &self.skin {
            skin.bake(writer);
        }
    }

    /// The part that was baked next.
    pub(super) fn from_baked(
        reader: &mut Reader<'_>,
        nodes: &[NodeData],
        skins: &[Skin],
        earlier: &[Self],
    ) -> Result<Self, Error> {
        let name = reader.text("name of a part")?.to_owned();
        let node = reader.index("node of a part", nodes.len())?;
        if let Some(owner) = reader.u64_or_none("owner of a mesh")? {
            let data = PartData {
                name,
                node,
                ..PartData::default()
            };
            let owner = usize::try_from(owner).unwrap_or(usize::MAX);
            return Self::sharing(owner, data, nodes, earlier);
        }
        let mesh = TriMesh::from_baked(reader)?;
        let vertex_count = mesh.positions().len();
        // No part has more targets than its node has weights.
        let target_count = reader.index("morph targets", nodes[node].morph_weights.len() + 1)?;
        let targets = (0..target_count).map(|_| Ok(reader.items("morph targets")?.to_vec()));
        let targets = targets.collect::<Result<Vec<Vec<Vec3>>, Error>>()?;
        let morph = MorphTargets::new(targets, vertex_count, nodes[node].morph_weights.len())?;
        let skin = match reader.bool("skin of a part")? {
            true => Some(VertexWeights::from_baked(reader, vertex_count, skins)?),
            false => None,
        };
        let is_deformed = skin.is_some() || morph.count() > 0;
        if is_deformed != mesh.block_corners().is_some() {
            return Err(reader.refused("mesh of a part", "made to be deformed where it may be"));
        }
        Ok(Self::of(name, node, mesh, morph, skin))
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
        let mesh = if self.shares_mesh {
            0
        } else {
            self.mesh.memory_bytes()
        };
        self.name.len()
            + mesh
            + self.morph.memory_bytes()
            + self.skin.as_ref().map_or(0, VertexWeights::memory_bytes)
            + self.extent.memory_bytes()
            + self
                .joint_bounds
                .as_ref()
                .map_or(0, JointBounds::memory_bytes)
    }
}
