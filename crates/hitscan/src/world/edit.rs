//! Adding, moving, posing and removing objects.
//!
//! Each change is checked at once and made by the next [`World::update`].

use super::World;
use super::instance::{Geometry, Instance};
use super::object::{DEFAULT_LAYERS, Object, ObjectId, Shape};
use crate::model::{Model, Pose, PosedModel};
use crate::{Aabb, Error, HeightField, Primitive, Sphere, TriMesh};
use glam::DAffine3;
use std::sync::Arc;

impl World {
    /// Adds terrain.
    pub fn add_height_field(&mut self, height_field: Arc<HeightField>) -> ObjectId {
        self.add(Shape::HeightField(height_field))
    }

    /// Adds a model in a pose. `world_from_model` may turn, scale and mirror it.
    ///
    /// Deformed parts are not worked out here but where queries reach them, so a model that nothing
    /// comes near costs next to nothing, whatever its number of triangles.
    ///
    /// # Errors
    /// [`Error::BadValue`] where the transform is singular or not finite, [`Error::OutOfRange`]
    /// where it carries a corner beyond ±1e18 m, and what [`Model::posed`] refuses.
    pub fn add_model(
        &mut self,
        model: &Arc<Model>,
        pose: &Pose,
        world_from_model: DAffine3,
    ) -> Result<ObjectId, Error> {
        let stance = PosedModel::new(model, pose)?;
        self.add_form(Geometry::Model(Arc::new(stance)), world_from_model)
    }

    /// Adds a mesh; it counts as a model with one part.
    ///
    /// # Errors
    /// As [`World::add_model`].
    pub fn add_mesh(
        &mut self,
        mesh: Arc<TriMesh>,
        world_from_mesh: DAffine3,
    ) -> Result<ObjectId, Error> {
        self.add_form(Geometry::Mesh(mesh), world_from_mesh)
    }

    /// Adds a solid: a sphere, a box, a turned box or a capsule.
    pub fn add_primitive(&mut self, solid: impl Into<Primitive>) -> ObjectId {
        self.add(Shape::Primitive(solid.into().into()))
    }

    /// Adds a solid sphere.
    pub fn add_sphere(&mut self, sphere: Sphere) -> ObjectId {
        self.add_primitive(sphere)
    }

    /// Adds a solid axis-aligned box.
    pub fn add_aabb(&mut self, aabb: Aabb) -> ObjectId {
        self.add_primitive(aabb)
    }

    /// Moves, turns or scales a model or a mesh: it stands where `world_from_model` takes it.
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed, [`Error::WrongObject`] for one that is
    /// no model, and those of [`World::add_model`]. The object then stays as it was.
    pub fn set_transform(
        &mut self,
        object: ObjectId,
        world_from_model: DAffine3,
    ) -> Result<(), Error> {
        let form = self.instance(object)?.form().clone();
        self.set_figure(object, Instance::new(form, world_from_model)?)
    }

    /// Puts a model into a pose.
    ///
    /// # Errors
    /// As [`World::set_transform`], and [`Error::WrongLength`] for the pose of another model.
    pub fn set_pose(&mut self, object: ObjectId, pose: &Pose) -> Result<(), Error> {
        let stance = PosedModel::new(self.model_to_pose(object)?, pose)?;
        self.set_stance(object, stance)
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
        let stance = PosedModel::at_clip(self.model_to_pose(object)?, clip, time_secs)?;
        self.set_stance(object, stance)
    }

    /// Makes a solid another one: moved, grown, or of another kind.
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed, [`Error::WrongObject`] for one that is
    /// no solid.
    pub fn set_primitive(
        &mut self,
        object: ObjectId,
        solid: impl Into<Primitive>,
    ) -> Result<(), Error> {
        let latest = self.latest(object)?;
        let Shape::Primitive(_) = latest.shape else {
            return Err(wrong(object, "a solid"));
        };
        let layers = latest.layers;
        self.put(object, layers, Shape::Primitive(solid.into().into()));
        Ok(())
    }

    /// Makes terrain another one: edited, or moved.
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed, [`Error::WrongObject`] for one that is
    /// no terrain.
    pub fn set_height_field(
        &mut self,
        object: ObjectId,
        height_field: Arc<HeightField>,
    ) -> Result<(), Error> {
        let latest = self.latest(object)?;
        let Shape::HeightField(_) = latest.shape else {
            return Err(wrong(object, "terrain"));
        };
        let layers = latest.layers;
        self.put(object, layers, Shape::HeightField(height_field));
        Ok(())
    }

    /// Puts an object into layers, a bit each; see [`QueryFilter::in_layers`](super::QueryFilter::in_layers).
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed.
    pub fn set_layers(&mut self, object: ObjectId, layers: u32) -> Result<(), Error> {
        let changed = Object {
            layers,
            ..self.latest(object)?.clone()
        };
        self.pending.put(object.slot(), Some(changed));
        Ok(())
    }

    /// Removes an object. Its handle is stale from here on; its number is not used again.
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed before.
    pub fn remove(&mut self, object: ObjectId) -> Result<(), Error> {
        self.latest(object)?;
        self.pending.put(object.slot(), None);
        Ok(())
    }

    fn add(&mut self, shape: Shape) -> ObjectId {
        let slot = self.free_slots.pop().unwrap_or_else(|| {
            let slot = self.slot_count;
            self.slot_count = slot
                .checked_add(1)
                .expect("memory ends before 2^32 objects");
            slot
        });
        let id = ObjectId::new(self.next_number, slot);
        self.next_number += 1;
        let layers = DEFAULT_LAYERS;
        self.pending.put(slot, Some(Object { id, layers, shape }));
        id
    }

    fn add_form(&mut self, form: Geometry, world_from_model: DAffine3) -> Result<ObjectId, Error> {
        let instance = Instance::new(form, world_from_model)?;
        Ok(self.add(Shape::Instance(Arc::new(instance))))
    }

    /// The object as the last change left it.
    fn latest(&self, object: ObjectId) -> Result<&Object, Error> {
        let latest = match self.pending.get(object.slot()) {
            Some(changed) => changed,
            None => self.state.slots.get(object.slot()),
        };
        latest
            .filter(|found| found.id == object)
            .ok_or(Error::StaleObject {
                object: object.index(),
            })
    }

    fn instance(&self, object: ObjectId) -> Result<&Instance, Error> {
        match &self.latest(object)?.shape {
            Shape::Instance(instance) => Ok(instance),
            _ => Err(wrong(object, "a model or a mesh")),
        }
    }

    fn model_to_pose(&self, object: ObjectId) -> Result<&Arc<Model>, Error> {
        match self.instance(object)?.form() {
            Geometry::Model(stance) => Ok(stance.model()),
            Geometry::Mesh(_) => Err(wrong(object, "a model")),
        }
    }

    fn set_stance(&mut self, object: ObjectId, stance: PosedModel) -> Result<(), Error> {
        let form = Geometry::Model(Arc::new(stance));
        let instance = self.instance(object)?.replaced_by(form)?;
        self.set_figure(object, instance)
    }

    fn set_figure(&mut self, object: ObjectId, instance: Instance) -> Result<(), Error> {
        let layers = self.latest(object)?.layers;
        self.put(object, layers, Shape::Instance(Arc::new(instance)));
        Ok(())
    }

    fn put(&mut self, id: ObjectId, layers: u32, shape: Shape) {
        self.pending
            .put(id.slot(), Some(Object { id, layers, shape }));
    }
}

fn wrong(object: ObjectId, expected: &'static str) -> Error {
    Error::WrongObject {
        object: object.index(),
        expected,
    }
}
