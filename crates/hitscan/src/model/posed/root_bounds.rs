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
use fearless_simd::{Simd, f32x8, prelude::*};
use glam::Vec3;

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
