//! The answer of a question: that of the query which it names.

use super::question::{Hits, Question};
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::{ClosestPoint, Contact, Interior, RayHit, ShapeHit};

/// The answer of the plain query.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// The hits of a ray: one at most, or all.
    Ray(Vec<RayHit>),
    /// The hit of an arc.
    Arc(Option<RayHit>),
    /// The hits of a moving shape: one at most, or the first with each object.
    Shape(Vec<ShapeHit>),
    /// The contacts of a resting shape.
    Contacts(Vec<Contact>),
    /// What is nearest to a point.
    Closest(Option<ClosestPoint>),
}

impl Snapshot {
    /// Answers `question` by the query that it names, bit for bit.
    ///
    /// ```
    /// use hitscan::explain::{Answer, Hits, Question};
    /// use hitscan::{Ray, RayCastSettings, Sphere, World};
    /// let mut world = World::new();
    /// world.add(Sphere::new([4.0, 0.0, 0.0], 1.0)?);
    /// world.update();
    /// let (ray, settings) = (Ray::new([0.0; 3], [1.0, 0.0, 0.0])?, RayCastSettings::default());
    /// let question = Question::Ray { ray, settings, hits: Hits::All };
    /// let Answer::Ray(hits) = world.now().answer(&question, ()) else { panic!("it is a ray") };
    /// assert_eq!(hits, world.now().cast_ray_all(&ray, ()));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn answer<'f>(&self, question: &Question, filter: impl Into<QueryFilter<'f>>) -> Answer {
        self.answer_of(question, filter.into())
    }

    pub(super) fn answer_of(&self, question: &Question, filter: QueryFilter<'_>) -> Answer {
        match *question {
            Question::Ray {
                ref ray,
                settings,
                hits,
            } => Answer::Ray(match hits {
                Hits::Nearest => self.cast_ray(ray, (settings, filter)).into_iter().collect(),
                Hits::All => self.cast_ray_all(ray, (settings, filter)),
            }),
            Question::Arc { ref arc, settings } => {
                Answer::Arc(self.cast_arc(arc, (settings, filter)))
            }
            Question::ShapeCast {
                ref cast,
                sides,
                hits,
            } => Answer::Shape(match hits {
                Hits::Nearest => self.cast_shape(cast, (sides, filter)).into_iter().collect(),
                Hits::All => self.cast_shape_all(cast, (sides, filter)),
            }),
            Question::Contacts {
                ref shape,
                margin,
                each,
            } => Answer::Contacts(self.contacts(shape.clone(), margin, each, filter)),
            Question::ClosestPoint {
                point,
                max_distance,
                interior,
            } => Answer::Closest(match interior {
                Interior::Solids => self.closest_point(point, max_distance, filter),
                Interior::ClosedSurfaces => self.closest_point_signed(point, max_distance, filter),
            }),
        }
    }
}
