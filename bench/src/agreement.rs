//! Holding subjects' answers against one another.
//!
//! The reference of a question is what most families of subjects say: the median of their numbers,
//! one subject a family, a miss being beyond every number. So no family is its own reference, and
//! one family's ten variants do not outvote the others. Jolt votes only as the third family: it
//! compresses heights and vertices, so its answers are those of a slightly different surface. Box3D,
//! which rounds heights to 16 bits and lets moving shapes stop short, never votes.

use crate::answer::Answer;
use crate::label::Family;
use std::fmt;

/// How many answers differ from the reference, and in which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// The reference is a hit, the answer is none.
    pub missed: usize,
    /// The reference is a miss, the answer is a hit.
    pub false_hits: usize,
    /// The number is too small.
    pub nearer: usize,
    /// The number is too large.
    pub farther: usize,
    /// The number agrees, the triangle does not: a neighbour's edge, or a tie. No disagreement.
    pub other_triangle: usize,
}

impl Tally {
    pub fn disagreements(&self) -> usize {
        self.missed + self.false_hits + self.nearer + self.farther
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ways = [
            (self.missed, "missed"),
            (self.false_hits, "false hits"),
            (self.nearer, "nearer"),
            (self.farther, "farther"),
            (self.other_triangle, "(other triangle, same place)"),
        ];
        let said: Vec<String> = ways
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, way)| format!("{count} {way}"))
            .collect();
        f.write_str(&said.join(", "))
    }
}

/// How one answer differs from the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Same,
    Missed,
    FalseHit,
    Nearer,
    Farther,
}

pub fn way(reference: Option<f32>, number: Option<f32>, tolerance: f32) -> Way {
    match (reference, number) {
        (None, None) => Way::Same,
        (Some(_), None) => Way::Missed,
        (None, Some(_)) => Way::FalseHit,
        (Some(expected), Some(found)) if found < expected - tolerance => Way::Nearer,
        (Some(expected), Some(found)) if found <= expected + tolerance => Way::Same,
        _ => Way::Farther,
    }
}

/// The reference for each question, from the subjects' families and answers.
///
/// With two families the peer is the reference, so that a difference is put down to us.
pub fn reference<A: Answer>(subjects: &[(Family, Vec<A>)]) -> Vec<Option<f32>> {
    let mut references: Vec<&(Family, Vec<A>)> = Vec::new();
    for subject in subjects {
        let is_first = references.iter().all(|reference| reference.0 != subject.0);
        if is_first && !matches!(subject.0, Family::Jolt | Family::Box3d | Family::Usual) {
            references.push(subject);
        }
    }
    if references.len() == 2 {
        let jolt = subjects.iter().find(|subject| subject.0 == Family::Jolt);
        references.extend(jolt);
    }
    let peer = references
        .iter()
        .find(|reference| reference.0 != Family::Hitscan);
    if let (true, Some(peer)) = (references.len() < 3, peer) {
        references = vec![peer];
    }
    let count = references.first().map_or(0, |reference| reference.1.len());
    let mut numbers = Vec::with_capacity(references.len());
    (0..count)
        .map(|question| {
            numbers.clear();
            numbers.extend(
                references
                    .iter()
                    .map(|reference| reference.1[question].number()),
            );
            median(&mut numbers)
        })
        .collect()
}

/// The (lower) median, a miss being beyond every number.
fn median(numbers: &mut [Option<f32>]) -> Option<f32> {
    let far = |number: &Option<f32>| number.unwrap_or(f32::INFINITY);
    numbers.sort_unstable_by(|a, b| far(a).total_cmp(&far(b)));
    numbers[(numbers.len() - 1) / 2]
}

/// Holds one subject's answers against the reference. `triangles` are those of hitscan.
pub fn tally<A: Answer>(
    reference: &[Option<f32>],
    answers: &[A],
    triangles: Option<&[A]>,
    tolerance: f32,
) -> Tally {
    assert_eq!(
        reference.len(),
        answers.len(),
        "every question has an answer"
    );
    let mut tally = Tally::default();
    for (question, (expected, answer)) in reference.iter().zip(answers).enumerate() {
        match way(*expected, answer.number(), tolerance) {
            Way::Missed => tally.missed += 1,
            Way::FalseHit => tally.false_hits += 1,
            Way::Nearer => tally.nearer += 1,
            Way::Farther => tally.farther += 1,
            Way::Same => {
                let other = triangles.and_then(|all| all[question].primitive());
                if let (Some(own), Some(other)) = (answer.primitive(), other)
                    && own != other
                {
                    tally.other_triangle += 1;
                }
            }
        }
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_is_counted() {
        let reference = [Some(1.0), Some(1.0), Some(1.0), None, None, Some(1.0)];
        let answers = [Some(1.05), None, Some(0.5), Some(3.0), None, Some(2.0)];
        let tally = tally(&reference, &answers, None, 0.1);
        let expected = Tally {
            missed: 1,
            false_hits: 1,
            nearer: 1,
            farther: 1,
            other_triangle: 0,
        };
        assert_eq!(tally, expected);
        assert_eq!(tally.disagreements(), 4);
        assert_eq!(
            tally.to_string(),
            "1 missed, 1 false hits, 1 nearer, 1 farther"
        );
    }

    #[test]
    fn nan_never_agrees() {
        assert_eq!(way(Some(1.0), Some(f32::NAN), 0.1), Way::Farther);
    }

    #[test]
    fn a_family_has_one_vote() {
        let subjects = [
            (Family::Hitscan, vec![Some(1.0)]),
            (Family::Embree, vec![Some(1.0)]),
            (Family::Embree, vec![None]),
            (Family::Embree, vec![None]),
            (Family::Parry, vec![Some(7.0)]),
        ];
        assert_eq!(reference(&subjects), [Some(1.0)]);
    }

    #[test]
    fn who_compresses_the_surface_has_no_vote() {
        let subjects = [
            (Family::Hitscan, vec![None]),
            (Family::Parry, vec![Some(1.0)]),
            (Family::Jolt, vec![Some(1.0)]),
            (Family::Embree, vec![None]),
        ];
        assert_eq!(reference(&subjects), [None]);
    }

    #[test]
    fn who_compresses_the_surface_decides_between_two() {
        let subjects = [
            (Family::Hitscan, vec![Some(1.0)]),
            (Family::Parry, vec![None]),
            (Family::Jolt, vec![Some(1.001)]),
        ];
        assert_eq!(reference(&subjects), [Some(1.001)]);
    }

    #[test]
    fn who_rounds_heights_does_not_decide_between_two() {
        let subjects = [
            (Family::Hitscan, vec![Some(1.0)]),
            (Family::Rapier, vec![None]),
            (Family::Box3d, vec![None]),
            (Family::Jolt, vec![Some(1.001)]),
        ];
        assert_eq!(reference(&subjects), [Some(1.001)]);
    }

    #[test]
    fn the_only_peer_is_the_reference() {
        let subjects = [
            (Family::Hitscan, vec![Some(1.0)]),
            (Family::Parry, vec![None]),
        ];
        assert_eq!(reference(&subjects), [None]);
    }
}
