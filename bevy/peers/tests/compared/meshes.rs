//! Meshes that are morphed, compressed and edited.

use crate::peer::{ABOVE, Peer, each, square};
use avian3d::prelude as avian;
use bevy_asset::Assets;
use bevy_math::Vec3;
use bevy_mesh::morph::{MeshMorphWeights, MorphAttributes};
use bevy_mesh::{Mesh, MeshCompressionArgs};
use bevy_transform::components::Transform;
use peers::Subject;

#[test]
fn morph_targets_are_seen_by_the_plugin_alone() {
    let hits = each(|peer| {
        let mut mesh = square();
        mesh.set_morph_targets(vec![
            MorphAttributes::new(
                Vec3::Y * 2.0,
                Vec3::ZERO,
                Vec3::ZERO
            );
            4
        ]);
        let (entity, _) = peer.spawn(mesh, Transform::IDENTITY);
        let weights = MeshMorphWeights::Value { weights: vec![1.0] };
        peer.app.world_mut().entity_mut(entity).insert(weights);
        peer.cast(ABOVE, Vec3::NEG_Y)
    });
    assert_eq!(hits, [Some(8.0), Some(10.0), Some(10.0), Some(10.0)]);
}

#[test]
fn edits_of_meshes_are_followed_by_bevy_and_the_plugin_and_colliders_stay() {
    let hits = each(|peer| {
        let (_, mesh) = peer.spawn(square(), Transform::IDENTITY);
        assert_eq!(peer.cast(ABOVE, Vec3::NEG_Y), Some(10.0));
        let mut meshes = peer.app.world_mut().resource_mut::<Assets<Mesh>>();
        *meshes.get_mut(&mesh).unwrap() = square().translated_by(Vec3::Y);
        peer.cast(ABOVE, Vec3::NEG_Y)
    });
    assert_eq!(hits, [Some(9.0), Some(9.0), Some(10.0), Some(10.0)]);
}

/// A collider of avian's own making: of the mesh as it was when it was first there.
#[test]
fn colliders_that_avian_makes_of_meshes_stay_too() {
    let mut peer = Peer::new(Subject::Avian);
    let (entity, mesh) = peer.spawn(square(), Transform::IDENTITY);
    let mut entity = peer.app.world_mut().entity_mut(entity);
    entity.remove::<avian::Collider>();
    entity.insert(avian::ColliderConstructor::TrimeshFromMesh);
    assert_eq!(peer.cast(ABOVE, Vec3::NEG_Y), Some(10.0));
    let mut meshes = peer.app.world_mut().resource_mut::<Assets<Mesh>>();
    *meshes.get_mut(&mesh).unwrap() = square().translated_by(Vec3::Y);
    assert_eq!(peer.cast(ABOVE, Vec3::NEG_Y), Some(10.0));
}

#[test]
fn avian_makes_no_collider_of_a_compressed_mesh() {
    let mut mesh = square();
    assert!(avian::Collider::trimesh_from_mesh(&mesh).is_some());
    mesh.compress_mesh(&MeshCompressionArgs::regular()).unwrap();
    assert!(avian::Collider::trimesh_from_mesh(&mesh).is_none());
}
