//! What a ray looks for in the world: the nearest hit, or whether there is any.
//!
//! An aim is told of whatever the ray meets, in any order, and by whatever way it is asked: alone
//! (`ray.rs`) or among many (`wave.rs`).

use crate::bvh::TraversalQuery;
use crate::query::filter::QueryFilter;
use crate::ray_cast::ray::LocalRay;
use crate::ray_cast::ray_triangle::TriangleHit;
use crate::ray_cast::solid_hits::SolidHit;
use crate::world::Snapshot;
use crate::world::instance::Instance;
use crate::world::instance_transform::{InstancedPart, MARGIN, greatest};
use crate::world::object::{KeptSolid, Object, Shape};
use crate::{
    HeightField, ObjectId, Ray, RayCastSettings, RayHit, TriangleId, height_field, tri_mesh,
};
use core::ops::ControlFlow;

/// A ray as it is asked of objects.
pub(in crate::world) struct Asked<'a> {
    pub(in crate::world) ray: &'a Ray,
    pub(in crate::world) wide: LocalRay,
    /// The ray as trees see it, widened by what transforms into parts may carry it off.
    pub(in crate::world) probe: TraversalQuery,
    settings: RayCastSettings,
}

impl<'a> Asked<'a> {
    #[inline]
    pub(in crate::world) fn new(ray: &'a Ray, settings: RayCastSettings) -> Self {
        let wide = LocalRay::from(ray);
        let margin = MARGIN * greatest(wide.origin);
        let corners = (wide.origin - margin, wide.origin + margin);
        Self {
            ray,
            wide,
            probe: TraversalQuery::moving_box(corners, wide.direction, (wide.t_min, wide.t_max)),
            settings,
        }
    }
}

/// What a ray looks for, and what it has found of it so far.
pub(in crate::world) trait Collector {
    /// What the ray is answered.
    type Answer;
    /// The same aim in waves through a mesh, and over terrain.
    type OnMesh: tri_mesh::Collector;
    type OnField: height_field::Collector;

    fn new() -> Self;

    /// Up to which t things still matter; `None` where nothing does any more.
    fn until(&self) -> Option<f32>;

    /// Is told what a wave over a terrain found.
    fn take_from_field(&mut self, id: ObjectId, found: OnField<Self>);

    /// Is told what a wave through the mesh of a part, by its index, found.
    fn take_from_mesh(&mut self, id: ObjectId, part: u32, found: OnMesh<Self>);

