//! A model as it stands in a pose: for each part its vertices, the space they are in, and whether that
//! space is mirrored.
//!
//! Rays and other questions are not asked here. The formulas of one vertex are in `morph.rs` and
//! `skin.rs`.

use super::check::at;
use super::morph::displaced;
use super::part::Part;
use super::rigid::keeps_rays;
use super::{Model, Pose, Winding};
use crate::aabb::MAX_COORDINATE;
use crate::{Aabb, Error, ModelPlace};
use glam::{DAffine3, DVec3, Vec3};

/// A model in one pose.
///
/// ```
/// use hitscan::model::{Model, ModelData, NodeData, PartData, PosedShape};
/// let part = PartData {
///     positions: vec![[0.0, 0.0, 0.0].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()],
///     triangles: vec![[0, 1, 2]],
///     ..PartData::default()
/// };
/// let nodes = vec![NodeData::default()];
/// let model = Model::new(ModelData { nodes, parts: vec![part], ..ModelData::default() })?;
/// let posed = model.posed(model.rest_pose())?;
/// assert!(matches!(posed.parts()[0].shape, PosedShape::AtRest));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PosedModel {
    parts: Vec<PosedPart>,
}

/// A part in one pose: its vertices, and how their space lies in the model's.
///
/// Invariant: `model_from_part` has an inverse and is well conditioned, and every vertex, brought into
/// the model's space, is finite and within ±1e18.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PosedPart {
    /// Where the part's vertices are, in the part's space.
    pub shape: PosedShape,
    /// From the part's space to the model's. The identity for a skinned part, and for one that its
    /// node flattens (or nearly): their vertices are in the model's space already.
    pub model_from_part: DAffine3,
    /// Which way the triangles' winding, in the model's space, faces.
    pub winding: Winding,
}

/// Where the vertices of a posed part are.
#[derive(Debug, Clone, PartialEq)]
pub enum PosedShape {
    /// Where the part's own mesh has them, bit for bit: nothing but `model_from_part` moves them.
    AtRest,
    /// Here, one for each position of the part's mesh.
    Deformed(Vec<Vec3>),
}

impl PosedModel {
    /// The parts, in the model's order.
    #[must_use]
    pub fn parts(&self) -> &[PosedPart] {
        &self.parts
    }

    /// The parts, in the model's order.
    #[must_use]
    pub fn into_parts(self) -> Vec<PosedPart> {
        self.parts
    }

    /// The bytes that the posed parts take on the heap.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let deformed = self.parts.iter().map(|part| match &part.shape {
            PosedShape::AtRest => 0,
            PosedShape::Deformed(positions) => size_of_val(positions.as_slice()),
        });
        deformed.sum::<usize>() + size_of_val(self.parts.as_slice())
    }

    pub(super) fn new(model: &Model, pose: &Pose) -> Result<Self, Error> {
        let model_from_nodes = model.skeleton.model_from_nodes(pose.locals());
        let skins = model.skins.iter();
        let model_from_bind: Vec<Vec<DAffine3>> = skins
            .map(|skin| skin.model_from_bind(&model_from_nodes))
            .collect();
        let parts = model.parts.iter().enumerate().map(|(index, part)| {
            let posed = match &part.skin {
                Some(weights) => {
                    let joints = &model_from_bind[weights.skin()];
                    let place = |vertex, bind| weights.place(vertex, bind, joints);
                    deformed(part, pose, place).map(PosedPart::in_model_space)
                }
                None => {
                    let winding = model.skeleton.winding(part.node(), pose.locals());
                    carried(part, pose, &model_from_nodes[part.node()], winding)
                }
            };
            posed.map_err(at(ModelPlace::Part(index)))
        });
        Ok(Self {
            parts: parts.collect::<Result<_, _>>()?,
        })
    }
}

impl PosedPart {
    fn in_model_space(positions: Vec<Vec3>) -> Self {
        Self {
            shape: PosedShape::Deformed(positions),
            model_from_part: DAffine3::IDENTITY,
            winding: Winding::Kept,
        }
    }

    /// The vertices in the part's space; `part` is the part of the model that this one poses.
    #[must_use]
    pub fn positions<'a>(&'a self, part: &'a Part) -> &'a [Vec3] {
        match &self.shape {
            PosedShape::AtRest => part.mesh().positions(),
            PosedShape::Deformed(positions) => positions,
        }
    }
}

/// A part that its node alone carries.
fn carried(
    part: &Part,
    pose: &Pose,
    model_from_node: &DAffine3,
    winding: Winding,
) -> Result<PosedPart, Error> {
    if !keeps_rays(model_from_node) {
        let positions = deformed(part, pose, |_, at| model_from_node.transform_point3(at))?;
        return Ok(PosedPart {
            winding,
            ..PosedPart::in_model_space(positions)
        });
    }
    let (shape, bounds) = if part.morph.in_use(pose.weights_of(part.node())).is_empty() {
        (PosedShape::AtRest, part.mesh().bounds())
    } else {
        let positions = deformed(part, pose, |_, at| at)?;
        let bounds = Aabb::around(positions.iter().copied());
        (PosedShape::Deformed(positions), bounds)
    };
    if let Some(bounds) = bounds {
        for corner in 0..8 {
            let pick = |axis: usize| {
                let end = if corner >> axis & 1 == 0 {
                    bounds.min()
                } else {
                    bounds.max()
                };
                f64::from(end[axis])
            };
            let corner = DVec3::new(pick(0), pick(1), pick(2));
            in_range("posed bounds", 0, model_from_node.transform_point3(corner))?;
        }
    }
    Ok(PosedPart {
        shape,
        model_from_part: *model_from_node,
        winding,
    })
}

/// The part's vertices where morph targets, and then `place`, take them: worked out in f64, rounded
/// to f32 once.
fn deformed(
    part: &Part,
    pose: &Pose,
    place: impl Fn(usize, DVec3) -> DVec3,
) -> Result<Vec<Vec3>, Error> {
    let in_use = part.morph.in_use(pose.weights_of(part.node()));
    let positions = part.mesh().positions().iter().enumerate();
    positions
        .map(|(vertex, &base)| {
            let placed = place(vertex, displaced(&in_use, vertex, base));
            in_range("posed position", vertex, placed).map(|()| placed.as_vec3())
        })
        .collect()
}

/// Refuses a place where transforms have overflowed or gone beyond what shapes accept.
fn in_range(what: &'static str, index: usize, place: DVec3) -> Result<(), Error> {
    let limit = f64::from(MAX_COORDINATE);
    let is_outside = |x: &f64| x.is_nan() || x.abs() > limit;
    match place.to_array().into_iter().find(is_outside) {
        None => Ok(()),
        Some(found) => Err(Error::OutOfRange {
            what,
            index,
            found,
            limit,
        }),
    }
}
