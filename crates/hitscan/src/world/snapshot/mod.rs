//! A snapshot of a world: the present, a recorded tick, or a time between two ticks.

pub(crate) mod state;
mod interpolated_primitive;
mod interpolated;
mod tree_between;
pub(crate) mod read;
mod parts;
pub(crate) mod history;
pub(crate) mod past;

use super::object::Object;
use super::surfaces::SurfaceId;
use crate::bvh::Bvh;
use crate::query::filter::QueryFilter;
use crate::{HeightField, ObjectId};
use core::fmt;
use interpolated::Interpolated;
use state::State;
use std::borrow::Cow;
use std::sync::Arc;

/// A snapshot of a world: now ([`World::now`](super::World::now)), or at a time of
/// its history ([`World::at`](super::World::at)).
///
/// A snapshot is a value: it costs next to nothing to clone, any thread may keep it as long as it likes,
/// and its answers do not change when the world does. The present costs nothing for it: an
/// update copies only where the previous snapshot is still held, and then pointers to blocks of 32
/// objects, the blocks in which something changes, and the tree over the objects. The example
/// `kept_snapshots` measures it.
///
/// A query costs the same at any recorded tick as now. Between two ticks each object that a query comes
/// near is interpolated for it:
/// - what exists is what existed at the earlier tick; terrain, layers, and what is there at the
///   earlier tick only, are as at that tick;
/// - positions, sizes, scales and morph weights go in a straight line;
/// - rotations turn along the shorter arc: those of transforms (whose matrix is taken as a rotation
///   after a stretch, by Gram and Schmidt's method), of oriented boxes, of each node of a pose, and of joints that
///   matrices place, each in the space of the joint above it.
///
/// ```
/// use hitscan::{QueryFilter, Ray, Sphere, World};
/// let mut world = World::new();
/// world.keep_history(64);
/// let runner = world.add(Sphere::new([0.0, 1.0, 0.0], 0.5)?);
/// for tick in 0..10_u8 {
///     world.set_primitive(runner, Sphere::new([f32::from(tick), 1.0, 0.0], 0.5)?)?;
///     world.update();
///     world.record(tick.into())?;
/// }
/// // The shooter saw the runner where it was 6.5 ticks ago.
/// let seen = world.at(9.0 - 6.5).expect("the history reaches there");
/// let shot = Ray::new([2.5, 1.0, -5.0], [0.0, 0.0, 1.0])?;
/// let everything = QueryFilter::new();
/// let hit = seen.cast_ray(&shot, everything).expect("the runner was there");
/// assert_eq!(hit.object, Some(runner));
/// assert_eq!(world.now().cast_ray(&shot, everything), None);
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Snapshot {
    /// As an update left it; of an interpolated snapshot the state of the earlier tick.
    state: Arc<State>,
    between: Option<Arc<Interpolated>>,
}

// Any thread may keep one.
const _: () = {
    const fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<Snapshot>();
};

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("objects", &self.state.object_count)
            .field("is_interpolated", &self.between.is_some())
            .finish()
    }
}

impl Snapshot {
    pub(crate) fn whole(state: Arc<State>) -> Self {
        let between = None;
        Self { state, between }
    }

    pub(crate) fn interpolated(between: Interpolated) -> Self {
        Self {
            state: Arc::clone(between.earlier_state()),
            between: Some(Arc::new(between)),
        }
    }

    /// What the last update left, to be changed by the next. Where another snapshot shares it, it is
    /// copied first: pointers to blocks of objects, which are copied as they change.
    pub(crate) fn state_mut(&mut self) -> &mut State {
        Arc::make_mut(&mut self.state)
    }

    /// What the last update left, which a tick shares.
    pub(crate) fn shared_state(&self) -> &Arc<State> {
        &self.state
    }

    /// The tree whose items are the slots of objects.
    pub(crate) fn tree(&self) -> &Bvh {
        match &self.between {
            None => &self.state.tree,
            Some(between) => between.tree(),
        }
    }

    /// Prefetches the object in a slot, unless it is yet to be interpolated.
    pub(crate) fn fetch(&self, slot: u32) {
        if self.between.is_none() {
            self.state.slots.fetch(slot);
        }
    }

    /// The only object, where there is one and it is not yet to be interpolated.
    pub(crate) fn lone_object(&self) -> Option<&Object> {
        if self.between.is_some() || self.state.object_count != 1 {
            return None;
        }
        self.state.slots.iter().next()
    }

    /// What `read` returns for the object in a slot, if one is there and the filter accepts it.
    pub(crate) fn with_object<R>(
        &self,
        slot: u32,
        filter: &QueryFilter<'_>,
        read: impl FnOnce(&Object) -> R,
    ) -> Option<R> {
        if self.between.is_some() {
            return self.seen(slot, filter).map(|object| read(&object));
        }
        // Without a `Cow` on the way, which costs many small objects.
        let object = self.state.slots.get(slot)?;
        let is_seen = filter.sees(object.id, object.layers);
        is_seen.then(|| read(object))
    }

    /// The object in a slot, if one is there and the filter accepts it; owned where it is
    /// interpolated for this query.
    pub(crate) fn seen(&self, slot: u32, filter: &QueryFilter<'_>) -> Option<Cow<'_, Object>> {
        let object = self.state.slots.get(slot)?;
        if !filter.sees(object.id, object.layers) {
            return None;
        }
        match &self.between {
            None => Some(Cow::Borrowed(object)),
            Some(between) => between.object(slot),
        }
    }

    /// The object with this handle, if it is there; interpolated alone between ticks.
    pub(crate) fn object(&self, id: ObjectId) -> Option<Cow<'_, Object>> {
        let object = self.state.object(id)?;
        match &self.between {
            None => Some(Cow::Borrowed(object)),
            Some(between) => between.object(id.slot()),
        }
    }

    /// What answers name an object by: its handle, and its user data or 0.
    #[inline]
    pub(crate) fn tagged(&self, id: ObjectId) -> (ObjectId, u64) {
        let object = self.state.object(id);
        (id, object.map_or(0, |object| object.user_data))
    }

    /// The terrains that a filter accepts, in order, with what answers name them by: interpolation changes none.
    pub(crate) fn terrains<'a>(
        &'a self,
        filter: QueryFilter<'a>,
    ) -> impl Iterator<Item = ((ObjectId, u64), &'a HeightField)> {
        self.state.height_fields(filter)
    }

    /// The surface that an object is of.
    #[inline]
    pub(crate) fn surface_of(&self, id: ObjectId) -> Option<SurfaceId> {
        self.state.surfaces.of(id)
    }

    /// Whether any object is of a surface.
    pub(crate) fn has_surfaces(&self) -> bool {
        self.state.surfaces.is_any()
    }

    /// The objects of a surface, in order.
    pub(crate) fn objects_of(&self, surface: SurfaceId) -> impl Iterator<Item = ObjectId> {
        self.state.surfaces.objects_of(surface)
    }

    /// The handle and the layers of the object in a slot, if one is there.
    pub(crate) fn id_and_layers(&self, slot: u32) -> Option<(ObjectId, u32)> {
        let object = self.state.slots.get(slot)?;
        Some((object.id, object.layers))
    }

    /// All objects as they are. Between ticks this interpolates every one of them, once.
    pub(crate) fn state(&self) -> &State {
        match &self.between {
            None => &self.state,
            Some(between) => between.whole(),
        }
    }
}
