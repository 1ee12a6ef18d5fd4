//! Brute force: every triangle that is drawn, posed in f64 at each tick, and the nearest that a ray hits.

use crate::highlight::Highlight;
use bevy::math::{DAffine3, DMat4, DVec3};
use bevy::mesh::VertexAttributeValues;
use bevy::mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy::prelude::*;
use bevy_hitscan::prelude::*;
use std::collections::BTreeMap;

/// A ray that hits a triangle closer to its border than this fraction of its size may hit its neighbour:
/// vertices that the library poses are rounded to f32.
pub(super) const BORDER: f64 = 1e-5;

/// All triangles at each tick.
#[derive(Resource, Default)]
pub(super) struct Truth(BTreeMap<u64, Vec<Posed>>);

/// The triangles of one entity.
struct Posed {
    entity: Entity,
    triangles: Vec<[DVec3; 3]>,
    /// The joint that counts most at the first corner of each; they are of one joint each here.
    joints: Vec<Option<Entity>>,
}

/// Where a ray hits a triangle.
#[derive(Debug)]
pub(super) struct Met {
    pub(super) entity: Entity,
    pub(super) triangle: usize,
    pub(super) joint: Option<Entity>,
    pub(super) distance: f64,
    /// How far inside the triangle, as a fraction of its size.
    pub(super) inside: f64,
}

impl Truth {
    /// The nearest triangle that a ray hits at a tick.
    pub(super) fn nearest(&self, tick: u64, ray: &Ray3d) -> Option<Met> {
        let posed = self.0.get(&tick).into_iter().flatten();
        let met = posed.flat_map(|posed| {
            let triangles = posed.triangles.iter().enumerate();
            triangles.filter_map(|(triangle, corners)| {
                let (distance, inside) = meet(ray, *corners).filter(|(_, inside)| *inside > 0.0)?;
                Some(Met {
                    entity: posed.entity,
                    triangle,
                    joint: posed.joints[triangle],
                    distance,
                    inside,
                })
            })
        });
        met.min_by(|one, other| one.distance.total_cmp(&other.distance))
    }

    /// A triangle of an entity as it was at a tick.
    pub(super) fn triangle(&self, tick: u64, entity: Entity, number: u32) -> Option<[DVec3; 3]> {
        let mut posed = self.0.get(&tick)?.iter();
        let posed = posed.find(|posed| posed.entity == entity)?;
        posed.triangles.get(number as usize).copied()
    }

    /// The middle of all that hung on a joint at a tick.
    pub(super) fn middle(&self, tick: u64, joint: Entity) -> Option<DVec3> {
        let posed = self.0.get(&tick)?.iter();
        let triangles = posed.flat_map(|posed| posed.triangles.iter().zip(&posed.joints));
        let of_joint = triangles.filter(|(_, own)| **own == Some(joint));
        let corners: Vec<DVec3> = of_joint.flat_map(|(corners, _)| *corners).collect();
        let count = u32::try_from(corners.len())
            .ok()
            .filter(|count| *count > 0)?;
        Some(corners.into_iter().sum::<DVec3>() / f64::from(count))
    }
}

