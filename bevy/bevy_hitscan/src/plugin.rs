//! The plugin.

use crate::executor::ComputePool;
use crate::history::record;
use crate::sync::{Changes, Settings, edit_heights, normalize_weights, sync, take_assets};
use crate::{
    HeightEdit, HeightFieldCollider, HeightMap, HitscanCollider, HitscanDiagnostics, HitscanError,
    HitscanIgnore, HitscanLayers, HitscanMesh, HitscanOrder, HitscanScene, HitscanWorld,
};
use bevy_app::prelude::*;
use bevy_asset::{AssetApp, AssetEventSystems, AssetServer, Assets};
use bevy_camera::visibility::VisibilitySystems;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_picking::mesh_picking::ray_cast::{RayCastBackfaces, SimplifiedMesh};
use bevy_transform::TransformSystems;
use bevy_transform::systems::{
    StaticTransformOptimizations, mark_dirty_trees, propagate_parent_transforms,
    sync_simple_transforms,
};
use std::sync::Arc;

/// What the plugin does in a frame or a tick.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitscanSystems {
    /// The world is brought up to date with the entities.
    Sync,
    /// The world is recorded in its history.
    Record,
}

/// Puts the meshes and colliders of all entities into a [`HitscanWorld`], and keeps them there as they are drawn.
///
/// The library's batches and builds run on Bevy's [`ComputeTaskPool`](bevy_tasks::ComputeTaskPool) from then on, in
/// the whole process.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_hitscan::HitscanPlugin;
/// App::new().add_plugins(HitscanPlugin::default());
/// // A server: 60 times a second, only what is marked, and no frame without what it spawned.
/// App::new().add_plugins(
///     HitscanPlugin::default().in_schedule(FixedPostUpdate).marked_only().bake_blocking(),
/// );
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct HitscanPlugin {
    settings: Settings,
    schedule: InternedScheduleLabel,
}

impl Default for HitscanPlugin {
    fn default() -> Self {
        Self {
            settings: Settings::default(),
            schedule: PostUpdate.intern(),
        }
    }
}

impl HitscanPlugin {
    /// Takes only what is below a [`HitscanScene`] or has a [`HitscanMesh`].
    pub fn marked_only(mut self) -> Self {
        self.settings.is_marked_only = true;
        self
    }

    /// Syncs in this schedule, and propagates transforms there first. By default that is
    /// [`PostUpdate`], after transforms and visibility are propagated, so that the picking of the next frame queries
    /// what this one has drawn.
    pub fn in_schedule(mut self, schedule: impl ScheduleLabel) -> Self {
        self.schedule = schedule.intern();
        self
    }

    /// Builds the trees of new meshes within the sync, which waits for them. By default they are built on other
    /// threads, and entities come into the world when theirs is done ([`HitscanWorld::pending`]).
    pub fn bake_blocking(mut self) -> Self {
        self.settings.is_blocking = true;
        self
    }

    /// Makes the joint weights of meshes sum to 1 in their assets, before the renderer takes them
    /// ([`Mesh::normalize_joint_weights`](bevy_mesh::Mesh::normalize_joint_weights)).
    ///
    /// Neither Bevy's loader nor its shader does it: a vertex whose weights sum to 0.98 is drawn at 0.98 of its place
    /// in the world. Queries divide by the sum, so that without this the picture and the answers differ there; then
    /// one warning names the mesh.
    pub fn normalize_weights(mut self) -> Self {
        self.settings.normalizes_weights = true;
        self
    }
}

impl Plugin for HitscanPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<HitscanLayers>()
            .register_type::<HitscanIgnore>()
            .register_type::<HitscanScene>()
            .register_type::<HitscanMesh>()
            .register_type::<HitscanOrder>()
            .register_type::<HitscanCollider>()
            .register_type::<HeightFieldCollider>()
            .register_type::<HitscanError>()
            .register_type::<HitscanDiagnostics>()
            .register_type::<SimplifiedMesh>()
            .register_type::<RayCastBackfaces>()
            .add_message::<HeightEdit>()
            .insert_resource(self.settings)
            .init_resource::<HitscanWorld>()
            .init_resource::<HitscanDiagnostics>();
        add_height_maps(app);
        Changes::observe(app);
        hitscan::executor::set_executor(Some(Arc::new(ComputePool)));
        if self.settings.normalizes_weights {
            let normalize = normalize_weights.after(AssetEventSystems);
            app.add_systems(PostUpdate, normalize.before(take_assets));
        }
        let in_order = (HitscanSystems::Sync, HitscanSystems::Record).chain();
        app.configure_sets(self.schedule, in_order)
            .add_systems(
                self.schedule,
                (edit_heights, sync).chain().in_set(HitscanSystems::Sync),
            )
            .add_systems(self.schedule, record.in_set(HitscanSystems::Record))
            .add_systems(PostUpdate, take_assets.after(AssetEventSystems));
        if self.schedule == PostUpdate.intern() {
            app.configure_sets(
                PostUpdate,
                HitscanSystems::Sync
                    .after(take_assets)
                    .after(TransformSystems::Propagate)
                    .after(VisibilitySystems::VisibilityPropagate),
            );
        } else {
            let propagate = (
                mark_dirty_trees,
                propagate_parent_transforms,
                sync_simple_transforms,
            );
            app.init_resource::<StaticTransformOptimizations>()
                .add_systems(
                    self.schedule,
                    propagate.chain().before(HitscanSystems::Sync),
                );
        }
    }

    fn finish(&self, app: &mut App) {
        add_height_maps(app);
    }
}

/// Makes height maps a kind of asset, once there is an asset server.
fn add_height_maps(app: &mut App) {
    let world = app.world();
    if !world.contains_resource::<AssetServer>() || world.contains_resource::<Assets<HeightMap>>() {
        return;
    }
    app.init_asset::<HeightMap>();
    #[cfg(feature = "height_maps")]
    app.register_asset_loader(crate::HeightMapLoader);
}

impl HitscanWorld {
    /// Brings the world up to date at once, in the middle of a frame.
    ///
    /// Transforms count as they were last propagated, and edits of assets once their events were sent, which Bevy
    /// does in [`PostUpdate`].
    ///
    /// # Panics
    /// Without a [`HitscanPlugin`].
    pub fn sync_now(world: &mut World) {
        let edited = world.run_system_cached(edit_heights);
        let done = edited.and_then(|()| world.run_system_cached(sync));
        done.expect("the plugin adds what the system needs");
    }
}
