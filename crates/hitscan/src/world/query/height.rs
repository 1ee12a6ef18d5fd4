//! The height of the ground over all terrains: the highest answer wins.

use crate::HeightField;
use crate::ObjectId;
use crate::height_field::{Ground, GroundHeight, SampledGround};
use crate::query::filter::QueryFilter;
use crate::world::Snapshot;

/// The ground at a point of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WorldGround {
    /// The highest ground there, and the terrain that it belongs to.
    Height(ObjectId, GroundHeight),
    /// The point lies beyond the borders of every terrain, or there is none.
    Outside,
    /// Some terrain reaches here, but has a hole.
    Hole,
}

impl WorldGround {
    /// The terrain and its ground, where there is some.
    #[must_use]
    pub fn ok(self) -> Option<(ObjectId, GroundHeight)> {
        match self {
            Self::Height(object, ground) => Some((object, ground)),
            Self::Outside | Self::Hole => None,
        }
    }
}

/// What the samples within a radius come to, over all terrains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WorldSampledGround {
    /// The highest answer as a y, metres, and the terrain that gave it.
    Height(ObjectId, f32),
    /// No terrain has a sample with a height there, and none has the point on its map.
    Outside,
    /// The point is on a map on which all samples within the radius are holes.
    Hole,
    /// The point is on a map, and no sample of it lies within the radius.
    Empty,
}

impl WorldSampledGround {
    /// The terrain and its height, where there is one.
    #[must_use]
    pub fn ok(self) -> Option<(ObjectId, f32)> {
        match self {
            Self::Height(object, height) => Some((object, height)),
            Self::Outside | Self::Hole | Self::Empty => None,
        }
    }
}

impl Snapshot {
    /// The exact height of the ground at (x, z), of terrains that `filter` sees: of several terrains the highest, of equally high
    /// ones the lowest object. Without an answer a hole says more than being outside.
    #[must_use]
    pub fn height(&self, x: f32, z: f32, filter: QueryFilter<'_>) -> WorldGround {
        let mut best = WorldGround::Outside;
        for (object, field) in self.state().height_fields(filter) {
            best = match (field.height(x, z), best) {
                (Ground::Height(own), WorldGround::Height(_, other))
                    if own.height <= other.height =>
                {
                    best
                }
                (Ground::Height(own), _) => WorldGround::Height(object, own),
                (Ground::Hole, WorldGround::Outside) => WorldGround::Hole,
                (Ground::Hole | Ground::Outside, best) => best,
            };
        }
        best
    }

    /// The highest sample within `radius` metres of (x, z), over all terrains that
    /// `filter` sees.
    #[must_use]
    pub fn max_height(
        &self,
        x: f32,
        z: f32,
        radius: f64,
        filter: QueryFilter<'_>,
    ) -> WorldSampledGround {
        self.sampled(filter, |field| field.max_height(x, z, radius))
    }

    /// The greatest of the terrains' means of the samples within `radius` metres of (x, z).
    #[must_use]
    pub fn mean_height(
        &self,
        x: f32,
        z: f32,
        radius: f64,
        filter: QueryFilter<'_>,
    ) -> WorldSampledGround {
        self.sampled(filter, |field| field.mean_height(x, z, radius))
    }

    fn sampled(
        &self,
        filter: QueryFilter<'_>,
        ask: impl Fn(&HeightField) -> SampledGround,
    ) -> WorldSampledGround {
        use WorldSampledGround::{Empty, Height, Hole, Outside};
        let mut best = Outside;
        for (object, field) in self.state().height_fields(filter) {
            best = match (ask(field), best) {
                (SampledGround::Height(own), Height(_, other)) if own <= other => best,
                (SampledGround::Height(own), _) => Height(object, own),
                (SampledGround::Hole, Outside | Empty) => Hole,
                (SampledGround::Empty, Outside) => Empty,
                _ => best,
            };
        }
        best
    }

    /// The terrains that `filter` sees, in order.
    pub fn height_fields<'a>(
        &'a self,
        filter: QueryFilter<'a>,
    ) -> impl Iterator<Item = (ObjectId, &'a HeightField)> {
        self.state().height_fields(filter)
    }
}
