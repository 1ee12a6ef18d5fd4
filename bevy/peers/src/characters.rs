//! Rows E1, E2 and E6: animated bodies of 20 joints, under one pointer, under fire, and rewound.

use crate::capsules::Engine;
use crate::crowd::{self, Body};
use crate::measure::{median, timed};
use crate::numbers::Numbers;
use crate::table::{Line, Wrong};
use crate::truth::{Answer, truth, wrong};
use crate::{bevy_casts, ours};
use bevy_app::App;
use bevy_camera::visibility::VisibilityPlugin;
use bevy_ecs::error::BevyError;
use bevy_hitscan::prelude::*;
use bevy_shape::Ray3d;

/// How large the rows are.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) bodies: u16,
    pub(crate) rays: usize,
    pub(crate) frames: usize,
}

/// What was measured of one peer.
struct Measured {
    update_ms: f64,
    /// Of one ray.
    pick_ms: f64,
    /// Of all rays.
    rays_ms: f64,
    wrong: Wrong,
}

/// Ticks that are kept for rewinding.
const KEPT: u16 = 64;

/// Frames that are not measured.
const WARM_UP: usize = 3;

type Cast<'a> = &'a mut dyn FnMut(&mut App, &[Ray3d]) -> Result<(Vec<Answer>, f64), BevyError>;

/// Runs frames of a crowd: Bevy's own part, then `update`, then rays.
fn measure(
    app: &mut App,
    bodies: &[Body],
    scale: Scale,
    update: &mut dyn FnMut(&mut App) -> Result<f64, BevyError>,
    cast: Cast<'_>,
) -> Result<Measured, BevyError> {
    let mut numbers = Numbers(7);
    let [mut updates, mut picks, mut many] = [(); 3].map(|()| Vec::new());
    let mut shares = Wrong {
        body: 0.0,
        place: 0.0,
    };
    for frame in 0..WARM_UP + scale.frames {
        app.update();
        let update_ms = update(app)?;
        let rays = crowd::rays(scale.rays, bodies.len(), &mut numbers);
        let (_, pick_ms) = cast(app, &rays[..1])?;
        let (answers, rays_ms) = cast(app, &rays)?;
        if frame >= WARM_UP {
            updates.push(update_ms);
            picks.push(pick_ms);
            many.push(rays_ms);
        }
        if frame + 1 == WARM_UP + scale.frames {
            shares = wrong(&answers, &truth(app, bodies, &rays)?);
        }
    }
    Ok(Measured {
        update_ms: median(updates),
        pick_ms: median(picks),
        rays_ms: median(many),
        wrong: shares,
    })
}

/// Milliseconds in which Bevy animates and propagates the crowd.
fn animate_and_propagate(scale: Scale) -> Result<f64, BevyError> {
    let mut app = crowd::app();
    crowd::spawn(&mut app, scale.bodies)?;
    let mut frames = Vec::new();
    for frame in 0..WARM_UP + scale.frames {
        let ((), ms) = timed(|| app.update());
        if frame >= WARM_UP {
            frames.push(ms);
        }
    }
    Ok(median(frames))
}

/// Adds the lines of the rows.
pub(crate) fn rows(scale: Scale, lines: &mut Vec<Line>) -> Result<(), BevyError> {
    let animating = animate_and_propagate(scale)?;

    let mut app = crowd::app();
    app.add_plugins(ours::plugin());
    let bodies = crowd::spawn(&mut app, scale.bodies)?;
    let mut sync = |app: &mut App| Ok(ours::sync(app));
    let mine = measure(&mut app, &bodies, scale, &mut sync, &mut ours::cast)?;

    let mut app = crowd::app();
    app.add_plugins(VisibilityPlugin);
    let bodies = crowd::spawn(&mut app, scale.bodies)?;
    let as_is = measure(
        &mut app,
        &bodies,
        scale,
        &mut bevy_casts::bounds,
        &mut bevy_casts::cast,
    )?;
    let skinned = measure(
        &mut app,
        &bodies,
        scale,
        &mut bevy_casts::bounds,
        &mut bevy_casts::cast_skinned,
    )?;

    let mut measured = vec![
        ("bevy_hitscan", mine),
        ("MeshRayCast, in the bind pose", as_is),
        ("MeshRayCast, skinned for each ray", skinned),
    ];
    for engine in [Engine::Avian, Engine::Rapier] {
        let mut app = crowd::app();
        engine.add(&mut app);
        let bodies = crowd::spawn(&mut app, scale.bodies)?;
        for (number, body) in (0..).zip(&bodies) {
            engine.hang_capsules(&mut app, number, body);
        }
        let mut step = |app: &mut App| Ok(engine.step(app));
        let mut cast = |app: &mut App, rays: &[Ray3d]| engine.cast(app, rays);
        let result = measure(&mut app, &bodies, scale, &mut step, &mut cast)?;
        measured.push((engine.name(), result));
    }
    for row in ["E1", "E2"] {
        for (who, result) in &measured {
            let is_one = row == "E1";
            lines.push(Line {
                row,
                who,
                update_ms: result.update_ms,
                rays_ms: if is_one {
                    result.pick_ms
                } else {
                    result.rays_ms
                },
                wrong: (!is_one).then_some(result.wrong),
            });
        }
        if row == "E1" {
            lines.push(Line {
                row,
                who: "Bevy: animates and propagates",
                update_ms: animating,
                rays_ms: 0.0,
                wrong: None,
            });
        }
    }
    rewound(scale, lines)
}

/// Row E6: each ray at a tick of its own, whole or between two.
fn rewound(scale: Scale, lines: &mut Vec<Line>) -> Result<(), BevyError> {
    let mut app = crowd::app();
    let ticks = usize::from(KEPT);
    app.add_plugins((ours::plugin(), HitscanHistoryPlugin { ticks }));
    let bodies = crowd::spawn(&mut app, scale.bodies)?;
    let mut numbers = Numbers(7);
    let mut tick = 0_u16;
    let [mut updates, mut whole, mut between] = [(); 3].map(|()| Vec::new());
    for frame in 0..ticks + WARM_UP + scale.frames {
        app.update();
        tick += 1;
        app.world_mut().resource_mut::<HitscanTick>().0 = u64::from(tick);
        let ((), update_ms) = timed(|| app.world_mut().run_schedule(ours::Aside));
        if frame < ticks + WARM_UP {
            continue;
        }
        updates.push(update_ms);
        for (is_whole, times) in [(true, &mut whole), (false, &mut between)] {
            let rays = crowd::rays(scale.rays, bodies.len(), &mut numbers);
            let rays = rays.into_iter().map(|ray| {
                let back = f64::from(numbers.share()) * f64::from(KEPT - 1);
                let back = if is_whole { back.floor() } else { back };
                (ray, f64::from(tick) - back)
            });
            let rays: Vec<(Ray3d, f64)> = rays.collect();
            let (hits, ms) = ours::cast_at(&mut app, &rays)?;
            if !hits.contains(&true) {
                return Err("nothing was hit in the past".into());
            }
            times.push(ms);
        }
    }
    let update_ms = median(updates);
    for (who, times) in [
        ("bevy_hitscan, at a recorded tick for each ray", whole),
        ("bevy_hitscan, between two ticks for each ray", between),
    ] {
        lines.push(Line {
            row: "E6",
            who,
            update_ms,
            rays_ms: median(times),
            wrong: None,
        });
    }
    Ok(())
}
