//! An object of the world, or a shape that is in none, moved among the others.
//!
//! Each pair of a triangle or solid of the mover and one of an obstacle is a shape cast of its own. The tree of the
//! mover and that of each obstacle are walked together (`world/piece_tree/`), pruned by the time at which two boxes
//! may touch, and the kernel of convex pairs decides what is left.

mod pair_cast;
mod tied_contacts;
mod neighbours;
mod start;
mod first_pair;
mod every_pair;
mod verbs;
mod shape_impacts;

pub(crate) use self::every_pair::encountered_pieces;
pub(crate) use self::pair_cast::PairCast;

use self::first_pair::{FirstPair, any_pair, first_pair};
use self::start::deepest;
use super::shape_cast::Limit;
use super::surface_pieces::{Near, SurfacePieces};
use crate::bvh::TraversalQuery;
use crate::narrow_phase::convex::{RestingContact, resting_contact};
use crate::narrow_phase::shape_cast::ShapeCast;
use crate::narrow_phase::shape_cast::prepared::CastContact;
use crate::query::filter::QueryFilter;
use crate::query::options::QueryOptions;
use crate::sorting::{ordered_bits, sort_by_rank};
use crate::world::Snapshot;
use crate::world::object::{Object, Shape};
use crate::world::object_cast::{MoverSource, ObjectCast, ObjectHit};
use crate::world::piece_tree::{Piece, PieceTree};
use crate::{ObjectId, Sides, StartState, SurfaceId, TriangleId};
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};
use std::borrow::Cow;

/// None of the mover's own parts is excluded.
pub(super) const EVERYTHING: &QueryFilter<'static> = &QueryFilter::new();

impl Snapshot {
    /// What moves, as it is in the snapshot.
    pub(crate) fn mover(&self, source: &MoverSource) -> Option<Cow<'_, Object>> {
        match source {
            MoverSource::InWorld(object) => self.object(*object),
            MoverSource::Placed(object) => Some(Cow::Owned(Object::clone(object))),
        }
    }

    /// The move of an object, as its answers need it: `answer_solid` answers for a mover that is one solid, and
    /// `answer` for all others. `None` for terrain, and where there is no such object.
    fn with_mover<'f, A>(
        &self,
        cast: &ObjectCast,
        options: QueryOptions<'f, Sides>,
        answer_solid: impl FnOnce(&ShapeCast, QueryOptions<'f, Sides>) -> A,
        answer: impl FnOnce(&Moving<'_>) -> A,
    ) -> Option<A> {
        if cast.is_empty() {
            return None;
        }
        let QueryOptions { settings, filter } = options;
        let filter = match cast.mover().object() {
            Some(object) => filter.without_mover(object),
            None => filter,
        };
        let mover = self.mover(&cast.mover().0)?;
        match &mover.shape {
            Shape::HeightField(_) => None,
            Shape::Primitive(solid) => {
                let shape = ShapeCast::new_or_empty(solid.get(), cast.motion());
                let shape = shape.with_initial_overlap(cast.initial_overlap());
                Some(answer_solid(&shape, QueryOptions { settings, filter }))
            }
            Shape::Instance(_) | Shape::Compound(_) => {
                let bounds = mover.culling_bounds()?;
                let motion = cast.motion().as_dvec3();
                let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
                Some(answer(&Moving {
                    snapshot: self,
                    tree: PieceTree::of_object(&mover, EVERYTHING),
                    is_compound: matches!(mover.shape, Shape::Compound(_)),
                    query: TraversalQuery::moving_box((min, max), motion, (0.0, 1.0)),
                    cast: PairCast::new(motion, cast.initial_overlap(), settings),
                    filter,
                }))
            }
        }
    }

    pub(super) fn first_object_hit(
        &self,
        cast: &ObjectCast,
        options: QueryOptions<'_, Sides>,
    ) -> Option<ObjectHit> {
        self.with_mover(
            cast,
            options,
            |shape, options| self.first_shape_hit(shape, options).map(ObjectHit::from),
            |moving| moving.first_hit(),
        )
        .flatten()
    }

    pub(super) fn is_object_hit(
        &self,
        cast: &ObjectCast,
        options: QueryOptions<'_, Sides>,
    ) -> bool {
        let is_hit = self.with_mover(
            cast,
            options,
            |shape, options| self.is_shape_hit(shape, options),
            |moving| moving.hits_any(),
        );
        is_hit.unwrap_or(false)
    }

    pub(super) fn object_hits(
        &self,
        cast: &ObjectCast,
        options: QueryOptions<'_, Sides>,
    ) -> Vec<ObjectHit> {
        let hits = self.with_mover(
            cast,
            options,
            |shape, options| {
                let hits = self.shape_hits(shape, options).into_iter();
                hits.map(ObjectHit::from).collect()
            },
            |moving| moving.all_hits(),
        );
        hits.unwrap_or_default()
    }
}

