//! The number of a page's connection.

/// A connection of a page, as the server numbers them; no number is used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageId(pub u64);
