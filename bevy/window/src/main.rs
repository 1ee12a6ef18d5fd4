//! A window in which the pointer lights up what it hits, now and up to two seconds ago.
//!
//! `window` is for the hand. `window --script PICTURE.png` moves the pointer itself, compares every answer with brute
//! force, and saves what it shows.

// In reading order: each module uses only those before it.
#[path = "../../examples/robot/mod.rs"]
mod robot;
mod stage;
mod rewind;
mod pointed;
mod triangles;
mod highlight;
mod label;
mod gizmos;
mod script;

use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy_hitscan::prelude::*;
use std::path::PathBuf;

fn main() -> AppExit {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let picture = match arguments.as_slice() {
        [] => None,
        [option, path] if option == "--script" => Some(PathBuf::from(path)),
        _ => {
            eprintln!("usage: window [--script PICTURE.png]");
            return AppExit::from_code(2);
        }
    };
    let window = Window {
        title: "bevy_hitscan".to_owned(),
        resolution: (800, 450).into(),
        ..default()
    };
    let bevys = DefaultPlugins
        .set(WindowPlugin {
            primary_window: Some(window),
            ..default()
        })
        .set(RenderPlugin {
            // The first frame of a script shows all that it has.
            synchronous_pipeline_compilation: picture.is_some(),
            ..default()
        });
    let mut app = App::new();
    app.add_plugins((
        bevys,
        HitscanPlugin::default()
            .in_schedule(FixedPostUpdate)
            .bake_blocking(),
        HitscanPickingPlugin,
        HitscanHistoryPlugin {
            ticks: rewind::TICKS.into(),
        },
    ));
    app.add_plugins((
        stage::plugin,
        rewind::plugin,
        pointed::plugin,
        highlight::plugin,
        label::plugin,
        gizmos::plugin,
    ));
    if let Some(picture) = picture {
        script::add(&mut app, picture);
    }
    app.run()
}
