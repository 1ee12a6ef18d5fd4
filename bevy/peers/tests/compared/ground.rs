//! Heights and sweeps over a sloping height field.

use crate::peer::Peer;
use avian3d::prelude as avian;
use bevy_ecs::system::SystemState;
use bevy_hitscan::hitscan::height_field::Grid;
use bevy_hitscan::hitscan::{HeightField, ShapeCast, Sphere};
use bevy_hitscan::prelude::*;
use bevy_math::{Dir3, Quat, Vec2, Vec3};
use bevy_rapier3d::prelude as rapier;
use bevy_transform::components::Transform;
use peers::{Numbers, Subject, frame};

/// Samples in a row, 1 m apart, about the origin.
const SAMPLES: u16 = 33;
const HALF: f32 = 16.0;

/// The slope: its height at a place.
fn slope(x: f32, z: f32) -> f32 {
    0.25 * (x + z)
}

/// The slope as a height field, the same along both axes.
fn terrain(subject: Subject) -> Peer {
    let mut peer = Peer::new(subject);
    let place = |number: u16| f32::from(number) - HALF;
    let row = |i: u16| {
        (0..SAMPLES)
            .map(move |j| slope(place(i), place(j)))
            .collect()
    };
    let rows: Vec<Vec<f32>> = (0..SAMPLES).map(row).collect();
    let size = Vec3::new(2.0 * HALF, 1.0, 2.0 * HALF);
    let mut entity = peer.app.world_mut().spawn(Transform::IDENTITY);
    let count = usize::from(SAMPLES);
    match subject {
        Subject::Avian => {
            entity.insert(avian::Collider::heightfield(rows, size));
        }
        Subject::Rapier => {
            entity.insert(rapier::Collider::heightfield(
                rows.concat(),
                count,
                count,
                size,
            ));
        }
        _ => {
            let grid = Grid::new(count, count, [1.0, 1.0]);
            let field = HeightField::new(grid, rows.concat()).unwrap();
            let corner = Transform::from_xyz(-HALF, 0.0, -HALF);
            entity.insert((HeightFieldCollider::new(field), corner));
        }
    }
    for _ in 0..3 {
        frame(&mut peer.app);
    }
    peer
}

/// How far each ball of 0.4 m falls from height 20 until it lands, and the normal there.
fn falls(peer: &mut Peer, places: &[Vec2]) -> Vec<Option<(f32, Vec3)>> {
    const RADIUS: f32 = 0.4;
    let app = &mut peer.app;
    let from = |place: &Vec2| Vec3::new(place.x, 20.0, place.y);
    match peer.subject {
        Subject::Avian => {
            let mut state = SystemState::<avian::SpatialQuery>::new(app.world_mut());
            let query = state.get(app.world()).unwrap();
            let ball = avian::Collider::sphere(RADIUS);
            let filter = avian::SpatialQueryFilter::default();
            let how = avian::ShapeCastConfig::from_max_distance(100.0);
            let fall = |place: &Vec2| {
                let (at, down) = (from(place), Dir3::NEG_Y);
                let hit = query.cast_shape(&ball, at, Quat::IDENTITY, down, &how, &filter)?;
                Some((hit.distance, hit.normal1))
            };
            places.iter().map(fall).collect()
        }
        Subject::Rapier => {
            let mut state = SystemState::<rapier::ReadRapierContext>::new(app.world_mut());
            let context = state.get(app.world()).unwrap();
            let context = context.single().unwrap();
            let ball = rapier::Collider::ball(RADIUS);
            let fall = |place: &Vec2| {
                let how = rapier::ShapeCastOptions::with_max_time_of_impact(100.0);
                let filter = rapier::QueryFilter::default();
                let (turn, down) = (Quat::IDENTITY, Vec3::NEG_Y);
                let hit = context.cast_shape(from(place), turn, down, &ball, how, filter)?;
                Some((hit.1.time_of_impact, hit.1.details?.normal1))
            };
            places.iter().map(fall).collect()
        }
        _ => {
            let mut state = SystemState::<Hitscan>::new(app.world_mut());
            let hitscan = state.get(app.world()).unwrap();
            let cast = |place: &Vec2| {
                let ball = Sphere::new(from(place), RADIUS).unwrap();
                ShapeCast::new(ball, Vec3::NEG_Y * 100.0).unwrap()
            };
            let casts: Vec<ShapeCast> = places.iter().map(cast).collect();
            let hits = hitscan
                .cast_shapes(&casts, &HitscanFilter::new())
                .into_iter();
            let landed = hits.map(|hit| hit.map(|hit| (hit.t * 100.0, hit.normal)));
            landed.collect()
        }
    }
}

