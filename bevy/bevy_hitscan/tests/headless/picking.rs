//! The picking backend, also beside Bevy's own.

use crate::exact::{Crossing, front_crossing, is_near};
use crate::stage::{Numbers, app, ask, block, ray, spawn, square};
use bevy_app::App;
use bevy_asset::Assets;
use bevy_camera::Camera;
use bevy_camera::visibility::RenderLayers;
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemState;
use bevy_hitscan::prelude::*;
use bevy_hitscan::{HitscanHit, HitscanPickingCamera, HitscanPickingSettings};
use bevy_math::{Quat, Vec3};
use bevy_mesh::{Mesh, Mesh3d};
use bevy_picking::Pickable;
use bevy_picking::backend::PointerHits;
use bevy_picking::backend::ray::{RayId, RayMap};
use bevy_picking::mesh_picking::ray_cast::{MeshRayCast, MeshRayCastSettings};
use bevy_picking::pointer::PointerId;
use bevy_shape::Ray3d;
use bevy_transform::components::{GlobalTransform, Transform};
use std::cmp::Ordering;

/// An app with a pointer over a camera, from which a ray goes down at (0.5, 0.25).
fn picking_app() -> (App, Entity) {
    let mut app = app();
    app.init_resource::<RayMap>()
        .add_message::<PointerHits>()
        .add_plugins(HitscanPickingPlugin);
    app.insert_resource(HitscanPickingSettings {
        visibility: RayCastVisibility::Visible,
        ..Default::default()
    });
    let camera = app
        .world_mut()
        .spawn(Camera {
            order: 3,
            ..Default::default()
        })
        .id();
    let down = ray(Vec3::new(0.5, 10.0, 0.25), Vec3::NEG_Y);
    let mut rays = app.world_mut().resource_mut::<RayMap>();
    rays.map.insert(RayId::new(camera, PointerId::Mouse), down);
    (app, camera)
}

/// Runs two frames, one to draw and one to pick, and returns what was picked in the second.
fn picked(app: &mut App) -> Vec<Entity> {
    hits(app)
        .iter()
        .flat_map(|hits| &hits.picks)
        .map(|(entity, _)| *entity)
        .collect()
}

fn hits(app: &mut App) -> Vec<PointerHits> {
    app.update();
    app.world_mut()
        .resource_mut::<Messages<PointerHits>>()
        .clear();
    app.update();
    app.world_mut()
        .resource_mut::<Messages<PointerHits>>()
        .drain()
        .collect()
}

#[test]
fn pointers_hit_what_was_drawn_with_all_that_is_known_of_the_hit() {
    let (mut app, camera) = picking_app();
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    let hits = hits(&mut app);
    assert_eq!(hits.len(), 1);
    assert_eq!((hits[0].pointer, hits[0].order), (PointerId::Mouse, 3.0));
    let (picked, data) = &hits[0].picks[0];
    assert_eq!((*picked, data.camera, data.depth), (entity, camera, 10.0));
    assert_eq!(data.position, Some(Vec3::new(0.5, 0.0, 0.25)));
    assert_eq!(data.normal, Some(Vec3::Y));
    let extra = data.extra_as::<HitscanHit>().unwrap();
    assert_eq!(
        (extra.triangle, extra.bind_position),
        (Some(1), Some(Vec3::new(0.5, 0.0, 0.25)))
    );
}

#[test]
fn hits_go_on_until_something_blocks() {
    let (mut app, _) = picking_app();
    let glass = Pickable {
        should_block_lower: false,
        is_hoverable: true,
    };
    let top = spawn(&mut app, square(), Vec3::Y * 3.0);
    let middle = spawn(&mut app, square(), Vec3::Y * 2.0);
    let blocking = spawn(&mut app, square(), Vec3::Y);
    spawn(&mut app, square(), Vec3::ZERO);
    app.world_mut().entity_mut(top).insert(glass);
    app.world_mut().entity_mut(middle).insert(glass);
    assert_eq!(picked(&mut app), [top, middle, blocking]);
    app.world_mut().entity_mut(middle).insert(Pickable::IGNORE);
    assert_eq!(picked(&mut app), [top, blocking]);
}

