//! Posing models: by poses, by clips, and by joint matrices as engines have them.
//!
//! Each pose is checked at once and put into the world by the next [`World::update`].

use super::World;
use super::edit::wrong;
use super::instance::{Geometry, Instance};
use super::object::{Object, Shape};
use crate::model::{Model, Pose, PosedModel};
use crate::parallel::answer_chunks;
use crate::{Error, ObjectId};
use glam::{Affine3A, DAffine3};
use std::sync::Arc;

/// The number of models that a thread poses at once.
const POSES_A_TASK: usize = 32;

impl World {
    /// Puts a model, or the model that a compound is [on the joints](crate::Compound::on_joints) of, into a pose.
    ///
    /// # Errors
    /// As [`World::set_transform`], and [`Error::WrongLength`] for the pose of another model.
    pub fn set_pose(&mut self, object: ObjectId, pose: &Pose) -> Result<(), Error> {
        let posed = PosedModel::new(self.model_to_pose(object)?, pose)?;
        let changed = self.posed_object(object, posed)?;
        self.put(changed);
        Ok(())
    }

    /// Puts a model into the pose that it has `time_secs` into a clip; as [`World::set_pose`] of
    /// [`Model::pose_at`], at less cost.
    ///
    /// # Errors
    /// As [`World::set_transform`], and those of [`Model::pose_at`].
    pub fn set_pose_at(
        &mut self,
        object: ObjectId,
        clip: usize,
        time_secs: f64,
    ) -> Result<(), Error> {
        let changed = self.posed_at((object, clip, time_secs))?;
        self.put(changed);
        Ok(())
    }

    /// Puts models into the poses that they have at times into clips, `(object, clip, time_secs)` each: as
    /// [`World::set_pose_at`] for one after the other, on all threads of rayon's current pool.
    ///
    /// # Errors
    /// Those of [`World::set_pose_at`] for the first that is refused; all objects then stay as they
    /// were.
    pub fn set_poses_at(&mut self, poses: &[(ObjectId, usize, f64)]) -> Result<(), Error> {
        let mut changed = vec![None; poses.len()];
        answer_chunks(poses, &mut changed, POSES_A_TASK, |poses, changed| {
            for (pose, changed) in poses.iter().zip(changed) {
                *changed = Some(self.posed_at(*pose));
            }
        });
        let changed = changed.into_iter().flatten();
        let changed = changed.collect::<Result<Vec<_>, _>>()?;
        changed.into_iter().for_each(|changed| self.put(changed));
        Ok(())
    }

    /// Puts a model where matrices take its joints, as engines have them: from each joint's space to the world's, one
    /// for each of [`Model::joints`], in that order. A vertex goes to the sum of
    /// `weight * (matrix * inverse bind) * position`, its weights divided by their sum, in f64; f32 is taken exactly. A
    /// joint may be scaled to nothing, or mirror. The joints are in the world's space, so the object's own transform
    /// is the identity from here on, until [`World::set_pose`] and then [`World::set_transform`] give it another.
    /// Weights of morph targets stay as they are.
    ///
    /// It costs a copy and a box around what each joint moves; all else is worked out when a query first reaches the
    /// object. Answers are those of the same pose given node by node. Between two recorded ticks each joint is
    /// interpolated in its parent's space, so that limbs keep their length ([`PosedModel::blended`]); between such a
    /// tick and one with a pose of another kind the object is as at the earlier one.
    ///
    /// ```
    /// use hitscan::glam::{Affine3A, DAffine3, Vec3};
    /// use hitscan::model::{Model, SkinnedMeshData};
    /// use hitscan::{Ray, World};
    /// use std::sync::Arc;
    /// // A triangle on one joint.
    /// let model = Arc::new(Model::from_skinned_mesh(SkinnedMeshData {
    ///     positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
    ///     indices: vec![0, 1, 2],
    ///     joint_count: 1,
    ///     influences: 1,
    ///     joints: vec![0; 3],
    ///     weights: vec![1.0; 3],
    ///     ..SkinnedMeshData::default()
    /// })?);
    /// let mut world = World::new();
    /// let object = world.add_model(&model, model.rest_pose(), DAffine3::IDENTITY)?;
    /// world.set_joint_matrices(object, &[Affine3A::from_translation(Vec3::NEG_Z)])?;
    /// world.update();
    /// let hit = world.now().cast_ray(&Ray::new([0.2, 0.2, 3.0], [0.0, 0.0, -1.0])?, ());
    /// assert_eq!(hit.map(|hit| hit.t), Some(4.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed, [`Error::WrongObject`] for what is no model, and what
    /// [`PosedModel::by_joints`] refuses. The object then stays as it was.
    pub fn set_joint_matrices(
        &mut self,
        object: ObjectId,
        world_from_joints: &[Affine3A],
    ) -> Result<(), Error> {
        let shape = self.posed_by_joints(object, world_from_joints)?;
        self.put_shape(object, shape)
    }

