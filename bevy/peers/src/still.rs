//! Row E3: many meshes, of which nothing changes, and one ray.

use crate::crowd::{self, OfBody};
use crate::measure::{median, timed};
use crate::numbers::Numbers;
use crate::table::Line;
use crate::{bevy_casts, ours};
use bevy_app::App;
use bevy_asset::Assets;
use bevy_camera::visibility::VisibilityPlugin;
use bevy_ecs::error::BevyError;
use bevy_ecs::schedule::{IntoScheduleConfigs, ScheduleLabel};
use bevy_hitscan::HitscanDiagnostics;
use bevy_math::{Dir3, Vec3};
use bevy_mesh::{Mesh, Mesh3d};
use bevy_shape::{Ray3d, Sphere};
use bevy_transform::components::Transform;
use bevy_transform::systems::{
    mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms,
};

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Propagate;

/// Half the size of the cube they are in, metres.
const SPACE: f32 = 150.0;

/// How large the row is.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) meshes: u32,
    pub(crate) frames: usize,
}

fn spawn(app: &mut App, scale: Scale) {
    let mesh = Mesh::from(Sphere::new(0.5));
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(mesh);
    let mut numbers = Numbers(3);
    for number in 0..scale.meshes {
        let at = Transform::from_translation(numbers.point(SPACE));
        app.world_mut()
            .spawn((Mesh3d(mesh.clone()), at, OfBody(number)));
    }
}

/// Adds the lines of the row.
pub(crate) fn rows(scale: Scale, lines: &mut Vec<Line>) -> Result<(), BevyError> {
    let mut app = crowd::app();
    app.add_plugins((VisibilityPlugin, ours::plugin()));
    let propagate = (
        mark_dirty_trees,
        propagate_parent_transforms,
        sync_simple_transforms,
    );
    app.add_systems(Propagate, propagate.chain());
    spawn(&mut app, scale);
    let mut numbers = Numbers(5);
    let [mut syncs, mut propagations, mut mine, mut theirs] = [(); 4].map(|()| Vec::new());
    let mut is_same = true;
    for frame in 0..3 + scale.frames {
        app.update();
        let ((), propagate_ms) = timed(|| app.world_mut().run_schedule(Propagate));
        let sync_ms = ours::sync(&mut app);
        let target: Vec3 = numbers.point(SPACE / 2.0);
        let origin = target + *numbers.direction() * 60.0;
        let ray = [Ray3d::new(origin, Dir3::new(target - origin)?)];
        let (answer, ms) = ours::cast(&mut app, &ray)?;
        let (other, their_ms) = bevy_casts::cast(&mut app, &ray)?;
        if frame < 3 {
            continue;
        }
        is_same &= answer[0].map(|(body, _)| body) == other[0].map(|(body, _)| body);
        let diagnostics = app.world().resource::<HitscanDiagnostics>();
        if !diagnostics.is_at_rest() {
            return Err(format!("a sync at rest did something: {diagnostics:?}").into());
        }
        syncs.push(sync_ms);
        propagations.push(propagate_ms);
        mine.push(ms);
        theirs.push(their_ms);
    }
    println!("E3: both name the same entities: {is_same}");
    for (who, update, rays) in [
        ("bevy_hitscan", syncs, mine),
        ("MeshRayCast", vec![0.0], theirs),
        (
            "Bevy: propagates transforms at rest",
            propagations,
            vec![0.0],
        ),
    ] {
        lines.push(Line {
            row: "E3",
            who,
            update_ms: median(update),
            rays_ms: median(rays),
            wrong: None,
        });
    }
    Ok(())
}
