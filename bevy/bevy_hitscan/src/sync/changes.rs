//! Entities to be looked at again: by lifecycle observers, beside what change detection finds.

use crate::{
    HeightFieldCollider, HitscanCollider, HitscanIgnore, HitscanLayers, HitscanMesh, HitscanOrder,
    HitscanScene,
};
use bevy_app::App;
use bevy_asset::AssetId;
use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_mesh::Mesh3d;
use bevy_mesh::morph::{MeshMorphWeights, MorphWeights};
use bevy_mesh::skinning::SkinnedMesh;
use bevy_picking::mesh_picking::ray_cast::{RayCastBackfaces, SimplifiedMesh};
use bevy_platform::collections::HashSet;
use bevy_transform::components::GlobalTransform;

/// The entities that something was taken from since the last sync.
#[derive(Resource, Default)]
pub(crate) struct Changes {
    /// To be looked at again.
    pub(super) entities: EntityHashSet,
    /// To be looked at again with all that is below them.
    pub(super) subtrees: EntityHashSet,
    /// Images whose heights are to be read again.
    pub(super) images: HashSet<AssetId<Image>>,
}

impl Changes {
    /// Watches for components that are removed, also by despawning; what is inserted is found by change detection.
    pub(crate) fn observe(app: &mut App) {
        type OfOne = (
            Mesh3d,
            SimplifiedMesh,
            RayCastBackfaces,
            HitscanCollider,
            HeightFieldCollider,
            HitscanMesh,
            HitscanOrder,
            SkinnedMesh,
            MeshMorphWeights,
            MorphWeights,
            GlobalTransform,
        );
        type OfSubtree = (HitscanLayers, HitscanIgnore, HitscanScene, ChildOf);
        app.init_resource::<Self>();
        app.add_observer(|removed: On<Remove<OfOne>>, mut changes: ResMut<Self>| {
            changes.entities.insert(removed.entity);
        });
        app.add_observer(
            |removed: On<Remove<OfSubtree>>, mut changes: ResMut<Self>| {
                changes.subtrees.insert(removed.entity);
            },
        );
    }
}
