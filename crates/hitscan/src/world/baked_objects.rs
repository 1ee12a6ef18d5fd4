//! The objects of a baked world: each is made when a query or a change first comes to it.
//!
//! Until then an object is its record, in bytes that are shared; all records are checked when they are
//! read. A record that cannot be made into its shape is of bytes that were made up: its object then has
//! nothing that could be hit.

use super::handle_record::read_id;
use super::instance::{Geometry, Instance};
use super::object::{Object, Shape};
use super::object_record::ObjectRecord;
use super::shared_shapes::SharedShapes;
use super::surfaces::{SurfaceId, Surfaces};
use crate::baked::{Reader, check_length};
use crate::model::Model;
use crate::parallel::check_chunks;
use crate::simd::prefetch;
use crate::storage::Array;
use crate::{Error, ObjectId, TriMesh};
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The number of objects for which there is room once one of them is made.
const GROUP: usize = 32;

/// Objects; none where one cannot be made.
type Group = [OnceLock<Option<Object>>; GROUP];

/// Objects by slot, as they were baked.
#[derive(Debug)]
pub(super) struct BakedObjects {
    records: Array<u8>,
    /// Where each ends.
    ends: Array<u64>,
    /// After that of the object that was added last.
    next_number: u64,
    shared: SharedShapes,
    /// Those that were made.
    groups: Box<[OnceLock<Box<Group>>]>,
}

