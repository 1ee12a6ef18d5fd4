//! Entities that have only moved, and skinned meshes whose joints alone have moved.

use super::apply::wide;
use super::pose::joint_matrices;
use super::scene::Scene;
use super::spread::{picked, worked_out};
use crate::mesh::Baked;
use crate::world::TrackedShape;
use crate::{
    HeightFieldCollider, HitscanCollider, HitscanDiagnostics, HitscanError, HitscanIgnore,
    HitscanLayers, HitscanMesh, HitscanOrder, HitscanScene, HitscanWorld,
};
use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Affine3A;
use bevy_mesh::Mesh3d;
use bevy_mesh::morph::{MeshMorphWeights, MorphWeights};
use bevy_mesh::skinning::SkinnedMesh;
use bevy_picking::mesh_picking::ray_cast::{RayCastBackfaces, SimplifiedMesh};
use bevy_transform::components::GlobalTransform;
use hitscan::ObjectId;
use smallvec::SmallVec;

/// What may be in the world.
type Shaped = Or<(
    With<Mesh3d>,
    With<SimplifiedMesh>,
    With<HitscanCollider>,
    With<HeightFieldCollider>,
)>;

/// What is to be known of an entity that was moved.
type Moved = (Entity, Ref<'static, GlobalTransform>, Has<HitscanError>);

/// The entities that change detection finds.
///
/// There is a query for each component: one for all would test each entity of the world for every component.
#[derive(SystemParam)]
pub(crate) struct Changed3d<'w, 's> {
    moved: Query<'w, 's, Moved, (Changed<GlobalTransform>, Shaped)>,
    any_moved: Query<'w, 's, Entity, Changed<GlobalTransform>>,
    own: OwnChanges<'w, 's>,
    inherited: InheritedChanges<'w, 's>,
}

/// Entities with a component that was inserted or written, which it alone has, or those that follow it.
#[derive(SystemParam)]
struct OwnChanges<'w, 's> {
    mesh: Query<'w, 's, Entity, Changed<Mesh3d>>,
    simplified: Query<'w, 's, Entity, Changed<SimplifiedMesh>>,
    skin: Query<'w, 's, Entity, Changed<SkinnedMesh>>,
    mesh_weights: Query<'w, 's, Entity, Changed<MeshMorphWeights>>,
    weights: Query<'w, 's, Entity, Changed<MorphWeights>>,
    collider: Query<'w, 's, Entity, Changed<HitscanCollider>>,
    height_field: Query<'w, 's, Entity, Changed<HeightFieldCollider>>,
    order: Query<'w, 's, Entity, Changed<HitscanOrder>>,
    backfaces: Query<'w, 's, Entity, Added<RayCastBackfaces>>,
    marker: Query<'w, 's, Entity, Added<HitscanMesh>>,
}

/// Entities with a component that was inserted or written, which those below inherit.
#[derive(SystemParam)]
struct InheritedChanges<'w, 's> {
    layers: Query<'w, 's, Entity, Changed<HitscanLayers>>,
    ignored: Query<'w, 's, Entity, Added<HitscanIgnore>>,
    scene: Query<'w, 's, Entity, Added<HitscanScene>>,
    parent: Query<'w, 's, Entity, Changed<ChildOf>>,
}

impl Changed3d<'_, '_> {
    /// Adds the entities whose components were inserted or written, and to `subtrees` those whose descendants inherit
    /// such a component.
    pub(super) fn add_to(&self, entities: &mut EntityHashSet, subtrees: &mut EntityHashSet) {
        let own = &self.own;
        entities.extend(picked(&own.mesh, Some));
        entities.extend(picked(&own.simplified, Some));
        entities.extend(picked(&own.skin, Some));
        entities.extend(picked(&own.mesh_weights, Some));
        entities.extend(picked(&own.weights, Some));
        entities.extend(picked(&own.collider, Some));
        entities.extend(picked(&own.height_field, Some));
        entities.extend(picked(&own.order, Some));
        entities.extend(picked(&own.backfaces, Some));
        entities.extend(picked(&own.marker, Some));
        let inherited = &self.inherited;
        subtrees.extend(picked(&inherited.layers, Some));
        subtrees.extend(picked(&inherited.ignored, Some));
        subtrees.extend(picked(&inherited.scene, Some));
        subtrees.extend(picked(&inherited.parent, Some));
    }
}

/// What there is to do for an entity that was moved, or whose joints were.
enum Todo<T> {
    /// Nothing: it was written, and is as it was.
    Nothing,
    /// This, and no more than this.
    Only(T),
    /// It is to be looked at anew.
    All,
}

impl HitscanWorld {
    /// Moves what has only moved. What needs more than that is added to `entities`.
    pub(super) fn move_all(
        &mut self,
        changed: &Changed3d,
        entities: &mut EntityHashSet,
        counts: &mut HitscanDiagnostics,
    ) {
        let (state, known) = (&*self, &*entities);
        let found = picked(&changed.moved, |(entity, transform, has_error)| {
            if known.contains(&entity) {
                return None;
            }
            match state.moved_to(entity, transform, has_error) {
                Todo::Nothing => None,
                Todo::Only(to) => Some((entity, Some(to))),
                Todo::All => Some((entity, None)),
            }
        });
        let mut moved = Vec::with_capacity(found.len());
        for (entity, to) in found {
            match to {
                Some((object, affine)) => moved.push((entity, object, affine)),
                None => {
                    entities.insert(entity);
                }
            }
        }
        let objects = moved.iter();
        let objects = objects.map(|(_, object, affine)| (*object, wide(affine)));
        if self
            .world
            .set_transforms(&objects.collect::<Vec<_>>())
            .is_err()
        {
            // One of them is refused: each is looked at by itself.
            entities.extend(moved.into_iter().map(|(entity, ..)| entity));
            return;
        }
        counts.moved += moved.len();
        for (entity, _, affine) in moved {
            if let Some(tracked) = self.tracked.get_mut(&entity) {
                tracked.affine = affine;
            }
        }
    }

    /// Where an entity has gone, and the object that it is.
    fn moved_to(
        &self,
        entity: Entity,
        transform: Ref<'_, GlobalTransform>,
        has_error: bool,
    ) -> Todo<(ObjectId, Affine3A)> {
        let Some(tracked) = self.tracked.get(&entity) else {
            return match has_error || transform.is_added() {
                true => Todo::All,
                false => Todo::Nothing,
            };
        };
        let affine = transform.affine();
        // A skinned mesh is where its joints are.
        if tracked.affine == affine || !tracked.pose.joints.is_empty() {
            return Todo::Nothing;
        }
        let is_plain = match &tracked.shape {
            TrackedShape::Mesh(_) => true,
            TrackedShape::Collider(built) => built.source.check_transform(&affine).is_ok(),
            TrackedShape::HeightField(_) => false,
        };
        match is_plain && affine.is_finite() {
            true => Todo::Only((tracked.object, affine)),
            false => Todo::All,
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
        let state = &*self;
        let followed = picked(&changed.any_moved, |moved| state.followers.get(&moved));
        let mut followers = EntityHashSet::default();
        let mut previous: Option<&SmallVec<[Entity; 1]>> = None;
        for followed_by in followed {
            // Most joints are of the same mesh as the one before.
            if previous != Some(followed_by) {
                followers.extend(followed_by);
                previous = Some(followed_by);
            }
        }
        let followers: Vec<Entity> = (followers.into_iter())
            .filter(|entity| !entities.contains(entity))
            .collect();
        let todos = worked_out(&followers, |entity| state.posed_to(*entity, scene));
        let mut posed = Vec::with_capacity(todos.len());
        for (entity, todo) in followers.into_iter().zip(todos) {
            match todo {
                Todo::Nothing => {}
                Todo::Only((object, joints)) => posed.push((entity, object, joints)),
                Todo::All => {
                    entities.insert(entity);
                }
            }
        }
        let poses = posed.iter();
        let poses = poses.map(|(_, object, joints)| (*object, joints.as_slice()));
        if self
            .world
            .set_joint_poses(&poses.collect::<Vec<_>>())
            .is_err()
        {
            entities.extend(posed.into_iter().map(|(entity, ..)| entity));
            return;
        }
        counts.posed += posed.len();
        for (entity, _, joints) in posed {
            if let Some(tracked) = self.tracked.get_mut(&entity) {
                tracked.pose.joints = joints;
            }
        }
    }

    /// Where the joints of an entity's mesh have gone, and the object that it is.
    fn posed_to(&self, entity: Entity, scene: &Scene) -> Todo<(ObjectId, Vec<Affine3A>)> {
        let (Some(tracked), Some(uses)) = (self.tracked.get(&entity), self.uses.get(&entity))
        else {
            return Todo::All;
        };
        if !matches!(tracked.shape, TrackedShape::Mesh(Baked::Model(_))) {
            return Todo::All;
        }
        let joints = uses.followed.get(..tracked.pose.joints.len());
        match joints.map(|joints| joint_matrices(joints, &scene.transforms)) {
            Some(Ok(matrices)) if matrices == tracked.pose.joints => Todo::Nothing,
            Some(Ok(matrices)) => Todo::Only((tracked.object, matrices)),
            Some(Err(_)) | None => Todo::All,
        }
    }
}
