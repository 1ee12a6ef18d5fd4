//! Candidates of an object that moves: from any side, and as if every overlap stopped it.

use super::candidates::{
    Answered, BySurfaceObject, CandidateQuery, RawCandidate, Scope, candidates,
};
use super::explanation::Candidate;
use super::question::Hits;
use super::shape_cast::{self, refusal};
use crate::narrow_phase::shape_cast::ShapeCast;
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::world::object_cast::{ObjectCast, ObjectHit};
use crate::world::piece_tree::PieceTree;
use crate::world::query::object_cast::{PairCast, encountered_pieces};
use crate::world::query::surface_pieces::SurfacePieces;
use crate::{Aabb, Sides, TriangleId};
use glam::DVec3;

impl Snapshot {
    /// Explains what an object that moves hits: for each other object its candidates, each triangle and each solid,
    /// when, and why it is the answer or is not; as [`Snapshot::explain`] does for shapes. `hits` says whether
    /// [`Snapshot::cast_object`] is explained or [`Snapshot::cast_object_all`]. A triangle or solid that several pieces
    /// of the mover meet is a candidate once.
    ///
    /// ```
    /// use hitscan::explain::{Hits, Verdict};
    /// use hitscan::{Aabb, ObjectCast, Sides, Sphere, World};
    /// let mut world = World::new();
    /// let ball = world.add(Sphere::new([0.0; 3], 1.0)?);
    /// let wall = world.add(Aabb::new([3.0, -2.0, -2.0], [4.0, 2.0, 2.0])?);
    /// world.update();
    /// let roll = ObjectCast::new(ball, [8.0, 0.0, 0.0])?;
    /// let candidates = world.now().explain_object_cast(&roll, Sides::Both, Hits::Nearest, ());
    /// assert_eq!((candidates[0].object, candidates[0].verdict), (wall, Verdict::Answer));
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn explain_object_cast<'f>(
        &self,
        cast: &ObjectCast,
        sides: Sides,
        hits: Hits,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Candidate> {
        self.candidates_of_mover(cast, sides, hits, filter.into())
    }

    fn candidates_of_mover(
        &self,
        cast: &ObjectCast,
        sides: Sides,
        hits: Hits,
        filter: QueryFilter<'_>,
    ) -> Vec<Candidate> {
        let source = &cast.mover().0;
        let Some(mover) = self.mover(source).filter(|_| !cast.is_empty()) else {
            return Vec::new();
        };
        let filter = match cast.mover().object() {
            Some(object) => filter.without_mover(object),
            None => filter,
        };
        if let Shape::Primitive(solid) = &mover.shape {
            let shape = ShapeCast::new_or_empty(solid.get(), cast.motion());
            let shape = shape.with_initial_overlap(cast.initial_overlap());
            let found = match hits {
                Hits::Nearest => Vec::from_iter(self.cast_shape(&shape, (sides, filter))),
                Hits::All => self.cast_shape_all(&shape, (sides, filter)),
            };
            return shape_cast::candidates_of(self, &shape, sides, (hits, &found), &filter);
        }
        let (scope, found) = match hits {
            Hits::Nearest => (
                Scope::World,
                Vec::from_iter(self.cast_object(cast, (sides, filter))),
            ),
            Hits::All => (Scope::Object, self.cast_object_all(cast, (sides, filter))),
        };
        let answers: Vec<Answered> = found.iter().map(answered).collect();
        let Some(bounds) = mover.bounds() else {
            return Vec::new();
        };
        let query = ObjectCastCandidates {
            tree: PieceTree::of_object(&mover, EVERYTHING),
            cast: PairCast::new(cast.motion().as_dvec3(), cast.initial_overlap(), sides),
            bounds: corners(&bounds),
        };
        candidates(self, &query, (&answers, scope), &filter)
    }
}

/// None of the mover's own parts is excluded.
const EVERYTHING: &QueryFilter<'static> = &QueryFilter::new();

fn answered(hit: &ObjectHit) -> Answered {
    Answered {
        object: hit.object,
        triangle: hit.triangle,
        t: hit.t,
    }
}

fn corners(bounds: &Aabb) -> [DVec3; 2] {
    [bounds.min().as_dvec3(), bounds.max().as_dvec3()]
}

struct ObjectCastCandidates<'a> {
    tree: PieceTree<'a>,
    cast: PairCast,
    bounds: [DVec3; 2],
}

impl CandidateQuery for ObjectCastCandidates<'_> {
    fn name(&self) -> &'static str {
        "the mover on its way"
    }

    fn number(&self) -> &'static str {
        "t"
    }

    fn collect(&self, object: &Object, filter: &QueryFilter<'_>, found: &mut Vec<RawCandidate>) {
        let obstacles = PieceTree::of_object(object, filter);
        let met = encountered_pieces(&self.cast, (&self.tree, &obstacles), filter);
        found.extend(met.into_iter().map(|(piece, met)| RawCandidate {
            triangle: match &object.shape {
                Shape::Primitive(_) => None,
                Shape::Compound(compound) if compound.solid(piece.part).is_some() => {
                    TriangleId::in_part(None, piece.part)
                }
                Shape::Compound(_) | Shape::HeightField(_) | Shape::Instance(_) => Some(piece),
            },
            t: met.t,
            refusal: refusal(met.outcome),
        }));
    }

    fn collect_surface(
        &self,
        pieces: &SurfacePieces<'_>,
        filter: &QueryFilter<'_>,
    ) -> Option<BySurfaceObject> {
        let obstacles = PieceTree::of_members(pieces.objects(), filter);
        let mut found = BySurfaceObject::new();
        for (piece, met) in encountered_pieces(&self.cast, (&self.tree, &obstacles), filter) {
            let (object, triangle) = pieces.own(piece);
            found.entry(object.id).or_default().push(RawCandidate {
                triangle: Some(triangle),
                t: met.t,
                refusal: refusal(met.outcome),
            });
        }
        Some(found)
    }

    fn touches_box(&self, bounds: &Aabb) -> bool {
        self.cast
            .earliest_touch([&self.bounds, &corners(bounds)])
            .is_some()
    }
}
