//! Objects of a world, and their kinds.

use super::instance::{Geometry, Instance};
use super::placed_compound::PlacedCompound;
use crate::model::Model;
use crate::narrow_phase::ray_cast::ray::LocalRay;
use crate::narrow_phase::ray_cast::solid_hits::SolidHit;
use crate::{
    Aabb, Capsule, ConvexHull, Cylinder, HeightField, Obb, ObjectId, Primitive, Ray,
    RayCastSettings, Sphere,
};
use glam::Vec3;
use std::sync::Arc;

/// What kind of thing an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ObjectKind {
    /// Height-map terrain.
    HeightField,
    /// A mesh.
    TriMesh,
    /// A model in a pose.
    Model,
    /// A solid sphere.
    Sphere,
    /// A solid axis-aligned box.
    Aabb,
    /// A solid oriented box.
    Obb,
    /// A solid capsule.
    Capsule,
    /// A solid convex hull.
    ConvexHull,
    /// A solid cylinder.
    Cylinder,
    /// Several solids, with the meshes of their model or without.
    Compound,
}

impl ObjectKind {
    /// The kind's name in scene files: `terrain`, `model` (a mesh too), `sphere`, `box`, `turned_box`,
    /// `capsule`, `hull`, `cylinder` or `compound`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::HeightField => "terrain",
            Self::TriMesh | Self::Model => "model",
            Self::Sphere => "sphere",
            Self::Aabb => "box",
            Self::Obb => "turned_box",
            Self::Capsule => "capsule",
            Self::ConvexHull => "hull",
            Self::Cylinder => "cylinder",
            Self::Compound => "compound",
        }
    }
}

/// The layers of an object that was given none: the first.
pub(crate) const DEFAULT_LAYERS: u32 = 1;

/// An object: its shape, its transform, and what it belongs to.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    pub(crate) id: ObjectId,
    pub(crate) layers: u32,
    pub(crate) user_data: u64,
    pub(crate) shape: Shape,
}

// Many objects are kept, and a query reads one in a cache line.
const _: () = assert!(size_of::<Option<Object>>() <= 64);

/// The shape of an object in the world. What is large is shared.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    HeightField(Arc<HeightField>),
    Instance(Arc<Instance>),
    Primitive(KeptSolid),
    Compound(Arc<PlacedCompound>),
}

/// A solid as it is kept: the kinds that take much room are on the heap, so that objects stay small.
#[derive(Debug, Clone)]
pub(crate) enum KeptSolid {
    Sphere(KeptSphere),
    /// A sphere whose centre f32 does not hold.
    WideSphere(Arc<Sphere>),
    Aabb(Aabb),
    Capsule(KeptCapsule),
    /// A capsule whose radius f32 does not hold.
    WideCapsule(Arc<Capsule>),
    Obb(Arc<Obb>),
    ConvexHull(Arc<ConvexHull>),
    Cylinder(Arc<Cylinder>),
}

/// A sphere as most are kept, in less room: their centres are f32.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeptSphere {
    center: Vec3,
    radius: f64,
}

impl KeptSphere {
    /// `None` for a centre that f32 does not hold.
    #[inline]
    fn new(sphere: &Sphere) -> Option<Self> {
        let (center, radius) = (sphere.center(), sphere.radius());
        (center.as_dvec3() == sphere.wide_center()).then_some(Self { center, radius })
    }

    #[inline]
    fn get(&self) -> Sphere {
        Sphere::of_checked(self.center, self.radius)
    }
}

/// A capsule as most are kept, in less room: the ends of all that are added are f32.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeptCapsule {
    ends: [Vec3; 2],
    radius: f32,
}

impl KeptCapsule {
    /// `None` for a radius that is no f32.
    #[inline]
    fn new(capsule: &Capsule) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, reason = "compared with what it was")]
        let radius = capsule.radius() as f32;
        (f64::from(radius).to_bits() == capsule.radius().to_bits()).then_some(Self {
            ends: [capsule.a(), capsule.b()],
            radius,
        })
    }

    #[inline]
    fn get(&self) -> Capsule {
        Capsule::of_checked(self.ends, self.radius.into())
    }
}

