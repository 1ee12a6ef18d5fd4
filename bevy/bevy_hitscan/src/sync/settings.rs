//! Settings: how entities are taken into the world.

use bevy_ecs::prelude::*;

/// The settings of the plugin.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(crate) struct Settings {
    /// Only entities with a marker, or below one.
    pub(crate) is_marked_only: bool,
    /// Trees are built within the sync.
    pub(crate) is_blocking: bool,
    /// Joint weights are made to sum to 1 in the assets.
    pub(crate) normalizes_weights: bool,
}
