//! Apps to test in, and what is spawned in them.

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, Assets, Handle, RenderAssetUsages};
use bevy_camera::visibility::VisibilityPlugin;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemState;
use bevy_hitscan::hitscan::RayHit;
use bevy_hitscan::prelude::*;
use bevy_hitscan::{EntityHit, HitscanDiagnostics};
use bevy_image::ImagePlugin;
use bevy_math::{Dir3, Vec3};
use bevy_mesh::{Indices, Mesh, Mesh3d, MeshPlugin, PrimitiveTopology};
use bevy_shape::Ray3d;
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

/// Bevy without a window and a renderer, and the plugin.
pub(crate) fn app_with(plugin: HitscanPlugin) -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        AssetPlugin::default(),
        MeshPlugin,
        ImagePlugin::default(),
        TransformPlugin,
        VisibilityPlugin,
        plugin,
    ));
    app
}

/// An app whose frames wait for the trees of new meshes.
pub(crate) fn app() -> App {
    app_with(HitscanPlugin::default().bake_blocking())
}

/// What `ask` answers by the system parameter.
pub(crate) fn ask<R>(app: &mut App, ask: impl FnOnce(&Hitscan<'_, '_>) -> R) -> R {
    let mut state = SystemState::<Hitscan>::new(app.world_mut());
    let hitscan = state.get(app.world()).expect("the plugin is there");
    ask(&hitscan)
}

pub(crate) fn ray(origin: Vec3, direction: Vec3) -> Ray3d {
    Ray3d::new(origin, Dir3::new(direction).expect("a direction"))
}

/// The nearest hit, of whatever side and visibility.
pub(crate) fn cast(app: &mut App, origin: Vec3, direction: Vec3) -> Option<EntityHit<RayHit>> {
    ask(app, |hitscan| {
        hitscan.cast_ray(ray(origin, direction), &HitscanFilter::new())
    })
}

/// Which entity is hit downwards from 10 m above this place, and how far away.
pub(crate) fn below(app: &mut App, x: f32, z: f32) -> Option<(Entity, f32)> {
    let hit = cast(app, Vec3::new(x, 10.0, z), Vec3::NEG_Y)?;
    Some((hit.entity, hit.distance))
}

pub(crate) fn diagnostics(app: &App) -> HitscanDiagnostics {
    *app.world().resource::<HitscanDiagnostics>()
}

/// A square of 2 m about the origin, at height 0, whose front is up.
pub(crate) fn square() -> Mesh {
    triangles(
        &[
            [-1.0, 0.0, -1.0],
            [-1.0, 0.0, 1.0],
            [1.0, 0.0, 1.0],
            [1.0, 0.0, -1.0],
        ],
        &[0, 1, 2, 0, 2, 3],
    )
}

/// A box of these sizes about the origin.
pub(crate) fn block(size: Vec3) -> Mesh {
    Mesh::from(bevy_shape::Cuboid::from_size(size))
}

pub(crate) fn triangles(positions: &[[f32; 3]], indices: &[u32]) -> Mesh {
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions.to_vec())
    .with_inserted_indices(Indices::U32(indices.to_vec()))
}

pub(crate) fn add_mesh(app: &mut App, mesh: Mesh) -> Handle<Mesh> {
    app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh)
}

/// Spawns a mesh at a place.
pub(crate) fn spawn(app: &mut App, mesh: Mesh, at: Vec3) -> Entity {
    let mesh = add_mesh(app, mesh);
    let bundle = (Mesh3d(mesh), Transform::from_translation(at));
    app.world_mut().spawn(bundle).id()
}

/// Numbers that look random: xorshift64*.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// From 0 up to 1.
    pub(crate) fn share(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40;
        f32::from(u16::try_from(bits >> 8).expect("16 bits")) / 65_536.0
    }

    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + self.share() * (high - low)
    }

    pub(crate) fn point(&mut self, half_size: f32) -> Vec3 {
        Vec3::from_array([(); 3].map(|()| self.between(-half_size, half_size)))
    }

    pub(crate) fn direction(&mut self) -> Dir3 {
        loop {
            if let Ok(direction) = Dir3::new(self.point(1.0)) {
                return direction;
            }
        }
    }
}
