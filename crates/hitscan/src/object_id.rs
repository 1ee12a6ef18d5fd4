//! The handle of an object, which answers carry.

use core::num::NonZeroU32;

/// The handle of an object in its world.
///
/// Handles are in the order of their [order keys](Self::order_key), and those of one key in the order of adding. They
/// are never used again, and stay valid until their object is removed. A handle of another world means nothing in
/// this one.
///
/// `Option<ObjectId>` is no larger than `ObjectId`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    /// The order of the fields makes the derived order that of the keys, then that of the numbers.
    key: u32,
    /// The upper half of the number, and 1: never 0, so that `Option` needs no room.
    upper: NonZeroU32,
    lower: u32,
    /// Where the object is kept. Slots are used again, numbers are not.
    slot: u32,
}

const _: () = assert!(size_of::<Option<ObjectId>>() == 16);

impl ObjectId {
    /// The handle of object number `number`, which is below 2^63, with the key 0.
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a number")]
    pub(crate) fn new(number: u64, slot: u32) -> Self {
        Self {
            key: 0,
            upper: NonZeroU32::MIN.saturating_add((number >> 32) as u32),
            lower: number as u32,
            slot,
        }
    }

    /// The same object's handle with another key.
    pub(crate) fn with_order_key(self, key: u32) -> Self {
        Self { key, ..self }
    }

    /// Two numbers that are in the order of handles.
    pub(crate) fn rank(self) -> [u64; 2] {
        [self.key.into(), self.number()]
    }

    /// [`Self::index`] as it is stored; of one key it is ordered as handles are.
    pub(crate) fn number(self) -> u64 {
        u64::from(self.upper.get() - 1) << 32 | u64::from(self.lower)
    }

    /// The object's number, counted from 0 in the order of adding. Removed objects keep theirs.
    #[must_use]
    pub fn index(self) -> usize {
        usize::try_from(self.number()).unwrap_or(usize::MAX)
    }

    /// The key that [`World::set_order_key`](crate::World::set_order_key) gave the object; 0 where it gave none.
    #[must_use]
    pub fn order_key(self) -> u32 {
        self.key
    }

    pub(crate) fn slot(self) -> u32 {
        self.slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_in_the_order_of_their_numbers() {
        let numbers = [0, 1, u64::from(u32::MAX), 1 << 32, (1 << 40) + 7, 1 << 62];
        let ids = numbers.map(|number| ObjectId::new(number, 9));
        assert!(ids.is_sorted());
        for (id, number) in ids.iter().zip(numbers) {
            assert_eq!(id.index() as u64, number);
            assert_eq!((id.slot(), id.order_key()), (9, 0));
        }
    }

    #[test]
    fn keys_go_before_numbers() {
        let ids = [(0, 7), (0, 1 << 40), (1, 0), (1, 3), (u32::MAX, 2)];
        let ids = ids.map(|(key, number)| ObjectId::new(number, 5).with_order_key(key));
        assert!(ids.is_sorted());
        assert!(ids.map(ObjectId::rank).is_sorted());
        assert_eq!(ids.map(ObjectId::order_key), [0, 0, 1, 1, u32::MAX]);
    }
}
