//! The world as it was at earlier ticks.

use crate::characters::{Character, HIPS, put, spawn_legs};
use crate::morphs::morphed_square;
use crate::stage::{app, ask, diagnostics, ray, spawn, square};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_hitscan::prelude::*;
use bevy_math::Vec3;
use bevy_mesh::morph::MeshMorphWeights;
use bevy_transform::components::Transform;

fn app_with_history(ticks: usize) -> App {
    let mut app = app();
    app.add_plugins(HitscanHistoryPlugin { ticks });
    app
}

/// Runs a frame under this tick.
fn tick(app: &mut App, tick: u64) {
    app.world_mut().resource_mut::<HitscanTick>().0 = tick;
    app.update();
}

fn leg_at(app: &mut App, ticks: f64, x: f32) -> Option<(Entity, f32)> {
    let shot = ray(Vec3::new(x, 0.5, 5.0), Vec3::NEG_Z);
    ask(app, |hitscan| {
        let past = hitscan.at(ticks).expect("it is kept");
        let hit = past.cast_ray(shot, &HitscanFilter::new())?;
        Some((hit.entity, hit.distance))
    })
}

#[test]
fn a_shot_between_two_ticks_goes_through_the_gap_or_hits_the_shin() {
    let mut app = app_with_history(16);
    let character: Character = spawn_legs(&mut app);
    tick(&mut app, 10);
    // Within one tick the left leg swings from x = -0.3 to x = 0.1, linearly.
    let swung = HIPS[0] + Vec3::X * 0.4;
    put(
        &mut app,
        character.joints[0],
        Transform::from_translation(swung),
    );
    tick(&mut app, 11);
    // At 10.25 it reaches from -0.3 to -0.1 and at 10.75 from -0.1 to 0.1.
    assert_eq!(leg_at(&mut app, 10.25, 0.0), None);
    assert_eq!(leg_at(&mut app, 10.75, 0.0), Some((character.mesh, 5.0)));
    assert_eq!(leg_at(&mut app, 10.25, -0.2), Some((character.mesh, 5.0)));
    assert_eq!(leg_at(&mut app, 10.75, -0.2), None);
    assert_eq!(leg_at(&mut app, 10.0, -0.3), Some((character.mesh, 5.0)));
    assert_eq!(leg_at(&mut app, 11.0, 0.1), Some((character.mesh, 5.0)));
}

#[test]
fn what_has_been_despawned_is_hit_as_it_stood() {
    let mut app = app_with_history(16);
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    tick(&mut app, 1);
    app.world_mut().despawn(entity);
    tick(&mut app, 2);
    let down = ray(Vec3::new(0.5, 10.0, 0.25), Vec3::NEG_Y);
    let up = ray(Vec3::new(0.5, -10.0, 0.25), Vec3::Y);
    ask(&mut app, |hitscan| {
        let filter = HitscanFilter::new();
        assert_eq!(hitscan.cast_ray(down, &filter), None);
        let past = hitscan.at(1.0).unwrap();
        assert_eq!(
            past.cast_ray(down, &filter)
                .map(|hit| (hit.entity, hit.distance)),
            Some((entity, 10.0))
        );
        assert!(
            !past.cast_ray_any(up, &filter),
            "its back was not hit then, nor is it now"
        );
        assert_eq!(
            past.cast_rays(&[down, up], &filter)
                .iter()
                .flatten()
                .count(),
            1
        );
        let later = hitscan.at(2.0).unwrap();
        assert_eq!(later.cast_ray(down, &filter), None);
    });
}

#[test]
fn only_the_last_ticks_are_kept() {
    let mut app = app_with_history(4);
    spawn(&mut app, square(), Vec3::ZERO);
    for number in 1..=10 {
        tick(&mut app, number);
    }
    let is_kept = |app: &mut App, at: f64| ask(app, |hitscan| hitscan.at(at).is_some());
    let kept: Vec<bool> = [5.9, 6.9, 7.0, 8.5, 10.0, 10.5]
        .map(|at| is_kept(&mut app, at))
        .to_vec();
    assert_eq!(kept, [false, false, true, true, true, false]);
    // Ticks that go back begin a new history.
    tick(&mut app, 3);
    assert!(is_kept(&mut app, 3.0) && !is_kept(&mut app, 10.0));
}

#[test]
fn a_tick_that_stands_still_records_once() {
    let mut app = app_with_history(4);
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    tick(&mut app, 1);
    put(&mut app, entity, Transform::from_xyz(0.0, 5.0, 0.0));
    tick(&mut app, 1);
    assert_eq!(diagnostics(&app).moved, 1);
    let down = ray(Vec3::new(0.5, 10.0, 0.25), Vec3::NEG_Y);
    ask(&mut app, |hitscan| {
        let filter = HitscanFilter::new();
        assert_eq!(
            hitscan.cast_ray(down, &filter).map(|hit| hit.distance),
            Some(5.0)
        );
        let past = hitscan.at(1.0).unwrap();
        assert_eq!(
            past.cast_ray(down, &filter).map(|hit| hit.distance),
            Some(10.0)
        );
    });
}

#[test]
fn morph_targets_are_as_they_were() {
    let mut app = app_with_history(16);
    let entity = spawn(&mut app, morphed_square(), Vec3::ZERO);
    for (number, weight) in [(1, 0.0), (2, 1.0)] {
        let weights = vec![weight, 0.0];
        let mut spawned = app.world_mut().entity_mut(entity);
        spawned.insert(MeshMorphWeights::Value { weights });
        tick(&mut app, number);
    }
    let down = ray(Vec3::new(0.5, 10.0, 0.25), Vec3::NEG_Y);
    for (at, distance) in [(1.0, 10.0), (1.5, 9.0), (2.0, 8.0)] {
        let hit = ask(&mut app, |hitscan| {
            let past = hitscan.at(at).unwrap();
            past.cast_ray(down, &HitscanFilter::new())
        });
        assert_eq!(
            hit.map(|hit| (hit.entity, hit.distance)),
            Some((entity, distance))
        );
    }
}
