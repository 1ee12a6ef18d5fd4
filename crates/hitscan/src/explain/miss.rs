//! Explanations of a ray's miss: objects that it passes, and changes that would make it hit.

use super::approach::Approach;
use super::segment_distance::length;
use crate::query::filter::{FilteredBy, QueryFilter};
use crate::query::options::QueryOptions;
use crate::sorting::{ordered_bits, sort_by_rank};
use crate::world::Snapshot;
use crate::{ObjectId, Ray, RayCastSettings, RayHit, Side, Sides, TriangleId};

/// Why a ray hits nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct RayMiss {
    /// The near misses: the objects that it passes ahead of its origin, nearest first; at distance 0 it
    /// hits them from a side that does not count. What is farther from the ray than that point of the ray
    /// is from its origin lies beside or behind it and is none: the ground under the eye, for one.
    pub passed: Vec<Approach>,
    /// The changes that would each make it hit by itself, the smallest first: sides and the filter
    /// in order of t, then the range by how far it has to be extended, never to before its origin. Empty
    /// where none would.
    pub changes: Vec<Change>,
}

/// A change to a question that makes its ray hit, and what it then hits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// What to change.
    pub what: MissCause,
    /// The object that is hit then.
    pub object: ObjectId,
    /// The triangle; `None` of solids.
    pub triangle: Option<TriangleId>,
    /// The t of that hit.
    pub t: f32,
}

/// What is changed in a question.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MissCause {
    /// This side counts too.
    Sides(Side),
    /// The filter accepts the object, which it leaves out for this reason.
    Filter(FilteredBy),
    /// The ray goes on to this t.
    TMax(f32),
    /// The ray begins at this t, which is 0 or more.
    TMin(f32),
}

impl MissCause {
    /// The name in explanations: `sides`, `layers`, `ignored`, `predicate`, `t_max` or `t_min`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sides(_) => "sides",
            Self::Filter(reason) => reason.name(),
            Self::TMax(_) => "t_max",
            Self::TMin(_) => "t_min",
        }
    }
}

impl Change {
    /// The change and what it does, a clause for people.
    #[must_use]
    pub fn sentence(&self) -> String {
        let t = self.t;
        match self.what {
            MissCause::Sides(Side::Inside) => {
                format!("with a start inside asked for too, it hits at t = {t}")
            }
            MissCause::Sides(side) => {
                format!("with {}s asked for too, it hits at t = {t}", side.name())
            }
            MissCause::Filter(FilteredBy::Layers) => {
                format!("with the object's layers asked for too, it hits at t = {t}")
            }
            MissCause::Filter(FilteredBy::Excluded) => {
                format!("without ignoring the object, it hits at t = {t}")
            }
            MissCause::Filter(FilteredBy::Predicate) => {
                format!("with a predicate that accepts the object, it hits at t = {t}")
            }
            MissCause::TMax(t_max) => format!("with t_max = {t_max}, it hits at t = {t}"),
            MissCause::TMin(t_min) => format!("with t_min = {t_min}, it hits at t = {t}"),
        }
    }
}