    /// A model of the world where matrices take its joints.
    pub(super) fn posed_by_joints(
        &self,
        object: ObjectId,
        world_from_joints: &[Affine3A],
    ) -> Result<Shape, Error> {
        let Shape::Instance(instance) = &self.latest(object)?.shape else {
            return Err(wrong(object.index(), "a model"));
        };
        let Geometry::Model(posed) = instance.geometry() else {
            return Err(wrong(object.index(), "a model"));
        };
        let posed = Arc::new(posed.moved_by(world_from_joints)?);
        let instance = Instance::new(Geometry::Model(posed), &DAffine3::IDENTITY)?;
        Ok(Shape::Instance(instance))
    }

    /// Sets the weights of the morph targets of a model, or of the model that a compound is on the joints of: those of
    /// all nodes, one node's after another's, as [`Pose::morph_weights`] has them. Its pose stays as it is, and a pose
    /// that is set later has weights of its own, but for [joint matrices](World::set_joint_matrices).
    ///
    /// ```
    /// use hitscan::glam::{DAffine3, Vec3};
    /// use hitscan::model::{Model, SkinnedMeshData};
    /// use hitscan::{Ray, World};
    /// use std::sync::Arc;
    /// let model = Arc::new(Model::from_skinned_mesh(SkinnedMeshData {
    ///     positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
    ///     indices: vec![0, 1, 2],
    ///     morph_displacements: vec![Vec3::Z; 3],
    ///     ..SkinnedMeshData::default()
    /// })?);
    /// let mut world = World::new();
    /// let object = world.add_model(&model, model.rest_pose(), DAffine3::IDENTITY)?;
    /// world.set_morph_weights(object, &[0.5])?;
    /// world.update();
    /// let hit = world.now().cast_ray(&Ray::new([0.2, 0.2, 3.0], [0.0, 0.0, -1.0])?, ());
    /// assert_eq!(hit.map(|hit| hit.t), Some(2.5));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::set_pose`]; [`Error::WrongLength`] for another number of weights than the model's nodes have,
    /// [`Error::BadElement`] for one that is not finite.
    pub fn set_morph_weights(&mut self, object: ObjectId, weights: &[f32]) -> Result<(), Error> {
        let posed = match &self.latest(object)?.shape {
            Shape::Instance(instance) => instance.geometry().posed_model(),
            Shape::Compound(placed) => {
                let posed = placed.shape().posed();
                posed.map(|posed| posed.posed_model().as_ref())
            }
            Shape::HeightField(_) | Shape::Primitive(_) => None,
        };
        let posed = posed.ok_or_else(|| wrong(object.index(), "a model"))?;
        let changed = self.posed_object(object, posed.morphed(weights)?)?;
        self.put(changed);
        Ok(())
    }

    fn model_to_pose(&self, object: ObjectId) -> Result<&Arc<Model>, Error> {
        let model = self.latest(object)?.model();
        model.ok_or_else(|| wrong(object.index(), "a model"))
    }

    /// A model at a time into a clip.
    fn posed_at(&self, (object, clip, time_secs): (ObjectId, usize, f64)) -> Result<Object, Error> {
        if let Shape::Instance(instance) = &self.latest(object)?.shape {
            instance.prefetch_transform();
        }
        let posed = PosedModel::at_clip(self.model_to_pose(object)?, clip, time_secs)?;
        self.posed_object(object, posed)
    }

    /// An object that has a model in another pose of that.
    fn posed_object(&self, object: ObjectId, posed: PosedModel) -> Result<Object, Error> {
        let latest = self.latest(object)?;
        let posed = Arc::new(posed);
        let shape = match &latest.shape {
            Shape::Instance(instance) => {
                Shape::Instance(instance.with_geometry(Geometry::Model(posed))?)
            }
            Shape::Compound(placed) => Shape::Compound(placed.posed_as(posed)?),
            Shape::HeightField(_) | Shape::Primitive(_) => {
                return Err(wrong(object.index(), "a model"));
            }
        };
        Ok(latest.with_shape(shape))
    }
}
