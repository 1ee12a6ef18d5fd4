//! One tree for each mesh asset, however many entities have it; built on other threads.

use super::geometry::{Baked, Geometry, Moved};
use super::posing::Posing;
use crate::HitscanError;
use bevy_asset::{AssetId, Assets, RenderAssetUsages};
use bevy_ecs::entity::{Entity, EntityHashSet};
use bevy_math::Mat4;
use bevy_mesh::Mesh;
use bevy_mesh::skinning::SkinnedMeshInverseBindposes;
use bevy_platform::collections::HashMap;
use bevy_tasks::{AsyncComputeTaskPool, Task, TaskPool, block_on};
use std::sync::Arc;
use tracing::warn;

/// How far the sum of a vertex's weights may be from 1 without a warning.
const WEIGHT_SUM: f32 = 1e-3;

/// What is known of a mesh asset that is posed in one way.
pub(crate) enum MeshState<'a> {
    /// Its asset is not loaded, or it is lines or points, or its first tree is being built.
    Nothing,
    /// It has a tree; that of its asset as it was before, where it is being baked again.
    Baked(&'a Baked),
    /// It cannot be used.
    Fault(&'a HitscanError),
}

/// The mesh assets that entities have, and those whose data would be gone before one has them.
#[derive(Default)]
pub(crate) struct BakedMeshes {
    entries: HashMap<AssetId<Mesh>, Entry>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    /// How many are being baked.
    baking: usize,
    /// How many have been baked, in all.
    baked: usize,
    /// How many were warned of, in all.
    warned: usize,
}

#[derive(Default)]
struct Entry {
    users: EntityHashSet,
    /// What can move its vertices, or why it cannot be used; `None` of an asset that is not loaded, lines and points.
    moved: Option<Result<Moved, HitscanError>>,
    /// The copy of the asset: kept where it may be baked for another skin.
    geometry: Option<Arc<Geometry>>,
    variants: HashMap<Posing, Variant>,
    is_warned: bool,
}

/// What was made of a mesh for one way of posing it.
#[derive(Default)]
struct Variant {
    /// Whether the mesh or the matrices have changed since it was baked.
    is_stale: bool,
    task: Option<Task<Result<Baked, HitscanError>>>,
    outcome: Option<Result<Baked, HitscanError>>,
}

impl BakedMeshes {
    /// How many meshes are being baked.
    pub(crate) fn pending(&self) -> usize {
        self.counts.baking
    }

    /// How many meshes have been baked since the beginning.
    pub(crate) fn baked_count(&self) -> usize {
        self.counts.baked
    }

    /// How many meshes were warned of since the beginning.
    pub(crate) fn warned_count(&self) -> usize {
        self.counts.warned
    }

    /// Takes the data of a mesh that was added or changed, if an entity has it or if it will not be there later.
    /// The entities that have it are to be looked at again.
    pub(crate) fn take_changed(
        &mut self,
        id: AssetId<Mesh>,
        meshes: &Assets<Mesh>,
        changed: &mut EntityHashSet,
    ) {
        let Some(mesh) = meshes.get(id) else { return };
        let stays = mesh.asset_usage.contains(RenderAssetUsages::MAIN_WORLD);
        if stays && !self.entries.contains_key(&id) {
            return;
        }
        let entry = self.entries.entry(id).or_default();
        entry.take(id, mesh, &mut self.counts);
        changed.extend(entry.users.iter().copied());
    }

    /// Forgets a mesh whose asset was removed. The entities that have it are to be looked at again.
    pub(crate) fn forget(&mut self, id: AssetId<Mesh>, changed: &mut EntityHashSet) {
        if let Some(entry) = self.entries.remove(&id) {
            let variants = entry.variants.values();
            self.counts.baking -= variants.filter(|variant| variant.task.is_some()).count();
            if !entry.users.is_empty() {
                changed.extend(entry.users.iter().copied());
                let users = entry.users;
                let without_asset = Entry {
                    users,
                    ..Entry::default()
                };
                self.entries.insert(id, without_asset);
            }
        }
    }

    /// Bakes what is posed with these matrices again, when it is next needed.
    pub(crate) fn forget_matrices(&mut self, id: AssetId<SkinnedMeshInverseBindposes>) {
        let variants = (self.entries.values_mut()).flat_map(|entry| &mut entry.variants);
        for (posing, variant) in variants {
            if matches!(posing, Posing::Skinned { inverse_bind, .. } if *inverse_bind == id) {
                variant.outdate(&mut self.counts);
            }
        }
    }

    /// An entity has this mesh from now on.
    pub(crate) fn add_user(&mut self, id: AssetId<Mesh>, user: Entity) {
        self.entries.entry(id).or_default().users.insert(user);
    }

    /// An entity does not have this mesh any longer.
    pub(crate) fn remove_user(&mut self, id: AssetId<Mesh>, user: Entity) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.users.remove(&user);
        }
    }

    /// What can move the vertices of a mesh; `None` of one that is not loaded, lines and points.
    pub(crate) fn moved(
        &mut self,
        id: AssetId<Mesh>,
        meshes: &Assets<Mesh>,
    ) -> Result<Option<Moved>, HitscanError> {
        let entry = self.entries.entry(id).or_default();
        if entry.moved.is_none()
            && let Some(mesh) = meshes.get(id)
        {
            entry.take(id, mesh, &mut self.counts);
        }
        entry.moved.clone().transpose()
    }

    /// The state of a mesh whose data was taken, posed like this; starts what must be done first.
    pub(crate) fn state(
        &mut self,
        id: AssetId<Mesh>,
        posing: &Posing,
        matrices: &[Mat4],
        is_blocking: bool,
    ) -> MeshState<'_> {
        let Some(entry) = self.entries.get_mut(&id) else {
            return MeshState::Nothing;
        };
        if !entry.variants.contains_key(posing) {
            entry.variants.insert(posing.clone(), Variant::default());
        }
        let Some(variant) = entry.variants.get_mut(posing) else {
            return MeshState::Nothing;
        };
        let is_wanted = variant.is_stale || variant.outcome.is_none();
        if is_wanted
            && variant.task.is_none()
            && let Some(geometry) = entry.geometry.clone()
        {
            if matches!(entry.moved, Some(Ok(moved)) if !moved.is_any()) {
                entry.geometry = None;
            }
            variant.bake(geometry, posing, matrices, is_blocking, &mut self.counts);
        }
        match &variant.outcome {
            Some(Ok(baked)) => MeshState::Baked(baked),
            Some(Err(fault)) => MeshState::Fault(fault),
            None => MeshState::Nothing,
        }
    }

    /// Takes in the trees that are done; all of them where it is to wait. The entities that have them are to be
    /// looked at again.
    pub(crate) fn collect(&mut self, is_blocking: bool, changed: &mut EntityHashSet) {
        if self.counts.baking == 0 {
            return;
        }
        for entry in self.entries.values_mut() {
            let mut is_any_done = false;
            for variant in entry.variants.values_mut() {
                is_any_done |= variant.collect(is_blocking, &mut self.counts);
            }
            if is_any_done {
                changed.extend(entry.users.iter().copied());
            }
        }
    }
}

