//! A turning shape against the pieces of one object: spans of time are halved until the box of each holds few
//! pieces.
//!
//! Which spans there are, and which pieces are tested in each, depends on the pieces alone and not on a tree:
//! a piece counts where its own box touches that of the span.

use super::cast::TurningCast;
use super::hit::{TurningHit, TurningStatus};
use super::pair::{PairFound, Room, is_clear, meet};
use super::screw::Screw;
use crate::narrow_phase::contact::triangle_source::TriangleSource;
use crate::narrow_phase::convex::Convex;
use crate::narrow_phase::ray_cast::hit::TriangleId;
use core::cmp::Ordering;
use core::ops::ControlFlow;
use glam::DVec3;

/// Spans with more pieces than this are halved.
const FEW: usize = 12;

/// The way of a span that is not halved any more, by the size of the shape.
const SHORT: f64 = 0.25;

/// How often a span is halved at most.
const MAX_DEPTH: u32 = 12;

/// A triangle or solid of an object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'a> {
    /// The triangle, or the part of a compound.
    pub(crate) id: Option<TriangleId>,
    pub(crate) convex: Convex<'a>,
}

/// What visits pieces until it breaks.
pub(crate) type VisitPiece<'v, 'a> = &'v mut dyn FnMut(Piece<'a>) -> ControlFlow<()>;

/// Visits the pieces whose boxes touch the one between two corners, and perhaps others.
pub(crate) type PiecesIn<'s, 'a> = &'s dyn Fn([DVec3; 2], VisitPiece<'_, 'a>);

/// What of one object a turning shape comes to first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PieceFound {
    pub(crate) id: Option<TriangleId>,
    pub(crate) pair: PairFound,
}

impl PieceFound {
    /// Whether it goes before another piece of the object: by time, then the lowest part and triangle.
    pub(crate) fn is_before(&self, other: &Self) -> bool {
        let number = |found: &Self| found.id.map(|id| (id.part, id.triangle));
        let order = self.time_order(other);
        order.then(number(self).cmp(&number(other))).is_lt()
    }

    /// The earlier, an overlap before a hit, either before what is undecided.
    pub(crate) fn time_order(&self, other: &Self) -> Ordering {
        let rank = |found: &Self| match found.pair.status {
            TurningStatus::Overlap => 0,
            TurningStatus::Hit => 1,
            TurningStatus::Undecided => 2,
        };
        (self.pair.t.total_cmp(&other.pair.t)).then(rank(self).cmp(&rank(other)))
    }

    /// The answer, without an object.
    pub(crate) fn hit(&self) -> TurningHit {
        let PairFound {
            status,
            t,
            gap,
            normal,
            point,
        } = self.pair;
        TurningHit {
            status,
            t,
            gap,
            normal,
            point,
            object: None,
            user_data: 0,
            triangle: self.id,
        }
    }
}

/// A turning cast, prepared for many objects.
#[derive(Debug)]
pub(crate) struct PreparedTurning<'a> {
    screw: Screw<'a>,
}

impl<'a> PreparedTurning<'a> {
    pub(crate) fn new(cast: &'a TurningCast) -> Self {
        let (shape, motion) = (cast.cast().shape().into(), cast.cast().motion());
        Self {
            screw: Screw::new(shape, motion.as_dvec3(), cast.turn()),
        }
    }

    /// The corners of a box around all that the shape passes.
    pub(crate) fn reach(&self) -> [DVec3; 2] {
        self.screw.swept_box([0.0, 1.0])
    }

    /// What the shape comes to first of an object, no later than `latest`.
    pub(crate) fn first_of(&self, pieces: PiecesIn<'_, '_>, latest: f32) -> Option<PieceFound> {
        let mut search = Search {
            screw: &self.screw,
            pieces,
            latest,
            short_way: SHORT * self.screw.size(),
            first: None,
            room: Room::default(),
        };
        search.span([0.0, 1.0], 0);
        search.first
    }

    /// As [`Self::first_of`], of an object of triangles.
    pub(crate) fn first_triangle(
        &self,
        source: &dyn TriangleSource,
        latest: f32,
    ) -> Option<PieceFound> {
        let pieces = |[min, max]: [DVec3; 2], visit: VisitPiece<'_, '_>| {
            let _ = source.for_each_in(min, max, &mut |triangle| {
                visit(Piece {
                    id: Some(triangle.id),
                    convex: triangle.convex(),
                })
            });
        };
        self.first_of(&pieces, latest)
    }

    /// As [`Self::first_of`], of one piece.
    pub(crate) fn first_single<'p>(&self, piece: Piece<'p>, latest: f32) -> Option<PieceFound> {
        let pieces = |_: [DVec3; 2], visit: VisitPiece<'_, 'p>| {
            let _ = visit(piece);
        };
        self.first_of(&pieces, latest)
    }
}

struct Search<'s, 'a> {
    screw: &'s Screw<'s>,
    pieces: PiecesIn<'s, 'a>,
    /// Nothing later counts.
    latest: f32,
    /// A span in which no corner goes further is not halved.
    short_way: f64,
    first: Option<PieceFound>,
    room: Room,
}

impl<'a> Search<'_, 'a> {
    fn span(&mut self, span: [f64; 2], depth: u32) {
        let [first, last] = span;
        if first > f64::from(self.latest.next_up()) {
            return;
        }
        let swept = self.screw.swept_box(span);
        let is_whole = depth >= MAX_DEPTH || self.screw.longest_way(span) <= self.short_way;
        let (mut near, mut is_many) = (Vec::new(), false);
        self.room.pose_at(self.screw, first);
        let (screw, room) = (self.screw, &self.room);
        (self.pieces)(swept, &mut |piece: Piece<'a>| {
            if touches(&piece.convex, swept) && !is_clear(screw, &piece.convex, last, room) {
                near.push(piece);
                is_many = near.len() > FEW && !is_whole;
            }
            if is_many {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if is_many {
            let middle = f64::midpoint(first, last);
            self.span([first, middle], depth + 1);
            self.span([middle, last], depth + 1);
            return;
        }
        for piece in near {
            let pair = meet(screw, &piece.convex, span, self.latest, &mut self.room);
            let Some(pair) = pair.filter(|pair| pair.t <= self.latest) else {
                continue;
            };
            let found = PieceFound { id: piece.id, pair };
            if self.first.is_none_or(|best| found.is_before(&best)) {
                self.latest = pair.t;
                self.first = Some(found);
            }
        }
    }
}

/// Whether the box around a piece touches a box.
fn touches(convex: &Convex<'_>, [min, max]: [DVec3; 2]) -> bool {
    let [low, high] = convex.core.bounds();
    let radius = convex.radius;
    (low - radius).cmple(max).all() && (high + radius).cmpge(min).all()
}
