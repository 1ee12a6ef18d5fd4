//! The collector of the closest hit of any object.

use super::collector::{
    ObjectCollector, ObjectHits, QueryContext, Rank, TestObject, in_world, limit_of, solid_hit,
    triangle_hit,
};
use super::watch::{ObjectWatch, SolidId};
use crate::model::PlacedPart;
use crate::narrow_phase::ray_cast::ray_triangle::{
    HitPoints, LANES, TriangleHit, Vectors, by_lane, widened,
};
use crate::narrow_phase::ray_cast::solid_hits::SolidHit;
use crate::query::closest_hits::NO_HIT;
use crate::query::collector::Closest;
use crate::query::filter::QueryFilter;
use crate::simd::dispatch;
use crate::tri_mesh::LeafTriangle;
use crate::world::Snapshot;
use crate::world::object::Object;
use crate::{HeightField, ObjectId, Ray, RayHit, Side, TriangleId};
use fearless_simd::{Simd, f64x8, prelude::*};
use glam::DVec3;
use smallvec::SmallVec;
use std::borrow::Cow;

/// The closest hit, of equal t the one of the lowest rank.
///
/// The kinds of hits are side by side, and not an enum: a triangle's is copied here straight from where it
/// was found, where an enum would be put together elsewhere first, a store-to-load forwarding stall for
/// each ray of a packet.
#[derive(Clone, Copy)]
pub(crate) struct ClosestObject {
    t_max: f32,
    kind: Kind,
    /// Of the closest hit, as all that follows.
    rank: Option<Rank>,
    triangle: TriangleHit,
    solid: Option<SolidHit>,
    /// Already as it is answered.
    hit: Option<RayHit>,
}

/// What the closest hit is, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Triangle,
    Solid,
    /// A solid that is a part of a compound.
    Part,
    Answer,
}

impl ClosestObject {
    /// Whether a hit of this rank is closer than what there is; then it takes its place.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn keeps(&mut self, t: f32, rank: Rank, kind: Kind) -> bool {
        let is_kept = t < self.t_max || t == self.t_max && self.rank.is_none_or(|best| rank < best);
        if is_kept {
            self.t_max = t;
            self.rank = Some(rank);
            self.kind = kind;
        }
        is_kept
    }

    /// The hit of a solid, as it is answered.
    fn solid_answer(&self, snapshot: &Snapshot, ray: &Ray) -> Option<RayHit> {
        let (id, part, _) = self.rank?;
        let hit = solid_hit(ray, snapshot.tagged(id), self.solid?);
        Some(match self.kind {
            Kind::Part => hit.of_part(part),
            _ => hit,
        })
    }
}

