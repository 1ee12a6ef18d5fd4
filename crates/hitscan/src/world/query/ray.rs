//! Rays against the whole world: closest, any and all hits.

use super::closest_object::ClosestObject;
use super::collector::{ObjectCollector, QueryContext, TestObject, solid_hit, triangle_hit};
use super::watch::ObjectWatch;
use crate::narrow_phase::ray_cast::all_hits::PartHits;
use crate::narrow_phase::ray_cast::solid_hits::SolidHits;
use crate::query::collector::{All, Any, Collector};
use crate::query::filter::QueryFilter;
use crate::query::options::QueryOptions;
use crate::query::watch::Unwatched;
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::{ObjectId, Ray, RayCastSettings, RayHit};
use core::ops::ControlFlow;

impl Snapshot {
    /// The nearest hit of `ray`, which is in the world's space, on the objects and sides that `options` admit.
    ///
    /// `t` is in units of the ray's direction, `distance` in metres. Of hits with the same t that of the
    /// lowest object is returned ([`World::set_order_key`](crate::World::set_order_key), and then that which was added
    /// first), then of the lowest part index, then of the lowest triangle index.
    ///
    /// ```
    /// use hitscan::{QueryFilter, Ray, Sphere, World};
    /// let mut world = World::new();
    /// let near = world.add(Sphere::new([3.0, 0.0, 0.0], 1.0)?);
    /// let far = world.add(Sphere::new([9.0, 0.0, 0.0], 1.0)?);
    /// world.update();
    /// let ray = Ray::new([0.0; 3], [2.0, 0.0, 0.0])?;
    /// let hit = world.now().cast_ray(&ray, ()).expect("two spheres are in the way");
    /// assert_eq!((hit.object, hit.t, hit.distance), (Some(near), 1.0, 2.0));
    /// let hit = world.now().cast_ray(&ray, QueryFilter::new().exclude_one(near));
    /// assert_eq!(hit.and_then(|hit| hit.object), Some(far));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn cast_ray<'f>(&self, ray: &Ray, options: impl Into<QueryOptions<'f>>) -> Option<RayHit> {
        let options = options.into();
        self.nearest_hit(ray, options.settings, &options.filter)
    }

    /// Whether `ray` hits anything that `options` admit.
    #[must_use]
    #[inline]
    pub fn cast_ray_any<'f>(&self, ray: &Ray, options: impl Into<QueryOptions<'f>>) -> bool {
        let options = options.into();
        self.any_hit(ray, options.settings, &options.filter)
    }

    /// All hits of `ray` on what `options` admit, nearest first.
    ///
    /// A hit at an edge or corner that triangles share counts as if the ray were perturbed
    /// by one fixed infinitesimal, so that the hits of a closed part alternate between front
    /// and back; a touch that this would lose is one front and one back hit. Of a ray that starts
    /// where it runs in the plane of a triangle, on it, the first hit may be from either side. Solids
    /// give entry and exit. Hits with the same t are in the order of objects and parts.
    #[must_use]
    #[inline]
    pub fn cast_ray_all<'f>(&self, ray: &Ray, options: impl Into<QueryOptions<'f>>) -> Vec<RayHit> {
        let options = options.into();
        self.all_hits(ray, options.settings, &options.filter)
    }

    fn nearest_hit(
        &self,
        ray: &Ray,
        settings: RayCastSettings,
        filter: &QueryFilter<'_>,
    ) -> Option<RayHit> {
        self.search::<ClosestObject, _>(ray, settings, filter, Unwatched)
            .answer(self, ray)
    }

    fn any_hit(&self, ray: &Ray, settings: RayCastSettings, filter: &QueryFilter<'_>) -> bool {
        self.search::<Any, _>(ray, settings, filter, Unwatched)
            .answer(self, ray)
    }

    /// What the ray finds on what `filter` accepts.
    pub(crate) fn search<A: TestObject<W>, W: ObjectWatch>(
        &self,
        ray: &Ray,
        settings: RayCastSettings,
        filter: &QueryFilter<'_>,
        watch: W,
    ) -> A {
        let context = QueryContext::new(ray, settings, filter);
        let (limit, objects) = (f32::INFINITY, watch.objects());
        let mut collector = A::new();
        // The collector holds how the traversal ended.
        let _ = (self.tree()).cast_watched(&context.query, limit, objects, |slot| {
            self.with_object(slot, filter, |object| {
                collector.test_object(object, &context, watch);
            });
            collector.flow()
        });
        collector
    }

    pub(crate) fn all_hits(
        &self,
        ray: &Ray,
        settings: RayCastSettings,
        filter: &QueryFilter<'_>,
    ) -> Vec<RayHit> {
        let context = QueryContext::new(ray, settings, filter);
        let mut hits = All::new(f32::INFINITY);
        let _ = self.tree().cast(&context.query, f32::INFINITY, |slot| {
            self.with_object(slot, filter, |object| {
                all_hits(object, &context, &mut hits);
            });
            hits.flow()
        });
        // Within a part the order stays as it was found.
        let sorted = hits.into_sorted(|(object, part, _)| {
            let place = [object.number(), u64::from(*part)];
            (object.order_key(), place)
        });
        sorted
            .map(|(_, _, hit)| hit)
            .filter(|hit| settings.admits(hit.side))
            .collect()
    }
}

/// A hit of an object's part.
type PartHit = (ObjectId, u32, RayHit);

/// Collects all hits of an object.
fn all_hits(object: &Object, context: &QueryContext<'_>, hits: &mut All<PartHit>) {
    let QueryContext {
        ray, wide, query, ..
    } = context;
    let mut push = |part, hit: RayHit| {
        hits.consider(hit.t, (object.id, part, hit), |_, _| false);
    };
    if let Some(instance) = object.shape.meshes() {
        let _ = instance.parts().cast(query, f32::INFINITY, |part| {
            for hit in part.all_hits(ray) {
                push(part.index, hit.of_object(object.tag()));
            }
            ControlFlow::Continue(f32::INFINITY)
        });
    }
    match &object.shape {
        Shape::HeightField(field) => {
            let mut part_hits = PartHits::default();
            // Nothing breaks off, so the result is not used.
            let _ = field.for_each_candidate(wide, &mut |triangle, corners| {
                part_hits.test(wide, triangle, corners);
                ControlFlow::Continue(())
            });
            for (triangle, hit) in part_hits.into_sorted(|side| side) {
                push(0, triangle_hit(ray, object, (0, triangle), &hit));
            }
        }
        Shape::Instance(_) => {}
        Shape::Primitive(solid) => {
            for hit in solid
                .get()
                .solid_hits(ray)
                .into_iter()
                .flat_map(SolidHits::all)
            {
                push(0, solid_hit(ray, object.tag(), hit));
            }
        }
        Shape::Compound(compound) => {
            let parts = context.seen(object.id, compound);
            let _ = parts.cast(query, f32::INFINITY, |part, solid| {
                let found = solid.solid_hits(ray).into_iter();
                for hit in found.flat_map(SolidHits::all) {
                    push(part, solid_hit(ray, object.tag(), hit).of_part(part));
                }
                ControlFlow::Continue(f32::INFINITY)
            });
        }
    }
}
