//! A model between two poses of joint matrices: each joint is interpolated in its parent's space, so that limbs keep
//! their length.

use super::by_joints::widened;
use super::{JointPose, PosedModel, Source};
use crate::model::Model;
use crate::model::blend::{affine_between, check_alpha, lerped};
use crate::model::check::check_length;
use crate::shape::aabb::MAX_COORDINATE;
use crate::tri_mesh::MARGIN;
use crate::{Aabb, Error};
use glam::{Affine3A, DAffine3, DMat3, DVec3};

impl PosedModel {
    /// The model between two poses of joint matrices.
    pub(super) fn joints_blended(
        &self,
        (from, to): (&JointPose, &JointPose),
        other: &Self,
        alpha: f64,
    ) -> Result<Self, Error> {
        check_length(
            "joint matrices of the blended pose",
            from.model_from_joints.len(),
            to.model_from_joints.len(),
        )?;
        check_alpha(alpha)?;
        check_length(
            "morph weights of the blended pose",
            self.weights.len(),
            other.weights.len(),
        )?;
        let weights = self.weights.iter().zip(&other.weights);
        let weights = weights.map(|(one, other)| lerped(*one, *other, alpha));
        let weights = weights.collect();
        if alpha == 0.0 || from.model_from_joints == to.model_from_joints {
            return Self::with_joints(&self.model, from.model_from_joints.clone(), weights);
        }
        if alpha == 1.0 {
            return Self::with_joints(&self.model, to.model_from_joints.clone(), weights);
        }
        let mut placed = vec![DAffine3::IDENTITY; from.model_from_joints.len()];
        for_each_local(&self.model, (from, to), |joint, parent, (from, to)| {
            let local = affine_between(&from, &to, alpha);
            placed[joint] = parent.map_or(local, |parent| placed[parent] * local);
        });
        let placed = placed.iter().map(rounded).collect();
        Self::with_joints(&self.model, placed, weights)
    }

    /// A box that holds the model in this pose, in another of the same model, and in any that [`Self::blended`]
    /// makes of the two, where both are of joint matrices; `None` where one is not.
    pub(crate) fn bounds_to(&self, other: &Self) -> Option<Option<Aabb>> {
        let (Source::Joints(from), Source::Joints(to)) = (&self.source, &other.source) else {
            return None;
        };
        if from.model_from_joints.len() != to.model_from_joints.len() {
            return None;
        }
        Some(bounds_between(self, other, (from, to)))
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "what is too large is refused"
)]
fn rounded(matrix: &DAffine3) -> Affine3A {
    Affine3A::from_cols_array(&matrix.to_cols_array().map(|number| number as f32))
}

/// Visits the joints of two poses, parents before their children: each joint's place among them, that of the joint
/// above whose space it is interpolated in, and its transforms there. The joint above is the nearest of its
/// ancestors, if neither pose flattens that; without one the space is the model's.
fn for_each_local(
    model: &Model,
    (from, to): (&JointPose, &JointPose),
    mut visit: impl FnMut(usize, Option<usize>, (DAffine3, DAffine3)),
) {
    let both = |joint: usize| {
        let matrices = [from, to].map(|pose| &pose.model_from_joints[joint]);
        matrices.map(widened)
    };
    for &node in model.skeleton.parents_first() {
        let Ok(joint) = model.joints.binary_search(&node) else {
            continue;
        };
        let [from, to] = both(joint);
        let above = joint_above(model, node).map(|parent| {
            let inverses = both(parent).map(|parent| parent.inverse());
            (parent, inverses)
        });
        match above {
            Some((parent, [a, b])) if a.is_finite() && b.is_finite() => {
                visit(joint, Some(parent), (a * from, b * to));
            }
            _ => visit(joint, None, (from, to)),
        }
    }
}

