//! Warnings in the log.

use crate::stage::app;
use bevy_app::App;
use bevy_hitscan::prelude::*;
use bevy_picking::PickingPlugin;
use bevy_picking::mesh_picking::MeshPickingPlugin;
use std::fmt::Write;
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Keeps the messages of the plugins' warnings.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

struct Message<'a>(&'a mut String);

impl Visit for Message<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            write!(self.0, "{value:?}").expect("a text takes it");
        }
    }
}

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN && metadata.target().starts_with("bevy_hitscan")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut message = String::new();
        event.record(&mut Message(&mut message));
        self.0.lock().expect("no test fails here").push(message);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The warnings of the plugins while `run` runs.
pub(crate) fn warnings(run: impl FnOnce()) -> Vec<String> {
    let warnings = Warnings::default();
    tracing::subscriber::with_default(warnings.clone(), run);
    std::mem::take(&mut *warnings.0.lock().expect("no test fails here"))
}

fn finished(add: impl FnOnce(&mut App)) -> Vec<String> {
    let mut app = app();
    add(&mut app);
    warnings(|| app.finish())
}

#[test]
fn two_plugins_that_pick_meshes_are_warned_of_once() {
    let beside = finished(|app| {
        app.add_plugins((PickingPlugin, HitscanPickingPlugin, MeshPickingPlugin));
    });
    assert_eq!(
        beside,
        ["MeshPickingPlugin and HitscanPickingPlugin both pick meshes: one of them is enough"]
    );
    let before = finished(|app| {
        app.add_plugins((PickingPlugin, MeshPickingPlugin, HitscanPickingPlugin));
    });
    assert_eq!(before, beside);
    let alone = finished(|app| {
        app.add_plugins((PickingPlugin, HitscanPickingPlugin));
    });
    assert_eq!(alone, [""; 0]);
}

#[test]
fn picking_without_bevys_is_warned_of_and_frames_go_on() {
    let mut app = app();
    app.add_plugins(HitscanPickingPlugin);
    let said = warnings(|| {
        app.finish();
        app.cleanup();
        app.update();
    });
    assert_eq!(
        said,
        ["HitscanPickingPlugin picks nothing without Bevy's PickingPlugin"]
    );
}
