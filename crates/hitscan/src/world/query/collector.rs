//! The collectors of `query/collector.rs` over the objects of a world, for rays that are cast alone and
//! for those in wavefronts.

use super::watch::{ObjectWatch, SolidId};
use crate::bvh::TraversalQuery;
use crate::height_field::TerrainCollector;
use crate::model::PlacedPart;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::TriangleHit;
use crate::narrow_phase::ray_cast::solid_hits::SolidHit;
use crate::query::collector::{Any, Collector};
use crate::query::filter::QueryFilter;
use crate::query::watch::{Outcome, Unwatched};
use crate::tri_mesh::{LeafTriangle, widened_query};
use crate::world::Snapshot;
use crate::world::instance::Instance;
use crate::world::object::{KeptSolid, Object, Shape};
use crate::world::placed_compound::{PlacedCompound, SeenParts};
use crate::{HeightField, ObjectId, Ray, RayCastSettings, RayHit, Side, TriangleId};
use core::ops::ControlFlow;
use glam::DVec3;
use std::sync::Arc;

/// A ray with what every object needs of it.
pub(crate) struct QueryContext<'a> {
    pub(crate) ray: &'a Ray,
    pub(crate) wide: LocalRay,
    /// The ray for traversal, widened by the error of transforms into parts.
    pub(crate) query: TraversalQuery,
    pub(super) settings: RayCastSettings,
    /// Which parts of compounds are seen.
    pub(super) filter: &'a QueryFilter<'a>,
}

impl<'a> QueryContext<'a> {
    #[inline]
    pub(crate) fn new(
        ray: &'a Ray,
        settings: RayCastSettings,
        filter: &'a QueryFilter<'a>,
    ) -> Self {
        let wide = LocalRay::from(ray);
        Self {
            ray,
            wide,
            query: widened_query(&wide),
            settings,
            filter,
        }
    }

    /// The parts of a compound that are seen.
    pub(super) fn seen<'c>(&'c self, id: ObjectId, compound: &'c PlacedCompound) -> SeenParts<'c> {
        compound.seen(id, self.filter)
    }
}

/// What a collector keeps of the hits of objects.
pub(crate) trait ObjectHits: Sized {
    fn new() -> Self;

    /// Makes it as new.
    fn restart(&mut self);

    /// Up to which t other hits matter; `None` where none does.
    fn t_max(&self) -> Option<f32>;

    /// The t up to which the traversal continues, if it does.
    fn flow(&self) -> ControlFlow<(), f32> {
        self.t_max()
            .map_or(ControlFlow::Break(()), ControlFlow::Continue)
    }

    /// Records that there certainly is a hit that counts, though it is not computed.
    fn record_certain_hit(&mut self) {}

    /// Considers the hit of a solid, or of such a part of a compound; returns whether it is kept.
    fn consider_solid(&mut self, of: SolidId, hit: SolidHit) -> bool;

    /// Considers the hit of a part's triangle; returns whether it is kept.
    fn consider_triangle(&mut self, rank: Rank, hit: &TriangleHit) -> bool;
}

/// Tests objects for a collector, watched by `W`.
pub(crate) trait TestObject<W: ObjectWatch>: ObjectHits {
    fn test_field(
        &mut self,
        id: ObjectId,
        field: &HeightField,
        context: &QueryContext<'_>,
        watch: W,
    );

    fn test_part(
        &mut self,
        id: ObjectId,
        part: PlacedPart<'_>,
        context: &QueryContext<'_>,
        watch: W,
    );

    fn test_solid(
        &mut self,
        id: ObjectId,
        solid: &KeptSolid,
        context: &QueryContext<'_>,
        watch: W,
    ) {
        let mut outcome = Outcome::Refused;
        if let Some(hit) = solid.nearest(context.ray, &context.wide, context.settings) {
            outcome = Outcome::of_hit(hit.t.0, self.consider_solid((id, None), hit));
        }
        watch.tested_solid((id, None), &|| solid.get(), outcome);
    }

    fn test_compound(
        &mut self,
        id: ObjectId,
        compound: &PlacedCompound,
        context: &QueryContext<'_>,
        watch: W,
    ) {
        if let Some(meshes) = compound.meshes() {
            self.test_instance(id, meshes, context, watch);
        }
        let parts = context.seen(id, compound);
        // The collector holds how it ends.
        let _ = parts.cast(&context.query, limit_of(self), |part, solid| {
            let of = (id, Some(part));
            let mut outcome = Outcome::Refused;
            if let Some(hit) = solid.nearest(context.ray, context.settings) {
                outcome = Outcome::of_hit(hit.t.0, self.consider_solid(of, hit));
            }
            watch.tested_solid(of, &|| solid.clone(), outcome);
            self.flow()
        });
    }

