//! The handle of an object, which answers carry.

use core::num::NonZeroU32;

/// The handle of an object in its world.
///
/// Handles are in the order of adding, are never used again, and stay valid until their object is
/// removed. A handle of another world means nothing in this one.
///
/// `Option<ObjectId>` is no larger than `ObjectId`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    /// The upper half of the number, and 1: never 0, so that `Option` needs no room. The order of
    /// the fields makes the derived order that of the numbers.
    upper: NonZeroU32,
    lower: u32,
    /// Where the object is kept. Slots are used again, numbers are not.
    slot: u32,
}

const _: () = assert!(size_of::<Option<ObjectId>>() == 12);

impl ObjectId {
    /// The handle of object number `number`, which is below 2^63.
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a number")]
    pub(crate) fn new(number: u64, slot: u32) -> Self {
        Self {
            upper: NonZeroU32::MIN.saturating_add((number >> 32) as u32),
            lower: number as u32,
            slot,
        }
    }

    /// [`Self::index`] as it is stored; it is ordered as handles are.
    pub(crate) fn number(self) -> u64 {
        u64::from(self.upper.get() - 1) << 32 | u64::from(self.lower)
    }

    /// The object's number, counted from 0 in the order of adding. Removed objects keep theirs.
    #[must_use]
    pub fn index(self) -> usize {
        usize::try_from(self.number()).unwrap_or(usize::MAX)
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
            assert_eq!(id.slot(), 9);
        }
    }
}
