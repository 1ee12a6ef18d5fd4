//! The one error type of the library: what was refused when a value was made, and where.

/// Why a value could not be made. Each variant names the place, the value found and the limit.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number that must be finite is NaN or infinite.
    #[error("{what} must be finite, found {found}")]
    NotFinite {
        /// What the number is, such as `ray origin`.
        what: &'static str,
        /// The value found.
        found: f64,
    },
    /// A coordinate lies outside the range in which shapes are accepted.
    #[error("{what}[{index}] must lie within ±{limit:e} metres, found {found}")]
    OutOfRange {
        /// What the number belongs to, such as `mesh position`.
        what: &'static str,
        /// The index of the element.
        index: usize,
        /// The value found.
        found: f64,
        /// The largest magnitude that is accepted.
        limit: f64,
    },
    /// A vector that needs a direction has none.
    #[error("{what} must not be zero")]
    ZeroVector {
        /// What the vector is.
        what: &'static str,
    },
    /// A lower bound is greater than its upper bound.
    #[error("{what}: the lower bound {min} is greater than the upper bound {max}")]
    Reversed {
        /// What is bounded.
        what: &'static str,
        /// The lower bound.
        min: f64,
        /// The upper bound.
        max: f64,
    },
    /// A number that must be positive (or not negative) is not.
    #[error("{what} must be {expected}, found {found}")]
    BadValue {
        /// What the number is.
        what: &'static str,
        /// What was expected of it.
        expected: &'static str,
        /// The value found.
        found: f64,
    },
    /// An array has the wrong number of elements.
    #[error("{what}: expected {expected} elements, found {found}")]
    WrongLength {
        /// What the array holds.
        what: &'static str,
        /// How many elements were expected.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// An index points past the end of what it indexes.
    #[error("{what}[{place}] is {index}, but there are only {count}")]
    IndexOutOfBounds {
        /// What holds the index, such as `triangle corner`.
        what: &'static str,
        /// Where the index stands.
        place: usize,
        /// The index.
        index: usize,
        /// How many elements there are.
        count: usize,
    },
    /// More elements than the library's 32-bit indices can number.
    #[error("{what}: {found} are more than the {limit} that can be numbered")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// The largest number accepted.
        limit: usize,
    },
    /// A node is its own ancestor, or has two parents.
    #[error("node {node} is reached twice: the node hierarchy must be a forest")]
    NotAForest {
        /// The node that was reached a second time.
        node: usize,
    },
}