    fn test_instance(
        &mut self,
        id: ObjectId,
        instance: &Arc<Instance>,
        context: &QueryContext<'_>,
        watch: W,
    ) {
        instance.prefetch_pose();
        let (limit, parts) = (limit_of(self), watch.parts(id, instance));
        // The collector holds how it ends.
        let _ = (instance.parts()).cast_watched(&context.query, limit, parts, |part| {
            self.test_part(id, part, context, watch);
            self.flow()
        });
    }

    /// Tests an object for hits that still matter.
    fn test_object(&mut self, object: &Object, context: &QueryContext<'_>, watch: W) {
        let id = object.id;
        match &object.shape {
            Shape::HeightField(field) => self.test_field(id, field, context, watch),
            Shape::Instance(instance) => self.test_instance(id, instance, context, watch),
            Shape::Primitive(solid) => self.test_solid(id, solid, context, watch),
            Shape::Compound(compound) => self.test_compound(id, compound, context, watch),
        }
    }
}

/// A collector of hits of objects, in wavefronts too.
pub(crate) trait ObjectCollector: TestObject<Unwatched> {
    /// The answer for a ray.
    type Answer;
    /// The same collector in wavefronts through a mesh, and over terrain.
    type OnMesh: Collector<LeafTriangle> + Copy;
    type OnField: TerrainCollector;

    /// Considers what a wavefront over a terrain found.
    fn consider_field(&mut self, id: ObjectId, found: &OnField<Self>);

    fn answer(self, snapshot: &Snapshot, ray: &Ray) -> Self::Answer;

    /// The answers of many rays, side by side where that is faster.
    fn answer_all(collectors: &[Self], queries: (&Snapshot, &[Ray]), answers: &mut [Self::Answer]);
}

/// The answer of wavefronts over terrain for such a collector.
pub(crate) type OnField<C> = <<C as ObjectCollector>::OnField as TerrainCollector>::Answer;

/// Up to which t hits matter; for a collector that has found all it looks for, none do.
pub(crate) fn limit_of(collector: &impl ObjectHits) -> f32 {
    collector.t_max().unwrap_or(f32::NEG_INFINITY)
}

/// What decides a tie: object, part and triangle.
pub(crate) type Rank = (ObjectId, u32, u32);

impl ObjectHits for Any {
    fn new() -> Self {
        <Self as Collector<Rank>>::new(f32::INFINITY)
    }

    fn restart(&mut self) {
        *self = ObjectHits::new();
    }

    fn t_max(&self) -> Option<f32> {
        Collector::<Rank>::t_max(self)
    }

    fn record_certain_hit(&mut self) {
        self.note(true);
    }

    fn consider_solid(&mut self, _: SolidId, _: SolidHit) -> bool {
        self.note(true);
        true
    }

    fn consider_triangle(&mut self, _: Rank, _: &TriangleHit) -> bool {
        self.note(true);
        true
    }
}

impl TestObject<Unwatched> for Any {
    fn test_field(
        &mut self,
        _: ObjectId,
        field: &HeightField,
        context: &QueryContext<'_>,
        _: Unwatched,
    ) {
        self.note(field.hits_any(&context.wide, context.settings.sides));
    }

    fn test_part(
        &mut self,
        _: ObjectId,
        part: PlacedPart<'_>,
        context: &QueryContext<'_>,
        _: Unwatched,
    ) {
        self.note(part.is_hit(&part.local_ray(&context.wide), context.settings.sides));
    }
}

impl ObjectCollector for Any {
    type Answer = bool;
    type OnMesh = Any;
    type OnField = Any;

    fn consider_field(&mut self, _: ObjectId, found: &bool) {
        self.note(*found);
    }

    fn answer(self, _: &Snapshot, _: &Ray) -> bool {
        self.is_hit()
    }

    fn answer_all(any: &[Self], _: (&Snapshot, &[Ray]), answers: &mut [bool]) {
        for (any, answer) in any.iter().zip(answers) {
            *answer = any.is_hit();
        }
    }
}

/// The hit of a solid.
pub(crate) fn solid_hit(ray: &Ray, object: (ObjectId, u64), hit: SolidHit) -> RayHit {
    hit.into_hit(ray).of_object(object)
}

/// The hit of a triangle, by its part and number.
pub(crate) fn triangle_hit(
    ray: &Ray,
    object: &Object,
    (part, triangle): (u32, u32),
    hit: &TriangleHit,
) -> RayHit {
    let id = TriangleId { part, triangle };
    let (normal, side) = in_world(object, part, hit);
    let hit = TriangleHit {
        normal,
        side,
        ..*hit
    };
    RayHit::on_triangle(ray, id, &hit).of_object(object.tag())
}

/// The normal and side in the world of a hit of a part's triangle.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn in_world(object: &Object, part: u32, hit: &TriangleHit) -> (DVec3, Side) {
    let meshes = object.shape.meshes();
    let placed = meshes.and_then(|instance| instance.parts().part(part));
    placed.map_or((hit.normal, hit.side), |placed| {
        (placed.outer_normal(hit.normal), placed.turned(hit.side))
    })
}