/// The nearest joint above a node, by its place among the joints.
fn joint_above(model: &Model, node: usize) -> Option<usize> {
    let mut above = model.nodes()[node].parent();
    while let Some(node) = above {
        if let Ok(joint) = model.joints.binary_search(&node) {
            return Some(joint);
        }
        above = model.nodes()[node].parent();
    }
    None
}

/// Where a joint may be between two poses: within `distance` of the way of the joint that it hangs on, by which
/// what is below it is stretched at most.
#[derive(Debug, Clone, Copy)]
struct JointWay {
    ends: (DVec3, DVec3),
    distance: f64,
    stretch: f64,
}

/// What holds the model in two poses and between them: for each joint a box around the straight way of the joint
/// that it hangs on, widened by the greatest distances and stretches on the way to what it moves. Between two
/// transforms a stretch is no greater than at the greater end, as a norm is convex.
fn bounds_between(
    one: &PosedModel,
    other: &PosedModel,
    (from, to): (&JointPose, &JointPose),
) -> Option<Aabb> {
    let model = &one.model;
    let none = JointWay {
        ends: (DVec3::ZERO, DVec3::ZERO),
        distance: 0.0,
        stretch: 1.0,
    };
    let mut ways = vec![none; from.model_from_joints.len()];
    for_each_local(model, (from, to), |joint, parent, (a, b)| {
        let stretch = stretch_bound(&a.matrix3).max(stretch_bound(&b.matrix3));
        let (p, q) = (a.translation, b.translation);
        ways[joint] = match parent.map(|parent| ways[parent]) {
            None => JointWay {
                ends: (p.min(q), p.max(q)),
                distance: 0.0,
                stretch,
            },
            Some(above) => JointWay {
                ends: above.ends,
                distance: above.distance + above.stretch * p.length().max(q.length()),
                stretch: above.stretch * stretch,
            },
        };
    });
    let mut all: Option<Aabb> = None;
    for part in &model.parts {
        let Some(skin) = &part.skin else { continue };
        let range = model.rest.weight_range(part.node());
        let weights = (&one.weights[range.clone()], &other.weights[range]);
        let morph_boxes = part.extent.morph_bounds(weights);
        let skin = &model.skins[skin.skin()];
        let radii = part
            .extent
            .radii(morph_boxes, |joint| &skin.joint_from_bind()[joint]);
        for (joint, radius) in radii {
            // It is one of the joints.
            let place = model.joints.binary_search(&skin.joints()[joint]).ok()?;
            let bounds = around_way(&ways[place], radius)?;
            all = Some(all.map_or(bounds, |all| all.union(&bounds)));
        }
    }
    all
}

/// A box of what is within `radius` of a joint on its way.
fn around_way(way: &JointWay, radius: f64) -> Option<Aabb> {
    let (min, max) = way.ends;
    let radius = way.distance + way.stretch * radius;
    let size = radius + min.abs().max(max.abs()).max_element();
    let radius = DVec3::splat(radius + MARGIN * size);
    let limit = DVec3::splat(f64::from(MAX_COORDINATE));
    // What leaves the range of shapes is not there, so a bound that is no number holds all that is.
    let ends = match [min - radius, max + radius] {
        ends if ends.iter().any(|end| end.is_nan()) => [-limit, limit],
        ends => ends.map(|end| end.clamp(-limit, limit)),
    };
    Aabb::around_f64(ends)
}

/// By how much a matrix stretches at most, or a little more, whatever rotation goes before or after: the root of the
/// largest sum of magnitudes along a row of its transpose times itself.
fn stretch_bound(matrix: &DMat3) -> f64 {
    let square = matrix.transpose() * *matrix;
    let columns = [square.x_axis, square.y_axis, square.z_axis];
    let sums = columns.map(|column| column.abs().element_sum());
    // A NaN stays.
    let greater = |a: f64, b: f64| if b.is_nan() || b > a { b } else { a };
    sums.into_iter().fold(0.0, greater).sqrt()
}
