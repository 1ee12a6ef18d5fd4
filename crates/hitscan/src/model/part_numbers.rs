//! The numbers that answers give the parts of a compound on a model's nodes.

use super::Model;
use crate::Error;
use std::sync::Arc;

/// The number of each part, ascending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PartNumbers {
    /// One after the other, from this one.
    From(u32),
    /// Those given, with gaps that parts of the model fill.
    Given(Arc<[u32]>),
}

impl PartNumbers {
    /// The number of the part at this place of the compound, if it has one there.
    pub(crate) fn of(&self, place: u32) -> Option<u32> {
        match self {
            Self::From(first) => first.checked_add(place),
            Self::Given(numbers) => numbers.get(place as usize).copied(),
        }
    }

    /// The place in the compound of the part with this number; that of `From` may be past its end.
    #[inline]
    pub(crate) fn place_of(&self, number: u32) -> Option<u32> {
        match self {
            Self::From(first) => number.checked_sub(*first),
            Self::Given(numbers) => {
                let place = numbers.binary_search(&number).ok()?;
                u32::try_from(place).ok()
            }
        }
    }
}

/// Refuses numbers of `part_count` parts that do not ascend, or that parts of the model with triangles have.
pub(super) fn check_numbers(
    numbers: &[u32],
    part_count: usize,
    model: &Model,
) -> Result<(), Error> {
    let what = "number of a part of a compound";
    if numbers.len() != part_count {
        return Err(Error::WrongLength {
            what: "numbers of the parts of a compound",
            expected: part_count,
            found: numbers.len(),
        });
    }
    let refused = |number: u32, expected| Error::BadValue {
        what,
        expected,
        found: number.into(),
    };
    if let Some(pair) = numbers.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(refused(pair[1], "greater than the one before"));
    }
    let is_taken = |number: &&u32| {
        let part = model.parts().get(**number as usize);
        part.is_some_and(|part| !part.mesh().triangles().is_empty())
    };
    match numbers.iter().find(is_taken) {
        Some(number) => Err(refused(*number, "that of no part with triangles")),
        None => Ok(()),
    }
}