impl Snapshot {
    /// Why `ray` hits nothing: the nearest objects that it passes, at most so many, and what in the
    /// question would have to be another for it to hit. `None` where it hits.
    ///
    /// Each change is one by itself, and was tried. Of the objects that the filter leaves out each that
    /// would be hit is a change, at most so many.
    ///
    /// ```
    /// use hitscan::explain::MissCause;
    /// use hitscan::{Aabb, FilteredBy, QueryFilter, Ray, World};
    /// let mut world = World::new();
    /// let wall = world.add(Aabb::new([4.0, -1.0, -1.0], [5.0, 1.0, 1.0])?);
    /// let glass = world.add(Aabb::new([2.0, -1.0, -1.0], [2.5, 1.0, 1.0])?);
    /// world.update();
    /// let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0])?.with_range(0.0, 3.0)?;
    /// let ignored = [glass];
    /// let filter = QueryFilter::new().exclude(&ignored);
    /// let miss = world.now().explain_miss(&ray, filter, 8).expect("it ends too early");
    /// let changes = miss.changes.iter().map(|change| (change.what, change.object));
    /// assert_eq!(
    ///     changes.collect::<Vec<_>>(),
    ///     [(MissCause::Filter(FilteredBy::Excluded), glass), (MissCause::TMax(4.0), wall)]
    /// );
    /// assert_eq!(miss.changes[1].sentence(), "with t_max = 4, it hits at t = 4");
    /// assert_eq!((miss.passed[0].object, miss.passed[0].distance), (wall, 1.0));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn explain_miss<'f>(
        &self,
        ray: &Ray,
        options: impl Into<QueryOptions<'f>>,
        at_most: usize,
    ) -> Option<RayMiss> {
        let options = options.into();
        self.miss(ray, options.settings, options.filter, at_most)
    }

    fn miss(
        &self,
        ray: &Ray,
        settings: RayCastSettings,
        filter: QueryFilter<'_>,
        at_most: usize,
    ) -> Option<RayMiss> {
        if self.cast_ray(ray, (settings, filter)).is_some() {
            return None;
        }
        let mut in_range = self.through_filter(ray, settings, &filter);
        in_range.truncate(at_most);
        let any_side = RayCastSettings::from(Sides::Both);
        in_range.extend(change(self.cast_ray(ray, (any_side, filter)), |hit| {
            MissCause::Sides(hit.side)
        }));
        sort_by_rank(&mut in_range, |one| [ordered_bits(one.t.into()), 0, 0]);
        let mut beyond = Vec::new();
        if !ray.is_empty() {
            beyond.extend(self.later_end(ray, settings, filter));
            beyond.extend(self.earlier_start(ray, settings, filter));
        }
        sort_by_rank(&mut beyond, |(distance, _)| {
            [ordered_bits((*distance).into()), 0, 0]
        });
        in_range.extend(beyond.into_iter().map(|(_, change)| change));
        Some(RayMiss {
            passed: self.approaches(ray, filter, at_most, |one| is_near_miss(ray, one)),
            changes: in_range,
        })
    }

    /// The first hit on each of the objects that the filter leaves out, in order of t.
    fn through_filter(
        &self,
        ray: &Ray,
        settings: RayCastSettings,
        filter: &QueryFilter<'_>,
    ) -> Vec<Change> {
        let objects = self.state().objects();
        let left_out: Vec<(ObjectId, FilteredBy)> = (objects.iter())
            .filter_map(|object| Some((object.id, filter.filtered_by(object.id, object.layers)?)))
            .collect();
        let reason = |id: ObjectId| {
            let place = left_out.binary_search_by_key(&id, |(id, _)| *id).ok()?;
            Some(left_out[place].1)
        };
        let is_left_out = |id| reason(id).is_some();
        let mut changes: Vec<Change> = Vec::new();
        let all = QueryFilter::new().predicate(&is_left_out);
        for hit in self.cast_ray_all(ray, (settings, all)) {
            let is_first = changes.iter().all(|one| Some(one.object) != hit.object);
            if let Some(reason) = hit.object.and_then(reason).filter(|_| is_first) {
                changes.extend(change(Some(hit), |_| MissCause::Filter(reason)));
            }
        }
        changes
    }

    /// The least t up to which the ray would have to go on, and how much farther that is.
    fn later_end(
        &self,
        ray: &Ray,
        settings: RayCastSettings,
        filter: QueryFilter<'_>,
    ) -> Option<(f32, Change)> {
        let endless = ray.with_range(ray.t_min(), f32::INFINITY).ok()?;
        let t = self.cast_ray(&endless, (settings, filter))?.t;
        // The hit may be a little after the t that it rounds to.
        [t, t.next_up()].into_iter().find_map(|t_max| {
            let longer = ray.with_range(ray.t_min(), t_max).ok()?;
            let hit = self.cast_ray(&longer, (settings, filter));
            Some((
                t_max - ray.t_max(),
                change(hit, |_| MissCause::TMax(t_max))?,
            ))
        })
    }

    /// The largest t at which the ray would have to begin, not before its origin, and how much earlier
    /// that is.
    fn earlier_start(
        &self,
        ray: &Ray,
        settings: RayCastSettings,
        filter: QueryFilter<'_>,
    ) -> Option<(f32, Change)> {
        let before = ray.with_range(0.0, ray.t_min()).ok()?;
        let t = self.cast_ray_all(&before, (settings, filter)).last()?.t;
        [t, t.next_down().max(0.0)].into_iter().find_map(|t_min| {
            let longer = ray.with_range(t_min, ray.t_max()).ok()?;
            let hit = self.cast_ray(&longer, (settings, filter));
            Some((
                ray.t_min() - t_min,
                change(hit, |_| MissCause::TMin(t_min))?,
            ))
        })
    }
}

/// Whether the ray passes an object ahead of its origin, seen from there less than half a right angle aside.
fn is_near_miss(ray: &Ray, passed: &Approach) -> bool {
    let way = f64::from(passed.t) * length(ray.direction().as_dvec3());
    passed.distance == 0.0 || f64::from(passed.distance) < way
}

fn change(hit: Option<RayHit>, what: impl FnOnce(&RayHit) -> MissCause) -> Option<Change> {
    let hit = hit?;
    Some(Change {
        what: what(&hit),
        object: hit.object?,
        triangle: hit.triangle,
        t: hit.t,
    })
}
