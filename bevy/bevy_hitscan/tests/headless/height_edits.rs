//! Edits of terrain by messages, and terrain by height maps.

use crate::stage::{app, below};
use crate::warnings::warnings;
use bevy_app::App;
use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_hitscan::HitscanDiagnostics;
use bevy_hitscan::hitscan::HeightField;
use bevy_hitscan::hitscan::height_field::{Grid, Region};
use bevy_hitscan::prelude::*;
use bevy_transform::components::Transform;

/// Nine by nine samples at height 0, a metre apart.
fn flat() -> HeightField {
    HeightField::new(Grid::new(9, 9, [1.0, 1.0]), vec![0.0; 81]).expect("a height field")
}

fn spawn_terrain(app: &mut App, terrain: HeightFieldCollider) -> Entity {
    let entity = app.world_mut().spawn((terrain, Transform::IDENTITY)).id();
    app.update();
    entity
}

fn edit(app: &mut App, entity: Entity, column: usize, heights: Vec<f32>) {
    let rect = Region {
        column,
        row: 4,
        columns: 2,
        rows: 2,
    };
    app.world_mut().write_message(HeightEdit {
        entity,
        rect,
        heights,
    });
}

#[test]
fn edits_are_made_by_the_next_sync() {
    let mut app = app();
    let entity = spawn_terrain(&mut app, HeightFieldCollider::new(flat()));
    edit(&mut app, entity, 3, vec![2.0; 4]);
    edit(&mut app, entity, 6, vec![f32::NAN; 4]);
    assert_eq!(below(&mut app, 3.5, 4.25), Some((entity, 10.0)));
    app.update();
    assert_eq!(below(&mut app, 3.5, 4.25), Some((entity, 8.0)));
    assert_eq!(below(&mut app, 6.5, 4.25), None);
    assert_eq!(below(&mut app, 1.5, 4.25), Some((entity, 10.0)));
    app.update();
    app.update();
    let diagnostics = *app.world().resource::<HitscanDiagnostics>();
    assert!(diagnostics.is_at_rest(), "{diagnostics:?}");
    edit(&mut app, entity, 3, vec![1.0; 4]);
    HitscanWorld::sync_now(app.world_mut());
    assert_eq!(below(&mut app, 3.5, 4.25), Some((entity, 9.0)));
}

#[test]
fn edits_that_do_not_fit_change_nothing_and_are_warned_of() {
    let mut app = app();
    let entity = spawn_terrain(&mut app, HeightFieldCollider::new(flat()));
    edit(&mut app, entity, 8, vec![2.0; 4]);
    edit(&mut app, entity, 3, vec![2.0; 3]);
    edit(&mut app, Entity::PLACEHOLDER, 3, vec![2.0; 4]);
    let warned = warnings(|| HitscanWorld::sync_now(app.world_mut()));
    println!("{warned:#?}");
    assert_eq!(warned.len(), 3);
    let refused = |warning: &String| warning.contains("was refused");
    assert!(warned.iter().all(refused));
    assert_eq!(below(&mut app, 3.5, 4.25), Some((entity, 10.0)));
}

#[test]
fn an_edit_makes_terrain_by_an_asset_the_entitys_own() {
    let mut app = app();
    let map = HeightMap::new(flat());
    let map = app.world_mut().resource_mut::<Assets<HeightMap>>().add(map);
    let edited = spawn_terrain(&mut app, HeightFieldCollider::from_height_map(map.clone()));
    let other = HeightFieldCollider::from_height_map(map.clone());
    let away = Transform::from_xyz(100.0, 0.0, 0.0);
    let other = app.world_mut().spawn((other, away)).id();
    app.update();
    assert_eq!(below(&mut app, 103.5, 4.25), Some((other, 10.0)));
    edit(&mut app, edited, 3, vec![2.0; 4]);
    app.update();
    assert_eq!(below(&mut app, 3.5, 4.25), Some((edited, 8.0)));
    assert_eq!(below(&mut app, 103.5, 4.25), Some((other, 10.0)));

    let whole = Region {
        column: 0,
        row: 0,
        columns: 9,
        rows: 9,
    };
    let mut maps = app.world_mut().resource_mut::<Assets<HeightMap>>();
    let edited_map = maps
        .get_mut(&map)
        .expect("it was added")
        .set_heights(whole, &[5.0; 81]);
    edited_map.expect("they fit");
    app.update();
    assert_eq!(below(&mut app, 3.5, 4.25), Some((edited, 8.0)));
    assert_eq!(below(&mut app, 103.5, 4.25), Some((other, 5.0)));
}

#[test]
fn terrain_waits_for_its_height_map() {
    let mut app = app();
    let maps = app.world().resource::<Assets<HeightMap>>();
    let handle = maps.reserve_handle();
    let entity = spawn_terrain(
        &mut app,
        HeightFieldCollider::from_height_map(handle.clone()),
    );
    assert_eq!(below(&mut app, 3.5, 4.25), None);
    let mut maps = app.world_mut().resource_mut::<Assets<HeightMap>>();
    maps.insert(&handle, HeightMap::new(flat()))
        .expect("a handle");
    app.update();
    assert_eq!(below(&mut app, 3.5, 4.25), Some((entity, 10.0)));
    app.world_mut()
        .resource_mut::<Assets<HeightMap>>()
        .remove(&handle);
    app.update();
    assert_eq!(below(&mut app, 3.5, 4.25), None);
}