#[test]
fn cameras_see_their_render_layers() {
    let (mut app, camera) = picking_app();
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    app.world_mut()
        .entity_mut(entity)
        .insert(RenderLayers::from_layers(&[100]));
    assert_eq!(picked(&mut app), []);
    app.world_mut()
        .entity_mut(camera)
        .insert(RenderLayers::from_layers(&[7, 100]));
    assert_eq!(picked(&mut app), [entity]);
    app.world_mut().entity_mut(entity).remove::<RenderLayers>();
    assert_eq!(picked(&mut app), []);
}

#[test]
fn markers_are_needed_where_the_settings_say_so() {
    let (mut app, camera) = picking_app();
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    app.world_mut()
        .resource_mut::<HitscanPickingSettings>()
        .require_markers = true;
    assert_eq!(picked(&mut app), []);
    app.world_mut()
        .entity_mut(camera)
        .insert(HitscanPickingCamera);
    assert_eq!(picked(&mut app), []);
    app.world_mut()
        .entity_mut(entity)
        .insert(Pickable::default());
    assert_eq!(picked(&mut app), [entity]);
}

#[test]
fn only_what_is_in_view_is_picked_by_default() {
    let (mut app, _) = picking_app();
    app.insert_resource(HitscanPickingSettings::default());
    spawn(&mut app, square(), Vec3::ZERO);
    assert_eq!(picked(&mut app), [], "no camera has drawn it");
}

/// How far the depths of the two may be apart: Bevy casts in f32, in the space of the mesh.
const DEPTH: f32 = 1e-4;

#[test]
fn rigid_meshes_are_hit_as_by_bevy() {
    let mut numbers = Numbers(3);
    let mut app = app();
    for number in 0..30_u8 {
        let mesh: Mesh = match number % 3 {
            0 => block(numbers.point(0.5) + Vec3::ONE),
            1 => Mesh::from(bevy_shape::Sphere::new(numbers.between(0.5, 1.5))),
            _ => Mesh::from(bevy_shape::Torus::new(0.4, 1.3)),
        };
        let at = numbers.point(8.0);
        let entity = spawn(&mut app, mesh, at);
        let turn = Quat::from_axis_angle(*numbers.direction(), numbers.between(0.0, 6.0));
        let scale = numbers.point(0.5) + Vec3::ONE;
        let mut transform = app.world_mut().get_mut::<Transform>(entity).unwrap();
        *transform = transform.with_rotation(turn).with_scale(scale);
    }
    app.update();
    let rays: Vec<Ray3d> = (0..100_000).map(|_| aimed(&mut numbers)).collect();
    let filter = HitscanFilter::new();
    let ours = ask(&mut app, |hitscan| {
        let hits = hitscan.cast_rays(&rays, &filter).into_iter();
        let hits = hits
            .map(|hit| hit.map(|hit| (hit.entity, hitscan.detail(&hit).triangle, hit.distance)));
        hits.collect::<Vec<_>>()
    });
    let mut state = SystemState::<MeshRayCast>::new(app.world_mut());
    let mut theirs = state.get_mut(app.world_mut()).unwrap();
    let settings = MeshRayCastSettings::default().with_visibility(RayCastVisibility::Visible);
    let theirs = rays.iter().map(|ray| {
        let (entity, hit) = theirs.cast_ray(*ray, &settings).first()?;
        Some((*entity, hit.triangle_index, hit.distance))
    });
    let theirs: Vec<_> = theirs.collect();
    let (mut hits, mut differences) = (0, 0);
    for (ray, (ours, theirs)) in rays.iter().zip(ours.iter().zip(&theirs)) {
        hits += usize::from(ours.is_some());
        let is_same = match (ours, theirs) {
            (None, None) => true,
            (Some((entity, triangle, depth)), Some((other, theirs, other_depth))) => {
                entity == other
                    && triangle.map(|triangle| triangle as usize) == *theirs
                    && (depth - other_depth).abs() <= DEPTH * depth
            }
            _ => false,
        };
        if is_same {
            continue;
        }
        differences += 1;
        // Bevy casts in f32, in the space of the mesh: this close to an edge it takes the triangle beside it or
        // neither. Exact arithmetic decides.
        let nearest = nearest(&mut app, ray);
        println!("{ray:?}: {ours:?} here, {theirs:?} by Bevy, exactly {nearest:?}");
        let is_ours = match (ours, &nearest) {
            (None, None) => true,
            (Some((entity, triangle, depth)), Some(nearest)) => {
                let distance = nearest.at.to_f64();
                let number = triangle.map(|triangle| triangle as usize).unwrap();
                nearest.triangles.contains(&(*entity, number))
                    && (f64::from(*depth) - distance).abs() <= 1e-6 * distance
            }
            _ => false,
        };
        assert!(is_ours, "{ray:?}: {ours:?} here, exactly {nearest:?}");
        let is_theirs = match (theirs, &nearest) {
            (None, None) => true,
            (Some((entity, Some(triangle), _)), Some(nearest)) => {
                nearest.triangles.contains(&(*entity, *triangle))
            }
            _ => false,
        };
        assert!(
            !is_theirs,
            "{ray:?}: {theirs:?} by Bevy, exactly {nearest:?}"
        );
    }
    println!("{differences} of 100000 rays differ, {hits} hit");
    assert!(hits > 20_000, "{hits}");
    assert!(differences <= 20, "{differences}");
}

