//! All hits of a ray.

use crate::peer::{Peer, ray};
use avian3d::prelude as avian;
use bevy_ecs::system::SystemState;
use bevy_hitscan::hitscan::Sides;
use bevy_hitscan::prelude::*;
use bevy_math::Vec3;
use bevy_mesh::Mesh;
use bevy_picking::mesh_picking::ray_cast::{MeshRayCast, MeshRayCastSettings};
use bevy_rapier3d::prelude as rapier;
use bevy_shape::Torus;
use bevy_transform::components::Transform;
use peers::Subject;

/// A ray along the middle of a ring crosses its surface four times.
#[test]
fn the_plugin_has_every_crossing_and_the_others_one_for_each_entity() {
    let crossings = crate::peer::ALL.map(|subject| {
        let mut peer = Peer::new(subject);
        peer.spawn(Mesh::from(Torus::new(0.5, 1.5)), Transform::IDENTITY);
        let through = ray(Vec3::new(-5.0, 0.011, 0.013), Vec3::X);
        assert_eq!(peer.casts(&[through]).len(), 1);
        count(&mut peer, through)
    });
    assert_eq!(crossings, [4, 1, 1, 1]);
}

fn count(peer: &mut Peer, through: bevy_shape::Ray3d) -> usize {
    let app = &mut peer.app;
    let (origin, direction) = (through.origin, through.direction);
    match peer.subject {
        Subject::Hitscan => {
            let mut state = SystemState::<Hitscan>::new(app.world_mut());
            let hitscan = state.get(app.world()).unwrap();
            let filter = HitscanFilter::new().sides(Sides::Both);
            hitscan.cast_ray_all(through, &filter).len()
        }
        Subject::Avian => {
            let mut state = SystemState::<avian::SpatialQuery>::new(app.world_mut());
            let query = state.get(app.world()).unwrap();
            let filter = avian::SpatialQueryFilter::default();
            query
                .ray_hits(origin, direction, f32::MAX, 9, false, &filter)
                .len()
        }
        Subject::Rapier => {
            let mut state = SystemState::<rapier::ReadRapierContext>::new(app.world_mut());
            let context = state.get(app.world()).unwrap();
            let context = context.single().unwrap();
            context.with_query_pipeline(rapier::QueryFilter::default(), |pipeline| {
                pipeline
                    .intersect_ray(origin, *direction, f32::MAX, false)
                    .count()
            })
        }
        _ => {
            let mut state = SystemState::<MeshRayCast>::new(app.world_mut());
            let mut caster = state.get_mut(app.world_mut()).unwrap();
            let settings = MeshRayCastSettings::default()
                .with_visibility(RayCastVisibility::Visible)
                .never_early_exit();
            caster.cast_ray(through, &settings).len()
        }
    }
}
