//! The truth: every vertex posed in f64, every triangle tried.

use crate::crowd::PartOf;
use bevy_app::App;
use bevy_asset::Assets;
use bevy_math::{DMat4, DVec3, Mat4, Vec3};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d, VertexAttributeValues};
use bevy_shape::Ray3d;
use bevy_transform::components::GlobalTransform;

/// Which character or object a ray hits first, and how far away.
pub type Answer = Option<(usize, f32)>;

/// The triangles of an entity as it is drawn, with a ball about them.
struct Drawn {
    number: usize,
    triangles: Vec<[DVec3; 3]>,
    middle: DVec3,
    reach: f64,
}

/// The scene as it is drawn.
pub struct Scene(Vec<Drawn>);

impl Scene {
    /// Poses all meshes of an app as its last frame propagated their joints.
    #[must_use]
    pub fn new(app: &mut App) -> Self {
        let world = app.world_mut();
        let mut drawn = world.query::<(&PartOf, &Mesh3d, &GlobalTransform, Option<&SkinnedMesh>)>();
        let mut transforms = world.query::<&GlobalTransform>();
        let world = app.world();
        let meshes = world.resource::<Assets<Mesh>>();
        let all_matrices = world.resource::<Assets<SkinnedMeshInverseBindposes>>();
        let pose =
            |(part, mesh, at, skin): (&PartOf, &Mesh3d, &GlobalTransform, Option<&SkinnedMesh>)| {
                let mesh = meshes.get(&mesh.0).expect("the mesh is there");
                let matrices: Option<Vec<DMat4>> = skin.map(|skin| {
                    let inverse = all_matrices.get(&skin.inverse_bindposes);
                    let inverse = inverse.expect("the matrices are there");
                    let joints = skin.joints.iter().zip(inverse.iter());
                    let matrices = joints.map(|(joint, inverse)| {
                        let joint = transforms.get(world, *joint).expect("the joint is there");
                        wide(joint.to_matrix()) * wide(*inverse)
                    });
                    matrices.collect()
                });
                let vertices = match matrices {
                    Some(matrices) => skinned(mesh, &matrices),
                    None => {
                        let world_from_mesh = wide(at.to_matrix());
                        let positions = positions(mesh).iter();
                        positions
                            .map(|at| world_from_mesh.transform_point3(Vec3::from(*at).as_dvec3()))
                            .collect()
                    }
                };
                Drawn::new(part.0, mesh, &vertices)
            };
        Self(drawn.iter(world).map(pose).collect())
    }

    /// The first front that a ray hits.
    #[must_use]
    pub fn cast_ray(&self, ray: Ray3d) -> Answer {
        let [origin, direction] = [ray.origin, *ray.direction].map(Vec3::as_dvec3);
        let mut nearest: Option<(usize, f64)> = None;
        for drawn in &self.0 {
            let to_middle = drawn.middle - origin;
            let aside =
                to_middle - direction * to_middle.dot(direction) / direction.length_squared();
            if aside.length() > drawn.reach {
                continue;
            }
            for triangle in &drawn.triangles {
                if let Some(distance) = meet(origin, direction, *triangle)
                    && nearest.is_none_or(|(_, nearest)| distance < nearest)
                {
                    nearest = Some((drawn.number, distance));
                }
            }
        }
        nearest.map(|(number, distance)| (number, narrow(distance)))
    }
}

impl Drawn {
    fn new(number: usize, mesh: &Mesh, vertices: &[DVec3]) -> Self {
        let indices: Vec<usize> = mesh.indices().map_or_else(
            || (0..vertices.len()).collect(),
            |indices| indices.iter().collect(),
        );
        let triangles = indices.chunks_exact(3);
        let triangles = triangles.map(|corners| [0, 1, 2].map(|corner| vertices[corners[corner]]));
        let low = vertices.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = vertices
            .iter()
            .copied()
            .fold(DVec3::NEG_INFINITY, DVec3::max);
        Self {
            number,
            triangles: triangles.collect(),
            middle: (low + high) / 2.0,
            // Half the diagonal, and more than rounding can take away from it.
            reach: (high - low).length() * 0.51,
        }
    }
}

fn wide(matrix: Mat4) -> DMat4 {
    matrix.as_dmat4()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "to be compared with distances in f32"
)]
fn narrow(distance: f64) -> f32 {
    distance as f32
}

fn positions(mesh: &Mesh) -> &[[f32; 3]] {
    let positions = mesh.attribute(Mesh::ATTRIBUTE_POSITION);
    let positions = positions.and_then(VertexAttributeValues::as_float3);
    positions.expect("the mesh has positions in f32")
}

/// The vertices of a mesh by the matrices of its joints.
fn skinned(mesh: &Mesh, matrices: &[DMat4]) -> Vec<DVec3> {
    let (
        Some(VertexAttributeValues::Uint16x4(joints)),
        Some(VertexAttributeValues::Float32x4(weights)),
    ) = (
        mesh.attribute(Mesh::ATTRIBUTE_JOINT_INDEX),
        mesh.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT),
    )
    else {
        panic!("the mesh has joints and weights");
    };
    let vertices = positions(mesh).iter().zip(joints).zip(weights);
    let posed = vertices.map(|((at, joints), weights)| {
        let at = Vec3::from(*at).as_dvec3();
        let parts = joints.iter().zip(weights);
        let parts = parts.map(|(joint, weight)| {
            matrices[usize::from(*joint)].transform_point3(at) * f64::from(*weight)
        });
        parts.sum()
    });
    posed.collect()
}

/// Where a ray hits the front of a triangle.
fn meet(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let [ab, ac] = [b - a, c - a];
    let across = direction.cross(ac);
    let determinant = ab.dot(across);
    if determinant <= 0.0 {
        return None;
    }
    let from_a = origin - a;
    let u = from_a.dot(across) / determinant;
    let along = from_a.cross(ab);
    let v = direction.dot(along) / determinant;
    let distance = ac.dot(along) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance >= 0.0).then_some(distance)
}
