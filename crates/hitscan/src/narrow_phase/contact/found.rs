//! The answer: how a resting shape and an obstacle lie.

use crate::ObjectId;
use crate::narrow_phase::ray_cast::hit::TriangleId;
use glam::Vec3;

/// How a resting shape and an obstacle lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContactStatus {
    /// They overlap.
    Overlap,
    /// They only touch.
    Touching,
    /// They are apart, by no more than the margin.
    Near,
}

/// What a resting shape overlaps, touches or is near to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Whether they overlap, touch or are near, decided exactly.
    pub status: ContactStatus,
    /// How far apart they are, metres: the exact value rounded once. Where they overlap it is minus the
    /// depth: the least distance by which the shape must be moved until they only touch.
    pub separation: f32,
    /// The unit direction of that move, from the obstacle to the shape, within 2^-22 of the exact one.
    pub normal: Vec3,
    /// The obstacle's nearest point where they are apart, else a point that both share; where there are
    /// several, any. Metres.
    pub point: Vec3,
    /// The object; `None` where a shape is queried by itself.
    pub object: Option<ObjectId>,
    /// The number that [`World::set_user_data`](crate::World::set_user_data) gave the object; 0 where it
    /// was given none, and without an object.
    pub user_data: u64,
    /// The triangle; `None` for primitives.
    pub triangle: Option<TriangleId>,
}
