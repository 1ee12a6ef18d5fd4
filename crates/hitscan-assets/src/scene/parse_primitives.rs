//! Reads the tables of spheres, boxes, capsules and oriented boxes.
//!
//! Each is tried as a shape, so that what the library refuses is reported at its own value.

use glam::Vec3;
use hitscan::{Aabb, Capsule, Obb, Sphere};

use super::entry::{BoxEntry, CapsuleEntry, ObbEntry, SphereEntry};
use super::keys::{Keys, Source};
use super::rotation::rotation;
use super::shared_keys::layers;
use crate::Error;
use crate::model_file::Notes;

pub(super) const SPHERE_KEYS: [&str; 4] = ["name", "center", "radius", "layers"];
pub(super) const BOX_KEYS: [&str; 4] = ["name", "min", "max", "layers"];
pub(super) const CAPSULE_KEYS: [&str; 5] = ["name", "a", "b", "radius", "layers"];
pub(super) const OBB_KEYS: [&str; 6] = [
    "name",
    "center",
    "half_size",
    "rotation",
    "euler_degrees",
    "layers",
];

pub(super) fn sphere(keys: &Keys, name: String) -> Result<SphereEntry, Error> {
    let entry = SphereEntry {
        location: keys.location(),
        layers: layers(keys)?,
        center: point(keys, "center")?,
        radius: keys.need("radius")?.number()?,
        name,
    };
    Sphere::new(entry.center, entry.radius)
        .map_err(|error| keys.refused(error, &[("radius", "radius"), ("", "center")]))?;
    Ok(entry)
}

pub(super) fn aabb(keys: &Keys, name: String) -> Result<BoxEntry, Error> {
    let entry = BoxEntry {
        location: keys.location(),
        layers: layers(keys)?,
        min: point(keys, "min")?,
        max: point(keys, "max")?,
        name,
    };
    Aabb::new(entry.min, entry.max)
        .map_err(|error| keys.refused(error, &[("[0]", "min"), ("", "max")]))?;
    Ok(entry)
}

pub(super) fn capsule(keys: &Keys, name: String) -> Result<CapsuleEntry, Error> {
    let entry = CapsuleEntry {
        location: keys.location(),
        layers: layers(keys)?,
        a: point(keys, "a")?,
        b: point(keys, "b")?,
        radius: keys.need("radius")?.number()?,
        name,
    };
    Capsule::new(entry.a, entry.b, entry.radius).map_err(|error| {
        keys.refused(error, &[("radius", "radius"), ("[0]", "a"), ("[1]", "b")])
    })?;
    Ok(entry)
}

pub(super) fn obb(
    source: &Source,
    keys: &Keys,
    name: String,
    remarks: &mut Notes,
) -> Result<ObbEntry, Error> {
    let half_size = keys.need("half_size")?;
    let entry = ObbEntry {
        location: keys.location(),
        layers: layers(keys)?,
        center: point(keys, "center")?,
        half_size: Vec3::from(half_size.vector_f32("half of the lengths")?),
        rotation: rotation(source, keys, remarks)?,
        name,
    };
    Obb::new(entry.center, entry.half_size, entry.rotation)
        .map_err(|error| keys.refused(error, &[("half size", "half_size"), ("", "center")]))?;
    Ok(entry)
}

fn point(keys: &Keys, key: &'static str) -> Result<Vec3, Error> {
    Ok(Vec3::from(keys.need(key)?.vector_f32("a point")?))
}
