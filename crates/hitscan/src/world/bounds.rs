//! Which objects' bounding boxes touch or overlap.
//!
//! Read `meeting.rs` next for how their shapes meet.

use super::{ObjectId, World};
use crate::Aabb;
use crate::all_pairs::touching_pairs;

/// Two objects whose boxes share a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundsPair {
    /// The lower object.
    pub a: ObjectId,
    /// The higher object.
    pub b: ObjectId,
    /// The box that both boxes share, flat where they only touch.
    pub intersection: Aabb,
}

impl World {
    /// All pairs of objects whose boxes touch or overlap, in order of the lower, then the higher.
    #[must_use]
    pub fn touching_bounds(&self) -> Vec<BoundsPair> {
        let (objects, bounds): (Vec<ObjectId>, Vec<Aabb>) = self
            .objects()
            .filter_map(|id| Some((id, self.object_bounds(id)?)))
            .unzip();
        let pair = |[a, b]: [u32; 2]| {
            let (a, b) = (a as usize, b as usize);
            Some(BoundsPair {
                a: objects[a],
                b: objects[b],
                intersection: bounds[a].intersection(&bounds[b])?,
            })
        };
        let pairs = touching_pairs(&bounds);
        pairs.into_iter().filter_map(pair).collect()
    }
}
