//! The watcher of a ray's traversal of a world (`query/watch.rs`): the tree over objects, and each
//! object that the ray enters.

use crate::bvh::Watch;
use crate::height_field::FieldWatch;
use crate::model::PlacedPart;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::query::watch::{Outcome, Unwatched};
use crate::tri_mesh::TriangleWatch;
use crate::world::instance::Instance;
use crate::{ObjectId, Primitive};
use std::sync::Arc;

/// A solid: an object, or with its number such a part of a compound.
pub(crate) type SolidId = (ObjectId, Option<u32>);

/// Watches a ray's traversal of a world.
pub(crate) trait ObjectWatch: Copy {
    type Tree: Watch + Copy;
    type Part: TriangleWatch + Copy;
    type Field: FieldWatch + Copy;

    /// The watcher of the tree over objects.
    fn objects(self) -> Self::Tree;

    /// The watcher of the tree over the parts of an object.
    fn parts(self, id: ObjectId, instance: &Arc<Instance>) -> Self::Tree;

    /// The watcher of a part's triangles, with the ray in the part's space.
    fn part(self, id: ObjectId, part: PlacedPart<'_>, local: &LocalRay) -> Self::Part;

    /// The watcher of a terrain.
    fn field(self, id: ObjectId) -> Self::Field;

    /// A solid was decided, or such a part of a compound.
    fn tested_solid(self, of: SolidId, solid: &dyn Fn() -> Primitive, outcome: Outcome);

    /// The hit that an object kept last is at the t of another object's, which goes before it.
    fn tied(self);
}

impl ObjectWatch for Unwatched {
    type Tree = Self;
    type Part = Self;
    type Field = Self;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn objects(self) -> Self {
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn parts(self, _: ObjectId, _: &Arc<Instance>) -> Self {
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part(self, _: ObjectId, _: PlacedPart<'_>, _: &LocalRay) -> Self {
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field(self, _: ObjectId) -> Self {
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tested_solid(self, _: SolidId, _: &dyn Fn() -> Primitive, _: Outcome) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tied(self) {}
}
