//! A world with what its objects are called and what it is measured from: what changes together.

use crate::objects::Objects;
use crate::world_origin::{Extent, WorldOrigin};
use pyo3::prelude::*;
use std::sync::Arc;

/// What changes together.
#[derive(Clone, Default)]
pub(crate) struct Edited {
    pub(crate) world: hitscan::World,
    pub(crate) objects: Arc<Objects>,
    /// What positions are measured from.
    pub(crate) origin: WorldOrigin,
    pub(crate) keeps_history: bool,
    /// How many changes the next update makes, or more.
    pub(crate) changes: usize,
}

impl Edited {
    /// Makes all changes.
    pub(crate) fn update(&mut self) {
        self.changes = 0;
        self.world.update();
        self.origin.show();
        Objects::forget_removed(&mut self.objects);
    }

    /// Whether no update would make a change.
    pub(crate) fn is_up_to_date(&self) -> bool {
        self.world.is_up_to_date() && !self.origin.is_pending()
    }

    /// Lets a shape into the world, as [`WorldOrigin::admit`], and a new name.
    pub(crate) fn admit(
        &mut self,
        name: Option<&str>,
        shape: &Extent,
        replaced: Option<i64>,
    ) -> PyResult<()> {
        let replaced = replaced.map(|handle| self.objects.of_handle(handle));
        let shape = (shape, replaced.transpose()?);
        if let Some(name) = name {
            self.objects.check_new_name(name)?;
        }
        let (world, objects) = (&mut self.world, &self.objects);
        self.origin.admit(world, objects, name, shape)
    }
}
