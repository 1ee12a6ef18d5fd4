//! The transform of a solid: from its own space, where it is centred on the origin, to the world's.

use crate::exact::expansion::nearest_f32;
use crate::model::{rotation_matrix, rotation_of};
use crate::{Aabb, Capsule, Error, Obb, Primitive, Sphere};
use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};

/// Bound on the difference of the products of a rotation's columns from those of axes. Rotations that
/// went through f32 are off by a few of its roundings, 2^-24; what is accepted is brought to a rotation.
const RIGID: f64 = 1.0 / 1_048_576.0;

/// The transform from the solid's own space to the world.
pub(super) fn transform(solid: &Primitive) -> DAffine3 {
    match solid {
        Primitive::Sphere(sphere) => DAffine3::from_translation(sphere.center().as_dvec3()),
        Primitive::ConvexHull(hull) => *hull.transform(),
        Primitive::Aabb(aabb) => DAffine3::from_translation(middle(aabb)),
        Primitive::Obb(obb) => {
            DAffine3::from_rotation_translation(obb.rotation(), obb.center().as_dvec3())
        }
        Primitive::Capsule(capsule) => standing([capsule.a().as_dvec3(), capsule.b().as_dvec3()]),
        Primitive::Cylinder(cylinder) => standing(cylinder.segment()),
    }
}

/// The transform that takes a shape along +Y, its middle at the origin, between two ends.
fn standing([a, b]: [DVec3; 2]) -> DAffine3 {
    let along = b - a;
    let length = along.length();
    let rotation = if length > 0.0 {
        DQuat::from_rotation_arc(DVec3::Y, along / length)
    } else {
        DQuat::IDENTITY
    };
    DAffine3::from_rotation_translation(rotation, (a + b) * 0.5)
}

/// The same solid with another transform, or `None` for an axis-aligned box that would be turned.
///
/// # Errors
/// [`Error::BadValue`] for a transform that is no rotation and translation, but of a hull, and where the solid would
/// leave the range of shapes [`Error::OutOfRange`].
pub(super) fn with_transform(
    solid: &Primitive,
    world_from_own: &DAffine3,
) -> Result<Option<Primitive>, Error> {
    let rotation = || rigid_rotation(&world_from_own.matrix3);
    let center = world_from_own.translation;
    if !matches!(solid, Primitive::ConvexHull(_)) {
        rotation()?;
    }
    let moved = match solid {
        Primitive::Sphere(sphere) => Sphere::new(rounded(center), sphere.radius())?.into(),
        Primitive::Aabb(aabb) => {
            let turn = world_from_own.matrix3 - DMat3::IDENTITY;
            if turn.to_cols_array().iter().any(|x| x.abs() > RIGID) {
                return Ok(None);
            }
            let half = (aabb.max().as_dvec3() - aabb.min().as_dvec3()) * 0.5;
            Aabb::new(rounded(center - half), rounded(center + half))?.into()
        }
        Primitive::Obb(obb) => Obb::new(rounded(center), obb.half_size(), rotation()?)?.into(),
        Primitive::Capsule(capsule) => {
            let half = (capsule.b().as_dvec3() - capsule.a().as_dvec3()).length() * 0.5;
            let along = rotation_matrix(rotation()?).y_axis * half;
            let ends = [center - along, center + along].map(rounded);
            Capsule::new(ends[0], ends[1], capsule.radius())?.into()
        }
        Primitive::ConvexHull(hull) => hull.placed(world_from_own)?.into(),
        Primitive::Cylinder(cylinder) => {
            let [a, b] = cylinder.segment();
            let along = rotation_matrix(rotation()?).y_axis * ((b - a).length() * 0.5);
            cylinder.between([center - along, center + along])?.into()
        }
    };
    Ok(Some(moved))
}

fn rigid_rotation(matrix: &DMat3) -> Result<DQuat, Error> {
    let products = matrix.transpose() * *matrix - DMat3::IDENTITY;
    let is_orthonormal = products.to_cols_array().iter().all(|x| x.abs() <= RIGID);
    let determinant = matrix.determinant();
    // NaN is not orthonormal.
    if !is_orthonormal || determinant < 0.0 {
        return Err(Error::BadValue {
            what: "determinant of a solid's transform",
            expected: "that of a rotation, whose axes are orthonormal",
            found: determinant,
        });
    }
    Ok(rotation_of(matrix))
}

fn middle(aabb: &Aabb) -> DVec3 {
    (aabb.min().as_dvec3() + aabb.max().as_dvec3()) * 0.5
}

fn rounded(v: DVec3) -> Vec3 {
    Vec3::from_array(v.to_array().map(nearest_f32))
}
