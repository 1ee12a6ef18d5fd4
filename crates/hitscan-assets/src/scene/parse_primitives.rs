//! Reads the tables of spheres, boxes, capsules, cylinders and oriented boxes.
//!
//! Each whose values are sound is tried as a shape, so that what the library refuses is reported at its own
//! value.

use glam::Vec3;
use hitscan::{Aabb, Capsule, Cylinder, Obb, Sphere};

use super::entry::{BoxEntry, CapsuleEntry, CylinderEntry, ObbEntry, SphereEntry};
use super::keys::{Keys, Source};
use super::rotation::rotation;
use super::shared_keys::layers;
use crate::model_file::Notes;

pub(super) const SPHERE_KEYS: [&str; 4] = ["name", "center", "radius", "layers"];
pub(super) const BOX_KEYS: [&str; 4] = ["name", "min", "max", "layers"];
pub(super) const CAPSULE_KEYS: [&str; 5] = ["name", "a", "b", "radius", "layers"];
pub(super) const CYLINDER_KEYS: [&str; 5] = CAPSULE_KEYS;
pub(super) const OBB_KEYS: [&str; 6] = [
    "name",
    "center",
    "half_size",
    "rotation",
    "euler_degrees",
    "layers",
];

pub(super) fn sphere(keys: &Keys, name: String) -> SphereEntry {
    let entry = SphereEntry {
        location: keys.location(),
        layers: keys.kept(layers(keys)),
        center: point(keys, "center"),
        radius: radius(keys),
        name,
    };
    let blame = [("radius", "radius"), ("", "center")];
    refuse(keys, || Sphere::new(entry.center, entry.radius), &blame);
    entry
}

pub(super) fn aabb(keys: &Keys, name: String) -> BoxEntry {
    let entry = BoxEntry {
        location: keys.location(),
        layers: keys.kept(layers(keys)),
        min: point(keys, "min"),
        max: point(keys, "max"),
        name,
    };
    let blame = [("[0]", "min"), ("", "max")];
    refuse(keys, || Aabb::new(entry.min, entry.max), &blame);
    entry
}

pub(super) fn capsule(keys: &Keys, name: String) -> CapsuleEntry {
    let entry = CapsuleEntry {
        location: keys.location(),
        layers: keys.kept(layers(keys)),
        a: point(keys, "a"),
        b: point(keys, "b"),
        radius: radius(keys),
        name,
    };
    let blame = [("radius", "radius"), ("[0]", "a"), ("[1]", "b")];
    refuse(
        keys,
        || Capsule::new(entry.a, entry.b, entry.radius),
        &blame,
    );
    entry
}

pub(super) fn cylinder(keys: &Keys, name: String) -> CylinderEntry {
    let given = keys.need("radius").and_then(|value| value.number_f32());
    let entry = CylinderEntry {
        location: keys.location(),
        layers: keys.kept(layers(keys)),
        a: point(keys, "a"),
        b: point(keys, "b"),
        radius: keys.kept(given),
        name,
    };
    let blame = [
        ("radius", "radius"),
        ("length", "b"),
        ("[0]", "a"),
        ("[1]", "b"),
    ];
    refuse(
        keys,
        || Cylinder::new(entry.a, entry.b, entry.radius),
        &blame,
    );
    entry
}

pub(super) fn obb(source: &Source, keys: &Keys, name: String, remarks: &mut Notes) -> ObbEntry {
    let entry = ObbEntry {
        location: keys.location(),
        half_size: vector(keys, "half_size", "half of the lengths"),
        layers: keys.kept(layers(keys)),
        center: point(keys, "center"),
        rotation: keys.kept(rotation(source, keys, remarks)),
        name,
    };
    let blame = [("half size", "half_size"), ("", "center")];
    let obb = || Obb::new(entry.center, entry.half_size, entry.rotation);
    refuse(keys, obb, &blame);
    entry
}

/// Tries the shape of a table whose values are sound; `blame` is that of [`Keys::refused`].
fn refuse<S>(
    keys: &Keys,
    shape: impl FnOnce() -> Result<S, hitscan::Error>,
    blame: &[(&str, &'static str)],
) {
    if keys.is_sound() {
        let refused = |error| keys.refused(error, blame);
        keys.kept(shape().map(drop).map_err(refused));
    }
}

fn point(keys: &Keys, key: &'static str) -> Vec3 {
    vector(keys, key, "a point")
}

fn vector(keys: &Keys, key: &'static str, what: &str) -> Vec3 {
    let value = keys.need(key).and_then(|value| value.vector_f32(what));
    Vec3::from(keys.kept(value))
}

fn radius(keys: &Keys) -> f64 {
    keys.kept(keys.need("radius").and_then(|value| value.number()))
}
