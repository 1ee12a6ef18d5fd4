//! The answer: when a turning shape comes to something, and how near.

use crate::ObjectId;
use crate::narrow_phase::ray_cast::hit::TriangleId;
use crate::narrow_phase::shape_cast::ShapeHit;
use glam::Vec3;

/// What was found of a turning shape and what it comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TurningStatus {
    /// Nothing is overlapped, nor newly touched, before `t`, and there something is as near as `gap`.
    Hit,
    /// The shape overlaps something at the start.
    Overlap,
    /// Nothing is overlapped, nor newly touched, up to `t`; beyond, nothing is proved. Only where something is
    /// touched at the start that neither is entered nor parted from, or where the search came to no end.
    Undecided,
}

/// What a turning shape comes to first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TurningHit {
    /// Whether it is a hit.
    pub status: TurningStatus,
    /// When, from 0 to 1, rounded down; never -0.
    pub t: f32,
    /// The distance at `t` is at most this, metres: the tolerance of the cast, or less where the shape is nearer
    /// than that at the start. 0 where it touches at the start and moves in, and for overlaps. Where the
    /// shape is so fast that one step of `t` moves it further than the tolerance, it may be as far as that.
    pub gap: f32,
    /// A unit vector along which the shape is apart from what it comes to at `t`, from that to the shape; zero
    /// where it overlaps at the start.
    pub normal: Vec3,
    /// The obstacle's point that is nearest to the shape at `t`, metres; for an overlap of shapes a point of the
    /// obstacle.
    pub point: Vec3,
    /// The object; `None` where a shape is queried by itself.
    pub object: Option<ObjectId>,
    /// The number that [`World::set_user_data`](crate::World::set_user_data) gave the object; 0 where it
    /// was given none, and without an object.
    pub user_data: u64,
    /// The triangle, or the part of a compound; `None` for primitives.
    pub triangle: Option<TriangleId>,
}

impl TurningHit {
    /// The answer of a cast that does not turn.
    pub(crate) fn of_plain(hit: ShapeHit) -> Self {
        Self {
            status: if hit.is_overlap() {
                TurningStatus::Overlap
            } else {
                TurningStatus::Hit
            },
            t: hit.t,
            gap: 0.0,
            normal: hit.normal,
            point: hit.point,
            object: hit.object,
            user_data: hit.user_data,
            triangle: hit.triangle,
        }
    }
}
