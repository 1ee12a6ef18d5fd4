//! The names that are given to the objects of a world that was made by hand.

use hitscan::Snapshot;

use super::names::Names;

/// Why names do not fit the objects of a world.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnfitNames {
    /// A name is empty, or an object before has it.
    #[error("the name `{0}` is empty, or another object has it")]
    Name(String),
    /// There are more objects than names, or fewer.
    #[error("expected {expected} names, found {found}")]
    Count {
        /// How many objects there are.
        expected: usize,
        /// How many names.
        found: usize,
    },
}

/// The names of all objects of a snapshot, in their order.
pub(super) fn named<'a>(
    now: &Snapshot,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Names, UnfitNames> {
    let mut all = Names::default();
    for name in names {
        if name.is_empty() || all.add(name).is_err() {
            return Err(UnfitNames::Name(name.to_owned()));
        }
    }
    let (expected, found) = (now.object_count(), all.len());
    match expected == found {
        true => Ok(all),
        false => Err(UnfitNames::Count { expected, found }),
    }
}
