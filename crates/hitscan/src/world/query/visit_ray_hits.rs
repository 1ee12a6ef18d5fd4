//! The objects that a ray hits, one after the other along it, until a visitor has seen enough.
//!
//! A traversal finds as many hits as are wanted, first one, then twice as many each time, and remembers which objects
//! it has tested: each is tested once, and behind the last hit that is visited few are.

use super::closest_object::ClosestObject;
use super::collector::{ObjectCollector, ObjectHits, QueryContext, TestObject};
use crate::query::filter::QueryFilter;
use crate::query::options::QueryOptions;
use crate::query::watch::Unwatched;
use crate::world::Snapshot;
use crate::{Ray, RayCastSettings, RayHit};
use core::ops::ControlFlow;
use std::collections::BTreeSet;

impl Snapshot {
    /// Calls `visit` with the nearest hit on each object that `ray` hits, in order of t, of equal t the lower object
    /// first, until it breaks; returns whether it did.
    ///
    /// Each is the hit that [`Snapshot::cast_ray`] gives where `options` admit that object alone; the first is that of
    /// [`Snapshot::cast_ray`] itself. Of what is behind the last hit that is visited little is looked at: a bullet
    /// that goes through things until its energy is spent costs about what it goes through.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use hitscan::{Aabb, Ray, World};
    /// let mut world = World::new();
    /// for (x, thickness) in [(1.0, 0.25), (3.0, 0.5), (5.0, 1.0), (9.0, 0.25)] {
    ///     world.add(Aabb::new([x, -1.0, -1.0], [x + thickness, 1.0, 1.0])?);
    /// }
    /// world.update();
    /// let shot = Ray::new([0.0; 3], [1.0, 0.0, 0.0])?;
    /// let mut energy = 2;
    /// let mut hits = Vec::new();
    /// let ended = world.now().visit_ray_hits(&shot, (), |hit| {
    ///     hits.push(hit.t);
    ///     energy -= 1;
    ///     if energy > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    /// });
    /// assert!(ended.is_break());
    /// assert_eq!(hits, [1.0, 3.0]);
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    pub fn visit_ray_hits<'f>(
        &self,
        ray: &Ray,
        options: impl Into<QueryOptions<'f>>,
        mut visit: impl FnMut(&RayHit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let options = options.into();
        self.visit_hits(ray, options.settings, &options.filter, &mut visit)
    }

    fn visit_hits(
        &self,
        ray: &Ray,
        settings: RayCastSettings,
        filter: &QueryFilter<'_>,
        visit: &mut dyn FnMut(&RayHit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let context = QueryContext::new(ray, settings, filter);
        let mut tested = BTreeSet::new();
        let mut found = HitsInOrder::default();
        let mut wanted = 1;
        loop {
            // It never breaks off.
            let _ = (self.tree()).cast(&context.query, found.t_of(wanted), |slot| {
                if tested.insert(slot)
                    && let Some(hit) = self.nearest_on(slot, &context)
                {
                    found.insert(hit);
                }
                ControlFlow::Continue(found.t_of(wanted))
            });
            // Up to here, this t included, all objects are tested.
            let last = found.t_of(wanted);
            found.drain_to(last).try_for_each(|hit| visit(&hit))?;
            if last == f32::INFINITY {
                return ControlFlow::Continue(());
            }
            wanted *= 2;
        }
    }

    /// The nearest hit on the object in a slot.
    fn nearest_on(&self, slot: u32, context: &QueryContext<'_>) -> Option<RayHit> {
        let nearest = self.with_object(slot, context.filter, |object| {
            let mut nearest = ClosestObject::new();
            nearest.test_object(object, context, Unwatched);
            nearest
        });
        nearest?.answer(self, context.ray)
    }
}

/// Hits by t, then by object.
#[derive(Default)]
struct HitsInOrder(Vec<RayHit>);

impl HitsInOrder {
    fn insert(&mut self, hit: RayHit) {
        let rank = |hit: &RayHit| (hit.t, hit.object);
        let place = self.0.partition_point(|other| rank(other) < rank(&hit));
        self.0.insert(place, hit);
    }

    /// The t of the hit that as many as are wanted end with; infinity where there are fewer.
    fn t_of(&self, wanted: usize) -> f32 {
        self.0.get(wanted - 1).map_or(f32::INFINITY, |hit| hit.t)
    }

    /// Takes the hits up to this t.
    fn drain_to(&mut self, last: f32) -> impl Iterator<Item = RayHit> {
        let count = self.0.partition_point(|hit| hit.t <= last);
        self.0.drain(..count)
    }
}
