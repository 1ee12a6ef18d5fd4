//! Explanations of one object that a ray was expected to hit.

use super::approach::{Approach, approach_to};
use super::turn::{Turn, turn_to};
use crate::query::filter::{FilteredBy, QueryFilter};
use crate::query::options::QueryOptions;
use crate::world::Snapshot;
use crate::{ObjectId, Ray, RayCastSettings, RayHit, Sides};

/// What became of a ray at an object that it was expected to hit.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedHit {
    /// What the ray hits, as [`Snapshot::cast_ray`] answers.
    pub hit: Option<RayHit>,
    /// Where it intersects the object if filter and other objects are left aside, and its range and sides too
    /// where they exclude all of it; `None` where from its origin on it intersects nothing of it.
    pub met: Option<RayHit>,
    /// What keeps the ray from hitting the object, all that does; empty where it hits it.
    pub reasons: Vec<NotHit>,
}

/// A reason why a ray does not hit an object.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum NotHit {
    /// The filter does not accept the object.
    Filtered(FilteredBy),
    /// It is hit before the ray's `t_min`, or beyond its `t_max`.
    OutOfRange,
    /// It is hit from a side that does not count, and from no other.
    WrongSide,
    /// This is hit before the object is; beyond `t_max` too, where it is hit there. Where both have the
    /// same t it is the object that goes first.
    Hidden(RayHit),
    /// The ray passes it.
    Missed {
        /// How near the ray comes to it in its range; `None` where the ray or the object is nothing.
        approach: Option<Approach>,
        /// By how much the ray has to be turned about its origin to hit it, whatever its range and
        /// whatever is before it; `None` where that is a right angle or more.
        turn: Option<Turn>,
    },
}

impl NotHit {
    /// The name in explanations: `layers`, `ignored`, `predicate`, `out_of_range`, `wrong_side`, `hidden` or
    /// `missed`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Filtered(reason) => reason.name(),
            Self::OutOfRange => "out_of_range",
            Self::WrongSide => "wrong_side",
            Self::Hidden(_) => "hidden",
            Self::Missed { .. } => "missed",
        }
    }
}

impl Snapshot {
    /// What became of `ray` at `object`: whether the object is what it hits, and if not, everything that
    /// keeps it from that. `None` where there is no such object.
    ///
    /// A hit on another object is explained too, so it is for "I expected that it hits this". Whether the
    /// object was there a moment ago is a question to an earlier snapshot, [`World::at`](crate::World::at).
    ///
    /// ```
    /// use hitscan::explain::NotHit;
    /// use hitscan::{Aabb, Ray, Sphere, World};
    /// let mut world = World::new();
    /// let wall = world.add(Aabb::new([4.0, -1.0, -1.0], [5.0, 1.0, 1.0])?);
    /// let behind = world.add(Aabb::new([7.0, -1.0, -1.0], [8.0, 1.0, 1.0])?);
    /// let beside = world.add(Sphere::new([3.0, 2.0, 0.0], 1.5)?);
    /// world.update();
    /// let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0])?;
    /// let found = world.now().explain_expected(&ray, behind, ()).expect("it is there");
    /// assert_eq!(found.met.map(|met| met.t), Some(7.0));
    /// let [NotHit::Hidden(by)] = found.reasons[..] else { panic!("it is behind the wall") };
    /// assert_eq!((by.object, by.t), (Some(wall), 4.0));
    ///
    /// let found = world.now().explain_expected(&ray, beside, ()).expect("it is there");
    /// let [NotHit::Missed { approach, turn }] = found.reasons[..] else { panic!("it is passed") };
    /// let approach = approach.expect("both are something");
    /// assert_eq!((approach.distance, approach.t), (0.5, 3.0));
    /// let degrees = turn.expect("it is ahead").angle.to_degrees();
    /// assert!((degrees - 9.106).abs() < 0.001);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn explain_expected<'f>(
        &self,
        ray: &Ray,
        object: ObjectId,
        options: impl Into<QueryOptions<'f>>,
    ) -> Option<ExpectedHit> {
        let options = options.into();
        self.expected(ray, object, options.settings, options.filter)
    }

    fn expected(
        &self,
        ray: &Ray,
        id: ObjectId,
        settings: RayCastSettings,
        filter: QueryFilter<'_>,
    ) -> Option<ExpectedHit> {
        let object = self.object(id)?;
        let hit = self.cast_ray(ray, (settings, filter));
        if hit.is_some_and(|hit| hit.object == Some(id)) {
            let (met, reasons) = (hit, Vec::new());
            return Some(ExpectedHit { hit, met, reasons });
        }
        let left_out = filter.filtered_by(id, object.layers);
        let mut reasons: Vec<NotHit> = left_out.map(NotHit::Filtered).into_iter().collect();
        let meeting = Meeting::new(self, ray, id, settings);
        if let Some(meeting) = &meeting {
            let part = meeting
                .hit
                .part()
                .filter(|part| !filter.sees_part(id, *part));
            reasons.extend(part.map(|_| NotHit::Filtered(FilteredBy::Excluded)));
            reasons.extend((!meeting.is_in_range).then_some(NotHit::OutOfRange));
            reasons.extend((!meeting.is_admitted).then_some(NotHit::WrongSide));
            let before = match meeting.is_in_range {
                true => hit,
                false => self.cast_ray(&widened(ray, meeting.hit.t), (settings, filter)),
            };
            let met = rank(&meeting.hit);
            let before = before.filter(|hit| hit.object != Some(id) && rank(hit) < met);
            reasons.extend(before.map(NotHit::Hidden));
        } else if object.layers != 0 {
            reasons.push(NotHit::Missed {
                approach: approach_to(ray, &object),
                turn: turn_to(ray, &object),
            });
        }
        let met = meeting.map(|meeting| meeting.hit);
        Some(ExpectedHit { hit, met, reasons })
    }
}

