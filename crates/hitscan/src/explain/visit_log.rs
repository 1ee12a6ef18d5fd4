//! The log of a ray's walk: visits as they come, up to a limit, and the best hit so far.

use super::space::{Space, ends_around, finite, rounded};
use super::visits::{TriangleMiss, Visit, VisitVerdict, Visited, Visits};
use crate::ObjectId;
use crate::model::Winding;
use crate::narrow_phase::ray_cast::ray_triangle::{Diagnosis, Passing, diagnose, intersect};
use crate::query::watch::Outcome;
use crate::shape::aabb::corners_between;
use glam::DVec3;

/// What visits are of, and where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject {
    pub(super) object: Option<ObjectId>,
    pub(super) part: Option<u32>,
    pub(super) space: Space,
    pub(super) winding: Winding,
}

/// What a traversal did with a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum BoxOutcome {
    /// It was opened.
    Opened,
    /// It skipped it, which was found to lie beyond the best hit.
    Skipped,
    /// The ray misses it.
    Missed,
    /// Something else became of it.
    Verdict(VisitVerdict),
}

/// What a traversal did with a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TriangleOutcome {
    /// It was rejected with others of its block.
    Rejected,
    /// It was decided by itself.
    Decided(Outcome),
}

/// Visits as they come.
#[derive(Debug, Default)]
pub(super) struct VisitLog {
    limit: usize,
    visits: Visits,
    best: Option<f32>,
    /// Which visit the best hit is, where that is kept; and which it was when the walk through an
    /// object or part began.
    best_visit: Option<usize>,
    standing: Option<usize>,
}

impl VisitLog {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    pub(super) fn into_visits(self) -> Visits {
        self.visits
    }

    /// Adds a visit. It is not made where there is no room for it.
    pub(super) fn add(&mut self, make: impl FnOnce(Option<f32>) -> Visit) {
        self.visits.count += 1;
        if self.visits.visits.len() < self.limit {
            self.visits.visits.push(make(self.best));
        }
    }

    /// Notes that the walk through an object or part begins.
    pub(super) fn note_begin(&mut self) {
        self.standing = self.best_visit;
    }

    /// Notes that what was added last is hit at t, and the best.
    pub(super) fn note_hit(&mut self, t: f32) {
        if self.best == Some(t) {
            self.judge_again(self.best_visit, VisitVerdict::Tie);
        }
        self.best = Some(t);
        let kept = self.visits.visits.len();
        let is_kept = self.visits.count == kept as u64;
        self.best_visit = is_kept.then(|| kept.saturating_sub(1));
    }

    /// Notes that the best hit is not: what was the best when the walk began has the same t, and goes
    /// before it.
    pub(super) fn note_tie(&mut self) {
        self.judge_again(self.best_visit, VisitVerdict::Tie);
        self.best_visit = self.standing;
        self.judge_again(self.standing, VisitVerdict::Hit);
    }

    fn judge_again(&mut self, visit: Option<usize>, verdict: VisitVerdict) {
        if let Some(visit) = visit.and_then(|place| self.visits.visits.get_mut(place)) {
            visit.verdict = verdict;
        }
    }

    /// Adds the visit of a box.
    pub(super) fn add_box(
        &mut self,
        subject: &Subject,
        (what, depth): (Visited, u32),
        ends: [DVec3; 2],
        outcome: BoxOutcome,
    ) {
        self.add(|best| {
            let times = subject.space.times(ends);
            let verdict = match outcome {
                BoxOutcome::Opened => VisitVerdict::Opened,
                BoxOutcome::Skipped => VisitVerdict::Farther,
                BoxOutcome::Missed => subject.space.refusal(times, best),
                BoxOutcome::Verdict(verdict) => verdict,
            };
            Visit {
                what,
                depth,
                object: subject.object,
                part: subject.part,
                corners: subject.space.corners(ends),
                t: times.map(finite),
                best,
                verdict,
                miss: None,
                is_decided_exactly: false,
            }
        });
    }