    fn ask_field(&mut self, id: ObjectId, field: &HeightField, asked: &Asked<'_>);

    fn ask_part(&mut self, id: ObjectId, part: (u32, &InstancedPart), asked: &Asked<'_>);

    fn ask_solid(&mut self, id: ObjectId, solid: &KeptSolid, asked: &Asked<'_>);

    /// Asks an object for what still matters.
    fn ask(&mut self, object: &Object, asked: &Asked<'_>) {
        let id = object.id;
        match &object.shape {
            Shape::HeightField(field) => self.ask_field(id, field, asked),
            Shape::Instance(instance) => {
                let limit = self.until().unwrap_or(f32::NEG_INFINITY);
                // How it ends, the aim knows itself.
                let _ = instance.cast(&asked.probe, limit, |index, part| {
                    self.ask_part(id, (index, part), asked);
                    advance(self)
                });
            }
            Shape::Primitive(solid) => self.ask_solid(id, solid, asked),
        }
    }

    fn answer(self, moment: &Snapshot, ray: &Ray) -> Self::Answer;
}

/// What waves find for a ray with this aim.
pub(in crate::world) type OnField<A> =
    <<A as Collector>::OnField as height_field::Collector>::Answer;
pub(in crate::world) type OnMesh<A> = <<A as Collector>::OnMesh as tri_mesh::Collector>::Answer;

/// Tells a walk up to which t things still matter, or that it is over.
#[inline]
pub(in crate::world) fn advance(collector: &(impl Collector + ?Sized)) -> ControlFlow<(), f32> {
    collector
        .until()
        .map_or(ControlFlow::Break(()), ControlFlow::Continue)
}

/// What decides between two hits: t, then object, part and triangle.
type Rank = (f32, ObjectId, u32, u32);

/// A hit that may still be beaten; most become a [`Hit`] only at the end.
#[derive(Clone, Copy)]
enum Candidate {
    Hit(RayHit),
    TriangleHit(TriangleHit),
    Primitive(SolidHit),
}

/// The nearest hit found so far.
pub(in crate::world) struct Closest {
    best: Option<(Rank, Candidate)>,
}

impl Closest {
    /// The greatest t that still matters.
    fn limit(&self) -> f32 {
        self.best.as_ref().map_or(f32::INFINITY, |(rank, _)| rank.0)
    }

    fn offer(&mut self, rank: Rank, candidate: Candidate) {
        if self.best.as_ref().is_none_or(|(other, _)| rank < *other) {
            self.best = Some((rank, candidate));
        }
    }
}

impl Collector for Closest {
    type Answer = Option<RayHit>;
    type OnMesh = tri_mesh::Closest;
    type OnField = height_field::Closest;

    fn new() -> Self {
        Self { best: None }
    }

    fn until(&self) -> Option<f32> {
        Some(self.limit())
    }

    fn take_from_field(&mut self, id: ObjectId, found: Option<RayHit>) {
        if let Some(hit) = found
            && let Some(on) = hit.triangle
        {
            let hit = hit.of_object(id);
            self.offer((hit.t, id, 0, on.triangle), Candidate::Hit(hit));
        }
    }

    fn take_from_mesh(&mut self, id: ObjectId, part: u32, found: Option<(u32, TriangleHit)>) {
        if let Some((triangle, crossing)) = found {
            let rank = (crossing.t, id, part, triangle);
            self.offer(rank, Candidate::TriangleHit(crossing));
        }
    }

    fn ask_field(&mut self, id: ObjectId, field: &HeightField, asked: &Asked<'_>) {
        let nearest = field.nearest(&asked.wide, asked.settings.sides, self.limit());
        if let Some((triangle, crossing)) = nearest {
            self.offer(
                (crossing.t, id, 0, triangle),
                Candidate::TriangleHit(crossing),
            );
        }
    }

    fn ask_part(&mut self, id: ObjectId, (index, part): (u32, &InstancedPart), asked: &Asked<'_>) {
        let local = part.local_ray(&asked.wide);
        let found = part.nearest(&local, asked.settings.sides, self.limit());
        self.take_from_mesh(id, index, found);
    }

    fn ask_solid(&mut self, id: ObjectId, solid: &KeptSolid, asked: &Asked<'_>) {
        if let Some(hit) = solid.nearest(asked.ray, &asked.wide, asked.settings) {
            self.offer((hit.t.0, id, 0, 0), Candidate::Primitive(hit));
        }
    }

    fn answer(self, moment: &Snapshot, ray: &Ray) -> Option<RayHit> {
        let ((_, id, part, triangle), candidate) = self.best?;
        match candidate {
            Candidate::Hit(hit) => Some(hit),
            Candidate::Primitive(hit) => Some(solid_hit(ray, id, hit)),
            Candidate::TriangleHit(crossing) => {
                moment.ask_object(id.slot(), &QueryFilter::new(), |object| {
                    triangle_hit(ray, object, (part, triangle), &crossing)
                })
            }
        }
    }
}

/// Whether anything was hit.
pub(in crate::world) struct Any {
    is_hit: bool,
}

impl Collector for Any {
    type Answer = bool;
    type OnMesh = tri_mesh::Any;
    type OnField = height_field::Any;

    fn new() -> Self {
        Self { is_hit: false }
    }

    fn until(&self) -> Option<f32> {
        (!self.is_hit).then_some(f32::INFINITY)
    }

    fn take_from_field(&mut self, _: ObjectId, found: bool) {
        self.is_hit |= found;
    }

    fn take_from_mesh(&mut self, _: ObjectId, _: u32, found: bool) {
        self.is_hit |= found;
    }

    fn ask_field(&mut self, _: ObjectId, field: &HeightField, asked: &Asked<'_>) {
        self.is_hit |= field.hits_any(&asked.wide, asked.settings.sides);
    }

    fn ask_part(&mut self, _: ObjectId, (_, part): (u32, &InstancedPart), asked: &Asked<'_>) {
        self.is_hit |= part.is_hit(&part.local_ray(&asked.wide), asked.settings.sides);
    }

    fn ask_solid(&mut self, _: ObjectId, solid: &KeptSolid, asked: &Asked<'_>) {
        self.is_hit |= solid
            .nearest(asked.ray, &asked.wide, asked.settings)
            .is_some();
    }

    fn answer(self, _: &Snapshot, _: &Ray) -> bool {
        self.is_hit
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
    crossing: &TriangleHit,
) -> RayHit {
    let placed = match &object.shape {
        Shape::Instance(instance) => Instance::part(instance, part),
        _ => None,
    };
    let mut crossing = *crossing;
    if let Some(placed) = placed {
        crossing.normal = placed.world_normal(crossing.normal);
        crossing.side = placed.turned(crossing.side);
    }
    let id = TriangleId { part, triangle };
    RayHit::on_triangle(ray, id, &crossing).of_object(object.id)
}
