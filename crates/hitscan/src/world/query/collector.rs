//! The collectors of `query/collector.rs` over the objects of a world, for rays that are cast alone and
//! for those in wavefronts.

use crate::bvh::TraversalQuery;
use crate::height_field::TerrainCollector;
use crate::query::collector::{Any, Closest, Collector};
use crate::query::filter::QueryFilter;
use crate::query::watch::Unwatched;
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

/// A collector of hits of objects.
pub(in crate::world) trait ObjectCollector: Collector<Candidate> {
    /// The answer for a ray.
    type Answer;
    /// The same collector in wavefronts through a mesh, and over terrain.
    type OnMesh: Collector<LeafTriangle> + Copy;
    type OnField: TerrainCollector;

    /// Considers what a wavefront over a terrain found.
    fn consider_field(&mut self, id: ObjectId, found: OnField<Self>);

    fn test_field(&mut self, id: ObjectId, field: &HeightField, context: &QueryContext<'_>);

    fn test_part(&mut self, id: ObjectId, part: (u32, &InstancedPart), context: &QueryContext<'_>);

    fn answer(self, snapshot: &Snapshot, ray: &Ray) -> Self::Answer;

    /// Considers the hit of a part's triangle.
    fn consider_triangle(&mut self, id: ObjectId, part: u32, triangle: u32, hit: TriangleHit) {
        let rank = (id, part, triangle);
        self.consider(hit.t, (rank, Kind::Triangle(hit)), is_lower);
    }

    fn test_solid(&mut self, id: ObjectId, solid: &KeptSolid, context: &QueryContext<'_>) {
        if let Some(hit) = solid.nearest(context.ray, &context.wide, context.settings) {
            self.consider(hit.t.0, ((id, 0, 0), Kind::Primitive(hit)), is_lower);
        }
    }

    /// Tests an object for hits that still matter.
    fn test_object(&mut self, object: &Object, context: &QueryContext<'_>) {
        let id = object.id;
        match &object.shape {
            Shape::HeightField(field) => self.test_field(id, field, context),
            Shape::Instance(instance) => {
                // The collector holds how it ends.
                let _ = instance.cast(&context.query, limit_of(self), |index, part| {
                    self.test_part(id, (index, part), context);
                    self.flow()
                });
            }
            Shape::Primitive(solid) => self.test_solid(id, solid, context),
        }
    }
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

    fn test_field(&mut self, id: ObjectId, field: &HeightField, context: &QueryContext<'_>) {
        let nearest = field.nearest(
            &context.wide,
            context.settings.sides,
            limit_of(self),
            Unwatched,
        );
        if let Some((triangle, hit)) = nearest {
            self.consider_triangle(id, 0, triangle, hit);
        }
    }

    fn test_part(
        &mut self,
        id: ObjectId,
        (index, part): (u32, &InstancedPart),
        context: &QueryContext<'_>,
    ) {
        let local = part.local_ray(&context.wide);
        if let Some((triangle, hit)) =
            part.nearest(&local, context.settings.sides, limit_of(self), Unwatched)
        {
            self.consider_triangle(id, index, triangle, hit);
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

impl ObjectCollector for Any {
    type Answer = bool;
    type OnMesh = Any;
    type OnField = Any;

    fn consider_field(&mut self, _: ObjectId, found: bool) {
        self.note(found);
    }

    fn test_field(&mut self, _: ObjectId, field: &HeightField, context: &QueryContext<'_>) {
        self.note(field.hits_any(&context.wide, context.settings.sides));
    }

    fn test_part(
        &mut self,
        _: ObjectId,
        (_, part): (u32, &InstancedPart),
        context: &QueryContext<'_>,
    ) {
        self.note(part.is_hit(&part.local_ray(&context.wide), context.settings.sides));
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
