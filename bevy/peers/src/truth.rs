//! Hits of rays at posed bodies, by brute force: every vertex skinned in f64, every triangle of near bodies tried.

use crate::crowd::Body;
use crate::table::Wrong;
use bevy_app::App;
use bevy_asset::Assets;
use bevy_ecs::error::BevyError;
use bevy_math::{Affine3A, DAffine3, DMat4, DVec3, Vec3};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d, VertexAttributeValues};
use bevy_shape::Ray3d;
use bevy_transform::components::GlobalTransform;

/// The body that is hit, and how far away.
pub(crate) type Answer = Option<(u32, f32)>;

/// A body's triangles in the world, in a sphere.
struct Posed {
    triangles: Vec<[DVec3; 3]>,
    centre: DVec3,
    radius: f64,
}

/// What each ray hits, of the fronts of triangles.
pub(crate) fn truth(app: &App, bodies: &[Body], rays: &[Ray3d]) -> Result<Vec<Answer>, BevyError> {
    let posed: Vec<Posed> = bodies
        .iter()
        .map(|body| posed(app, body))
        .collect::<Result<_, _>>()?;
    Ok(rays.iter().map(|ray| nearest(ray, &posed)).collect())
}

/// How many answers are wrong.
pub(crate) fn wrong(answers: &[Answer], truth: &[Answer]) -> Wrong {
    let pairs = || answers.iter().zip(truth);
    let is_other = |(answer, truth): &(&Answer, &Answer)| {
        answer.map(|(body, _)| body) != truth.map(|(body, _)| body)
    };
    let is_off = |pair: &(&Answer, &Answer)| {
        is_other(pair)
            || matches!(pair, (Some((_, one)), Some((_, other))) if (one - other).abs() > 0.01)
    };
    #[expect(clippy::cast_precision_loss, reason = "a share of few")]
    let share = |count: usize| count as f64 * 100.0 / truth.len() as f64;
    Wrong {
        body: share(pairs().filter(is_other).count()),
        place: share(pairs().filter(is_off).count()),
    }
}

fn posed(app: &App, body: &Body) -> Result<Posed, BevyError> {
    let world = app.world();
    let gone = "a body is not as it was spawned";
    let handle = world.get::<Mesh3d>(body.mesh).ok_or(gone)?;
    let mesh = world
        .resource::<Assets<Mesh>>()
        .get(&handle.0)
        .ok_or(gone)?;
    let skin = world.get::<SkinnedMesh>(body.mesh).ok_or(gone)?;
    let inverse_bind = world.resource::<Assets<SkinnedMeshInverseBindposes>>();
    let inverse_bind = inverse_bind.get(&skin.inverse_bindposes).ok_or(gone)?;
    let mut matrices = Vec::new();
    for (joint, inverse_bind) in body.joints.iter().zip(inverse_bind.iter()) {
        let joint = world.get::<GlobalTransform>(*joint).ok_or(gone)?;
        matrices.push(DMat4::from(wide(&joint.affine())) * inverse_bind.as_dmat4());
    }
    let attribute = |attribute| mesh.attribute(attribute).ok_or(gone);
    let (
        VertexAttributeValues::Float32x3(positions),
        VertexAttributeValues::Uint16x4(joints),
        VertexAttributeValues::Float32x4(weights),
    ) = (
        attribute(Mesh::ATTRIBUTE_POSITION)?,
        attribute(Mesh::ATTRIBUTE_JOINT_INDEX)?,
        attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT)?,
    )
    else {
        return Err(gone.into());
    };
    let skinned = positions.iter().zip(joints.iter().zip(weights));
    let skinned = skinned.map(|(at, (joints, weights))| {
        let at = Vec3::from(*at).as_dvec3();
        let terms = joints
            .iter()
            .zip(weights)
            .filter(|(_, weight)| **weight > 0.0);
        let places = terms.map(|(joint, weight)| {
            f64::from(*weight) * matrices[usize::from(*joint)].transform_point3(at)
        });
        places.sum::<DVec3>()
    });
    let vertices: Vec<DVec3> = skinned.collect();
    let centre = wide_translation(app, body);
    let radius = vertices
        .iter()
        .map(|at| at.distance(centre))
        .fold(0.0, f64::max);
    let numbers: Vec<usize> = mesh.indices().ok_or(gone)?.iter().collect();
    let triangles = numbers.as_chunks::<3>().0.iter();
    let triangles = triangles.map(|corners| corners.map(|corner| vertices[corner]));
    Ok(Posed {
        triangles: triangles.collect(),
        centre,
        radius,
    })
}

/// The place of the body's first joint.
fn wide_translation(app: &App, body: &Body) -> DVec3 {
    let hips = app.world().get::<GlobalTransform>(body.joints[0]);
    hips.map_or(DVec3::ZERO, |hips| hips.translation().as_dvec3())
}

fn wide(affine: &Affine3A) -> DAffine3 {
    let [x, y, z] =
        [affine.x_axis, affine.y_axis, affine.z_axis].map(|axis| Vec3::from(axis).as_dvec3());
    DAffine3::from_cols(x, y, z, Vec3::from(affine.translation).as_dvec3())
}

fn nearest(ray: &Ray3d, posed: &[Posed]) -> Answer {
    let [origin, direction] = [ray.origin, *ray.direction].map(Vec3::as_dvec3);
    let mut nearest: Option<(u32, f64)> = None;
    for (number, body) in (0..).zip(posed) {
        let along = (body.centre - origin).dot(direction) / direction.length_squared();
        let closest = origin + direction * along;
        if closest.distance(body.centre) > body.radius {
            continue;
        }
        for triangle in &body.triangles {
            if let Some(distance) = meet(origin, direction, triangle)
                && nearest.is_none_or(|(_, other)| distance < other)
            {
                nearest = Some((number, distance));
            }
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "compared to a centimetre")]
    nearest.map(|(number, distance)| (number, distance as f32))
}

/// How far away a ray meets the front of a triangle.
fn meet(origin: DVec3, direction: DVec3, [a, b, c]: &[DVec3; 3]) -> Option<f64> {
    let [ab, ac] = [*b - *a, *c - *a];
    let across = direction.cross(ac);
    let determinant = ab.dot(across);
    if determinant <= 0.0 {
        return None;
    }
    let from_a = origin - *a;
    let u = from_a.dot(across) / determinant;
    let along = from_a.cross(ab);
    let v = direction.dot(along) / determinant;
    let distance = ac.dot(along) / determinant;
    (distance >= 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0).then_some(distance)
}