    /// Adds the visit of a triangle, whose corners are in the subject's space.
    pub(super) fn add_triangle(
        &mut self,
        subject: &Subject,
        (triangle, depth): (u32, u32),
        corners: &[DVec3; 3],
        outcome: TriangleOutcome,
    ) {
        self.add(|best| {
            let diagnosis = diagnose(&subject.space.ray, corners);
            let (verdict, t) = classify(subject, corners, (outcome, &diagnosis), best);
            let miss = match verdict {
                VisitVerdict::Missed => miss(&diagnosis.passing),
                _ => None,
            };
            Visit {
                verdict,
                miss,
                is_decided_exactly: outcome != TriangleOutcome::Rejected && diagnosis.is_exact,
                t,
                ..triangle_visit(subject, (triangle, depth), corners, best)
            }
        });
        if let TriangleOutcome::Decided(Outcome::Kept(t)) = outcome {
            self.note_hit(t);
        }
    }

    /// Adds the visit of a triangle that is a hole; corners without height may be anywhere.
    pub(super) fn add_hole(
        &mut self,
        subject: &Subject,
        (triangle, depth): (u32, u32),
        corners: &[DVec3; 3],
    ) {
        self.add(|best| Visit {
            verdict: VisitVerdict::Hole,
            ..triangle_visit(subject, (triangle, depth), corners, best)
        });
    }
}

/// The visit of a triangle about which nothing else is known: with the times of its box.
fn triangle_visit(
    subject: &Subject,
    (triangle, depth): (u32, u32),
    corners: &[DVec3; 3],
    best: Option<f32>,
) -> Visit {
    let world_from_local = subject.space.world_from_local;
    let in_world = corners.map(|corner| world_from_local.transform_point3(corner));
    let corners_of_box = corners_between(ends_around(&in_world));
    Visit {
        what: Visited::Triangle {
            triangle,
            corners: in_world.map(rounded),
        },
        depth,
        object: subject.object,
        part: subject.part,
        corners: corners_of_box.map(rounded),
        t: subject.space.times(ends_around(corners)).map(finite),
        best,
        verdict: VisitVerdict::Missed,
        miss: None,
        is_decided_exactly: false,
    }
}

/// The verdict on a triangle, and when it is hit.
fn classify(
    subject: &Subject,
    corners: &[DVec3; 3],
    (outcome, diagnosis): (TriangleOutcome, &Diagnosis),
    best: Option<f32>,
) -> (VisitVerdict, [f32; 2]) {
    let ray = &subject.space.ray;
    let found = |verdict, t: f32| (verdict, [t; 2]);
    match outcome {
        TriangleOutcome::Decided(Outcome::Kept(t)) => return found(VisitVerdict::Hit, t),
        TriangleOutcome::Decided(Outcome::Left(t)) if best == Some(t) => {
            return found(VisitVerdict::Tie, t);
        }
        TriangleOutcome::Decided(Outcome::Left(t)) => return found(VisitVerdict::Farther, t),
        TriangleOutcome::Decided(Outcome::Refused) => {
            if let Some(hit) = intersect(ray, corners) {
                let side = subject.winding.turned(hit.side);
                return found(VisitVerdict::WrongSide(side), hit.t);
            }
        }
        TriangleOutcome::Rejected => {}
    }
    let Some(t) = diagnosis.t else {
        let times = subject.space.times(ends_around(corners));
        return (VisitVerdict::Missed, times.map(finite));
    };
    if diagnosis.passing != Passing::Through || outcome == TriangleOutcome::Rejected {
        return found(VisitVerdict::Missed, finite(t));
    }
    // It is hit outside the range; where t is rounded to an end of it, the nearer end decides.
    let is_behind = (t - ray.t_min).abs() < (t - ray.t_max).abs();
    match is_behind {
        true => found(VisitVerdict::Behind, finite(t)),
        false => found(VisitVerdict::Beyond, finite(t)),
    }
}

fn miss(passing: &Passing) -> Option<TriangleMiss> {
    match *passing {
        Passing::Through => None,
        Passing::Outside { corner, weight } => Some(TriangleMiss::PassesEdge {
            edge: [[1, 2], [0, 2], [0, 1]][corner % 3],
            weight: finite(weight),
        }),
        Passing::InPlane => Some(TriangleMiss::InPlane),
        Passing::WithoutArea => Some(TriangleMiss::WithoutArea),
    }
}
