//! The script: the pointer moves across a robot and over the crowd, F1 shows the gizmos, the slider is dragged, and the
//! pointer moves across the robot as it was. Each answer is compared with brute force.

mod truth;
mod input;
mod report;
mod picture;

use crate::highlight::Highlight;
use crate::label::Label;
use crate::pointed::Pointed;
use crate::stage::Crowd;
use bevy::app::AppExit;
use bevy::input::ButtonState;
use bevy::picking::PickingSystems;
use bevy::picking::backend::ray::RayMap;
use bevy::picking::pointer::PointerId;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use bevy::time::TimeUpdateStrategy;
use bevy::ui_widgets::{Slider, SliderRange, SliderThumb, SliderValue};
use bevy::winit::WinitSettings;
use bevy_hitscan::HitscanGizmos;
use bevy_hitscan::prelude::*;
use input::Input;
use report::Report;
use std::ops::Range;
use std::path::PathBuf;
use truth::{BORDER, Truth};

/// How many frames it takes.
const FRAMES: u32 = 120;

/// How many more the screenshot may take.
const PATIENCE: u32 = 600;

/// When the pointer moves across the robot.
const ACROSS: Range<u32> = 8..60;
/// When it moves over the crowd, with the gizmos.
const OVER: Range<u32> = 60..80;
/// When it drags the slider.
const DRAG: Range<u32> = 82..94;
/// When it moves across the robot as it was.
const BACK: Range<u32> = 96..118;
/// When the screenshot is taken.
const PICTURE: u32 = 110;

/// To how many ticks ago the slider is dragged.
const AGO: u8 = 45;

/// How far a distance may be off, metres: vertices that the library poses are rounded to f32.
const TOLERANCE: f64 = 1e-4;

/// Where the script is.
#[derive(Resource)]
struct Script {
    frame: u32,
    picture: PathBuf,
    pointer: Vec2,
    /// The tick that picking sees in this frame.
    picked_tick: u64,
    /// Where the slider's thumb was pressed, and how far it is to be dragged.
    grip: Option<(Vec2, f32)>,
}

/// Adds the script to the window's app.
pub(crate) fn add(app: &mut App, picture: PathBuf) {
    app.insert_resource(Script {
        frame: 0,
        picture,
        pointer: Vec2::ZERO,
        picked_tick: 0,
        grip: None,
    })
    .init_resource::<Truth>()
    .init_resource::<Report>()
    // One tick a frame, and no pause where no window manager gives the window the focus.
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
    .insert_resource(WinitSettings::continuous())
    .add_systems(First, drive.before(PickingSystems::Input))
    .add_systems(FixedPostUpdate, truth::record.after(HitscanSystems::Sync))
    .add_systems(PostUpdate, (check_hit, check_switches, go_on).chain());
}

/// What the pointer is aimed by.
type View<'w, 's> = Single<'w, 's, (&'static Camera, &'static GlobalTransform)>;

/// A node of the user interface on the screen.
type Place<'w, 's, T> =
    Single<'w, 's, (&'static ComputedNode, &'static UiGlobalTransform), With<T>>;

#[expect(
    clippy::too_many_arguments,
    reason = "each is what the system reads or writes"
)]
fn drive(
    mut script: ResMut<Script>,
    tick: Res<HitscanTick>,
    truth: Res<Truth>,
    crowd: Res<Crowd>,
    view: View,
    roots: Query<&Transform>,
    (slider, thumb): (Place<Slider>, Place<SliderThumb>),
    range: Single<&SliderRange, With<Slider>>,
    mut input: Input,
) -> Result {
    let frame = script.frame;
    script.picked_tick = tick.0;
    let (camera, camera_transform) = *view;
    let walker = &crowd.0[0].robot;
    if ACROSS.contains(&frame) {
        let share = share(&ACROSS, frame);
        let across = camera_transform.right() * (0.42 * (share * 40.0).sin());
        let up = Vec3::Y * (1.85 - 1.8 * share);
        let at = roots.get(walker.root)?.translation + up + across;
        script.pointer = camera.world_to_viewport(camera_transform, at)?;
    } else if OVER.contains(&frame) {
        script.pointer = Vec2::new(100.0 + 600.0 * share(&OVER, frame), 175.0);
    } else if DRAG.contains(&frame) {
        let (node, place) = *thumb;
        let way = (slider.0.size.x - node.size.x) * f32::from(AGO) / range.span();
        let scale = node.inverse_scale_factor;
        let (from, way) = *script
            .grip
            .get_or_insert((place.translation * scale, way * scale));
        let share = share(&DRAG, frame - 2.min(frame - DRAG.start)).max(0.0);
        script.pointer = from - Vec2::X * (way * (share * 1.5).min(1.0));
    } else if BACK.contains(&frame) {
        let joint = walker.joints[(frame / 2) as usize % walker.joints.len()];
        // The tick that this frame begins comes on top.
        let then = (tick.0 + 1).saturating_sub(AGO.into());
        let at = truth.middle(then, joint).ok_or("that tick was recorded")?;
        script.pointer = camera.world_to_viewport(camera_transform, at.as_vec3())?;
    }
    input.move_to(script.pointer);
    match frame {
        _ if frame == DRAG.start + 1 => input.click(ButtonState::Pressed),
        _ if frame == DRAG.end => input.click(ButtonState::Released),
        _ if frame == OVER.start || frame == OVER.end => input.f1(ButtonState::Pressed),
        _ if frame == OVER.start + 1 || frame == OVER.end + 1 => input.f1(ButtonState::Released),
        _ => {}
    }
    Ok(())
}