impl ObjectHits for ClosestObject {
    fn new() -> Self {
        Self {
            t_max: f32::INFINITY,
            kind: Kind::Triangle,
            rank: None,
            triangle: NO_HIT,
            solid: None,
            hit: None,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn restart(&mut self) {
        self.t_max = f32::INFINITY;
        self.rank = None;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn t_max(&self) -> Option<f32> {
        Some(self.t_max)
    }

    fn consider_solid(&mut self, (id, part): SolidId, hit: SolidHit) -> bool {
        let kind = match part {
            None => Kind::Solid,
            Some(_) => Kind::Part,
        };
        let is_kept = self.keeps(hit.t.0, (id, part.unwrap_or(0), 0), kind);
        if is_kept {
            self.solid = Some(hit);
        }
        is_kept
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn consider_triangle(&mut self, rank: Rank, hit: &TriangleHit) -> bool {
        let is_kept = self.keeps(hit.t, rank, Kind::Triangle);
        if is_kept {
            self.triangle = *hit;
        }
        is_kept
    }
}

impl<W: ObjectWatch> TestObject<W> for ClosestObject {
    fn test_field(
        &mut self,
        id: ObjectId,
        field: &HeightField,
        context: &QueryContext<'_>,
        watch: W,
    ) {
        let (sides, limit) = (context.settings.sides, limit_of(self));
        let nearest = field.nearest(&context.wide, sides, limit, watch.field(id));
        if let Some((triangle, hit)) = nearest
            && !self.consider_triangle((id, 0, triangle), &hit)
        {
            watch.tied();
        }
    }

    fn test_part(
        &mut self,
        id: ObjectId,
        part: PlacedPart<'_>,
        context: &QueryContext<'_>,
        watch: W,
    ) {
        let local = part.local_ray(&context.wide);
        let (sides, limit) = (context.settings.sides, limit_of(self));
        let triangles = watch.part(id, part, &local);
        if let Some((triangle, hit)) = part.nearest(&local, sides, limit, triangles)
            && !self.consider_triangle((id, part.index, triangle), &hit)
        {
            watch.tied();
        }
    }
}

impl ObjectCollector for ClosestObject {
    type Answer = Option<RayHit>;
    type OnMesh = Closest<LeafTriangle>;
    type OnField = Closest<u32>;

    fn consider_field(&mut self, id: ObjectId, found: &Option<RayHit>) {
        if let Some(hit) = found
            && let Some(on) = hit.triangle
            && self.keeps(hit.t, (id, 0, on.triangle), Kind::Answer)
        {
            self.hit = Some(*hit);
        }
    }

    fn answer(self, snapshot: &Snapshot, ray: &Ray) -> Option<RayHit> {
        let (id, part, triangle) = self.rank?;
        match self.kind {
            Kind::Answer => self.hit.map(|hit| hit.of_object(snapshot.tagged(id))),
            Kind::Solid | Kind::Part => self.solid_answer(snapshot, ray),
            Kind::Triangle => snapshot.with_object(id.slot(), &QueryFilter::new(), |object| {
                triangle_hit(ray, object, (part, triangle), &self.triangle)
            }),
        }
    }

    fn answer_all(
        closest: &[Self],
        (snapshot, rays): (&Snapshot, &[Ray]),
        answers: &mut [Option<RayHit>],
    ) {
        // The numbers of the rays whose closest hit is a triangle, which are answered side by side.
        let mut numbers: SmallVec<[usize; 128]> = SmallVec::new();
        for (number, ((closest, ray), answer)) in
            closest.iter().zip(rays).zip(&mut *answers).enumerate()
        {
            *answer = match closest.rank {
                Some(_) if closest.kind == Kind::Triangle => {
                    numbers.push(number);
                    continue;
                }
                Some(_) if matches!(closest.kind, Kind::Solid | Kind::Part) => {
                    closest.solid_answer(snapshot, ray)
                }
                Some((id, ..)) => (closest.hit).map(|hit| hit.of_object(snapshot.tagged(id))),
                None => None,
            };
        }
        if !numbers.is_empty() {
            let width = snapshot.tree().width();
            dispatch!(width, simd => {
                answer_triangles(simd, (closest, &numbers), (snapshot, rays), answers);
            });
        }
    }
}

/// Answers the rays of these numbers, whose closest hits are triangles, eight at a time.
#[cfg_attr(not(debug_assertions), inline(always))]
fn answer_triangles<S: Simd>(
    simd: S,
    (closest, numbers): (&[ClosestObject], &[usize]),
    (snapshot, rays): (&Snapshot, &[Ray]),
    answers: &mut [Option<RayHit>],
) {
    // Neighbours have often hit the same object, which between ticks is interpolated anew.
    let mut last: Option<Cow<'_, Object>> = None;
    for numbers in numbers.chunks(LANES) {
        // Lanes without a ray repeat the last.
        let number = |lane: usize| numbers[lane.min(numbers.len() - 1)];
        let rays = by_lane(|lane| &rays[number(lane)]);
        let hits = by_lane(|lane| &closest[number(lane)]);
        let mut normals = [(DVec3::X, Side::Front); LANES];
        let mut user_data = [0; LANES];
        for lane in 0..LANES {
            let Some((id, part, _)) = hits[lane].rank else {
                continue;
            };
            if last.as_ref().is_none_or(|last| last.id != id) {
                last = snapshot.seen(id.slot(), &QueryFilter::new());
            }
            if let Some(object) = &last {
                normals[lane] = in_world(object, part, &hits[lane].triangle);
                user_data[lane] = object.user_data;
            }
        }
        let origin = |axis: usize| widened(simd, by_lane(|lane| rays[lane].origin()[axis]));
        let direction = |axis: usize| widened(simd, by_lane(|lane| rays[lane].direction()[axis]));
        let normal = |axis: usize| f64x8::load_array(simd, by_lane(|lane| normals[lane].0[axis]));
        let t = f64x8::load_array(simd, by_lane(|lane| hits[lane].triangle.t_wide));
        let points = HitPoints::new(
            Vectors::by_axis(origin),
            Vectors::by_axis(direction),
            (t, Vectors::by_axis(normal)),
        );
        for (lane, &number) in numbers.iter().enumerate() {
            answers[number] = hits[lane].rank.map(|(id, part, triangle)| {
                let side = normals[lane].1;
                let id_of_triangle = TriangleId { part, triangle };
                let hit = points.hit(lane, id_of_triangle, &hits[lane].triangle);
                RayHit { side, ..hit }.of_object((id, user_data[lane]))
            });
        }
    }
}
