//! The collectors of `query/collector.rs` over the objects of a world, for rays that are cast alone and
//! for those in wavefronts.

use super::watch::ObjectWatch;
use crate::bvh::TraversalQuery;
use crate::height_field::TerrainCollector;
use crate::query::collector::{Any, Closest, Collector};
use crate::query::filter::QueryFilter;
use crate::query::watch::{Outcome, Unwatched};
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle::TriangleHit;
use crate::ray_cast::solid_hits::SolidHit;
use crate::tri_mesh::LeafTriangle;
use crate::world::Snapshot;
use crate::world::instance::Instance;
use crate::world::instance_transform::{MARGIN, max_abs};
use crate::world::instanced_part::InstancedPart;
use crate::world::object::{KeptSolid, Object, Shape};
use crate::{HeightField, ObjectId, Ray, RayCastSettings, RayHit, TriangleId};

/// A ray with what every object needs of it.
pub(in crate::world) struct QueryContext<'a> {
    pub(in crate::world) ray: &'a Ray,
    pub(in crate::world) wide: LocalRay,
    /// The ray for traversal, widened by the error of transforms into parts.
    pub(in crate::world) query: TraversalQuery,
    settings: RayCastSettings,
}

impl<'a> QueryContext<'a> {
    #[inline]
    pub(in crate::world) fn new(ray: &'a Ray, settings: RayCastSettings) -> Self {
        let wide = LocalRay::from(ray);
        let margin = MARGIN * max_abs(wide.origin);
        let corners = (wide.origin - margin, wide.origin + margin);
        Self {
            ray,
            wide,
            query: TraversalQuery::moving_box(corners, wide.direction, (wide.t_min, wide.t_max)),
            settings,
        }
    }
}

/// A collector of hits of objects, as `W` watches.
pub(in crate::world) trait ObjectTests<W: ObjectWatch>:
    Collector<Candidate>
{
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
        part: (u32, &InstancedPart),
        context: &QueryContext<'_>,
        watch: W,
    );

    /// Considers the hit of a part's triangle.
    fn consider_triangle(
        &mut self,
        (id, part, triangle): (ObjectId, u32, u32),
        hit: TriangleHit,
        watch: W,
    ) {
        let rank = (id, part, triangle);
        if !self.consider(hit.t, (rank, Kind::Triangle(hit)), is_lower) {
            watch.tied();
        }
    }

    fn test_solid(
        &mut self,
        id: ObjectId,
        solid: &KeptSolid,
        context: &QueryContext<'_>,
        watch: W,
    ) {
        let mut outcome = Outcome::Refused;
        if let Some(hit) = solid.nearest(context.ray, &context.wide, context.settings) {
            let t = hit.t.0;
            let is_kept = self.consider(t, ((id, 0, 0), Kind::Primitive(hit)), is_lower);
            outcome = Outcome::of_hit(t, is_kept);
        }
        watch.tested_solid(id, solid, outcome);
    }

    /// Tests an object for hits that still matter.
    fn test_object(&mut self, object: &Object, context: &QueryContext<'_>, watch: W) {
        let id = object.id;
        match &object.shape {
            Shape::HeightField(field) => self.test_field(id, field, context, watch),
            Shape::Instance(instance) => {
                let (limit, parts) = (limit_of(self), watch.parts(id, instance));
                // The collector holds how it ends.
                let _ = instance.cast_watched(&context.query, limit, parts, |index, part| {
                    self.test_part(id, (index, part), context, watch);
                    self.flow()
                });
            }
            Shape::Primitive(solid) => self.test_solid(id, solid, context, watch),
        }
    }
}

/// A collector of hits of objects, in wavefronts too.
pub(in crate::world) trait ObjectCollector: ObjectTests<Unwatched> {
    /// The answer for a ray.
    type Answer;
    /// The same collector in wavefronts through a mesh, and over terrain.
    type OnMesh: Collector<LeafTriangle> + Copy;
    type OnField: TerrainCollector;

    /// Considers what a wavefront over a terrain found.
    fn consider_field(&mut self, id: ObjectId, found: OnField<Self>);

    fn answer(self, snapshot: &Snapshot, ray: &Ray) -> Self::Answer;
}