impl BakedObjects {
    /// The objects that were baked next, in ascending order of their handles, and their surfaces.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<(Self, Surfaces), Error> {
        let shared = SharedShapes::read(reader)?;
        let records = reader.items("objects")?;
        let ends: Array<u64> = reader.items("ends of objects")?;
        if ends.len() > u32::MAX as usize {
            return Err(reader.refused("ends of objects", "fewer than 2^32"));
        }
        let groups = (0..ends.len().div_ceil(GROUP)).map(|_| OnceLock::new());
        let mut objects = Self {
            records,
            shared,
            groups: groups.collect(),
            ends,
            next_number: 0,
        };
        let end = objects.ends.last().copied().unwrap_or(0);
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        check_length("objects", end, objects.records.len())?;
        let (of_surfaces, next_number) = (Mutex::new(Vec::new()), AtomicU64::new(0));
        check_chunks(&objects.ends, |first, chunk| {
            (first..first + chunk.len()).try_for_each(|slot| {
                let id = objects.check(slot, &of_surfaces)?;
                next_number.fetch_max(id.number() + 1, Relaxed);
                Ok::<(), Error>(())
            })
        })?;
        objects.next_number = next_number.into_inner();
        let mut surfaces = Surfaces::default();
        let of_surfaces = of_surfaces.into_inner();
        for (slot, surface) in of_surfaces.unwrap_or_else(PoisonError::into_inner) {
            if let Some(object) = objects.id(slot) {
                surfaces.set(object, Some(surface));
            }
        }
        Ok((objects, surfaces))
    }

    /// Checks a record, and adds the surface that it is of; the object's handle.
    fn check(
        &self,
        slot: usize,
        surfaces: &Mutex<Vec<(u32, SurfaceId)>>,
    ) -> Result<ObjectId, Error> {
        let record = self.record(slot)?;
        if let Some(surface) = record.surface {
            let surfaces = surfaces.lock();
            let of_object = (record.id.slot(), surface);
            (surfaces.unwrap_or_else(PoisonError::into_inner)).push(of_object);
        }
        record.check()?;
        let before = match slot.checked_sub(1) {
            Some(before) => Some(read_id(&mut self.reader(before)?, 0)?),
            None => None,
        };
        if before.is_none_or(|before| before.rank() < record.id.rank()) {
            return Ok(record.id);
        }
        Err(self
            .reader(slot)?
            .refused("number of an object", "greater than the one before"))
    }

    /// A reader of a record.
    fn reader(&self, slot: usize) -> Result<Reader<'_>, Error> {
        let end_of = |slot: usize| {
            let end = self.ends.get(slot).copied();
            end.and_then(|end| usize::try_from(end).ok())
        };
        let start = slot.checked_sub(1).map_or(Some(0), end_of);
        let range = start.zip(end_of(slot)).map(|(start, end)| start..end);
        let record = range.and_then(|range| Some((self.records.get(range.clone())?, range.start)));
        match record {
            Some((record, place)) => Ok(Reader::of_part(record, place)),
            None => Err(Error::Baked {
                what: "ends of objects",
                place: slot,
                expected: "behind the one before, in the objects",
            }),
        }
    }

    fn record(&self, slot: usize) -> Result<ObjectRecord<'_>, Error> {
        let number = u32::try_from(slot).unwrap_or(u32::MAX);
        ObjectRecord::read(self.reader(slot)?, number, &self.shared)
    }

    /// How many there are, in the first slots.
    pub(super) fn count(&self) -> usize {
        self.ends.len()
    }

    /// The object in a slot, made here if it was not before.
    pub(super) fn get(&self, slot: u32) -> Option<&Object> {
        let place = slot as usize;
        if place >= self.count() {
            return None;
        }
        let empty = || Box::new([const { OnceLock::new() }; GROUP]);
        let group = self.groups.get(place / GROUP)?.get_or_init(empty);
        group[place % GROUP]
            .get_or_init(|| self.made(slot))
            .as_ref()
    }

    fn made(&self, slot: u32) -> Option<Object> {
        let record = self.record(slot as usize).ok()?;
        Some(Object {
            id: record.id,
            layers: record.layers,
            user_data: record.user_data,
            shape: record.shape().ok().or_else(nothing)?,
        })
    }

    /// Prefetches an object, if it was made.
    pub(super) fn fetch(&self, slot: u32) {
        if let Some(group) = self.group(slot) {
            prefetch(&group[slot as usize % GROUP]);
        }
    }

    /// The objects about a slot, if one of them was made.
    fn group(&self, slot: u32) -> Option<&Group> {
        let group = self.groups.get(slot as usize / GROUP)?;
        group.get().map(Box::as_ref)
    }

    /// The handle of an object, which is not made for it.
    pub(super) fn id(&self, slot: u32) -> Option<ObjectId> {
        read_id(&mut self.reader(slot as usize).ok()?, slot).ok()
    }

    /// The number of the next object that is added.
    pub(super) fn next_number(&self) -> u64 {
        self.next_number
    }

    /// The model that an object shows, if any; the object is not made for it.
    pub(super) fn model(&self, slot: u32) -> Option<&Arc<Model>> {
        match self
            .group(slot)
            .and_then(|group| group[slot as usize % GROUP].get())
        {
            Some(object) => object.as_ref()?.model(),
            None => self.record(slot as usize).ok()?.model(),
        }
    }

    /// Whether an object is terrain.
    pub(super) fn is_terrain(&self, slot: u32) -> bool {
        self.record(slot as usize)
            .is_ok_and(|record| record.is_terrain())
    }

    /// The objects that were made.
    pub(super) fn at_hand(&self) -> impl Iterator<Item = &Object> {
        let groups = self.groups.iter().filter_map(OnceLock::get);
        let all = groups.flat_map(|group| group.iter());
        all.filter_map(|object| object.get()?.as_ref())
    }

    /// The bytes of the slots of those that were made.
    pub(super) fn bytes(&self) -> usize {
        let groups = self.groups.iter().filter_map(OnceLock::get);
        size_of_val(&*self.groups) + groups.count() * size_of::<Group>()
    }
}

/// What can be hit nowhere.
fn nothing() -> Option<Shape> {
    let empty = TriMesh::new(Vec::new(), Vec::new()).ok()?;
    let instance = Instance::unplaced(Geometry::Mesh(Arc::new(empty)));
    Some(Shape::Instance(instance))
}
