//! The boxes around a deformed part's largest pieces, where the pose takes them: what most rays that come
//! near miss, before any joint is looked at for them.
//!
//! They are those of the root's children, in the part's space; computed with the joints, while
//! these are at hand.

use super::box_transform::{BOX_ERROR, MORPH_ERROR, MorphBounds, splat};
use crate::Aabb;
use crate::bvh::{LATER, TraversalQuery, TraversalRay, WIDTH, slab_time};
use crate::model::joint_matrix::JointMatrix;
use crate::model::skinning::joint_bounds::JointBounds;
use crate::simd::Width;
use crate::tri_mesh::placed_pieces;
use fearless_simd::{Simd, f32x8, prelude::*};
use glam::{DAffine3, Vec3};

/// The node whose children they are.
pub(super) const ROOT: u32 = 0;

/// Eight boxes side by side; those of children that do not exist are turned inside out.
#[derive(Debug)]
pub(super) struct RootBounds {
    /// `bounds[axis][0]` holds the lower ends, `bounds[axis][1]` the upper ones.
    bounds: [[[f32; WIDTH]; 2]; 3],
}

impl RootBounds {
    /// The boxes where `joint_matrix` gives the transform of a joint of the skin. `max_abs` bounds the sum of
    /// the magnitudes of what is added up on the way to any coordinate.
    ///
    /// Each box holds what it bounds in spite of rounding: [`BOX_ERROR`] is derived for sums of these and
    /// more numbers, which are at most twice as large.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new<'c, S: Simd>(
        simd: S,
        joint_bounds: &JointBounds,
        morph_bounds: &MorphBounds,
        joint_matrix: impl Fn(u16) -> &'c JointMatrix,
        max_abs: f32,
    ) -> Self {
        let columns = |joint| joint_matrix(joint).rounded(simd);
        let [low, high] = morph_bounds.transformed_boxes(simd, joint_bounds, ROOT, columns);
        let errors = BOX_ERROR + MORPH_ERROR * morph_bounds.count();
        // Below the smallest normal number rounding errors are not relative.
        let margin = errors * (f32::EPSILON / 2.0) * max_abs + f32::MIN_POSITIVE;
        let mut bounds = [[[0.0; WIDTH]; 2]; 3];
        for axis in 0..3 {
            bounds[axis] = [
                (low[axis] - margin).to_array(),
                (high[axis] + margin).to_array(),
            ];
        }
        Self { bounds }
    }

    /// The same boxes, as far as they are in `all`, which holds the part: what is within a piece is in both.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn within<S: Simd>(mut self, simd: S, all: &Aabb) -> Self {
        for (axis, [lower, upper]) in self.bounds.iter_mut().enumerate() {
            let (low, high) = (
                f32x8::load_array_ref(simd, lower),
                f32x8::load_array_ref(simd, upper),
            );
            *lower = low.max(splat(simd, all.min()[axis])).to_array();
            *upper = high.min(splat(simd, all.max()[axis])).to_array();
        }
        self
    }

    /// As [`placed_box`](crate::tri_mesh::placed_box) of the part, which is in `all`.
    pub(super) fn placed(
        &self,
        width: Width,
        all: &Aabb,
        outer_from_part: &DAffine3,
    ) -> Option<Aabb> {
        placed_pieces(width, (all, &self.bounds), outer_from_part)
    }

    /// The box around all.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn bounds<S: Simd>(&self, simd: S) -> Aabb {
        let low = |axis: usize| f32x8::load_array_ref(simd, &self.bounds[axis][0]).reduce_min();
        let high = |axis: usize| f32x8::load_array_ref(simd, &self.bounds[axis][1]).reduce_max();
        Aabb::from_ordered(
            Vec3::new(low(0), low(1), low(2)),
            Vec3::new(high(0), high(1), high(2)),
        )
    }

    /// One of the boxes.
    pub(super) fn bounds_at(&self, place: usize) -> Aabb {
        let corner = |end: usize| {
            let [x, y, z] = &self.bounds;
            Vec3::new(x[end][place], y[end][place], z[end][place])
        };
        Aabb::from_ordered(corner(0), corner(1))
    }

    /// Whether a ray may touch any of the boxes at a t that rounds to at most `limit`, as the walk through
    /// the part begins: where not, that visits nothing. The bounds and `max_abs` are those of the part.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn may_be_touched<S: Simd>(
        &self,
        simd: S,
        query: &TraversalQuery,
        (bounds, max_abs): (&Aabb, f32),
        limit: f32,
    ) -> bool {
        let mut traversal_ray = TraversalRay::NONE;
        if !traversal_ray.set(simd, query, bounds, max_abs) {
            return false;
        }
        let time_limit = traversal_ray.time_limit(limit);
        let (touched, _) = self.touched(simd, &traversal_ray, time_limit);
        touched != 0
    }

    /// Which of the boxes the ray may touch until `limit`, and when it enters them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn touched<S: Simd>(
        &self,
        simd: S,
        traversal_ray: &TraversalRay,
        limit: f32,
    ) -> (u32, [f32; WIDTH]) {
        let (mut enter, mut leave) = (splat(simd, 0.0), splat(simd, f32::MAX));
        for axis in 0..3 {
            let first_side = traversal_ray.first_side[axis] & 1;
            let first = f32x8::load_array_ref(simd, &self.bounds[axis][first_side]);
            let last = f32x8::load_array_ref(simd, &self.bounds[axis][first_side ^ 1]);
            let reciprocal = splat(simd, traversal_ray.reciprocal[axis]);
            let (entry, exit) = (traversal_ray.enter[axis], traversal_ray.leave[axis]);
            enter = enter.max(slab_time(simd, first, reciprocal, splat(simd, entry)));
            leave = leave.min(slab_time(simd, last, reciprocal, splat(simd, exit)));
        }
        let leave = (leave * LATER).min(splat(simd, limit));
        #[expect(clippy::cast_possible_truncation, reason = "the mask has 8 bits")]
        let touched = enter.simd_le(leave).to_bitmask() as u32;
        (touched, enter.to_array())
    }
}

