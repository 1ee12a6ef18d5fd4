//! Explanations of answers: each candidate, and what became of it.
//!
//! The query is repeated without its limits, object by object; the answer itself is that of the
//! plain query. Nothing here is on the way of a query. [`Question`] and [`Explanation`] are the
//! interface; one file a question says what is a candidate.

mod question;
mod answer;
mod explanation;
mod candidates;
mod nearest_beyond;
mod ray;
mod arc;
mod shape_cast;
mod object_cast;
mod contacts;
mod closest_point;
mod visits;
mod visit_sentence;
mod space;
mod boxes;
mod visit_log;
mod recorder;
mod tree_recorder;
mod field_recorder;
mod object_recorder;
mod counter;
mod watchers;
mod trace;
mod segment_distance;
mod nearest_search;
mod approach;
mod turn;
mod miss;
mod expected;
mod axis_intervals;

pub use answer::Answer;
pub use approach::Approach;
pub use axis_intervals::{AxisInterval, AxisIntervals, SeparatingAxis, SweepIntervals};
pub use expected::{ExpectedHit, NotHit};
pub use explanation::{Candidate, Explanation, Verdict};
pub use miss::{Change, MissCause, RayMiss};
pub use question::{Hits, Question};
pub use turn::Turn;
pub use visits::{TestCounts, TriangleMiss, Visit, VisitVerdict, Visited, Visits};

use crate::query::filter::QueryFilter;
use crate::world::Snapshot;

impl Snapshot {
    /// Answers `question` and explains the answer: for each object its candidates, each triangle
    /// and each solid, when, and why it is the answer or is not.
    ///
    /// The answer is that of the plain query, bit for bit. Candidates are what is hit when ranges,
    /// sides and suppression do not count, in order of t, object, part and
    /// triangle; of what lies beyond a margin the eight nearest triangles of each object; then the objects that are missed, one candidate each, in order. It takes a
    /// pass over all objects: for looking into one answer, not for every frame.
    ///
    /// ```
    /// use hitscan::explain::{Hits, Question, Verdict};
    /// use hitscan::{Aabb, Ray, RayCastSettings, World};
    /// let mut world = World::new();
    /// let near = world.add(Aabb::new([2.0, -1.0, -1.0], [3.0, 1.0, 1.0])?);
    /// let far = world.add(Aabb::new([7.0, -1.0, -1.0], [8.0, 1.0, 1.0])?);
    /// let behind = world.add(Aabb::new([-3.0, -1.0, -1.0], [-2.0, 1.0, 1.0])?);
    /// let beside = world.add(Aabb::new([2.0, 5.0, -1.0], [3.0, 6.0, 1.0])?);
    /// world.update();
    /// let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0])?;
    /// let settings = RayCastSettings::default();
    /// let question = Question::Ray { ray, settings, hits: Hits::Nearest };
    /// let explanation = world.now().explain(&question, ());
    /// let found = explanation.candidates.iter().map(|one| (one.object, one.t, one.verdict));
    /// assert_eq!(
    ///     found.collect::<Vec<_>>(),
    ///     [
    ///         (behind, Some(-2.0), Verdict::OutOfRange),
    ///         (near, Some(2.0), Verdict::Answer),
    ///         (far, Some(7.0), Verdict::Farther),
    ///         (beside, None, Verdict::BoxMissed),
    ///     ]
    /// );
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn explain<'f>(
        &self,
        question: &Question,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Explanation {
        self.explanation_of(question, filter.into())
    }

    fn explanation_of(&self, question: &Question, filter: QueryFilter<'_>) -> Explanation {
        let answer = self.answer_of(question, filter);
        let candidates = match (question, &answer) {
            (Question::Ray { ray, settings, .. }, Answer::Ray(hits)) => {
                ray::candidates_of(self, ray, *settings, hits, &filter)
            }
            (Question::Arc { arc, settings }, Answer::Arc(hit)) => {
                arc::candidates_of(self, arc, *settings, hit.as_slice(), &filter)
            }
            (Question::ShapeCast { cast, sides, hits }, Answer::Shape(found)) => {
                shape_cast::candidates_of(self, cast, *sides, (*hits, found), &filter)
            }
            (Question::Contacts { shape, margin, .. }, Answer::Contacts(contacts)) => {
                contacts::candidates_of(self, shape, *margin, contacts, &filter)
            }
            (
                Question::ClosestPoint {
                    point,
                    max_distance,
                    interior,
                },
                Answer::Closest(nearest),
            ) => {
                let limits = (*max_distance, *interior);
                closest_point::candidates_of(self, *point, limits, nearest.as_slice(), &filter)
            }
            // A question has an answer of its own kind.
            _ => Vec::new(),
        };
        Explanation { answer, candidates }
    }
}
