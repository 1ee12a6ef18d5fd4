//! An object that turns while it moves among the others.
//!
//! Each piece of the mover against each of an obstacle is a turning cast of its own, about the pivot that all share.
//! The trees of both are walked together (`world/piece_tree/`), the pairs of boxes that may come near first, and none
//! later than the earliest hit so far. Boxes only cull: what a pair answers does not depend on the trees.

use super::object_cast::EVERYTHING;
use super::turning_cast::Found;
use crate::narrow_phase::turning_cast::object_motion::ObjectMotion;
use crate::narrow_phase::turning_cast::search::PieceFound;
use crate::parallel::answer_chunks;
use crate::query::filter::QueryFilter;
use crate::sorting::{ordered_bits, sort_by_rank};
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::world::piece_tree::{PairSearch, Piece, PieceTree, walk_pairs};
use crate::world::turning_object_cast::{TurningObjectCast, TurningObjectHit};
use crate::{Aabb, ShapeCast, Sides, TriangleId, TurningCast};
use core::ops::ControlFlow;
use glam::DVec3;

/// The number of casts a task: each takes long.
const CASTS_A_TASK: usize = 4;

impl Snapshot {
    /// What an object that turns while it moves comes to first of all other objects that `filter` accepts, or `None`:
    /// then it overlaps nothing at any time. It moves with all its parts, and is no obstacle itself.
    ///
    /// Each pair of a triangle or solid of the mover and one of an obstacle is a turning cast of its own, about one
    /// pivot ([`Primitive::cast_turning`](crate::Primitive::cast_turning)); surfaces have no inside, so a mesh that is
    /// wholly inside another comes to nothing of it. The least t answers, then what is decided, then the object that
    /// was added first, an overlap, the lowest triangle of the obstacle, and of the mover. No contact is suppressed.
    ///
    /// A mover that is one solid is answered as [`Snapshot::cast_turning`] answers for that solid. Terrain does not
    /// move: it comes to nothing, as does an object that is not there.
    ///
    /// ```
    /// use hitscan::{Aabb, ObjectCast, TriMesh, TurningStatus, World, glam::Vec3};
    /// // A gate of two triangles swings about its left edge, with a post behind it.
    /// let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    /// let gate = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    /// let mut world = World::new();
    /// let gate = world.add(gate);
    /// let post = world.add(Aabb::new([-0.25, 0.0, -2.0], [0.25, 3.0, -1.0])?);
    /// world.update();
    /// let swing = ObjectCast::new(gate, [0.0; 3])?
    ///     .turning([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_2)?
    ///     .about([0.0; 3])?;
    /// let hit = world.now().cast_turning_object(&swing, ()).expect("the post is in the way");
    /// assert_eq!((hit.object, hit.status), (Some(post), TurningStatus::Hit));
    /// assert!(hit.t > 0.8 && hit.t < 0.9 && hit.mover_triangle.is_some());
    /// # Ok::<(), hitscan::Error>(())
    /// ```
    #[must_use]
    pub fn cast_turning_object<'f>(
        &self,
        cast: &TurningObjectCast,
        filter: impl Into<QueryFilter<'f>>,
    ) -> Option<TurningObjectHit> {
        self.first_turning_object_hit(cast, filter.into())
    }

    /// [`Snapshot::cast_turning_object`] for each object that turns, in order; on the threads of rayon's current pool
    /// where the feature `parallel` is on.
    #[must_use]
    pub fn cast_turning_objects<'f>(
        &self,
        casts: &[TurningObjectCast],
        filter: impl Into<QueryFilter<'f>>,
    ) -> Vec<Option<TurningObjectHit>> {
        let filter = filter.into();
        let mut answers = vec![None; casts.len()];
        answer_chunks(casts, &mut answers, CASTS_A_TASK, |casts, answers| {
            for (cast, answer) in casts.iter().zip(answers) {
                *answer = self.first_turning_object_hit(cast, filter);
            }
        });
        answers
    }

    fn first_turning_object_hit(
        &self,
        cast: &TurningObjectCast,
        filter: QueryFilter<'_>,
    ) -> Option<TurningObjectHit> {
        let plain = cast.cast();
        if cast.angle() == 0.0 {
            let hit = self.first_object_hit(plain, (Sides::Both, filter).into())?;
            return Some(TurningObjectHit::of_plain(hit));
        }
        if plain.is_empty() {
            return None;
        }
        let filter = match plain.mover().object() {
            Some(object) => filter.without_mover(object),
            None => filter,
        };
        let mover = self.mover(&plain.mover().0)?;
        match &mover.shape {
            Shape::HeightField(_) => None,
            Shape::Primitive(solid) => {
                let shape = ShapeCast::new_or_empty(solid.get(), plain.motion());
                let shape = TurningCast::of_checked(shape, cast.axis(), cast.angle());
                let shape = shape.with_turn(|turn| {
                    turn.pivot = cast.pivot().unwrap_or(turn.pivot);
                    turn.tolerance = cast.tolerance().unwrap_or(turn.tolerance);
                });
                self.first_turning_hit(&shape, filter).map(Into::into)
            }
            Shape::Instance(_) | Shape::Compound(_) => {
                let tree = PieceTree::of_object(&mover, EVERYTHING);
                let turn = cast.turn(|| bounds_of(&tree));
                let moving = Turning {
                    snapshot: self,
                    motion: ObjectMotion::new(plain.motion().as_dvec3(), &turn),
                    is_compound: matches!(mover.shape, Shape::Compound(_)),
                    bounds: ends_of(&mover.culling_bounds()?),
                    tree,
                    filter,
                };
                moving.first_hit()
            }
        }
    }
}

