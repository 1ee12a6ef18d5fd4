//! Questions with their answers, to be drawn over pictures.

use glam::{Vec2, Vec3};
use hitscan::explain::{Answer, Hits, Question};
use hitscan::height_field::Ground;
use hitscan::shape_cast::ShapeHit;
use hitscan::{
    Aabb, BallisticArc, ClosestPoint, Contact, Primitive, QueryFilter, Ray, RayHit, ShapeCast,
    Snapshot,
};

/// A question with its answer, to be drawn over a picture by [`draw_shots`](crate::draw_shots).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Shot {
    /// A ray and the nearest hit.
    Ray {
        /// The ray.
        ray: Ray,
        /// Its hit.
        hit: Option<RayHit>,
    },
    /// A ray and the hit of an approximate search.
    March {
        /// The ray.
        ray: Ray,
        /// Its hit.
        hit: Option<RayHit>,
    },
    /// A ballistic arc and the first hit.
    Arc {
        /// The arc.
        arc: BallisticArc,
        /// Its hit.
        hit: Option<RayHit>,
    },
    /// A moving shape and the first hit.
    Sweep {
        /// The shape and its motion.
        cast: ShapeCast,
        /// Its hit.
        hit: Option<ShapeHit>,
    },
    /// The ground at x and z.
    Ground {
        /// x and z.
        point: Vec2,
        /// The ground there.
        ground: Ground,
    },
    /// A point and the nearest point of what is there.
    Closest {
        /// The point.
        point: Vec3,
        /// The nearest point.
        nearest: Option<ClosestPoint>,
    },
    /// A resting shape and what it overlaps most, touches or is nearest to.
    Contact {
        /// The shape.
        shape: Primitive,
        /// The contact of least separation.
        contact: Option<Contact>,
    },
    /// What the boxes of two objects have in common.
    BoxPair {
        /// Their intersection.
        intersection: Aabb,
    },
    /// Where two triangles meet.
    Meeting {
        /// The ends of the segment that they share.
        segment: [Vec3; 2],
    },
    /// A line of sight and the nearest thing between its ends.
    Sight {
        /// The eye and the target.
        ends: [Vec3; 2],
        /// Where the nearest thing begins, from 0 at the eye to 1 at the target.
        blocked_at: Option<f32>,
    },
}

impl Shot {
    /// Runs the query of a question about a world; `None` for questions that have no picture.
    ///
    /// ```
    /// use hitscan::explain::{Hits, Question};
    /// use hitscan::{QueryFilter, Ray, Sides, Sphere, World};
    /// use hitscan_picture::Shot;
    /// let mut world = World::new();
    /// world.add(Sphere::new([0.0, 0.0, -5.0], 1.0)?);
    /// world.update();
    /// let question = Question::Ray {
    ///     ray: Ray::new([0.0; 3], [0.0, 0.0, -1.0])?,
    ///     settings: Sides::Both.into(),
    ///     hits: Hits::Nearest,
    /// };
    /// let shot = Shot::ask(world.now(), &question, QueryFilter::new());
    /// assert!(matches!(shot, Some(Shot::Ray { hit: Some(hit), .. }) if hit.t == 4.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn ask(snapshot: &Snapshot, question: &Question, filter: QueryFilter<'_>) -> Option<Self> {
        let mut question = question.clone();
        // A picture shows the nearest hit alone.
        if let Question::Ray { hits, .. } | Question::ShapeCast { hits, .. } = &mut question {
            *hits = Hits::Nearest;
        }
        let answer = snapshot.answer(&question, filter);
        Some(match (question, answer) {
            (Question::Ray { ray, .. }, Answer::Ray(hits)) => Self::Ray {
                ray,
                hit: hits.into_iter().next(),
            },
            (Question::Arc { arc, .. }, Answer::Arc(hit)) => Self::Arc { arc, hit },
            (Question::ShapeCast { cast, .. }, Answer::Shape(hits)) => Self::Sweep {
                cast,
                hit: hits.into_iter().next(),
            },
            (Question::Contacts { shape, .. }, Answer::Contacts(contacts)) => {
                let least = |a: &Contact, b: &Contact| a.separation.total_cmp(&b.separation);
                let contact = contacts.into_iter().min_by(least);
                Self::Contact { shape, contact }
            }
            (Question::ClosestPoint { point, .. }, Answer::Closest(nearest)) => {
                Self::Closest { point, nearest }
            }
            _ => return None,
        })
    }

    /// Queries the height of the ground at x and z.
    #[must_use]
    pub fn ask_ground(snapshot: &Snapshot, point: Vec2, filter: QueryFilter<'_>) -> Self {
        let ground = snapshot.height(point, filter);
        Self::Ground { point, ground }
    }

    /// Tests whether two points see each other.
    ///
    /// ```
    /// use hitscan::{QueryFilter, World};
    /// use hitscan_picture::Shot;
    /// let shot = Shot::ask_sight(World::new().now(), [[0.0; 3].into(), [1.0; 3].into()], QueryFilter::new());
    /// assert!(matches!(shot, Shot::Sight { blocked_at: None, .. }));
    /// ```
    #[must_use]
    pub fn ask_sight(snapshot: &Snapshot, ends: [Vec3; 2], filter: QueryFilter<'_>) -> Self {
        let blocker = snapshot.first_blocker(ends[0], ends[1], filter);
        let blocked_at = blocker.map(|blocker| blocker.t);
        Self::Sight { ends, blocked_at }
    }
}
