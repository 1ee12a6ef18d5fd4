//! Candidates for the closest point: one an object, however far away.

use super::candidates::{Answered, CandidateQuery, RawCandidate, Scope, candidates};
use super::explanation::{Candidate, Verdict};
use crate::narrow_phase::closest_point::{ClosestPoint, Reach};
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::object::Object;
use crate::world::query::closest_point::closest_of_object;
use crate::{Aabb, Interior};
use glam::Vec3;

pub(super) fn candidates_of(
    snapshot: &Snapshot,
    point: Vec3,
    (max_distance, interior): (f32, Interior),
    nearest: &[ClosestPoint],
    filter: &QueryFilter<'_>,
) -> Vec<Candidate> {
    let answers: Vec<Answered> = nearest.iter().map(answered).collect();
    let query = ClosestPointCandidates {
        point,
        max_distance,
        interior,
    };
    candidates(snapshot, &query, (&answers, Scope::World), filter)
}

fn answered(nearest: &ClosestPoint) -> Answered {
    Answered {
        object: nearest.object,
        triangle: nearest.triangle,
        t: nearest.distance,
    }
}

struct ClosestPointCandidates {
    point: Vec3,
    max_distance: f32,
    interior: Interior,
}

impl ClosestPointCandidates {
    fn nearest(
        &self,
        object: &Object,
        max_distance: f64,
        filter: &QueryFilter<'_>,
    ) -> Option<ClosestPoint> {
        let reach = Reach {
            allowance: filter.allowance(),
            ..Reach::up_to(max_distance)
        };
        let is_asked = self.point.is_finite() && max_distance >= 0.0;
        is_asked.then(|| closest_of_object((object, filter), self.point, reach, self.interior))?
    }
}

impl CandidateQuery for ClosestPointCandidates {
    fn name(&self) -> &'static str {
        "the point"
    }

    fn number(&self) -> &'static str {
        "distance"
    }

    fn collect(&self, object: &Object, filter: &QueryFilter<'_>, found: &mut Vec<RawCandidate>) {
        let Some(nearest) = self.nearest(object, f64::INFINITY, filter) else {
            return;
        };
        let max_distance = self.max_distance.into();
        let is_within = self.nearest(object, max_distance, filter).is_some();
        let beyond = || {
            let why = format!("beyond max_distance = {}", self.max_distance);
            (Verdict::OutOfRange, why)
        };
        found.push(RawCandidate {
            triangle: nearest.triangle,
            t: nearest.distance,
            refusal: (!is_within).then(beyond),
        });
    }

    fn touches_box(&self, _: &Aabb) -> bool {
        // Of whatever is there some point is nearest.
        false
    }
}
