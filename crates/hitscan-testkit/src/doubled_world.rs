//! A living world with everything in it twice, added in any order.

use crate::living_world::{KNOWN, LivingWorld};
use hitscan::{ObjectId, World};
use std::collections::BTreeMap;

impl LivingWorld {
    /// The world of what should be there, each thing twice, added in this order of places: thing i is in the places i
    /// and [`Self::len`] + i. The handles are in the order of places, as `named` returns them for an added object and
    /// its place.
    ///
    /// # Panics
    /// When it refuses what was accepted before.
    pub fn doubled(
        &self,
        order: &[usize],
        mut named: impl FnMut(&mut World, ObjectId, usize) -> ObjectId,
    ) -> (World, Vec<ObjectId>) {
        let mut world = World::new();
        let things: Vec<_> = self.things.values().collect();
        let mut added = BTreeMap::new();
        for &place in order {
            let (thing, layers) = things[place % things.len()];
            let id = thing.add_to(&mut world).expect("it was accepted before");
            world.set_layers(id, *layers).expect(KNOWN);
            added.insert(place, named(&mut world, id, place));
        }
        world.update();
        (world, added.into_values().collect())
    }
}
