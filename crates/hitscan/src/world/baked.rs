//! A world as it is baked: its objects in order, what they share once, and the tree over them.

use super::baked_objects::BakedObjects;
use super::object::Object;
use super::object_record;
use super::object_table::Slots;
use super::shared_shapes::SharedByObjects;
use super::snapshot::state::State;
use super::{Snapshot, World};
use crate::baked::{Reader, Writer};
use crate::bvh::{Bvh, MovingTree};
use crate::{Aabb, Error, ObjectId};
use std::sync::Arc;

impl Snapshot {
    /// Bakes the objects as they are, without their history; see [`baked`](crate::baked).
    ///
    /// Answers of [`World::from_baked`] are those of this snapshot, bit for bit, with the same numbers
    /// and order keys of objects.
    pub fn bake<'a>(&'a self, writer: &mut Writer<'a>) {
        let objects = self.state().objects();
        let shared = SharedByObjects::new(&objects);
        shared.bake(writer);
        let (mut records, mut ends) = (Writer::new(), Vec::with_capacity(objects.len()));
        for object in &objects {
            let surface = self.surface_of(object.id);
            object_record::bake((object, surface), &shared, &mut records);
            ends.push(records.table_length() as u64);
        }
        writer.array(records.into_parts().0);
        let ends: &[u8] = bytemuck::cast_slice(&ends);
        writer.array(ends.to_vec());
        let terrains = &self.state().terrains;
        writer.size(terrains.len());
        for terrain in terrains {
            let place = objects.partition_point(|object| object.id < *terrain);
            // Fewer objects than 2^32 have slots.
            writer.u32(u32::try_from(place).unwrap_or(u32::MAX));
        }
        tree_over(&objects).bake_items(writer);
    }
}

/// The tree that a new world would have over these objects, whose items are their places.
fn tree_over(objects: &[&Object]) -> Bvh {
    let (places, bounds): (Vec<u32>, Vec<Aabb>) = (0..)
        .zip(objects)
        .filter_map(|(place, object)| Some((place, object.culling_bounds()?)))
        .unzip();
    Bvh::over_items(&places, &bounds)
}

impl World {
    /// The world that was baked next, up to date, without a history. Arrays are borrowed where they
    /// are kept and aligned, and objects made as queries and changes come to them.
    ///
    /// # Errors
    /// [`Error::Baked`] and [`Error::WrongLength`] for what no writer makes, and what adding an
    /// object refuses, but for vertices out of range: of such an object nothing is hit.
    pub fn from_baked(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let (objects, surfaces) = BakedObjects::read(reader)?;
        let terrains = read_terrains(reader, &objects)?;
        let tree = Bvh::items_from_baked(reader, objects.count())?;
        let tree = MovingTree::of_tree(tree);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "checked where they are read"
        )]
        let slot_count = objects.count() as u32;
        let next_number = objects.next_number();
        let state = State {
            object_count: objects.count(),
            slots: Slots::of_baked(objects),
            tree: Arc::clone(tree.tree()),
            terrains,
            surfaces,
        };
        Ok(Self {
            now: Snapshot::whole(Arc::new(state)),
            tree,
            slot_count,
            next_number,
            ..Self::default()
        })
    }
}

fn read_terrains(reader: &mut Reader<'_>, objects: &BakedObjects) -> Result<Vec<ObjectId>, Error> {
    let mut terrains = Vec::new();
    for _ in 0..reader.count("terrains in order", 4)? {
        let slot = reader.u32("terrain")?;
        let id = objects.id(slot).filter(|_| objects.is_terrain(slot));
        match id {
            Some(id) if terrains.last().is_none_or(|last| *last < id) => terrains.push(id),
            _ => return Err(reader.refused("terrain", "a terrain after the one before")),
        }
    }
    Ok(terrains)
}
