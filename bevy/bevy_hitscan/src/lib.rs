//! Exact ray, height, sweep and overlap queries in [Bevy](https://bevy.org), on meshes as they are drawn.
//!
//! ```
//! # mod bevy {
//! #     pub mod prelude {
//! #         pub use bevy_app::prelude::*;
//! #         pub use bevy_math::prelude::*;
//! #         pub use bevy_shape::Ray3d;
//! #         use bevy_app::{PluginGroupBuilder, TaskPoolPlugin};
//! #         pub struct DefaultPlugins;
//! #         impl PluginGroup for DefaultPlugins {
//! #             fn build(self) -> PluginGroupBuilder {
//! #                 PluginGroupBuilder::start::<Self>()
//! #                     .add(TaskPoolPlugin::default())
//! #                     .add(bevy_asset::AssetPlugin::default())
//! #                     .add(bevy_mesh::MeshPlugin)
//! #                     .add(bevy_transform::TransformPlugin)
//! #                     .add(bevy_picking::PickingPlugin)
//! #             }
//! #         }
//! #     }
//! # }
//! use bevy::prelude::*;
//! use bevy_hitscan::prelude::*;
//!
//! fn main() {
//!     App::new()
//!         .add_plugins((DefaultPlugins, HitscanPlugin::default(), HitscanPickingPlugin))
//!         .add_systems(Update, shoot)
//!         .run();
//! }
//!
//! fn shoot(hitscan: Hitscan) {
//!     let ray = Ray3d::new(Vec3::new(0.0, 1.7, 0.0), Dir3::NEG_Z);
//!     if let Some(hit) = hitscan.cast_ray(ray, &HitscanFilter::new()) {
//!         println!("{} is hit {} m away", hit.entity, hit.distance);
//!     }
//! }
//! ```
//!
//! Every [`Mesh3d`](bevy_mesh::Mesh3d) is in the world then, and systems ask it by [`Hitscan`].
//!
//! | what | by |
//! |---|---|
//! | which entities are in the world | [`HitscanPlugin::marked_only`], [`HitscanScene`], [`HitscanMesh`], [`HitscanIgnore`] |
//! | simpler shapes than the mesh | [`HitscanCollider`], [`HeightFieldCollider`], [`SimplifiedMesh`] |
//! | terrain of files, and its edits | [`HeightMap`], [`ImageHeights`], [`HeightEdit`] |
//! | which entities a query considers | [`HitscanFilter`], [`HitscanLayers`] |
//! | which of two entities that are hit at one place is the answer | [`HitscanOrder`] |
//! | what pointers are over | [`HitscanPickingPlugin`] |
//! | what would have been hit before | [`HitscanHistoryPlugin`], [`Hitscan::at`] |
//! | what is wrong with an entity | [`HitscanError`] |
//! | what a sync did | [`HitscanDiagnostics`] |
//! | the answers in the library's terms | [`HitscanWorld::now`] |

// In reading order: each module uses only those before it.
mod executor;
mod error;
mod markers;
mod diagnostics;
mod mesh;
mod collider;
mod order_keys;
#[cfg(feature = "gizmos")]
mod trace;
mod world;
mod sync;
mod filter;
mod query;
mod history;
mod plugin;
mod picking;
#[cfg(feature = "gizmos")]
mod triangles;
#[cfg(feature = "gizmos")]
mod gizmos;

pub use bevy_picking::mesh_picking::ray_cast::{
    RayCastBackfaces, RayCastVisibility, SimplifiedMesh,
};
pub use collider::{HeightFieldCollider, HeightMap, HitscanCollider, ImageHeights};
#[cfg(feature = "height_maps")]
pub use collider::{HeightMapError, HeightMapLoader, HeightMapSettings};
pub use diagnostics::HitscanDiagnostics;
pub use error::HitscanError;
pub use filter::HitscanFilter;
#[cfg(feature = "gizmos")]
pub use gizmos::{HitscanGizmos, HitscanGizmosPlugin};
pub use history::{HitscanHistoryPlugin, HitscanTick};
pub use hitscan;
pub use markers::{HitscanIgnore, HitscanLayers, HitscanMesh, HitscanOrder, HitscanScene};
pub use picking::{HitscanPickingCamera, HitscanPickingPlugin, HitscanPickingSettings};
pub use plugin::{HitscanPlugin, HitscanSystems};
pub use query::{EntityHit, Hitscan, HitscanHit, HitscanPast};
pub use sync::HeightEdit;
pub use world::HitscanWorld;

/// What most programs use.
pub mod prelude {
    pub use crate::{
        EntityHit, HeightEdit, HeightFieldCollider, HeightMap, Hitscan, HitscanCollider,
        HitscanFilter, HitscanHistoryPlugin, HitscanIgnore, HitscanLayers, HitscanMesh,
        HitscanOrder, HitscanPickingPlugin, HitscanPlugin, HitscanScene, HitscanSystems,
        HitscanTick, HitscanWorld, RayCastBackfaces, RayCastVisibility, SimplifiedMesh,
    };
}