#[cfg(test)]
mod tests {
    use super::super::placed_parts::PartPlaces;
    use super::super::{PosedModel, PosedPart};
    use crate::model::{
        ChannelData, ClipData, Interpolation, Model, ModelData, NodeData, PartData, PartSkin,
        Property, SkinData,
    };
    use crate::simd::Width;
    use crate::test_rng::Rng;
    use crate::tri_mesh::{MeshTransform, placed_box};
    use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
    use std::sync::Arc;

    const JOINTS: u16 = 4;

    fn turn(rng: &mut Rng) -> DQuat {
        DQuat::from_array([(); 4].map(|()| rng.uniform(-1.0, 1.0))).normalize()
    }

    /// An arm along x whose joints turn as they please, each vertex between two of them.
    fn arm(rng: &mut Rng) -> ModelData {
        let (mut positions, mut joints, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        let mut triangle_x = 0.0;
        for vertex in 0..300 {
            if vertex % 3 == 0 {
                triangle_x = rng.uniform(0.0, f64::from(JOINTS - 1));
            }
            let x = triangle_x + rng.uniform(-0.1, 0.1);
            let at = DVec3::new(x, rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1));
            positions.push(at.as_vec3());
            let first = (0..JOINTS - 2).rfind(|joint| f64::from(*joint) <= x);
            let first = first.unwrap_or(0);
            joints.extend([first, first + 1]);
            weights.extend([1.0, [0.0, 1.0, 0.25][vertex % 3]]);
        }
        let triangles = (0..100).map(|index| [3 * index, 3 * index + 1, 3 * index + 2]);
        let part = PartData {
            positions,
            triangles: triangles.collect(),
            skin: Some(PartSkin {
                skin: 0,
                influences: 2,
                joints,
                weights,
            }),
            ..PartData::default()
        };
        let channel = |node| {
            let [first, last] = [(); 2].map(|()| turn(rng).as_quat().to_array());
            ChannelData {
                node,
                property: Property::Rotation,
                interpolation: Interpolation::Linear,
                times: vec![0.0, 1.0],
                values: [first, last].concat(),
            }
        };
        let channels = (0..usize::from(JOINTS)).map(channel).collect();
        let skin = SkinData {
            joints: (0..usize::from(JOINTS)).collect(),
            ..SkinData::default()
        };
        ModelData {
            nodes: vec![NodeData::default(); usize::from(JOINTS)],
            skins: vec![skin],
            parts: vec![part],
            clips: vec![ClipData {
                name: None,
                channels,
            }],
        }
    }