/// The nearest front faces that a ray hits: more than one where it hits an edge.
#[derive(Debug)]
struct Nearest {
    at: Crossing,
    triangles: Vec<(Entity, usize)>,
}

/// What a ray hits, by exact arithmetic over all triangles that it comes near.
fn nearest(app: &mut App, ray: &Ray3d) -> Option<Nearest> {
    let world = app.world_mut();
    let mut placed = world.query::<(Entity, &Mesh3d, &GlobalTransform)>();
    let meshes = world.resource::<Assets<Mesh>>();
    let mut nearest: Option<Nearest> = None;
    for (entity, mesh, transform) in placed.iter(world) {
        let affine = transform.affine();
        let mesh = meshes.get(&mesh.0).expect("it was spawned with one");
        let triangles = mesh.triangles().expect("a triangle list");
        for (number, triangle) in triangles.enumerate() {
            if !is_near(ray, &affine, triangle.vertices) {
                continue;
            }
            let Some(at) = front_crossing(ray, &affine, triangle.vertices) else {
                continue;
            };
            let order = nearest.as_ref().map(|nearest| nearest.at.cmp(&at));
            match (&mut nearest, order) {
                (Some(_), Some(Ordering::Less)) => {}
                (Some(nearest), Some(Ordering::Equal)) => nearest.triangles.push((entity, number)),
                _ => {
                    let triangles = vec![(entity, number)];
                    nearest = Some(Nearest { at, triangles });
                }
            }
        }
    }
    nearest
}

#[test]
fn exact_arithmetic_meets_the_edge_itself() {
    // The square's diagonal runs through its centre, and both of its triangles are hit there.
    let mut app = app();
    let entity = spawn(&mut app, square(), Vec3::ZERO);
    app.update();
    let at_edge = nearest(&mut app, &ray(Vec3::Y * 0.5, Vec3::NEG_Y)).unwrap();
    assert_eq!(at_edge.triangles, [(entity, 0), (entity, 1)]);
    assert!((at_edge.at.to_f64() - 0.5).abs() < 1e-15);
    let past = nearest(
        &mut app,
        &ray(Vec3::new(1.0_f32.next_up(), 0.5, 0.0), Vec3::NEG_Y),
    );
    assert!(past.is_none());
}

/// A ray from 20 m away into the scene.
fn aimed(numbers: &mut Numbers) -> Ray3d {
    let origin = *numbers.direction() * 20.0;
    ray(origin, numbers.point(8.0) - origin)
}
