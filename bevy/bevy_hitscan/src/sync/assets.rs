//! Meshes, images, height maps and inverse bind matrices that are added, changed and removed.

use super::changes::Changes;
use crate::{HeightMap, HitscanWorld};
use bevy_asset::{Asset, AssetEvent, AssetId, Assets};
use bevy_ecs::message::{MessageCursor, Messages};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_image::Image;
use bevy_mesh::Mesh;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;

/// The events of one kind of asset that were not read yet.
#[derive(SystemParam)]
pub(crate) struct AssetEvents<'w, 's, A: Asset> {
    messages: Option<Res<'w, Messages<AssetEvent<A>>>>,
    cursor: Local<'s, MessageCursor<AssetEvent<A>>>,
}

impl<A: Asset> AssetEvents<'_, '_, A> {
    /// The assets whose value has changed, and whether they are there.
    fn changed(&mut self) -> impl Iterator<Item = (AssetId<A>, bool)> {
        let messages = self.messages.as_deref();
        let events = messages.map(|messages| self.cursor.read(messages));
        events
            .into_iter()
            .flatten()
            .filter_map(|event| match event {
                AssetEvent::Added { id } | AssetEvent::Modified { id } => Some((*id, true)),
                AssetEvent::Removed { id } => Some((*id, false)),
                AssetEvent::Unused { .. } | AssetEvent::LoadedWithDependencies { .. } => None,
            })
    }
}

/// Takes note of changed assets, and takes the data of those meshes that the renderer empties after this frame.
pub(crate) fn take_assets(
    mut state: ResMut<HitscanWorld>,
    mut changes: ResMut<Changes>,
    meshes: Option<Res<Assets<Mesh>>>,
    mut mesh_events: AssetEvents<Mesh>,
    mut image_events: AssetEvents<Image>,
    mut height_map_events: AssetEvents<HeightMap>,
    mut matrix_events: AssetEvents<SkinnedMeshInverseBindposes>,
) {
    let state = state.bypass_change_detection();
    let changes = changes.bypass_change_detection();
    for (id, is_there) in mesh_events.changed() {
        match meshes.as_deref().filter(|_| is_there) {
            Some(meshes) => (state.meshes).take_changed(id, meshes, &mut changes.entities),
            None => state.meshes.forget(id, &mut changes.entities),
        }
    }
    for (id, _) in matrix_events.changed() {
        if let Some(users) = state.matrix_users.get(&id) {
            changes.entities.extend(users.iter().copied());
        }
        state.meshes.forget_matrices(id);
    }
    for (id, _) in height_map_events.changed() {
        if let Some(users) = state.height_map_users.get(&id) {
            changes.entities.extend(users.iter().copied());
        }
    }
    for (id, _) in image_events.changed() {
        if let Some(users) = state.image_users.get(&id) {
            changes.entities.extend(users.iter().copied());
            changes.images.insert(id);
        }
    }
}

/// Makes the joint weights of new meshes sum to 1, before the renderer takes them.
pub(crate) fn normalize_weights(
    meshes: Option<ResMut<Assets<Mesh>>>,
    mut events: AssetEvents<Mesh>,
) {
    let Some(mut meshes) = meshes else {
        return;
    };
    for (id, _) in events.changed() {
        // Without an event of its own, which would have the renderer take the mesh twice.
        if let Some(mesh) = meshes.bypass_change_detection().get_mut_untracked(id) {
            // What is in the render world already stays as it is.
            let _ = mesh.try_normalize_joint_weights();
        }
    }
}
