//! A subject in an app of its own, with meshes that it is made to hit.

use avian3d::prelude as avian;
use bevy_app::App;
use bevy_asset::{Assets, Handle, RenderAssetUsages};
use bevy_ecs::prelude::*;
use bevy_math::{Dir3, Vec3};
use bevy_mesh::{Indices, Mesh, Mesh3d, PrimitiveTopology, VertexAttributeValues};
use bevy_rapier3d::prelude as rapier;
use bevy_shape::Ray3d;
use bevy_transform::components::Transform;
use peers::{Answer, PartOf, Subject, frame};

pub(crate) struct Peer {
    pub(crate) subject: Subject,
    pub(crate) app: App,
    count: usize,
}

impl Peer {
    pub(crate) fn new(subject: Subject) -> Self {
        let mut app = subject.app();
        app.finish();
        app.cleanup();
        Self {
            subject,
            app,
            count: 0,
        }
    }

    /// Spawns a mesh; physics engines get a collider of its triangles as they are now. Answers name it by how many
    /// were spawned before it.
    pub(crate) fn spawn(&mut self, mesh: Mesh, at: Transform) -> (Entity, Handle<Mesh>) {
        let part = PartOf(self.count);
        self.count += 1;
        let (vertices, triangles) = parts(&mesh);
        let world = self.app.world_mut();
        let mesh = world.resource_mut::<Assets<Mesh>>().add(mesh);
        let mut entity = world.spawn((Mesh3d(mesh.clone()), at, part));
        match self.subject {
            Subject::Avian => {
                entity.insert(avian::Collider::trimesh(vertices, triangles));
            }
            Subject::Rapier => {
                let collider = rapier::Collider::trimesh(vertices, triangles);
                entity.insert(collider.expect("it has triangles"));
            }
            _ => {}
        }
        (entity.id(), mesh)
    }

    /// What rays hit after a few frames, in which everything comes to be known.
    pub(crate) fn casts(&mut self, rays: &[Ray3d]) -> Vec<Answer> {
        for _ in 0..3 {
            frame(&mut self.app);
        }
        self.subject.cast_rays(&mut self.app, rays).0
    }

    /// How far away a ray hits something.
    pub(crate) fn cast(&mut self, origin: Vec3, direction: Vec3) -> Option<f32> {
        let answer = self.casts(&[ray(origin, direction)])[0];
        answer.map(|(_, distance)| distance)
    }
}

pub(crate) fn ray(origin: Vec3, direction: Vec3) -> Ray3d {
    Ray3d::new(origin, Dir3::new(direction).unwrap())
}

/// A mesh as physics engines take it.
fn parts(mesh: &Mesh) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION);
    let positions = positions.and_then(VertexAttributeValues::as_float3);
    let vertices = positions.unwrap().iter().copied().map(Vec3::from);
    let indices: Vec<u32> = mesh
        .indices()
        .unwrap()
        .iter()
        .map(|index| u32::try_from(index).unwrap())
        .collect();
    let triangles = indices.as_chunks().0.to_vec();
    (vertices.collect(), triangles)
}

/// A square of 2 m about the origin, at height 0, whose front is up.
pub(crate) fn square() -> Mesh {
    let positions = vec![
        [-1.0, 0.0, -1.0],
        [-1.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [1.0, 0.0, -1.0],
    ];
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_indices(Indices::U32(vec![0, 1, 2, 0, 2, 3]))
}

/// Those that answer rays.
pub(crate) const ALL: [Subject; 4] = [
    Subject::Hitscan,
    Subject::MeshRayCast,
    Subject::Avian,
    Subject::Rapier,
];

/// Above the square.
pub(crate) const ABOVE: Vec3 = Vec3::new(0.5, 10.0, 0.25);

/// What each subject says of the same scene.
pub(crate) fn each<T>(ask: impl Fn(&mut Peer) -> T) -> [T; 4] {
    ALL.map(|subject| ask(&mut Peer::new(subject)))
}
