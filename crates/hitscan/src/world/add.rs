//! Adding objects: one by one, or many at once on all threads.
//!
//! Each is checked at once and put into the world by the next [`World::update`].

use super::World;
use super::edit::{NO_TERRAIN, placed_geometry, placed_solid, wrong};
use super::instance::{Geometry, Instance};
use super::object::{DEFAULT_LAYERS, KeptSolid, Object, Shape};
use super::object_shape::ObjectShape;
use super::placed_compound::{CompoundShape, PlacedCompound};
use crate::model::{Model, Pose, PosedModel};
use crate::parallel::answer_chunks;
use crate::{Error, ObjectId};
use glam::DAffine3;
use std::sync::Arc;

/// The number of objects that a thread places at once.
const OBJECTS_A_TASK: usize = 256;

impl World {
    /// Adds an object where its shape is: terrain and solids in the world, a mesh or a posed model at its own
    /// coordinates. It is in the first layer.
    ///
    /// ```
    /// use hitscan::{Aabb, Sphere, World};
    /// let mut world = World::new();
    /// let ball = world.add(Sphere::new([0.0, 2.0, 0.0], 0.5)?);
    /// let floor = world.add(Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0])?);
    /// world.update();
    /// assert_eq!(world.now().objects().collect::<Vec<_>>(), [ball, floor]);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    pub fn add(&mut self, shape: impl Into<ObjectShape>) -> ObjectId {
        self.insert(unplaced(shape.into()))
    }

    /// Adds an object and places it as [`World::set_transform`] does.
    ///
    /// # Errors
    /// Those of [`World::set_transform`]: [`Error::WrongObject`] for terrain, [`Error::BadValue`] where the
    /// transform is singular or not finite, [`Error::OutOfRange`] where it carries a corner beyond ±1e18 m.
    pub fn add_at(
        &mut self,
        shape: impl Into<ObjectShape>,
        world_from_own: DAffine3,
    ) -> Result<ObjectId, Error> {
        let shape = placed(&shape.into(), world_from_own, self.next_number)?;
        Ok(self.insert(shape))
    }

    /// Adds many objects and places them, as [`World::add_at`] for one after the other, on all threads of
    /// rayon's current pool. The handles are in the order of the objects.
    ///
    /// # Errors
    /// Those of [`World::add_at`] for the first that is refused; nothing is added then.
    pub fn add_batch<S: Into<ObjectShape>>(
        &mut self,
        objects: impl IntoIterator<Item = (S, DAffine3)>,
    ) -> Result<Vec<ObjectId>, Error> {
        let objects = objects.into_iter().map(|(shape, at)| (shape.into(), at));
        self.add_all(&objects.collect::<Vec<_>>())
    }

    fn add_all(&mut self, objects: &[(ObjectShape, DAffine3)]) -> Result<Vec<ObjectId>, Error> {
        let numbered: Vec<_> = objects.iter().zip(self.next_number..).collect();
        let mut shapes = vec![None; objects.len()];
        answer_chunks(
            &numbered,
            &mut shapes,
            OBJECTS_A_TASK,
            |numbered, shapes| {
                for (((object, at), number), shape) in numbered.iter().zip(shapes) {
                    *shape = Some(placed(object, *at, *number));
                }
            },
        );
        let shapes = shapes.into_iter().flatten();
        let shapes = shapes.collect::<Result<Vec<Shape>, Error>>()?;
        Ok(shapes.into_iter().map(|shape| self.insert(shape)).collect())
    }

    /// Adds a model in a pose. `world_from_model` may turn, scale and mirror it.
    ///
    /// Deformed parts are not computed here but where queries reach them, so a model that nothing
    /// comes near costs next to nothing, whatever its number of triangles.
    ///
    /// A [`PosedModel`] that several objects have is added by [`World::add_at`], and kept once.
    ///
    /// # Errors
    /// As [`World::add_at`], and what [`Model::skinned`] refuses.
    pub fn add_model(
        &mut self,
        model: &Arc<Model>,
        pose: &Pose,
        world_from_model: DAffine3,
    ) -> Result<ObjectId, Error> {
        self.add_at(PosedModel::new(model, pose)?, world_from_model)
    }

    fn insert(&mut self, shape: Shape) -> ObjectId {
        let slot = self.free_slots.pop().unwrap_or_else(|| {
            let slot = self.slot_count;
            self.slot_count = slot
                .checked_add(1)
                .expect("memory ends before 2^32 objects");
            slot
        });
        let id = ObjectId::new(self.next_number, slot);
        self.next_number += 1;
        self.put(Object {
            id,
            layers: DEFAULT_LAYERS,
            user_data: 0,
            shape,
        });
        id
    }
}

/// A shape where its coordinates are.
fn unplaced(shape: ObjectShape) -> Shape {
    match shape {
        ObjectShape::HeightField(field) => Shape::HeightField(field),
        ObjectShape::Primitive(solid) => Shape::Primitive(KeptSolid::from(&solid)),
        ObjectShape::Compound(compound) => {
            Shape::Compound(PlacedCompound::unplaced(&CompoundShape::Rigid(compound)))
        }
        ObjectShape::PosedCompound(posed) => {
            Shape::Compound(PlacedCompound::unplaced(&CompoundShape::Posed(posed)))
        }
        ObjectShape::TriMesh(mesh) => Shape::Instance(Instance::unplaced(Geometry::Mesh(mesh))),
        ObjectShape::Model(posed) => Shape::Instance(Instance::unplaced(Geometry::Model(posed))),
    }
}

/// A shape with a transform; of the object that will have this number.
pub(super) fn placed(
    shape: &ObjectShape,
    world_from_own: DAffine3,
    number: u64,
) -> Result<Shape, Error> {
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    match shape {
        ObjectShape::TriMesh(mesh) => {
            placed_geometry(Geometry::Mesh(Arc::clone(mesh)), &world_from_own)
        }
        ObjectShape::Model(posed) => {
            placed_geometry(Geometry::Model(Arc::clone(posed)), &world_from_own)
        }
        ObjectShape::Primitive(solid) => placed_solid(solid, &world_from_own, number),
        ObjectShape::Compound(compound) => {
            let shape = CompoundShape::Rigid(Arc::clone(compound));
            PlacedCompound::new(&shape, &world_from_own).map(Shape::Compound)
        }
        ObjectShape::PosedCompound(posed) => {
            let shape = CompoundShape::Posed(Arc::clone(posed));
            PlacedCompound::new(&shape, &world_from_own).map(Shape::Compound)
        }
        ObjectShape::HeightField(_) => Err(wrong(number, NO_TERRAIN)),
    }
}