/// The answer of wavefronts over terrain for such a collector.
pub(in crate::world) type OnField<C> =
    <<C as ObjectCollector>::OnField as TerrainCollector>::Answer;

/// Up to which t hits matter; for a collector that has found all it looks for, none do.
pub(in crate::world) fn limit_of(collector: &(impl Collector<Candidate> + ?Sized)) -> f32 {
    collector.t_max().unwrap_or(f32::NEG_INFINITY)
}

/// A candidate hit, with what decides a tie: object, part and triangle.
pub(in crate::world) type Candidate = ((ObjectId, u32, u32), Kind);

/// Most candidates become a [`RayHit`] only at the end.
#[derive(Clone, Copy)]
pub(in crate::world) enum Kind {
    Hit(RayHit),
    Triangle(TriangleHit),
    Primitive(SolidHit),
}

fn is_lower(one: &Candidate, other: &Candidate) -> bool {
    one.0 < other.0
}

impl<W: ObjectWatch> ObjectTests<W> for Closest<Candidate> {
    fn test_field(
        &mut self,
        id: ObjectId,
        field: &HeightField,
        context: &QueryContext<'_>,
        watch: W,
    ) {
        let (sides, limit) = (context.settings.sides, limit_of(self));
        let nearest = field.nearest(&context.wide, sides, limit, watch.field(id));
        if let Some((triangle, hit)) = nearest {
            self.consider_triangle((id, 0, triangle), hit, watch);
        }
    }

    fn test_part(
        &mut self,
        id: ObjectId,
        (index, part): (u32, &InstancedPart),
        context: &QueryContext<'_>,
        watch: W,
    ) {
        let local = part.local_ray(&context.wide);
        let (sides, limit) = (context.settings.sides, limit_of(self));
        let triangles = watch.part(id, (index, part), &local);
        if let Some((triangle, hit)) = part.nearest(&local, sides, limit, triangles) {
            self.consider_triangle((id, index, triangle), hit, watch);
        }
    }
}

impl ObjectCollector for Closest<Candidate> {
    type Answer = Option<RayHit>;
    type OnMesh = Closest<LeafTriangle>;
    type OnField = Closest<u32>;

    fn consider_field(&mut self, id: ObjectId, found: Option<RayHit>) {
        if let Some(hit) = found
            && let Some(on) = hit.triangle
        {
            let (t, hit) = (hit.t, Kind::Hit(hit.of_object(id)));
            self.consider(t, ((id, 0, on.triangle), hit), is_lower);
        }
    }

    fn answer(self, snapshot: &Snapshot, ray: &Ray) -> Option<RayHit> {
        let ((id, part, triangle), kind) = self.into_best()?;
        match kind {
            Kind::Hit(hit) => Some(hit),
            Kind::Primitive(hit) => Some(solid_hit(ray, id, hit)),
            Kind::Triangle(hit) => snapshot.with_object(id.slot(), &QueryFilter::new(), |object| {
                triangle_hit(ray, object, (part, triangle), &hit)
            }),
        }
    }
}

impl ObjectTests<Unwatched> for Any {
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
        (_, part): (u32, &InstancedPart),
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

    fn consider_field(&mut self, _: ObjectId, found: bool) {
        self.note(found);
    }

    fn answer(self, _: &Snapshot, _: &Ray) -> bool {
        self.is_hit()
    }
}

/// The hit of a solid.
pub(in crate::world) fn solid_hit(ray: &Ray, object: ObjectId, hit: SolidHit) -> RayHit {
    hit.into_hit(ray).of_object(object)
}

/// The hit of a triangle, by its part and number.
pub(in crate::world) fn triangle_hit(
    ray: &Ray,
    object: &Object,
    (part, triangle): (u32, u32),
    hit: &TriangleHit,
) -> RayHit {
    let placed = match &object.shape {
        Shape::Instance(instance) => Instance::part(instance, part),
        _ => None,
    };
    let mut hit = *hit;
    if let Some(placed) = placed {
        hit.normal = placed.world_normal(hit.normal);
        hit.side = placed.turned(hit.side);
    }
    let id = TriangleId { part, triangle };
    RayHit::on_triangle(ray, id, &hit).of_object(object.id)
}
