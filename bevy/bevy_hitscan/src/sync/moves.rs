//! Entities that have only moved, and skinned meshes of which only the joints have.

use super::apply::wide;
use super::pose::joint_matrices;
use super::scene::Scene;
use crate::mesh::Baked;
use crate::world::TrackedShape;
use crate::{
    HeightFieldCollider, HitscanCollider, HitscanDiagnostics, HitscanError, HitscanIgnore,
    HitscanLayers, HitscanMesh, HitscanOrder, HitscanScene, HitscanWorld,
};
use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_mesh::Mesh3d;
use bevy_mesh::morph::{MeshMorphWeights, MorphWeights};
use bevy_mesh::skinning::SkinnedMesh;
use bevy_picking::mesh_picking::ray_cast::{RayCastBackfaces, SimplifiedMesh};
use bevy_transform::components::GlobalTransform;

/// What may be in the world.
type Shaped = Or<(
    With<Mesh3d>,
    With<SimplifiedMesh>,
    With<HitscanCollider>,
    With<HeightFieldCollider>,
)>;

/// What of an entity alone, or of those that follow it, was inserted or written.
type OwnChanges = Or<(
    Changed<Mesh3d>,
    Changed<SimplifiedMesh>,
    Changed<SkinnedMesh>,
    Changed<MeshMorphWeights>,
    Changed<MorphWeights>,
    Changed<HitscanCollider>,
    Changed<HeightFieldCollider>,
    Changed<HitscanOrder>,
    Added<RayCastBackfaces>,
    Added<HitscanMesh>,
)>;

/// What of an entity was inserted or written that those below it inherit.
type InheritedChanges = Or<(
    Changed<HitscanLayers>,
    Added<HitscanIgnore>,
    Added<HitscanScene>,
    Changed<ChildOf>,
)>;

/// What is to be known of an entity that was moved.
type Moved = (Entity, Ref<'static, GlobalTransform>, Has<HitscanError>);

/// The entities that change detection finds.
#[derive(SystemParam)]
pub(crate) struct Changed3d<'w, 's> {
    moved: Query<'w, 's, Moved, (Changed<GlobalTransform>, Shaped)>,
    any_moved: Query<'w, 's, Entity, Changed<GlobalTransform>>,
    pub(super) own: Query<'w, 's, Entity, OwnChanges>,
    pub(super) inherited: Query<'w, 's, Entity, InheritedChanges>,
}

impl HitscanWorld {
    /// Moves what has only moved. What needs more than that is added to `entities`.
    pub(super) fn move_all(
        &mut self,
        changed: &Changed3d,
        entities: &mut EntityHashSet,
        counts: &mut HitscanDiagnostics,
    ) {
        let mut moved = Vec::new();
        for (entity, transform, has_error) in &changed.moved {
            if entities.contains(&entity) {
                continue;
            }
            let Some(tracked) = self.tracked.get(&entity) else {
                if has_error || transform.is_added() {
                    entities.insert(entity);
                }
                continue;
            };
            let affine = transform.affine();
            // A skinned mesh is where its joints are.
            if tracked.affine == affine || !tracked.pose.joints.is_empty() {
                continue;
            }
            let is_plain = match &tracked.shape {
                TrackedShape::Mesh(_) => true,
                TrackedShape::Collider(built) => built.source.check_transform(&affine).is_ok(),
                TrackedShape::HeightField(_) => false,
            };
            if is_plain && affine.is_finite() {
                moved.push((entity, affine));
            } else {
                entities.insert(entity);
            }
        }
        let tracked = &self.tracked;
        let objects = moved
            .iter()
            .filter_map(|(entity, affine)| Some((tracked.get(entity)?.object, wide(affine))));
        let objects: Vec<_> = objects.collect();
        if self.world.set_transforms(&objects).is_err() {
            // One of them is refused: each is looked at by itself.
            entities.extend(moved.into_iter().map(|(entity, _)| entity));
            return;
        }
        counts.moved += moved.len();
        for (entity, affine) in moved {
            if let Some(tracked) = self.tracked.get_mut(&entity) {
                tracked.affine = affine;
            }
        }
    }

    /// Poses the skinned meshes whose joints have moved. What needs more than that is added to `entities`.
    pub(super) fn pose_all(
        &mut self,
        changed: &Changed3d,
        scene: &Scene,
        entities: &mut EntityHashSet,
        counts: &mut HitscanDiagnostics,
    ) {
        if self.followers.is_empty() {
            return;
        }
        let mut posed = EntityHashSet::default();
        for moved in &changed.any_moved {
            posed.extend(self.followers.get(&moved).into_iter().flatten());
        }
        for entity in posed {
            if !entities.contains(&entity) && !self.pose(entity, scene, counts) {
                entities.insert(entity);
            }
        }
    }

    /// Poses a mesh by its joints; whether that was all there is to do.
    fn pose(&mut self, entity: Entity, scene: &Scene, counts: &mut HitscanDiagnostics) -> bool {
        let (Some(tracked), Some(uses)) = (self.tracked.get_mut(&entity), self.uses.get(&entity))
        else {
            return false;
        };
        if !matches!(tracked.shape, TrackedShape::Mesh(Baked::Model(_))) {
            return false;
        }
        let count = tracked.pose.joints.len();
        let Some(joints) = uses.followed.get(..count) else {
            return false;
        };
        let Ok(matrices) = joint_matrices(joints, &scene.transforms) else {
            return false;
        };
        if matrices == tracked.pose.joints {
            return true;
        }
        if self
            .world
            .set_joint_matrices(tracked.object, &matrices)
            .is_err()
        {
            return false;
        }
        tracked.pose.joints = matrices;
        counts.posed += 1;
        true
    }
}
