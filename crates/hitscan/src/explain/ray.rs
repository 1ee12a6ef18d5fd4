//! Candidates of a ray: at any t, from any side.

use super::candidates::{Answered, CandidateQuery, RawCandidate, Scope, candidates, collect_parts};
use super::explanation::{Candidate, Verdict};
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::ray_triangle::{TriangleHit, intersect};
use crate::narrow_phase::ray_cast::solid_hits::{FaceNumber, SolidHit, SolidHits};
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::{
    Aabb, HeightField, Primitive, Ray, RayCastSettings, RayHit, RayStart, Side, Sides, TriangleId,
};
use core::ops::ControlFlow;
use glam::DVec3;

/// How many holes of one terrain are candidates.
pub(super) const MOST_HOLES: usize = 100;

pub(super) fn candidates_of(
    snapshot: &Snapshot,
    ray: &Ray,
    settings: RayCastSettings,
    hits: &[RayHit],
    filter: &QueryFilter<'_>,
) -> Vec<Candidate> {
    let answers: Vec<Answered> = hits.iter().map(answered).collect();
    let query = RayCandidates::new(ray, settings);
    candidates(snapshot, &query, (&answers, Scope::World), filter)
}

fn answered(hit: &RayHit) -> Answered {
    Answered {
        object: hit.object,
        triangle: hit.triangle,
        t: hit.t,
    }
}

/// A ray, and the whole line that it is a part of.
struct RayCandidates {
    ray: Ray,
    line: Ray,
    settings: RayCastSettings,
}

impl RayCandidates {
    fn new(ray: &Ray, settings: RayCastSettings) -> Self {
        // The largest numbers of f32 are a range like any other; an empty ray has no line.
        let line = ray.with_range(f32::MIN, f32::MAX).unwrap_or(*ray);
        Self {
            ray: *ray,
            line,
            settings,
        }
    }

    fn collect_field(&self, field: &HeightField, found: &mut Vec<RawCandidate>) {
        let (wide, line) = (LocalRay::from(&self.ray), LocalRay::from(&self.line));
        // Nothing breaks off, so the result is not used.
        let _ = field.for_each_candidate(&line, &mut |triangle, corners| {
            if let Some(hit) = intersect(&line, corners) {
                let id = TriangleId { part: 0, triangle };
                found.push(self.of_triangle(id, &hit, hit.side, is_in(&wide, corners)));
            }
            ControlFlow::Continue(())
        });
        for (t, triangle) in field.holes_under(&wide, MOST_HOLES) {
            found.push(RawCandidate::hole(t, triangle));
        }
    }

    fn of_triangle(
        &self,
        id: TriangleId,
        hit: &TriangleHit,
        side: Side,
        is_in_range: bool,
    ) -> RawCandidate {
        let refusal = match is_in_range {
            false => Some(self.out_of_range(hit.t)),
            true if !self.settings.admits(side) => Some(wrong_side(side, self.settings)),
            true => None,
        };
        RawCandidate {
            triangle: Some(id),
            t: hit.t,
            refusal,
        }
    }

    /// The hit on a solid: that which counts, else the first in the ray's range, else the one nearest
    /// to it.
    fn of_solid(&self, solid: &Primitive) -> Option<RawCandidate> {
        let in_range = solid.solid_hits(&self.ray);
        let any_side = RayCastSettings::from(Sides::Both);
        let (hit, refusal) =
            if let Some(hit) = in_range.and_then(|hits| hits.nearest(self.settings)) {
                (hit, None)
            } else if let Some(hit) = in_range.and_then(|hits| hits.nearest(any_side)) {
                (hit, Some(wrong_side(hit.side, self.settings)))
            } else if let Some(hit) = solid
                .solid_hits(&self.line)
                .and_then(|hits| self.nearest_to(hits))
            {
                (hit, Some(self.out_of_range(hit.t.0)))
            } else {
                return None;
            };
        Some(RawCandidate {
            triangle: hit.face.map(FaceNumber::triangle_id),
            t: hit.t.0,
            refusal,
        })
    }

    /// Of a line's hits that which is nearest to the ray's range: the exit of a solid before it.
    fn nearest_to(&self, hits: SolidHits) -> Option<SolidHit> {
        let both: Vec<SolidHit> = hits.all().collect();
        let is_before = |hit: &&SolidHit| hit.t.1 < f64::from(self.ray.t_min());
        both.iter().rfind(is_before).or(both.first()).copied()
    }

    fn out_of_range(&self, t: f32) -> (Verdict, String) {
        out_of_range(t, [self.ray.t_min(), self.ray.t_max()])
    }
}

impl CandidateQuery for RayCandidates {
    fn name(&self) -> &'static str {
        "the ray"
    }

    fn number(&self) -> &'static str {
        "t"
    }

    fn collect(&self, object: &Object, filter: &QueryFilter<'_>, found: &mut Vec<RawCandidate>) {
        for part in object
            .shape
            .meshes()
            .into_iter()
            .flat_map(|instance| instance.parts().all())
        {
            let wide = part.local_ray(&LocalRay::from(&self.ray));
            let line = part.local_ray(&LocalRay::from(&self.line));
            part.for_each_candidate(&line, |triangle, corners| {
                if let Some(hit) = intersect(&line, corners) {
                    let id = TriangleId {
                        part: part.index,
                        triangle,
                    };
                    let side = part.turned(hit.side);
                    found.push(self.of_triangle(id, &hit, side, is_in(&wide, corners)));
                }
            });
        }
        match &object.shape {
            Shape::HeightField(field) => self.collect_field(field, found),
            Shape::Primitive(solid) => found.extend(self.of_solid(&solid.get())),
            Shape::Compound(compound) => {
                let parts = compound.seen(object.id, filter);
                collect_parts(parts, |solid| self.of_solid(solid), found);
            }
            Shape::Instance(_) => {}
        }
    }

    fn touches_box(&self, bounds: &Aabb) -> bool {
        bounds.solid_hits(&self.line).is_some()
    }
}

/// Whether the ray hits the triangle within its range.
fn is_in(ray: &LocalRay, corners: &[DVec3; 3]) -> bool {
    !ray.is_empty() && intersect(ray, corners).is_some()
}

/// The verdict on a t that is not between `t_min` and `t_max`.
pub(super) fn out_of_range(t: f32, [t_min, t_max]: [f32; 2]) -> (Verdict, String) {
    let why = match t <= t_min {
        true => format!("before t_min = {t_min}"),
        false => format!("beyond t_max = {t_max}"),
    };
    (Verdict::OutOfRange, why)
}

/// The verdict on a side that is not admitted.
pub(super) fn wrong_side(side: Side, settings: RayCastSettings) -> (Verdict, String) {
    let why = match (side, settings.sides, settings.start) {
        (Side::Inside, Sides::Both, RayStart::Hollow) => "only boundaries are asked for",
        (Side::Inside, ..) => "the ray starts inside, which is neither front nor back",
        (Side::Front, ..) => "its front is met, and only backs are asked for",
        (Side::Back, ..) => "its back is met, and only fronts are asked for",
    };
    (Verdict::WrongSide, why.to_owned())
}
