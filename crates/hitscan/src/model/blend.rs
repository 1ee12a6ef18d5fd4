//! Between poses: cross-fades, and blends of any number.
//!
//! Translations, scales and morph weights are interpolated linearly, rotations along the shorter arc. A blend
//! of many is a chain of blends of two, in their order.

use super::animation::quaternion::{matrix, normalized, slerp};
use super::animation::rotation_stretch::RotationStretch;
use super::{NodeTransform, Pose};
use crate::Error;
use crate::model::check::{check_finite, check_length};
use crate::model::skeleton::parent_from_node;
use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};

impl Pose {
    /// The pose `alpha` of the way from this one to `other`: this one at 0, the other at 1, each bit for
    /// bit.
    ///
    /// In between, translations, scales and morph weights are lerped linearly; rotations, brought to
    /// unit length, turn along the shorter arc at an even speed. What is equal in both poses stays as it
    /// is. A node that is a matrix in one of them is taken apart into a rotation and what is left of it
    /// (scale and shear: Gram and Schmidt's method on its columns); the one turns, the other is lerped
    /// linearly, and the answer is a matrix.
    ///
    /// ```
    /// use hitscan::glam::{DQuat, DVec3};
    /// use hitscan::model::{Model, ModelData, NodeData, NodeTransform};
    /// let nodes = vec![NodeData::default()];
    /// let model = Model::new(ModelData { nodes, ..ModelData::default() })?;
    /// let mut up = model.rest_pose().clone();
    /// let (rotation, scale) = (DQuat::IDENTITY, DVec3::ONE);
    /// up.set_local(0, NodeTransform::Trs { translation: DVec3::Y, rotation, scale })?;
    /// let half = model.rest_pose().blended(&up, 0.5)?;
    /// let translation = DVec3::Y / 2.0;
    /// assert_eq!(half.local(0), Some(&NodeTransform::Trs { translation, rotation, scale }));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongLength`] for the pose of another model, [`Error::BadValue`] for an alpha that is
    /// not within 0 and 1.
    pub fn blended(&self, other: &Self, alpha: f64) -> Result<Self, Error> {
        self.check_like(other)?;
        check_alpha(alpha)?;
        let mut pose = self.clone();
        pose.blend_towards(other, alpha);
        Ok(pose)
    }

    /// A blend of any number of poses of one model, each with its weight; weights are divided by their
    /// sum.
    ///
    /// The poses are taken in their order: the blend of those before, and the next one, by the alpha
    /// that the next one's weight has in the sum so far. For translations, scales and morph weights
    /// that is the weighted mean, to rounding; for rotations the order matters a little, as arcs on a
    /// sphere do not commute. Poses with a weight of 0 have no part in it.
    ///
    /// # Errors
    /// [`Error::WrongLength`] for poses of different models, [`Error::BadElement`] for a weight that is
    /// negative or not finite, [`Error::BadValue`] where the weights' sum is not a positive number (as
    /// without any pose).
    pub fn blend_of(poses: &[(&Self, f64)]) -> Result<Self, Error> {
        check_finite("blend weight", poses.iter().map(|(_, weight)| *weight))?;
        for (index, (pose, weight)) in poses.iter().enumerate() {
            poses[0].0.check_like(pose)?;
            if *weight < 0.0 {
                return Err(Error::BadElement {
                    what: "blend weight",
                    index,
                    expected: "not negative",
                    found: *weight,
                });
            }
        }
        let sum: f64 = poses.iter().map(|(_, weight)| weight).sum();
        let mut used = poses.iter().filter(|(_, weight)| *weight > 0.0);
        let first = used.next().filter(|_| sum.is_finite());
        let Some((first, mut so_far)) = first.copied() else {
            return Err(Error::BadValue {
                what: "sum of blend weights",
                expected: "finite and above 0",
                found: sum,
            });
        };
        let mut blend = first.clone();
        for (pose, weight) in used {
            so_far += weight;
            blend.blend_towards(pose, weight / so_far);
        }
        Ok(blend)
    }

    /// Moves this pose `alpha` of the way to another of the same model.
    fn blend_towards(&mut self, other: &Self, alpha: f64) {
        if alpha == 1.0 {
            self.clone_from(other);
        }
        if alpha == 0.0 || alpha == 1.0 {
            return;
        }
        self.mix(
            other,
            |local, other| between(local, other, alpha),
            |weight, other| lerped(weight, other, alpha),
        );
    }

    fn check_like(&self, other: &Self) -> Result<(), Error> {
        if self.has_the_nodes_of(other) {
            return Ok(());
        }
        check_length("blended pose", self.node_count(), other.node_count())?;
        Err(Error::WrongLength {
            what: "morph weights of the blended pose",
            expected: self.all_weights().len(),
            found: other.all_weights().len(),
        })
    }
}

/// Refuses what is not within 0 and 1.
pub(super) fn check_alpha(alpha: f64) -> Result<(), Error> {
    if (0.0..=1.0).contains(&alpha) {
        return Ok(());
    }
    Err(Error::BadValue {
        what: "alpha of a blend",
        expected: "within 0 and 1",
        found: alpha,
    })
}

/// `alpha` of the way from one number to another, which it reaches exactly where they are equal.
pub(super) fn lerped(from: f64, to: f64, alpha: f64) -> f64 {
    // Both products stay in range where the difference would not.
    if from == to {
        from
    } else {
        from * (1.0 - alpha) + to * alpha
    }
}

fn lerped_vector(from: DVec3, to: DVec3, alpha: f64) -> DVec3 {
    DVec3::new(
        lerped(from.x, to.x, alpha),
        lerped(from.y, to.y, alpha),
        lerped(from.z, to.z, alpha),
    )
}

fn slerped(from: DQuat, to: DQuat, alpha: f64) -> DQuat {
    if from == to {
        return from;
    }
    normalized(slerp(normalized(from), normalized(to), alpha))
}

/// A node's transform `alpha` of the way from one to another.
fn between(from: &NodeTransform, to: &NodeTransform, alpha: f64) -> NodeTransform {
    if from == to {
        return *from;
    }
    if let (
        NodeTransform::Trs {
            translation,
            rotation,
            scale,
        },
        NodeTransform::Trs {
            translation: to_translation,
            rotation: to_rotation,
            scale: to_scale,
        },
    ) = (from, to)
    {
        return NodeTransform::Trs {
            translation: lerped_vector(*translation, *to_translation, alpha),
            rotation: slerped(*rotation, *to_rotation, alpha),
            scale: lerped_vector(*scale, *to_scale, alpha),
        };
    }
    let [from, to] = [from, to].map(|local| DAffine3::from(&parent_from_node(local)));
    NodeTransform::Matrix(DMat4::from(affine_between(&from, &to, alpha)))
}

/// A transform `alpha` of the way from one to another: taken apart into a rotation and what is left of it, of
/// which the one turns and the other is lerped linearly.
pub(super) fn affine_between(from: &DAffine3, to: &DAffine3, alpha: f64) -> DAffine3 {
    let (from, to) = (RotationStretch::new(from), RotationStretch::new(to));
    let rotation = matrix(slerped(from.rotation, to.rotation, alpha));
    let column = |k: usize| lerped_vector(from.stretch.col(k), to.stretch.col(k), alpha);
    DAffine3 {
        matrix3: rotation * DMat3::from_cols(column(0), column(1), column(2)),
        translation: lerped_vector(from.translation, to.translation, alpha),
    }
}
