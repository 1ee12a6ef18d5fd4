//! A shape that moves and is in no world.

use super::add::placed;
use super::object::{DEFAULT_LAYERS, Object};
use super::object_cast::{Mover, MoverSource};
use super::object_shape::ObjectShape;
use crate::{Error, ObjectId};
use glam::DAffine3;
use std::sync::Arc;

impl Mover {
    /// The shape where a transform takes it, as [`World::add_at`](crate::World::add_at) would place it.
    ///
    /// # Errors
    /// Those of [`World::add_at`](crate::World::add_at): [`Error::WrongObject`] for terrain, [`Error::BadValue`] where
    /// the transform is singular or not finite, [`Error::OutOfRange`] where it carries a corner beyond ±1e18 m.
    pub fn placed(shape: impl Into<ObjectShape>, world_from_own: DAffine3) -> Result<Self, Error> {
        Self::placed_at(&shape.into(), world_from_own)
    }

    fn placed_at(shape: &ObjectShape, world_from_own: DAffine3) -> Result<Self, Error> {
        let object = Object {
            // No object of a world has it.
            id: ObjectId::new(u64::MAX, u32::MAX),
            layers: DEFAULT_LAYERS,
            user_data: 0,
            shape: placed(shape, world_from_own, u64::MAX)?,
        };
        Ok(Self(MoverSource::Placed(Arc::new(object))))
    }
}
