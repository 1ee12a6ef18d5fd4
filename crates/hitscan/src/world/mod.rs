//! A world of objects, and every query over all of them.
//!
//! A [`World`] is edited: objects come, move, change and go. A [`Snapshot`] answers: the present,
//! which [`World::now`] gives, or a time of the history, by [`World::at`].
//!
//! Objects are in the order in which they are added, or in that of keys that they are given
//! ([`World::set_order_key`]); the order settles exact ties and nothing else. What a query considers is chosen by a [`QueryFilter`](crate::QueryFilter).

mod object_shape;
mod primitive_transform;
mod instance_transform;
mod geometry;
pub(crate) mod instance;
pub(crate) mod placed_compound;
pub(crate) mod object;
mod surfaces;
pub(crate) mod piece_tree;
pub(crate) mod object_cast;
pub(crate) mod turning_object_cast;
mod shared_shapes;
mod handle_record;
mod solid_record;
mod object_record;
mod baked_objects;
mod object_table;
mod pending;
mod rotation_stretch;
mod snapshot;
pub(crate) mod query;
mod edit;
mod posing;
mod edit_batch;
mod add;
mod placed_mover;
mod baked;

pub use object::ObjectKind;
pub use object_cast::{Mover, ObjectCast, ObjectHit, ObjectImpact};
pub use object_shape::ObjectShape;
pub use query::bounds::AabbPair;
pub use query::distance::{DistanceStatus, ObjectDistance};
pub use query::enclosures::{Enclosure, EnclosureKind};
pub use query::overlap_feature::{OverlapFeature, OverlapPair};
pub use query::sight::Blocker;
pub use snapshot::Snapshot;
pub use snapshot::past::Past;
pub use surfaces::SurfaceId;
pub use turning_object_cast::{TurningObjectCast, TurningObjectHit};

use crate::bvh::MovingTree;
use crate::simd::Width;
use crate::{Error, ObjectId};
use core::ops::RangeInclusive;
use object::Object;
use object_table::SPARE;
use pending::Pending;
use snapshot::history::History;
use snapshot::state::State;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Objects that move, turn, play animations, come and go; and what they were a moment ago.
///
/// Change objects, call [`World::update`], then query [`World::now`]: queries never fail, never wait
/// for each other, and any number of threads may query at once. **Queries see the world as the last
/// update left it.** An update costs what has changed; what is at rest costs nothing.
///
/// ```
/// use hitscan::{Aabb, Ray, Sphere, World};
/// let mut world = World::new();
/// let planet = world.add(Sphere::new([0.0, 5.0, 0.0], 2.0)?);
/// let crate_box = world.add(Aabb::new([-1.0; 3], [1.0; 3])?);
/// world.update();
/// let down = Ray::new([0.0, 9.0, 0.0], [0.0, -1.0, 0.0])?;
/// let hit = world.now().cast_ray(&down, ()).unwrap();
/// assert_eq!((hit.object, hit.t), (Some(planet), 2.0));
///
/// world.set_primitive(planet, Sphere::new([8.0, 5.0, 0.0], 2.0)?)?;
/// world.update();
/// let hit = world.now().cast_ray(&down, ()).unwrap();
/// assert_eq!((hit.object, hit.t), (Some(crate_box), 8.0));
///
/// world.remove(crate_box)?;
/// world.update();
/// assert_eq!(world.now().cast_ray(&down, ()), None);
/// assert!(world.remove(crate_box).is_err(), "the handle is stale");
/// # Ok::<(), hitscan::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct World {
    /// As the last update left it.
    now: Snapshot,
    /// Over the objects' boxes; its items are their slots.
    tree: MovingTree,
    pending: Pending,
    /// The objects whose surface the next update changes.
    pending_surfaces: BTreeMap<ObjectId, Option<SurfaceId>>,
    free_slots: Vec<u32>,
    /// The number of slots that are or were in use.
    slot_count: u32,
    next_number: u64,
    history: History,
}

impl World {
    /// A world without objects.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes all changes since the last update, and brings the tree up to date with them.
    ///
    /// Costs what has changed, unless the previous snapshot is still held (a recorded tick does):
    /// then the pointers to the blocks of 32 objects, the blocks in which something changes, and the
    /// whole tree over the objects are copied first, about 50 bytes an object of the world. Of a world
    /// of 5,000,000 objects that is 255 MB, though only one has moved; who needs many snapshots of a
    /// world of so many objects should put what rests into one mesh.
    pub fn update(&mut self) {
        if self.is_up_to_date() {
            return;
        }
        let state = self.now.state_mut();
        let is_first = state.object_count == 0;
        // So that the tree is not held twice, which would make a change copy it.
        state.tree = Arc::default();
        let (tree, free_slots) = (&mut self.tree, &mut self.free_slots);
        state.put_all(self.pending.drain(), |slot, object| {
            tree.set(slot, object.and_then(Object::culling_bounds));
            if object.is_none() {
                free_slots.push(slot);
            }
        });
        for (object, surface) in core::mem::take(&mut self.pending_surfaces) {
            if state.object(object).is_some() {
                state.surfaces.set(object, surface);
            }
        }
        if is_first {
            // A world is filled once, and seldom changes all of its objects at once again.
            self.pending = Pending::default();
        }
        self.tree.update();
        state.tree = Arc::clone(self.tree.tree());
        let slot_count = state.slots.slot_count();
        if slot_count < self.slot_count as usize / SPARE {
            self.shrink(slot_count);
        }
    }

