//! Moving and posing many objects by one call, all or none of them.

use super::World;
use super::edit::placed_geometry;
use super::object::Shape;
use crate::parallel::{answer_chunks, threads};
use crate::{Error, ObjectId, Primitive};
use glam::{Affine3A, DAffine3};

/// The number of instances that a thread places at once.
const INSTANCES_A_TASK: usize = 256;

/// The number of models that a thread poses at once.
const POSES_A_TASK: usize = 32;

impl World {
    /// Moves and turns many objects, as [`World::set_transform`] for one after the other, at less cost: instances
    /// of meshes and models are placed on all threads of rayon's current pool. Of several transforms of one
    /// object the last counts.
    ///
    /// ```
    /// use hitscan::glam::{DAffine3, DVec3};
    /// use hitscan::{Error, ObjectId, Sphere, World};
    /// let mut world = World::new();
    /// let balls = [0.0, 2.0, 4.0].map(|x| Sphere::new([x, 0.0, 0.0], 0.5));
    /// let balls: Vec<ObjectId> = balls.into_iter().map(|ball| Ok(world.add(ball?))).collect::<Result<_, Error>>()?;
    /// let at = |index: usize, y: f64| DAffine3::from_translation(DVec3::new(2.0 * index as f64, y, 0.0));
    /// let transforms: Vec<_> = (0..).zip(&balls).map(|(index, ball)| (*ball, at(index, 1.5))).collect();
    /// world.set_transforms(&transforms)?;
    /// world.update();
    /// assert_eq!(world.now().object_bounds(balls[2]).unwrap().min().y, 1.0);
    ///
    /// // One entry that is refused, and nothing moves.
    /// let flat = DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0));
    /// let refused = world.set_transforms(&[(balls[0], at(0, 9.0)), (balls[1], flat)]);
    /// assert!(matches!(refused, Err(Error::BadElement { index: 1, .. })));
    /// assert!(world.is_up_to_date());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`World::set_transform`] for the first that is refused: [`Error::StaleObject`] and
    /// [`Error::WrongObject`] with the object's number, [`Error::OutOfRange`] and, for a transform that is
    /// refused, [`Error::BadElement`] with the index of the entry. All objects then stay as they were.
    pub fn set_transforms(&mut self, transforms: &[(ObjectId, DAffine3)]) -> Result<(), Error> {
        if transforms.len() <= INSTANCES_A_TASK || threads() == 1 {
            return self.edit_all(transforms, |world, _, (object, at)| {
                world.put_transform(*object, at)
            });
        }
        let mut placed = vec![None; transforms.len()];
        let world = &*self;
        answer_chunks(
            transforms,
            &mut placed,
            INSTANCES_A_TASK,
            |transforms, placed| {
                for ((object, at), placed) in transforms.iter().zip(placed) {
                    *placed = world.placed_instance(*object, at);
                }
            },
        );
        self.edit_all(transforms, |world, index, (object, at)| {
            // Each solid is placed after the one before, as its size is rounded with its place.
            match placed[index].take() {
                Some(shape) => world.put_shape(*object, shape?),
                None => world.put_transform(*object, at),
            }
        })
    }

    /// Makes many solids other ones, as [`World::set_primitive`] for one after the other. Of several for one
    /// object the last counts. Solids of one kind are best given as that kind: a [`Primitive`] takes as much
    /// memory as an oriented box.
    ///
    /// ```
    /// use hitscan::{Capsule, Error, World};
    /// let mut world = World::new();
    /// let limb = |x: f32, tick: f32| Capsule::new([x, tick, 0.0], [x, tick + 1.0, 0.0], 0.25);
    /// let limbs = [world.add(limb(0.0, 0.0)?), world.add(limb(3.0, 0.0)?)];
    /// world.update();
    /// let moved = [(limbs[0], limb(0.0, 0.5)?), (limbs[1], limb(3.0, 0.5)?)];
    /// world.set_primitives(&moved)?;
    /// world.update();
    /// assert_eq!(world.now().bounds().unwrap().min().y, 0.25);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`World::set_primitive`] for the first that is refused, with the object's number. All objects
    /// then stay as they were.
    pub fn set_primitives<S: Into<Primitive> + Clone>(
        &mut self,
        solids: &[(ObjectId, S)],
    ) -> Result<(), Error> {
        self.edit_all(solids, |world, _, (object, solid)| {
            world.put_solid(*object, &solid.clone().into())
        })
    }

