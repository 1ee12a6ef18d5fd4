//! Candidates of a ballistic arc: at any t, from any side.

use super::candidates::{Answered, CandidateQuery, RawCandidate, Scope, candidates, collect_parts};
use super::explanation::{Candidate, Verdict};
use super::ray::{self, MOST_HOLES, out_of_range, wrong_side};
use crate::narrow_phase::arc_cast::arc_triangle::Facing;
use crate::narrow_phase::arc_cast::search::ArcSearch;
use crate::narrow_phase::contact::triangle_source::{SourceTriangle, TriangleSource};
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::{Aabb, BallisticArc, HeightField, Primitive, RayCastSettings, RayHit, TriangleId};
use core::ops::ControlFlow;

pub(super) fn candidates_of(
    snapshot: &Snapshot,
    arc: &BallisticArc,
    settings: RayCastSettings,
    hits: &[RayHit],
    filter: &QueryFilter<'_>,
) -> Vec<Candidate> {
    if let Some(ray) = arc.as_ray() {
        return ray::candidates_of(snapshot, &ray, settings, hits, filter);
    }
    let answers: Vec<Answered> = hits.iter().map(answered).collect();
    let query = ArcCandidates::new(arc, settings);
    candidates(snapshot, &query, (&answers, Scope::World), filter)
}

fn answered(hit: &RayHit) -> Answered {
    Answered {
        object: hit.object,
        triangle: hit.triangle,
        t: hit.t,
    }
}

/// An arc, the whole parabola that it is a part of, and the pieces before and after it.
struct ArcCandidates {
    arc: BallisticArc,
    whole: BallisticArc,
    outside: [BallisticArc; 2],
    settings: RayCastSettings,
}

impl ArcCandidates {
    fn new(arc: &BallisticArc, settings: RayCastSettings) -> Self {
        // The largest numbers of f32 are a range like any other.
        let within = |t_min, t_max| arc.with_range(t_min, t_max).unwrap_or(*arc);
        Self {
            arc: *arc,
            whole: within(f32::MIN, f32::MAX),
            outside: [
                within(arc.t_max().min(f32::MAX), f32::MAX),
                within(f32::MIN, arc.t_min()),
            ],
            settings,
        }
    }

    /// The hit that counts, else the first in the arc's range, else the first after it or before it; each
    /// is what `hit` finds.
    fn candidate(
        &self,
        triangle: Option<TriangleId>,
        hit: impl Fn(&BallisticArc, RayCastSettings) -> Option<RayHit>,
    ) -> Option<RawCandidate> {
        let all = RayCastSettings::default();
        hit(&self.whole, all)?;
        let found = |hit: RayHit, refusal: Option<(Verdict, String)>| RawCandidate {
            triangle,
            t: hit.t,
            refusal,
        };
        if let Some(hit) = hit(&self.arc, self.settings) {
            return Some(found(hit, None));
        }
        if let Some(hit) = hit(&self.arc, all) {
            return Some(found(hit, Some(wrong_side(hit.side, self.settings))));
        }
        let [after, before] = &self.outside;
        let hit = hit(after, all).or_else(|| hit(before, all))?;
        let range = [self.arc.t_min(), self.arc.t_max()];
        Some(found(hit, Some(out_of_range(hit.t, range))))
    }

    fn collect_triangles(
        &self,
        object: &Object,
        source: &dyn TriangleSource,
        found: &mut Vec<RawCandidate>,
    ) {
        let Some(bounds) = object.bounds() else {
            return;
        };
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        let _ = source.for_each_in(min, max, &mut |triangle| {
            let hit = |arc: &BallisticArc, settings| triangle_hit(arc, settings, &triangle);
            found.extend(self.candidate(Some(triangle.id), hit));
            ControlFlow::Continue(())
        });
    }

    fn collect_holes(&self, field: &HeightField, found: &mut Vec<RawCandidate>) {
        for (t, triangle) in field.holes_under_arc(&self.arc, MOST_HOLES) {
            found.push(RawCandidate::hole(t, triangle));
        }
    }

    fn of_solid(&self, solid: &Primitive) -> Option<RawCandidate> {
        self.candidate(None, |arc, settings| solid.cast_arc(arc, settings))
    }
}

impl CandidateQuery for ArcCandidates {
    fn name(&self) -> &'static str {
        "the arc"
    }

    fn number(&self) -> &'static str {
        "t"
    }

    fn collect(&self, object: &Object, filter: &QueryFilter<'_>, found: &mut Vec<RawCandidate>) {
        let collect = |source: &dyn TriangleSource| {
            self.collect_triangles(object, source, found);
        };
        if let Some(instance) = object.shape.meshes() {
            filter.with_source(&instance.parts(), collect);
        }
        match &object.shape {
            Shape::HeightField(field) => {
                let collect = |source: &dyn TriangleSource| {
                    self.collect_triangles(object, source, found);
                };
                filter.with_source(&**field, collect);
                self.collect_holes(field, found);
            }
            Shape::Instance(_) => {}
            Shape::Primitive(solid) => found.extend(self.of_solid(&solid.get())),
            Shape::Compound(compound) => {
                let parts = compound.seen(object.id, filter);
                collect_parts(parts, |solid| self.of_solid(solid), found);
            }
        }
    }

    fn touches_box(&self, bounds: &Aabb) -> bool {
        self.of_solid(&Primitive::from(*bounds)).is_some()
    }
}

fn triangle_hit(
    arc: &BallisticArc,
    settings: RayCastSettings,
    triangle: &SourceTriangle,
) -> Option<RayHit> {
    let mut search = ArcSearch::nearest(arc, settings);
    let facing = match triangle.is_mirrored {
        true => Facing::Mirrored,
        false => Facing::Kept,
    };
    search.test_triangle(triangle.id, &triangle.corners, facing);
    search.into_best()
}
