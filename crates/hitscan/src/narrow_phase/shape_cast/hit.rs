//! The answer: when and how a moving shape first hits something.

use crate::ObjectId;
use crate::narrow_phase::ray_cast::hit::{Side, TriangleId};
use glam::Vec3;

/// How the moving shape and what it hits lie at t = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StartState {
    /// They are apart.
    Separate,
    /// They touch, and the motion approaches.
    Touching,
    /// They overlap already.
    Overlap {
        /// Minus the depth, metres: the smallest of the object's contacts with the resting shape, which
        /// may be with another triangle than the one that is named; see [`Contact`](crate::Contact).
        separation: f32,
        /// The unit direction in which that depth leads out of that triangle or solid.
        way_out: Vec3,
    },
}

impl StartState {
    /// Whether they overlap at t = 0.
    #[must_use]
    pub fn is_overlap(&self) -> bool {
        matches!(self, Self::Overlap { .. })
    }
}

/// The first hit of a moving shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeHit {
    /// When they hit, from 0 to 1: the exact time rounded once to the nearest f32; never -0.
    pub t: f32,
    /// The obstacle's unit normal there, against the motion, within 2^-22 of the exact one. Zero where
    /// the shape overlaps the obstacle at the start; with
    /// [`InitialOverlap::Escape`](super::InitialOverlap::Escape) the way out.
    pub normal: Vec3,
    /// A point that both share at the exact time, metres; where there are several, any.
    pub point: Vec3,
    /// How they lie at the start.
    pub start: StartState,
    /// The side of the triangle that faces the motion; `None` for primitives and for a motion of zero.
    pub side: Option<Side>,
    /// The object that is hit; `None` where a shape is queried by itself.
    pub object: Option<ObjectId>,
    /// The number that [`World::set_user_data`](crate::World::set_user_data) gave the object; 0 where it
    /// was given none, and without an object.
    pub user_data: u64,
    /// The triangle that is hit; `None` for primitives.
    pub triangle: Option<TriangleId>,
}

impl ShapeHit {
    /// Whether it is the answer of a shape that overlaps the obstacle at the start, which stops it
    /// there without a normal ([`InitialOverlap::Stop`](super::InitialOverlap::Stop)).
    #[must_use]
    pub fn is_overlap(&self) -> bool {
        self.normal == Vec3::ZERO
    }
}
