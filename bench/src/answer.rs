//! Answers of subjects, in forms that can be compared whoever gave them.

use crate::random::mix;

/// A hit: how far, and which triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Met {
    pub t: f32,
    /// In hitscan's numbering; [`UNNUMBERED`] from subjects that do not say.
    pub primitive: u32,
}

impl Met {
    /// The same of a subject whose numbers of triangles are not ours.
    pub fn unnumbered(self) -> Self {
        Self {
            primitive: UNNUMBERED,
            ..self
        }
    }
}

/// The triangle of a subject that does not name it.
pub const UNNUMBERED: u32 = u32::MAX;

/// An answer that can be held against another subject's.
pub trait Answer: Copy + Default + Send + Sync + 'static {
    /// The number that the answer comes to; `None` for a miss.
    fn number(self) -> Option<f32>;

    /// The triangle, where one is named.
    fn primitive(self) -> Option<u32> {
        None
    }
}

/// One number of all answers, every bit of number and triangle counting.
pub fn digest<A: Answer>(answers: &[A]) -> u64 {
    let bits = |answer: &A| {
        // A miss is all ones, which no hit is.
        let number = answer
            .number()
            .map_or(u64::MAX, |number| number.to_bits().into());
        let triangle = answer
            .primitive()
            .map_or(0, |triangle| u64::from(triangle) + 1);
        number ^ (triangle << 32)
    };
    answers
        .iter()
        .fold(0, |sum, answer| mix(sum ^ bits(answer)))
}

impl Answer for Option<Met> {
    fn number(self) -> Option<f32> {
        self.map(|met| met.t)
    }

    fn primitive(self) -> Option<u32> {
        let primitive = self?.primitive;
        (primitive != UNNUMBERED).then_some(primitive)
    }
}

impl Answer for Option<f32> {
    fn number(self) -> Option<f32> {
        self
    }
}

/// The first contact of a shape that moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// How far until there, metres.
    pub distance: f32,
    /// The obstacle's, against the motion; of unit length where the library makes it so.
    pub normal: [f32; 3],
    /// As in [`Met`].
    pub primitive: u32,
}

impl Answer for Option<Touch> {
    fn number(self) -> Option<f32> {
        self.map(|touch| touch.distance)
    }

    fn primitive(self) -> Option<u32> {
        let primitive = self?.primitive;
        (primitive != UNNUMBERED).then_some(primitive)
    }
}

/// Whether anything is hit.
impl Answer for bool {
    fn number(self) -> Option<f32> {
        self.then_some(0.0)
    }
}

/// A count.
impl Answer for u32 {
    fn number(self) -> Option<f32> {
        Some(self as f32)
    }
}

/// Building and the like: there is nothing to compare.
impl Answer for () {
    fn number(self) -> Option<f32> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_an_answer_counts() {
        let met = |t, primitive| Some(Met { t, primitive });
        let digests = [
            digest(&[met(1.0, 7)]),
            digest(&[met(-1.0, 7)]),
            digest(&[met(1.0, 8)]),
            digest(&[met(0.0, 0)]),
            digest(&[met(-0.0, 0)]),
            digest::<Option<Met>>(&[None]),
            digest(&[met(1.0, 7), met(1.0, 8)]),
            digest(&[met(1.0, 8), met(1.0, 7)]),
        ];
        for (place, own) in digests.iter().enumerate() {
            assert!(!digests[..place].contains(own), "{place}");
        }
    }
}