/// A mover that is more than one solid, and the objects among which it moves.
struct Moving<'a> {
    snapshot: &'a Snapshot,
    tree: PieceTree<'a>,
    is_compound: bool,
    /// Of the tree over the objects.
    query: TraversalQuery,
    cast: PairCast,
    filter: QueryFilter<'a>,
}

/// An obstacle: an object, or all objects of a surface.
#[derive(Clone, Copy)]
struct Target {
    slot: u32,
    surface: Option<SurfaceId>,
    /// What ties are decided by: the object, or the lowest of its surface.
    place: ObjectId,
}

/// The first hit with an obstacle.
struct Found {
    target: Target,
    t: f32,
    first: FirstPair,
}

/// The pieces of an obstacle, and the objects that they belong to.
struct Obstacle<'a> {
    tree: PieceTree<'a>,
    of: ObstacleKind<'a>,
}

enum ObstacleKind<'a> {
    Object(&'a Object),
    Surface(&'a SurfacePieces<'a>),
}

impl Moving<'_> {
    /// Visits the obstacles that the mover may touch until t, which the visitor answers anew.
    fn for_each_target(&self, mut visit: impl FnMut(Target) -> ControlFlow<(), f32>) {
        let mut searched: Vec<SurfaceId> = Vec::new();
        let mut limit = 1.0;
        // The visitor keeps what it found.
        let _ = self.snapshot.tree().cast(&self.query, limit, |slot| {
            self.filter.step()?;
            let seen = self
                .snapshot
                .id_and_layers(slot)
                .filter(|(id, layers)| self.filter.sees(*id, *layers));
            let Some((object, _)) = seen else {
                return ControlFlow::Continue(limit);
            };
            let surface = self.snapshot.surface_of(object);
            if let Some(surface) = surface {
                if searched.contains(&surface) {
                    return ControlFlow::Continue(limit);
                }
                searched.push(surface);
            }
            let place = match surface {
                Some(_) => self.snapshot.place_of(object, self.filter),
                None => object,
            };
            limit = visit(Target {
                slot,
                surface,
                place,
            })?;
            ControlFlow::Continue(limit)
        });
    }

    /// Reads the pieces of an obstacle.
    fn with_obstacle<A>(
        &self,
        target: &Target,
        read: impl FnOnce(&Obstacle<'_>) -> Option<A>,
    ) -> Option<A> {
        let filter = &self.filter;
        if let Some(surface) = target.surface {
            let pieces = (self.snapshot).surface_pieces(surface, Near::Cast(&self.query), filter);
            return read(&Obstacle {
                tree: PieceTree::of_members(pieces.objects(), filter),
                of: ObstacleKind::Surface(&pieces),
            });
        }
        let read = |object: &Object| {
            read(&Obstacle {
                tree: PieceTree::of_object(object, filter),
                of: ObstacleKind::Object(object),
            })
        };
        self.snapshot
            .with_object(target.slot, filter, read)
            .flatten()
    }

    fn find(&self, target: &Target, limit: f64) -> Option<FirstPair> {
        self.with_obstacle(target, |obstacle| {
            let trees = (&self.tree, &obstacle.tree);
            first_pair(&self.cast, trees, limit, &self.filter)
        })
    }

    fn first_hit(&self) -> Option<ObjectHit> {
        let mut best: Option<Found> = None;
        self.for_each_target(|target| {
            let best_so_far = best.as_ref().map(|found| (found.t, found.target.place));
            if let Some(limit) = Limit::of_order(best_so_far, target.place)
                && let Some(first) = self.find(&target, limit.latest())
            {
                let t = first.t();
                if limit.admits(t) {
                    best = Some(Found { target, t, first });
                }
            }
            ControlFlow::Continue(best.as_ref().map_or(1.0, |found| found.t))
        });
        self.answer(&best?)
    }

    /// The first hit with one obstacle.
    fn first_hit_with(&self, target: Target) -> Option<ObjectHit> {
        let first = self.find(&target, 1.0)?;
        let t = first.t();
        self.answer(&Found { target, t, first })
    }

    fn hits_any(&self) -> bool {
        let mut is_hit = false;
        self.for_each_target(|target| {
            let found = self.with_obstacle(&target, |obstacle| {
                Some(any_pair(
                    &self.cast,
                    (&self.tree, &obstacle.tree),
                    &self.filter,
                ))
            });
            is_hit |= found == Some(true);
            if is_hit {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(1.0)
            }
        });
        is_hit
    }

    fn all_hits(&self) -> Vec<ObjectHit> {
        let mut all = Vec::new();
        self.for_each_target(|target| {
            if let Some(first) = self.find(&target, 1.0) {
                let t = first.t();
                all.push(Found { target, t, first });
            }
            ControlFlow::Continue(1.0)
        });
        // No time is -0, so that bits are in the order of the numbers.
        sort_by_rank(&mut all, |found| {
            let [key, number] = found.target.place.rank();
            [ordered_bits(found.t.into()), key, number]
        });
        all.iter().filter_map(|found| self.answer(found)).collect()
    }

    /// The whole answer.
    fn answer(&self, Found { target, t, first }: &Found) -> Option<ObjectHit> {
        self.with_obstacle(target, |obstacle| {
            let [obstacle_id, mover_id] = first.rank;
            let (hit, moving) = (
                obstacle.tree.piece_of(obstacle_id)?,
                self.tree.piece_of(mover_id)?,
            );
            let resting = || resting_contact(&hit.convex(), &moving.convex());
            let overlap = || {
                deepest((&self.tree, &obstacle.tree), &self.filter)
                    .unwrap_or_else(|| start_of(&resting()))
            };
            let (normal, point, start) = match &first.contact {
                None => (Vec3::ZERO, resting().point(), overlap()),
                Some(contact @ CastContact::Stuck(own)) => {
                    (contact.normal(), own.point(), overlap())
                }
                Some(contact) => {
                    let start = if *t > 0.0 || contact.floor() > 0.0 {
                        StartState::Separate
                    } else {
                        start_of(&resting())
                    };
                    (contact.normal(), contact.touching_point(), start)
                }
            };
            let side = hit
                .triangle()
                .filter(|_| self.cast.motion != DVec3::ZERO)
                .map(|triangle| triangle.side(self.cast.motion));
            let (object, triangle) = obstacle.name(&hit);
            let (object, user_data) = self.snapshot.tagged(object);
            let mover_triangle = match moving {
                Piece::Triangle(triangle) => Some(triangle.id),
                Piece::Solid(part, _) if self.is_compound => TriangleId::in_part(None, part),
                Piece::Solid(..) => None,
            };
            Some(ObjectHit {
                t: *t,
                normal,
                point,
                start,
                side,
                object: Some(object),
                user_data,
                triangle,
                mover_triangle,
            })
        })
    }
}

impl Obstacle<'_> {
    /// The object that has a piece, and the piece as answers name it.
    fn name(&self, piece: &Piece<'_>) -> (ObjectId, Option<TriangleId>) {
        match (&self.of, piece) {
            (ObstacleKind::Surface(pieces), _) => {
                let (object, triangle) = pieces.own(piece.id());
                (object.id, Some(triangle))
            }
            (ObstacleKind::Object(object), Piece::Triangle(triangle)) => {
                (object.id, Some(triangle.id))
            }
            (ObstacleKind::Object(object), Piece::Solid(part, _)) => {
                let is_part = matches!(object.shape, Shape::Compound(_));
                let part = is_part.then(|| TriangleId::in_part(None, *part));
                (object.id, part.flatten())
            }
        }
    }
}

/// How two pieces lie that are at rest.
fn start_of(resting: &RestingContact) -> StartState {
    match resting.status() {
        core::cmp::Ordering::Less => StartState::Overlap {
            separation: resting.separation(),
            way_out: resting.normal(),
        },
        core::cmp::Ordering::Equal => StartState::Touching,
        core::cmp::Ordering::Greater => StartState::Separate,
    }
}
