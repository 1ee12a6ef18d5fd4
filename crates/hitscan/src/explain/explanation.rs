//! The explanation: the answer, and what became of each candidate.

use super::answer::Answer;
use crate::query::filter::FilteredBy;
use crate::{ObjectId, TriangleId};

/// An answer, and why it is the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The answer of the plain query, bit for bit.
    pub answer: Answer,
    /// What was hit and what was not, in order of t, object, part and triangle; objects in which
    /// nothing was hit come last.
    pub candidates: Vec<Candidate>,
}

/// A triangle or solid that a query hits where its limits do not count, or an object in which it hits
/// nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The object.
    pub object: ObjectId,
    /// The triangle; `None` for solids, and for objects in which nothing is hit.
    pub triangle: Option<TriangleId>,
    /// When it is hit, of contacts the separation, of closest points the distance; `None` for objects in
    /// which nothing is hit.
    pub t: Option<f32>,
    /// What became of it.
    pub verdict: Verdict,
    /// The reason, a clause for people; of [`Verdict::Filtered`] its name alone.
    pub why: String,
}

/// What became of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// It is the answer, or one of the answers.
    Answer,
    /// It counts, but at a greater t.
    Farther,
    /// It counts at the reported t of the answer, and is later in the order.
    Tie,
    /// Its t is out of the query's range.
    OutOfRange,
    /// The query's sides do not admit it.
    WrongSide,
    /// It is touched at the start or grazed, and the shapes separate or slide.
    Separating,
    /// The contact is with an internal edge, flat or concave: a neighbouring triangle continues beyond it.
    InternalEdge,
    /// A terrain triangle without height, over which the query passes.
    Hole,
    /// The query touches the object's box, and hits nothing in it.
    Missed,
    /// The query does not even touch the object's box.
    BoxMissed,
    /// The filter does not accept the object.
    Filtered(FilteredBy),
}

impl Verdict {
    /// The verdict's name in explanations, such as `out_of_range`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Farther => "farther",
            Self::Tie => "tie",
            Self::OutOfRange => "out_of_range",
            Self::WrongSide => "wrong_side",
            Self::Separating => "parts",
            Self::InternalEdge => "left_out",
            Self::Hole => "hole",
            Self::Missed => "missed",
            Self::BoxMissed => "box_missed",
            Self::Filtered(_) => "filtered",
        }
    }
}
