//! A model between two poses of joint matrices: each joint is interpolated in its parent's space, so that limbs keep
//! their length.

use super::by_joints::widened;
use super::{JointPose, PosedModel, Source};
use crate::model::blend::{affine_between, check_alpha, lerped};
use crate::model::check::check_length;
use crate::model::max_displacement::greater;
use crate::model::{Model, PathLength, RotationStretch};
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

/// Where a joint may be between two poses: within `distance` of the straight path of the topmost joint above it, by
/// which what is below it is stretched at most; and how long its paths are.
#[derive(Debug, Clone, Copy)]
struct JointMotion {
    ends: (DVec3, DVec3),
    distance: f64,
    stretch: f64,
    path: PathLength,
}

impl JointMotion {
    /// That of a joint, from that of the joint above.
    fn new(above: Option<&Self>, (a, b): (&DAffine3, &DAffine3)) -> Self {
        let stretch = stretch_bound(&a.matrix3).max(stretch_bound(&b.matrix3));
        let (p, q) = (a.translation, b.translation);
        let parts = [a, b].map(RotationStretch::new);
        let path = PathLength::between(&parts[0], &parts[1], stretch);
        let Some(above) = above else {
            return Self {
                ends: (p.min(q), p.max(q)),
                distance: 0.0,
                stretch,
                path,
            };
        };
        let distance = p.length().max(q.length());
        Self {
            ends: above.ends,
            distance: above.distance + above.stretch * distance,
            stretch: above.stretch * stretch,
            path: above.path.then(above.stretch, &path, (distance, stretch)),
        }
    }
}

/// What holds the model in two poses and between them, of two boxes the part that both hold.
///
/// One is made of boxes around joints: around the straight path of the topmost joint above each, widened by the
/// largest distances and stretches of the chain down to what it moves. Between two transforms a stretch is no
/// larger than at the larger end, as a norm is convex. The other holds paths by their ends
/// ([`PathLength::around`]), and is the smaller one where the poses are of neighbouring frames.
fn bounds_between(
    one: &PosedModel,
    other: &PosedModel,
    (from, to): (&JointPose, &JointPose),
) -> Option<Aabb> {
    let model = &one.model;
    let mut motions: Vec<Option<JointMotion>> = vec![None; from.model_from_joints.len()];
    for_each_local(model, (from, to), |joint, parent, (a, b)| {
        let above = parent.and_then(|parent| motions[parent].as_ref());
        motions[joint] = Some(JointMotion::new(above, (&a, &b)));
    });
    let mut all: Option<Aabb> = None;
    let (mut longest, mut size) = (0.0, 0.0);
    for part in &model.parts {
        let Some(skin) = &part.skin else { continue };
        let range = model.rest.weight_range(part.node());
        let weights = (&one.weights[range.clone()], &other.weights[range]);
        let morph_boxes = part.extent.morph_bounds(weights);
        let morph_path = part.extent.morph_path(weights);
        let skin = &model.skins[skin.skin()];
        let radii = part
            .extent
            .radii(morph_boxes, |joint| &skin.joint_from_bind()[joint]);
        for (joint, radius) in radii {
            // It is one of the joints.
            let place = model.joints.binary_search(&skin.joints()[joint]).ok()?;
            let motion = motions[place].as_ref()?;
            let (bounds, far) = around_path(motion, radius)?;
            all = Some(all.map_or(bounds, |all| all.union(&bounds)));
            let joint_from_bind = DAffine3::from(&skin.joint_from_bind()[joint]).matrix3;
            let morphed = motion.stretch * stretch_bound(&joint_from_bind) * morph_path;
            longest = greater(longest, motion.path.of_radius(radius) + morphed);
            size = greater(size, far);
        }
    }
    let ends = [from, to].map(|pose| pose.bounds);
    let [Some(from), Some(to)] = ends else {
        return all;
    };
    let around = PathLength::around((&from, &to), longest, MARGIN * size);
    match (all, around) {
        (Some(all), Some(around)) => all.intersection(&around).or(Some(all)),
        (all, _) => all,
    }
}

/// A box of what is within `radius` of a joint on its path, and how far from the origin that may be.
fn around_path(motion: &JointMotion, radius: f64) -> Option<(Aabb, f64)> {
    let (min, max) = motion.ends;
    let radius = motion.distance + motion.stretch * radius;
    let size = radius + min.abs().max(max.abs()).max_element();
    let radius = DVec3::splat(radius + MARGIN * size);
    let limit = DVec3::splat(f64::from(MAX_COORDINATE));
    // What leaves the range of shapes is not there, so a bound that is no number holds all that is.
    let ends = match [min - radius, max + radius] {
        ends if ends.iter().any(|end| end.is_nan()) => [-limit, limit],
        ends => ends.map(|end| end.clamp(-limit, limit)),
    };
    Some((Aabb::around_f64(ends)?, size))
}

/// By how much a matrix stretches at most, or a little more, whatever rotation goes before or after: the root of the
/// largest sum of magnitudes along a row of its transpose times itself.
fn stretch_bound(matrix: &DMat3) -> f64 {
    let square = matrix.transpose() * *matrix;
    let columns = [square.x_axis, square.y_axis, square.z_axis];
    let sums = columns.map(|column| column.abs().element_sum());
    sums.into_iter().fold(0.0, greater).sqrt()
}