/// How much of a range has passed.
fn share(range: &Range<u32>, frame: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "some hundred frames")]
    let [passed, all] = [frame - range.start, range.end - range.start].map(|count| count as f32);
    passed / all
}

/// Compares what the window shows to be hit with brute force.
#[expect(
    clippy::too_many_arguments,
    reason = "each is what the system reads or writes"
)]
fn check_hit(
    script: Res<Script>,
    tick: Res<HitscanTick>,
    truth: Res<Truth>,
    rays: Res<RayMap>,
    pointed: Res<Pointed>,
    highlight: Single<&Highlight>,
    label: Single<(&Text, &Visibility), With<Label>>,
    names: Query<&Name>,
    mut report: ResMut<Report>,
) {
    let frame = script.frame;
    let is_past = BACK.contains(&frame);
    if !(is_past || ACROSS.contains(&frame) || OVER.contains(&frame)) {
        return;
    }
    // Picking has seen the last frame's world; the triangle is drawn in this one's.
    let (asked, drawn) = match is_past {
        true => [tick.0.saturating_sub(AGO.into()); 2].into(),
        false => (script.picked_tick, tick.0),
    };
    let ray = rays.iter().find(|(id, _)| id.pointer == PointerId::Mouse);
    let Some((_, ray)) = ray else {
        report.fail(format!("frame {frame}: the pointer has no ray"));
        return;
    };
    let met = truth.nearest(asked, ray);
    if met.as_ref().is_some_and(|met| met.inside < BORDER) {
        report.at_borders += 1;
        return;
    }
    let (Some(met), Some(hit)) = (&met, &pointed.hit) else {
        if met.is_some() || pointed.hit.is_some() {
            report.fail(format!(
                "frame {frame}: {met:?} by brute force, {:?} by the pointer",
                pointed.hit
            ));
        }
        return;
    };
    let is_same = (met.entity, met.joint) == (hit.entity, hit.joint)
        && met.triangle == hit.triangle as usize
        && (met.distance - f64::from(hit.distance)).abs() < TOLERANCE
        && pointed.past.is_some() == is_past;
    let corners = truth.triangle(drawn, hit.entity, hit.triangle);
    let is_lit = highlight.0.zip(corners).is_some_and(|(lit, corners)| {
        let mut corners = lit.into_iter().zip(corners);
        corners.all(|(lit, corner)| lit.as_dvec3().distance(corner) < TOLERANCE)
    });
    let joint = met.joint.and_then(|joint| names.get(joint).ok());
    let (text, visibility) = *label;
    let is_labelled = *visibility == Visibility::Visible
        && joint.is_none_or(|joint| text.0.contains(joint.as_str()))
        && text.0.contains(&format!("{}", met.entity));
    if is_same && is_lit && is_labelled {
        report.agreed[usize::from(is_past)] += 1;
        report
            .joints
            .extend(joint.map(|joint| joint.as_str().to_owned()));
    } else {
        report.fail(format!(
            "frame {frame}: {met:?} by brute force, {hit:?} by the pointer; lit {:?}; labelled {:?}",
            highlight.0, text.0
        ));
    }
}

/// Checks that F1 and the slider have done what they are for.
fn check_switches(
    script: Res<Script>,
    slider: Single<&SliderValue, With<Slider>>,
    store: Res<GizmoConfigStore>,
    mut report: ResMut<Report>,
) {
    let frame = script.frame;
    let (config, _) = store.config::<HitscanGizmos>();
    if config.enabled != OVER.contains(&frame) {
        report.fail(format!("frame {frame}: gizmos: {}", config.enabled));
    }
    let ago = if frame >= BACK.start { AGO } else { 0 };
    let is_dragged = (DRAG.start..BACK.start).contains(&frame);
    if !is_dragged && slider.0 != -f32::from(ago) {
        report.fail(format!("frame {frame}: the slider is at {}", slider.0));
    }
}

/// Takes the screenshot, and ends with the last frame.
fn go_on(
    mut script: ResMut<Script>,
    mut report: ResMut<Report>,
    adapter: Res<RenderAdapterInfo>,
    mut exit: MessageWriter<AppExit>,
    mut commands: Commands,
) {
    if script.frame == PICTURE {
        let pointer = script.pointer.as_uvec2();
        picture::take(&mut commands, script.picture.clone(), pointer);
    }
    script.frame += 1;
    if script.frame == ACROSS.start {
        println!(
            "drawn by {}, {} {} {}",
            adapter.name, adapter.backend, adapter.driver, adapter.driver_info
        );
    }
    let is_done = script.frame >= FRAMES && report.is_pictured;
    if is_done || script.frame == FRAMES + PATIENCE {
        exit.write(report.end(FRAMES));
    }
}
