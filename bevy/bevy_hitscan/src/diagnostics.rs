//! Counts of what a sync changed.

use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;

/// What the last sync changed; all zero where nothing did.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Default, Debug, PartialEq, Clone)]
pub struct HitscanDiagnostics {
    /// Entities that came into the world, or whose shape became another one.
    pub added: usize,
    /// Entities that left the world, or whose shape became another one.
    pub removed: usize,
    /// Entities that were moved.
    pub moved: usize,
    /// Entities that were posed anew, by joints or by weights of morph targets.
    pub posed: usize,
    /// Entities that were put into other layers.
    pub relayered: usize,
    /// Entities whose [order](crate::HitscanOrder) became another one.
    pub reordered: usize,
    /// Meshes whose trees were built.
    pub baked: usize,
    /// Warnings of a [`HitscanError`](crate::HitscanError), and of meshes whose joint weights do not sum to 1.
    pub warnings: usize,
}

impl HitscanDiagnostics {
    /// Whether the last sync changed nothing.
    #[must_use]
    pub fn is_at_rest(&self) -> bool {
        *self == Self::default()
    }
}