    /// Puts many models where matrices take their joints, as [`World::set_joint_matrices`] for one after the other, at
    /// less cost: they are posed on all threads of rayon's current pool. Of several poses of one object the last
    /// counts.
    ///
    /// ```
    /// use hitscan::glam::{Affine3A, DAffine3, Vec3};
    /// use hitscan::model::{Model, SkinnedMeshData};
    /// use hitscan::{Error, World};
    /// use std::sync::Arc;
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
    /// let one = world.add_model(&model, model.rest_pose(), DAffine3::IDENTITY)?;
    /// let other = world.add_model(&model, model.rest_pose(), DAffine3::IDENTITY)?;
    /// let joints = [Vec3::X, Vec3::Y].map(|at| [Affine3A::from_translation(at)]);
    /// world.set_joint_poses(&[(one, &joints[0]), (other, &joints[1])])?;
    /// world.update();
    /// assert_eq!(world.now().object_bounds(other).unwrap().max().y, 2.0);
    ///
    /// // One entry that is refused, and nothing moves.
    /// let refused = world.set_joint_poses(&[(one, &joints[1]), (other, &[])]);
    /// assert!(matches!(refused, Err(Error::WrongLength { .. })));
    /// assert!(world.is_up_to_date());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`World::set_joint_matrices`] for the first that is refused. All objects then stay as they were.
    pub fn set_joint_poses(&mut self, poses: &[(ObjectId, &[Affine3A])]) -> Result<(), Error> {
        let mut posed = vec![None; poses.len()];
        let world = &*self;
        answer_chunks(poses, &mut posed, POSES_A_TASK, |poses, posed| {
            for ((object, joints), posed) in poses.iter().zip(posed) {
                *posed = Some(world.posed_by_joints(*object, joints));
            }
        });
        self.edit_all(poses, |world, index, (object, _)| {
            let shape = posed[index].take();
            shape.map_or(Ok(()), |shape| world.put_shape(*object, shape?))
        })
    }

    /// An instance with another transform; `None` of what is none, or is posed by joint matrices.
    fn placed_instance(
        &self,
        object: ObjectId,
        world_from_own: &DAffine3,
    ) -> Option<Result<Shape, Error>> {
        match &self.latest(object).ok()?.shape {
            Shape::Instance(instance) if !instance.geometry().is_by_joints() => {
                Some(placed_geometry(instance.geometry().clone(), world_from_own))
            }
            _ => None,
        }
    }

    pub(super) fn put_shape(&mut self, object: ObjectId, shape: Shape) -> Result<(), Error> {
        let changed = self.latest(object)?.with_shape(shape);
        self.put(changed);
        Ok(())
    }

    /// Makes all of these edits, each by its index, or none.
    #[inline]
    fn edit_all<E>(
        &mut self,
        edits: &[E],
        mut edit: impl FnMut(&mut Self, usize, &E) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.pending.start_batch();
        for (index, one) in edits.iter().enumerate() {
            if let Err(error) = edit(self, index, one) {
                self.pending.undo_batch();
                return Err(in_entry(error, index));
            }
        }
        self.pending.end_batch();
        Ok(())
    }
}

/// The error of the entry with this index, with its place in what was given.
#[cold]
fn in_entry(error: Error, index: usize) -> Error {
    match error {
        Error::BadValue {
            what,
            expected,
            found,
        } => Error::BadElement {
            what,
            index,
            expected,
            found,
        },
        Error::NotFinite { what, found } => Error::BadElement {
            what,
            index,
            expected: "finite",
            found,
        },
        Error::OutOfRange {
            what, found, limit, ..
        } => Error::OutOfRange {
            what,
            index,
            found,
            limit,
        },
        other => other,
    }
}