impl Moved {
    fn is_any(self) -> bool {
        self.by_joints || self.by_morph_targets
    }
}

impl Entry {
    /// Takes the data; what was baked before counts until the new tree is built.
    fn take(&mut self, id: AssetId<Mesh>, mesh: &Mesh, counts: &mut Counts) {
        let taken = Geometry::of(mesh);
        let is_gone = matches!(taken, Err(HitscanError::MeshDataGone));
        if is_gone && matches!(self.moved, Some(Ok(_))) {
            // That says nothing against what was taken before the data went.
            return;
        }
        for variant in self.variants.values_mut() {
            variant.outdate(counts);
        }
        let taken = taken.map(|geometry| geometry.map(Arc::new));
        self.geometry = taken.as_ref().ok().cloned().flatten();
        self.moved = taken
            .map(|geometry| geometry.map(|geometry| geometry.moved()))
            .transpose();
        let worst = self
            .geometry
            .as_ref()
            .and_then(|geometry| geometry.worst_weight_sum());
        if let Some((vertex, sum)) = worst
            && (sum - 1.0).abs() > WEIGHT_SUM
            && !self.is_warned
        {
            self.is_warned = true;
            counts.warned += 1;
            warn!(
                "the joint weights of vertex {vertex} of mesh {id} sum to {sum}: it is drawn at {sum} of its place, \
                 and hit as if they summed to 1 (HitscanPlugin::normalize_weights makes them)"
            );
        }
    }
}

impl Variant {
    /// Drops what is being baked, whose task ends by itself; it is baked again when it is needed.
    fn outdate(&mut self, counts: &mut Counts) {
        self.is_stale = true;
        if self.task.take().is_some() {
            counts.baking -= 1;
        }
    }

    fn bake(
        &mut self,
        geometry: Arc<Geometry>,
        posing: &Posing,
        matrices: &[Mat4],
        is_blocking: bool,
        counts: &mut Counts,
    ) {
        self.is_stale = false;
        if is_blocking {
            self.outcome = Some(geometry.bake(posing, matrices));
            counts.baked += 1;
            return;
        }
        let (posing, matrices) = (posing.clone(), matrices.to_vec());
        let pool = AsyncComputeTaskPool::get_or_init(TaskPool::new);
        self.task = Some(pool.spawn(async move { geometry.bake(&posing, &matrices) }));
        counts.baking += 1;
    }

    /// Takes in a tree that is done, and says whether there was one.
    fn collect(&mut self, is_blocking: bool, counts: &mut Counts) -> bool {
        let is_done = |task: &mut Task<_>| is_blocking || task.is_finished();
        let Some(task) = self.task.take_if(is_done) else {
            return false;
        };
        self.outcome = Some(block_on(task));
        counts.baking -= 1;
        counts.baked += 1;
        true
    }
}