/// A mover of many pieces, and the objects among which it turns.
struct Turning<'a> {
    snapshot: &'a Snapshot,
    tree: PieceTree<'a>,
    is_compound: bool,
    /// The corners of a box around all pieces at the start.
    bounds: [DVec3; 2],
    motion: ObjectMotion,
    filter: QueryFilter<'a>,
}

/// What a pair of pieces comes to, and the mover's piece.
#[derive(Clone, Copy)]
struct PairOfPieces {
    obstacle: PieceFound,
    mover: TriangleId,
}

impl Turning<'_> {
    fn first_hit(&self) -> Option<TurningObjectHit> {
        let mut best: Option<(Found, TriangleId)> = None;
        for (earliest, slot) in self.targets() {
            let latest = best.map_or(1.0, |(first, _)| first.piece.pair.t);
            if earliest >= f64::from(latest.next_up()) {
                break;
            }
            // Where the work is limited the answer is thrown away.
            let found = self.snapshot.with_object(slot, &self.filter, |object| {
                let first = self.first_of(object, latest)?;
                let place = self.snapshot.place_of(object.id, self.filter);
                let found = Found {
                    piece: first.obstacle,
                    object: object.id,
                    place,
                };
                Some((found, first.mover))
            });
            if let Some(found) = found.flatten()
                && best.is_none_or(|(best, _)| found.0.is_before(&best))
            {
                best = Some(found);
            }
        }
        let (found, mover) = best?;
        let (object, user_data) = self.snapshot.tagged(found.object);
        Some(TurningObjectHit {
            object: Some(object),
            user_data,
            mover_triangle: match self.tree.piece_of(mover)? {
                Piece::Triangle(triangle) => Some(triangle.id),
                Piece::Solid(part, _) if self.is_compound => TriangleId::in_part(None, part),
                Piece::Solid(..) => None,
            },
            ..found.piece.hit().into()
        })
    }

    /// The objects that the mover may come to, those that it may come to first in front.
    fn targets(&self) -> Vec<(f64, u32)> {
        let [min, max] = self.motion.swept_box(&self.bounds);
        let mut targets = Vec::new();
        // Where the work is limited the answer is thrown away.
        let _ = self.snapshot.tree().touching((min, max), |slot| {
            self.filter.step()?;
            let earliest = self.snapshot.with_object(slot, &self.filter, |object| {
                let bounds = ends_of(&object.culling_bounds()?);
                self.motion.earliest([&self.bounds, &bounds])
            });
            targets.extend(earliest.flatten().map(|earliest| (earliest, slot)));
            ControlFlow::Continue(())
        });
        sort_by_rank(&mut targets, |(earliest, slot)| {
            [ordered_bits(*earliest), u64::from(*slot), 0]
        });
        targets
    }

    fn first_of(&self, object: &Object, latest: f32) -> Option<PairOfPieces> {
        let mut search = FirstPair {
            motion: &self.motion,
            filter: &self.filter,
            is_compound: matches!(object.shape, Shape::Compound(_)),
            latest,
            first: None,
        };
        let tree = PieceTree::of_object(object, &self.filter);
        // Where the work is limited the answer is thrown away.
        let _ = walk_pairs((&self.tree, &tree), &mut search);
        Some(search.first?.0)
    }
}

/// A walk of two trees to the pair that answers.
struct FirstPair<'a> {
    motion: &'a ObjectMotion,
    filter: &'a QueryFilter<'a>,
    /// Whether the obstacle is a compound, whose solids are its parts.
    is_compound: bool,
    /// Nothing later counts.
    latest: f32,
    /// With the obstacle's piece.
    first: Option<(PairOfPieces, TriangleId)>,
}

impl PairSearch for FirstPair<'_> {
    fn lower_bound(&self, boxes: [&[DVec3; 2]; 2]) -> Option<f64> {
        self.motion.earliest(boxes)
    }

    fn admits(&self, bound: f64) -> bool {
        // What comes near later may be reported at `latest` too, as times are rounded down.
        bound < f64::from(self.latest.next_up())
    }

    fn visit(&mut self, [mover, obstacle]: [&Piece<'_>; 2], _: f64) -> ControlFlow<()> {
        self.filter.step()?;
        if mover.is_degenerate() {
            return ControlFlow::Continue(());
        }
        let pieces = [&mover.convex(), &obstacle.convex()];
        let Some(pair) = self.motion.meet(pieces, self.latest) else {
            return ControlFlow::Continue(());
        };
        let id = match obstacle {
            Piece::Triangle(triangle) => Some(triangle.id),
            Piece::Solid(part, _) if self.is_compound => TriangleId::in_part(None, *part),
            Piece::Solid(..) => None,
        };
        let found = PairOfPieces {
            obstacle: PieceFound { id, pair },
            mover: mover.id(),
        };
        let is_first = self.first.is_none_or(|(best, its_obstacle)| {
            let ranks = [(obstacle.id(), mover.id()), (its_obstacle, best.mover)];
            found
                .obstacle
                .time_order(&best.obstacle)
                .then(ranks[0].cmp(&ranks[1]))
                .is_lt()
        });
        if is_first {
            self.latest = pair.t;
            self.first = Some((found, obstacle.id()));
        }
        ControlFlow::Continue(())
    }
}

/// The corners of the box around all pieces of a tree.
fn bounds_of(tree: &PieceTree<'_>) -> [DVec3; 2] {
    let mut bounds = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    tree.for_each_in(&|_| true, &mut |piece| {
        let convex = piece.convex();
        let [low, high] = convex.core.bounds();
        bounds = [
            bounds[0].min(low - convex.radius),
            bounds[1].max(high + convex.radius),
        ];
    });
    bounds
}

fn ends_of(bounds: &Aabb) -> [DVec3; 2] {
    [bounds.min().as_dvec3(), bounds.max().as_dvec3()]
}
