//! The candidates of all objects: collected, ordered, and classified beside the answer.

use super::explanation::{Candidate, Verdict};
use crate::narrow_phase::ray_cast::hit::triangle_rank;
use crate::query::filter::{FilteredBy, QueryFilter};
use crate::sorting::{Rank, ordered_pair, sort_by_rank};
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::world::placed_compound::SeenParts;
use crate::world::query::surface_pieces::{Near, SurfacePieces};
use crate::{Aabb, ObjectId, Primitive, TriangleId};
use std::collections::BTreeMap;

/// A candidate of an object, before it is classified.
pub(super) struct RawCandidate {
    pub(super) triangle: Option<TriangleId>,
    pub(super) t: f32,
    /// Why it does not count; `None` where it does, and the answer decides.
    pub(super) refusal: Option<(Verdict, String)>,
}

impl RawCandidate {
    /// A hole of a terrain.
    pub(super) fn hole(t: f32, triangle: u32) -> Self {
        let why = "a hole: the triangle has a corner without height".to_owned();
        Self {
            triangle: Some(TriangleId { part: 0, triangle }),
            t,
            refusal: Some((Verdict::Hole, why)),
        }
    }
}

/// Collects the candidates of a compound: those of each part, as a solid alone has them.
pub(super) fn collect_parts<C: IntoIterator<Item = RawCandidate>>(
    parts: SeenParts<'_>,
    of_solid: impl Fn(&Primitive) -> C,
    found: &mut Vec<RawCandidate>,
) {
    for (part, solid) in parts.all() {
        found.extend(of_solid(solid).into_iter().map(|candidate| RawCandidate {
            triangle: TriangleId::in_part(candidate.triangle, part),
            ..candidate
        }));
    }
}

/// As [`collect_parts`], of all compounds of a surface.
pub(super) fn collect_surface_parts<C: IntoIterator<Item = RawCandidate>>(
    (pieces, filter): (&SurfacePieces<'_>, &QueryFilter<'_>),
    of_solid: impl Fn(&Primitive) -> C,
    found: &mut BySurfaceObject,
) {
    for (object, seen, _) in pieces.compounds(filter) {
        collect_parts(seen, &of_solid, found.entry(object.id).or_default());
    }
}

/// What a query is called in sentences, and how it collects candidates.
pub(super) trait CandidateQuery {
    /// `the ray`, say.
    fn name(&self) -> &'static str;

    /// What the number is by which candidates are in order.
    fn number(&self) -> &'static str;

    /// Appends the candidates of an object: what the query hits where its limits do not count. The object's
    /// triangles are looked at as far as the filter's limit on work lets it.
    fn collect(&self, object: &Object, filter: &QueryFilter<'_>, found: &mut Vec<RawCandidate>);

    /// The candidates of the objects of a surface, by object, where they are one object to the query.
    fn collect_surface(
        &self,
        _pieces: &SurfacePieces<'_>,
        _filter: &QueryFilter<'_>,
    ) -> Option<BySurfaceObject> {
        None
    }

    /// Whether the query touches an object's box where its limits do not count.
    fn touches_box(&self, bounds: &Aabb) -> bool;
}

/// The candidates of a surface, by object.
pub(super) type BySurfaceObject = BTreeMap<ObjectId, Vec<RawCandidate>>;

/// One of the answers: what it is of, and its t.
pub(super) struct Answered {
    pub(super) object: Option<ObjectId>,
    pub(super) triangle: Option<TriangleId>,
    pub(super) t: f32,
}

/// A number for each object and triangle.
fn key(object: Option<ObjectId>, triangle: Option<TriangleId>) -> Rank {
    let [order, number] = object.map_or([0; 2], |id| {
        let [order, number] = id.rank();
        [order, number + 1]
    });
    [order, number, triangle_rank(triangle)]
}

/// Which answers go before a candidate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Those of all objects.
    World,
    /// Those of the same object, where each object has its own; those of a surface are one.
    Object,
}

