//! Candidates of a line of sight: object by object, those between two points and those not.

use crate::explain::NamedCandidate;
use crate::filter::Ignored;
use hitscan::explain::{Hits, Question, Verdict};
use hitscan::glam::Vec3;
use hitscan::{ObjectId, Ray, Sides};
use hitscan_assets::Scene;

/// Each object that is between two points, at its first point there, nearest first; then what is not.
pub(super) fn candidates(
    scene: &Scene,
    [from, to]: [Vec3; 2],
    ignored: &Ignored,
    mask: u32,
) -> Vec<NamedCandidate> {
    let world = scene.now();
    let (mut candidates, mut blockers) = (Vec::new(), ignored.clone());
    let mut first_t = None;
    loop {
        let others = blockers.filter().layers(mask);
        let Some(blocker) = world.first_blocker(from, to, others) else {
            break;
        };
        let (verdict, why) = match first_t {
            None => (Verdict::Answer, "it is the first between the two"),
            Some(t) if t == blocker.t => (Verdict::Tie, "an earlier object blocks at the same t"),
            Some(_) => (Verdict::Farther, "it blocks too, behind the first"),
        };
        first_t = first_t.or(Some(blocker.t));
        let feature = (blocker.object, blocker.triangle);
        candidates.push(NamedCandidate::at(
            scene,
            feature,
            Some(blocker.t),
            verdict,
            why.to_owned(),
        ));
        blockers.objects.push(blocker.object);
    }
    let Ok(ray) = Ray::between(from, to) else {
        return candidates;
    };
    let question = Question::Ray {
        ray,
        settings: Sides::Both.into(),
        hits: Hits::All,
    };
    let found = &blockers.objects[ignored.objects.len()..];
    let is_blocker = |object: &ObjectId| found.contains(object);
    let filter = ignored.filter().layers(mask);
    let others = world.explain(&question, filter).candidates.into_iter();
    candidates.extend(others.filter(|one| !is_blocker(&one.object)).map(|one| {
        let (verdict, why) = match one.verdict {
            // By the rule of rays it is hit, and by that of sight it does not block.
            Verdict::Answer | Verdict::Farther | Verdict::Tie => (
                Verdict::OutOfRange,
                "only touched, or met at an end, or the triangle that an end is on".to_owned(),
            ),
            other => (other, one.why),
        };
        NamedCandidate::at(scene, (one.object, one.triangle), one.t, verdict, why)
    }));
    candidates
}
