//! The plugin's gizmos, which F1 shows: the pointer's hit with its normal and joint, and the boxes of the world's tree.

use bevy::prelude::*;
use bevy_hitscan::{HitscanGizmos, HitscanGizmosPlugin};

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(HitscanGizmosPlugin)
        .add_systems(Startup, set_up)
        .add_systems(Update, toggle);
}

fn set_up(mut store: ResMut<GizmoConfigStore>) {
    // The outlines of the past.
    let (config, _) = store.config_mut::<DefaultGizmoConfigGroup>();
    config.line.width = 1.0;
    let (config, shown) = store.config_mut::<HitscanGizmos>();
    config.enabled = false;
    // Over what is drawn.
    config.depth_bias = -1.0;
    shown.tree_depth = Some(4);
}

fn toggle(keys: Res<ButtonInput<KeyCode>>, mut store: ResMut<GizmoConfigStore>) {
    if keys.just_pressed(KeyCode::F1) {
        let (config, _) = store.config_mut::<HitscanGizmos>();
        config.enabled = !config.enabled;
    }
}
