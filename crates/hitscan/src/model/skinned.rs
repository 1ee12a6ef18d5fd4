//! A model in a pose: for each part its vertices, the space they are in, and whether that
//! space is mirrored.
//!
//! The formula of one vertex is in `deform.rs`.

use super::check::at;
use super::deform::{Deformation, Motion, in_range};
use super::part::Part;
use super::skeleton::orientation;
use super::{Model, Pose, Winding};
use crate::simd::Width;
use crate::simd::dispatch;
use crate::{Aabb, Error, ModelPlace};
use glam::{DAffine3, Vec3};

/// A model in one pose.
///
/// ```
/// use hitscan::model::{Model, ModelData, NodeData, PartData, SkinnedShape};
/// let part = PartData {
///     positions: vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()],
///     triangles: vec![[0, 1, 2]],
///     ..PartData::default()
/// };
/// let nodes = vec![NodeData::default()];
/// let model = Model::new(ModelData { nodes, parts: vec![part], ..ModelData::default() })?;
/// let posed = model.skinned(model.rest_pose())?;
/// assert!(matches!(posed.parts()[0].shape, SkinnedShape::AtRest));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct SkinnedModel {
    parts: Vec<SkinnedPart>,
}

/// A part in one pose: its vertices, and how their space lies in the model's.
///
/// Invariant: every vertex, brought into the model's space, is finite and within ±1e18.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SkinnedPart {
    /// Where the part's vertices are, in the part's space.
    pub shape: SkinnedShape,
    /// From the part's space to the model's. The identity for a skinned part, whose vertices are in the
    /// model's space already. It has no inverse where the part's node flattens it.
    pub model_from_part: DAffine3,
    /// Which way the triangles' winding, in the model's space, faces.
    pub winding: Winding,
}

/// Where the vertices of a posed part are.
#[derive(Debug, Clone, PartialEq)]
pub enum SkinnedShape {
    /// Where the part's own mesh has them, bit for bit: nothing but `model_from_part` moves them.
    AtRest,
    /// Here, one for each position of the part's mesh.
    Deformed(Vec<Vec3>),
}

impl SkinnedModel {
    /// The parts, in the model's order.
    #[must_use]
    pub fn parts(&self) -> &[SkinnedPart] {
        &self.parts
    }

    /// The parts, in the model's order.
    #[must_use]
    pub fn into_parts(self) -> Vec<SkinnedPart> {
        self.parts
    }

    /// The bytes that the posed parts take on the heap.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let deformed = self.parts.iter().map(|part| match &part.shape {
            SkinnedShape::AtRest => 0,
            SkinnedShape::Deformed(positions) => size_of_val(positions.as_slice()),
        });
        deformed.sum::<usize>() + size_of_val(self.parts.as_slice())
    }

    pub(super) fn new(model: &Model, pose: &Pose) -> Result<Self, Error> {
        let model_from_nodes = model.joint_matrices(pose);
        let mut joint_matrices = Vec::new();
        dispatch!(Width::default(), simd => {
            for skin in &model.skins {
                skin.model_from_bind(simd, &model_from_nodes, &mut joint_matrices);
            }
        });
        let parts = model.parts.iter().enumerate().map(|(index, part)| {
            let weights = pose.weights_of(part.node());
            let posed = match &part.skin {
                Some(skin) => {
                    let joints = &joint_matrices[model.joints_of(skin.skin())];
                    SkinnedPart::skinned(&Deformation::new(
                        part,
                        weights,
                        Motion::Skin(skin, joints),
                    ))
                }
                None => {
                    let orientation = |node: usize| orientation(&pose.locals()[node]);
                    let winding = model.skeleton.winding(part.node(), orientation);
                    let model_from_node = DAffine3::from(&model_from_nodes[part.node()]);
                    SkinnedPart::rigid(part, weights, &model_from_node, winding)
                }
            };
            posed.map_err(at(ModelPlace::Part(index)))
        });
        Ok(Self {
            parts: parts.collect::<Result<_, _>>()?,
        })
    }
}

impl SkinnedPart {
    /// A part that joints move into the model's space.
    pub(super) fn skinned(deformation: &Deformation<'_>) -> Result<Self, Error> {
        Ok(Self {
            shape: SkinnedShape::Deformed(deformation.checked_positions()?),
            model_from_part: DAffine3::IDENTITY,
            winding: Winding::Kept,
        })
    }

    /// A part that its node alone moves.
    pub(super) fn rigid(
        part: &Part,
        weights: &[f64],
        model_from_node: &DAffine3,
        winding: Winding,
    ) -> Result<Self, Error> {
        let deformation = Deformation::new(part, weights, Motion::None);
        let (shape, bounds) = if deformation.moves_nothing() {
            (SkinnedShape::AtRest, part.mesh().bounds())
        } else {
            let positions = deformation.checked_positions()?;
            let bounds = Aabb::around(positions.iter().copied());
            (SkinnedShape::Deformed(positions), bounds)
        };
        for corner in bounds.iter().flat_map(Aabb::wide_corners) {
            in_range("posed bounds", 0, model_from_node.transform_point3(corner))?;
        }
        Ok(Self {
            shape,
            model_from_part: *model_from_node,
            winding,
        })
    }

    /// The vertices in the part's space; `part` is the part of the model that this one poses.
    #[must_use]
    pub fn positions<'a>(&'a self, part: &'a Part) -> &'a [Vec3] {
        match &self.shape {
            SkinnedShape::AtRest => part.mesh().positions(),
            SkinnedShape::Deformed(positions) => positions,
        }
    }
}