/// Poses what is drawn at this tick.
pub(super) fn record(
    tick: Res<HitscanTick>,
    drawn: Query<(Entity, &Mesh3d, Option<&SkinnedMesh>, &GlobalTransform), Without<Highlight>>,
    transforms: Query<&GlobalTransform>,
    meshes: Res<Assets<Mesh>>,
    inverse_bindposes: Res<Assets<SkinnedMeshInverseBindposes>>,
    mut truth: ResMut<Truth>,
) -> Result {
    let mut all = Vec::new();
    for (entity, mesh, skin, own) in &drawn {
        let mesh = meshes
            .get(&mesh.0)
            .ok_or("the mesh is in the main world too")?;
        let influences = match skin {
            Some(skin) => {
                let matrices = inverse_bindposes
                    .get(&skin.inverse_bindposes)
                    .ok_or("the matrices are added with the mesh")?;
                let matrices = skin.joints.iter().zip(matrices.iter());
                let matrices = matrices.map(|(joint, inverse_bind)| {
                    let joint = transforms.get(*joint)?;
                    Ok::<_, BevyError>(DMat4::from(wide(joint)) * inverse_bind.as_dmat4())
                });
                Some((&skin.joints, matrices.collect::<Result<Vec<_>, _>>()?))
            }
            None => None,
        };
        let Some(VertexAttributeValues::Float32x3(positions)) =
            mesh.attribute(Mesh::ATTRIBUTE_POSITION)
        else {
            return Err("positions are three f32".into());
        };
        let mut vertices = Vec::new();
        let mut vertex_joints = Vec::new();
        for (vertex, at) in positions.iter().enumerate() {
            let at = Vec3::from(*at).as_dvec3();
            match &influences {
                Some((joints, matrices)) => {
                    let (at, joint) = skinned(mesh, vertex, at, matrices)?;
                    vertices.push(at);
                    vertex_joints.push(Some(joints[joint]));
                }
                None => {
                    vertices.push(wide(own).transform_point3(at));
                    vertex_joints.push(None);
                }
            }
        }
        let corners: Vec<usize> = match mesh.indices() {
            Some(indices) => indices.iter().collect(),
            None => (0..vertices.len()).collect(),
        };
        let corners = corners.as_chunks::<3>().0.iter();
        all.push(Posed {
            entity,
            triangles: corners
                .clone()
                .map(|corners| corners.map(|corner| vertices[corner]))
                .collect(),
            joints: corners.map(|[first, ..]| vertex_joints[*first]).collect(),
        });
    }
    truth.0.insert(tick.0, all);
    Ok(())
}

/// A vertex in the world, and the number of the joint that counts most.
fn skinned(mesh: &Mesh, vertex: usize, at: DVec3, matrices: &[DMat4]) -> Result<(DVec3, usize)> {
    let (
        Some(VertexAttributeValues::Uint16x4(joints)),
        Some(VertexAttributeValues::Float32x4(weights)),
    ) = (
        mesh.attribute(Mesh::ATTRIBUTE_JOINT_INDEX),
        mesh.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT),
    )
    else {
        return Err("four joints a vertex".into());
    };
    let influences = || {
        joints[vertex]
            .map(usize::from)
            .into_iter()
            .zip(weights[vertex])
    };
    let places = influences()
        .map(|(joint, weight)| f64::from(weight) * matrices[joint].transform_point3(at));
    let most = influences().max_by(|one, other| one.1.total_cmp(&other.1));
    let (most, _) = most.ok_or("a vertex has four joints")?;
    Ok((places.sum(), most))
}

/// Where a ray intersects the plane of a triangle, and how far inside, as a fraction of the triangle's size.
fn meet(ray: &Ray3d, [a, b, c]: [DVec3; 3]) -> Option<(f64, f64)> {
    let [origin, direction] = [ray.origin, *ray.direction].map(Vec3::as_dvec3);
    let normal = (b - a).cross(c - a);
    let towards = normal.dot(direction);
    if towards == 0.0 {
        return None;
    }
    let distance = normal.dot(a - origin) / towards;
    let at = origin + direction * distance;
    let area = normal.length_squared();
    let share = |from: DVec3, to: DVec3| (to - from).cross(at - from).dot(normal) / area;
    let inside = share(a, b).min(share(b, c)).min(share(c, a));
    (distance >= 0.0).then_some((distance, inside))
}

fn wide(transform: &GlobalTransform) -> DAffine3 {
    let affine = transform.affine();
    let [x, y, z] =
        [affine.x_axis, affine.y_axis, affine.z_axis].map(|axis| Vec3::from(axis).as_dvec3());
    DAffine3::from_cols(x, y, z, Vec3::from(affine.translation).as_dvec3())
}
