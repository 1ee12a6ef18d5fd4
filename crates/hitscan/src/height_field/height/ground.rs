//! The answer to a height query.

use crate::ObjectId;
use glam::Vec3;

/// The ground at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ground {
    /// Its height.
    Height(GroundHeight),
    /// The point lies beyond the map's borders, which themselves belong to the map, and no sample
    /// with a height lies within the radius, where the query has one.
    Outside,
    /// The point is on the map, and its triangles, or all samples within the radius, are holes.
    Hole,
    /// The point is on the map, and no sample lies within the radius.
    Empty,
}

impl Ground {
    /// The ground's height, where there is one.
    #[must_use]
    #[inline]
    pub fn ok(self) -> Option<GroundHeight> {
        match self {
            Self::Height(ground) => Some(ground),
            Self::Outside | Self::Hole | Self::Empty => None,
        }
    }
}

/// How high the ground is, and what it belongs to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundHeight {
    /// The y of the ground, metres.
    pub height: f32,
    /// The terrain in a world; `None` where a [`HeightField`](crate::HeightField) itself answers.
    pub object: Option<ObjectId>,
    /// The number that [`World::set_user_data`](crate::World::set_user_data) gave the object; 0 where it
    /// was given none, and without an object.
    pub user_data: u64,
    /// The surface at the point: of the exact height, and not of a maximum or mean, which need not
    /// be there.
    pub surface: Option<GroundSurface>,
}

/// The triangle of the terrain at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundSurface {
    /// The unit normal of the triangle, which points up.
    pub normal: Vec3,
    /// The triangle: on an edge or corner the lowest there that is no hole.
    pub triangle: u32,
}