    /// Whether nothing has changed since the last update.
    #[must_use]
    pub fn is_up_to_date(&self) -> bool {
        self.pending.is_empty() && self.pending_surfaces.is_empty()
    }

    /// Gives memory back where all objects are in the first few of the slots.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are fewer than before"
    )]
    fn shrink(&mut self, slot_count: usize) {
        self.slot_count = slot_count as u32;
        let slots = &self.now.state().slots;
        let is_free = |slot: &u32| !slots.is_used(*slot);
        self.free_slots = (0..self.slot_count).rev().filter(is_free).collect();
        self.tree.shrink(slot_count);
        self.pending.shrink(slot_count);
    }

    /// The same world, the tree over its objects traversed with these vector instructions; shapes keep
    /// their own. Answers do not depend on them.
    #[doc(hidden)]
    #[must_use]
    pub fn with_width(mut self, width: Width) -> Self {
        self.tree.set_width(width);
        self.now.state_mut().tree = Arc::clone(self.tree.tree());
        self
    }

    /// The world as the last update left it.
    #[must_use]
    #[inline]
    pub fn now(&self) -> &Snapshot {
        &self.now
    }

    /// Keeps the last `ticks` ticks that are recorded, dropping older ones; 0, the default, none.
    ///
    /// A tick takes memory for the objects that changed since the one before, in blocks of 32 (64
    /// bytes an object, 168 more for oriented boxes), for the tree if any did (some 50 bytes
    /// an object), and for each model that moved its joints' matrices, 128 bytes a joint, and some 700 more.
    /// [`World::history_bytes`] counts them.
    pub fn keep_history(&mut self, ticks: usize) {
        self.history.set_capacity(ticks);
    }

    /// Records the world, as the last update left it, as tick `tick` of its history.
    ///
    /// # Errors
    /// [`Error::BadValue`] for a tick that is not later than the last one recorded, or beyond 2^53.
    pub fn record(&mut self, tick: u64) -> Result<(), Error> {
        self.history.record(tick, self.now.shared_state())
    }

    /// The first and the last tick that are kept; `None` where none is.
    #[must_use]
    pub fn history(&self) -> Option<RangeInclusive<u64>> {
        self.history.range()
    }

    /// The world as it was at `time`, in ticks: at a tick exactly as it was recorded, between two
    /// interpolated as [`Snapshot`] says. `None` before the first and after the last tick that are kept,
    /// and for NaN.
    #[must_use]
    pub fn at(&self, time: f64) -> Option<Snapshot> {
        self.history.at(time)
    }

    /// The ticks that are kept, to be queried while the world goes on; they are not copied.
    #[must_use]
    pub fn past(&self) -> Past {
        Past::new(&self.history)
    }

    /// The bytes that the objects and the tree take, without the history. What several objects
    /// share is counted once; objects of a baked world count from when they are first reached.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        bytes_of([self.now.state()].into_iter())
            + self.tree.memory_bytes()
            + self.pending.memory_bytes()
            + self.free_slots.capacity() * size_of::<u32>()
    }

    /// The bytes that the history takes beside the present world.
    #[must_use]
    pub fn history_bytes(&self) -> usize {
        let now = bytes_of([self.now.state()].into_iter());
        let all = bytes_of(self.history.states().chain([self.now.state()]));
        let mut trees: Vec<_> = self.history.states().map(|state| &state.tree).collect();
        trees.dedup_by(|one, other| Arc::ptr_eq(one, other));
        trees.retain(|tree| !Arc::ptr_eq(tree, &self.now.state().tree));
        let trees: usize = trees.iter().map(|tree| tree.memory_bytes()).sum();
        all - now + trees + self.history.trees_between_bytes()
    }
}

/// What these states take together, without trees; in order of time.
fn bytes_of<'a>(states: impl Iterator<Item = &'a State>) -> usize {
    // By the address of each thing, as states share them.
    let mut seen = BTreeMap::new();
    let mut slots = 0;
    let mut previous: Option<&State> = None;
    for state in states {
        slots += state
            .slots
            .own_bytes(previous.map(|previous| &previous.slots));
        let mut count = |place, bytes| {
            seen.insert(place, bytes);
        };
        for object in state.slots.at_hand() {
            object.count_bytes(&mut count);
        }
        state.surfaces.count_bytes(&mut count);
        previous = Some(state);
    }
    slots + seen.values().sum::<usize>()
}
