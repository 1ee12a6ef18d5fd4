//! The feature `serde`: values, meshes and terrain as what their constructors take.
//!
//! Each type is serialized as a plain struct of its parameters, and deserialized through its checked
//! constructor: a file cannot make a value that code could not. What is derived from the parameters
//! (trees, pyramids, frames) is rebuilt. [`ModelData`](crate::model::ModelData) is plain data already,
//! and is checked by [`Model::new`](crate::Model::new).

mod surfaces;
mod compounds;
mod cylinders;

use self::cylinders::CylinderParameters;
use crate::{
    Aabb, BuildPreset, Camera, Capsule, ConvexHull, Cylinder, Error, Obb, Plane, Primitive, Ray,
    RayCastSettings, RayStart, Side, Sides, Sphere, Triangle,
};
use glam::{DAffine3, DQuat, Vec3};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// Serializes a type as its parameters, and deserializes it through its constructor.
macro_rules! by_parameters {
    ($($value:ty => $parameters:ty),+ $(,)?) => {$(
        impl Serialize for $value {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$parameters>::from(self).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $value {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let parameters = <$parameters>::deserialize(deserializer)?;
                Self::try_from(parameters).map_err(D::Error::custom)
            }
        }
    )+};
}

by_parameters! {
    Ray => RayParameters,
    Aabb => AabbParameters,
    Sphere => SphereParameters,
    Obb => ObbParameters,
    Capsule => CapsuleParameters,
    Cylinder => CylinderParameters,
    ConvexHull => HullParameters,
    Triangle => TriangleParameters,
    Plane => PlaneParameters,
    Camera => CameraParameters,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Ray")]
struct RayParameters {
    origin: Vec3,
    direction: Vec3,
    #[serde(default)]
    t_min: f32,
    /// `None` for a ray without an end: text formats have no infinity.
    #[serde(default)]
    t_max: Option<f32>,
}

impl From<&Ray> for RayParameters {
    fn from(ray: &Ray) -> Self {
        Self {
            origin: ray.origin(),
            direction: ray.direction(),
            t_min: ray.t_min(),
            t_max: Some(ray.t_max()).filter(|t_max| t_max.is_finite()),
        }
    }
}

impl TryFrom<RayParameters> for Ray {
    type Error = Error;

    fn try_from(ray: RayParameters) -> Result<Self, Error> {
        let t_max = ray.t_max.unwrap_or(f32::INFINITY);
        Self::new(ray.origin, ray.direction)?.with_range(ray.t_min, t_max)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Aabb")]
struct AabbParameters {
    min: Vec3,
    max: Vec3,
}

impl From<&Aabb> for AabbParameters {
    fn from(aabb: &Aabb) -> Self {
        let (min, max) = (aabb.min(), aabb.max());
        Self { min, max }
    }
}

impl TryFrom<AabbParameters> for Aabb {
    type Error = Error;

    fn try_from(aabb: AabbParameters) -> Result<Self, Error> {
        Self::new(aabb.min, aabb.max)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Sphere")]
struct SphereParameters {
    center: Vec3,
    radius: f64,
}

impl From<&Sphere> for SphereParameters {
    fn from(sphere: &Sphere) -> Self {
        let (center, radius) = (sphere.center(), sphere.radius());
        Self { center, radius }
    }
}

impl TryFrom<SphereParameters> for Sphere {
    type Error = Error;

    fn try_from(sphere: SphereParameters) -> Result<Self, Error> {
        Self::new(sphere.center, sphere.radius)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Obb")]
struct ObbParameters {
    center: Vec3,
    half_size: Vec3,
    rotation: DQuat,
}

impl From<&Obb> for ObbParameters {
    fn from(obb: &Obb) -> Self {
        Self {
            center: obb.center(),
            half_size: obb.half_size(),
            rotation: obb.rotation(),
        }
    }
}

impl TryFrom<ObbParameters> for Obb {
    type Error = Error;

    /// A rotation of unit length keeps its bits, or what is read would not equal what was written;
    /// one written by hand may have any length.
    fn try_from(obb: ObbParameters) -> Result<Self, Error> {
        let (center, half_size, rotation) = (obb.center, obb.half_size, obb.rotation);
        Self::read(center, half_size, rotation).or_else(|_| Self::new(center, half_size, rotation))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Capsule")]
struct CapsuleParameters {
    a: Vec3,
    b: Vec3,
    radius: f64,
}

impl From<&Capsule> for CapsuleParameters {
    fn from(capsule: &Capsule) -> Self {
        Self {
            a: capsule.a(),
            b: capsule.b(),
            radius: capsule.radius(),
        }
    }
}

impl TryFrom<CapsuleParameters> for Capsule {
    type Error = Error;

    fn try_from(capsule: CapsuleParameters) -> Result<Self, Error> {
        Self::new(capsule.a, capsule.b, capsule.radius)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Triangle")]
struct TriangleParameters {
    corners: [Vec3; 3],
}

impl From<&Triangle> for TriangleParameters {
    fn from(triangle: &Triangle) -> Self {
        let corners = triangle.corners();
        Self { corners }
    }
}

impl TryFrom<TriangleParameters> for Triangle {
    type Error = Error;

    fn try_from(triangle: TriangleParameters) -> Result<Self, Error> {
        let [a, b, c] = triangle.corners;
        Self::new(a, b, c)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "ConvexHull")]
struct HullParameters {
    points: Vec<Vec3>,
    #[serde(default)]
    radius: f64,
    /// The columns of its transform, the factors in it, and the radius where it takes the hull.
    #[serde(default)]
    placed: Option<([f64; 12], [f64; 3], f64)>,
}

impl From<&ConvexHull> for HullParameters {
    fn from(hull: &ConvexHull) -> Self {
        let transform = *hull.transform();
        Self {
            points: hull.own_corners().to_vec(),
            radius: hull.own_radius(),
            placed: (transform != DAffine3::IDENTITY || hull.radius() != hull.own_radius()).then(
                || {
                    let scale = hull.scale().to_array();
                    (transform.to_cols_array(), scale, hull.radius())
                },
            ),
        }
    }
}

impl TryFrom<HullParameters> for ConvexHull {
    type Error = Error;

    fn try_from(hull: HullParameters) -> Result<Self, Error> {
        let unplaced = Self::new(hull.points)?.with_radius(hull.radius)?;
        let Some((columns, scale, radius)) = hull.placed else {
            return Ok(unplaced);
        };
        let placed = unplaced.placed(&DAffine3::from_cols_array(&columns))?;
        placed.rounded_by(radius)?.with_scale(scale.into())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Plane")]
struct PlaneParameters {
    normal: Vec3,
    offset: f64,
}

impl From<&Plane> for PlaneParameters {
    fn from(plane: &Plane) -> Self {
        let (normal, offset) = (plane.normal(), plane.offset());
        Self { normal, offset }
    }
}

impl TryFrom<PlaneParameters> for Plane {
    type Error = Error;

    fn try_from(plane: PlaneParameters) -> Result<Self, Error> {
        Self::new(plane.normal, plane.offset)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Camera")]
struct CameraParameters {
    eye: Vec3,
    target: Vec3,
    fov_y: f64,
    size: [u32; 2],
}

impl From<&Camera> for CameraParameters {
    fn from(camera: &Camera) -> Self {
        Self {
            eye: camera.eye(),
            target: camera.target(),
            fov_y: camera.fov_y(),
            size: camera.size(),
        }
    }
}

impl TryFrom<CameraParameters> for Camera {
    type Error = Error;

    fn try_from(camera: CameraParameters) -> Result<Self, Error> {
        Self::new(camera.eye, camera.target, camera.fov_y, camera.size)
    }
}

/// Serializes a type without invariants through a mirror of its variants or fields.
macro_rules! by_mirror {
    ($($value:ty => $mirror:ident),+ $(,)?) => {$(
        impl Serialize for $value {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $mirror::serialize(self, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $value {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $mirror::deserialize(deserializer)
            }
        }
    )+};
}

by_mirror! {
    Primitive => PrimitiveMirror,
    Side => SideMirror,
    Sides => SidesMirror,
    RayStart => RayStartMirror,
    RayCastSettings => RayCastSettingsMirror,
    BuildPreset => BuildPresetMirror,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Primitive", rename = "Primitive")]
enum PrimitiveMirror {
    Sphere(Sphere),
    Aabb(Aabb),
    Obb(Obb),
    Capsule(Capsule),
    ConvexHull(#[serde(with = "shared_hull")] Arc<ConvexHull>),
    Cylinder(Cylinder),
}

/// A hull that is shared is written as itself.
mod shared_hull {
    use super::{Arc, ConvexHull, Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        hull: &Arc<ConvexHull>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        hull.as_ref().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<ConvexHull>, D::Error> {
        ConvexHull::deserialize(deserializer).map(Arc::new)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Side", rename = "Side")]
enum SideMirror {
    Front,
    Back,
    Inside,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Sides", rename = "Sides")]
enum SidesMirror {
    Both,
    Front,
    Back,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RayStart", rename = "RayStart")]
enum RayStartMirror {
    Solid,
    Hollow,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RayCastSettings", rename = "RayCastSettings")]
struct RayCastSettingsMirror {
    sides: Sides,
    start: RayStart,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "BuildPreset", rename = "BuildPreset")]
enum BuildPresetMirror {
    Fast,
    Balanced,
    Tight,
}