impl KeptSolid {
    #[inline]
    pub(crate) fn get(&self) -> Primitive {
        match self {
            Self::Sphere(sphere) => Primitive::Sphere(sphere.get()),
            Self::WideSphere(sphere) => Primitive::Sphere(**sphere),
            Self::Aabb(aabb) => Primitive::Aabb(*aabb),
            Self::Capsule(capsule) => Primitive::Capsule(capsule.get()),
            Self::WideCapsule(capsule) => Primitive::Capsule(**capsule),
            Self::Obb(obb) => Primitive::Obb(**obb),
            Self::ConvexHull(hull) => Primitive::ConvexHull(Arc::clone(hull)),
            Self::Cylinder(cylinder) => Primitive::Cylinder(**cylinder),
        }
    }

    pub(crate) fn kind(&self) -> ObjectKind {
        match self {
            Self::Sphere(_) | Self::WideSphere(_) => ObjectKind::Sphere,
            Self::Aabb(_) => ObjectKind::Aabb,
            Self::Capsule(_) | Self::WideCapsule(_) => ObjectKind::Capsule,
            Self::Obb(_) => ObjectKind::Obb,
            Self::ConvexHull(_) => ObjectKind::ConvexHull,
            Self::Cylinder(_) => ObjectKind::Cylinder,
        }
    }

    /// The smallest box of f32 around the solid.
    pub(crate) fn bounds(&self) -> Aabb {
        match self {
            Self::Sphere(sphere) => sphere.get().bounds(),
            Self::WideSphere(sphere) => sphere.bounds(),
            Self::Aabb(aabb) => *aabb,
            Self::Capsule(capsule) => capsule.get().bounds(),
            Self::WideCapsule(capsule) => capsule.bounds(),
            Self::Obb(obb) => obb.bounds(),
            Self::ConvexHull(hull) => hull.bounds(),
            Self::Cylinder(cylinder) => cylinder.bounds(),
        }
    }

    /// The nearest hit of a ray on the solid; `wide` is the ray in f64.
    #[inline]
    pub(crate) fn nearest(
        &self,
        ray: &Ray,
        wide: &LocalRay,
        settings: RayCastSettings,
    ) -> Option<SolidHit> {
        match self {
            Self::Aabb(aabb) => aabb.nearest(ray, wide, settings),
            // Not through a handle of its own, whose count threads would fight over.
            Self::ConvexHull(hull) => hull.nearest(ray, settings),
            Self::Cylinder(cylinder) => cylinder.nearest(ray, settings),
            Self::Sphere(_)
            | Self::WideSphere(_)
            | Self::Capsule(_)
            | Self::WideCapsule(_)
            | Self::Obb(_) => self.get().nearest(ray, settings),
        }
    }
}

impl From<&Primitive> for KeptSolid {
    #[inline]
    fn from(solid: &Primitive) -> Self {
        match solid {
            Primitive::Sphere(sphere) => match KeptSphere::new(sphere) {
                Some(kept) => Self::Sphere(kept),
                None => Self::WideSphere(Arc::new(*sphere)),
            },
            Primitive::Aabb(aabb) => Self::Aabb(*aabb),
            Primitive::Capsule(capsule) => match KeptCapsule::new(capsule) {
                Some(kept) => Self::Capsule(kept),
                None => {
                    let ends = [capsule.a(), capsule.b()];
                    let capsule = Capsule::of_checked(ends, capsule.radius());
                    Self::WideCapsule(Arc::new(capsule))
                }
            },
            Primitive::Obb(obb) => Self::Obb(Arc::new(*obb)),
            Primitive::ConvexHull(hull) => Self::ConvexHull(Arc::clone(hull)),
            Primitive::Cylinder(cylinder) => Self::Cylinder(Arc::new(*cylinder)),
        }
    }
}

