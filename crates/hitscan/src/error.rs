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
    #[error("{what}[{index}] must lie within ±{limit:.0e} metres, found {found}")]
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
    /// A range of indices is empty, or ends beyond what it indexes.
    #[error("{what}: {start}..{end} must hold something, and end at {size} at most")]
    BadRange {
        /// What the range is of, such as `rows of a camera's tile`.
        what: &'static str,
        /// Its start.
        start: u32,
        /// Its end, which is not part of it.
        end: u32,
        /// The largest end.
        size: u32,
    },
    /// A name does not fit, or is taken.
    #[error("{what}[{index}]: the name `{name}` must be {expected}")]
    BadName {
        /// What has names.
        what: &'static str,
        /// Which of them has it.
        index: usize,
        /// The name.
        name: String,
        /// What would be accepted.
        expected: &'static str,
    },
    /// An array has the wrong number of elements.
    #[error("{what}: expected {expected} elements, found {found}")]
    WrongLength {
        /// What the array holds.
        what: &'static str,
        /// The number of elements that was expected.
        expected: usize,
        /// The number of elements found.
        found: usize,
    },
    /// An index points past the end of what it indexes.
    #[error("{what}[{place}] is {index}, but there are only {count}")]
    IndexOutOfBounds {
        /// What holds the index, such as `triangle corner`.
        what: &'static str,
        /// The position of the index in its list.
        place: usize,
        /// The index.
        index: usize,
        /// The number of elements.
        count: usize,
    },
    /// Something is referred to by an index that nothing has.
    #[error("{what} {index} does not exist: there are only {count}")]
    NoSuch {
        /// What is referred to, such as `clip`.
        what: &'static str,
        /// The index.
        index: usize,
        /// The number of things that exist.
        count: usize,
    },
    /// More elements than the library's 32-bit indices can number.
    #[error("{what}: {found} are more than the {limit} that can be numbered")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// The number of elements found.
        found: usize,
        /// The largest number accepted.
        limit: usize,
    },
    /// One element of an array is not what it must be.
    #[error("{what}[{index}] must be {expected}, found {found}")]
    BadElement {
        /// What the array holds, such as `key time`.
        what: &'static str,
        /// The index of the element.
        index: usize,
        /// What was expected of it.
        expected: &'static str,
        /// The value found.
        found: f64,
    },
    /// A node is its own ancestor, or has two parents.
    #[error("node {node} is reached twice: the node hierarchy must be a forest")]
    NotAForest {
        /// The node that was reached a second time.
        node: usize,
    },
    /// A channel moves, turns or scales a node whose transform is a matrix.
    #[error("node {node} has a matrix, which cannot be animated")]
    AnimatedMatrix {
        /// The node.
        node: usize,
    },
    /// Two channels of one clip move the same property of the same node.
    #[error("node {node}: an earlier channel animates its {property} already")]
    AnimatedTwice {
        /// The node.
        node: usize,
        /// The property, such as `translation`.
        property: &'static str,
    },
    /// A handle of an object that was removed, or of another world.
    #[error("object {object} is not in this world: it was removed, or never was")]
    StaleObject {
        /// The object's number.
        object: usize,
    },
    /// An object is of another kind than the operation needs.
    #[error("object {object} is not {expected}")]
    WrongObject {
        /// The object's number.
        object: usize,
        /// What it would have to be.
        expected: &'static str,
    },
    /// Baked bytes are not what a writer of this version makes: they are damaged, or of something else.
    #[error("baked {what}[{place}] must be {expected}")]
    Baked {
        /// What was read, such as `tree nodes`.
        what: &'static str,
        /// The index of the element or, of the table, a byte.
        place: usize,
        /// What was expected of it.
        expected: &'static str,
    },
    /// A build was cancelled before it was done.
    #[error("cancelled")]
    Cancelled,
    /// Something in a model was refused.
    #[error("{place}: {cause}")]
    InModel {
        /// Which piece of the model.
        place: ModelPlace,
        /// Why it was refused.
        cause: Box<Error>,
    },
}

/// Which piece of a model an error is about, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelPlace {
    /// A node.
    Node(usize),
    /// A skin.
    Skin(usize),
    /// A part.
    Part(usize),
    /// A joint, by its place among the model's joints.
    Joint(usize),
    /// A channel of a clip.
    Channel {
        /// The clip.
        clip: usize,
        /// The channel in that clip.
        channel: usize,
    },
}

impl core::fmt::Display for ModelPlace {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Node(node) => write!(f, "node {node}"),
            Self::Skin(skin) => write!(f, "skin {skin}"),
            Self::Part(part) => write!(f, "part {part}"),
            Self::Joint(joint) => write!(f, "joint {joint}"),
            Self::Channel { clip, channel } => write!(f, "clip {clip}, channel {channel}"),
        }
    }
}