fn places() -> Vec<Vec2> {
    let mut numbers = Numbers(29);
    let mut one = || numbers.between(-12.0, 12.0);
    (0..1_000).map(|_| Vec2::new(one(), one())).collect()
}

/// How many of 1,000 balls land more than 1 mm too high or too low, or nowhere; and how many have a normal more than
/// 0.1 degrees off the slope's.
fn wrong_landings(subject: Subject) -> [usize; 2] {
    let mut peer = terrain(subject);
    let places = places();
    let up = Vec3::new(-0.25, 1.0, -0.25);
    let mut wrong = [0, 0];
    for (place, fall) in places.iter().zip(falls(&mut peer, &places)) {
        // The ball touches the slope along its normal.
        let landed = slope(place.x, place.y) + 0.4 * up.length();
        let Some((fall, normal)) = fall else {
            wrong[0] += 1;
            continue;
        };
        wrong[0] += usize::from((20.0 - fall - landed).abs() > 1e-3);
        wrong[1] += usize::from(normal.angle_between(up) > 0.1_f32.to_radians());
    }
    println!("{}: {wrong:?} of 1,000", subject.name());
    wrong
}

#[test]
fn balls_land_on_the_slope_with_its_normal() {
    assert_eq!(wrong_landings(Subject::Hitscan), [0, 0]);
    for subject in [Subject::Avian, Subject::Rapier] {
        assert_eq!(wrong_landings(subject)[0], 0, "{}", subject.name());
    }
}

/// The plugin has a query for heights; the others cast rays downwards.
#[test]
fn heights_are_the_slopes() {
    let places = places();
    for subject in [Subject::Hitscan, Subject::Avian, Subject::Rapier] {
        let mut peer = terrain(subject);
        let heights: Vec<f32> = if subject == Subject::Hitscan {
            let mut state = SystemState::<Hitscan>::new(peer.app.world_mut());
            let hitscan = state.get(peer.app.world()).unwrap();
            let heights = hitscan.heights(&places, &HitscanFilter::new());
            heights
                .into_iter()
                .map(|height| height.unwrap().height)
                .collect()
        } else {
            let below = |place: &Vec2| falls_as_ray(&mut peer, *place);
            places.iter().map(below).collect()
        };
        for (place, height) in places.iter().zip(heights) {
            assert!(
                (height - slope(place.x, place.y)).abs() < 1e-4,
                "{}",
                subject.name()
            );
        }
    }
}

fn falls_as_ray(peer: &mut Peer, place: Vec2) -> f32 {
    let app = &mut peer.app;
    let from = Vec3::new(place.x, 20.0, place.y);
    let fall = if peer.subject == Subject::Avian {
        let mut state = SystemState::<avian::SpatialQuery>::new(app.world_mut());
        let query = state.get(app.world()).unwrap();
        let filter = avian::SpatialQueryFilter::default();
        let hit = query.cast_ray(from, Dir3::NEG_Y, 100.0, true, &filter);
        hit.unwrap().distance
    } else {
        let mut state = SystemState::<rapier::ReadRapierContext>::new(app.world_mut());
        let context = state.get(app.world()).unwrap();
        let context = context.single().unwrap();
        let filter = rapier::QueryFilter::default();
        context
            .cast_ray(from, Vec3::NEG_Y, 100.0, true, filter)
            .unwrap()
            .1
    };
    20.0 - fall
}
