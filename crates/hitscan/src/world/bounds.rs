//! Which objects' bounding boxes touch or overlap.
//!
//! Read `meeting.rs` next for how their shapes meet.

use super::{ObjectId, World};
use crate::Aabb;
use crate::bvh::Bvh;
use core::ops::ControlFlow;

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
        let tree = Bvh::build(&bounds);
        let mut pairs = Vec::new();
        for (a, own) in bounds.iter().enumerate() {
            let first = pairs.len();
            let _ = tree.touching((own.min().as_dvec3(), own.max().as_dvec3()), |b| {
                let b = b as usize;
                if let Some(intersection) = own.intersection(&bounds[b]).filter(|_| a < b) {
                    pairs.push(BoundsPair {
                        a: objects[a],
                        b: objects[b],
                        intersection,
                    });
                }
                ControlFlow::Continue(())
            });
            pairs[first..].sort_by_key(|pair| pair.b);
        }
        pairs
    }
}
