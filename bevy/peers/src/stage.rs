//! Apps without a window and a renderer, whose frames are timed in parts.

use bevy_animation::AnimationPlugin;
use bevy_app::{
    AnimationSystems, App, PostUpdate, TaskPoolOptions, TaskPoolPlugin,
    TaskPoolThreadAssignmentPolicy,
};
use bevy_asset::{AssetEventSystems, AssetPlugin};
use bevy_camera::visibility::{VisibilityPlugin, VisibilitySystems};
use bevy_ecs::prelude::*;
use bevy_hitscan::HitscanSystems;
use bevy_image::ImagePlugin;
use bevy_mesh::MeshPlugin;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::{TransformPlugin, TransformSystems};
use core::time::Duration;
use std::time::Instant;

/// The parts of a frame, in their order; nothing else of `PostUpdate` runs within one.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Bevy animates the joints.
    Animate,
    /// A physics engine takes the transforms and updates its trees; it propagates them first.
    Physics,
    /// Bevy propagates transforms.
    Propagate,
    /// Bevy computes the boxes that `MeshRayCast` tests first.
    Bounds,
    /// The plugin syncs, and records where there is a history.
    Hitscan,
}

/// When each part of the last frame began and ended.
#[derive(Resource, Default)]
struct Marks(Vec<Instant>);

/// How long each part of a frame took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// [`Part::Animate`].
    pub animate: Duration,
    /// [`Part::Physics`].
    pub physics: Duration,
    /// [`Part::Propagate`].
    pub propagate: Duration,
    /// [`Part::Bounds`].
    pub bounds: Duration,
    /// [`Part::Hitscan`].
    pub hitscan: Duration,
}

#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Mark(usize);

fn mark(mut marks: ResMut<Marks>) {
    marks.0.push(Instant::now());
}

/// The threads of the row: Bevy's pool for computations, and that of rapier.
pub(crate) const THREADS: usize = 2;

/// Bevy, and no library that answers rays.
#[must_use]
pub fn app() -> App {
    let threads = TaskPoolThreadAssignmentPolicy {
        min_threads: THREADS,
        max_threads: THREADS,
        percent: 1.0,
        on_thread_spawn: None,
        on_thread_destroy: None,
    };
    let task_pool_options = TaskPoolOptions {
        compute: threads,
        ..TaskPoolOptions::default()
    };
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin { task_pool_options },
        AssetPlugin::default(),
        TimePlugin,
        MeshPlugin,
        ImagePlugin::default(),
        TransformPlugin,
        VisibilityPlugin,
        AnimationPlugin,
    ));
    let frame = TimeUpdateStrategy::ManualDuration(Duration::from_micros(16_667));
    app.insert_resource(frame).init_resource::<Marks>();
    app.configure_sets(
        PostUpdate,
        (
            Mark(0),
            Part::Animate,
            Mark(1),
            Part::Physics,
            Mark(2),
            Part::Propagate,
            Mark(3),
            AssetEventSystems,
            VisibilitySystems::VisibilityPropagate,
            Mark(4),
            Part::Bounds,
            Mark(5),
            Part::Hitscan,
            Mark(6),
            VisibilitySystems::CheckVisibility,
        )
            .chain(),
    );
    app.configure_sets(
        PostUpdate,
        (
            AnimationSystems.in_set(Part::Animate),
            TransformSystems::Propagate.in_set(Part::Propagate),
            VisibilitySystems::CalculateBounds.in_set(Part::Bounds),
            HitscanSystems::Sync.in_set(Part::Hitscan),
            HitscanSystems::Record.in_set(Part::Hitscan),
        ),
    );
    for number in 0..7 {
        app.add_systems(PostUpdate, mark.in_set(Mark(number)));
    }
    app
}

/// Ends the building of an app, and runs frames until all that was spawned is known.
pub fn ready(app: &mut App) {
    app.finish();
    app.cleanup();
    for _ in 0..4 {
        frame(app);
    }
}

/// Runs a frame.
pub fn frame(app: &mut App) -> Frame {
    app.world_mut().resource_mut::<Marks>().0.clear();
    app.update();
    let marks = &app.world().resource::<Marks>().0;
    let between = |one: usize, other: usize| marks[other].duration_since(marks[one]);
    Frame {
        animate: between(0, 1),
        physics: between(1, 2),
        propagate: between(2, 3),
        bounds: between(4, 5),
        hitscan: between(5, 6),
    }
}