impl Shape {
    /// The meshes and models of an object: all that it is, or parts of a compound.
    #[inline]
    pub(crate) fn meshes(&self) -> Option<&Arc<Instance>> {
        match self {
            Self::Instance(instance) => Some(instance),
            Self::Compound(compound) => compound.meshes(),
            Self::HeightField(_) | Self::Primitive(_) => None,
        }
    }
}

impl Object {
    /// The same object with another shape.
    #[inline]
    pub(crate) fn with_shape(&self, shape: Shape) -> Self {
        Self {
            id: self.id,
            layers: self.layers,
            user_data: self.user_data,
            shape,
        }
    }

    /// What answers name it by: its handle and its user data.
    pub(crate) fn tag(&self) -> (ObjectId, u64) {
        (self.id, self.user_data)
    }

    pub(crate) fn kind(&self) -> ObjectKind {
        match &self.shape {
            Shape::HeightField(_) => ObjectKind::HeightField,
            Shape::Instance(instance) => match instance.geometry() {
                Geometry::Mesh(_) => ObjectKind::TriMesh,
                Geometry::Model(_) => ObjectKind::Model,
            },
            Shape::Primitive(solid) => solid.kind(),
            Shape::Compound(_) => ObjectKind::Compound,
        }
    }

    /// The smallest box of f32 around the object, or `None` where there is nothing of it.
    pub(crate) fn bounds(&self) -> Option<Aabb> {
        match &self.shape {
            Shape::HeightField(field) => field.bounds(),
            Shape::Instance(instance) => instance.bounds(),
            Shape::Primitive(solid) => Some(solid.bounds()),
            Shape::Compound(compound) => Some(compound.bounds()),
        }
    }

    /// A box that holds whatever a query may hit of the object; it may be larger than
    /// [`Object::bounds`], and is quick to compute.
    pub(crate) fn culling_bounds(&self) -> Option<Aabb> {
        match &self.shape {
            Shape::Instance(instance) => instance.culling_bounds().copied(),
            Shape::Compound(compound) => Some(compound.culling_bounds()),
            Shape::HeightField(_) | Shape::Primitive(_) => self.bounds(),
        }
    }

    pub(crate) fn model(&self) -> Option<&Arc<Model>> {
        match &self.shape {
            Shape::Instance(instance) => instance.model(),
            Shape::Compound(placed) => placed.model(),
            Shape::HeightField(_) | Shape::Primitive(_) => None,
        }
    }

    pub(crate) fn triangle_count(&self) -> usize {
        match &self.shape {
            Shape::HeightField(field) => field.triangle_count(),
            Shape::Instance(instance) => instance.triangle_count(),
            Shape::Primitive(_) => 0,
            Shape::Compound(compound) => {
                let meshes = compound.meshes();
                meshes.map_or(0, |meshes| meshes.triangle_count())
            }
        }
    }

    /// Counts what the object takes beside its slot; see [`Instance::count_bytes`].
    pub(crate) fn count_bytes(&self, count: &mut impl FnMut(usize, usize)) {
        match &self.shape {
            Shape::HeightField(field) => count(Arc::as_ptr(field).addr(), field.memory_bytes()),
            Shape::Instance(instance) => instance.count_bytes(count),
            Shape::Primitive(KeptSolid::ConvexHull(hull)) => {
                count(Arc::as_ptr(hull).addr(), hull.memory_bytes());
            }
            Shape::Primitive(_) => {}
            Shape::Compound(placed) => {
                let compound = placed.compound();
                count(Arc::as_ptr(compound).addr(), compound.memory_bytes());
                if let Some(model) = placed.model() {
                    count(Arc::as_ptr(model).addr(), model.memory_bytes());
                }
                count(Arc::as_ptr(placed).addr(), placed.memory_bytes());
            }
        }
    }
}
