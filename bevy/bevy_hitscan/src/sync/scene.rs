//! Entities as they describe themselves, and what they inherit.

use super::settings::Settings;
use crate::{
    HeightFieldCollider, HeightMap, HitscanCollider, HitscanError, HitscanIgnore, HitscanLayers,
    HitscanMesh, HitscanOrder, HitscanScene,
};
use bevy_asset::{AssetId, Assets};
use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::SystemParam;
use bevy_image::Image;
use bevy_mesh::morph::{MeshMorphWeights, MorphWeights};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d};
use bevy_picking::mesh_picking::ray_cast::{RayCastBackfaces, SimplifiedMesh};
use bevy_transform::components::GlobalTransform;

/// The entities and assets, to be read.
#[derive(SystemParam)]
pub(crate) struct Scene<'w, 's> {
    pub(super) entities: Query<'w, 's, Hittable>,
    ancestry: Query<'w, 's, Inheritable>,
    children: Query<'w, 's, &'static Children>,
    pub(super) transforms: Query<'w, 's, &'static GlobalTransform>,
    pub(super) morph_weights: Query<'w, 's, &'static MorphWeights>,
    pub(super) meshes: Option<Res<'w, Assets<Mesh>>>,
    pub(super) images: Option<Res<'w, Assets<Image>>>,
    pub(super) height_maps: Option<Res<'w, Assets<HeightMap>>>,
    pub(super) inverse_bind: Option<Res<'w, Assets<SkinnedMeshInverseBindposes>>>,
    settings: Res<'w, Settings>,
}

/// What an entity says about itself.
#[derive(QueryData)]
pub(crate) struct Hittable {
    pub(super) transform: Option<&'static GlobalTransform>,
    mesh: Option<&'static Mesh3d>,
    simplified: Option<&'static SimplifiedMesh>,
    pub(super) skin: Option<&'static SkinnedMesh>,
    pub(super) morph_weights: Option<&'static MeshMorphWeights>,
    pub(super) collider: Option<&'static HitscanCollider>,
    pub(super) height_field: Option<&'static HeightFieldCollider>,
    order: Option<&'static HitscanOrder>,
    pub(super) has_backfaces: Has<RayCastBackfaces>,
    is_marked: Has<HitscanMesh>,
    pub(super) error: Option<&'static HitscanError>,
}

/// What an entity and all below it inherit.
#[derive(QueryData)]
struct Inheritable {
    parent: Option<&'static ChildOf>,
    layers: Option<&'static HitscanLayers>,
    is_ignored: Has<HitscanIgnore>,
    is_scene: Has<HitscanScene>,
}

impl HittableItem<'_, '_> {
    /// The mesh that rays hit.
    pub(super) fn mesh_id(&self) -> Option<AssetId<Mesh>> {
        let simplified = self.simplified.map(|simplified| simplified.0.id());
        simplified.or_else(|| self.mesh.map(|mesh| mesh.0.id()))
    }

    pub(super) fn order(&self) -> u64 {
        self.order.map_or(0, |order| order.0)
    }
}

impl Scene<'_, '_> {
    /// The layers of an entity; `None` where it is not to be in the world.
    pub(super) fn layers(&self, entity: Entity, own: &HittableItem<'_, '_>) -> Option<u32> {
        let mut layers = None;
        let mut is_taken = own.is_marked || !self.settings.is_marked_only;
        let mut next = Some(entity);
        while let Some(Ok(above)) = next.map(|entity| self.ancestry.get(entity)) {
            if above.is_ignored {
                return None;
            }
            layers = layers.or(above.layers);
            is_taken |= above.is_scene;
            next = above.parent.map(ChildOf::parent);
        }
        is_taken.then(|| layers.copied().unwrap_or_default().0)
    }

    /// For each joint the nearest one above it in the hierarchy.
    pub(super) fn parents_of(&self, joints: &[Entity]) -> Vec<Option<usize>> {
        let number = |above: Entity| joints.iter().position(|joint| *joint == above);
        let parent = |joint: &Entity| {
            let mut next = self.ancestry.get(*joint).ok()?.parent;
            while let Some(above) = next.map(ChildOf::parent) {
                if let Some(number) = number(above) {
                    return Some(number);
                }
                next = self.ancestry.get(above).ok()?.parent;
            }
            None
        };
        joints.iter().map(parent).collect()
    }

    /// Whether trees are built within the sync.
    pub(super) fn is_blocking(&self) -> bool {
        self.settings.is_blocking
    }

    /// Adds an entity and all below it.
    pub(super) fn add_subtree(&self, root: Entity, entities: &mut EntityHashSet) {
        entities.insert(root);
        for below in self.children.iter_descendants(root) {
            entities.insert(below);
        }
    }
}
