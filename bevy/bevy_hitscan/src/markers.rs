//! Components that say which entities are in the world, and how.

use bevy_ecs::prelude::*;
use bevy_reflect::prelude::*;

/// The layers of an entity and of all below it in the hierarchy, a bit each; the nearest one upwards counts.
///
/// An entity without any is in the first layer. Layers are those of queries
/// ([`HitscanFilter::layers`](crate::HitscanFilter::layers)), not of cameras.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Component, Default, Debug, PartialEq, Hash, Clone)]
pub struct HitscanLayers(pub u32);

impl Default for HitscanLayers {
    fn default() -> Self {
        Self(1)
    }
}

/// Keeps an entity, and all below it in the hierarchy, out of the world.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Default, Debug, PartialEq, Hash, Clone)]
pub struct HitscanIgnore;

/// With [`HitscanPlugin::marked_only`](crate::HitscanPlugin::marked_only): takes the meshes of an entity and of
/// all below it in the hierarchy, also of what is spawned there later. A glTF's scene root is the place for it.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Default, Debug, PartialEq, Hash, Clone)]
pub struct HitscanScene;

/// With [`HitscanPlugin::marked_only`](crate::HitscanPlugin::marked_only): takes the mesh of this entity.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Default, Debug, PartialEq, Hash, Clone)]
pub struct HitscanMesh;

/// Decides exact ties: of entities that are hit at the very same place the one with the lower order is the answer,
/// 0 without this component. Among equal orders it is the one that came into the world first, which Bevy promises
/// nothing about.
///
/// The library's keys have 32 bits, and orders within them are these keys. Once there is a higher one, keys are given
/// by rank, and those of all may have to be given anew when another comes between: entities whose key has changed from
/// one tick of the history to the next are not interpolated between these two.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[reflect(Component, Default, Debug, PartialEq, Hash, Clone)]
pub struct HitscanOrder(pub u64);