/// The candidates of `query`, to which the plain query gave the answers.
pub(super) fn candidates(
    snapshot: &Snapshot,
    query: &dyn CandidateQuery,
    (answers, scope): (&[Answered], Scope),
    filter: &QueryFilter<'_>,
) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut missed = Vec::new();
    let mut found = Vec::new();
    let keys = answers
        .iter()
        .map(|answer| key(answer.object, answer.triangle));
    let mut answering: Vec<_> = keys.collect();
    sort_by_rank(&mut answering, |key| *key);
    let mut of_surfaces = BTreeMap::new();
    for object in snapshot.state().objects() {
        if filter.step().is_break() {
            break;
        }
        if let Some(reason) = filter.filtered_by(object.id, object.layers) {
            let why = reason.name().to_owned();
            missed.push(without_t(object.id, Verdict::Filtered(reason), why));
            continue;
        }
        let of_surface = snapshot.surface_of(object.id).and_then(|surface| {
            let collected = of_surfaces.entry(surface).or_insert_with(|| {
                let pieces = snapshot.surface_pieces(surface, Near::Everything, filter);
                query.collect_surface(&pieces, filter)
            });
            let of_object = collected.as_mut()?.remove(&object.id);
            Some(of_object.unwrap_or_default())
        });
        match of_surface {
            Some(of_object) => found.extend(of_object),
            None => query.collect(object, filter, &mut found),
        }
        if found.is_empty() {
            missed.push(classify_missed(query, object));
        }
        missed.extend(hidden_parts(object, filter));
        let classify = |found: RawCandidate| {
            let key = key(Some(object.id), found.triangle);
            let is_answer = answering.binary_search(&key).is_ok();
            let is_own = |other| snapshot.are_one(object.id, other);
            classify(
                query,
                (object.id, found),
                is_answer,
                (answers, scope, &is_own),
            )
        };
        candidates.extend(found.drain(..).map(classify));
    }
    sort_by_rank(&mut candidates, |one| {
        let t = one.t.unwrap_or(f32::INFINITY);
        let triangle = triangle_rank(one.triangle);
        let first = ordered_pair(t, one.object.order_key());
        [first, one.object.number(), triangle]
    });
    candidates.append(&mut missed);
    candidates
}

/// The parts of a compound that the filter leaves out.
fn hidden_parts(object: &Object, filter: &QueryFilter<'_>) -> Vec<Candidate> {
    let Shape::Compound(compound) = &object.shape else {
        return Vec::new();
    };
    let all = compound.named_parts();
    let hidden = all.filter(|(part, _)| !filter.sees_part(object.id, *part));
    let reason = FilteredBy::Excluded;
    hidden
        .map(|(part, _)| Candidate {
            triangle: TriangleId::in_part(None, part),
            ..without_t(
                object.id,
                Verdict::Filtered(reason),
                reason.name().to_owned(),
            )
        })
        .collect()
}

fn classify_missed(query: &dyn CandidateQuery, object: &Object) -> Candidate {
    let (verdict, why) = match object.bounds() {
        None => (
            Verdict::BoxMissed,
            "nothing of the object is there".to_owned(),
        ),
        Some(bounds) if query.touches_box(&bounds) => {
            let why = format!("{} meets the object's box, and nothing in it", query.name());
            (Verdict::Missed, why)
        }
        Some(_) => {
            let why = format!("{} does not meet the object's box", query.name());
            (Verdict::BoxMissed, why)
        }
    };
    without_t(object.id, verdict, why)
}

fn classify(
    query: &dyn CandidateQuery,
    (object, found): (ObjectId, RawCandidate),
    is_answer: bool,
    beside: Beside<'_>,
) -> Candidate {
    let RawCandidate {
        triangle,
        t,
        refusal,
    } = found;
    let (verdict, why) = if is_answer {
        (Verdict::Answer, String::new())
    } else if let Some(refusal) = refusal {
        refusal
    } else {
        classify_beside(query.number(), beside, object, t)
    };
    Candidate {
        object,
        triangle,
        t: Some(t),
        verdict,
        why,
    }
}

/// The answers, which of them go before a candidate, and which objects are one with the candidate's.
type Beside<'a> = (&'a [Answered], Scope, &'a dyn Fn(ObjectId) -> bool);

/// The verdict on something that counts, and is no answer.
fn classify_beside(
    number: &str,
    (answers, scope, is_own): Beside<'_>,
    object: ObjectId,
    t: f32,
) -> (Verdict, String) {
    let mut before = answers
        .iter()
        .filter(|answer| scope == Scope::World || answer.object.is_some_and(is_own));
    if let Some(tied) = before.clone().find(|answer| answer.t == t) {
        let order = match tied.object == Some(object) {
            true => "a triangle of the same object that goes first",
            false if tied.object.is_some_and(is_own) => {
                "a triangle of the same surface that goes first"
            }
            false => "an object that goes first",
        };
        return (
            Verdict::Tie,
            format!("the answer at this {number} is of {order}"),
        );
    }
    let before = before.rfind(|answer| answer.t < t);
    let why = before.map_or_else(String::new, |answer| {
        format!("the answer is at {number} = {}", answer.t)
    });
    (Verdict::Farther, why)
}

fn without_t(object: ObjectId, verdict: Verdict, why: String) -> Candidate {
    Candidate {
        object,
        triangle: None,
        t: None,
        verdict,
        why,
    }
}
