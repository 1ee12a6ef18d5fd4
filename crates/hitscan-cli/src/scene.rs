//! A scene that a command asks: the world, and what its objects and parts are called.

use crate::failure::Failure;
use hitscan::{ObjectId, World};
use hitscan_assets::scene::{Scene, load_scene};
use hitscan_table::RowWriter;
use std::path::Path;

/// A scene, read and ready for queries.
pub(crate) struct OpenScene {
    scene: Scene,
}

impl OpenScene {
    /// Reads the scene file and everything that it names.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        Ok(Self {
            scene: load_scene(path)?,
        })
    }

    pub(crate) fn world(&self) -> &World {
        self.scene.world()
    }

    /// What the scene's files left out or do oddly.
    pub(crate) fn notes(&self) -> &[String] {
        self.scene.notes()
    }

    /// The object's name.
    pub(crate) fn object_name(&self, object: ObjectId) -> &str {
        self.scene.object_name(object.index()).unwrap_or_default()
    }

    /// The name of a model's part; `None` for terrain, which has no parts.
    pub(crate) fn part_name(&self, object: ObjectId, part: u32) -> Option<&str> {
        self.scene.part_name(object.index(), part as usize)
    }

    /// Writes the name of a model's part; an empty field for terrain, which has no parts.
    pub(crate) fn write_part(&self, object: ObjectId, part: u32, row: &mut RowWriter<'_>) {
        match self.part_name(object, part) {
            Some(part) => row.text(part),
            None => row.empty(),
        };
    }
}
