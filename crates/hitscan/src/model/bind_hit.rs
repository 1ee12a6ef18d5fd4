//! A hit in bind space: which joint it struck, and where, so that what is put there (a decal, a wound)
//! stays on the surface in every pose.

use super::Model;
use crate::TriangleId;
use crate::sorting::sort_by_rank;
use glam::DVec3;

/// Where a hit lies on a model, whatever its pose.
///
/// ```
/// use hitscan::TriangleId;
/// use hitscan::glam::DVec3;
/// use hitscan::model::{Model, ModelData, NodeData, PartData};
/// let part = PartData {
///     positions: vec![[0.0, 0.0, 0.0].into(), [4.0, 0.0, 0.0].into(), [0.0, 4.0, 0.0].into()],
///     triangles: vec![[0, 1, 2]],
///     ..PartData::default()
/// };
/// let nodes = vec![NodeData::default()];
/// let model = Model::new(ModelData { nodes, parts: vec![part], ..ModelData::default() })?;
/// let triangle = TriangleId { part: 0, triangle: 0 };
/// let bind = model.bind_hit(triangle, [0.5, 0.25]).unwrap();
/// assert_eq!((bind.node, bind.point), (0, DVec3::new(2.0, 1.0, 0.0)));
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BindHit {
    /// The joint with the largest weight there, or the part's node where it has no skin.
    pub node: usize,
    /// The joint's weight, from 0 to 1; 1 where the part has no skin.
    pub weight: f64,
    /// The point among the part's positions as the file has them, before morph targets and joints.
    pub point: DVec3,
}

impl Model {
    /// Which joint a hit struck, and where it lies in bind space; `None` for a part or a triangle that
    /// the model does not have, and for weights that are NaN or infinite.
    ///
    /// The weights of the triangle's corners are mixed by the hit's barycentric weights. Of joints with
    /// the same weight the first of the skin counts.
    #[must_use]
    pub fn bind_hit(&self, triangle: TriangleId, barycentrics: [f32; 2]) -> Option<BindHit> {
        let part = self.parts().get(triangle.part as usize)?;
        let corners = part.mesh().triangles().get(triangle.triangle as usize)?;
        let [u, v] = barycentrics.map(f64::from);
        if !(u.is_finite() && v.is_finite()) {
            return None;
        }
        let weights = [1.0 - u - v, u, v];
        let mut point = DVec3::ZERO;
        let mut influences: Vec<(u16, f64)> = Vec::new();
        for (&corner, of_corner) in corners.iter().zip(weights) {
            let vertex = corner as usize;
            point += part.mesh().positions()[vertex].as_dvec3() * of_corner;
            if let Some(skin) = &part.skin {
                let (joints, weights) = skin.influences(vertex);
                let joints = joints.iter().copied().zip(weights);
                influences.extend(joints.map(|(joint, weight)| (joint, weight * of_corner)));
            }
        }
        // A stable sort: a joint's weights are added in the order of the corners.
        sort_by_rank(&mut influences, |(joint, _)| [u64::from(*joint), 0, 0]);
        let mut strongest: Option<(u16, f64)> = None;
        for of_joint in influences.chunk_by(|one, other| one.0 == other.0) {
            let weight: f64 = of_joint.iter().map(|(_, weight)| weight).sum();
            if strongest.is_none_or(|(_, other)| weight > other) {
                strongest = Some((of_joint[0].0, weight));
            }
        }
        let (node, weight) = match (part.skin(), strongest) {
            (Some(skin), Some((joint, weight))) => {
                (self.skins[skin].joints()[usize::from(joint)], weight)
            }
            _ => (part.node(), 1.0),
        };
        Some(BindHit {
            node,
            weight,
            point,
        })
    }
}