    /// How much larger the box around the placed pieces is than the placed part, which it holds, divided by
    /// how much larger that around their common box is.
    fn tightness(part: PosedPart<'_>, placed: &DAffine3) -> f64 {
        let found = part.placed_bounds(placed).unwrap();
        let corners = part.mesh().triangles().as_flattened().iter();
        let ends = corners.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |ends, corner| {
            let at = part.mesh().positions()[*corner as usize].as_dvec3();
            let at = placed.transform_point3(at);
            assert!((found.min().as_dvec3().cmplt(at) & found.max().as_dvec3().cmpgt(at)).all());
            (ends.0.min(at.as_vec3()), ends.1.max(at.as_vec3()))
        });
        let around = placed_box(&part.bounds().unwrap(), placed).unwrap();
        let margin = 1e-5 * around.max().abs().max(around.min().abs()).max_element();
        assert!(
            around.min().cmple(found.min() + margin).all()
                && around.max().cmpge(found.max() - margin).all()
        );
        let slack = |min: Vec3, max: Vec3| f64::from((max - min - (ends.1 - ends.0)).element_sum());
        slack(found.min(), found.max()) / slack(around.min(), around.max())
    }

    #[test]
    fn placed_pieces_hold_the_part_and_less_than_its_placed_box() {
        let mut rng = Rng(31);
        let mut sum = 0.0;
        for _ in 0..200 {
            let model = Arc::new(Model::new(arm(&mut rng)).unwrap());
            let posed = PosedModel::at_clip(&model, 0, rng.uniform(0.0, 1.0)).unwrap();
            let stretch = DVec3::new(1.0, rng.pick(&[1.0, 0.1, -2.0]), 1.0);
            let matrix = DMat3::from_quat(turn(&mut rng)) * DMat3::from_diagonal(stretch);
            let at = DVec3::splat(rng.pick(&[0.0, -3.0, 100.0]));
            let placed = DAffine3::from_mat3_translation(matrix, at);
            let bounds = posed.part(0).unwrap().placed_bounds(&placed);
            sum += tightness(posed.part(0).unwrap(), &placed);

            // What is known of the place of an only part is what would be found.
            let transform = MeshTransform::new(placed);
            let found = PartPlaces::of_model(&posed, Some(&transform), None);
            let known = PartPlaces::of_skinned(&posed, Some(&transform), bounds.unwrap());
            assert_eq!(format!("{:?}", known.unwrap()), format!("{found:?}"));
            let known = PartPlaces::of_model(&posed, Some(&transform), bounds);
            assert_eq!(format!("{known:?}"), format!("{found:?}"));

            for width in Width::available() {
                let posed = PosedModel::at_clip(&model, 0, 0.5).unwrap();
                let expected = posed.part(0).unwrap().placed_bounds(&placed);
                let posed = posed.with_width(width);
                let again = posed.part(0).unwrap().placed_bounds(&placed);
                assert_eq!(again, expected, "{width:?}");
            }
        }
        assert!(sum / 200.0 < 0.9, "{}", sum / 200.0);
    }
}
