//! Rows E4 and E5: rigid boxes, all of which move, and some of which come and go.

use crate::capsules::Engine;
use crate::crowd::{self, OfBody};
use crate::measure::median;
use crate::numbers::Numbers;
use crate::ours;
use crate::table::{Line, Wrong};
use crate::truth::{Answer, wrong};
use bevy_app::App;
use bevy_ecs::error::BevyError;
use bevy_ecs::prelude::*;
use bevy_hitscan::prelude::*;
use bevy_math::{DQuat, Dir3, Quat, Vec3};
use bevy_shape::Ray3d;
use bevy_transform::components::Transform;

/// How large the rows are.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) movers: u32,
    pub(crate) exchanged: u32,
    pub(crate) rays: usize,
    pub(crate) frames: usize,
}

/// Half the size of the cube they are in, metres.
const SPACE: f32 = 60.0;

const HALF: Vec3 = Vec3::new(0.4, 0.6, 0.9);

/// Frames that are not measured.
const WARM_UP: usize = 3;

/// Where a box is in a frame.
fn place(number: u32, frame: usize) -> Transform {
    let mut numbers = Numbers(u64::from(number) * 2 + 1);
    for _ in 0..8 {
        numbers.share();
    }
    let centre = numbers.point(SPACE);
    let axis = numbers.direction();
    #[expect(clippy::cast_precision_loss, reason = "few frames")]
    let time = frame as f32 / 60.0;
    let swing = Quat::from_axis_angle(*axis, time) * Vec3::new(1.0, 0.5, 0.0);
    Transform::from_translation(centre + swing)
        .with_rotation(Quat::from_axis_angle(*axis, time * 2.0))
}

fn rays(count: usize, numbers: &mut Numbers) -> Vec<Ray3d> {
    let ray = |_| loop {
        let origin = numbers.point(SPACE);
        let target = numbers.point(SPACE);
        if let Ok(direction) = Dir3::new(target - origin) {
            return Ray3d::new(origin, direction);
        }
    };
    (0..count).map(ray).collect()
}

/// What rays hit, by the slabs of each box in f64.
fn truth(places: &[Transform], rays: &[Ray3d]) -> Vec<Answer> {
    let nearest = |ray: &Ray3d| {
        let mut nearest: Option<(u32, f64)> = None;
        for (number, place) in (0..).zip(places) {
            let back = DQuat::from_array(place.rotation.to_array().map(f64::from)).inverse();
            let origin = back * (ray.origin.as_dvec3() - place.translation.as_dvec3());
            let direction = back * ray.direction.as_dvec3();
            let half = HALF.as_dvec3();
            let [one, other] = [(-half - origin) / direction, (half - origin) / direction];
            let (enter, leave) = (one.min(other).max_element(), one.max(other).min_element());
            let enter = enter.max(0.0);
            if enter <= leave && nearest.is_none_or(|(_, distance)| enter < distance) {
                nearest = Some((number, enter));
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "compared to a centimetre")]
        nearest.map(|(number, distance)| (number, distance as f32))
    };
    rays.iter().map(nearest).collect()
}

fn spawn(app: &mut App, scale: Scale, engine: Option<Engine>) -> Vec<Entity> {
    let movers = (0..scale.movers).map(|number| {
        let spawned = app.world_mut().spawn((place(number, 0), OfBody(number)));
        let entity = spawned.id();
        match engine {
            Some(engine) => engine.insert_box(app, entity, HALF),
            None => {
                let cuboid = HitscanCollider::cuboid(HALF * 2.0);
                app.world_mut().entity_mut(entity).insert(cuboid);
            }
        }
        entity
    });
    movers.collect()
}

/// Adds the lines of row E4, and returns our milliseconds for each entity that moves.
fn all_move(scale: Scale, lines: &mut Vec<Line>) -> Result<f64, BevyError> {
    let mut each = f64::NAN;
    for engine in [None, Some(Engine::Avian), Some(Engine::Rapier)] {
        let mut app = crowd::app();
        match engine {
            None => {
                app.add_plugins(ours::plugin());
            }
            Some(engine) => engine.add(&mut app),
        }
        let movers = spawn(&mut app, scale, engine);
        let mut numbers = Numbers(11);
        let [mut updates, mut many] = [(); 2].map(|()| Vec::new());
        let mut shares: Option<Wrong> = None;
        for frame in 0..WARM_UP + scale.frames {
            for (number, mover) in (0..).zip(&movers) {
                if let Some(mut transform) = app.world_mut().get_mut::<Transform>(*mover) {
                    *transform = place(number, frame);
                }
            }
            app.update();
            let update_ms = match engine {
                None => ours::sync(&mut app),
                Some(engine) => engine.step(&mut app),
            };
            let rays = rays(scale.rays, &mut numbers);
            let (answers, rays_ms) = match engine {
                None => ours::cast(&mut app, &rays)?,
                Some(engine) => engine.cast(&mut app, &rays)?,
            };
            if frame >= WARM_UP {
                updates.push(update_ms);
                many.push(rays_ms);
            }
            if frame + 1 == WARM_UP + scale.frames {
                let places: Vec<_> = (0..scale.movers)
                    .map(|number| place(number, frame))
                    .collect();
                shares = Some(wrong(&answers, &truth(&places, &rays)));
            }
        }
        let update_ms = median(updates);
        if engine.is_none() {
            each = update_ms / f64::from(scale.movers);
        }
        lines.push(Line {
            row: "E4",
            who: engine.map_or("bevy_hitscan", Engine::name),
            update_ms,
            rays_ms: median(many),
            wrong: shares,
        });
    }
    Ok(each)
}

/// Adds the lines of the rows.
pub(crate) fn rows(scale: Scale, lines: &mut Vec<Line>) -> Result<(), BevyError> {
    let each = all_move(scale, lines)?;
    let mut app = crowd::app();
    app.add_plugins(ours::plugin());
    let mut alive = std::collections::VecDeque::from(spawn(&mut app, scale, None));
    let mut next = scale.movers;
    let mut updates = Vec::new();
    for frame in 0..WARM_UP + scale.frames {
        if frame > 0 {
            for _ in 0..scale.exchanged {
                if let Some(oldest) = alive.pop_front() {
                    app.world_mut().despawn(oldest);
                }
                let cuboid = HitscanCollider::cuboid(HALF * 2.0);
                let spawned = app
                    .world_mut()
                    .spawn((place(next, 0), OfBody(next), cuboid));
                alive.push_back(spawned.id());
                next += 1;
            }
        }
        app.update();
        let update_ms = ours::sync(&mut app);
        if frame >= WARM_UP {
            updates.push(update_ms);
        }
    }
    let update_ms = median(updates);
    lines.push(Line {
        row: "E5",
        who: "bevy_hitscan",
        update_ms,
        rays_ms: 0.0,
        wrong: None,
    });
    let changed = f64::from(2 * scale.exchanged);
    println!(
        "E5: {:.3} us for each entity that comes or goes, {:.3} us for each that moves in E4: {:.2} times as much",
        update_ms / changed * 1e3,
        each * 1e3,
        update_ms / changed / each
    );
    Ok(())
}
