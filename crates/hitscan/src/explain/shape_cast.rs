//! Candidates of a moving shape: from any side, and as if every overlap stopped it.

use super::candidates::{
    Answered, BySurfaceObject, CandidateQuery, RawCandidate, Scope, candidates, collect_parts,
    collect_surface_parts,
};
use super::explanation::{Candidate, Verdict};
use super::question::Hits;
use crate::narrow_phase::contact::triangle_source::TriangleSource;
use crate::narrow_phase::convex::Convex;
use crate::narrow_phase::shape_cast::every_encounter::{EncounterOutcome, Encountered};
use crate::narrow_phase::shape_cast::prepared::PreparedCast;
use crate::narrow_phase::shape_cast::{InitialOverlap, ShapeCast, ShapeHit};
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::world::query::surface_pieces::SurfacePieces;
use crate::{Aabb, Primitive, Side, Sides, TriangleId};

pub(super) fn candidates_of(
    snapshot: &Snapshot,
    cast: &ShapeCast,
    sides: Sides,
    (hits, found): (Hits, &[ShapeHit]),
    filter: &QueryFilter<'_>,
) -> Vec<Candidate> {
    let scope = match hits {
        Hits::Nearest => Scope::World,
        Hits::All => Scope::Object,
    };
    let stopping = cast.clone().with_initial_overlap(InitialOverlap::Stop);
    if cast.is_empty() {
        return Vec::new();
    }
    let answers: Vec<Answered> = found.iter().map(answered).collect();
    let query = ShapeCastCandidates {
        cast: PreparedCast::new(cast, sides),
        stopping: PreparedCast::new(&stopping, Sides::Both),
    };
    candidates(snapshot, &query, (&answers, scope), filter)
}

fn answered(hit: &ShapeHit) -> Answered {
    Answered {
        object: hit.object,
        triangle: hit.triangle,
        t: hit.t,
    }
}

/// A move, and the same where every overlap stops the shape.
struct ShapeCastCandidates<'a> {
    cast: PreparedCast<'a>,
    stopping: PreparedCast<'a>,
}

impl ShapeCastCandidates<'_> {
    fn of_solid(&self, solid: &Primitive) -> Option<RawCandidate> {
        if let Some(hit) = self.stopping.first_primitive(solid) {
            let is_left = self.cast.first_primitive(solid).is_none();
            return Some(RawCandidate {
                triangle: None,
                t: hit.t(),
                refusal: is_left
                    .then(|| refusal(EncounterOutcome::Escaped))
                    .flatten(),
            });
        }
        let t = self.cast.touch(&Convex::from(solid))?;
        Some(RawCandidate {
            triangle: None,
            t,
            refusal: refusal(EncounterOutcome::Touched),
        })
    }
}

impl CandidateQuery for ShapeCastCandidates<'_> {
    fn name(&self) -> &'static str {
        "the shape on its way"
    }

    fn number(&self) -> &'static str {
        "t"
    }

    fn collect(&self, object: &Object, filter: &QueryFilter<'_>, found: &mut Vec<RawCandidate>) {
        let met = |source: &dyn TriangleSource| self.cast.met_triangles(source);
        let mut add = |triangles: Vec<Encountered>| {
            found.extend(triangles.iter().map(|one| encountered(one, one.id)));
        };
        if let Some(instance) = object.shape.meshes() {
            add(filter.with_source(&instance.parts(), met));
        }
        match &object.shape {
            Shape::HeightField(field) => add(filter.with_source(&**field, met)),
            Shape::Instance(_) => {}
            Shape::Primitive(solid) => found.extend(self.of_solid(&solid.get())),
            Shape::Compound(compound) => {
                let parts = compound.seen(object.id, filter);
                collect_parts(parts, |solid| self.of_solid(solid), found);
            }
        }
    }

    fn collect_surface(
        &self,
        pieces: &SurfacePieces<'_>,
        filter: &QueryFilter<'_>,
    ) -> Option<BySurfaceObject> {
        let mut found = BySurfaceObject::new();
        for one in filter.with_source(pieces, |source| self.cast.met_triangles(source)) {
            let (object, triangle) = pieces.own(one.id);
            let of_object = found.entry(object.id).or_default();
            of_object.push(encountered(&one, triangle));
        }
        collect_surface_parts((pieces, filter), |solid| self.of_solid(solid), &mut found);
        Some(found)
    }

    fn touches_box(&self, bounds: &Aabb) -> bool {
        self.of_solid(&Primitive::from(*bounds)).is_some()
    }
}

/// An encountered triangle, as its object numbers it.
fn encountered(one: &Encountered, triangle: TriangleId) -> RawCandidate {
    RawCandidate {
        triangle: Some(triangle),
        t: one.t,
        refusal: refusal(one.outcome),
    }
}

pub(super) fn refusal(outcome: EncounterOutcome) -> Option<(Verdict, String)> {
    let (verdict, why) = match outcome {
        EncounterOutcome::Counts => return None,
        EncounterOutcome::Touched => (
            Verdict::Separating,
            "it is only touched, and not approached",
        ),
        EncounterOutcome::Escaped => (
            Verdict::Separating,
            "the shape overlaps it at the start, and the motion leads out",
        ),
        EncounterOutcome::Suppressed => (
            Verdict::InternalEdge,
            "the edge or corner is internal, flat or concave: a neighbouring triangle continues beyond it",
        ),
        EncounterOutcome::WrongSide(Side::Front) => (
            Verdict::WrongSide,
            "its front faces the motion, and only backs are asked for",
        ),
        EncounterOutcome::WrongSide(_) => (
            Verdict::WrongSide,
            "its back faces the motion, and only fronts are asked for",
        ),
    };
    Some((verdict, why.to_owned()))
}