/// Where a ray intersects an object, other objects and the filter aside.
struct Meeting {
    hit: RayHit,
    is_in_range: bool,
    is_admitted: bool,
}

impl Meeting {
    /// The first in the range from a side that counts; else from any side; else the first between origin
    /// and `t_min` or beyond `t_max`, whichever is nearer to the range. An object in no layer is hit by no
    /// ray.
    fn new(
        snapshot: &Snapshot,
        ray: &Ray,
        object: ObjectId,
        settings: RayCastSettings,
    ) -> Option<Self> {
        let is_it = |id| id == object;
        let only = QueryFilter::new().predicate(&is_it);
        let all_sides = [(settings, true), (Sides::Both.into(), false)];
        let in_range = all_sides.iter().find_map(|(settings, is_admitted)| {
            Some(Self {
                hit: snapshot.cast_ray(ray, (*settings, only))?,
                is_in_range: true,
                is_admitted: *is_admitted,
            })
        });
        if in_range.is_some() || ray.is_empty() {
            return in_range;
        }
        let beyond = |hit: &RayHit| (hit.t - ray.t_max()).max(ray.t_min() - hit.t);
        all_sides.iter().find_map(|(settings, is_admitted)| {
            let first = |from, to| {
                let other = ray.with_range(from, to).ok()?;
                snapshot.cast_ray(&other, (*settings, only))
            };
            let before = first(0.0, ray.t_min());
            let after = first(ray.t_max(), f32::INFINITY);
            let nearest = |a: &RayHit, b: &RayHit| beyond(a).total_cmp(&beyond(b));
            Some(Self {
                hit: before.into_iter().chain(after).min_by(nearest)?,
                is_in_range: false,
                is_admitted: *is_admitted,
            })
        })
    }
}

/// The order of hits: by t, and of equals by object.
fn rank(hit: &RayHit) -> (f32, Option<ObjectId>) {
    (hit.t, hit.object)
}

/// The ray with a range that reaches to t, and to all beyond its end that rounds to that.
fn widened(ray: &Ray, t: f32) -> Ray {
    let (from, to) = (ray.t_min().min(t), ray.t_max().max(t.next_up()));
    ray.with_range(from, to).unwrap_or(*ray)
}
