//! The resource that holds the world which queries ask.

use crate::mesh::{Baked, BakedMeshes};
use crate::order_keys::OrderKeys;
use crate::{HeightFieldCollider, HeightMap, HitscanCollider, HitscanError};
use bevy_asset::AssetId;
use bevy_ecs::entity::{EntityHashMap, EntityHashSet};
use bevy_ecs::prelude::*;
use bevy_image::Image;
use bevy_math::Affine3A;
use bevy_mesh::Mesh;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_platform::collections::HashMap;
use core::mem::Discriminant;
use hitscan::{Compound, HeightField, ObjectId, RayHit, Snapshot, World as Hittable};
use smallvec::SmallVec;
use std::sync::Arc;

/// The meshes and colliders of all entities, as the last sync left them.
///
/// Systems ask it by [`Hitscan`](crate::Hitscan). Its [`Snapshot`] answers what that has no method for; objects
/// and entities lead to one another by [`HitscanWorld::object`] and [`HitscanWorld::entity`].
#[derive(Resource, Default)]
pub struct HitscanWorld {
    pub(crate) world: Hittable,
    pub(crate) tracked: EntityHashMap<Tracked>,
    pub(crate) meshes: BakedMeshes,
    /// What entities use of assets.
    pub(crate) uses: EntityHashMap<Uses>,
    pub(crate) image_users: HashMap<AssetId<Image>, EntityHashSet>,
    pub(crate) height_map_users: HashMap<AssetId<HeightMap>, EntityHashSet>,
    pub(crate) matrix_users: HashMap<AssetId<SkinnedMeshInverseBindposes>, EntityHashSet>,
    /// The entities whose meshes are posed by another one: by a joint, or by weights of morph targets.
    pub(crate) followers: EntityHashMap<SmallVec<[Entity; 1]>>,
    /// What entities were warned of, until they are despawned.
    pub(crate) warned: EntityHashMap<SmallVec<[Discriminant<HitscanError>; 1]>>,
    /// How many meshes had been warned of by the end of the last sync.
    pub(crate) warned_meshes: usize,
    /// The keys of the orders of tracked entities.
    pub(crate) order_keys: OrderKeys,
    /// How many tracked entities are hit from one side only.
    pub(crate) one_sided_count: usize,
    /// How many ticks of the past are kept.
    pub(crate) history_ticks: usize,
    /// The queries since they were last drawn, where they are.
    #[cfg(feature = "gizmos")]
    pub(crate) trace: Option<crate::trace::Trace>,
    /// Entities that left the world, and are still in its history.
    pub(crate) departed: EntityHashMap<Departed>,
}

/// An entity that is in the world.
pub(crate) struct Tracked {
    pub(crate) object: ObjectId,
    pub(crate) shape: TrackedShape,
    /// Where it is; the identity where joints say so.
    pub(crate) affine: Affine3A,
    pub(crate) pose: Pose,
    pub(crate) layers: u32,
    pub(crate) order: u64,
    /// Whether rays hit its triangles from the front only, unless a query says otherwise.
    pub(crate) is_one_sided: bool,
}

/// An entity that has left the world.
pub(crate) struct Departed {
    /// The last tick that was recorded with it, or without it if it never was.
    pub(crate) last_tick: u64,
    pub(crate) is_one_sided: bool,
}

/// What an entity's mesh is posed by; empty where it is rigid.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pose {
    /// World from joint.
    pub(crate) joints: Vec<Affine3A>,
    /// Of morph targets, as many as the mesh has.
    pub(crate) weights: Vec<f32>,
}

/// The shape of an entity, by what it was made of.
#[derive(Clone)]
pub(crate) enum TrackedShape {
    Mesh(Baked),
    Collider(Arc<BuiltCollider>),
    HeightField(Arc<BuiltHeightField>),
}

/// A collider, and the solids that were made of it.
pub(crate) struct BuiltCollider {
    pub(crate) source: HitscanCollider,
    pub(crate) compound: Arc<Compound>,
}

/// A height field, and the terrain that was made of it, in the entity's own space.
pub(crate) struct BuiltHeightField {
    pub(crate) source: HeightFieldCollider,
    pub(crate) field: Arc<HeightField>,
}

/// The assets and entities that an entity's shape is made of.
#[derive(Default, PartialEq, Clone)]
pub(crate) struct Uses {
    pub(crate) mesh: Option<AssetId<Mesh>>,
    pub(crate) image: Option<AssetId<Image>>,
    pub(crate) height_map: Option<AssetId<HeightMap>>,
    pub(crate) matrices: Option<AssetId<SkinnedMeshInverseBindposes>>,
    /// Its joints in their order, without those that have no matrix; then the entity whose weights it has.
    pub(crate) followed: SmallVec<[Entity; 1]>,
}

impl TrackedShape {
    /// Whether it is made of the very same.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Mesh(one), Self::Mesh(other)) => match (one, other) {
                (Baked::Mesh(one), Baked::Mesh(other)) => Arc::ptr_eq(one, other),
                (Baked::Model(one), Baked::Model(other)) => Arc::ptr_eq(one, other),
                _ => false,
            },
            (Self::Collider(one), Self::Collider(other)) => Arc::ptr_eq(one, other),
            (Self::HeightField(one), Self::HeightField(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl HitscanWorld {
    /// The world as the last sync left it.
    #[must_use]
    pub fn now(&self) -> &Snapshot {
        self.world.now()
    }

    /// How many meshes are being baked: the entities that wait for them come into the world by a later sync.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.meshes.pending()
    }

    /// The object that an entity is in [`Self::now`]; `None` where it is not in the world.
    #[must_use]
    pub fn object(&self, entity: Entity) -> Option<ObjectId> {
        self.tracked.get(&entity).map(|tracked| tracked.object)
    }

    /// The joint that counts most at a hit on a skinned mesh.
    pub(crate) fn joint(&self, snapshot: &Snapshot, hit: &RayHit) -> Option<Entity> {
        let number = snapshot.bind_hit(hit)?.node;
        let entity = Entity::try_from_bits(hit.user_data)?;
        let joint_count = self.tracked.get(&entity)?.pose.joints.len();
        let joints = self.uses.get(&entity)?.followed.get(..joint_count)?;
        joints.get(number).copied()
    }

    /// The entity that an object of [`Self::now`] is.
    #[must_use]
    pub fn entity(&self, object: ObjectId) -> Option<Entity> {
        self.now().user_data(object).and_then(Entity::try_from_bits)
    }

    /// How many entities are in the world.
    #[must_use]
    pub fn entity_count(&self) -> usize {
        self.tracked.len()
    }
}
