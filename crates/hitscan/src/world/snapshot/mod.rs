//! A world at one moment: what every query is asked of.
//!
//! The present, a recorded tick, or a moment between two ticks. The queries stand in one file each:
//! `ray.rs`, `height.rs`, `sweep.rs`, `bounds.rs` and `meeting.rs` for overlaps, `frame.rs` for boxes
//! that meet in time.

pub(crate) mod state;
mod interpolated_primitive;
mod interpolated;
pub(crate) mod history;

use super::object::{Object, ObjectId, ObjectKind};
use super::query::collector::WorldHit;
use super::query::filter::QueryFilter;
use crate::Aabb;
use crate::bvh::Bvh;
use crate::model::{BindHit, Model};
use interpolated::Interpolated;
use state::State;
use std::borrow::Cow;
use std::sync::Arc;

/// A world as it stands at one moment: now ([`World::now`](super::World::now)), or at a moment of
/// its history ([`World::at`](super::World::at)).
///
/// Asking costs the same at any recorded tick as now, and disturbs nothing. Between two ticks each
/// object that a query comes near is interpolated for it:
/// - what exists is what existed at the earlier tick; terrain, layers, and what is there at the
///   earlier tick only, stand as at that tick;
/// - positions, sizes, scales and morph weights go in a straight line;
/// - rotations turn along the shorter arc: those of placements (whose matrix is taken as a rotation
///   after a stretch, by Gram and Schmidt's method), of turned boxes, and of each node of a pose.
///
/// ```
/// use hitscan::{Ray, Sides, Sphere, World};
/// let mut world = World::new();
/// world.keep_history(64);
/// let runner = world.add_sphere(Sphere::new([0.0, 1.0, 0.0], 0.5)?);
/// for tick in 0..10_u8 {
///     world.set_primitive(runner, Sphere::new([f32::from(tick), 1.0, 0.0], 0.5)?)?;
///     world.update();
///     world.record(tick.into())?;
/// }
/// // The shooter saw the runner where it was 6.5 ticks ago.
/// let seen = world.at(9.0 - 6.5).expect("the history reaches there");
/// let shot = Ray::new([2.5, 1.0, -5.0], [0.0, 0.0, 1.0])?;
/// assert_eq!(seen.cast_ray(&shot, Sides::Both).map(|hit| hit.object), Some(runner));
/// assert_eq!(world.cast_ray(&shot, Sides::Both), None);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Debug)]
pub struct Snapshot<'world>(View<'world>);

#[derive(Debug)]
enum View<'world> {
    Whole(&'world State),
    Interpolated(Box<Interpolated<'world>>),
}

impl<'world> Snapshot<'world> {
    pub(super) fn whole(state: &'world State) -> Self {
        Self(View::Whole(state))
    }

    pub(super) fn between(between: Interpolated<'world>) -> Self {
        Self(View::Interpolated(Box::new(between)))
    }

    /// The tree whose items are the slots of objects.
    pub(super) fn tree(&self) -> &Bvh {
        match &self.0 {
            View::Whole(state) => &state.tree,
            View::Interpolated(between) => between.tree(),
        }
    }

    /// Asks for the memory of the object in a slot, where it stands ready.
    pub(super) fn fetch(&self, slot: u32) {
        if let View::Whole(state) = &self.0 {
            state.slots.fetch(slot);
        }
    }

    /// What `ask` says of the object in a slot, if one is there and the filter sees it.
    pub(super) fn ask_object<R>(
        &self,
        slot: u32,
        filter: &QueryFilter<'_>,
        ask: impl FnOnce(&Object) -> R,
    ) -> Option<R> {
        match &self.0 {
            // Without a `Cow` on the way, which many small objects would notice.
            View::Whole(state) => {
                let object = state.slots.get(slot)?;
                filter.sees(object).then(|| ask(object))
            }
            View::Interpolated(_) => self.seen(slot, filter).map(|object| ask(&object)),
        }
    }

    /// The object in a slot, if one is there and the filter sees it; owned where it is interpolated for
    /// this question.
    pub(super) fn seen(&self, slot: u32, filter: &QueryFilter<'_>) -> Option<Cow<'_, Object>> {
        match &self.0 {
            View::Whole(state) => {
                let object = state.slots.get(slot)?;
                filter.sees(object).then_some(Cow::Borrowed(object))
            }
            View::Interpolated(between) => {
                let is_seen = filter.sees(between.earlier(slot)?);
                is_seen.then(|| between.object(slot))?
            }
        }
    }

    /// All objects as they stand. Between ticks this interpolates every one of them, once.
    pub(super) fn state(&self) -> &State {
        match &self.0 {
            View::Whole(state) => state,
            View::Interpolated(between) => between.whole(),
        }
    }

    /// How many objects there are.
    #[must_use]
    pub fn object_count(&self) -> usize {
        self.state().object_count
    }

    /// The objects in order.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        let objects: Vec<ObjectId> = self.state().objects().iter().map(|one| one.id).collect();
        objects.into_iter()
    }

    /// The smallest box of f32 around an object, or `None` where there is nothing of it (a terrain
    /// of holes, a model without triangles) or no such object.
    ///
    /// Of a deformed model it is that of its triangles as they stand, all of which are worked out for
    /// it, once a pose.
    #[must_use]
    pub fn object_bounds(&self, object: ObjectId) -> Option<Aabb> {
        self.state().object(object)?.bounds()
    }

    /// What kind of thing an object is; `None` where there is no such object.
    #[must_use]
    pub fn kind(&self, object: ObjectId) -> Option<ObjectKind> {
        self.state().object(object).map(Object::kind)
    }

    /// The layers that an object is in, a bit each; `None` where there is no such object.
    #[must_use]
    pub fn layers(&self, object: ObjectId) -> Option<u32> {
        self.state().object(object).map(|object| object.layers)
    }

    /// The model that an object shows; `None` where it is none, a mesh, or where there is no such
    /// object.
    #[must_use]
    pub fn model(&self, object: ObjectId) -> Option<&Arc<Model>> {
        self.state().object(object)?.model()
    }

    /// A hit on a model in the model's own terms: the strongest joint there, and the place in bind
    /// space; see [`Model::bind_hit`]. `None` for what is no model.
    #[must_use]
    pub fn bind_hit(&self, met: &WorldHit) -> Option<BindHit> {
        self.model(met.object)?.bind_hit(met.hit.triangle.as_ref()?)
    }

    /// How many triangles an object has; 0 for spheres and boxes.
    #[must_use]
    pub fn triangle_count(&self, object: ObjectId) -> usize {
        let object = self.state().object(object);
        object.map_or(0, Object::triangle_count)
    }

    /// The box around everything.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb> {
        self.state().bounds()
    }
}
