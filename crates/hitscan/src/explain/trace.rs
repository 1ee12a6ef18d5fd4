//! A ray's walk with a recorder.
//!
//! It is the walk of [`Snapshot::cast_ray`] itself, compiled once more for each recorder
//! (`query/watch.rs`); the plain one has none and pays nothing.

use super::counter::Counter;
use super::recorder::Recorder;
use super::visits::{TestCounts, Visits};
use super::watchers::WorldWatcher;
use crate::query::filter::QueryFilter;
use crate::query::options::QueryOptions;
use crate::world::Snapshot;
use crate::world::query::closest_object::ClosestObject;
use crate::world::query::collector::ObjectCollector;
use crate::{Ray, RayCastSettings, RayHit};

impl Snapshot {
    /// What [`Snapshot::cast_ray`] answers, bit for bit, and what its walk looks at on the way: each box,
    /// triangle and solid in order, the first `limit` of them.
    ///
    /// Of what lies side by side and is tested at once, what is missed comes first, then what is looked
    /// into, each when its turn comes. A deformed part that many rays have come to is deformed as a
    /// whole, and then walked as a mesh; a ray along level ground may be sent over it twice.
    ///
    /// It takes many times as long as the plain query: for looking into one answer.
    ///
    /// ```
    /// use hitscan::explain::{VisitVerdict, Visited};
    /// use hitscan::{Aabb, Ray, World};
    /// let mut world = World::new();
    /// let near = world.add(Aabb::new([2.0, -1.0, -1.0], [3.0, 1.0, 1.0])?);
    /// let beside = world.add(Aabb::new([2.0, 5.0, -1.0], [3.0, 6.0, 1.0])?);
    /// world.update();
    /// let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0])?;
    /// let (hit, trace) = world.now().trace_ray(&ray, (), 100);
    /// assert_eq!(hit.and_then(|hit| hit.object), Some(near));
    /// let seen = trace.visits.iter().map(|visit| (visit.what, visit.object, visit.verdict));
    /// assert_eq!(
    ///     seen.collect::<Vec<_>>(),
    ///     [
    ///         (Visited::WorldNode, None, VisitVerdict::Opened),
    ///         (Visited::Object, Some(beside), VisitVerdict::Missed),
    ///         (Visited::Object, Some(near), VisitVerdict::Opened),
    ///         (Visited::Solid, Some(near), VisitVerdict::Hit),
    ///     ]
    /// );
    /// assert_eq!(trace.visits[3].sentence(), "hit at t = 2, the best so far");
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn trace_ray<'f>(
        &self,
        ray: &Ray,
        options: impl Into<QueryOptions<'f>>,
        limit: usize,
    ) -> (Option<RayHit>, Visits) {
        let options = options.into();
        self.traced(ray, options.settings, &options.filter, limit)
    }

    /// What [`Snapshot::cast_ray`] answers, bit for bit, and how much is tested for it: as many boxes and
    /// triangles as [`Snapshot::trace_ray`] has visits of them.
    ///
    /// ```
    /// use hitscan::{Ray, Sphere, World};
    /// let mut world = World::new();
    /// world.add(Sphere::new([0.0, 5.0, 0.0], 2.0)?);
    /// world.update();
    /// let ray = Ray::new([0.0, 9.0, 0.0], [0.0, -1.0, 0.0])?;
    /// let (hit, counts) = world.now().cast_ray_counted(&ray, ());
    /// assert_eq!(hit.map(|hit| hit.t), Some(2.0));
    /// assert_eq!((counts.boxes, counts.triangles), (2, 1));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_ray_counted<'f>(
        &self,
        ray: &Ray,
        options: impl Into<QueryOptions<'f>>,
    ) -> (Option<RayHit>, TestCounts) {
        let options = options.into();
        self.counted(ray, options.settings, &options.filter)
    }

    fn traced(
        &self,
        ray: &Ray,
        settings: RayCastSettings,
        filter: &QueryFilter<'_>,
        limit: usize,
    ) -> (Option<RayHit>, Visits) {
        let recorder = Recorder::new(self, ray, filter, limit);
        let hit = self.watched_hit(ray, settings, filter, WorldWatcher::Recorder(&recorder));
        (hit, recorder.into_visits())
    }

    fn counted(
        &self,
        ray: &Ray,
        settings: RayCastSettings,
        filter: &QueryFilter<'_>,
    ) -> (Option<RayHit>, TestCounts) {
        let counter = Counter::new(self);
        let hit = self.watched_hit(ray, settings, filter, WorldWatcher::Counter(&counter));
        (hit, counter.counts())
    }

    fn watched_hit(
        &self,
        ray: &Ray,
        settings: RayCastSettings,
        filter: &QueryFilter<'_>,
        watch: WorldWatcher<'_>,
    ) -> Option<RayHit> {
        self.search::<ClosestObject, _>(ray, settings, filter, watch)
            .answer(self, ray)
    }
}
