//! Boxes to draw over a picture: those around objects, and those of trees.

use crate::limits;
use crate::protocol::OverlayBoxes;
use hitscan::{Aabb, ObjectId};
use hitscan_assets::Scene;

/// Which boxes of which scene.
#[derive(Debug)]
pub(in crate::viewer) struct OverlayQuestion {
    pub(in crate::viewer) scene: Scene,
    pub(in crate::viewer) boxes: OverlayBoxes,
    /// The object; without one the world.
    pub(in crate::viewer) object: Option<ObjectId>,
    /// The level of a tree.
    pub(in crate::viewer) level: u32,
}

impl OverlayQuestion {
    /// The first boxes, and how many there are; one more than are shown where there are more.
    pub(super) fn answer(&self) -> (Vec<[[f32; 3]; 8]>, usize) {
        let world = self.scene.now();
        let limit = limits::OVERLAY_BOXES + 1;
        let corners = |bounds: &Aabb| bounds.corners().map(Into::into);
        let boxes = |boxes: &[Aabb]| boxes.iter().map(corners).collect();
        let mut found: Vec<[[f32; 3]; 8]> = match (self.boxes, self.object) {
            (OverlayBoxes::Bounds, Some(object)) => {
                boxes(&Vec::from_iter(world.object_bounds(object)))
            }
            (OverlayBoxes::Bounds, None) => {
                let objects = world.objects().take(limit);
                boxes(&Vec::from_iter(
                    objects.filter_map(|object| world.object_bounds(object)),
                ))
            }
            (OverlayBoxes::Tree, Some(object)) => world
                .object_boxes(object, self.level, limit)
                .unwrap_or_default(),
            (OverlayBoxes::Tree, None) => boxes(&world.tree_boxes(self.level, limit)),
        };
        let count = found.len();
        found.truncate(limits::OVERLAY_BOXES);
        (found, count)
    }
}
