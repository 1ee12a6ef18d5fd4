//! An app without a window, a renderer or a GPU.

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::AssetPlugin;
use bevy_camera::visibility::VisibilityPlugin;
use bevy_hitscan::prelude::*;
use bevy_image::ImagePlugin;
use bevy_mesh::MeshPlugin;
use bevy_transform::TransformPlugin;

/// Bevy's parts that the examples need, and the plugin.
pub(crate) fn app(plugin: HitscanPlugin) -> App {
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
