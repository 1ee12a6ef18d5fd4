//! Adding, moving, posing and removing objects.
//!
//! Each change is checked at once and made by the next [`World::update`].

use super::World;
use super::instance::{Figure, Form};
use super::object::{DEFAULT_LAYERS, Object, ObjectId, Shape};
use crate::model::{Model, Pose, Stance};
use crate::{Aabb, Error, HeightField, Solid, Sphere, TriMesh};
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
        let stance = Stance::new(model, pose)?;
        self.add_form(Form::Model(Arc::new(stance)), world_from_model)
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
        self.add_form(Form::Mesh(mesh), world_from_mesh)
    }

    /// Adds a solid: a sphere, a box, a turned box or a capsule.
    pub fn add_solid(&mut self, solid: impl Into<Solid>) -> ObjectId {
        self.add(Shape::Solid(solid.into().into()))
    }

    /// Adds a solid sphere.
    pub fn add_sphere(&mut self, sphere: Sphere) -> ObjectId {
        self.add_solid(sphere)
    }

    /// Adds a solid axis-aligned box.
    pub fn add_aabb(&mut self, aabb: Aabb) -> ObjectId {
        self.add_solid(aabb)
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
        let form = self.figure(object)?.form().clone();
        self.set_figure(object, Figure::new(form, world_from_model)?)
    }

    /// Puts a model into a pose.
    ///
    /// # Errors
    /// As [`World::set_transform`], and [`Error::WrongLength`] for the pose of another model.
    pub fn set_pose(&mut self, object: ObjectId, pose: &Pose) -> Result<(), Error> {
        let stance = Stance::new(self.model_to_pose(object)?, pose)?;
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
        let stance = Stance::at_clip(self.model_to_pose(object)?, clip, time_secs)?;
        self.set_stance(object, stance)
    }

    /// Makes a solid another one: moved, grown, or of another kind.
    ///
    /// # Errors
    /// [`Error::StaleObject`] for an object that was removed, [`Error::WrongObject`] for one that is
    /// no solid.
    pub fn set_solid(&mut self, object: ObjectId, solid: impl Into<Solid>) -> Result<(), Error> {
        let latest = self.latest(object)?;
        let Shape::Solid(_) = latest.shape else {
            return Err(wrong(object, "a solid"));
        };
        let layers = latest.layers;
        self.put(object, layers, Shape::Solid(solid.into().into()));
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

    /// Puts an object into layers, a bit each; see [`Filter::in_layers`](super::Filter::in_layers).
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

    fn add_form(&mut self, form: Form, world_from_model: DAffine3) -> Result<ObjectId, Error> {
        let figure = Figure::new(form, world_from_model)?;
        Ok(self.add(Shape::Figure(Arc::new(figure))))
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

    fn figure(&self, object: ObjectId) -> Result<&Figure, Error> {
        match &self.latest(object)?.shape {
            Shape::Figure(figure) => Ok(figure),
            _ => Err(wrong(object, "a model or a mesh")),
        }
    }

    fn model_to_pose(&self, object: ObjectId) -> Result<&Arc<Model>, Error> {
        match self.figure(object)?.form() {
            Form::Model(stance) => Ok(stance.model()),
            Form::Mesh(_) => Err(wrong(object, "a model")),
        }
    }

    fn set_stance(&mut self, object: ObjectId, stance: Stance) -> Result<(), Error> {
        let form = Form::Model(Arc::new(stance));
        let figure = self.figure(object)?.replaced_by(form)?;
        self.set_figure(object, figure)
    }

    fn set_figure(&mut self, object: ObjectId, figure: Figure) -> Result<(), Error> {
        let layers = self.latest(object)?.layers;
        self.put(object, layers, Shape::Figure(Arc::new(figure)));
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
