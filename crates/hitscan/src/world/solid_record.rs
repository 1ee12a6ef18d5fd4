//! A solid as it is baked, by itself or as a part of a compound.

use crate::baked::{Reader, Writer};
use crate::{Aabb, Capsule, ConvexHull, Cylinder, Error, Obb, Primitive, Sphere};
use glam::{DAffine3, DQuat, DVec3, Vec3};

// Kinds of solids; `object_record.rs` has those of other objects.
const SPHERE: u32 = 3;
const AABB: u32 = 4;
const OBB: u32 = 5;
const CAPSULE: u32 = 6;
const HULL: u32 = 8;
const CYLINDER: u32 = 10;

fn bake_point(point: Vec3, writer: &mut Writer<'_>) {
    point.to_array().into_iter().for_each(|x| writer.f32(x));
}

pub(super) fn bake_solid(solid: &Primitive, writer: &mut Writer<'_>) {
    match solid {
        Primitive::Sphere(sphere) => {
            writer.u32(SPHERE);
            bake_point(sphere.center(), writer);
            writer.f64(sphere.radius());
        }
        Primitive::Aabb(aabb) => {
            writer.u32(AABB);
            bake_point(aabb.min(), writer);
            bake_point(aabb.max(), writer);
        }
        Primitive::Obb(obb) => {
            writer.u32(OBB);
            bake_point(obb.center(), writer);
            bake_point(obb.half_size(), writer);
            writer.f64s(&obb.rotation().to_array());
        }
        Primitive::Capsule(capsule) => {
            writer.u32(CAPSULE);
            bake_point(capsule.a(), writer);
            bake_point(capsule.b(), writer);
            writer.f64(capsule.radius());
        }
        Primitive::Cylinder(cylinder) => {
            writer.u32(CYLINDER);
            for end in cylinder.segment() {
                writer.f64s(&end.to_array());
            }
            writer.f64(cylinder.radius());
        }
        Primitive::ConvexHull(hull) => {
            writer.u32(HULL);
            let corners = hull.own_corners();
            writer.u32(u32::try_from(corners.len()).unwrap_or(u32::MAX));
            corners
                .iter()
                .for_each(|corner| bake_point(*corner, writer));
            writer.f64(hull.own_radius());
            writer.f64(hull.radius());
            writer.f64s(&hull.scale().to_array());
            writer.f64s(&hull.transform().to_cols_array());
        }
    }
}

pub(super) fn read_solid(kind: u32, reader: &mut Reader<'_>) -> Result<Primitive, Error> {
    Ok(match kind {
        SPHERE => Sphere::new(read_point(reader)?, reader.f64("solid")?)?.into(),
        AABB => Aabb::new(read_point(reader)?, read_point(reader)?)?.into(),
        OBB => {
            let (center, half_size) = (read_point(reader)?, read_point(reader)?);
            let rotation = DQuat::from_array(reader.f64s("solid")?);
            Obb::read(center, half_size, rotation)?.into()
        }
        CAPSULE => {
            let (a, b) = (read_point(reader)?, read_point(reader)?);
            Capsule::new(a, b, reader.f64("solid")?)?.into()
        }
        HULL => read_hull(reader)?.into(),
        CYLINDER => {
            let mut end = || reader.f64s("solid").map(DVec3::from_array);
            let ends = [end()?, end()?];
            Cylinder::between_points(ends, reader.f64("solid")?)?.into()
        }
        _ => return Err(reader.refused("kind of an object or of a part", "a known one")),
    })
}

/// A hull is built anew from its corners: whatever they are, it is convex.
fn read_hull(reader: &mut Reader<'_>) -> Result<ConvexHull, Error> {
    let mut corners = Vec::new();
    for _ in 0..reader.u32("corners of a convex hull")? {
        corners.push(read_point(reader)?);
    }
    let hull = ConvexHull::new(corners)?.with_radius(reader.f64("solid")?)?;
    let radius = reader.f64("solid")?;
    let scale = DVec3::from_array(reader.f64s("solid")?);
    hull.placed(&read_transform(reader)?)?
        .rounded_by(radius)?
        .with_scale(scale)
}

fn read_point(reader: &mut Reader<'_>) -> Result<Vec3, Error> {
    let mut axis = || reader.f32("solid");
    Ok(Vec3::new(axis()?, axis()?, axis()?))
}

pub(super) fn read_transform(reader: &mut Reader<'_>) -> Result<DAffine3, Error> {
    let columns = reader.f64s("transform of an object")?;
    Ok(DAffine3::from_cols_array(&columns))
}
